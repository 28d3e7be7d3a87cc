"""How much the page's server takes on, each number once; clients are told them by ``/api/about``."""

from typing import Final

MAX_SESSIONS: Final = 500
"""Games open at once; the longest unused one that nobody watches makes room for a new one."""
MAX_CONNECTIONS: Final = 1000
"""Sockets open at once."""
MAX_MESSAGE: Final = 1 << 20
"""Bytes in one message of a client, or in the body of a request."""
MAX_FRAME: Final = 16 << 20
"""Bytes after which a socket is closed rather than answered in words."""
MAX_MESSAGES_A_SECOND: Final = 200
"""Messages of one client, in the long run; a burst of as many is let through."""
MAX_HEADER: Final = 16 << 10
"""Bytes of a request's first lines."""
BODY_SECONDS: Final = 30.0
"""How long the body of a request may take to arrive."""
SEND_SECONDS: Final = 30.0
"""How long a client may leave what was sent to it unread; then its socket is closed."""
IDLE_SECONDS: Final = 6 * 3600.0
"""How long a game is kept that nobody watches and nobody uses."""
ALONE_SECONDS: Final = 60.0
"""How long agents play on after the last client has gone; they go on when one comes back."""
MAX_CELLS: Final = 10_000
"""Cells of a Minesweeper board on the page."""
MAX_SIDE: Final = 200
"""Rows or columns of a Minesweeper board on the page."""
MAX_TERRITORIES: Final = 400
"""Territories of a Risk map on the page."""
MAX_ACTIONS: Final = 200_000
"""Actions of one game; a longer one has to be saved and begun anew."""
MAX_SPEED: Final = 1000.0
"""Moves a second at which agents may be watched; 0 stands for as fast as they can."""
UPDATES_A_SECOND: Final = 20
"""Deltas sent to one client, in the long run."""
BURST: Final = 4
"""Deltas sent at once after a pause, so that what follows a click at once is not held back."""
STARTING_SECONDS: Final = 60.0
"""How long what needs kernels waits for a server that is still getting ready, before it is refused."""
THINKING_SECONDS: Final = 30.0
"""How long one request to a worker process may take."""
MAX_PLAYOUTS: Final = 5_000
"""Play-outs of one win chance."""
MAX_REVIEW_TURNS: Final = 8
"""Turns of one request for a review; a page asks for the next ones after it."""
MAX_REVIEW_SAMPLES: Final = 256
"""Samples of one decision in a review."""
MAX_STUDY_GAMES: Final = 1_000_000
"""Games of one study of the arena, of all its agents together."""
MAX_STUDY_AGENTS: Final = 16
"""Agents of one study of the arena."""
MAX_RUNS: Final = 2
"""Runs of the arena that the server plays at once."""
