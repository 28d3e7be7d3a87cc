"""Run what the issues and pages state, at full size, and write it to docs/results/ as JSON.

    python tools/results.py            every part that has no result yet
    python tools/results.py --again    every part
    python tools/results.py NAME …     these parts

Each file says what was run, on how many, with which interval, on what machine and at which commit. A part
that was stopped is run again from its beginning; the parts before it stand.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"

sys.path.insert(0, str(ROOT))

from tools import (  # noqa: E402 - the tests' own tools are found from the root
    arena_results,
    minesweeper_results,
    page_results,
    perfect_results,
    planner_parts,
    planner_results,
    value_results,
)

Part = Callable[[], dict[str, Any]]


def evaluate(agent: str, preset: str, games: int, *options: str, seed: int) -> dict[str, Any]:
    """`surefoot minesweeper evaluate` with these arguments; its JSON and the command."""
    command = [
        "minesweeper",
        "evaluate",
        agent,
        "--rules",
        preset,
        "--games",
        str(games),
        "--seed",
        str(seed),
    ]
    return surefoot(*command, *options, "--json")


def surefoot(*arguments: str) -> dict[str, Any]:
    """Run the command in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", "surefoot", *arguments],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return {"command": " ".join(["surefoot", *arguments]), **answer}


def tests(*arguments: str, **environment: str) -> dict[str, Any]:
    """Run a selection of the tests at full size; a failure ends the part."""
    command = [sys.executable, "-m", "pytest", *arguments]
    run = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT, env={**os.environ, **environment}
    )
    settings = " ".join(f"{name}={value}" for name, value in environment.items())
    return {
        "command": f"{settings} pytest {' '.join(arguments)}",
        "summary": run.stdout.strip().splitlines()[-1],
    }


def exact_on_fresh_worlds() -> dict[str, Any]:
    """Issue 2: at least 88.5, 86 and 48 % of 10,000 fresh worlds a level."""
    levels = ("beginner", "intermediate", "expert")
    return {level: evaluate("exact", f"minai-{level}", 10_000, seed=2) for level in levels}


def exact_in_bulk() -> dict[str, Any]:
    """Issue 2: at least 8000 expert games (safe, corner) a CPU-second, at 38.4 % or better; seven runs."""
    runs = [
        evaluate("exact", "expert", 40_000, "--first-click", "safe", "--workers", "1", seed=run)
        for run in range(7)
    ]
    speeds = sorted(run["games"] / run["cpu_seconds"] for run in runs)
    games = sum(run["games"] for run in runs)
    return {
        "runs": runs,
        "rate": sum(run["won"] for run in runs) / games,
        "games": games,
        "games_per_cpu_second": {"median": speeds[3], "least": speeds[0], "most": speeds[-1]},
    }


def probability_speed() -> dict[str, Any]:
    """Issue 7: 10 microseconds, the median over genuine guess positions never seen before; the hard case, a
    checkerboard, under 50 milliseconds."""
    from benchmarks import bench_probability

    runs = [bench_probability.measure(600) for _ in range(5)]
    hard = bench_probability.hard_case()
    return {"command": "python benchmarks/bench_probability.py 600", "runs": runs, "hard case": hard}


def probability_truth() -> dict[str, Any]:
    """Issue 2: 10,000 random positions against Fractions to 1e-12, and sums on large boards."""
    path = "tests/property/test_probability_properties.py"
    return tests(path, SUREFOOT_POSITIONS="10000", SUREFOOT_LARGE="1")


def risk_odds() -> dict[str, Any]:
    """Issue 3: section 2's fractions as fractions, floats to 1e-12, the table for 1..50 x 1..50."""
    paths = ("tests/unit/risk/test_battle.py", "tests/property/test_battle_properties.py")
    return tests(*paths, SUREFOOT_ODDS="50")


def risk_games() -> dict[str, Any]:
    """Issue 3: 20,000 random games under random switches, maps and player counts keep every invariant."""
    path = "tests/property/test_risk_game_properties.py"
    return tests(path, "-k", "invariants", SUREFOOT_RISK_GAMES="20000")


def risk_bulk() -> dict[str, Any]:
    """Issue 3: two `aggressive` 5000 games a CPU-second on classic, six `continent` 800; five runs each."""
    return {
        "two aggressive": risk_speed(["aggressive"] * 2, games=20_000),
        "six continent": risk_speed(["continent"] * 6, games=4_000),
    }


