import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import psutil
import pytest

from surefoot.arena.minesweeper import evaluate
from surefoot.arena.pieces import Piece
from surefoot.arena.risk import evaluate as evaluate_risk
from surefoot.arena.runner import Progress, resume, run
from surefoot.arena.sprt import Sprt, places
from surefoot.arena.store import Store
from surefoot.errors import FormatError
from tests.arena_studies import PAIRS, TEST, WORLDS, played, study, table, write_agent, write_risk_agent


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "crowds"), [(WORLDS, (2, 7)), (PAIRS, (2,)), (TEST, (3,))], ids=["worlds", "pairs", "sprt"]
)
def test_the_export_is_the_same_for_any_workers(
    base: dict[str, object], crowds: tuple[int, ...], tmp_path: Path
) -> None:
    one = played(study(base), tmp_path, "one")
    assert one.count("\n") > 100
    for workers in crowds:
        assert played(study(base), tmp_path, f"w{workers}", workers=workers) == one


def test_a_study_plays_what_evaluate_plays(tmp_path: Path) -> None:
    base = study(WORLDS)
    found = run(base, store=str(tmp_path / "s.db"))
    for spec, standing in zip(base.specs, found.standings):
        alone = evaluate(spec, *base.board, games=60, seed=3)
        assert (standing.won, standing.score, standing.games) == (alone.won, alone.score, 60)
        assert standing.guesses == alone.guesses_per_game
        assert standing.ci95 == alone.ci95
    one, two = study(PAIRS).specs[:2]
    base = study(PAIRS, agents=["continent", "random"])
    found = run(base, store=str(tmp_path / "s.db"))
    both = evaluate_risk([one, two], base.worldmap, base.risk_rules, games=20, seed=3, paired=True)
    assert [standing.won for standing in found.standings] == [wins.n for wins in both.wins]


def test_a_deal_is_the_same_in_every_contest(tmp_path: Path) -> None:
    # The same agent under two names meets a third one in the same deals.
    twins = [write_risk_agent(tmp_path, "pass", name) for name in ("one", "two")]
    base = study(PAIRS, agents=["killer", *twins], format="gauntlet", games=6)
    with Store(str(tmp_path / "s.db")) as store:
        run(base, store=store)
        one, two = store.winners(base.run)
    assert (one == 0).tolist() == (two == 0).tolist()


def test_nothing_is_played_twice_or_lost(tmp_path: Path) -> None:
    base = study(WORLDS)
    whole = played(base, tmp_path, "whole")
    place = str(tmp_path / "parts.db")

    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.new >= 25:
            raise Enough

    rounds = 0
    with pytest.raises(FormatError, match="no such file"):
        resume(store=place)
    while True:
        try:
            found = run(base, store=place, on_progress=stop, workers=1 + rounds % 2)
            break
        except Enough:
            rounds += 1
    assert rounds >= 3
    assert (found.played, found.games, found.complete) == (180, 180, True)
    assert table(place, tmp_path / "parts.csv") == whole
    again = resume(base.run[:5], place)
    assert (again.new, again.standings) == (0, found.standings)


def test_progress_and_result_tell_the_same(tmp_path: Path) -> None:
    seen: list[Progress] = []
    found = run(study(PAIRS), store=str(tmp_path / "s.db"), on_progress=seen.append)
    assert [each.played for each in seen] == np.cumsum(np.diff([0] + [each.new for each in seen])).tolist()
    assert (seen[-1].played, seen[-1].games, found.new) == (60, 60, 60)
    assert tuple(seen[-1].standings()) == found.standings
    assert sum(standing.games for standing in found.standings) == 120
    assert found.cpu_seconds > 0 and found.seconds > 0
    json.dumps(found.as_dict(), allow_nan=False)


