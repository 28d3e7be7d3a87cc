"""The constants that kernels and their callers share.

A board is a flat array of ``height * width`` cells in row-major order; cell ``(row, col)`` is
``row * width + col``.
"""

# A cell as the player sees it (int8): a number 0 to 8 when open, else one of these.
HIDDEN = -1
FLAGGED = -2

# Words of a game's header (int64).
HEIGHT = 0
WIDTH = 1
MINES = 2
OPEN = 3  # open cells
FLAGS = 4  # flagged cells
RIGHT_FLAGS = 5  # flagged cells that hold a mine
MOVES = 6
STATUS = 7
END = 8
PERCEPT = 9  # what the last move answered: a number, or NOTHING
HEADER_SIZE = 10

NOTHING = -1

# STATUS
RUNNING = 0
WON = 1
LOST = 2

# END: why a game is over
NOT_ENDED = 0
COMPLETED = 1  # what wins was done, and the rules end the game there
EXPLODED = 2
LEFT = 3
MOVE_LIMIT = 4

# Words of the packed rules (int64).
FLOOD = 0  # a zero opens its neighbours
CHORD = 1
FLAG_GOAL = 2  # won by flags, not by opening
ENDS_WHEN_WON = 3
MAY_LEAVE = 4
FLAG_CAP = 5  # at most as many flags as mines
FLAGS_PROTECT = 6
REOPEN = 7  # uncovering an open cell is a move and tells its number again
MAX_MOVES = 8  # 0 for none
FIRST_CLICK = 9
RULES_SIZE = 10

# FIRST_CLICK: which cells the layout keeps free of mines
FIRST_ANY = 0
FIRST_SAFE = 1
FIRST_OPENING = 2

# Kinds of action
UNCOVER = 0
FLAG = 1
UNFLAG = 2
CHORD_ON = 3
LEAVE = 4

# What `apply` answers when an action breaks a rule; otherwise how many cells it opened.
GAME_OVER = -1
OFF_BOARD = -2
NO_CHORDS = -3
NO_LEAVING = -4
NOT_A_NUMBER = -5
