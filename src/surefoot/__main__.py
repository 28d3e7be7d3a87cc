"""``python -m surefoot`` is the ``surefoot`` command."""

from surefoot.cli import main

main()
