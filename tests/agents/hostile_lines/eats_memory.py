from behaving import play

hoard = []


def eat(message, answer):
    while True:
        hoard.append(bytearray(1 << 20))


play(eat)
