from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        self.start = startX, startY
        self.asked = 0

    def getAction(self, number):
        self.asked += 1
        if self.asked == 3:
            return {}["no such key"]
        return Action(AI.Action.UNCOVER, *self.start)
