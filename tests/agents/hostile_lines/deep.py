from behaving import play, write

play(lambda message, answer: write("[" * 200_000 + "\n"))
