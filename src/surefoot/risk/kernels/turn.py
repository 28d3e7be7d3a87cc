"""How a game goes from one seat and phase to the next."""

from surefoot._jit import inlined, kernel

from .layout import (
    ALIVE,
    ARMY_COUNT,
    ATTACK,
    ATTACKS,
    CAPITAL,
    CAPITAL_OF,
    CAPPED,
    CARD_COUNT,
    CARDS_NONE,
    CLAIM,
    COMMITTED,
    CONQUERED,
    CONTINENT_OF,
    CONTINENTS,
    DEAL,
    DECK,
    DECK_COUNT,
    DISCARD,
    DISCARD_COUNT,
    DRAFT,
    DRAW,
    HELD,
    LEAST,
    MAX_HAND,
    MAX_SEATS,
    MID_TURN,
    MUST_TRADE,
    NOBODY,
    OVER,
    OWNER,
    PHASE,
    PLAYERS,
    R_CAPITALS,
    R_CARDS,
    R_CLAIMED,
    R_MAX_ARMIES,
    R_NEUTRAL,
    R_PLAYERS,
    R_ROUND_CAP,
    R_SETUP_STEP,
    R_STARTING,
    RESERVE,
    ROUND,
    RUNNING,
    SEAT,
    SEATS,
    SETUP,
    SOURCE,
    STATUS,
    TARGET,
    TERRITORIES,
    TERRITORY_COUNT,
    TO_PLACE,
    UNOWNED,
    UNTIL,
    WILD_CARDS,
    WINNER,
    WON,
)
from .legal import has_room, reinforcements


@kernel
def begin(world, rules, state):
    """Fill ``state`` with a new game, before the first territory is dealt or claimed."""
    count = world[TERRITORIES]
    for word in range(state.shape[0]):
        state[word] = 0
    players = rules[R_PLAYERS]
    state[PLAYERS] = players
    state[SEATS] = players + rules[R_NEUTRAL]
    state[STATUS] = RUNNING
    state[WINNER] = NOBODY
    state[SOURCE] = NOBODY
    state[TARGET] = NOBODY
    state[DECK_COUNT] = count + WILD_CARDS
    state[UNOWNED] = count
    state[ALIVE] = (1 << players) - 1
    for t in range(count):
        state[OWNER + t] = NOBODY
    for card in range(count + WILD_CARDS):
        state[OWNER + 2 * count + card] = DECK
    for seat in range(MAX_SEATS):
        state[CAPITAL_OF + 3 * count + seat] = NOBODY
    for seat in range(state[SEATS]):
        state[RESERVE + 3 * count + seat] = rules[R_STARTING]
    state[SEAT] = 0
    state[PHASE] = CLAIM if rules[R_CLAIMED] else DEAL


@inlined
def own(world, state, t, seat):
    """Make ``seat`` the owner of ``t``, in the counts as well; the armies are the caller's business."""
    count = world[TERRITORIES]
    continents = world[CONTINENTS]
    continent = world[world[CONTINENT_OF] + t]
    before = state[OWNER + t]
    if before >= 0:
        state[TERRITORY_COUNT + 3 * count + before] -= 1
        state[HELD + 3 * count + before * continents + continent] -= 1
    state[OWNER + t] = seat
    state[TERRITORY_COUNT + 3 * count + seat] += 1
    state[HELD + 3 * count + seat * continents + continent] += 1


@inlined
def place(world, state, t, armies):
    """Put new armies on ``t``."""
    count = world[TERRITORIES]
    state[OWNER + count + t] += armies
    state[ARMY_COUNT + 3 * count + state[OWNER + t]] += armies


@kernel
def first_army(world, rules, state, t):
    """Give ``t`` with its first army to the seat, and go on to the next."""
    count = world[TERRITORIES]
    own(world, state, t, state[SEAT])
    place(world, state, t, 1)
    if rules[R_STARTING]:
        state[RESERVE + 3 * count + state[SEAT]] -= 1
    state[UNOWNED] -= 1
    if state[UNOWNED] == 0:
        _spread_neutral(world, rules, state)
        state[SEAT] = state[PLAYERS] - 1
        next_setup(world, rules, state)
        return
    state[SEAT] = (state[SEAT] + 1) % state[SEATS]
    # The neutral claims nothing: what it gets is dealt to it.
    state[PHASE] = CLAIM if rules[R_CLAIMED] and state[SEAT] < state[PLAYERS] else DEAL


