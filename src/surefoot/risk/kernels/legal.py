"""What the rules allow, written once: each question answers how much, or the number of the broken rule.

A caller that looks for actions asks `most_draft`, `most_attack` and `most_fortify`; one that has an action
asks `check`, which asks the same. The actor is always the seat whose turn it is.
"""

from surefoot._jit import inlined, kernel

from .layout import (
    AT_LEAST_ONE,
    ATTACK,
    ATTACK_ACTION,
    ATTACKS,
    BELOW_LEAST,
    BLITZ_MUST,
    BLITZ_NEVER,
    BONUS,
    CAPITAL,
    CARD_KIND,
    CARDS_FIXED,
    CARDS_NONE,
    CHANCE_IS_NEXT,
    CLAIM,
    CLAIM_ACTION,
    CONTINENTS,
    DEAL,
    DECIDED,
    DRAFT,
    DRAFT_ACTION,
    DRAFT_TERRITORIES,
    DRAW,
    END_ACTION,
    FIRST_SHIFT,
    FORTIFY_ACTION,
    FORTIFY_ADJACENT,
    FORTIFY_NONE,
    GAME_OVER,
    HELD,
    KIND_SHIFT,
    LEAST,
    LEAVE_ONE,
    MAX_ATTACK_DICE,
    MID_TURN,
    MORE_THAN_IN_HAND,
    MUST_TRADE,
    MUST_TRADE_FIRST,
    NEAR,
    NO_BLITZ,
    NO_CARDS,
    NO_FORTIFY,
    NO_SUCH_ACTION,
    NO_SUCH_TERRITORY,
    NO_TRADE_NOW,
    NOBODY,
    NOT_A_SET,
    NOT_ADJACENT,
    NOT_CONNECTED,
    NOT_ENEMY,
    NOT_OWN,
    NOT_UNOWNED,
    NOT_YOUR_CARDS,
    NUMBER_MASK,
    OCCUPY,
    OCCUPY_ACTION,
    ONE_ROLL,
    ONLY_BLITZ,
    OVER,
    OWNER,
    PHASE,
    PLACE_MASK,
    R_BLITZ,
    R_CARDS,
    R_COIN,
    R_DRAFT,
    R_FORTIFY,
    R_MAX_ARMIES,
    R_MAX_ATTACKS,
    ROLL,
    SAME_TERRITORY,
    SEAT,
    SECOND_SHIFT,
    SETUP,
    SIZE,
    SOURCE,
    TARGET,
    TERRITORIES,
    TERRITORY_COUNT,
    TERRITORY_FULL,
    THIRD_SHIFT,
    TO_PLACE,
    TOO_MANY_ATTACKS,
    TOO_MANY_DICE,
    TRADE_ACTION,
    UNTIL_TOO_MANY,
    WILD,
    WILD_CARDS,
    WRONG_BONUS,
    WRONG_PHASE,
)

# The values of the first sets of the progressive table; after the last of them each is worth 5 more.
_FIRST_SETS = 6
_SIXTH_SET = 15
_STEP = 5


