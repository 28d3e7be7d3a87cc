"""What chance decides: which territory is dealt, what a roll costs, which card is drawn.

An outcome is one number: the territory, the armies that the attacker loses, or the card. `outcomes` lists
them with whole-number weights; a search enumerates these, a record keeps the one that came, and bulk games
draw it with one uniform number. ``rolls`` is the table of `surefoot.risk.dice.roll_table`, int64, shape
(4, 4, 4), of the rules' kind of battle.
"""

from surefoot._jit import inlined, kernel

from .layout import (
    ALIVE,
    ARMY_COUNT,
    ATTACK,
    CAPITAL_OF,
    CARD_COUNT,
    COMMITTED,
    CONQUERED,
    DEAL,
    DECK,
    DECK_COUNT,
    DRAW,
    FORCED_HAND,
    LEAST,
    MUST_TRADE,
    NOBODY,
    OCCUPY,
    OWNER,
    PHASE,
    PLAYERS,
    R_CAPITALS,
    R_COIN,
    R_DEFENCE_DICE,
    ROLL,
    SEAT,
    SOURCE,
    TARGET,
    TERRITORIES,
    TERRITORY_COUNT,
    UNOWNED,
    UNTIL,
    WILD_CARDS,
)
from .legal import most_dice
from .turn import clear_attack, first_army, next_turn, own, win


@inlined
def is_chance(state):
    """Whether chance is next, and no player."""
    phase = state[PHASE]
    return phase in (ROLL, DEAL, DRAW)


@inlined
def attack_dice(rules, state):
    """How many dice the attacker rolls next."""
    return min(most_dice(rules), state[COMMITTED])


@inlined
def defence_dice(world, rules, state):
    """How many dice the defender rolls next."""
    most = 1 if rules[R_COIN] else rules[R_DEFENCE_DICE]
    return min(most, state[OWNER + world[TERRITORIES] + state[TARGET]])


@kernel
def outcomes(world, rules, state, rolls, codes, weights):
    """List what chance may bring next.

    Args:
        codes, weights: int64, shape (T + 2,) at least, filled from the front.

    Returns:
        how many outcomes there are; 0 where chance is not next.
    """
    count = world[TERRITORIES]
    found = 0
    if state[PHASE] == ROLL:
        attack = attack_dice(rules, state)
        defence = defence_dice(world, rules, state)
        for losses in range(min(attack, defence) + 1):
            codes[found] = losses
            weights[found] = rolls[attack, defence, losses]
            found += 1
    elif state[PHASE] == DEAL:
        for t in range(count):
            if state[OWNER + t] == NOBODY:
                codes[found] = t
                weights[found] = 1
                found += 1
    elif state[PHASE] == DRAW:
        for card in range(count + WILD_CARDS):
            if state[OWNER + 2 * count + card] == DECK:
                codes[found] = card
                weights[found] = 1
                found += 1
    return found


@kernel
def draw(world, rules, state, rolls, uniform):
    """The outcome that a uniform number from [0, 1) stands for; chance has to be next."""
    count = world[TERRITORIES]
    if state[PHASE] == ROLL:
        attack = attack_dice(rules, state)
        defence = defence_dice(world, rules, state)
        most = min(attack, defence)
        total = rolls[attack, defence, 0]
        for losses in range(1, most + 1):
            total += rolls[attack, defence, losses]
        left = uniform * total
        for losses in range(most):
            left -= rolls[attack, defence, losses]
            if left < 0:
                return losses
        return most
    # One of the territories without owner, or of the cards in the deck: the one of that rank.
    if state[PHASE] == DEAL:
        first = OWNER
        rank = int(uniform * state[UNOWNED])
        wanted = NOBODY
    else:
        first = OWNER + 2 * count
        rank = int(uniform * state[DECK_COUNT])
        wanted = DECK
    place = first
    while True:
        if state[place] == wanted:
            if rank == 0:
                return place - first
            rank -= 1
        place += 1


