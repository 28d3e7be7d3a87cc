"""``surefoot risk play``: people at this terminal and agents at one table, with the odds at hand."""

import time
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError, IllegalAction, TooComplex

from .output import announce_kernels
from .risk import MapOption, RulesOption, SeedOption
from .screens import land, map_table, player

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from surefoot.risk.actions import Action
    from surefoot.risk.bulk import RiskAgent
    from surefoot.risk.events import Event
    from surefoot.risk.game import Game

HUMAN = "human"
_MOST_ODDS = 12
_HELP = """\
claim TERRITORY                  take a free territory, or name your capital
draft TERRITORY ARMIES           place armies
trade CARD CARD CARD [on LAND]   hand in a set; the bonus goes on a territory of yours on one of the cards
attack FROM TO ARMIES            fight until it is decided; add 'until N' or 'roll' to stop earlier
occupy ARMIES                    how many move into what you took
fortify FROM TO ARMIES           move once, and end the turn
end                              end the turn
map, odds, hint, help            show the map, your attacks, an agent's advice, or this
q                                quit; the record is kept"""


def play(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PLAYER]...",
            help="Two to six, by seat: human, or an agent; 'human continent' if not given.",
        ),
    ] = None,
    worldmap: MapOption = "classic",
    rules: RulesOption = "standard",
    seed: SeedOption = 0,
    record: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the record goes; risk-TIME.txt if not given."),
    ] = None,
) -> None:
    """Play at this terminal, against agents or each other, with advice from the odds."""
    from rich.console import Console

    from surefoot.risk.rules import Rules
    from surefoot.risk.worldmap import load
    from surefoot.spec import parse

    names = players or [HUMAN, "continent"]
    specs = [None if name == HUMAN else parse(name, "risk") for name in names]
    switches, world = Rules.parse(rules), load(worldmap)
    switches.check(len(names), len(world.territories))
    path = Path(time.strftime("risk-%Y%m%d-%H%M%S.txt")) if record is None else record
    if path.exists():
        raise FormatError(f"--record {path}: there is such a file already; it is left as it is")
    announce_kernels()

    import numpy as np

    from surefoot.arena.play import try_to_make
    from surefoot.risk.bulk import Match
    from surefoot.risk.game import Game

    words = Match(world, switches, len(names), seed, False).words(0)[1:]
    agents: list[Any] = [
        None if spec is None else try_to_make(spec, int(word)) for spec, word in zip(specs, words)
    ]
    game = Game(world, switches, len(names), rng=np.random.default_rng([seed, 0]))
    table = _Table(Console(highlight=False), game, names, agents)
    try:
        table.play()
    finally:
        table.save(path)


class _Quit(Exception):
    """Somebody had enough."""


