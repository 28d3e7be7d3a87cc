import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from surefoot.arena.minesweeper import evaluate
from surefoot.arena.statistics import wilson
from surefoot.errors import FormatError, RulesError
from surefoot.minesweeper.agents.random import RandomAgent
from surefoot.minesweeper.bulk import UNKNOWN, agent_seed, end_name, game_rng, play_games
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.rules import Level, preset
from surefoot.spec import AgentSpec, parse

SMALL = Level(4, 4, 2)
WINDOWS = preset("beginner").rules
MINAI = preset("minai-easy").rules

Write = Callable[[str], AgentSpec]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes an agent from the body of its class."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def make(body: str) -> AgentSpec:
        path = tmp_path / "agent.py"
        path.write_text(
            "import sys\nimport numpy as np\n"
            "from surefoot.minesweeper import LEAVE, Action, Kind, chord, flag, uncover, unflag\n"
            f"class Agent:\n{body}"
        )
        return parse(f"{path}:Agent")

    return make


@pytest.mark.parametrize("name", ["beginner", "minai-beginner", "cs50"])
def test_the_same_seed_gives_the_same_games_however_they_are_played(name: str) -> None:
    level, rules = preset(name)
    level = replace(level, mines=2)
    spec = parse("random")
    done: list[int] = []
    one = evaluate(spec, level, rules, games=40, seed=7, on_progress=done.append)
    two = evaluate(spec, level, rules, games=40, seed=7, workers=2)
    with ThreadPoolExecutor(1) as executor:
        three = evaluate(spec, level, rules, games=40, seed=7, workers=3, executor=executor)
    same = {"seconds": 0.0, "cpu_seconds": 0.0, "startup_cpu_seconds": 0.0}
    assert replace(one, **same) == replace(two, **same) == replace(three, **same)  # type: ignore[arg-type]
    assert sum(done) == 40
    tables = [play_games(RandomAgent, level, rules, root, 0, 40).moves.tolist() for root in (7, 8)]
    assert tables[0] != tables[1]


def test_the_figures_are_those_of_the_games() -> None:
    easy = Level(4, 4, 1)
    table = play_games(RandomAgent, easy, WINDOWS, 3, 0, 60)
    found = evaluate(parse("random"), easy, WINDOWS, games=60, seed=3)
    won = int(table.won.sum())
    assert 0 < won < 60
    assert (found.won, found.rate, found.score) == (won, won / 60, won)
    assert found.ci95 == wilson(won, 60)
    assert found.ends == {"completed": won, "exploded": 60 - won}
    assert found.guesses_per_game is None and found.warning is None
    assert found.cpu_seconds > 0 and found.seconds > 0
    assert (table.guesses == UNKNOWN).all()


def test_each_game_is_worth_what_document_a_says() -> None:
    spec = parse("random")
    flooding = replace(MINAI, flood=True)
    for size, worth in ((Level(16, 16, 1), 2), (Level(16, 30, 1), 3), (Level(8, 8, 1), 1)):
        found = evaluate(spec, size, flooding, games=4, seed=1)
        assert found.won > 0
        assert found.score == worth * found.won


def test_a_game_is_the_same_on_its_own() -> None:
    whole = play_games(RandomAgent, SMALL, WINDOWS, 5, 0, 12)
    part = play_games(RandomAgent, SMALL, WINDOWS, 5, 7, 3)
    assert all(np.array_equal(whole[column][7:10], part[column]) for column in range(len(whole)))
    game = Game(SMALL, WINDOWS, rng=game_rng(5, 7))
    agent = RandomAgent(agent_seed(5, 7))
    while not game.over:
        game.play(agent.act(game.observation()))
    assert (game.moves, game.end.value) == (whole.moves[7], whole.end[7])


def test_seeds_of_games_differ_and_fit_a_kernel() -> None:
    seeds = {agent_seed(root, game) for root in range(20) for game in range(20)}
    assert len(seeds) == 400
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_guesses_are_read_from_the_agent(write: Write) -> None:
    body = """
    guesses = np.int64(0)
    def act(self, observation):
        self.guesses = self.guesses + 1
        row, col = np.argwhere(observation.hidden)[0]
        return uncover((row, col))
"""
    table = play_games(write(body).make, SMALL, WINDOWS, 1, 0, 10)
    assert (table.guesses == table.moves).all() and table.guesses.min() >= 1
    found = evaluate(write(body), SMALL, WINDOWS, games=10, seed=1)
    assert found.guesses_per_game == table.guesses.mean()


