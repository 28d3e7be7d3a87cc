"""The command line: one module a command group; nothing but parsing and printing."""

from .commands import app as app
from .commands import main as main
