from AI import AI


class MyAgent(AI):
    pass
