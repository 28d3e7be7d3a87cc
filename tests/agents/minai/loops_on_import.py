from AI import AI


class MyAI(AI):
    pass


while True:
    pass
