"""No process has more than it may, but together they have."""

import os
import time

from behaving import play


def eat(message, answer):
    for _ in range(4):
        if os.fork() == 0:
            hoard = bytearray(60 << 20)
            hoard[:: 1 << 12] = b"x" * len(hoard[:: 1 << 12])
            time.sleep(1e6)
    time.sleep(1e6)


play(eat)
