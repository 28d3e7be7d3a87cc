"""Programs in studies: the same results on any number of workers, whatever the programs do."""

import os
from pathlib import Path
from typing import Any

import pytest

from surefoot.arena import Run, Store, Study, run
from surefoot.arena.export import export
from surefoot.protocol import programs
from tests.unit.protocol.hostile import SAMPLE, hostile

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="agents' processes are forked"),
]

MISBEHAVING = ["crashes", "no_action", "another_seat", "long_line", "speaks_another_version"]
STUDIES: dict[str, dict[str, Any]] = {
    "minesweeper": {"rules": "beginner", "games": 6},
    "risk": {"map": "delta", "rules": "standard:round_cap=6", "format": "gauntlet", "games": 4},
}


def played(given: dict[str, Any], workers: int, folder: Path) -> tuple[Run, str]:
    programs.close_programs()
    place, out = folder / f"{workers}.db", folder / f"{workers}.csv"
    found = run(Study.make(given), store=place, workers=workers)
    with Store(str(place)) as store:
        export(store, out, run=found.run, form="csv", times=False)
    return found, out.read_text()


@pytest.mark.parametrize("game", STUDIES)
def test_a_study_with_programs_is_the_same_for_one_worker_and_two(game: str, tmp_path: Path) -> None:
    agents = [SAMPLE, *map(hostile, MISBEHAVING)]
    given = {"game": game, "agents": agents, "seed": 1, **STUDIES[game]}
    one, rows = played(given, 1, tmp_path)
    two, rows_of_two = played(given, 2, tmp_path)
    assert rows == rows_of_two
    assert one.complete and two.complete
    outcomes = {each.agent: each.outcomes for each in one.standings}
    for name in MISBEHAVING:
        lost = outcomes[hostile(name)]
        ours, others = ("forfeited", "crashed") if name == "no_action" else ("crashed", "forfeited")
        assert lost[ours] > 0 == lost[others] == lost["timed_out"]
        if name == "speaks_another_version":
            assert lost["won"] + lost["lost"] + lost["capped"] == 0
        else:
            assert lost["won"] + lost["lost"] + lost["capped"] > 0
    fair = outcomes[SAMPLE]
    assert fair["won"] > 0 == fair["forfeited"] + fair["crashed"] + fair["timed_out"]
