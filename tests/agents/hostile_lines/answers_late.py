import time

from behaving import play, say


def answer_late(message, answer):
    time.sleep(4 * message["seconds"])
    say(**answer)


play(answer_late)
