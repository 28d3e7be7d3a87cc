from AI import AI


class MyAI(AI):
    def __init__(self, rowDimension, colDimension, totalMines, startX, startY):
        self.hoard = []

    def getAction(self, number):
        while True:
            self.hoard.append(bytearray(1 << 20))
