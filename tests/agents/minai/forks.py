import os
import time

from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        pass

    def getAction(self, number):
        # Children that get away: out of the process group, and orphaned.
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                # The test looks for a process of this name.
                os.execlp("sleep", "sleep", "86399.25")
            os._exit(0)
        os.wait()
        time.sleep(0.1)
        return Action(AI.Action.LEAVE)
