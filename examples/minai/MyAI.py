"""An agent for the Min.AI shell, to start from: the two rules that every player finds first.

A number that has all its mines around it makes the other covered tiles around it safe; a number with as
many covered tiles as mines makes them all mines. When neither helps, it takes the tile that looks least
dangerous. It needs nothing but what the shell provides.
"""

from Action import Action
from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        self.rows, self.cols = rowDimension, colDimension
        self.total_mines = totalMines
        self.covered = {(x, y) for x in range(colDimension) for y in range(rowDimension)}
        self.numbers = {}
        self.mines = set()
        self.last = (startX, startY)

    def getAction(self, number):
        self.numbers[self.last] = number
        self.covered.discard(self.last)
        if len(self.covered) == self.total_mines:
            return Action(AI.Action.LEAVE)
        self.last = self.safe_tile() or self.least_dangerous_tile()
        return Action(AI.Action.UNCOVER, *self.last)

    def around(self, tile):
        x, y = tile
        return {
            (i, j)
            for i in range(max(x - 1, 0), min(x + 2, self.cols))
            for j in range(max(y - 1, 0), min(y + 2, self.rows))
        } - {tile}

    def safe_tile(self):
        """A tile that is certainly safe, or None; what is certainly a mine is noted on the way."""
        learnt = True
        while learnt:
            learnt = False
            for tile, number in self.numbers.items():
                near = self.around(tile) & self.covered
                unknown = near - self.mines
                if unknown and number == len(near & self.mines):
                    return min(unknown)
                if unknown and number == len(near):
                    self.mines |= unknown
                    learnt = True
        return None

    def least_dangerous_tile(self):
        """The tile whose worst-looking number leaves it the smallest chance of a mine."""
        unknown = self.covered - self.mines
        elsewhere = (self.total_mines - len(self.mines)) / len(unknown)
        danger = {}
        for tile, number in self.numbers.items():
            near = self.around(tile) & self.covered
            for other in near - self.mines:
                share = (number - len(near & self.mines)) / len(near - self.mines)
                danger[other] = max(danger.get(other, 0), share)
        return min(unknown, key=lambda tile: (danger.get(tile, elsewhere), tile))
