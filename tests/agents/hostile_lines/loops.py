from behaving import play


def loop(message, answer):
    while True:
        pass


play(loop)
