from behaving import play, say


def flood(message, answer):
    while True:
        say(**answer)


play(flood)
