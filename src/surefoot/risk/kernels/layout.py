"""The constants that kernels and their callers share: how a map, rules, a state and an action are laid out.

Everything is a flat vector, so that a search can copy a position with one ``np.copyto`` and hash its bytes.

* ``world`` (int32): the map. A header, then continent of each territory, bonus and size of each continent,
  kind of each card, the start of each territory's neighbours (one more than there are territories; the
  starts are places in ``world`` itself), and the neighbours.
* ``rules`` (int64): the switches, see below.
* ``state`` (int32): the game. A header, then for T territories and C continents::

      owner[T]              a seat, NOBODY, or HIDDEN in fog
      armies[T]             0 where nobody is or fog lies
      card_place[T + 2]     a seat, DECK, DISCARD, or HIDDEN; card t shows territory t, the last two are wild
      territory_count[7]    by seat, as are the next four
      army_count[7]
      card_count[7]
      reserve[7]            starting armies not on the map yet
      capital[7]            a territory, or NOBODY
      held[7 * C]           territories of each continent: word ``seat * C + continent``

  Words that mean nothing at the moment are 0, places NOBODY, so that equal games are equal vectors.

Seats are 0 to players - 1; the neutral, where there is one, is the seat after them.
"""

MAX_SEATS = 7  # six players, or two and the neutral
MAX_TERRITORIES = 1000
MAX_ARMIES = 1_000_000  # in one territory, when the rules set no lower limit
WILD_CARDS = 2

NOBODY = -1
HIDDEN = -3

# Places of a card that nobody holds.
DECK = -1
DISCARD = -2

# Kinds of card.
INFANTRY = 0
CAVALRY = 1
ARTILLERY = 2
WILD = 3

# Words of ``world``.
TERRITORIES = 0
CONTINENTS = 1
CONTINENT_OF = 2  # where continent[T] begins
BONUS = 3  # where bonus[C] begins
SIZE = 4  # where size[C] begins
CARD_KIND = 5  # where kind[T + 2] begins
NEAR = 6  # where start[T + 1] begins: neighbours of t are world[world[near + t] : world[near + t + 1]]
WORLD_HEADER = 8

# Words of a state's header.
PLAYERS = 0  # without the neutral
SEATS = 1  # with it
STATUS = 2
WINNER = 3  # a seat, or NOBODY
SEAT = 4  # whose turn it is
PHASE = 5
ROUND = 6  # 1 in the first; 0 before it
TO_PLACE = 7  # armies that the seat has in hand
ATTACKS = 8  # begun this turn
CONQUERED = 9  # 1 after the first conquest of the turn
MID_TURN = 10  # 1 from an elimination until its armies are placed: attacks go on afterwards
MUST_TRADE = 11  # 1 while the cards of an eliminated player force a trade
SETS = 12  # card sets traded so far, by everybody
SOURCE = 13  # the attack that is fought or just won, else NOBODY
TARGET = 14
COMMITTED = 15  # armies of it still fighting
UNTIL = 16  # as in the action
LEAST = 17  # armies that moved in at once, as many as the dice of the last roll
DECK_COUNT = 18
DISCARD_COUNT = 19
UNOWNED = 20  # territories without owner, while they are dealt or claimed
ALIVE = 21  # bit s for each seat that still plays; the neutral has none
OWNER = 24  # the header's size: owner[T] begins here

# Where the blocks lie, for T territories and C continents:
#   owner[t]           state[OWNER + t]
#   armies[t]          state[OWNER + T + t]
#   card_place[c]      state[OWNER + 2 * T + c]
#   territory_count[s] state[TERRITORY_COUNT + 3 * T + s], and so on
#   held[s, c]         state[HELD + 3 * T + s * C + c]
TERRITORY_COUNT = OWNER + WILD_CARDS
ARMY_COUNT = TERRITORY_COUNT + MAX_SEATS
CARD_COUNT = ARMY_COUNT + MAX_SEATS
RESERVE = CARD_COUNT + MAX_SEATS
CAPITAL_OF = RESERVE + MAX_SEATS
HELD = CAPITAL_OF + MAX_SEATS

# STATUS
RUNNING = 0
WON = 1
CAPPED = 2  # the last round is over and nobody has won

