"""What the property tests draw: rules of any kind, boards that they can lay out, and actions."""

from hypothesis import strategies as st

from surefoot.errors import IllegalAction, RulesError
from surefoot.minesweeper import Action, Cell, Game, Kind, Level, Rules

switch = st.booleans()
rules_of_any_kind = st.builds(
    Rules,
    first_click=st.sampled_from(["any", "safe", "opening"]),
    start=st.sampled_from(["agent", "random"]) | st.tuples(st.integers(0, 3), st.integers(0, 3)),
    flood=switch,
    chord=switch,
    goal=st.sampled_from(["open", "flags"]),
    ends_when_won=switch,
    may_leave=switch,
    flag_cap=switch,
    flags_protect=switch,
    reopen=switch,
    mines_known=switch,
    move_limit=switch,
    scoring=st.sampled_from(["win", "difficulty"]),
)


@st.composite
def settings_of_a_game(draw: st.DrawFn, side: int = 6) -> tuple[Level, Rules]:
    """Rules and a board that they can lay out; few mines are likelier than many, for longer games."""
    rules = draw(rules_of_any_kind)
    height, width = draw(st.integers(1, side)), draw(st.integers(1, side))
    most = height * width
    if isinstance(rules.start, tuple):
        height, width = max(height, rules.start[0] + 1), max(width, rules.start[1] + 1)
    mines = min(draw(st.integers(0, most)), draw(st.integers(0, most)))
    while True:
        try:
            rules.check(Level(height, width, mines))
        except RulesError:
            mines -= 1
        else:
            return Level(height, width, mines), rules


def draw_action(data: st.DataObject, game: Game) -> Action:
    """Mostly sensible, now and then off the board; leaving is rare, so that games last."""
    kind = data.draw(st.sampled_from([k for k in Kind for _ in range(1 if k is Kind.LEAVE else 6)]))
    if kind is Kind.LEAVE:
        return Action(kind)
    rows, cols = st.integers(-1, game.level.height), st.integers(-1, game.level.width)
    return Action(kind, data.draw(st.tuples(rows, cols)))


def play(game: Game, action: Action) -> list[Cell] | None:
    """The cells that the action opened, or None where it is not allowed."""
    try:
        return game.play(action)
    except IllegalAction:
        return None
