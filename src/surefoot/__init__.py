"""Surefoot plays, solves and studies two games of hidden danger: Minesweeper and Risk."""

__version__ = "0.1.0"
