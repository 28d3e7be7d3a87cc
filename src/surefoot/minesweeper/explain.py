"""Why a cell is safe or a mine, in steps small enough to follow by eye."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Any

from surefoot.errors import FormatError, TooComplex

from .actions import Cell
from .consistency import is_consistent, refuse_contradiction, smallest_contradiction
from .guess import find_dead
from .knowledge import (
    MINE_COUNT,
    Clash,
    KnowledgeBase,
    Rule,
    Sentence,
    Step,
    cell_text,
    chain,
    listing,
    mine_count_sentence,
    number_name,
    number_sentences,
    steps_to,
)
from .observation import Observation
from .probability import mine_probabilities
from .tosses import Toss, find_tosses


class Verdict(Enum):
    """What is proved of a cell; the value is its name in JSON."""

    SAFE = "safe"
    MINE = "mine"
    NOT_PROVED = "not proved"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Guess:
    """What it would be to open a cell of which nothing is proved.

    Args:
        risk: the probability that it is a mine.
        dead: whether it shows one number only if it is safe, so that opening it tells nothing else.
        toss: the costliest toss that it is one of the cells of, if there is one.
    """

    risk: float
    dead: bool
    toss: Toss | None

    def in_words(self) -> Iterator[str]:
        """A sentence a line."""
        yield f"It is a mine in {self.risk:.1%} of all layouts that agree with the position."
        if self.toss is not None:
            yield f"It is one of {self.toss.in_words()}."
        if self.dead and not (self.toss and self.toss.unavoidable):
            yield "If it is safe it shows one number only: opening it tells nothing else, so it can wait."


_OPPOSITE = "supposed for the sake of argument"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A verdict on a cell, and its proof.

    Args:
        cell: the cell asked about.
        verdict: what is proved of it.
        number: what it shows, if it is open.
        steps: by the three rules, from sentences of the position to the verdict; or, if there is a
            ``supposition``, from it and the ``premises`` as far as the rules lead, which is to a
            contradiction unless more than one case has to be tried.
        premises: the sentences of the position that the proof uses, and where each comes from. None can
            be spared.
        supposition: the opposite of the verdict, which the premises leave no room for; None if the three
            rules reach the verdict themselves.
        clash: whether the steps end in sentences that contradict each other.
        mine_count: whether the mine count is among the premises.
        mines_known: whether the position tells the mine count at all.
        guess: what it would be to open it all the same, if nothing is proved and that can be counted.
    """

    cell: Cell
    verdict: Verdict
    number: int | None = None
    steps: tuple[Step, ...] = ()
    premises: tuple[Step, ...] = ()
    supposition: Sentence | None = None
    clash: bool = False
    mine_count: bool = False
    mines_known: bool = True
    guess: Guess | None = None

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        name = cell_text(self.cell)
        if self.verdict is Verdict.OPEN:
            yield f"{name} is open and shows {self.number}."
            return
        if self.verdict is Verdict.NOT_PROVED:
            yield f"{name} is not proved: it may be a mine, and it may be safe."
            if not self.mines_known:
                yield "The mine count is not known; it might tell."
            if self.guess is not None:
                yield from self.guess.in_words()
            return
        yield f"{name} is {'a mine' if self.verdict is Verdict.MINE else 'safe'}."
        if self.supposition is None:
            yield from chain(self.steps)
        else:
            opposite = "safe" if self.verdict is Verdict.MINE else "a mine"
            yield f"These leave no other possibility; suppose that {name} were {opposite}:"
            yield from chain(self.steps)
            if self.clash:
                yield "That cannot be."
            else:
                yield "However the mines are placed, one of these sentences is false."
        if self.mine_count:
            yield f"This needs {MINE_COUNT}; the numbers alone do not prove it."

    def as_dict(self) -> dict[str, Any]:
        """The explanation as plain JSON values.

        Steps name their premises by 0-based position, and in their texts as people count, from 1. The cells
        of a sentence stand beside its text, in row-major order.
        """
        places = {id(step): place for place, step in enumerate(self.steps)}
        return {
            "cell": list(self.cell),
            "verdict": self.verdict.value,
            "number": self.number,
            "method": self._method(),
            "mine_count": self.mine_count,
            "guess": None
            if self.guess is None
            else {
                "risk": self.guess.risk,
                "dead": self.guess.dead,
                "toss": None if self.guess.toss is None else self.guess.toss.as_dict(),
            },
            "premises": [_as_dict(step.sentence) | {"source": step.source} for step in self.premises],
            "supposition": None if self.supposition is None else str(self.supposition),
            "steps": [
                _as_dict(step.sentence)
                | {
                    "rule": step.rule.name.lower(),
                    "from": [places[id(premise)] for premise in step.premises],
                    "text": _in_words(step, [str(places[id(premise)] + 1) for premise in step.premises]),
                }
                for step in self.steps
            ],
            "text": str(self),
        }

    def _method(self) -> str | None:
        if not self.steps:
            return None
        return "sentences" if self.supposition is None else "contradiction"