def test_a_test_stops_where_its_pairs_say(tmp_path: Path) -> None:
    for base in (study(TEST), study(PAIRS, agents=["random", "killer"], format="sprt", games=400)):
        place = str(tmp_path / f"{base.game}.db")
        found = run(base, store=place)
        assert found.course is not None and found.complete
        assert found.course.decision.verdict == "H1"
        pairs = found.course.pairs
        pair = 1 if base.game == "minesweeper" else 2
        assert found.played == 2 * pairs < found.games
        with Store(place) as store:
            winners = store.winners(base.run)
        candidate, other = (flags[: pairs * pair] for flags in (winners[-1] == 1, winners[0] == 0))
        test = Sprt(base.limits.effect)
        assert test.follow(places(candidate, other, pair)) == found.course
        before = test.follow(places(candidate[:-pair], other[:-pair], pair))
        assert before.decision.verdict is None
        again = run(base, store=place, workers=2)
        assert (again.new, again.course, again.complete) == (0, found.course, True)


def test_a_test_that_decides_nothing_ends_with_its_games(tmp_path: Path) -> None:
    base = study(TEST, games=4, limits={"effect": 0.01})
    found = run(base, store=str(tmp_path / "s.db"))
    assert found.course is not None
    assert (found.course.decision.verdict, found.course.pairs, found.complete) == (None, 4, True)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_agent_that_goes_wrong_loses_its_own_games(workers: int, tmp_path: Path) -> None:
    bad = write_agent(tmp_path, "if self.seed % 3 == 0: raise ValueError('three')")
    late = write_agent(tmp_path, "raise TimeoutError", "late")
    mute = write_agent(tmp_path, "return None", "mute")
    alone = run(study(WORLDS, agents=["sentence"]), store=str(tmp_path / "alone.db"))
    found = run(
        study(WORLDS, agents=[bad, "sentence", late, mute]), store=str(tmp_path / "s.db"), workers=workers
    )
    bad_one, ours, late_one, mute_one = found.standings
    assert ours == alone.standings[0]
    assert 0 < bad_one.outcomes["crashed"] < 60
    assert bad_one.outcomes["crashed"] + bad_one.outcomes["won"] + bad_one.outcomes["lost"] == 60
    assert (late_one.outcomes["timed_out"], late_one.rate) == (60, 0)
    assert mute_one.outcomes["forfeited"] == 60
    assert len(found.warnings) == 2
    assert "ValueError: three" in found.warnings[0] and "agent.py:Agent, game " in found.warnings[0]


def test_at_a_table_the_others_play_on(tmp_path: Path) -> None:
    bad = write_risk_agent(tmp_path, "if self.seed % 2: raise ValueError('odd')")
    found = run(
        study(PAIRS, agents=["killer", bad, "continent"], format="worlds"), store=str(tmp_path / "s.db")
    )
    killer, bad_one, continent = found.standings
    crashed = bad_one.outcomes["crashed"]
    assert 0 < crashed < 60
    assert killer.outcomes["crashed"] == continent.outcomes["crashed"] == 0
    capped = killer.outcomes["capped"]
    assert killer.won + continent.won + bad_one.won + capped == 60


@pytest.mark.slow
def test_who_ends_the_process_loses_that_game(tmp_path: Path) -> None:
    deadly = write_agent(tmp_path, "if self.seed % 8 == 0: os._exit(3)")
    harmless = write_agent(tmp_path, "pass", "harmless")
    base = study(WORLDS, agents=[deadly, harmless], games=12)
    found = run(base, store=str(tmp_path / "s.db"))
    killed, other = found.standings
    expected = sum(seed % 8 == 0 for seed in seeds(base.seed, 12))
    assert 0 < expected < 6
    assert killed.outcomes["crashed"] == expected
    assert other.outcomes["crashed"] == 0
    assert killed.games == other.games == 12
    lost = table(str(tmp_path / "s.db"), tmp_path / "s.csv").splitlines()
    assert sum("crashed" in line for line in lost) == expected
    assert any("three times" in warning for warning in found.warnings)
    # In all the other games it fares as one that never does so.
    same = [line.split(",")[4:] for line in lost if "agent.py" in line and "crashed" not in line]
    twin = [line.split(",")[4:] for line in lost if "harmless" in line]
    assert [row for row in same if row not in twin] == []


