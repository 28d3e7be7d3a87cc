"""What the README and the pages on rules and texts show is what happens."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    "README.md",
    "docs/minesweeper-rules.md",
    "docs/minesweeper-perfect.md",
    "docs/arena-report.md",
    "docs/position-text.md",
    "docs/pictures.md",
    "docs/statistics.md",
    "docs/probability.md",
    "docs/risk-rules.md",
    "docs/risk-odds.md",
    "docs/risk-maps.md",
    "docs/risk-evolve.md",
    "docs/risk-document-agent.md",
    "docs/risk-value.md",
    "docs/risk-planner.md",
    "docs/risk-review.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_do_what_it_says(page: str) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8", verbose=False)
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", "docs/minesweeper-rules.md", "docs/position-text.md"]
)
def test_links_within_the_repository_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = [part.partition(")")[0].partition("#")[0] for part in text.split("](")[1:]]
    missing = [t for t in targets if "://" not in t and t and not ((ROOT / page).parent / t).exists()]
    assert not missing


def test_the_readme_begins_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("make ")][:2] == ["make demo", "make test"]
    assert lines.index("make demo") < 5