@kernel
def is_possible(world, rules, state, outcome):
    """Whether chance is next and may bring that outcome."""
    count = world[TERRITORIES]
    if state[PHASE] == ROLL:
        most = min(attack_dice(rules, state), defence_dice(world, rules, state))
        return outcome >= 0 and outcome <= most
    if state[PHASE] == DEAL:
        return outcome >= 0 and outcome < count and state[OWNER + outcome] == NOBODY
    if state[PHASE] == DRAW:
        in_deck = outcome >= 0 and outcome < count + WILD_CARDS
        return in_deck and state[OWNER + 2 * count + outcome] == DECK
    return False


@kernel
def resolve(world, rules, state, outcome):
    """Let chance bring ``outcome``, which has to be possible; the state goes on from there."""
    if state[PHASE] == ROLL:
        _fight(world, rules, state, outcome)
    elif state[PHASE] == DEAL:
        first_army(world, rules, state, outcome)
    else:
        count = world[TERRITORIES]
        state[OWNER + 2 * count + outcome] = state[SEAT]
        state[CARD_COUNT + 3 * count + state[SEAT]] += 1
        state[DECK_COUNT] -= 1
        next_turn(world, rules, state)


@inlined
def _fight(world, rules, state, losses):
    """One roll: the attacker loses ``losses`` armies, the defender the rest of what was compared."""
    count = world[TERRITORIES]
    source = OWNER + count + state[SOURCE]
    target = OWNER + count + state[TARGET]
    dice = attack_dice(rules, state)
    defended = min(dice, defence_dice(world, rules, state)) - losses
    state[source] -= losses
    state[target] -= defended
    state[COMMITTED] -= losses
    state[ARMY_COUNT + 3 * count + state[SEAT]] -= losses
    state[ARMY_COUNT + 3 * count + state[OWNER + state[TARGET]]] -= defended
    if state[target] == 0:
        _conquer(world, rules, state, dice)
    elif state[COMMITTED] <= state[UNTIL]:  # for one roll, UNTIL is more than any army
        clear_attack(state)
        state[PHASE] = ATTACK


@kernel
def _conquer(world, rules, state, dice):
    """The target changes hands; as many armies as dice were rolled move in at once."""
    count = world[TERRITORIES]
    seat = state[SEAT]
    loser = state[OWNER + state[TARGET]]
    own(world, state, state[TARGET], seat)
    state[OWNER + count + state[SOURCE]] -= dice
    state[OWNER + count + state[TARGET]] = dice
    state[CONQUERED] = 1
    state[COMMITTED] = 0
    state[UNTIL] = 0
    state[LEAST] = dice
    state[PHASE] = OCCUPY
    if state[TERRITORY_COUNT + 3 * count + loser] == 0 and loser < state[PLAYERS]:
        _eliminate(world, state, loser)
    if state[ALIVE] == 1 << seat or (rules[R_CAPITALS] and _holds_all_capitals(world, state)):
        win(state)


@kernel
def _eliminate(world, state, loser):
    """The loser is out; the seat takes its cards."""
    count = world[TERRITORIES]
    seat = state[SEAT]
    state[ALIVE] -= 1 << loser
    hands = CARD_COUNT + 3 * count
    if state[hands + loser] == 0:
        return
    for card in range(OWNER + 2 * count, OWNER + 3 * count + WILD_CARDS):
        if state[card] == loser:
            state[card] = seat
    state[hands + seat] += state[hands + loser]
    state[hands + loser] = 0
    state[MUST_TRADE] = 1 if state[hands + seat] >= FORCED_HAND else 0


@kernel
def _holds_all_capitals(world, state):
    for seat in range(state[PLAYERS]):
        capital = state[CAPITAL_OF + 3 * world[TERRITORIES] + seat]
        if capital != NOBODY and state[OWNER + capital] != state[SEAT]:
            return False
    return True
