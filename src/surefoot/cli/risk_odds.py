"""``surefoot risk odds``: the odds of a battle or a campaign, and how many armies a chance takes."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from surefoot.errors import FormatError

from .output import announce_kernels, print_json

if TYPE_CHECKING:
    from surefoot.risk.battle import Campaign, Odds

_ROWS = 20
"""The most lines of a table; more numbers of armies than that are shown in ranges."""
_SHOWN = 5e-5
"""A number of armies less likely than this at either end of a table is not shown."""


def odds(
    attackers: Annotated[
        int, typer.Argument(min=1, metavar="ATTACKERS", help="Armies that can fight: the stack less one.")
    ],
    defenders: Annotated[
        int | None, typer.Argument(min=1, metavar="DEFENDERS", help="Armies of the one territory attacked.")
    ] = None,
    path: Annotated[
        str | None,
        typer.Option(metavar="D,D,...", help="Defenders of one territory after another, instead of one."),
    ] = None,
    attack_dice: Annotated[
        int | None, typer.Option(metavar="1-3", help="The attacker's dice at the most; 3 unless given.")
    ] = None,
    defence_dice: Annotated[
        int | None, typer.Option(metavar="1-3", help="The defender's dice at the most; 2 unless given.")
    ] = None,
    coin: Annotated[bool, typer.Option("--coin", help="A fair coin for each army, instead of dice.")] = False,
    until: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Stop attacking when N of the attackers are left, or fewer."),
    ] = 0,
    chance: Annotated[
        float | None,
        typer.Option(metavar="P", help="Tell too how many attackers win with this chance, such as .75."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Tell the chance to win a battle, or a march along a path, and what is left after it."""
    from surefoot.risk.battle import armies_needed, battle, campaign
    from surefoot.risk.dice import COIN, STANDARD, Dice

    defended = _defended(defenders, path)
    if until >= attackers:
        raise FormatError(f"--until {until}: {attackers} attackers would not attack at all")
    usual = COIN if coin else STANDARD
    dice = Dice(
        usual.attack if attack_dice is None else attack_dice,
        usual.defence if defence_dice is None else defence_dice,
        usual.battles,
    )
    announce_kernels()
    needed = None if chance is None else armies_needed(chance, defended, dice=dice, until=until)
    answer: dict[str, Any] = {
        "attackers": attackers,
        "defenders": defended,
        "battles": dice.battles,
        "attack_dice": dice.attack,
        "defence_dice": dice.defence,
        "until": until,
    }
    if path is None:
        fought = battle(attackers, defended[0], dice=dice, until=until)
        won = [0.0] * (until + 1) + list(fought.attackers[until + 1 :])
        answer |= {"win": fought.win, "mean_left": _mean(won)}
        answer |= {"survivors": fought.attackers, "defenders_left": fought.defenders}
        lines = _battle_told(fought, won)
    else:
        marched = campaign(attackers, defended, dice=dice, until=until)
        won = [0.0, *marched.left[1:]]
        answer |= {"win": marched.win, "mean_left": _mean(won)}
        answer |= {"survivors": marched.left, "taken": marched.taken}
        lines = _campaign_told(marched, won)
    if chance is not None:
        answer |= {"chance": chance, "armies_needed": needed}
        lines.insert(1, f"needed   {needed} armies for a chance of {100 * chance:g} %")
    if as_json:
        print_json(answer)
    else:
        armies = "1 army" if attackers == 1 else f"{attackers} armies"
        title = f"{armies} that can fight against {', then '.join(map(str, defended))}"
        typer.echo("\n".join([title, *lines]))


def _defended(defenders: int | None, path: str | None) -> list[int]:
    if (defenders is None) == (path is None):
        raise FormatError(
            "give either DEFENDERS or --path, such as: risk odds 8 5, risk odds 20 --path 3,4,2"
        )
    if path is None:
        assert defenders is not None
        return [defenders]
    if re.fullmatch(r"\d{1,6}(,\d{1,6})*", path, re.ASCII) is None:
        raise FormatError(f"--path is numbers of defenders such as 3,4,2, not {path[:40]!r}")
    return [int(number) for number in path.split(",")]


def _battle_told(fought: "Odds[float]", won: Sequence[float]) -> list[str]:
    lost = [0.0, *fought.defenders[1:]]
    return [
        f"taken    {_percent(fought.win)}",
        *_left(won),
        *_table("attackers left, when it is taken", won),
        *_table("defenders left, when it is not", lost),
    ]


def _campaign_told(marched: "Campaign[float]", won: Sequence[float]) -> list[str]:
    count = len(marched.taken) - 1
    return [
        f"all {count:<4} {_percent(marched.win)}",
        *(f"first {n:<2} {_percent(marched.taken[n])}" for n in range(count - 1, 0, -1)),
        *_left(won),
        *_table("armies in the last territory, when all are taken", won),
    ]


def _left(won: Sequence[float]) -> list[str]:
    mean = _mean(won)
    return [] if mean is None else [f"left     {mean:.2f} on average after a win"]


def _mean(won: Sequence[float]) -> float | None:
    """The mean number of armies left, given a win; None where no win is possible."""
    win = sum(won)
    return sum(number * chance for number, chance in enumerate(won)) / win if win > 0 else None


def _table(title: str, chances: Sequence[float]) -> list[str]:
    rows = list(_ranges(chances))
    width = max((len(numbers) for numbers, _, _ in rows), default=0)
    lines = [f"{numbers:>{width}}  {_percent(exactly)}  {_percent(more)}" for numbers, exactly, more in rows]
    return ["", f"{title}: chance, and of so many or more", *lines] if rows else []


def _ranges(chances: Sequence[float]) -> Iterator[tuple[str, float, float]]:
    """Numbers of armies from the highest down, with their chance, and that of these or more."""
    shown = [number for number, chance in enumerate(chances) if chance >= _SHOWN]
    if not shown:
        return
    lowest, highest = shown[0], shown[-1]
    step = -(-(highest - lowest + 1) // _ROWS)
    for top in range(highest, lowest - 1, -step):
        bottom = max(top - step + 1, lowest)
        numbers = str(top) if top == bottom else f"{bottom}-{top}"
        yield numbers, sum(chances[bottom : top + 1]), sum(chances[bottom:])


def _percent(chance: float) -> str:
    """Two decimals; rounding never makes a chance look like certainty, which dice do not know."""
    if 0 < chance < 0.00005:
        return "<0.01 %"
    if chance >= 0.99995:
        return ">99.99 %"
    return f"{100 * chance:5.2f} %"