def explain(observation: Observation, cell: Cell) -> Explanation:
    """What is proved of ``cell``, and why.

    The three rules are tried first, then whether the opposite contradicts a few sentences; both on the
    numbers alone, and only then with the mine count.

    Raises:
        FormatError: there is no such cell.
        Contradiction: no layout explains the position; the message names numbers that contradict each other.
        TooComplex: the search for a proof would take too long; the message names what is too large.
    """
    row, col = cell
    if not (0 <= row < observation.height and 0 <= col < observation.width):
        raise FormatError(f"there is no cell {row},{col} on a {observation.width}x{observation.height} board")
    if observation.cells[cell] >= 0:
        return Explanation(cell, Verdict.OPEN, number=int(observation.cells[cell]))
    with suppress(TooComplex):  # a proof nearby may be simple all the same
        refuse_contradiction(observation)
    sources: dict[Sentence, str] = {}
    for number, sentence in number_sentences(observation).items():
        sources.setdefault(sentence, number_name(number, observation))
    linked = _linked(sources, cell)
    found = _by_rules(cell, linked, sources) or _by_contradiction(cell, linked, sources)
    total = mine_count_sentence(observation)
    if found is None and total is not None:
        sources.setdefault(total, MINE_COUNT)
        everything = [*sources]
        found = _by_rules(cell, everything, sources) or _by_contradiction(cell, everything, sources)
    if found is not None:
        return found
    return Explanation(
        cell, Verdict.NOT_PROVED, mines_known=total is not None, guess=_guess(observation, cell)
    )


def _guess(observation: Observation, cell: Cell) -> Guess | None:
    with suppress(TooComplex):
        risk = float(mine_probabilities(observation)[cell])
        dead = cell in find_dead(observation)
        tosses = find_tosses(observation)
        return Guess(risk, dead, next((toss for toss in tosses if cell in toss.cells), None))
    return None


def _linked(sentences: Iterable[Sentence], cell: Cell) -> list[Sentence]:
    """The sentences that are linked with ``cell`` by shared cells, the nearest first."""
    holding: dict[Cell, list[Sentence]] = {}
    for sentence in sentences:
        for one in sentence.cells:
            holding.setdefault(one, []).append(sentence)
    found = dict.fromkeys(holding.get(cell, ()))
    queue = list(found)
    for sentence in queue:
        near = dict.fromkeys(near for one in sorted(sentence.cells) for near in holding[one])
        queue += [one for one in near if one not in found]
        found.update(near)
    return queue


def _by_rules(cell: Cell, sentences: Iterable[Sentence], sources: dict[Sentence, str]) -> Explanation | None:
    """A proof by the three rules from as few sentences as that takes."""
    proof = _proof(cell, sentences, sources)
    if not proof:
        return None
    kept = _told(proof)
    for sentence in [step.sentence for step in reversed(kept)]:
        fewer = _proof(cell, [step.sentence for step in kept if step.sentence != sentence], sources)
        if fewer:
            proof, kept = fewer, _told(fewer)
    verdict = Verdict.MINE if proof[-1].sentence.count else Verdict.SAFE
    return Explanation(cell, verdict, steps=tuple(proof), premises=kept, mine_count=_counts(kept))


def _proof(cell: Cell, sentences: Iterable[Sentence], sources: dict[Sentence, str]) -> list[Step]:
    base = KnowledgeBase()
    for sentence in sentences:
        base.tell(sentence, sources[sentence])
        if base.known(cell) is not None:
            return base.proof(cell)
    return []


def _by_contradiction(
    cell: Cell, sentences: list[Sentence], sources: dict[Sentence, str]
) -> Explanation | None:
    """A proof that some few sentences leave no room for the opposite."""
    for verdict in (Verdict.SAFE, Verdict.MINE):
        supposition = Sentence(frozenset((cell,)), int(verdict is Verdict.SAFE))
        if is_consistent([*sentences, supposition]):
            continue
        core = smallest_contradiction([*sentences, supposition], supposition)
        base = KnowledgeBase()
        steps: list[Step] = []
        clash = False
        try:
            for sentence in core:
                if sentence != supposition:
                    base.tell(sentence, sources[sentence])
            base.tell(supposition, _OPPOSITE)
        except Clash as found:
            steps, clash = steps_to(found.steps), True
        else:
            steps = [Step(sentence, Rule.TOLD, source=sources.get(sentence, _OPPOSITE)) for sentence in core]
        premises = tuple(step for step in _told(steps) if step.sentence != supposition)
        return Explanation(
            cell,
            verdict,
            steps=tuple(steps),
            premises=premises,
            supposition=supposition,
            clash=clash,
            mine_count=_counts(premises),
        )
    return None


def _as_dict(sentence: Sentence) -> dict[str, Any]:
    return {
        "sentence": str(sentence),
        "cells": [list(cell) for cell in sorted(sentence.cells)],
        "count": sentence.count,
    }


def _in_words(step: Step, names: list[str]) -> str:
    """Why a step holds and what it says, its premises called by their names."""
    known = listing(names[1:]) if len(names) > 1 else ""
    why = step.source or step.rule.value.format(*names, known=known)
    return f"{why}: {step.sentence.brief()}"


def _told(steps: Iterable[Step]) -> tuple[Step, ...]:
    return tuple(step for step in steps if step.rule is Rule.TOLD)


def _counts(premises: Iterable[Step]) -> bool:
    return any(step.source == MINE_COUNT for step in premises)
