"""How programs are started, kept, replaced and given up."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from surefoot.errors import FormatError, IllegalAction
from surefoot.minesweeper import preset
from surefoot.minesweeper.bulk import agent_seed, play_games
from surefoot.minesweeper.observation import Observation
from surefoot.protocol import programs
from surefoot.protocol.external import ExternalAgent
from surefoot.protocol.limits import AgentEnded, PlayLimits
from surefoot.spec import CommandSpec, parse
from tests.unit.protocol.hostile import LIMITS, SAMPLE

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="agents' processes are forked")

SEEN = Observation.parse("3x2x1\n1HH\nHHH")

WRITES_DOWN = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    with open({log!r}, "a") as file:
        file.write(json.dumps([os.getpid(), os.getcwd(), message]) + "\\n")
    if message["type"] == "hello":
        answer = dict(type="hello", protocol=1, name="writes down", games=["minesweeper"])
    elif message["type"] == "observe":
        answer = dict(type="act", id=message["id"], action={action})
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


class Writer:
    """An agent that writes down what it hears, and who it is."""

    def __init__(self, folder: Path, action: str = '"uncover 0,1"') -> None:
        self.log = folder / "heard"
        self.file = folder / "agent.py"
        self.file.write_text(WRITES_DOWN.format(log=str(self.log), action=action))

    def agent(self, seed: int = 0, limits: PlayLimits = LIMITS) -> ExternalAgent:
        made = parse(f"cmd:{sys.executable} {self.file}", limits=limits).make(seed)
        assert isinstance(made, ExternalAgent)
        return made

    @property
    def heard(self) -> list[tuple[int, str, dict[str, object]]]:
        if not self.log.exists():
            return []
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()]

    @property
    def pids(self) -> list[int]:
        return list(dict.fromkeys(pid for pid, _, _ in self.heard))


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def test_nothing_starts_before_the_first_move(writer: Writer) -> None:
    agent = writer.agent()
    assert not writer.heard
    assert str(agent.act(SEEN)) == "uncover 0,1"
    assert [message["type"] for _, _, message in writer.heard] == ["hello", "new_game", "observe"]
    agent.close()


def test_one_program_plays_game_after_game_where_the_host_stands(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for seed in (3, 4):
        agent = writer.agent(seed)
        agent.act(SEEN)
        agent.act(SEEN)
        agent.over("won")
        agent.close()
    programs.close_programs()
    assert len(writer.pids) == 1
    assert {Path(folder) for _, folder, _ in writer.heard} == {tmp_path}
    types = [message["type"] for _, _, message in writer.heard]
    assert types == ["hello", *["new_game", "observe", "observe", "game_over"] * 2]
    messages = [message for _, _, message in writer.heard]
    assert [message["id"] for message in messages if message["type"] == "observe"] == [
        *("1.0.1", "1.0.2", "2.0.1", "2.0.2")
    ]
    assert [message["seed"] for message in messages if message["type"] == "new_game"] == [3, 4]
    assert [message["outcome"] for message in messages if message["type"] == "game_over"] == ["won", "won"]


def test_two_games_at_once_have_two_processes_and_later_games_use_both(writer: Writer) -> None:
    for _ in range(2):
        agents = [writer.agent(), writer.agent()]
        for agent in agents:
            agent.act(SEEN)
        for agent in agents:
            agent.close()
    programs.close_programs()
    assert len(writer.pids) == 2


def test_an_agent_that_nobody_closed_lets_its_program_go(writer: Writer) -> None:
    for _ in range(3):
        agent = writer.agent()
        agent.act(SEEN)
        del agent
    assert len(writer.pids) == 1


def test_a_changed_file_gets_a_fresh_process(writer: Writer) -> None:
    writer.agent().act(SEEN)
    writer.file.write_text(writer.file.read_text() + "\n")
    writer.agent().act(SEEN)
    assert len(writer.pids) == 2


def test_a_program_that_ends_between_games_is_replaced_without_a_loss(writer: Writer) -> None:
    agent = writer.agent()
    agent.act(SEEN)
    agent.close()
    os.kill(writer.pids[0], 9)
    time.sleep(0.2)
    writer.agent().act(SEEN)
    assert len(writer.pids) == 2


def test_a_failed_game_stays_failed(writer: Writer) -> None:
    agent = writer.agent()
    agent.act(SEEN)
    os.kill(writer.pids[0], 9)
    for _ in range(2):
        with pytest.raises(AgentEnded, match="ended by SIGKILL"):
            agent.act(SEEN)
    agent.close()
    assert len(writer.pids) == 1


def test_a_wrong_answer_is_told_of(tmp_path: Path) -> None:
    writer = Writer(tmp_path, action='"uncover everything"')
    agent = writer.agent()
    with pytest.raises(IllegalAction, match="uncover everything"):
        agent.act(SEEN)
    assert agent.said == "uncover everything"
    agent.close()
    programs.close_programs()
    errors = [message for _, _, message in writer.heard if message["type"] == "error"]
    assert [error["id"] for error in errors] == ["1.0.1"]
    assert "uncover everything" in str(errors[0]["message"])


def test_the_clock_of_a_game_runs_over_all_its_moves(tmp_path: Path) -> None:
    slow = '"uncover 0,1" if __import__("time").sleep(0.3) is None else 0'
    agent = Writer(tmp_path, slow).agent(limits=PlayLimits(act=20, game=1.0))
    with pytest.raises(AgentEnded, match="more than 1 s for the moves of a game") as caught:
        for _ in range(4):
            agent.act(SEEN)
    assert caught.value.how == "time"
    assert 0.9 < agent.spent < 10


def test_strikes_are_wiped_out_by_a_good_game_and_forgotten_after_a_while(
    writer: Writer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    crashing = writer.file.with_name("crashing.py")
    crashing.write_text(f"import os\nif not os.path.exists('{crashing}.good'): os._exit(5)\n")
    crashing.write_text(crashing.read_text() + writer.file.read_text())
    good = crashing.with_name("crashing.py.good")
    spec = parse(f"cmd:{sys.executable} {crashing}", limits=LIMITS)

    def outcome() -> str:
        agent = spec.make(0)
        try:
            agent.act(SEEN)
        except AgentEnded as ended:
            return "given up" if "given up" in ended.detail else ended.how
        finally:
            agent.close()
        return "played"

    assert [outcome(), outcome()] == ["exit", "exit"]
    good.touch()
    assert outcome() == "played"
    programs.close_programs()
    good.unlink()
    assert [outcome() for _ in range(4)] == ["exit", "exit", "exit", "given up"]
    assert len(caplog.records) == 1
    good.touch()
    assert outcome() == "given up"
    monkeypatch.setattr(programs, "_FORGIVEN_AFTER", 0.0)
    assert [outcome(), outcome()] == ["played", "played"]


def test_crashes_in_the_middle_of_games_are_no_strikes(tmp_path: Path) -> None:
    """Else how a game ends would depend on which other games the same worker has played before."""
    dies = '"uncover 0,1" if not message["id"].endswith(".2") else os._exit(4)'
    writer = Writer(tmp_path, dies)
    for _ in range(5):
        agent = writer.agent()
        agent.act(SEEN)
        with pytest.raises(AgentEnded, match="exit code 4"):
            agent.act(SEEN)
        agent.close()
    assert len(writer.pids) == 5


def test_the_environment_is_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    wanted = (
        '",".join(os.environ.get(name, "") for name in ["PYTHONPATH", "OMP_NUM_THREADS", "PYTHONHASHSEED"])'
    )
    agent = Writer(tmp_path, wanted).agent()
    with pytest.raises(IllegalAction):
        agent.act(SEEN)
    assert agent.said == "somewhere,3,0"


def test_a_program_that_cannot_run_says_why(tmp_path: Path) -> None:
    script = tmp_path / "agent"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    agent = parse(f"cmd:{script}").make(0)
    with pytest.raises(AgentEnded, match="No such file or directory"):
        agent.act(SEEN)


def test_specs_of_commands() -> None:
    text = "cmd:node 'my bot.js' --level=2, a:b"
    spec = parse(f"  {text} ", "risk")
    assert isinstance(spec, CommandSpec)
    assert (str(spec), spec.label, spec.place, spec.game) == (text, text, None, "risk")
    assert spec.words == ("node", "my bot.js", "--level=2,", "a:b")
    assert parse(str(spec), "risk") == spec
    assert CommandSpec.of(["a b", "c"], "risk", PlayLimits()).words == ("a b", "c")


def test_the_files_of_a_command(tmp_path: Path) -> None:
    file = tmp_path / "bot.js"
    file.touch()
    spec = parse(f"cmd:node {file} --fast")
    assert isinstance(spec, CommandSpec)
    assert spec.files == (file,)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cmd:", "which program"),
        ("cmd:node 'bot.js", "no closing quotation"),
        ("cmd:no-such-program-anywhere x", "no such program: no-such-program-anywhere"),
    ],
)
def test_what_is_no_command_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words) as caught:
        parse(text).load()
    assert "\n" not in str(caught.value)


def test_the_same_games_come_out_whatever_was_played_before() -> None:
    def rows(first: int, count: int) -> list[object]:
        spec = parse(SAMPLE, limits=LIMITS)
        table = play_games(spec.make, *preset("beginner"), 1, first, count)
        return [*zip(*(column.tolist() for column in table))]

    assert rows(0, 6)[3:] == rows(3, 3)
    assert agent_seed(1, 0) != agent_seed(1, 3)


@pytest.mark.parametrize("limits", [{"act": 0}, {"start": -1}, {"game": float("nan")}, {"memory": 5}])
def test_limits_are_positive(limits: dict[str, float]) -> None:
    with pytest.raises(FormatError):
        PlayLimits(**limits)  # type: ignore[arg-type]


def test_what_programs_use_is_counted_while_they_run_and_after(tmp_path: Path) -> None:
    busy = '"uncover 0,1" if sum(range(10**7)) else 0'
    before = programs.cpu_seconds()
    agent = Writer(tmp_path, busy).agent()
    agent.act(SEEN)
    running = programs.cpu_seconds()
    agent.close()
    programs.close_programs()
    assert before + 0.02 < running <= programs.cpu_seconds()
