import os

from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        pass

    def getAction(self, number):
        os._exit(3)
