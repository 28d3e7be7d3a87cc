"""One game of a run, played again from its seed: what happened in it, and whether it ends as it did.

A store keeps what came of a game, not its moves. Agents that are the same for the same seed play the same
game again; one that is not, or whose time was up, may play another, and then that is said.
"""

import json
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import FormatError
from surefoot.minesweeper import bulk as minesweeper_bulk
from surefoot.minesweeper.game import Game as MinesweeperGame
from surefoot.minesweeper.record import Record as MinesweeperRecord
from surefoot.risk import bulk as risk_bulk
from surefoot.risk.game import Game as RiskGame
from surefoot.risk.record import Record as RiskRecord
from surefoot.spec import last_line

from .pieces import ENDS, OUTCOMES, Rows, is_foreign
from .play import each_closed, pool, stdout_kept_clean
from .store import Store
from .study import Contest, Study

Figures = dict[str, int | str | bool | None]
"""What came of a game, under the names of things that have to be the same when it is played again."""


class Seat(NamedTuple):
    """Who sat where, and what the game was for it, a word of `pieces.OUTCOMES`."""

    agent: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Retold:
    """A game of a run, played again.

    Args:
        run: the run's id.
        game: the game's number in it.
        seats: the agents, by seat; in Minesweeper one.
        record: the moves, or None if no cell of Minesweeper was opened, so that there is nothing to show.
        stored: what came of the game when the run was played.
        again: what came of it now.
        changed: whether the version of Surefoot, the map or a file of an agent is another now.
        warnings: an exception of an agent, in one line each.
    """

    run: str
    game: int
    seats: tuple[Seat, ...]
    record: MinesweeperRecord | RiskRecord | None
    stored: Figures
    again: Figures
    changed: bool
    warnings: tuple[str, ...]

    @property
    def differences(self) -> list[str]:
        """What did not come out as stored, such as ``moves: 31, stored 29``; empty if all did."""
        return [
            f"{name}: {value}, stored {self.stored[name]}"
            for name, value in self.again.items()
            if value != self.stored[name]
        ]

    def as_dict(self) -> dict[str, Any]:
        """The same under its names, ready for JSON; the record is its text."""
        return {
            "run": self.run,
            "game": self.game,
            "seats": [seat._asdict() for seat in self.seats],
            "same": not self.differences,
            "stored": self.stored,
            "again": self.again,
            "record": None if self.record is None else str(self.record),
            "warnings": list(self.warnings),
        }


def retell(store: Store, run: str, game: int, agent: str | None = None) -> Retold:
    """Play a game of a run again. Agents that are not ours play in a process of their own.

    Args:
        run: the run's whole id.
        game: the game's number in the run.
        agent: in Minesweeper, whose game is meant, if the world was played by more than one.

    Raises:
        FormatError: there is no such run, game or agent, the game has not been played yet, an agent cannot be
            loaded, or it has ended the process that played.
    """
    study = Study.make(json.loads(store.study(run).model_dump_json(exclude={"store"})))
    contest = _contest(study, game, agent)
    rows = _rows(store, run, game, contest)
    task = _Task(study, contest, game - contest.first)
    with stdout_kept_clean():
        foreign = [str(study.specs[place]) for place in contest.agents if is_foreign(study.specs[place])]
    if foreign:
        try:
            with pool(1) as executor:
                told = executor.submit(_play, task).result()
        except BrokenExecutor:
            raise FormatError(
                f"game {game}: an agent has ended the process that played it ({' or '.join(foreign)})"
            ) from None
    else:
        told = _play(task)
    seats = tuple(
        Seat(study.agents[place], OUTCOMES[outcome])
        for place, outcome in zip(rows.agent.tolist(), rows.outcome.tolist())
    )
    return Retold(
        run=run,
        game=game,
        seats=seats,
        record=told.record,
        stored=_stored(study, rows),
        again=told.figures,
        changed=study.run != run,
        warnings=told.warnings,
    )


