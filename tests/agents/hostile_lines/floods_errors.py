"""Writes without end to its standard error, and never answers."""

import sys

from behaving import play


def flood(message, answer):
    while True:
        sys.stderr.write("nor any drop to drink\n" * 1000)


play(flood)
