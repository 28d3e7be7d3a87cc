"""Play Minesweeper by hand or by the AI, with any ``minesweeper.py`` of document C's shape beside this file.

Left click opens a cell, right click sets or takes a flag, and the buttons let the AI move or start again.
The game is won when the flags are exactly the mines.
"""

import argparse
import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from minesweeper import Minesweeper, MinesweeperAI

Cell = tuple[int, int]

CELL = 48
GAP = 3
MARGIN = 24
PANEL = 200
FRAMES_A_SECOND = 30

GROUND = (38, 42, 51)
HIDDEN = (116, 126, 145)
OPEN = (226, 229, 235)
BURST = (214, 84, 74)
INK = (38, 42, 51)
LIGHT = (240, 242, 246)
FLAG = (240, 178, 56)
BUTTON = (74, 122, 196)
NUMBERS = [(0, 0, 0), (36, 88, 196), (32, 122, 60), (190, 48, 40), (60, 40, 140)] + [(110, 40, 70)] * 4


class Game:
    """One game and who plays it: what is open, what is flagged, and what the AI has been told."""

    def __init__(self, height: int, width: int, mines: int) -> None:
        self.truth = Minesweeper(height=height, width=width, mines=mines)
        self.ai = MinesweeperAI(height=height, width=width)
        self.height = height
        self.width = width
        self.opened: dict[Cell, int] = {}
        self.flags: set[Cell] = set()
        self.burst: Cell | None = None
        self.said = "Left: open. Right: flag."

    @property
    def won(self) -> bool:
        return self.burst is None and self.flags == self.truth.mines

    @property
    def over(self) -> bool:
        return self.won or self.burst is not None

    def open(self, cell: Cell) -> None:
        if self.over or cell in self.opened or cell in self.flags:
            return
        if self.truth.is_mine(cell):
            self.burst = cell
            return
        self.opened[cell] = self.truth.nearby_mines(cell)
        self.ai.add_knowledge(cell, self.opened[cell])

    def flag(self, cell: Cell) -> None:
        if not self.over and cell not in self.opened:
            self.flags ^= {cell}

    def ai_move(self) -> None:
        """A safe cell if the AI knows one, else a random one; then flags on the mines that it knows."""
        if self.over:
            return
        cell = self.ai.make_safe_move()
        self.said = "The AI knew this cell to be safe."
        if cell is None:
            cell = self.ai.make_random_move()
            self.said = "The AI had to guess."
        if cell is None:
            self.said = "The AI knows no more moves."
        else:
            self.flags.discard(cell)
            self.open(cell)
        self.flags = self.ai.mines | (self.flags - self.opened.keys())

    def status(self) -> str:
        if self.burst is not None:
            return "A mine. Lost."
        return "All mines found. Won!" if self.won else self.said


