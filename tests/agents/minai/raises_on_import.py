from AI import AI

raise OSError("no licence found")


class MyAI(AI):
    pass
