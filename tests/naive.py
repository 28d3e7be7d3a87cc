"""Plain twins of the compiled kernels: slow, short, and written from the facts alone.

Nothing here calls a kernel, and cells are pairs in sets instead of arrays, so that a mistake is unlikely
to be made the same way twice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from surefoot.minesweeper.rules import Level, Rules

Cell = tuple[int, int]
Layout = frozenset[Cell]
Position = Sequence[Sequence[int]]
"""Rows of what the player sees: 0 to 8, or negative where hidden or flagged."""


def all_cells(height: int, width: int) -> list[Cell]:
    return list(product(range(height), range(width)))


def around(cell: Cell, height: int, width: int) -> set[Cell]:
    row, col = cell
    block = set(product((row - 1, row, row + 1), (col - 1, col, col + 1)))
    return (block & set(all_cells(height, width))) - {cell}


# --- where the mines may lie -----------------------------------------------------------------------------


def allowed_cells(level: Level, first_click: str, start: Cell | None) -> list[Cell]:
    """The cells that may hold a mine, in row-major order."""
    kept: set[Cell] = set()
    if start is not None and first_click != "any":
        kept = {start}
        if first_click == "opening":
            kept |= around(start, level.height, level.width)
    return [cell for cell in all_cells(level.height, level.width) if cell not in kept]


def allowed_layouts(level: Level, first_click: str, start: Cell | None) -> list[Layout]:
    """Every layout that the first click allows; they are equally likely."""
    return [frozenset(c) for c in combinations(allowed_cells(level, first_click, start), level.mines)]


def place_mines(uniforms: Sequence[float], level: Level, first_click: str, start: Cell | None) -> Layout:
    """Floyd's sampling without replacement: the i-th draw is among the first n - count + i + 1 cells."""
    cells = allowed_cells(level, first_click, start)
    chosen: set[Cell] = set()
    for last, uniform in zip(range(len(cells) - level.mines, len(cells)), uniforms):
        drawn = cells[int(uniform * (last + 1))]
        chosen.add(cells[last] if drawn in chosen else drawn)
    return frozenset(chosen)


# --- the game ----------------------------------------------------------------------------------------------


class Refused(Exception):
    """The rules forbid the action."""


class NaiveGame:
    """The rules of play, step by step, on sets of cells.

    ``uniforms`` are the draws that the real game takes from its generator: one for the start, then one
    for each mine.
    """

    def __init__(self, level: Level, rules: Rules, uniforms: Sequence[float]) -> None:
        self.level, self.rules, self.uniforms = level, rules, uniforms
        self.cells = set(all_cells(level.height, level.width))
        self.mines: Layout | None = None
        self.open: set[Cell] = set()
        self.flags: set[Cell] = set()
        self.moves = 0
        self.percept = -1
        self.status, self.end = "running", "not_ended"
        if rules.ends_when_won and self.complete():
            self._finish("completed")
        if rules.start == "agent" or self.status != "running":
            return
        start = rules.start
        if isinstance(start, str):
            start = sorted(self.cells)[int(uniforms[0] * len(self.cells))]
        self._step_on(start)
        self._judge()

    def complete(self) -> bool:
        """Whether what wins is done."""
        if self.rules.goal == "open":
            return len(self.open) == len(self.cells) - self.level.mines
        if self.level.mines == 0:
            return not self.flags
        layout = self._layout()
        return layout is not None and layout == frozenset(self.flags)

    def _layout(self) -> Layout | None:
        # Where the first click promises nothing the layout exists from the start.
        if self.mines is None and self.rules.first_click == "any":
            self._lay(None)
        return self.mines

    def _lay(self, first: Cell | None) -> Layout:
        if self.mines is None:
            self.mines = place_mines(self.uniforms[1:], self.level, self.rules.first_click, first)
        return self.mines

    def around(self, cell: Cell) -> set[Cell]:
        return around(cell, self.level.height, self.level.width)

    def number(self, cell: Cell) -> int:
        assert self.mines is not None
        return len(self.around(cell) & self.mines)

    def view(self) -> list[list[int]]:
        """What the player sees: numbers, -1 hidden, -2 flagged."""

        def seen(cell: Cell) -> int:
            return self.number(cell) if cell in self.open else -2 if cell in self.flags else -1

        return [[seen((r, c)) for c in range(self.level.width)] for r in range(self.level.height)]

    def play(self, kind: str, cell: Cell | None) -> set[Cell]:
        """Play one action; the answer is the cells it opened."""
        if self.status != "running":
            raise Refused
        if kind == "leave":
            if not self.rules.may_leave:
                raise Refused
            self._finish("left")
            return set()
        if cell not in self.cells:
            raise Refused
        if kind == "chord" and (not self.rules.chord or cell not in self.open):
            raise Refused
        if kind == "uncover" and cell in self.open and not self.rules.reopen:
            return set()
        before = set(self.open)
        self.moves += 1
        self.percept = -1
        if kind == "uncover":
            if cell in self.open:
                self.percept = self.number(cell)
            elif not (cell in self.flags and self.rules.flags_protect):
                self._step_on(cell)
        elif kind == "flag":
            room = not self.rules.flag_cap or len(self.flags) < self.level.mines
            if room and cell not in self.open:
                self.flags.add(cell)
        elif kind == "unflag":
            self.flags.discard(cell)
        elif len(self.around(cell) & self.flags) == self.number(cell):
            for near in sorted(self.around(cell)):
                if self.status == "running" and near not in self.open | self.flags:
                    self._step_on(near)
        self._judge()
        return self.open - before

    def _step_on(self, cell: Cell) -> None:
        if cell in self._lay(cell):
            # Where the player has to leave in the end, what is complete stays so.
            solved = not self.rules.ends_when_won and self.complete()
            self.status, self.end = "won" if solved else "lost", "exploded"
            return
        self.percept = self.number(cell)
        spreading = {cell}
        while spreading:
            now = spreading.pop()
            self.open.add(now)
            self.flags.discard(now)
            if self.rules.flood and self.number(now) == 0:
                blocked = self.flags if self.rules.flags_protect else set()
                spreading |= self.around(now) - self.open - blocked

    def _judge(self) -> None:
        limit = 2 * len(self.cells) + 1 if self.rules.move_limit else None
        if self.status == "running" and self.rules.ends_when_won and self.complete():
            self._finish("completed")
        if self.status == "running" and self.moves == limit:
            self._finish("move_limit")

    def _finish(self, end: str) -> None:
        self.status, self.end = ("won" if self.complete() else "lost"), end


