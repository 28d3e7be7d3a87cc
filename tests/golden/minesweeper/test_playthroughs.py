"""A game under each preset still answers as it did; `tools/make_goldens.py` says how the texts are made."""

import pytest

from surefoot.minesweeper import PRESETS, Record
from tools.make_goldens import FOLDER, playthrough


@pytest.mark.parametrize("name", PRESETS)
def test_playthrough(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PRESETS)
def test_the_record_at_the_end_of_a_golden_replays(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").partition("\nrecord:\n")[2]
    assert str(Record.parse(text)) == text


def test_every_golden_has_its_preset() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PRESETS)
