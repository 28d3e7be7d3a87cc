"""A hundred megabytes in one line."""

from behaving import play, write


def go_on(message, answer):
    for _ in range(100):
        write("x" * (1 << 20))
    write("\n")


play(go_on)
