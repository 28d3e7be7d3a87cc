"""An agent that plays by a list: a move, a flag, two answers that are illegal, and away."""

from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        self.moves = iter(
            [
                Action(AI.Action.UNCOVER, 1, 0),
                Action(AI.Action.FLAG, 4, 3),
                Action(AI.Action.UNCOVER, 9, 9),
                None,
                Action(AI.Action.LEAVE),
            ]
        )

    def getAction(self, number):
        return next(self.moves)
