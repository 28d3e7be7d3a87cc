"""Write ``tests/data/risk_perft.json``: positions after so many plies, counted by the plain twin alone.

Each case is a record, which says map, rules, deal and the moves before the count, and the plies to count.
Run from the checkout: ``python -m tools.make_perft``.
"""

import json
from pathlib import Path

from surefoot.risk import Record
from tests.perft_risk import count_naively, naive_twin

TARGET = Path(__file__).parents[1] / "tests" / "data" / "risk_perft.json"

DEAL = "deal = moor dale fen weald heath wold"
# Player 1 is out, and player 0, who took the card, holds a set.
WITH_A_SET = """\
deal = wold moor fen weald dale heath
draft wold 3
attack wold dale 3 = lost-0
occupy 3
end = wold
draft moor 3
attack moor fen 2 = lost-0
occupy 3
end = fen
draft heath 3
attack heath moor 2 = lost-0
occupy 3
end = dale
draft wold 4
attack dale fen 2 = lost-0 lost-0
occupy 2
end = wild-2
draft heath 3
attack heath weald 1 = lost-0
occupy 2
end = moor"""
CASES: dict[str, tuple[str, str, int, int, str]] = {
    "the deal": ("duel", "standard", 2, 6, ""),
    "the deal with a neutral": ("duel", "standard:neutral=yes", 2, 6, ""),
    "claims": ("duel", "standard:placement=claimed;starting_armies=one", 3, 6, ""),
    "setup": ("duel", "standard", 2, 4, DEAL),
    "capitals": ("duel", "standard:capitals=yes;starting_armies=one", 2, 4, DEAL),
    "drafting and attacking": ("duel", "standard:starting_armies=one", 2, 3, DEAL),
    "one roll at a time": ("duel", "standard:starting_armies=one;blitz=never", 2, 4, DEAL + "\ndraft fen 4"),
    "to the end": ("duel", "document", 2, 5, DEAL + "\ndraft fen 3"),
    "by coin": ("duel", "document-program", 2, 5, DEAL + "\ndraft fen 3"),
    "three dice in defence": (
        "duel",
        "standard:starting_armies=one;defence_dice=3;blitz=must;draft=territories",
        2,
        4,
        DEAL + "\ndraft fen 3\nend\ndraft dale 3\nend\ndraft fen 3",
    ),
    "a card is drawn": (
        "duel",
        "modern:starting_armies=one",
        2,
        3,
        DEAL + "\ndraft fen 4\nattack fen dale 4 = 654v1\noccupy 3",
    ),
    "an elimination": (
        "grid-3x1",
        "standard:starting_armies=one;fortify=connected",
        3,
        7,
        "deal = r0c0 r0c1 r0c2\ndraft r0c0 3\nattack r0c0 r0c1 3 = 654v1",
    ),
    "a set of cards": ("duel", "standard:starting_armies=one", 3, 3, WITH_A_SET),
    "little room": (
        "grid-2x2",
        "standard:starting_armies=one;max_armies=3;round_cap=1",
        2,
        6,
        "deal = r0c0 r0c1 r1c0 r1c1",
    ),
}


def record_text(name: str) -> str:
    """The record of a case."""
    world, rules, players, _, moves = CASES[name]
    return (
        f'[Game "Risk"]\n[Map "{world}"]\n[Rules "{rules}"]\n[Players "{players}"]\n[Winner "*"]\n\n{moves}\n'
    )


def main() -> None:
    """Count every case and write the file."""
    cases = []
    for name, (*_, plies, _) in CASES.items():
        text = record_text(name)
        counts = count_naively(naive_twin(Record.parse(text)), plies)
        print(f"{name}: {counts[-1].ways} ways to {counts[-1].positions} positions")
        cases.append({"name": name, "record": text, "counts": [list(found) for found in counts]})
    TARGET.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
