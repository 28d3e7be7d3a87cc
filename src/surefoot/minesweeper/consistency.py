"""Whether sentences can all be true, which cells they settle, and which few of them cannot all be true.

Cells that stand in the same sentences are interchangeable: a *group* of ``s`` cells holds 0 to ``s``
mines, and a *row* says how many mines some groups hold together. Rows that share groups form a component.
One sentence over every cell, such as the mine count, would link everything with everything; it is set
apart, and asks only for a total: each component is asked which totals it can have, and these are added up
as sets of integers, kept as the bits of one integer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from surefoot.errors import Contradiction, TooComplex

from .actions import Cell
from .component import Part, Work, choose_totals
from .knowledge import (
    MINE_COUNT,
    Clash,
    KnowledgeBase,
    Rule,
    Sentence,
    listing,
    mine_count_sentence,
    number_name,
    number_sentences,
    steps_to,
)
from .observation import Observation

LIMIT: Final = 5_000_000
"""How many steps a question may take, unless told: group values looked at. Some ten seconds."""


def is_consistent(sentences: Iterable[Sentence], *, limit: int = LIMIT) -> bool:
    """Whether some placement of mines makes every sentence true.

    Raises:
        TooComplex: that takes more than ``limit`` steps; the message names what is too large.
    """
    return find_solution(sentences, limit=limit) is not None


def find_solution(sentences: Iterable[Sentence], *, limit: int = LIMIT) -> frozenset[Cell] | None:
    """The mines of one placement that makes every sentence true, or None.

    Raises:
        TooComplex: as for `is_consistent`.
    """
    network = _Network(sentences, limit)
    values = network.solve(network.all_rows)
    if values is None:
        return None
    return frozenset(
        cell for cells, value in zip(network.groups, values, strict=True) for cell in sorted(cells)[:value]
    )


def components(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """The sentences split into those that are linked with each other by shared cells."""
    network = _Network(sentences, 0, set_apart=False)
    return [[network.sentences[row] for row in sorted(rows)] for rows in network.components(network.all_rows)]


def certain_cells(sentences: Iterable[Sentence], *, limit: int = LIMIT) -> dict[Cell, bool]:
    """The cells that are the same in every placement: True for a mine, False for a safe cell.

    A sentence over all cells at once, such as the mine count, is no help here: it makes one component.

    Raises:
        Contradiction: no placement makes every sentence true; the message names some that cannot be.
        TooComplex: as for `is_consistent`.
    """
    network = _Network(sentences, limit, set_apart=False)
    certain: dict[Cell, bool] = {}
    for rows in network.components(network.all_rows):
        part = network.part(rows)
        bounds = part.certain(network.work)
        if bounds is None:
            core = smallest_contradiction((network.sentences[row] for row in sorted(rows)), limit=limit)
            raise Contradiction(f"{listing([one.brief() for one in core])} cannot all be true")
        for group, (low, high) in zip(part.groups, bounds, strict=True):
            if high == 0 or low == len(network.groups[group]):
                certain.update(dict.fromkeys(network.groups[group], low > 0))
    return certain


def smallest_contradiction(
    sentences: Iterable[Sentence], seed: Sentence | None = None, *, limit: int = LIMIT
) -> list[Sentence]:
    """A few sentences that cannot all be true, of which no one can be spared; empty if all can be true.

    Several starting points are tried and the smallest answer taken. It is minimal, but another might be
    smaller still. A sentence over all cells is among them only if the others alone do not contradict
    each other. ``seed`` is a sentence around which to look first.

    Raises:
        TooComplex: as for `is_consistent`.
    """
    network = _Network(sentences, limit)
    rows = network.core(network.sentences.index(seed) if seed is not None else None)
    return [network.sentences[row] for row in rows]


@dataclass(frozen=True, slots=True)
class Conflict:
    """What of a position cannot be: numbers that contradict each other, and perhaps the mine count.

    Args:
        numbers: open cells and the number each shows; no one can be spared.
        mines: the mine count, if it is part of the contradiction.
        text: all that in words, one line.
    """

    numbers: tuple[tuple[Cell, int], ...]
    mines: int | None
    text: str

    def __str__(self) -> str:
        return self.text


def contradiction_of(observation: Observation, *, limit: int = LIMIT) -> Conflict | None:
    """The numbers that contradict each other in a position that no layout explains, or None.

    Raises:
        TooComplex: as for `is_consistent`.
    """
    cells: dict[Sentence, Cell] = {}
    for cell, sentence in number_sentences(observation).items():
        cells.setdefault(sentence, cell)
    total = mine_count_sentence(observation)
    told = [*cells] if total is None or total in cells else [*cells, total]
    core = smallest_contradiction(told, limit=limit)
    if not core:
        return None
    named = sorted(cells[sentence] for sentence in core if sentence in cells)
    mines = None if len(named) == len(core) else observation.mines
    numbers = tuple((cell, int(observation.cells[cell])) for cell in named)
    return Conflict(numbers, mines, _in_words(observation, named, mines))


def refuse_contradiction(observation: Observation, *, limit: int = LIMIT) -> None:
    """Refuse a position that no layout explains.

    Raises:
        Contradiction: naming the numbers that contradict each other.
        TooComplex: as for `is_consistent`.
    """
    conflict = contradiction_of(observation, limit=limit)
    if conflict is not None:
        raise Contradiction(f"no layout explains this position: {conflict}")


def _in_words(observation: Observation, named: list[Cell], mines: int | None) -> str:
    names = [number_name(cell, observation) for cell in named]
    if mines is not None and not names:
        return f"{mines} mines do not fit on {_hidden_cells(int(observation.hidden.sum()))}"
    if mines is None and len(names) == 1:
        hidden = sum(bool(observation.hidden[near]) for near in observation.neighbours(named[0]))
        return f"{names[0]} has only {_hidden_cells(hidden)} around it"
    count = None if mines is None else f"{MINE_COUNT} of {mines}"
    return f"{listing(names, count)} contradict each other"


def _hidden_cells(count: int) -> str:
    return f"{count} hidden cell{'' if count == 1 else 's'}"


class _Network:
    """Sentences as rows over groups, and what was found out about their components so far."""

    def __init__(self, sentences: Iterable[Sentence], limit: int, *, set_apart: bool = True) -> None:
        self.sentences = list(dict.fromkeys(sentences))
        self.work = Work(limit)
        self.all_rows = frozenset(range(len(self.sentences)))
        rows_of: dict[Cell, list[int]] = {}
        for row, sentence in enumerate(self.sentences):
            for cell in sentence.cells:
                rows_of.setdefault(cell, []).append(row)
        groups: dict[tuple[int, ...], list[Cell]] = {}
        for cell, rows in rows_of.items():
            groups.setdefault(tuple(rows), []).append(cell)
        self.groups = list(groups.values())
        self.total: int | None = None
        if set_apart and len(self.sentences) > 1:
            self.total = next(
                (row for row, one in enumerate(self.sentences) if len(one.cells) == len(rows_of)), None
            )
        # The row set apart is in no list: it links nothing.
        self.rows_of_group = [[row for row in rows if row != self.total] for rows in groups]
        self.groups_of_row: list[list[int]] = [[] for _ in self.sentences]
        for group, rows in enumerate(self.rows_of_group):
            for row in rows:
                self.groups_of_row[row].append(group)
        self._parts: dict[frozenset[int], Part] = {}

    def components(self, rows: frozenset[int]) -> list[frozenset[int]]:
        """``rows``, but for the one set apart, split into those that share groups."""
        left = set(rows) - {self.total}
        components = []
        for first in sorted(left):
            if first in left:
                found = self.around({first}, rows, reach=len(rows))
                left -= found
                components.append(frozenset(found))
        return components

    def around(self, start: set[int], rows: frozenset[int], reach: int) -> set[int]:
        """The ``rows`` within ``reach`` shared groups of ``start``."""
        found, edge = set(start), set(start)
        for _ in range(reach):
            edge = {
                row
                for near in edge
                for group in self.groups_of_row[near]
                for row in self.rows_of_group[group]
                if row in rows
            } - found
            if not edge:
                break
            found |= edge
        return found

    def part(self, rows: frozenset[int]) -> Part:
        """The component of ``rows``, made once."""
        if rows not in self._parts:
            self._parts[rows] = self._make_part(rows)
        return self._parts[rows]

    def _make_part(self, rows: frozenset[int]) -> Part:
        """The component of ``rows``, its groups in order of search.

        Neighbouring groups stand next to each other, so that few rows are open at a time and a conflict
        shows soon after the choice that caused it.
        """
        places: dict[int, int] = {}
        queue = [min(rows)]
        seen = set(queue)
        for row in queue:
            for group in self.groups_of_row[row]:
                places.setdefault(group, len(places))
                near = [one for one in self.rows_of_group[group] if one in rows and one not in seen]
                seen.update(near)
                queue += near
        return Part(
            list(places),
            [len(self.groups[group]) for group in places],
            [sorted(places[group] for group in self.groups_of_row[row]) for row in queue],
            [self.sentences[row].count for row in queue],
        )

    def solve(self, rows: frozenset[int]) -> list[int] | None:
        """Mines of each group in a placement that makes ``rows`` true, or None."""
        values = [0] * len(self.groups)
        parts = [self.part(component) for component in self.components(rows)]
        for part in parts:
            found = part.any_solution(self.work)
            if found is None:
                return None
            for group, value in zip(part.groups, found, strict=True):
                values[group] = value
        if self.total is None or self.total not in rows:
            return values
        return self._with_total(parts, values)

    def _with_total(self, parts: list[Part], values: list[int]) -> list[int] | None:
        """The row set apart made true as well, by the groups in no part and then by other solutions."""
        assert self.total is not None
        bound = {group for part in parts for group in part.groups}
        free = [group for group in range(len(self.groups)) if group not in bound]
        room = sum(len(self.groups[group]) for group in free)
        wanted = self.sentences[self.total].count
        rest = wanted - sum(values)
        if not 0 <= rest <= room:
            totals = choose_totals([part.totals(self.work) for part in parts], room, wanted)
            if totals is None:
                return None
            for part, total in zip(parts, totals, strict=True):
                found = part.with_total(total, self.work)
                for group, value in zip(part.groups, found, strict=True):
                    values[group] = value
            rest = wanted - sum(totals)
        for group in free:
            values[group] = min(rest, len(self.groups[group]))
            rest -= values[group]
        return values

    def core(self, seed: int | None) -> list[int]:
        """Rows that cannot all be true, none to spare; empty if all can be."""
        for row in sorted(self.all_rows, key=lambda row: len(self.sentences[row].cells)):
            one = self.sentences[row]
            if not 0 <= one.count <= len(one.cells):
                return [row]
        try:
            bad = [rows for rows in self.components(self.all_rows) if self.solve(rows) is None]
        except TooComplex:
            # What is too large to search may still break the three rules somewhere.
            rows = self._clash()
            if not rows:
                raise
            self.work.left = self.work.limit
            return sorted(self._local_core(rows, min(rows)))
        if bad:
            rows = next((rows for rows in bad if seed in rows), min(bad, key=len))
            return sorted(self._local_core(rows, seed if seed in rows else self._culprit(rows)))
        if self.solve(self.all_rows) is not None:
            return []
        assert self.total is not None
        return sorted(self._shrink(self.all_rows - {self.total}, frozenset({self.total}), seed))

    def _culprit(self, rows: frozenset[int]) -> int:
        """A row that some contradiction among ``rows`` needs: the last of the shortest false beginning."""
        order = [min(rows)]
        seen = set(order)
        for row in order:
            near = self.around({row}, rows, reach=1) - seen
            seen |= near
            order += sorted(near)
        low, high = 1, len(order)
        while low < high:
            middle = (low + high) // 2
            if self.solve(frozenset(order[:middle])) is None:
                high = middle
            else:
                low = middle + 1
        return order[high - 1]

    def _clash(self) -> frozenset[int]:
        """Rows that cannot all be true by the three rules; empty if those rules see nothing."""
        base = KnowledgeBase()
        try:
            for row in sorted(self.all_rows - {self.total}):
                base.tell(self.sentences[row])
        except Clash as clash:
            told = {step.sentence for step in steps_to(clash.steps) if step.rule is Rule.TOLD}
            return frozenset(row for row in self.all_rows if self.sentences[row] in told)
        return frozenset()

    def _local_core(self, rows: frozenset[int], seed: int) -> frozenset[int]:
        best = self._grown_core(rows, seed)
        for start in sorted(best - {seed}):
            best = min(best, self._grown_core(rows, start), key=len)
        return best

    def _grown_core(self, rows: frozenset[int], seed: int) -> frozenset[int]:
        """A contradiction close to ``seed``, from the nearest surroundings that hold one."""
        near = {seed}
        while self.solve(frozenset(near)) is not None:
            near = self.around(near, rows, reach=1)
        return self._shrink(frozenset(near), frozenset(), seed)

    def _shrink(self, rows: frozenset[int], needed: frozenset[int], seed: int | None) -> frozenset[int]:
        """``rows`` and ``needed`` without what the contradiction does not need, the farthest tried first.

        Rows are tried in blocks, and a block that is needed in halves, so that few trials find a few rows
        among many.
        """
        far: dict[int, int] = {}
        found: set[int] = set() if seed is None else {seed}
        while not found <= far.keys():
            far.update(dict.fromkeys(found - far.keys(), len(far)))
            found = self.around(found, rows, reach=1)
        kept = rows | needed
        blocks = [sorted(rows, key=lambda row: (far.get(row, len(rows)), row))]
        while blocks:
            block = blocks.pop()
            if block and self.solve(kept.difference(block)) is None:
                kept = kept.difference(block)
            elif len(block) > 1:
                half = len(block) // 2
                blocks += [block[:half], block[half:]]
        return kept
