from behaving import play, write


def flood(message, answer):
    while True:
        write("water, water, everywhere\n" * 1000)


play(flood)