class _Table:
    """A game, who sits around it, and the screen that shows it."""

    def __init__(
        self,
        console: "Console",
        game: "Game",
        names: Sequence[str],
        agents: "Sequence[RiskAgent | None]",
    ) -> None:
        self.console = console
        self.names = names
        self.agents = agents
        self.game = game

    def play(self) -> None:
        """Play until the game is over or somebody quits."""
        self.console.print("Risk. Type 'help' for what you can say, 'q' to quit.")
        self.show_map(self._watcher())
        before = None
        try:
            while not self.game.over:
                if (self.game.round, self.game.turn) != before:
                    before = self.game.round, self.game.turn
                    self.console.print(f"round {before[0]}, ", self._player(before[1]), sep="")
                agent = self.agents[self.game.turn]
                action = self._ask() if agent is None else self._consult(agent)
                self._do(action)
        except _Quit:
            self.console.print("Until next time.")
            return
        winner = self.game.winner
        if winner is None:
            self.console.print("The last round is over, and nobody has won.")
        else:
            self.console.print(self._player(winner), " has won.", sep="")

    def save(self, path: Path) -> None:
        """Write the record of the game, however far it came."""
        from surefoot.risk.record import Record

        names = {f"Seat{seat}": name for seat, name in enumerate(self.names)}
        path.write_text(str(Record.of(self.game, headers=names)), encoding="utf-8")
        self.console.print(f"The record is in {path}", soft_wrap=True)

    def _watcher(self) -> int:
        """Whose eyes the screen has: the human's whose turn it is, or else the first one's."""
        if self.agents[self.game.turn] is None or None not in self.agents:
            return self.game.turn
        return self.agents.index(None)

    def _consult(self, agent: "RiskAgent") -> "Action":
        from surefoot.arena.play import stdout_kept_clean
        from surefoot.risk.bulk import as_action
        from surefoot.spec import last_line

        name = self.names[self.game.turn]
        try:
            with stdout_kept_clean():
                action = as_action(agent.act(self.game.observation()))
        except (Exception, SystemExit) as error:
            raise FormatError(f"agent {name}: {last_line(error)}") from error
        broken = self.game.broken_rule(action)
        if broken is not None:
            raise FormatError(f"agent {name} wants to {action}, but {broken}")
        return action

    def _do(self, action: "Action") -> None:
        """Play a legal action and say what came of it, as far as it is seen here."""
        from surefoot.risk.actions import to_text

        seat = self.game.turn
        shown = not self.game.rules.fog or self.agents[seat] is None
        brought = self.game.play(action)
        if shown:
            chance = self._told(brought, own=self.agents[seat] is None)
            self.console.print(
                "  ", self._player(seat), f"  {to_text(action, self.game.worldmap)}{chance}", sep=""
            )

    def _told(self, brought: "Sequence[Event]", *, own: bool) -> str:
        from surefoot.risk import events

        # Another's card is nobody's business.
        words = [
            "a card"
            if isinstance(event, events.Drawn) and not own
            else events.to_text(event, self.game.worldmap)
            for event in brought
        ]
        return f" = {' '.join(words)}" if words else ""

    def _ask(self) -> "Action":
        """A legal action from the human; every fault is explained, and asked again."""
        from surefoot.risk.actions import parse

        self._show_task()
        while True:
            try:
                line = " ".join(self.console.input(f"{self.game.turn}> ").split())
            except EOFError:
                raise _Quit from None
            if line in ("q", "quit"):
                raise _Quit
            try:
                if not self._answer(line):
                    action = parse(line, self.game.worldmap)
                    broken = self.game.broken_rule(action)
                    if broken is not None:
                        raise IllegalAction(f"that is against the rules: {broken}")
                    return action
            except (FormatError, IllegalAction, TooComplex) as error:
                self.console.print(f"{error}{self._meant(line)}", style="red", markup=False)

    def _answer(self, line: str) -> bool:
        """Show what was asked for; whether anything was."""
        if line in ("", "map"):
            self.show_map(self.game.turn)
        elif line == "odds":
            self.show_odds(None)
        elif line == "hint":
            self._hint()
        elif line == "help":
            self.console.print(_HELP, markup=False)
        else:
            return False
        return True

    def _meant(self, line: str) -> str:
        """Territories whose names are near to what was typed."""
        from surefoot.risk.worldmap import key

        keys = [key(land.name) for land in self.game.worldmap.territories]
        words = [word for word in line.split()[1:] if not word.isdecimal() and word not in keys]
        near = [found for word in words for found in get_close_matches(word, keys, n=1)]
        return f"; did you mean {' and '.join(near)}?" if near else ""

    def _hint(self) -> None:
        from surefoot.risk.actions import to_text
        from surefoot.risk.agents import STRONGEST
        from surefoot.risk.analysis import ask
        from surefoot.spec import parse

        advice = ask(self.game.observation(), parse(STRONGEST, "risk").make(0))
        self.console.print(f"  {to_text(advice.action, self.game.worldmap)}: {advice.why}", markup=False)

    def _show_task(self) -> None:
        """What is to be done now."""
        from surefoot.risk.situation import Phase

        game = self.game
        if game.hand(game.turn):
            cards = [
                f"{game.worldmap.card_key(card)} ({game.worldmap.card_kind(card)})"
                for card in game.hand(game.turn)
            ]
            self.console.print(f"  your cards: {', '.join(cards)}", markup=False)
        match game.phase:
            case Phase.DRAFT | Phase.SETUP:
                first = "trade a set; then " if game.must_trade else ""
                armies = "1 army" if game.to_place == 1 else f"{game.to_place} armies"
                self.console.print(f"  {first}place {armies}")
            case Phase.ATTACK:
                self.show_odds(_MOST_ODDS)
            case Phase.OCCUPY:
                least, most = game.occupation or (0, 0)
                self.console.print(f"  taken; {least} to {most} armies move in")
            case Phase.CLAIM:
                self.console.print("  claim a free territory")
            case Phase.CAPITAL:
                self.console.print("  claim your capital")

    def show_odds(self, most: int | None) -> None:
        """The attacks of the seat to move, the surest first."""
        from rich.table import Table

        from surefoot.risk.analysis import attacks

        seen = self.game.observation()
        chances = attacks(seen)
        table = Table(box=None, padding=(0, 1))
        for column in ("attack", "to", "fight", "v", "wins", "left"):
            table.add_column(column, justify="right" if column in ("fight", "v", "wins", "left") else "left")
        for chance in chances[:most]:
            table.add_row(
                land(seen, chance.source, armies=False),
                land(seen, chance.target, armies=False),
                str(chance.attackers),
                str(chance.defenders),
                f"{100 * chance.win:.1f} %",
                f"{chance.left:.1f}",
                style="bold" if chance.win >= 0.5 else "dim",
            )
        self.console.print(table if chances else "  no attack is possible")
        if most is not None and len(chances) > most:
            self.console.print(f"  and {len(chances) - most} more: odds")

    def show_map(self, seat: int) -> None:
        """The map as ``seat`` sees it, by continent."""
        seen = self.game.observation(seat)
        self.console.print(map_table(seen))
        for place in range(seen.players):
            if seen.alive[place]:
                counts = f"  {seen.territory_counts[place]} territories, {seen.army_counts[place]} armies"
                self.console.print("  ", self._player(place), counts, sep="")

    def _player(self, seat: int) -> "Text":
        return player(seat, self.names[seat])