# --- exact probabilities -----------------------------------------------------------------------------------


class Truth(NamedTuple):
    """What can be known of a position."""

    mine: Mapping[Cell, Fraction]
    """For each hidden cell the chance that it is a mine."""
    layouts: int
    """How many layouts explain the position."""


def consistent_layouts(position: Position, mines: int | None) -> Iterator[Layout]:
    """Every layout that explains the numbers, by trying all; for very small boards."""
    height, width = len(position), len(position[0])
    hidden = [cell for cell in all_cells(height, width) if position[cell[0]][cell[1]] < 0]
    sizes = range(len(hidden) + 1) if mines is None else [mines]
    numbers = {cell: position[cell[0]][cell[1]] for cell in all_cells(height, width) if cell not in hidden}
    for size in sizes:
        for chosen in combinations(hidden, size):
            layout = frozenset(chosen)
            if all(len(around(c, height, width) & layout) == n for c, n in numbers.items()):
                yield layout


def probabilities(position: Position, mines: int | None, density: Fraction | None = None) -> Truth | None:
    """Exact chances by counting layouts; None when none explains the position.

    With no mine count every layout weighs the same, or each cell is a mine with chance ``density`` of its
    own. Cells that touch the same numbers are counted together, so that ``k`` mines among ``s`` of them
    come in ``comb(s, k)`` ways; cells that touch none are one more such group, and every way to share the
    mines out among the groups of a component is tried.
    """
    height, width = len(position), len(position[0])
    numbers = {c: position[c[0]][c[1]] for c in all_cells(height, width) if position[c[0]][c[1]] >= 0}
    if any(number and not around(c, height, width) - numbers.keys() for c, number in numbers.items()):
        return None
    groups: dict[frozenset[Cell], list[Cell]] = {}
    for cell in all_cells(height, width):
        if cell not in numbers:
            seen_by = frozenset(around(cell, height, width) & numbers.keys())
            groups.setdefault(seen_by, []).append(cell)
    # Each component as a table: mines in it -> (ways, {group: mines in that group, summed over the ways}).
    parts = [_count(component, groups, numbers) for component in _components(groups)]
    whole: Table = {0: (1, {})}
    for part in parts:
        whole = _join(whole, part)
    if mines is not None:
        whole = {k: v for k, v in whole.items() if k == mines}
    odds = Fraction(1) if density is None else density / (1 - density)
    total = sum(ways * odds**k for k, (ways, _) in whole.items())
    if not total:
        return None
    chance: dict[Cell, Fraction] = {}
    for seen_by, cells in groups.items():
        expected = sum(Fraction(sums.get(seen_by, 0)) * odds**k for k, (_, sums) in whole.items())
        chance |= {cell: expected / total / len(cells) for cell in cells}
    return Truth(chance, sum(ways for ways, _ in whole.values()))


Group = frozenset[Cell]
"""A group of interchangeable cells, named by the numbers that see it."""
Table = dict[int, tuple[int, dict[Group, int]]]


def _components(groups: Mapping[Group, list[Cell]]) -> list[list[Group]]:
    components: list[tuple[set[Cell], list[Group]]] = []
    for group in groups:
        touching = [part for part in components if part[0] & group]
        components = [part for part in components if part not in touching]
        merged = set(group).union(*(part[0] for part in touching))
        components.append((merged, [g for part in touching for g in part[1]] + [group]))
    return [part for _, part in components]