def risk_speed(agents: list[str], games: int) -> dict[str, Any]:
    """Games a CPU-second of five runs of scripted agents on the classic map."""
    fixed = ["--map", "classic", "--rules", "standard", "--games", str(games), "--workers", "1", "--json"]
    runs = [surefoot("risk", "evaluate", *agents, *fixed, "--seed", str(seed)) for seed in range(5)]
    speeds = sorted(run["games_per_cpu_second"] for run in runs)
    return {
        "games_per_cpu_second": {"median": speeds[2], "least": speeds[0], "most": speeds[-1]},
        "runs": runs,
    }


STYLES = ("random", "passive", "aggressive", "pacifist", "spread", "continent", "killer", "turtle")
GRID = ("--map", "grid-6x6", "--rules", "document:round_cap=100")
CLASSIC = ("--map", "classic", "--rules", "standard:round_cap=200")


def versus(agents: Sequence[str], board: Sequence[str], games: int) -> dict[str, Any]:
    """`surefoot risk evaluate` of these agents, each deal from every seat."""
    fixed = ["--games", str(games), "--paired", "--seed", "1", "--workers", "2", "--json"]
    return surefoot("risk", "evaluate", *agents, *board, *fixed)


def alphabeta_speed() -> dict[str, Any]:
    """Issue 4: self-play at depth 5 on the 6x6 grid, 25 games a CPU-second, 100 with the best targets
    alone."""
    from benchmarks import bench_alphabeta

    speeds = bench_alphabeta.measure(200, 5)
    return {
        "command": "python benchmarks/bench_alphabeta.py 200",
        **{name: speed._asdict() for name, speed in speeds.items()},
    }


def alphabeta_truth() -> dict[str, Any]:
    """Issue 4: the tree against minimax without pruning, on 5000 random positions."""
    path, runs = "tests/property/test_alphabeta_properties.py", []
    # Hypothesis remembers every example that it drew: ten runs hold a tenth of them in memory.
    for seed in range(10):
        seeded = ("--hypothesis-profile=search", f"--hypothesis-seed={seed}")
        runs.append(tests(path, *seeded, SUREFOOT_TREES="500"))
    return {"runs": runs}