class Window:
    """The window of one run: it draws a game and turns clicks into moves."""

    def __init__(self, height: int, width: int, mines: int) -> None:
        pygame.init()
        self.settings = height, width, mines
        self.game = Game(*self.settings)
        self.board = pygame.Rect(MARGIN, MARGIN, width * CELL, height * CELL)
        left = self.board.right + MARGIN
        tall = max(height * CELL, 5 * CELL)
        self.ai_button = pygame.Rect(left, MARGIN, PANEL, CELL)
        self.reset_button = self.ai_button.move(0, CELL + MARGIN // 2)
        self.words = pygame.Rect(left, self.reset_button.bottom + MARGIN, PANEL, tall)
        self.screen = pygame.display.set_mode((left + PANEL + MARGIN, tall + 2 * MARGIN))
        pygame.display.set_caption("Minesweeper")
        self.font = pygame.font.Font(None, 30)
        self.small = pygame.font.Font(None, 24)
        self.running = True

    def place(self, cell: Cell) -> pygame.Rect:
        """Where a cell is drawn."""
        row, col = cell
        corner = self.board.left + col * CELL, self.board.top + row * CELL
        return pygame.Rect(corner, (CELL - GAP, CELL - GAP))

    def cell_at(self, point: tuple[int, int]) -> Cell | None:
        """The cell under a point of the window, or None."""
        if not self.board.collidepoint(point):
            return None
        return (point[1] - self.board.top) // CELL, (point[0] - self.board.left) // CELL

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self.click(event.pos, event.button)

    def click(self, point: tuple[int, int], button: int) -> None:
        cell = self.cell_at(point)
        if cell is not None and button == pygame.BUTTON_LEFT:
            self.game.open(cell)
        elif cell is not None and button == pygame.BUTTON_RIGHT:
            self.game.flag(cell)
        elif self.ai_button.collidepoint(point):
            self.game.ai_move()
        elif self.reset_button.collidepoint(point):
            self.game = Game(*self.settings)

    def draw(self) -> None:
        self.screen.fill(GROUND)
        for row in range(self.game.height):
            for col in range(self.game.width):
                self.draw_cell((row, col))
        for rect, label in ((self.ai_button, "AI move"), (self.reset_button, "New game")):
            pygame.draw.rect(self.screen, BUTTON, rect, border_radius=8)
            self.write(label, self.font, LIGHT, rect.center)
        self.write_lines(self.game.status())
        pygame.display.flip()

    def draw_cell(self, cell: Cell) -> None:
        game, rect = self.game, self.place(cell)
        shown = cell in game.opened
        colour = BURST if cell == game.burst else OPEN if shown else HIDDEN
        pygame.draw.rect(self.screen, colour, rect, border_radius=5)
        if shown and game.opened[cell]:
            self.write(str(game.opened[cell]), self.font, NUMBERS[game.opened[cell]], rect.center)
        elif cell in game.flags:
            self.draw_flag(rect)
        elif game.burst is not None and game.truth.is_mine(cell):
            self.draw_mine(rect)

    def draw_mine(self, rect: pygame.Rect) -> None:
        x, y = rect.center
        arm, knee = CELL // 3, CELL // 4
        for dx, dy in ((arm, 0), (0, arm), (knee, knee), (knee, -knee)):
            pygame.draw.line(self.screen, INK, (x - dx, y - dy), (x + dx, y + dy), 3)
        pygame.draw.circle(self.screen, INK, (x, y), CELL // 4)

    def draw_flag(self, rect: pygame.Rect) -> None:
        x, y, size = rect.centerx - CELL // 8, rect.centery, CELL // 3
        pygame.draw.line(self.screen, INK, (x, y - size), (x, y + size), 3)
        pygame.draw.polygon(self.screen, FLAG, [(x, y - size), (x + size, y - size // 2), (x, y)])

    def write(
        self, text: str, font: pygame.font.Font, colour: tuple[int, int, int], at: tuple[int, int]
    ) -> None:
        picture = font.render(text, True, colour)
        self.screen.blit(picture, picture.get_rect(center=at))

    def write_lines(self, text: str) -> None:
        """Words in the panel, a new line where one is full."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.small.size(longer)[0] > PANEL:
                lines.append(word)
            else:
                lines[-1] = longer
        for number, line in enumerate(lines):
            top = self.words.top + number * self.small.get_linesize()
            self.screen.blit(self.small.render(line, True, LIGHT), (self.words.left, top))


def main(arguments: list[str] | None = None, *, max_frames: int | None = None) -> Window:
    """Play until the window is closed, or for ``max_frames`` frames; the window as it was at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--height", type=int, default=8)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--mines", type=int, default=8)
    options = parser.parse_args(arguments)
    try:
        window = Window(options.height, options.width, options.mines)
    except ValueError as error:
        parser.error(str(error))
    clock = pygame.time.Clock()
    frames = 0
    while window.running and (max_frames is None or frames < max_frames):
        for event in pygame.event.get():
            window.handle(event)
        window.draw()
        clock.tick(FRAMES_A_SECOND)
        frames += 1
    pygame.quit()
    return window


if __name__ == "__main__":
    main()
