"""The child that becomes somebody's program. Only the standard library: it is a fork of the launcher."""

import os
import signal
from collections.abc import Mapping, Sequence

from .launcher import Channel


def execute(channel: Channel, *, command: Sequence[str], environment: Mapping[str, str], folder: str) -> None:
    """Become the program ``command``, with the channel as its standard input and output."""
    for standard in (0, 1):
        os.dup2(channel.fileno(), standard)
    os.close(channel.fileno())
    # Python ignores these, and a program would inherit that.
    for ignored in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, ignored):
            signal.signal(getattr(signal, ignored), signal.SIG_DFL)
    try:
        os.chdir(folder)
        os.execvpe(command[0], list(command), dict(environment))
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
        os._exit(127)