def learned(seed: int) -> tuple[dict[str, Any], str, str]:
    """The document's learning run: its answer, the agent that came out, and that of the median random gene.

    That is the gene of median fitness among those that played in the first generation, which is random.
    """
    from surefoot.arena.evolve import recorded
    from surefoot.arena.evolve_folder import read

    with tempfile.TemporaryDirectory() as place:
        run = Path(place, "run")
        answer = surefoot(
            "risk", "evolve", "--out", str(run), "--seed", str(seed), "--workers", "2", "--json"
        )
        first = recorded(read(run))[0]
    played = [gene for gene in first.population.ranking() if first.drawn[gene]]
    median = first.population.genes[played[len(played) // 2]]
    del answer["command"], answer["run"]
    return answer, _with_weights(answer["gene"]), _with_weights(median.tolist())


def _with_weights(gene: list[float]) -> str:
    return "alphabeta:weights=" + "/".join(f"{weight:.9g}" for weight in gene)


def evolve_document() -> dict[str, Any]:
    """Issue 4: five runs of the document's genetic algorithm, each in under one minute on two cores."""
    runs = {f"seed {seed}": learned(seed)[0] for seed in range(1, 6)}
    return {"command": "surefoot risk evolve --out RUN --seed 1 (to 5) --workers 2", **runs}


def evolve_kills() -> dict[str, Any]:
    """Issue 4: kill -9 ten times at random moments of a learning run; the folder ends as an undisturbed
    one."""
    run = subprocess.run(
        [sys.executable, "tools/kill_evolve.py"], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def alphabeta_weights() -> dict[str, Any]:
    """Issue 4: learned weights against uniform ones and the median random gene, 4000 paired games each.

    All five runs on the grid; on classic, the one that is shipped.
    """
    found: dict[str, Any] = {}
    for seed in range(1, 6):
        _, gene, median = learned(seed)
        for name, other in (("uniform", "alphabeta:weights=1/1/1/1"), ("median random gene", median)):
            found[f"seed {seed} against {name}, grid"] = versus([gene, other], GRID, 4000)
            if seed == 1:
                found[f"seed {seed} against {name}, classic"] = versus([gene, other], CLASSIC, 4000)
    return found


def alphabeta_depth() -> dict[str, Any]:
    """Issue 4: win rates of depths 1 to 6 against depth 5, and of true odds against certain battles,
    paired."""
    found: dict[str, Any] = {}
    for name, board in (("grid", GRID), ("classic", CLASSIC)):
        for depth in (1, 2, 3, 4, 6):
            pair = [f"alphabeta:depth={depth}", "alphabeta"]
            found[f"depth {depth} against 5, {name}"] = versus(pair, board, 1000)
        for battle in ("expected", "chance"):
            pair = [f"alphabeta:depth=3,battle={battle}", "alphabeta:depth=3"]
            found[f"{battle} against certain, depth 3, {name}"] = versus(pair, board, 2000)
        pair = ["alphabeta:battle=expected", "alphabeta"]
        found[f"expected against certain, depth 5, {name}"] = versus(pair, board, 1000)
    return found


def alphabeta_simplifications() -> dict[str, Any]:
    """Issue 4: what simplifications cost: lifted one by one and all at once, against the agent at depth 3."""
    lifted = {
        "attacks=100": "as many attacks as it likes",
        "army=whole": "whole armies",
        "draft=tree": "drafts by the tree",
        "targets=best": "only the best targets: one simplification more",
        "attacks=100,army=whole,battle=expected,draft=tree": "all lifted at once",
    }
    return {
        words: versus([f"alphabeta:depth=3,{options}", "alphabeta:depth=3"], CLASSIC, 1000)
        for options, words in lifted.items()
    }


def alphabeta_styles() -> dict[str, Any]:
    """Issue 4: against each scripted style on classic, 1000 paired games of two, 600 of one against five."""
    found: dict[str, Any] = {}
    for agent in ("alphabeta", "alphabeta:free"):
        for style in STYLES:
            found[f"{agent} against {style}"] = versus([agent, style], CLASSIC, 1000)
            found[f"{agent} against five {style}"] = versus([agent, *[style] * 5], CLASSIC, 600)
    return found


PARTS: dict[str, Part] = {
    "exact-minai": exact_on_fresh_worlds,
    "exact-expert-bulk": exact_in_bulk,
    "probability-speed": probability_speed,
    "probability-truth": probability_truth,
    "risk-odds": risk_odds,
    "risk-games": risk_games,
    "risk-bulk": risk_bulk,
    "alphabeta-speed": alphabeta_speed,
    "alphabeta-truth": alphabeta_truth,
    "evolve-document": evolve_document,
    "evolve-kills": evolve_kills,
    "alphabeta-weights": alphabeta_weights,
    "alphabeta-depth": alphabeta_depth,
    "alphabeta-simplifications": alphabeta_simplifications,
    "alphabeta-styles": alphabeta_styles,
    **page_results.PARTS,
    **arena_results.PARTS,
    **perfect_results.PARTS,
    **minesweeper_results.PARTS,
    **planner_results.PARTS,
    **planner_parts.PARTS,
    **value_results.PARTS,
}


def machine() -> dict[str, Any]:
    """What these figures were measured on."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    return {
        "commit": commit.stdout.strip(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
    }


def chosen(names: list[str], again: bool) -> Iterator[str]:
    """The parts to run."""
    for name in names or PARTS:
        if name not in PARTS:
            sys.exit(f"results: no part {name!r} (there are: {', '.join(PARTS)})")
        if names or again or not (RESULTS / f"{name}.json").exists():
            yield name


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts to run")
    parser.add_argument("--again", action="store_true", help="also those that have a result")
    arguments = parser.parse_args()
    RESULTS.mkdir(parents=True, exist_ok=True)
    for name in list(chosen(arguments.names, arguments.again)):
        print(f"{name} ...", file=sys.stderr, flush=True)
        start = time.monotonic()
        result = {"part": name, "shows": (PARTS[name].__doc__ or "").strip(), **PARTS[name](), **machine()}
        # Written at once and whole, so that a part that stands is never half a part.
        target = RESULTS / f"{name}.json"
        draft = target.with_suffix(".draft")
        draft.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
        draft.replace(target)
        print(f"{name}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
