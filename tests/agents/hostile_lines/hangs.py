import time

from behaving import play

play(lambda message, answer: time.sleep(1e6))
