"""Harmless: megabytes to its standard error before a good answer."""

import sys

from behaving import play, say


def chatter(message, answer):
    for _ in range(8000):
        sys.stderr.write("and then I thought of something else entirely, which is another story " * 10 + "\n")
    say(**answer)


play(chatter)
