"""Sentences about mines, and what follows from them by document C's three rules.

A sentence such as ``{(0,1), (1,0)} = 1`` says how many of its cells are mines. The rules are:

1. a count of 0 makes every cell safe;
2. a count equal to the number of cells makes every cell a mine;
3. where one sentence's cells lie within another's, their difference is a sentence too.

Taking a known cell out of a sentence is rule 3 with the one-cell sentence ``{cell} = 0`` or ``= 1``, so
the base applies that at once and holds sentences over unknown cells only. Whatever rule 3 gives lies
within a sentence that was told, so a number with its at most eight neighbours can never give more than
2^8 sentences; that is what keeps the base small without a cap that would make it depend on the order of
the telling. A sentence of more cells than that, such as the mine count, waits: rules 1 and 2 look at it
at all times, rule 3 only once no more than eight of its cells are unknown.
"""

import re
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NoReturn

import numpy as np

from surefoot.errors import Contradiction, FormatError

from .actions import Cell
from .observation import Observation

LARGEST: Final = 8
"""How many cells a sentence may have for rule 3 to look at it: those around a number."""
_SHOWN: Final = 12
"""How many cells of a sentence, or sentences of a message, are written before the rest is summed up."""
_TEXT: Final = re.compile(r"\{((?:\(\d+,\d+\)(?:, \(\d+,\d+\))*)?)\} = (-?\d{1,9})", re.ASCII)
_CELL: Final = re.compile(r"\((\d{1,9}),(\d{1,9})\)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Sentence:
    """``count`` of ``cells`` are mines. The count is not checked: a sentence may be false.

    >>> str(Sentence(frozenset({(1, 0), (0, 1)}), 1))
    '{(0,1), (1,0)} = 1'
    """

    cells: frozenset[Cell]
    count: int

    def __str__(self) -> str:
        return f"{{{', '.join(map(cell_text, sorted(self.cells)))}}} = {self.count}"

    def brief(self) -> str:
        """The text, with the cells of a long sentence summed up."""
        if len(self.cells) <= _SHOWN:
            return str(self)
        first = ", ".join(map(cell_text, sorted(self.cells)[:3]))
        return f"{{{first}, … {len(self.cells)} cells}} = {self.count}"

    @classmethod
    def parse(cls, text: str) -> "Sentence":
        """Read the text form.

        Raises:
            FormatError: the text is not a sentence, or names a cell twice.
        """
        match = _TEXT.fullmatch(text.strip())
        named = _CELL.findall(match[1]) if match else []
        cells = frozenset((int(row), int(col)) for row, col in named)
        if match is None or len(cells) != match[1].count("("):
            raise FormatError(
                f"not a sentence: {text.strip()[:60]!r} (expected such as {{(0,1), (1,0)}} = 1)"
            )
        return cls(cells, int(match[2]))


def cell_text(cell: Cell) -> str:
    """A cell in the document's notation: ``(row,col)``."""
    return f"({cell[0]},{cell[1]})"


class Rule(Enum):
    """Why a step holds; the value says it in words, with the numbers of its premises to fill in."""

    TOLD = "told"
    FACT = "known from the start"
    SUBSET = "take {1} from {0}"
    KNOWN = "take the known {known} from {0}"
    ALL_SAFE = "none of {0} is a mine"
    ALL_MINES = "all of {0} are mines"


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A sentence that holds, the rule that gave it, and the steps that it rests on.

    For ``SUBSET`` the premises are the larger and the smaller sentence; for ``KNOWN`` a sentence and then
    the known cells taken out of it; for ``TOLD`` there are none and ``source`` may say who told it.
    """

    sentence: Sentence
    rule: Rule
    premises: tuple["Step", ...] = ()
    source: str = ""

    def __str__(self) -> str:
        return f"{self.sentence.brief()} ({self.source or self.rule.name.lower().replace('_', ' ')})"


class Clash(Contradiction):
    """A contradiction that the rules ran into, with the ``steps`` that cannot all be true."""

    def __init__(self, message: str, steps: tuple[Step, ...]) -> None:
        super().__init__(message)
        self.steps = steps


@dataclass(slots=True)
class _Waiting:
    """A sentence of more than `LARGEST` unknown cells, and what was taken out of it so far."""

    step: Step
    cells: set[Cell]
    count: int
    taken: list[Step]

    def now(self) -> Step:
        """The sentence as it stands."""
        if not self.taken:
            return self.step
        return _without(self.step, self.taken, Sentence(frozenset(self.cells), self.count))


class KnowledgeBase:
    """Everything that follows from the sentences told, by the three rules.

    Conclusions do not depend on the order of the telling. After a `Contradiction` the base is of no
    further use.
    """

    def __init__(self) -> None:
        self._known: dict[Cell, Step] = {}
        self._held: dict[frozenset[Cell], Step] = {}
        # Every sentence stands under each of its cells, and once more under its first: the sentences that
        # contain another stand under any one of its cells, those within it under one of its cells each.
        self._containing: dict[Cell, dict[frozenset[Cell], Step]] = {}
        self._starting: dict[Cell, dict[frozenset[Cell], Step]] = {}
        self._waiting: list[_Waiting] = []
        self._fresh: deque[Cell] = deque()
        self._unpaired: deque[Step] = deque()
        self._news: list[Cell] = []

    @classmethod
    def from_observation(cls, observation: Observation) -> "KnowledgeBase":
        """The base of a position: a sentence for every number, and one for the mine count if it is known.

        Raises:
            Contradiction: the rules show that no layout explains the position.
        """
        base = cls()
        for cell, sentence in number_sentences(observation).items():
            base.tell(sentence, number_name(cell, observation))
        total = mine_count_sentence(observation)
        if total is not None:
            base.tell(total, MINE_COUNT)
        return base

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells known to be mines."""
        return frozenset(cell for cell, step in self._known.items() if step.sentence.count)

    @property
    def safes(self) -> frozenset[Cell]:
        """The cells known to be safe."""
        return frozenset(cell for cell, step in self._known.items() if not step.sentence.count)

    @property
    def sentences(self) -> list[Sentence]:
        """The unresolved sentences, over unknown cells only; none is empty, none stands twice."""
        return [step.sentence for step in self._held.values()] + [
            waiting.now().sentence for waiting in self._waiting
        ]

    def basis(self) -> list[Sentence]:
        """The unresolved sentences but for those that are the sum of two others: as much, in fewer words."""

        def is_sum(step: Step) -> bool:
            cells = step.sentence.cells
            within = (part for cell in cells for part in self._starting.get(cell, ()) if part < cells)
            return any(cells - part in self._held for part in within)

        held = [step.sentence for step in self._held.values() if not is_sum(step)]
        return held + [waiting.now().sentence for waiting in self._waiting]

    def known(self, cell: Cell) -> bool | None:
        """True for a mine, False for a safe cell, None for a cell of which nothing is known."""
        step = self._known.get(cell)
        return None if step is None else bool(step.sentence.count)

    def tell(self, sentence: Sentence, source: str = "") -> list[Cell]:
        """Add a sentence and all that follows; the answer is the cells that became known by it.

        Raises:
            Contradiction: naming the sentences told that cannot all be true.
        """
        self._enter(Step(sentence, Rule.TOLD, source=source))
        return self._run()

    def learn_safe(self, cell: Cell) -> list[Cell]:
        """Add that a cell is safe; as `tell`."""
        return self._learn(cell, 0)

    def learn_mine(self, cell: Cell) -> list[Cell]:
        """Add that a cell is a mine; as `tell`."""
        return self._learn(cell, 1)

    def proof(self, cell: Cell) -> list[Step]:
        """The steps that lead to what is known of ``cell``, each after those it rests on; empty if unknown.

        Facts learned with `learn_safe` and `learn_mine` stand among the premises and are no steps.
        """
        step = self._known.get(cell)
        return [] if step is None else steps_to([step])

    def _learn(self, cell: Cell, count: int) -> list[Cell]:
        self._conclude(Step(Sentence(frozenset((cell,)), count), Rule.FACT), cell)
        return self._run()

    def _run(self) -> list[Cell]:
        while self._fresh or self._unpaired:
            if self._fresh:
                self._spread(self._fresh.popleft())
            else:
                self._pair(self._unpaired.popleft())
        news, self._news = self._news, []
        return news

    def _enter(self, step: Step) -> None:
        """Take the known cells out of a new sentence, then apply rules 1 and 2, or hold it."""
        taken = [self._known[cell] for cell in step.sentence.cells if cell in self._known]
        if taken:
            unknown = step.sentence.cells.difference(*(known.sentence.cells for known in taken))
            count = step.sentence.count - sum(known.sentence.count for known in taken)
            step = _without(step, taken, Sentence(unknown, count))
        cells, count = step.sentence.cells, step.sentence.count
        if self._settle(step):
            return
        if len(cells) > LARGEST:
            for other in self._waiting:
                if other.cells == cells:
                    if other.count != count:
                        _clash(step, other.now())
                    return
            self._waiting.append(_Waiting(step, set(cells), count, []))
            return
        twin = self._held.get(cells)
        if twin is not None:
            if twin.sentence.count != count:
                _clash(step, twin)
            return
        self._held[cells] = step
        for cell in cells:
            self._containing.setdefault(cell, {})[cells] = step
        self._starting.setdefault(min(cells), {})[cells] = step
        self._unpaired.append(step)

    def _settle(self, step: Step) -> bool:
        """Rules 1 and 2; whether nothing is left to hold."""
        cells, count = step.sentence.cells, step.sentence.count
        if not 0 <= count <= len(cells):
            _clash(step)
        if 0 < count < len(cells):
            return False
        rule = Rule.ALL_MINES if count else Rule.ALL_SAFE
        for cell in sorted(cells):
            if len(cells) > 1:
                self._conclude(Step(Sentence(frozenset((cell,)), int(count > 0)), rule, (step,)), cell)
            else:
                self._conclude(step, cell)
        return True

    def _conclude(self, step: Step, cell: Cell) -> None:
        before = self._known.get(cell)
        if before is None:
            self._known[cell] = step
            self._fresh.append(cell)
            self._news.append(cell)
        elif before.sentence != step.sentence:
            _clash(step, before)

    def _spread(self, cell: Cell) -> None:
        """Take a cell that became known out of every sentence that holds it."""
        for step in list(self._containing.pop(cell, {}).values()):
            self._drop(step)
            self._enter(step)
        known = self._known[cell]
        for waiting in [waiting for waiting in self._waiting if cell in waiting.cells]:
            waiting.cells.remove(cell)
            waiting.count -= known.sentence.count
            waiting.taken.append(known)
            if not 0 < waiting.count < len(waiting.cells) or len(waiting.cells) <= LARGEST:
                self._waiting.remove(waiting)
                self._enter(waiting.now())

    def _drop(self, step: Step) -> None:
        cells = step.sentence.cells
        del self._held[cells]
        for cell in cells:
            if cell in self._containing:
                self._containing[cell].pop(cells, None)
        del self._starting[min(cells)][cells]

    def _pair(self, step: Step) -> None:
        """Rule 3, between one sentence and all that are held."""
        cells = step.sentence.cells
        if self._held.get(cells) is not step:
            return
        within = [other for cell in cells for other in self._starting.get(cell, {}).values()]
        around = list(min((self._containing[cell] for cell in cells), key=len).values())
        for other in within:
            if other.sentence.cells < cells:
                self._subtract(step, other)
        for other in around:
            if cells < other.sentence.cells:
                self._subtract(other, step)

    def _subtract(self, large: Step, small: Step) -> None:
        cells = large.sentence.cells - small.sentence.cells
        count = large.sentence.count - small.sentence.count
        twin = self._held.get(cells)
        if twin is None or twin.sentence.count != count:
            self._enter(Step(Sentence(cells, count), Rule.SUBSET, (large, small)))


def _without(step: Step, taken: Iterable[Step], rest: Sentence) -> Step:
    """``step`` with known cells taken out, told as one step even when they went one after another."""
    earlier = step.premises if step.rule is Rule.KNOWN else (step,)
    return Step(rest, Rule.KNOWN, (*earlier, *taken))


def _clash(*steps: Step) -> NoReturn:
    told = [step for step in steps_to(steps, facts=True) if step.rule in (Rule.TOLD, Rule.FACT)]
    names = [f"{step.sentence.brief()}{f' ({step.source})' if step.source else ''}" for step in told]
    if len(names) == 1:
        raise Clash(f"{names[0]} cannot be", steps)
    raise Clash(f"{listing(names)} contradict each other", steps)


def listing(names: Sequence[str], last: str | None = None) -> str:
    """Several names in one phrase, such as "a, b and c".

    The tail of a long list is summed up, but for a name given as ``last``.
    """
    if len(names) > _SHOWN:
        names = [*names[: _SHOWN - 1], f"{len(names) - _SHOWN + 1} more"]
    if last is not None:
        names = [*names, last]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def steps_to(ends: Iterable[Step], *, facts: bool = False) -> list[Step]:
    """All steps that ``ends`` rest on and themselves, each after its premises; facts only if asked for."""
    order: list[Step] = []
    seen: set[int] = set()
    ends = tuple(ends)
    stack = [(step, False) for step in reversed(ends)]
    while stack:
        step, ready = stack.pop()
        if ready:
            if facts or step.rule is not Rule.FACT or step in ends:
                order.append(step)
        elif id(step) not in seen:
            seen.add(id(step))
            stack.append((step, True))
            stack.extend((premise, False) for premise in reversed(step.premises))
    return order


def chain(steps: Sequence[Step]) -> list[str]:
    """Steps as numbered lines in the document's notation, a premise named by its number.

    Cells that the same sentence settles one after another share a line.
    """
    numbers: dict[int, int] = {}
    lines: list[str] = []
    place = 0
    while place < len(steps):
        step = steps[place]
        alike = [step]
        if step.rule in (Rule.ALL_SAFE, Rule.ALL_MINES):
            for other in steps[place + 1 :]:
                if (other.rule, *other.premises) != (step.rule, *step.premises):
                    break
                alike.append(other)
        place += len(alike)
        names = [str(numbers.get(id(premise), "what is known")) for premise in step.premises]
        known = _together(step.premises[1:])
        why = step.source or step.rule.value.format(*names, known=known.brief())
        numbers.update((id(one), len(lines) + 1) for one in alike)
        lines.append(f"{len(lines) + 1}. {why}: {_together(alike).brief()}")
    return lines


def _together(steps: Sequence[Step]) -> Sentence:
    """The sum of sentences that share no cell."""
    cells = frozenset[Cell]().union(*(step.sentence.cells for step in steps))
    return Sentence(cells, sum(step.sentence.count for step in steps))


MINE_COUNT: Final = "the mine count"
"""The source of the sentence that says how many mines the hidden cells hold."""


def number_sentences(observation: Observation) -> dict[Cell, Sentence]:
    """What each open number says of the hidden cells around it, flagged ones included.

    A number with nothing hidden around it is left out, unless it should have something.
    """
    cells = observation.cells
    sentences = {}
    for row, col in np.argwhere(cells >= 0).tolist():
        hidden = frozenset(near for near in observation.neighbours((row, col)) if cells[near] < 0)
        if hidden or cells[row, col]:
            sentences[row, col] = Sentence(hidden, int(cells[row, col]))
    return sentences


def number_name(cell: Cell, observation: Observation) -> str:
    """An open number in words: ``the 2 at (0,3)``."""
    return f"the {observation.cells[cell]} at {cell_text(cell)}"


def mine_count_sentence(observation: Observation) -> Sentence | None:
    """What the mine count says of all hidden cells, or None when it is not known."""
    if observation.mines is None:
        return None
    hidden = frozenset((row, col) for row, col in np.argwhere(observation.hidden).tolist())
    return Sentence(hidden, observation.mines)
