import os
import subprocess
import sys

from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        print("hello from the constructor")

    def getAction(self, number):
        os.write(1, b"\xff\x00raw bytes\n")
        os.write(2, b'{"answer": [1, 0, 0]}\n')
        subprocess.run(["echo", "from a child"], check=False)
        print("x" * 300_000, file=sys.stderr)
        return Action(AI.Action.LEAVE)
