import sys

from Action import Action
from AI import AI

shell = sys.modules["AI"]
shell.worlds = getattr(shell, "worlds", 0) + 1
WORLDS = []


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        WORLDS.append(startX)
        print(len(WORLDS), shell.worlds)

    def getAction(self, number):
        return Action(AI.Action.LEAVE)
