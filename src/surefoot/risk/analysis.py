"""What a position holds: everybody's reinforcements, the odds of every attack, and an agent's advice."""

from dataclasses import dataclass, replace

from surefoot.errors import FormatError

from .actions import Action, Attack, Claim, Draft, End, Fortify, Occupy, Trade
from .advice import Advice, Adviser, Considered
from .battle import battle
from .bulk import RiskAgent, as_action
from .cards import value
from .observation import Observation
from .policy import dice_of
from .situation import Phase, Situation

_CHOOSING = frozenset(
    {Phase.CLAIM, Phase.SETUP, Phase.CAPITAL, Phase.DRAFT, Phase.ATTACK, Phase.OCCUPY},
)


@dataclass(frozen=True, slots=True)
class Chance:
    """An attack with everything that can fight, and what would come of it.

    Args:
        source, target: from where, and where to.
        attackers: the armies that can fight, the stack less one.
        defenders: the armies there.
        win: the chance to take the territory.
        left: the mean number of attackers left after a win.
    """

    source: int
    target: int
    attackers: int
    defenders: int
    win: float
    left: float


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A position and what can be told of it.

    Args:
        observation: the position.
        reinforcements: by player, armies at the start of a turn as things stand, without cards; in fog
            those of others are what is seen to be sure.
        attacks: every attack of the seat whose turn it is, the surest first.
        advice: what the adviser would play; None where there is nothing to choose.
        why: the reason, in words.
        plans: what the adviser weighed, the best first; empty if it tells nothing of that.
    """

    observation: Observation
    reinforcements: tuple[int, ...]
    attacks: tuple[Chance, ...]
    advice: Action | None
    why: str
    plans: tuple[Considered, ...] = ()


def analyze(observation: Observation, adviser: RiskAgent) -> Analysis:
    """Study a position and ask an agent for its move.

    Raises:
        FormatError: the adviser answers what is no legal action.
        TooComplex: a stack is larger than odds are computed for.
        Exception: whatever the adviser raises.
    """
    chances = attacks(observation)
    advice: Action | None = None
    plans: tuple[Considered, ...] = ()
    if observation.turn != observation.seat:
        why = f"it is the turn of player {observation.turn}"
    elif observation.phase not in _CHOOSING:
        why = "the game is over" if observation.over else "chance is next"
    else:
        asked = ask(observation, adviser)
        advice, why, plans = asked.action, asked.why, asked.plans
    return Analysis(
        observation,
        tuple(observation.reinforcements(seat) for seat in range(observation.players)),
        chances,
        advice,
        why,
        plans,
    )


def attacks(position: Situation) -> tuple[Chance, ...]:
    """Every attack that the seat whose turn it is could make as armies stand, the surest first.

    Raises:
        TooComplex: a stack is larger than odds are computed for.
    """
    found = [
        chance_of(position, source, target)
        for source, near in enumerate(position.worldmap.neighbours)
        if position.owners[source] == position.turn and position.armies[source] > 1
        for target in near
        if position.owners[target] != position.turn and position.armies[target] > 0
    ]
    return tuple(sorted(found, key=lambda chance: -chance.win))


def chance_of(position: Situation, source: int, target: int, armies: int | None = None) -> Chance:
    """The chance of an attack with so many armies, or with all that can fight, until it is decided.

    Raises:
        TooComplex: a stack is larger than odds are computed for.
    """
    attackers = int(position.armies[source]) - 1 if armies is None else armies
    defenders = int(position.armies[target])
    odds = battle(attackers, defenders, dice=dice_of(position.rules))
    left = sum(number * chance for number, chance in enumerate(odds.attackers) if number)
    return Chance(source, target, attackers, defenders, odds.win, left / odds.win if odds.win else 0.0)


def ask(observation: Observation, adviser: RiskAgent) -> Advice:
    """What an agent would play, what that does, in words, and of an `Adviser` also what it weighed.

    Args:
        observation: there is something to choose for its seat.

    Raises:
        FormatError: the adviser answers what is no legal action.
        TooComplex: a stack is larger than odds are computed for.
        Exception: whatever the adviser raises.
    """
    if isinstance(adviser, Adviser):
        advice = adviser.advise(observation)
    else:
        advice = Advice(_legal(observation, adviser))
    does = reason(observation, advice.action)
    return replace(advice, why=f"{advice.why}; {does}" if advice.why else does)


def _legal(observation: Observation, adviser: RiskAgent) -> Action:
    try:
        action = as_action(adviser.act(observation))
    except TypeError as error:
        raise FormatError(f"the adviser: {error}") from None
    broken = observation.broken_rule(action)
    if broken is not None:
        raise FormatError(f"the adviser answered {action}, but {broken}")
    return action


def reason(position: Situation, action: Action) -> str:
    """What a legal action does, in words."""
    owners, armies, worldmap = position.owners, position.armies, position.worldmap

    def enemies(territory: int) -> int:
        """Armies that stand against a territory."""
        return sum(
            int(armies[other]) for other in worldmap.neighbours[territory] if owners[other] != position.turn
        )

    def name(territory: int) -> str:
        return worldmap.territories[territory].name

    match action:
        case Attack(source, target, committed, _):
            chance = chance_of(position, source, target, committed)
            return (
                f"fought to the end it takes {name(target)} with {chance.win:.1%}, "
                f"and then {chance.left:.1f} of {committed} are left"
            )
        case Draft(territory, placed):
            return (
                f"{name(territory)} then has {armies[territory] + placed} armies "
                f"against {enemies(territory)} around it"
            )
        case Trade(cards, _):
            return f"the set is worth {value(worldmap, position.rules, cards, position.sets_traded)} armies"
        case Occupy(moved):
            assert position.attack is not None
            source, target = position.attack
            stay = armies[source] + armies[target] - moved
            return (
                f"{moved} in {name(target)}, where {enemies(target)} enemies are near, and {stay} stay behind"
            )
        case Fortify(source, target, moved):
            return (
                f"{moved} armies go from {name(source)}, where {enemies(source)} enemies are near, "
                f"to {name(target)}, where {enemies(target)} are"
            )
        case Claim(territory):
            own = sum(owners[other] == position.turn for other in worldmap.neighbours[territory])
            return f"{name(territory)} has {own} own neighbours"
        case End():
            return "no attack is worth its risk any more"
