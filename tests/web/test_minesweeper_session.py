"""Games of Minesweeper on the page, played through their sessions with real worker processes."""

import asyncio
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from surefoot.minesweeper.actions import Action
from surefoot.minesweeper.bulk import game_rng
from surefoot.minesweeper.formats.minai import generate
from surefoot.minesweeper.game import Game
from surefoot.minesweeper.probability import solve
from surefoot.minesweeper.record import Record
from surefoot.minesweeper.rules import PRESETS, Level
from surefoot.web.lanes import Lanes
from surefoot.web.messages import (
    Agent,
    Assist,
    CreateMinesweeper,
    PaceMessage,
    Restart,
    Step,
)
from surefoot.web.minesweeper import session as session_module
from surefoot.web.minesweeper import work
from surefoot.web.minesweeper.clock import Clock
from surefoot.web.minesweeper.session import MinesweeperSession
from surefoot.web.refusals import Refused
from tests.web.minesweeper_table import (  # the fixtures are taken by name
    BOARD,
    Player,
    Run,
    at,
    created,
    lanes,
    loop,
    numbers_of,
    refused,
    run,
)

__all__ = ["lanes", "loop", "run"]


# Whole games by acts


def test_a_new_game_is_hidden(run: Run, lanes: Lanes) -> None:
    player = run(created(lanes, preset="beginner", seed=1))
    view = player.view
    assert view["game"] == "minesweeper"
    assert view["level"] == {"width": 9, "height": 9, "mines": 10}
    assert (view["preset"], view["rules"]) == ("beginner", "windows")
    assert view["cells"] == [-1] * 81
    assert (view["status"], view["end"], view["last"]) == ("running", None, None)
    assert view["clock"] == {"seconds": 0, "running": False}
    assert view["bbbv"] is view["analysis"] is view["curve"] is None
    assert view["agent"]["name"] == "exact" and not view["agent"]["running"]


def test_a_game_won_by_hand(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, text=BOARD)
        view = await player.act("flag 0,3")
        assert at(view, 0, 3) == -2 and view["flags"] == 1 and view["moves"] == 1
        assert view["clock"]["running"]
        view = await player.act("uncover 0,3")
        assert at(view, 0, 3) == -2, "a flag protects"
        view = await player.act("unflag 0,3", "uncover 3,3")
        assert view["status"] == "won" and view["end"] == "completed" and view["score"] == 1
        assert at(view, 0, 3) == 9 and at(view, 3, 0) == 9
        assert not view["clock"]["running"]
        view = await player.until(lambda view: view["bbbv"] is not None)
        assert view["bbbv"] == {"total": 1, "solved": 1}
        assert (await refused(player.act("uncover 0,3"))).code == "not-legal"

    run(scenario())


def test_a_lost_game_tells_where_the_mines_were(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, text=BOARD)
        view = await player.act("flag 3,3", "uncover 0,3")
        assert (view["status"], view["end"]) == ("lost", "exploded")
        assert (at(view, 0, 3), at(view, 3, 0), at(view, 3, 3)) == (10, 9, 11)
        assert at(view, 0, 0) == -1
        view = await player.until(lambda view: view["bbbv"] is not None)
        assert view["bbbv"] == {"total": 1, "solved": 0}

    run(scenario())


def test_chords_open_or_explode(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, text="3x3x2\nIHH\nHHH\nHHI")
        view = await player.act("uncover 1,1", "flag 0,0", "flag 2,2", "chord 1,1")
        assert view["status"] == "won"
        player = await created(lanes, text="3x3x2\nIHH\nHHH\nHHI")
        view = await player.act("uncover 1,1", "flag 0,1", "flag 2,2", "chord 1,1")
        assert view["status"] == "lost"
        assert (at(view, 0, 0), at(view, 0, 1), at(view, 2, 2)) == (10, 11, -2)
        player = await created(lanes, text="3x3x2\nIHH\nHHH\nHHI")
        view = await player.act("uncover 1,1", "flag 0,0", "flag 1,0", "chord 1,1")
        assert view["status"] == "lost"
        assert (at(view, 2, 2), at(view, 1, 0), at(view, 0, 0)) == (10, 11, -2)

    run(scenario())


