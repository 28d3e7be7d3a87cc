from behaving import play, say


def answer_in_another(message, answer):
    game, rest = answer["id"].split(".", 1)
    say(**answer | {"id": f"{int(game) + 1}.{rest}"})


play(answer_in_another)