# PHASE
DEAL = 0  # chance: which territory the seat gets
CLAIM = 1
SETUP = 2  # placing the starting armies
CAPITAL = 3  # naming one's capital, by a claim
DRAFT = 4  # trading cards and placing armies
ATTACK = 5  # attacking, then fortifying or ending the turn
ROLL = 6  # chance: what the attacker loses
OCCUPY = 7
DRAW = 8  # chance: which card
OVER = 9
WAITING = 10  # only in an observation: another's turn, in fog

# Words of the packed rules (int64); seats, armies and limits as numbers, choices by the codes below.
R_PLAYERS = 0
R_NEUTRAL = 1
R_STARTING = 2  # armies of a seat at the start; 0 for one on each territory
R_CLAIMED = 3
R_SETUP_STEP = 4
R_DRAFT = 5
R_CARDS = 6
R_FORTIFY = 7
R_MAX_ATTACKS = 8  # 0 for no limit
R_BLITZ = 9
R_DEFENCE_DICE = 10
R_COIN = 11
R_FOG = 12
R_CAPITALS = 13
R_MAX_ARMIES = 14
R_ROUND_CAP = 15
RULES_SIZE = 16

# R_DRAFT
DRAFT_STANDARD = 0  # a third of the territories, at least three, and the continents
DRAFT_TERRITORIES = 1  # as many as territories

# R_CARDS
CARDS_NONE = 0
CARDS_PROGRESSIVE = 1
CARDS_FIXED = 2

# R_FORTIFY
FORTIFY_NONE = 0
FORTIFY_ADJACENT = 1
FORTIFY_CONNECTED = 2

# R_BLITZ: whether an attack may be fought on, must be, or is one roll
BLITZ_MAY = 0
BLITZ_MUST = 1
BLITZ_NEVER = 2

MAX_ATTACK_DICE = 3
MAX_HAND = 5  # so many cards at the start of a turn must be traded
MAX_AFTER_ELIMINATION = 4  # a forced trade in mid-turn goes on until so many are left
FORCED_HAND = 6  # so many cards after an elimination force one
PICTURE_BONUS = 2

# Kinds of action.
CLAIM_ACTION = 0
DRAFT_ACTION = 1
TRADE_ACTION = 2
ATTACK_ACTION = 3
OCCUPY_ACTION = 4
FORTIFY_ACTION = 5
END_ACTION = 6

# An action is one int64: kind, two territories or cards, two numbers, from the highest bits down. A trade
# keeps its third card in the first number and in the second the territory of the bonus, plus one.
KIND_SHIFT = 60
FIRST_SHIFT = 50
SECOND_SHIFT = 40
THIRD_SHIFT = 20
PLACE_MASK = (1 << 10) - 1
NUMBER_MASK = (1 << 20) - 1

# UNTIL: 0 until decided, n until at most n of the army are left, or for one roll.
DECIDED = 0
ONE_ROLL = NUMBER_MASK

# What `apply` answers when an action breaks a rule; 0 when all is well.
GAME_OVER = -1
CHANCE_IS_NEXT = -2
WRONG_PHASE = -3
NO_SUCH_TERRITORY = -4
NOT_UNOWNED = -5
NOT_OWN = -6
NOT_ENEMY = -7
NOT_ADJACENT = -8
NOT_CONNECTED = -9
AT_LEAST_ONE = -10
MORE_THAN_IN_HAND = -11
LEAVE_ONE = -12
TERRITORY_FULL = -13
MUST_TRADE_FIRST = -14
NO_CARDS = -15
NOT_YOUR_CARDS = -16
NOT_A_SET = -17
WRONG_BONUS = -18
NO_TRADE_NOW = -19
TOO_MANY_ATTACKS = -20
NO_BLITZ = -21
ONLY_BLITZ = -22
TOO_MANY_DICE = -23
UNTIL_TOO_MANY = -24
BELOW_LEAST = -25
NO_FORTIFY = -26
SAME_TERRITORY = -27
NO_SUCH_ACTION = -28


def state_size(territories: int, continents: int) -> int:
    """How many words a state has."""
    return HELD + 3 * territories + MAX_SEATS * continents
