from behaving import play, say


def answer_twice(message, answer):
    say(**answer)
    say(**answer)


play(answer_twice)
