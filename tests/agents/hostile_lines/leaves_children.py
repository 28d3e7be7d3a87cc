"""Ends, but leaves a child behind that holds on to the channel."""

import os
import time

from behaving import play


def leave(message, answer):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1e6)
    os._exit(0)


play(leave)
