import os
import sys

from behaving import play


def crash(message, answer):
    sys.stderr.write("segments, faults and all\n")
    sys.stderr.flush()
    os._exit(3)


play(crash)