@inlined
def reinforcements(world, rules, state, seat):
    """Armies that ``seat`` gets at the start of a turn, without cards."""
    count = world[TERRITORIES]
    territories = state[TERRITORY_COUNT + 3 * count + seat]
    if rules[R_DRAFT] == DRAFT_TERRITORIES:
        return territories
    armies = max(3, territories // 3)
    continents = world[CONTINENTS]
    held = HELD + 3 * count + seat * continents
    for continent in range(continents):
        if state[held + continent] == world[world[SIZE] + continent]:
            armies += world[world[BONUS] + continent]
    return armies


@inlined
def set_kind(world, one, two, three):
    """What three cards are as a set: the kind they share, WILD if all differ, -1 if they are no set.

    A wild card stands for whatever makes the set worth most.
    """
    kinds = world[CARD_KIND]
    a = world[kinds + one]
    b = world[kinds + two]
    c = world[kinds + three]
    wild = (a == WILD) + (b == WILD) + (c == WILD)
    if wild >= 2:
        return WILD
    if wild == 1:
        # The two that are not wild; together with the wild one they are of one kind or all different.
        low = min(a, b, c)
        high = a + b + c - WILD - low
        return low if low == high else WILD
    if a == b and b == c:
        return a
    if a != b and b != c and a != c:
        return WILD
    return -1


@inlined
def set_value(rules, sets, kind):
    """Armies for a set of that kind when ``sets`` were traded before it, by anybody."""
    if rules[R_CARDS] == CARDS_FIXED:
        return 4 + 2 * kind
    if sets < _FIRST_SETS - 1:
        return 4 + 2 * sets
    return _SIXTH_SET + _STEP * (sets - _FIRST_SETS + 1)


@inlined
def is_near(world, source, target):
    """Whether one can go from ``source`` to ``target`` in one step."""
    row = world[NEAR] + source
    found = False
    for place in range(world[row], world[row + 1]):
        found = found or world[place] == target
    return found


@kernel
def is_connected(world, state, source, target):
    """Whether a way of territories of one owner leads from ``source`` to ``target``.

    Reached territories are marked in the owners' words, which are as before in the end: so no room of its
    own is needed, but two threads must not ask about the same state at once.
    """
    count = world[TERRITORIES]
    owner = state[OWNER + source]
    mark = -10 - owner
    state[OWNER + source] = mark
    found = False
    spreading = True
    while spreading and not found:
        spreading = False
        for here in range(count):
            if state[OWNER + here] != mark:
                continue
            row = world[NEAR] + here
            for place in range(world[row], world[row + 1]):
                near = world[place]
                if state[OWNER + near] == owner:
                    state[OWNER + near] = mark
                    spreading = True
                    found = found or near == target
    for here in range(count):
        if state[OWNER + here] == mark:
            state[OWNER + here] = owner
    return found


@inlined
def has_room(world, rules, state, seat):
    """Whether some territory of ``seat`` can take one more army."""
    count = world[TERRITORIES]
    for t in range(count):
        if state[OWNER + t] == seat and state[OWNER + count + t] < rules[R_MAX_ARMIES]:
            return True
    return False


@inlined
def _wrong_phase(state):
    phase = state[PHASE]
    if phase == OVER:
        return GAME_OVER
    if phase in (DEAL, ROLL, DRAW):
        return CHANCE_IS_NEXT
    return WRONG_PHASE


@inlined
def _is_territory(world, t):
    return t >= 0 and t < world[TERRITORIES]


@inlined
def check_claim(world, state, t):
    """0, or why the seat cannot claim territory ``t``, be it as its first owner or as its capital."""
    if state[PHASE] != CLAIM and state[PHASE] != CAPITAL:
        return _wrong_phase(state)
    if not _is_territory(world, t):
        return NO_SUCH_TERRITORY
    if state[PHASE] == CLAIM:
        return 0 if state[OWNER + t] == NOBODY else NOT_UNOWNED
    return 0 if state[OWNER + t] == state[SEAT] else NOT_OWN


@inlined
def most_draft(world, rules, state, t):
    """How many armies the seat may place on ``t``, or why none."""
    if state[PHASE] != DRAFT and state[PHASE] != SETUP:
        return _wrong_phase(state)
    if not _is_territory(world, t):
        return NO_SUCH_TERRITORY
    if state[OWNER + t] != state[SEAT]:
        return NOT_OWN
    if state[MUST_TRADE]:
        return MUST_TRADE_FIRST
    room = rules[R_MAX_ARMIES] - state[OWNER + world[TERRITORIES] + t]
    if room <= 0:
        return TERRITORY_FULL
    return min(room, state[TO_PLACE])


@inlined
def most_attack(world, rules, state, source, target):
    """How many armies the seat may commit from ``source`` against ``target``, or why none."""
    if state[PHASE] != ATTACK:
        return _wrong_phase(state)
    if not (_is_territory(world, source) and _is_territory(world, target)):
        return NO_SUCH_TERRITORY
    if state[OWNER + source] != state[SEAT]:
        return NOT_OWN
    if state[OWNER + target] == state[SEAT]:
        return NOT_ENEMY
    if not is_near(world, source, target):
        return NOT_ADJACENT
    if rules[R_MAX_ATTACKS] and state[ATTACKS] >= rules[R_MAX_ATTACKS]:
        return TOO_MANY_ATTACKS
    free = state[OWNER + world[TERRITORIES] + source] - 1
    return free if free > 0 else LEAVE_ONE


@inlined
def most_dice(rules):
    """The attacker's dice in one roll, at the most."""
    return 1 if rules[R_COIN] else MAX_ATTACK_DICE


@inlined
def least_occupy(state):
    """How few armies may move into the territory just taken (they are there already), or why none."""
    if state[PHASE] != OCCUPY:
        return _wrong_phase(state)
    return state[LEAST]


@inlined
def most_occupy(world, rules, state):
    """How many armies may move into the territory just taken, those already there included."""
    count = world[TERRITORIES]
    there = state[OWNER + count + state[TARGET]]
    return min(there + state[OWNER + count + state[SOURCE]] - 1, rules[R_MAX_ARMIES])


@inlined
def most_fortify(world, rules, state, source, target):
    """How many armies the seat may move from ``source`` to ``target`` to end its turn, or why none."""
    if state[PHASE] != ATTACK:
        return _wrong_phase(state)
    if rules[R_FORTIFY] == FORTIFY_NONE:
        return NO_FORTIFY
    if not (_is_territory(world, source) and _is_territory(world, target)):
        return NO_SUCH_TERRITORY
    if state[OWNER + source] != state[SEAT] or state[OWNER + target] != state[SEAT]:
        return NOT_OWN
    if source == target:
        return SAME_TERRITORY
    count = world[TERRITORIES]
    free = state[OWNER + count + source] - 1
    if free <= 0:
        return LEAVE_ONE
    room = rules[R_MAX_ARMIES] - state[OWNER + count + target]
    if room <= 0:
        return TERRITORY_FULL
    if not is_near(world, source, target):
        if rules[R_FORTIFY] == FORTIFY_ADJACENT:
            return NOT_ADJACENT
        if not is_connected(world, state, source, target):
            return NOT_CONNECTED
    return min(free, room)


@inlined
def _is_own_picture(world, state, card):
    return card < world[TERRITORIES] and state[OWNER + card] == state[SEAT]


@inlined
def check_trade(world, rules, state, one, two, three, bonus):
    """0, or why the three cards cannot be traded; ``bonus`` is a territory plus one, or 0 for none."""
    if rules[R_CARDS] == CARDS_NONE:
        return NO_CARDS
    if state[PHASE] != DRAFT:
        return _wrong_phase(state)
    if state[MID_TURN] and not state[MUST_TRADE]:
        return NO_TRADE_NOW
    count = world[TERRITORIES]
    cards = OWNER + 2 * count
    seat = state[SEAT]
    if not (one >= 0 and one < two and two < three and three < count + WILD_CARDS):
        return NOT_YOUR_CARDS
    if state[cards + one] != seat or state[cards + two] != seat or state[cards + three] != seat:
        return NOT_YOUR_CARDS
    if set_kind(world, one, two, three) < 0:
        return NOT_A_SET
    if bonus:
        named = bonus - 1
        among = named in (one, two, three)
        return 0 if among and _is_own_picture(world, state, named) else WRONG_BONUS
    owned = (
        _is_own_picture(world, state, one)
        or _is_own_picture(world, state, two)
        or _is_own_picture(world, state, three)
    )
    return WRONG_BONUS if owned else 0


@inlined
def _within(armies, most, beyond):
    """0 if 1 <= armies <= most; ``most`` may be the number of a broken rule."""
    if most < 0:
        return most
    if armies < 1:
        return AT_LEAST_ONE
    return 0 if armies <= most else beyond


@kernel
def check(world, rules, state, action):
    """0 if the seat may play ``action``, else the number of the rule that forbids it."""
    if action < 0:
        return NO_SUCH_ACTION
    kind = action >> KIND_SHIFT
    first = action >> FIRST_SHIFT & PLACE_MASK
    second = action >> SECOND_SHIFT & PLACE_MASK
    third = action >> THIRD_SHIFT & NUMBER_MASK
    fourth = action & NUMBER_MASK
    if kind == ATTACK_ACTION:
        broken = _within(third, most_attack(world, rules, state, first, second), LEAVE_ONE)
        if broken:
            return broken
        if fourth == ONE_ROLL:
            if rules[R_BLITZ] == BLITZ_MUST:
                return ONLY_BLITZ
            return 0 if third <= most_dice(rules) else TOO_MANY_DICE
        if rules[R_BLITZ] == BLITZ_NEVER:
            return NO_BLITZ
        if fourth != DECIDED and rules[R_BLITZ] == BLITZ_MUST:
            return ONLY_BLITZ
        return 0 if fourth < third else UNTIL_TOO_MANY
    if kind == DRAFT_ACTION:
        most = most_draft(world, rules, state, first)
        return _within(third, most, MORE_THAN_IN_HAND if most == state[TO_PLACE] else TERRITORY_FULL)
    if kind == OCCUPY_ACTION:
        least = least_occupy(state)
        if least < 0:
            return least
        if third < least:
            return BELOW_LEAST
        count = world[TERRITORIES]
        there = state[OWNER + count + state[TARGET]]
        if third > there + state[OWNER + count + state[SOURCE]] - 1:
            return LEAVE_ONE
        return 0 if third <= most_occupy(world, rules, state) else TERRITORY_FULL
    if kind == END_ACTION:
        return 0 if state[PHASE] == ATTACK else _wrong_phase(state)
    if kind == FORTIFY_ACTION:
        most = most_fortify(world, rules, state, first, second)
        return _within(third, most, LEAVE_ONE)
    if kind == CLAIM_ACTION:
        return check_claim(world, state, first)
    if kind == TRADE_ACTION:
        return check_trade(world, rules, state, first, second, third, fourth)
    return NO_SUCH_ACTION