def seeds(root: int, games: int) -> list[int]:
    from surefoot.minesweeper.bulk import agent_seed

    return [agent_seed(root, game) for game in range(games)]


@pytest.mark.slow
def test_at_a_table_the_one_to_move_is_blamed(tmp_path: Path) -> None:
    deadly = write_risk_agent(tmp_path, "if 'phase: attack' in str(observation): os._exit(3)", "deadly")
    harmless = write_risk_agent(tmp_path, "pass", "harmless")
    base = study(PAIRS, agents=[harmless, deadly], games=1, format="worlds")
    found = run(base, store=str(tmp_path / "s.db"))
    innocent, guilty = found.standings
    assert guilty.outcomes["crashed"] == 2
    assert innocent.won == 2


def test_a_worker_that_is_killed_costs_no_game(tmp_path: Path) -> None:
    # The agent is slow, so that there is somebody to kill.
    slow = write_agent(tmp_path, "time.sleep(0.002)")
    base = study(WORLDS, agents=[slow], games=60)
    whole = played(base, tmp_path, "whole")
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if not killed and progress.new >= 10:
            (worker, *_) = workers()
            killed.append(worker.pid)
            worker.kill()

    assert played(base, tmp_path, "killed", workers=2, on_progress=kill) == whole
    assert killed


def workers() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [each for each in children if "spawn_main" in " ".join(each.cmdline())]


def test_the_study_has_to_be_the_same_where_it_is_played(tmp_path: Path) -> None:
    from surefoot.arena.pieces import Order, play_piece

    base = study(WORLDS)
    text = base.model_dump_json(exclude={"store"})
    with pytest.raises(FormatError, match=f"run 0000 is {base.run} on "):
        play_piece(Order("0000", text, Piece(0, 0, 1)))


def test_a_worker_does_not_play_what_it_has_loaded_before(tmp_path: Path) -> None:
    from surefoot.arena.pieces import Order, play_piece

    def order() -> Order:
        base = study(WORLDS, agents=[write_agent(tmp_path, "pass" if before else "time.sleep(0)")])
        return Order(base.run, base.model_dump_json(exclude={"store"}), Piece(0, 0, 1))

    before = True
    play_piece(order())
    before = False
    with pytest.raises(FormatError, match=r"agent.py:Agent: .* another version of it; start its workers"):
        play_piece(order())


def test_a_run_whose_agent_has_changed_does_not_go_on(tmp_path: Path) -> None:
    place = str(tmp_path / "s.db")
    base = study(WORLDS, agents=[write_agent(tmp_path, "pass")], games=2)
    run(base, store=place)
    write_agent(tmp_path, "time.sleep(0)")
    with pytest.raises(FormatError, match=f"run {base.run} cannot go on"):
        resume(base.run, place)


def test_an_agent_that_is_not_there_is_told_before_anything_is_kept(tmp_path: Path) -> None:
    base = study(WORLDS, agents=["surefoot.nowhere:Agent"])
    with pytest.raises(FormatError, match="no such module"):
        run(base, store=str(tmp_path / "s.db"))
    assert not (tmp_path / "s.db").exists()
    with pytest.raises(ValueError, match="at least one worker"):
        run(study(WORLDS), workers=0)