@kernel
def _spread_neutral(world, rules, state):
    """Place the neutral's armies in turn on its territories, as evenly as they go."""
    if state[SEATS] == state[PLAYERS]:
        return
    count = world[TERRITORIES]
    neutral = state[PLAYERS]
    reserve = RESERVE + 3 * count + neutral
    while state[reserve] > 0 and has_room(world, rules, state, neutral):
        for t in range(count):
            if (
                state[OWNER + t] == neutral
                and state[reserve] > 0
                and state[OWNER + count + t] < rules[R_MAX_ARMIES]
            ):
                place(world, state, t, 1)
                state[reserve] -= 1
    state[reserve] = 0


@kernel
def next_setup(world, rules, state):
    """Let the next player place starting armies; when nobody has any, go on to capitals or the first turn."""
    count = world[TERRITORIES]
    for step in range(1, state[PLAYERS] + 1):
        seat = (state[SEAT] + step) % state[PLAYERS]
        reserve = RESERVE + 3 * count + seat
        if state[reserve] > 0 and not has_room(world, rules, state, seat):
            state[reserve] = 0
        if state[reserve] > 0:
            state[SEAT] = seat
            state[PHASE] = SETUP
            state[TO_PLACE] = min(state[reserve], rules[R_SETUP_STEP])
            return
    state[TO_PLACE] = 0
    state[SEAT] = 0
    if rules[R_CAPITALS]:
        state[PHASE] = CAPITAL
    else:
        state[ROUND] = 1
        _begin_turn(world, rules, state)


@kernel
def name_capital(world, rules, state, t):
    """Make ``t`` the seat's capital, and go on to the next seat or the first turn."""
    state[CAPITAL_OF + 3 * world[TERRITORIES] + state[SEAT]] = t
    if state[SEAT] + 1 < state[PLAYERS]:
        state[SEAT] += 1
        return
    state[SEAT] = 0
    state[ROUND] = 1
    _begin_turn(world, rules, state)


@kernel
def _begin_turn(world, rules, state):
    seat = state[SEAT]
    state[PHASE] = DRAFT
    state[ATTACKS] = 0
    state[CONQUERED] = 0
    state[MID_TURN] = 0
    state[TO_PLACE] = reinforcements(world, rules, state, seat)
    cards = state[CARD_COUNT + 3 * world[TERRITORIES] + seat]
    state[MUST_TRADE] = 1 if cards >= MAX_HAND and rules[R_CARDS] != CARDS_NONE else 0
    settle_draft(world, rules, state)


@inlined
def settle_draft(world, rules, state):
    """Go on to the attacks when nothing is left to trade or to place; what finds no room is lost."""
    if state[MUST_TRADE]:
        return
    if state[TO_PLACE] == 0 or not has_room(world, rules, state, state[SEAT]):
        state[TO_PLACE] = 0
        state[MID_TURN] = 0
        state[PHASE] = ATTACK


@inlined
def end_turn(world, rules, state):
    """Draw a card if one was earned and there is one, then go on to the next seat."""
    count = world[TERRITORIES]
    if state[CONQUERED] and rules[R_CARDS] != CARDS_NONE:
        if state[DECK_COUNT] == 0 and state[DISCARD_COUNT] > 0:
            for card in range(OWNER + 2 * count, OWNER + 3 * count + WILD_CARDS):
                if state[card] == DISCARD:
                    state[card] = DECK
            state[DECK_COUNT] = state[DISCARD_COUNT]
            state[DISCARD_COUNT] = 0
        if state[DECK_COUNT] > 0:
            state[PHASE] = DRAW
            return
    next_turn(world, rules, state)


@kernel
def next_turn(world, rules, state):
    """Let the next living seat begin its turn; after the last round the game is over."""
    before = state[SEAT]
    seat = before
    while True:
        seat = (seat + 1) % state[PLAYERS]
        if state[ALIVE] >> seat & 1:
            break
    if seat <= before:
        if state[ROUND] >= rules[R_ROUND_CAP]:
            state[CONQUERED] = 0
            state[ATTACKS] = 0
            state[STATUS] = CAPPED
            state[PHASE] = OVER
            return
        state[ROUND] += 1
    state[SEAT] = seat
    _begin_turn(world, rules, state)


@inlined
def clear_attack(state):
    """Forget the attack that was fought."""
    state[SOURCE] = NOBODY
    state[TARGET] = NOBODY
    state[COMMITTED] = 0
    state[UNTIL] = 0
    state[LEAST] = 0


@inlined
def win(state):
    """The seat has won."""
    clear_attack(state)
    state[CONQUERED] = 0
    state[ATTACKS] = 0
    state[MUST_TRADE] = 0
    state[STATUS] = WON
    state[WINNER] = state[SEAT]
    state[PHASE] = OVER
