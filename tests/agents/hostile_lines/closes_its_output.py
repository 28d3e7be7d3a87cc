"""Closes the channel and lives on."""

import os
import time

from behaving import play


def close(message, answer):
    os.close(0)
    os.close(1)
    time.sleep(1e6)


play(close)
