from behaving import play, say


def answer_for_another(message, answer):
    game, seat, number = answer["id"].split(".")
    say(**answer | {"id": f"{game}.{int(seat) + 1}.{number}"})


play(answer_for_another)