def test_minai_opens_the_start_and_ends_by_leaving(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        world = generate(Level(5, 5, 1), game_rng(4, 0))
        player = await created(lanes, text=str(world))
        view = player.view
        assert at(view, *world.start) == 0 and view["moves"] == 0 and view["preset"] == "minai-easy"
        assert view["switches"]["may_leave"] and not view["switches"]["flood"]
        assert not view["clock"]["running"]
        safe = [(int(r), int(c)) for r, c in np.argwhere(~world.board.mines)]
        view = await player.act(*[f"uncover {r},{c}" for r, c in safe if (r, c) != world.start])
        assert view["complete"] and view["status"] == "running"
        view = await player.act("leave")
        assert (view["status"], view["end"], view["score"]) == ("won", "left", 1)
        player = await created(lanes, text=str(world))
        view = await player.act("leave")
        assert (view["status"], view["end"], view["score"]) == ("lost", "left", 0)

    run(scenario())


def test_cs50_is_won_by_flags_and_tells_no_mine_count(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="cs50", seed=3)
        assert not player.view["switches"]["mines_known"] and player.view["switches"]["goal"] == "flags"
        board = player.session._game.board
        view = await player.act(*[f"flag {r},{c}" for r, c in np.argwhere(board.mines)])
        assert view["status"] == "won" and view["flags"] == 8
        assert (await refused(player.act("leave"))).message.startswith("leave: ")

    run(scenario())


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_advice_can_be_followed_to_the_end(preset: str, run: Run, lanes: Lanes) -> None:
    """Every analysis on the way is that of the position on view, and a click stays small on the wire."""

    async def scenario() -> str:
        player = await created(lanes, preset=preset, seed=5)
        view = await player.say(Assist(type="assist", what="analysis", on=True))
        width = view["level"]["width"]
        player.bytes.clear()
        while view["status"] == "running":
            view = await player.until(lambda view: view["analysis"]["state"] != "thinking")
            analysis = view["analysis"]
            assert analysis["state"] == "ready"
            check_analysis(player.session, analysis)
            wrong = [cell for cell in analysis["mines"] if view["cells"][cell] != -2]
            if view["switches"]["goal"] == "flags" and wrong:
                action = f"flag {wrong[0] // width},{wrong[0] % width}"
            elif analysis["best"] is None:
                action = "leave"
            else:
                action = f"uncover {analysis['best'] // width},{analysis['best'] % width}"
            view = await player.act(action)
        assert view["analysis"]["state"] == "over" and view["analysis"]["risks"] is None
        assert max(player.bytes) < 3000
        return str(view["status"])

    assert run(scenario()) in ("won", "lost")


def check_analysis(session: MinesweeperSession, analysis: Any) -> None:
    seen = session._game.observation()
    known = solve(seen)
    assert analysis["safe"] == np.flatnonzero(known.safe).tolist()
    assert analysis["mines"] == np.flatnonzero(known.mines).tolist()
    check_guesses(analysis, known.mine)
    untouched = bool(seen.hidden.all())
    for cell, risk in enumerate(analysis["risks"]):
        place = divmod(cell, seen.width)
        if seen.cells[place] >= 0:
            assert risk == -1
            continue
        beside = any(seen.cells[near] >= 0 for near in seen.neighbours(place))
        assert (risk == -2) is not beside
        told = analysis["elsewhere"] if risk == -2 else risk
        if untouched and seen.rules.first_click != "any":
            assert told == 0
        else:
            assert abs(told / 10_000 - known.mine[place]) <= 1e-4
            assert (told == 0) == bool(known.safe[place])
            assert (told == 10_000) == bool(known.mines[place])


def check_guesses(analysis: Any, risks: NDArray[np.float64]) -> None:
    """What is listed is what the best cell was chosen from."""
    guesses = analysis["guesses"]
    assert len(guesses) <= 6 and len(analysis["tosses"]) <= 6
    if guesses:
        assert guesses[0][0] == analysis["best"] and not analysis["safe"]
    for cell, safety, progress, wins in guesses:
        assert abs(safety / 10_000 - (1 - risks.flat[cell])) <= 1e-4
        assert 0 <= progress <= safety + 1 and 0 <= wins <= safety + 1


# What is worked out


def test_an_analysis_comes_with_its_move(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="expert", seed=3)
        await player.say(Assist(type="assist", what="analysis", on=True))
        await player.until(lambda view: view["analysis"]["state"] == "ready")
        before = player.session.version
        view = await player.act("uncover 8,15")
        if view["analysis"]["state"] == "ready":  # it does, unless the machine is busy with other things
            assert player.session.version == before + 1
        view = await player.until(lambda view: view["analysis"]["state"] == "ready")
        shown = view["analysis"]
        view = await player.act("flag 0,0")
        assert view["analysis"] == shown, "a flag is no evidence"
        view = await player.say(Assist(type="assist", what="analysis", on=False))
        assert view["analysis"] is None

    run(scenario())


def test_a_stale_analysis_is_never_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers come when the test lets them, later than the moves after them."""
    waiting: list[tuple[Any, asyncio.Future[Any]]] = []

    class SlowLanes(Lanes):
        async def study(self, work: Any, *arguments: Any) -> Any:
            future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            waiting.append((arguments[0], future))
            return await future

    monkeypatch.setattr(session_module, "GRACE", 0.001)

    async def scenario() -> None:
        player = Player(
            await MinesweeperSession.create(
                "key", SlowLanes(1), CreateMinesweeper(type="create-minesweeper", preset="expert", seed=3)
            )
        )
        await player.say(Assist(type="assist", what="analysis", on=True))
        view = await player.act("uncover 8,15", "flag 0,0", "uncover 0,29", "uncover 15,29")
        if view["status"] != "running":
            pytest.fail("choose another seed")
        assert len(waiting) == 1, "one at a time"
        observation, future = waiting.pop()
        future.set_result(work.analyze(observation))
        await asyncio.sleep(0.01)
        assert player.view["analysis"]["state"] == "thinking" and player.view["analysis"]["risks"] is None
        assert len(waiting) == 1, "the newest next, and those between never"
        observation, future = waiting.pop()
        future.set_result(work.analyze(observation))
        await asyncio.sleep(0.01)
        assert player.view["analysis"]["state"] == "ready" and not waiting
        check_analysis(player.session, player.view["analysis"])

    run(scenario())


def test_an_analysis_that_is_refused_says_so(run: Run) -> None:
    class NoLanes(Lanes):
        async def study(self, work: Any, *arguments: Any) -> Any:
            raise Refused("too-slow", "no answer within 30 seconds")

    async def scenario() -> None:
        message = CreateMinesweeper(type="create-minesweeper", preset="expert", seed=3)
        player = Player(await MinesweeperSession.create("key", NoLanes(1), message))
        view = await player.say(Assist(type="assist", what="analysis", on=True))
        assert view["analysis"]["state"] == "too-complex"
        assert view["analysis"]["text"] == "no answer within 30 seconds"

    run(scenario())


def test_the_curve_has_a_point_a_move(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="beginner", seed=1)
        view = await player.say(Assist(type="assist", what="curve", on=True))
        view = await player.until(lambda view: not view["curve"]["thinking"])
        assert [point[0] for point in view["curve"]["points"]] == [0]
        assert 0 < view["curve"]["points"][0][1] < 1 and view["curve"]["points"][0][2] > 0
        mines = player.session._game
        await player.act("uncover 4,4")
        await player.until(lambda view: not view["curve"]["thinking"])
        flagged = next((int(r), int(c)) for r, c in np.argwhere(mines.board.mines))
        view = await player.act(f"flag {flagged[0]},{flagged[1]}")
        view = await player.until(lambda view: not view["curve"]["thinking"])
        points = view["curve"]["points"]
        assert [point[0] for point in points] == [0, 1, 2]
        assert points[1][1:] == points[2][1:], "a flag changes no chance"
        await player.act(f"unflag {flagged[0]},{flagged[1]}", f"uncover {flagged[0]},{flagged[1]}")
        view = await player.until(lambda view: view["curve"]["points"][-1][0] == 4)
        assert view["curve"]["points"][-1] == [4, 0.0, 0.0]
        view = await player.say(Assist(type="assist", what="curve", on=False))
        assert view["curve"] is None

    run(scenario())


# Agents


@pytest.mark.parametrize(("agent", "speed"), [("exact", 0.0), ("exact", 1000.0), ("sentence", 100.0)])
def test_an_agent_plays_to_the_end(agent: str, speed: float, run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="beginner", seed=6)
        await player.say(Agent(type="agent", agent=agent))
        await player.say(PaceMessage(type="pace", running=True, speed=speed))
        view = await player.until(lambda view: view["status"] != "running")
        assert not view["agent"]["running"] and view["agent"]["ended"] is None
        assert numbers_of(view) and view["clock"]["seconds"] > 0 and not view["clock"]["running"]
        assert f'[Player "{agent}"]' in player.session.record()
        assert (await refused(player.say(Step(type="step")))).message == "the game is over: start a new one"
        assert (await refused(player.say(PaceMessage(type="pace", running=True)))).code == "not-legal"

    run(scenario())


@pytest.mark.parametrize("preset", ["minai-beginner", "cs50", "expert"])
def test_agents_win_and_lose_as_they_do_elsewhere(preset: str, run: Run, lanes: Lanes) -> None:
    """Seed by seed the same end as number 0 of that root seed in a study of many games."""
    from surefoot.minesweeper.agents.exact import ExactAgent

    async def scenario() -> list[bool]:
        ends = []
        for seed in range(6):
            player = await created(lanes, preset=preset, seed=seed)
            await player.say(PaceMessage(type="pace", running=True, speed=0))
            view = await player.until(lambda view: view["status"] != "running")
            ends.append(view["status"] == "won")
        return ends

    expected = [bool(ExactAgent.play_games(*PRESETS[preset], seed, 0, 1).won[0]) for seed in range(6)]
    assert run(scenario()) == expected


def test_a_step_is_one_move_and_a_pause_is_one(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="expert", seed=6)
        for moves in (1, 2, 3):
            await player.say(Step(type="step"))
            view = await player.until(lambda view, moves=moves: view["moves"] >= moves)  # type: ignore[misc]
            await asyncio.sleep(0.1)
            assert player.view["moves"] == moves and not view["agent"]["running"]
        await player.say(PaceMessage(type="pace", running=True, speed=50))
        await player.until(lambda view: view["moves"] > 5)
        await player.say(PaceMessage(type="pace", running=False))
        await asyncio.sleep(0.1)
        moves = player.view["moves"]
        await asyncio.sleep(0.2)
        assert player.view["moves"] == moves

    run(scenario())


def test_a_person_may_play_between_the_agents_moves(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, preset="intermediate", seed=2)
        await player.act("uncover 8,8", "flag 0,0", "flag 0,1", "flag 15,15")
        await player.say(PaceMessage(type="pace", running=True, speed=40))
        for row in range(16):
            if player.view["status"] != "running":
                break
            await player.act(f"flag {row},7")
            await asyncio.sleep(0.03)
        view = await player.until(lambda view: view["status"] != "running" or view["agent"]["ended"])
        assert view["agent"]["ended"] is None
        record = Record.parse(player.session.record())
        assert record.headers["Player"] == "human, exact"

    run(scenario())


def test_an_agent_that_gives_up_says_so(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, width=3, height=3, mines=2, seed=0)
        await player.act(*[f"flag {row},{col}" for row in range(3) for col in range(3)])
        await player.say(Agent(type="agent", agent="random"))
        await player.say(PaceMessage(type="pace", running=True, speed=0))
        view = await player.until(lambda view: view["agent"]["ended"] is not None)
        assert view["agent"]["ended"] == "random gives up" and not view["agent"]["running"]
        view = await player.act("unflag 1,1")
        assert view["agent"]["ended"] is None, "it may be able to go on now"
        await player.say(Step(type="step"))
        view = await player.until(lambda view: view["last"] == "uncover 1,1")
        assert (await created(lanes, preset="cs50")).view["agent"]["ended"] is None

    run(scenario())


def test_what_an_agent_does_wrong_ends_its_part_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd:
        def __init__(self, *answers: object) -> None:
            self.answers = list(answers)

        def act(self, observation: object) -> object:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

    packed = session_module._packed(Game(*PRESETS["beginner"], rng=game_rng(1, 0)))
    first = Action.parse("uncover 4,4")
    for answer, words in (
        (ValueError("no\nidea"), "odd failed: ValueError: no idea"),
        (Action.parse("chord 0,0"), "odd cannot go on: chord 0,0: a chord needs an open number"),
        (Action.parse("leave"), "odd gives up"),
        ("uncover 1,1", "odd failed: AttributeError: "),
    ):
        odd = Odd(first, answer)
        monkeypatch.setattr(work, "agent_of", lambda *which, odd=odd: odd)
        turn = work.play("key", "odd", 0, packed, 5)
        assert turn.actions == (first,) and turn.ended is not None
        assert turn.ended.startswith(words) and "\n" not in turn.ended


def test_a_thinking_agent_is_shown_to_think(run: Run) -> None:
    asked: list[asyncio.Future[work.Turn]] = []
    forgotten: list[str] = []

    class SlowLanes(Lanes):
        def forget(self, key: str) -> None:
            forgotten.append(key)

        async def play(self, key: str, work: Any, *arguments: Any) -> Any:
            future = asyncio.get_running_loop().create_future()
            asked.append(future)
            return await future

    async def scenario() -> None:
        message = CreateMinesweeper(type="create-minesweeper", text=None, preset="expert", seed=3)
        player = Player(await MinesweeperSession.create("key", SlowLanes(1), message))
        await player.say(Step(type="step"))
        view = await player.until(lambda view: view["agent"]["thinking"])
        assert view["moves"] == 0
        await player.act("uncover 8,15")
        asked.pop().set_result(work.Turn((Action.parse("uncover 0,0"),), None))
        view = await player.until(lambda view: not view["agent"]["thinking"])
        assert view["moves"] == 1 and view["last"] == "uncover 8,15", "its move was for another position"
        assert forgotten == ["key"], "an agent that takes it for played would be wrong from here on"
        await player.say(Step(type="step"))
        await asyncio.sleep(0.01)
        asked.pop().set_result(work.Turn((), "exact failed: it broke"))
        view = await player.until(lambda view: view["agent"]["ended"] is not None)
        assert view["agent"]["ended"] == "exact failed: it broke"
        player.session.close()

    run(scenario())


# Records


def test_a_record_is_taken_up_where_it_ends(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        first = await created(lanes, preset="intermediate", seed=9)
        assert (await refused(asyncio.to_thread(first.session.record))).message.startswith("nothing is open")
        await first.act("uncover 8,8", "flag 0,0")
        text = first.session.record()
        assert '[Seed "9"]' in text and '[Player "human"]' in text
        second = await created(lanes, text=text)
        for part in ("cells", "level", "preset", "rules", "moves", "flags", "last", "status"):
            assert second.view[part] == first.view[part]
        assert second.view["clock"]["running"] is False
        again = Record.parse(second.session.record())
        once = Record.parse(text)
        assert (again.board, again.actions, again.headers["Seed"]) == (once.board, once.actions, "9")
        await second.say(Step(type="step"))
        await second.until(lambda view: view["moves"] > 2)
        assert Record.parse(second.session.record()).headers["Player"] == "human, exact"
        view = await second.say(Restart(type="restart"))
        assert view["moves"] == 0 and view["flags"] == 0 and not numbers_of(view)
        await second.act("uncover 8,8")
        assert second.session._game.board.mines.tolist() == first.session._game.board.mines.tolist()

    run(scenario())


def test_notes_headers_and_seconds_are_kept(run: Run, lanes: Lanes) -> None:
    text = (
        '[Game "Minesweeper"]\n[Rules "windows"]\n[Event "club"]\n[Seconds "12.5"]\n[End "not_ended"]\n\n'
        f"{BOARD}\n\n; why not\nflag 0,0\n"
    )

    async def scenario() -> None:
        player = await created(lanes, text=text)
        assert player.view["clock"] == {"seconds": 12.5, "running": False}
        saved = player.session.record()
        assert '[Event "club"]' in saved and "; why not\nflag 0,0" in saved and '"12.500"' in saved
        for wrong in ("inf", "nan", "-3", "soon"):
            player = await created(lanes, text=text.replace("12.5", wrong))
            assert player.view["clock"]["seconds"] == 0

    run(scenario())


def test_restart_draws_anew_or_by_seed(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        boards = []
        player = await created(lanes, preset="expert", seed=1)
        for seed in (None, None, 7, 7):
            await player.say(Restart(type="restart", seed=seed))
            view = await player.act("uncover 0,0")
            assert view["moves"] == 1
            boards.append(player.session._game.board.mines.tobytes())
        assert boards[0] != boards[1] != boards[2] == boards[3]

    run(scenario())


# The clock


def test_the_clock_of_a_view_that_is_seen_late(
    run: Run, lanes: Lanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    clock = Clock(1.0)
    clock.start()
    now[0] += 2
    assert clock.as_dict() == {"seconds": 3.0, "running": True}
    clock.stop()
    now[0] += 2
    assert clock.as_dict() == {"seconds": 3.0, "running": False}
    monkeypatch.undo()

    async def scenario() -> None:
        player = await created(lanes, preset="expert", seed=1)
        view = await player.act("uncover 0,0")
        early, version = view["clock"]["seconds"], player.session.version
        await asyncio.sleep(0.7)
        late = player.view["clock"]["seconds"]
        assert late - early > 0.5 and player.session.version == version
        assert player.session.view() is player.session.view()

    run(scenario())


def test_no_mine_shows_before_the_end(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        for preset in PRESETS:
            player = await created(lanes, preset=preset, seed=8)
            view = await player.act("flag 0,0", "flag 1,1")
            if view["status"] == "running":
                assert set(view["cells"]) <= set(range(-2, 9)) and view["bbbv"] is None

    run(scenario())


def test_two_games_do_not_meet(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        one = await created(lanes, preset="expert", seed=1)
        two = await created(lanes, preset="beginner", seed=2)
        two.session.key = "other"
        for player in (one, two):
            await player.say(PaceMessage(type="pace", running=True, speed=0))
        ends = await asyncio.gather(
            one.until(lambda view: view["status"] != "running"),
            two.until(lambda view: view["status"] != "running"),
        )
        assert [len(view["cells"]) for view in ends] == [480, 81]
        for player in (one, two):
            assert Record.parse(player.session.record()).game().over

    run(scenario())


def test_a_large_board_is_played(run: Run, lanes: Lanes) -> None:
    async def scenario() -> None:
        player = await created(lanes, width=100, height=100, mines=1200, first_click="opening", seed=1)
        assert player.view["preset"] is None and player.view["rules"] == "windows:first_click=opening"
        await player.say(Assist(type="assist", what="analysis", on=True))
        await player.act("uncover 50,50")
        view = await player.until(lambda view: view["analysis"]["state"] not in ("thinking",))
        assert view["analysis"]["state"] == "ready"
        await player.say(PaceMessage(type="pace", running=True, speed=1000))
        await player.until(lambda view: view["status"] != "running" or view["moves"] > 300)
        await player.say(PaceMessage(type="pace", running=False))

    run(scenario())