SCRIPT = """
import sys
from surefoot.arena import Study, run

if __name__ == "__main__":
    def tell(progress):
        print(progress.new, flush=True)

    run(Study.parse(open(sys.argv[1]).read()), store=sys.argv[2], workers=int(sys.argv[3]), on_progress=tell)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("workers", [1, 2])
def test_kill_9_loses_no_game_that_was_told_of(workers: int, tmp_path: Path) -> None:
    base = study(WORLDS, agents=["random", "sentence"], games=1000, map="9x9x10")
    toml = tmp_path / "study.toml"
    toml.write_text(
        'game = "minesweeper"\nrules = "beginner"\nmap = "9x9x10"\nagents = ["random", "sentence"]\n'
        "games = 1000\nseed = 3\n"
    )
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    place = str(tmp_path / "s.db")
    command = [sys.executable, str(script), str(toml), place, str(workers)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(8)]
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        told += [int(line) for line in process.stdout.read().split()]
    assert told[-1] < 2000
    with Store(place, create=False) as store:
        there = sum(cost.piece.games for cost in store.pieces(base.run))
        assert there >= told[-1]
        assert sum(tally.games for tally in store.tallies(base.run)) == there
        assert sum(len(rows.game) for rows in store.results(base.run)) == there
    found = resume(base.run, place)
    assert found.new == 2000 - there
    assert table(place, tmp_path / "s.csv") == played(base, tmp_path, "whole")


def command(*args: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "surefoot", "arena", *args],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_command_plays_a_file_and_what_is_given_besides(tmp_path: Path) -> None:
    toml = tmp_path / "study.toml"
    toml.write_text('game = "minesweeper"\nagents = ["exact"]\nrules = "beginner"\ngames = 20\n')
    place = str(tmp_path / "s.db")
    options = ["--games", "10", "--agents", "random,sentence", "--limit", "act=2", "--store", place]
    first = command("run", str(toml), *options, "--json")
    assert first.returncode == 0, first.stderr
    answer = json.loads(first.stdout)
    assert answer["study"]["games"] == 10 and answer["study"]["limits"]["act"] == 2
    assert answer["study"]["agents"] == ["random", "sentence"]
    assert (answer["new"], answer["complete"], answer["store"]) == (20, True, place)
    shown = command("resume", "--store", place)
    assert shown.returncode == 0 and "0 of them new" in shown.stdout
    assert f"run {answer['run']}: minesweeper" in shown.stdout
    out = tmp_path / "out.csv"
    written = command("export", "--store", place, "--out", str(out), "--no-times")
    assert written.returncode == 0, written.stderr
    assert out.read_text() == table(place, tmp_path / "same.csv")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["run", "--game", "minesweeper", "--games", "1"], "agents: Field required"),
        (["run", "missing.toml"], "missing.toml"),
        (["run", "--limit", "act"], "--limit is NAME=VALUE"),
        (["resume", "--store", "missing.db"], "missing.db: no such file"),
        (["export", "--store", "missing.db", "--out", "x.csv"], "missing.db: no such file"),
    ],
)
def test_what_is_wrong_is_one_line(args: list[str], words: str) -> None:
    found = command(*args)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1 and found.stderr.startswith("surefoot: ")
    assert words in found.stderr


def test_agents_are_told_apart_from_their_options() -> None:
    from surefoot.cli.arena import _split

    assert _split("exact,random") == ["exact", "random"]
    assert _split("max:ms=200,depth=2,exact") == ["max:ms=200,depth=2", "exact"]
    assert _split("exact,cmd:node bot.js --a b,c") == ["exact", "cmd:node bot.js --a b,c"]
    assert _split("cmd:bot a,b") == ["cmd:bot a,b"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent the POSIX way")
def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    slow = write_agent(tmp_path, "time.sleep(0.05)")
    place = str(tmp_path / "s.db")
    args = ["run", "--game", "minesweeper", "--rules", "beginner", "--games", "1000", "--agents", slow]
    process = subprocess.Popen(
        [sys.executable, "-m", "surefoot", "arena", *args, "--store", place],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests that run in the background of a shell have Ctrl-C ignored, and would hand that on.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    with process:
        while not Path(place).exists() or not there(place):
            assert process.poll() is None
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "stopped; 'surefoot arena resume " in err and f"--store {place}' goes on" in err
    assert "Traceback" not in err


def there(place: str) -> int:
    """How many games of the only run are in a store that another process may just be making."""
    try:
        with Store(place, create=False) as store:
            return store.find().games
    except FormatError:
        return 0