@pytest.mark.parametrize(
    ("body", "end", "warning"),
    [
        ("    def act(self, observation):\n        return 1 / 0", "error", "ZeroDivisionError"),
        ("    def act(self, observation):\n        sys.exit(0)", "error", "SystemExit"),
        ("    def act(self, observation):\n        return None", "nonsense", None),
        ("    def act(self, observation):\n        return 'uncover 0,0'", "nonsense", None),
        ("    def act(self, observation):\n        return uncover((0.5, 0))", "nonsense", None),
        ("    def act(self, observation):\n        return uncover(3)", "nonsense", None),
        ("    def act(self, observation):\n        return Action('fly', (0, 0))", "nonsense", None),
        ("    def act(self, observation):\n        return uncover((-1, 10**30))", "stalled", None),
        ("    def act(self, observation):\n        return LEAVE", "stalled", None),
        ("    def act(self, observation):\n        return chord((0, 0))", "stalled", None),
        (
            "    n = 0\n    def act(self, observation):\n        self.n += 1\n"
            "        return (flag if self.n % 2 else unflag)((0, self.n // 2 % 3))",
            "stalled",
            None,
        ),
    ],
)
def test_an_agent_that_goes_wrong_loses_its_games_only(
    write: Write, body: str, end: str, warning: str | None
) -> None:
    found = evaluate(write(body), SMALL, WINDOWS, games=3, seed=1)
    assert found.ends == {end: 3}
    assert (found.won, found.score) == (0, 0)
    if warning is None:
        assert found.warning is None
    else:
        assert found.warning is not None
        assert found.warning.startswith("game 0: ") and warning in found.warning
        assert "agent.py, line 6" in found.warning


def test_one_bad_game_leaves_the_others_alone(write: Write) -> None:
    body = """
    def __init__(self, seed):
        self.seed = seed
    def act(self, observation):
        if self.seed % 3 == 0:
            raise ValueError("three\\nlines")
        row, col = np.argwhere(observation.hidden)[0]
        return uncover((row, col))
"""
    bad = sum(agent_seed(2, game) % 3 == 0 for game in range(30))
    found = evaluate(write(body), SMALL, WINDOWS, games=30, seed=2, workers=2)
    assert 0 < bad < 30
    assert found.ends["error"] == bad and sum(found.ends.values()) == 30
    assert found.warning is not None and "ValueError: three lines" in found.warning


def test_a_patient_player_who_flags_does_not_stall(write: Write) -> None:
    body = """
    def act(self, observation):
        plain = np.argwhere(observation.cells == -1)
        if len(plain):
            row, col = plain[0]
            return flag((row, col))
        row, col = np.argwhere(observation.cells == -2)[0]
        return unflag((row, col))
"""
    level = Level(40, 40, 1)
    table = play_games(write(body).make, level, WINDOWS, 1, 0, 1)
    assert end_name(int(table.end[0])) == "stalled"
    assert table.moves[0] > level.cells


def test_what_an_agent_prints_stays_off_stdout(write: Write, capfd: pytest.CaptureFixture[str]) -> None:
    body = """
    print("loading")
    def __init__(self):
        print("making")
    def act(self, observation):
        print("thinking")
"""
    for workers in (1, 2):
        evaluate(write(body), SMALL, WINDOWS, games=4, workers=workers)
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.count("thinking") >= 4


def test_an_agent_may_play_whole_games_itself(write: Write) -> None:
    body = """
    def __init__(self, shift=0):
        pass
    def act(self, observation):
        raise AssertionError("not asked")
    @classmethod
    def play_games(cls, level, rules, root_seed, first, count, shift=0):
        from surefoot.minesweeper.bulk import GameTable
        number = np.arange(first, first + count)
        won = number % 2 == 1
        end = np.where(won, 1, 2).astype(np.int8)
        return GameTable(won, won * level.mines, number * 0 + root_seed, number + shift, end)
"""
    spec = write(body)
    spec = parse(f"{spec}:shift=10")
    found = evaluate(spec, SMALL, WINDOWS, games=9, seed=4)
    assert (found.won, found.score, found.guesses_per_game) == (4, 8, 14.0)
    assert found.ends == {"completed": 4, "exploded": 5}


def test_what_cannot_be_played_is_refused_before_it_begins(write: Write) -> None:
    spec = write("    def __init__(self):\n        raise OSError('no weights')\n    def act(self, o): pass\n")
    with pytest.raises(FormatError, match=r"cannot be made: OSError: no weights \(agent.py, line 6\)"):
        evaluate(spec, SMALL, WINDOWS, games=1)
    random = parse("random")
    with pytest.raises(RulesError, match="leaves room for 15 mines"):
        evaluate(random, Level(4, 4, 16), WINDOWS, games=1)
    with pytest.raises(ValueError, match="at least one game"):
        evaluate(random, SMALL, WINDOWS, games=0)
    with pytest.raises(ValueError, match="a seed is 0 or more"):
        evaluate(random, SMALL, WINDOWS, games=1, seed=-1)
    with pytest.raises(ValueError, match="at least one worker"):
        evaluate(random, SMALL, WINDOWS, games=1, workers=0)


def test_the_dictionary_has_what_the_command_promises() -> None:
    found = evaluate(parse("random"), SMALL, WINDOWS, games=2).as_dict()
    promised = (
        "agent rules size mines games won rate ci95 score seed seconds cpu_seconds guesses_per_game ends"
    )
    assert set(promised.split()) <= set(found)
    assert (found["agent"], found["rules"], found["size"], found["mines"]) == ("random", "windows", "4x4", 2)