def _count(component: list[Group], groups: Mapping[Group, list[Cell]], numbers: Mapping[Cell, int]) -> Table:
    """Try every number of mines in every group, giving up as soon as a number is passed or out of reach."""
    table: Table = {}
    left = {cell: numbers[cell] for group in component for cell in group}
    room = {cell: sum(len(groups[g]) for g in component if cell in g) for cell in left}

    def fill(index: int, taken: list[int], ways: int) -> None:
        if any(left[c] < 0 or left[c] > room[c] for c in left):
            return
        if index == len(component):
            mines = sum(taken)
            old_ways, sums = table.get(mines, (0, {}))
            for group, k in zip(component, taken):
                sums[group] = sums.get(group, 0) + k * ways
            table[mines] = (old_ways + ways, sums)
            return
        group = component[index]
        size = len(groups[group])
        for cell in group:
            room[cell] -= size
        for k in range(size + 1):
            for cell in group:
                left[cell] -= k
            fill(index + 1, [*taken, k], ways * comb(size, k))
            for cell in group:
                left[cell] += k
        for cell in group:
            room[cell] += size

    fill(0, [], 1)
    return table


def _join(one: Table, other: Table) -> Table:
    joined: Table = {}
    for (k, (ways, sums)), (more, (more_ways, more_sums)) in product(one.items(), other.items()):
        old_ways, total = joined.get(k + more, (0, {}))
        for group, value in sums.items():
            total[group] = total.get(group, 0) + value * more_ways
        for group, value in more_sums.items():
            total[group] = total.get(group, 0) + value * ways
        joined[k + more] = (old_ways + ways * more_ways, total)
    return joined


# --- perfect play ------------------------------------------------------------------------------------------


class Worth(NamedTuple):
    """How many layouts perfect play wins: in all, and after opening each cell first."""

    wins: int
    by_cell: Mapping[Cell, int]


def perfect(layouts: Iterable[Layout], hidden: frozenset[Cell], height: int, width: int) -> Worth:
    """Try everything: whichever cell is opened, what is won is the sum over the numbers it may show.

    A layout is won when its last safe cell opens, and the player then sees that the game is over.
    """
    near = {cell: around(cell, height, width) for cell in hidden}
    known: dict[tuple[frozenset[Layout], frozenset[Cell]], int] = {}

    def unfinished(possible: frozenset[Layout], opened: frozenset[Cell]) -> frozenset[Layout]:
        return frozenset(layout for layout in possible if not hidden - layout <= opened)

    def wins(possible: frozenset[Layout], opened: frozenset[Cell]) -> int:
        if (possible, opened) not in known:
            rest = unfinished(possible, opened)
            best = max((open_one(rest, opened, cell) for cell in hidden - opened), default=0) if rest else 0
            known[possible, opened] = len(possible) - len(rest) + best
        return known[possible, opened]

    def open_one(possible: frozenset[Layout], opened: frozenset[Cell], cell: Cell) -> int:
        parts: dict[int, set[Layout]] = {}
        for layout in possible:
            if cell not in layout:
                parts.setdefault(len(near[cell] & layout), set()).add(layout)
        return sum(wins(frozenset(part), opened | {cell}) for part in parts.values())

    every, none = frozenset(layouts), frozenset[Cell]()
    running = unfinished(every, none)
    won = len(every) - len(running)
    return Worth(wins(every, none), {cell: won + open_one(running, none, cell) for cell in hidden})


# --- threats -----------------------------------------------------------------------------------------------


def threats(position: Position, mines: int | None) -> dict[tuple[frozenset[Cell], frozenset[Cell]], Fraction]:
    """What each pair and box costs that no number may tell apart, by its two ways to lie.

    That is the share of all layouts with the first way in which every cell that could tell is a mine.
    """
    height, width = len(position), len(position[0])
    layouts = list(consistent_layouts(position, mines))
    hidden = {c for c in all_cells(height, width) if position[c[0]][c[1]] < 0}
    sure = {c for c in hidden if sum(c in layout for layout in layouts) in (0, len(layouts))}
    mined = {c for c in sure if layouts and c in layouts[0]}
    shapes = [
        (frozenset((one,)), frozenset((two,)))
        for one in hidden
        for two in around(one, height, width) & hidden
    ]
    shapes += [
        (frozenset(((r, c), (r + 1, c + 1))), frozenset(((r, c + 1), (r + 1, c))))
        for r, c in hidden
        if {(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= hidden
    ]
    found = {}
    for one, two in shapes:
        if (one | two) & sure:
            continue
        telling = {
            cell
            for cell in set(all_cells(height, width)) - one - two - mined
            if len((around(cell, height, width) | {cell}) & one)
            != len((around(cell, height, width) | {cell}) & two)
        }
        if telling <= hidden - sure:
            hits = sum(one <= layout and not two & layout and telling <= layout for layout in layouts)
            found[one, two] = Fraction(hits, len(layouts))
    return found
