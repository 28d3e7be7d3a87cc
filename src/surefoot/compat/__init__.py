"""Adapters to the shells of the two Minesweeper documents."""
