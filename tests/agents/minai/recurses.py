import sys

from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        sys.setrecursionlimit(1_000_000_000)

    def getAction(self, number):
        return self.getAction(number)
