import importlib.metadata
import os
import pickle
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot import spec
from surefoot.errors import FormatError
from surefoot.minesweeper.agents.random import RandomAgent
from surefoot.spec import AgentSpec, parse

AGENTS = """
from helper_beside import WORD

class Good:
    def __init__(self, seed, depth=1, *, name="x"):
        self.given = seed, depth, name, WORD
    def act(self, observation):
        pass

class NoSeed:
    def __init__(self, depth):
        self.depth = depth
    def act(self, observation):
        pass

class Anything:
    def __init__(self, **options):
        self.options = options
    def act(self, observation):
        pass

class NoAct:
    pass

class MyAI:
    def getAction(self, number):
        pass

def factory(seed):
    return Good(seed, 7)

def wrong_factory():
    return object()
"""


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "helper_beside", raising=False)
    (tmp_path / "helper_beside.py").write_text("WORD = 'beside'\n")
    (tmp_path / "agents.py").write_text(AGENTS)
    return str(tmp_path / "agents.py")


def test_a_name_is_an_agent_of_the_game() -> None:
    assert parse("random").load() is RandomAgent
    assert isinstance(parse("random").make(3), RandomAgent)


def test_a_module_and_its_class() -> None:
    assert parse("surefoot.minesweeper.agents.random:RandomAgent").load() is RandomAgent


def test_a_file_and_its_class_get_the_options_and_the_seed(agents: str) -> None:
    assert parse(f"{agents}:Good").make(5).given == (5, 1, "x", "beside")
    assert parse(f"{agents}:Good:depth=2,name=why").make(5).given == (5, 2, "why", "beside")
    assert parse(f"{agents}:Good:seed=9").make(5).given[0] == 9
    assert parse(f"{agents}:NoSeed:depth=4").make(5).depth == 4
    assert parse(f"{agents}:Anything:a=1").make(5).options == {"a": 1, "seed": 5}
    assert parse(f"{agents}:factory").make(6).given[:2] == (6, 7)


def test_a_file_may_be_named_from_where_one_stands(agents: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(agents).parent)
    assert parse("./agents.py:Good").make(1).given[0] == 1


def test_an_entry_point_adds_a_name_but_takes_none_over(monkeypatch: pytest.MonkeyPatch) -> None:
    group = "surefoot.minesweeper.agents"
    place = "surefoot.minesweeper.agents.random:RandomAgent"
    added = EntryPoints([EntryPoint("added", place, group), EntryPoint("exact", place, group)])

    def entry_points(group: str) -> EntryPoints:
        return added.select(group=group)

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    spec._names.cache_clear()
    try:
        assert parse("added").load() is RandomAgent
        assert spec._names("minesweeper")["exact"] != place
    finally:
        spec._names.cache_clear()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e-3", 1e-3),
        ("true", True),
        ("False", False),
        ("word", "word"),
        ("'7'", "7"),
        ('"a,b"', "a,b"),
        ("", ""),
        ("a:b/c.d", "a:b/c.d"),
    ],
)
def test_options_have_the_type_they_look_like(text: str, value: object) -> None:
    ((name, found),) = parse(f"random:x={text}").options
    assert (name, found, type(found)) == ("x", value, type(value))


VALUES = st.one_of(
    st.integers(-(10**17), 10**17),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text().filter(lambda text: not ("'" in text and '"' in text)),
)
NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)


@given(
    st.sampled_from([(None, "exact"), ("a/b c.py", "Class"), ("C:\\x.py", "A.B"), ("pack.mod", "make")]),
    st.dictionaries(NAMES, VALUES, max_size=4),
)
def test_the_text_parses_back_to_itself(place: tuple[str | None, str], options: dict[str, object]) -> None:
    original = AgentSpec("minesweeper", *place, tuple(options.items()))  # type: ignore[arg-type]
    assert parse(f"  {original}\n" if not options else str(original)) == original
    assert pickle.loads(pickle.dumps(original)) == original


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["unknown agent ''", "known: ", "random"]),
        ("exakt", ["unknown agent 'exakt'", "did you mean exact?"]),
        ("exakt:depth=2", ["unknown agent 'exakt'", "did you mean exact?"]),
        ("random:seed=1,", ["random", "name=value"]),
        ("random:seed=1,seed=2", ["'seed'", "twice"]),
        ("my.py", ["my.py:NAME"]),
    ],
)
def test_what_is_no_spec_is_refused_in_one_line(text: str, words: list[str]) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text)
    assert_one_line(caught.value, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nowhere.py:Agent", ["no such file: nowhere.py"]),
        ("{folder}/folder.py:Agent", ["is a folder"]),
        ("exakt:strong", ["no such module: exakt", "did you mean exact?"]),
        ("surefoot.minesweepr:Agent", ["no such module: surefoot.minesweepr"]),
        ("{agents}:God", ["no class 'God'", "did you mean Good?", "NoSeed"]),
        ("{agents}:WORD", ["no class 'WORD'"]),
        ("{agents}:NoAct", ["no method act"]),
        ("{agents}:MyAI", ["no method act", "surefoot minai --agent"]),
        ("{agents}:Good:dept=2", ["no option 'dept'", "did you mean depth?", "seed, depth, name"]),
        ("{agents}:NoSeed", ["option 'depth' is needed"]),
        ("random:strong", ["random", "no preset 'strong'", "name=value"]),
        ("random:speed=1", ["random", "no option 'speed'", "it takes: seed"]),
        ("{folder}/raises.py:A", ["raises.py cannot be loaded", "ZeroDivisionError", "line 2"]),
        ("{folder}/broken.py:A", ["broken.py cannot be loaded", "SyntaxError", "line 1"]),
        ("{folder}/exits.py:A", ["exits.py cannot be loaded", "SystemExit"]),
        ("{folder}/imports.py:A", ["imports.py cannot be loaded", "no_such_module_anywhere"]),
    ],
)
def test_what_cannot_be_loaded_is_refused_in_one_line(agents: str, text: str, words: list[str]) -> None:
    folder = Path(agents).parent
    (folder / "folder.py").mkdir()
    (folder / "raises.py").write_text("x = 1\nx / 0\n")
    (folder / "broken.py").write_text("def (:\n")
    (folder / "exits.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "imports.py").write_text("import no_such_module_anywhere\n")
    with pytest.raises(FormatError) as caught:
        parse(text.format(folder=folder, agents=agents)).load()
    assert_one_line(caught.value, words)


def test_what_a_factory_makes_is_looked_at_too(agents: str) -> None:
    with pytest.raises(FormatError, match=r"made a object without a method act"):
        parse(f"{agents}:wrong_factory").make(0)


def assert_one_line(error: Exception, words: list[str]) -> None:
    message = str(error)
    assert os.linesep not in message and "\n" not in message
    for word in words:
        assert word in message
