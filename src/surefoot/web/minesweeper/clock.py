"""How long a game has been played."""

import time
from typing import Any


class Clock:
    """Seconds played, on a clock that nobody sets.

    Args:
        seconds: played before, in a game that is taken up again.
    """

    def __init__(self, seconds: float) -> None:
        self._before = seconds
        self._since: float | None = None

    def start(self, since: float | None = None) -> None:
        """Run, unless it runs already: from now on, or from a moment of `time.monotonic`."""
        if self._since is None:
            self._since = time.monotonic() if since is None else since

    def stop(self) -> None:
        """Stand still."""
        self._before = self.seconds
        self._since = None

    @property
    def seconds(self) -> float:
        """How many seconds it shows."""
        return self._before + (0.0 if self._since is None else time.monotonic() - self._since)

    def as_dict(self) -> dict[str, Any]:
        """The clock as the view holds it."""
        return {"seconds": round(self.seconds, 3), "running": self._since is not None}