def _contest(study: Study, game: int, agent: str | None) -> Contest:
    """Whose game is meant.

    Raises:
        FormatError: there is no such game or agent, or more than one agent that could be meant.
    """
    found = [each for each in study.contests if each.first <= game < each.first + each.games]
    if not found:
        last = max(each.first + each.games for each in study.contests) - 1
        raise FormatError(f"there is no game {game}: the run's are 0 to {last}")
    if study.game == "risk":
        if agent is not None:
            raise FormatError(f"game {game}: an agent is named for Minesweeper alone; this game has several")
        return found[0]
    names = ", ".join(study.agents)
    if agent is None and len(found) > 1:
        raise FormatError(f"world {game} is played by every agent; name one of: {names}")
    if agent is not None and agent not in study.agents:
        raise FormatError(f"no agent {agent[:60]!r} in this run (its agents: {names})")
    return found[0 if agent is None else study.agents.index(agent)]


def _rows(store: Store, run: str, game: int, contest: Contest) -> Rows:
    """What is stored of a game.

    Raises:
        FormatError: nothing yet.
    """
    for rows in store.results(run, game):
        mine = np.isin(rows.agent, contest.agents)
        if mine.any():
            return Rows(*(column[mine] for column in rows))
    raise FormatError(f"game {game} has not been played yet; 'surefoot arena resume {run}' goes on")


def _stored(study: Study, rows: Rows) -> Figures:
    won = rows.agent[rows.outcome == OUTCOMES.index("won")].tolist()
    end = ENDS[int(rows.end[0])]
    if study.game == "minesweeper":
        return {"won": bool(won), "end": end, "moves": int(rows.moves[0]), "score": int(rows.score[0])}
    return {
        "winner": study.agents[won[0]] if won else None,
        "end": end,
        "turns": int(rows.moves[0]),
        "rounds": int(rows.rounds[0]),
    }


class _Task(NamedTuple):
    """Which game: its number within a contest of a study."""

    study: Study
    contest: Contest
    number: int


class _Told(NamedTuple):
    """What came of it."""

    record: MinesweeperRecord | RiskRecord | None
    figures: Figures
    warnings: tuple[str, ...]


def _play(task: _Task) -> _Told:
    with stdout_kept_clean():
        return _minesweeper(task) if task.study.game == "minesweeper" else _risk(task)


def _minesweeper(task: _Task) -> _Told:
    study = task.study
    (agent,) = task.contest.agents
    level, rules = study.board
    played: list[MinesweeperGame] = []
    warnings: list[str] = []
    with each_closed(study.specs[agent].make) as factory:
        table = minesweeper_bulk.play_games(
            factory,
            level,
            rules,
            study.seed,
            task.number,
            1,
            on_error=lambda _, error: warnings.append(f"{study.agents[agent]}: {last_line(error)}"),
            on_game=lambda _, game: played.append(game),
        )
    (game,) = played
    notes = {len(game.actions): "\n".join(warnings)} if warnings else {}
    headers = {"Agent": study.agents[agent], "Run": study.run, "World": str(task.number)}
    try:
        record = MinesweeperRecord.of(game, notes=notes, headers=headers)
    except ValueError:  # no cell was opened, so that no mines were laid
        record = None
    figures: Figures = {
        "won": bool(table.won[0]),
        "end": minesweeper_bulk.end_name(int(table.end[0])),
        "moves": int(table.moves[0]),
        "score": int(table.score[0]),
    }
    return _Told(record, figures, tuple(warnings))


def _risk(task: _Task) -> _Told:
    study, agents = task.study, task.contest.agents
    match = risk_bulk.Match(study.worldmap, study.risk_rules, len(agents), study.seed, paired=True)
    names = [study.agents[agent] for agent in agents]
    played: list[RiskGame] = []
    warnings: list[str] = []
    with ExitStack() as stack:
        table = risk_bulk.play_games(
            match,
            [stack.enter_context(each_closed(study.specs[agent].make)) for agent in agents],
            task.number,
            1,
            on_error=lambda _, agent, error: warnings.append(f"{names[agent]}: {last_line(error)}"),
            on_game=lambda _, game: played.append(game),
        )
    (game,) = played
    seats = {f"Seat{seat}": names[agent] for seat, agent in enumerate(match.seating(task.number))}
    headers = seats | {"Run": study.run, "Number": str(task.contest.first + task.number)}
    winner = int(table.winner[0])
    figures: Figures = {
        "winner": None if winner == risk_bulk.NOBODY else names[winner],
        "end": risk_bulk.End(int(table.end[0])).name.lower(),
        "turns": int(table.turns[0]),
        "rounds": int(table.rounds[0]),
    }
    return _Told(RiskRecord.of(game, headers=headers), figures, tuple(warnings))
