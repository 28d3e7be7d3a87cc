import threading
import time

from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        for _ in range(8):
            threading.Thread(target=time.sleep, args=(1e6,)).start()

    def getAction(self, number):
        return Action(AI.Action.LEAVE)
