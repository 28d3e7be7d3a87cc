"""How the room that document B's agent thinks in is laid out, and the numbers that make it play differently.

The room is the ``scratch`` of the policies (see `policies_common`), int64, shape (ROOM_ROWS, len(world)); the
agent's rows lie behind theirs. The frames of the search's stack are columns of the frame rows, by ply; the
memory is what the agent keeps between two actions of a turn. The positions of a line of play are the rows of
``states`` (int32, shape (MAX_DEPTH + 1, state_size)), again by ply: every node has its own, made by copying
its parent's, so that nothing is ever taken back.
"""

from .layout import MAX_SEATS
from .policies_common import SCRATCH_ROWS

MAX_DEPTH = 16
"""Edges of the deepest tree."""

# Words of ``weights``: those of `features` come first.
DEPTH = 4
ATTACKS = 5  # in a turn
BATTLE = 6
TARGETS = 7
OPPONENTS = 8
REORDERINGS = 9  # 1 to search orders of independent attacks one by one, which changes nothing but the time
LARGEST = 10  # armies of a side in the tables of odds
ARMY = 11
DRAFT = 12
ODDS = 13  # where the tables begin, one for each kind of dice: ODDS_WORDS numbers for each pair from 0, 0 on

# Kinds of dice, in the order of their tables.
TWO_DICE = 0  # of the defender
THREE_DICE = 1
COIN = 2

# Words of a pair in a table of odds.
WIN = 0  # the chance
LEFT = 1  # attackers left if won, on average
HOLD = 2  # defenders left if lost, on average
ODDS_WORDS = 3

# BATTLE
CERTAIN = 0  # a attackers take the territory from d < a defenders, and a - d are left
EXPECTED = 1  # the likelier end of the two, with as many left as on average
CHANCE = 2  # both ends, each with as many left as on average

# TARGETS
ALL_TARGETS = 0
BEST_TARGET = 1  # of each territory: its weakest enemy neighbour

# ARMY
AVERAGE_ARMY = 0  # of attackers and defenders, rounded up
WHOLE_ARMY = 1

# DRAFT, of the agent itself; in the tree all draft by the ratios
DRAFT_BY_RATIOS = 0
DRAFT_BY_TREE = 1  # all on one territory, which the tree likes best

# OPPONENTS
PARANOID = 0  # all others want least for the one who thinks
MAXN = 1  # everybody wants most for themselves

# Rows for the map and the draft.
GROUND = SCRATCH_ROWS + 0  # see `draft`
ORDER = SCRATCH_ROWS + 1
RATIO = SCRATCH_ROWS + 2
CHOSEN = SCRATCH_ROWS + 3
SHARES = SCRATCH_ROWS + 4
PLANNED = SCRATCH_ROWS + 5  # memory: what of the draft is still to be placed, by territory
# Rows by word.
CONTROL = SCRATCH_ROWS + 6
MEMORY = SCRATCH_ROWS + 7
# Frames: rows by word, columns by ply.
SIDE = SCRATCH_ROWS + 8
USED = SCRATCH_ROWS + 9  # attacks made this turn
ALPHA = SCRATCH_ROWS + 10
BETA = SCRATCH_ROWS + 11
BEST = SCRATCH_ROWS + 12
BEST_MOVE = SCRATCH_ROWS + 13
NEXT = SCRATCH_ROWS + 14  # which move is looked at next
COUNT = SCRATCH_ROWS + 15  # how many moves there are
LISTED = SCRATCH_ROWS + 16  # and with those that are left out, which stand behind
MOVE = SCRATCH_ROWS + 17  # the move that is being looked at
FIRST_END = SCRATCH_ROWS + 18  # in chance nodes: the value of winning, once it is known
STAGE = SCRATCH_ROWS + 19  # 0 while winning is looked at, 1 for losing
KEY = SCRATCH_ROWS + 20  # the hash of owners and armies
HASH = SCRATCH_ROWS + 21  # that of the node, with whose turn it is
ENTRY_ALPHA = SCRATCH_ROWS + 22  # the window as the node was entered, for the table of positions
ENTRY_BETA = SCRATCH_ROWS + 23
KILLER = SCRATCH_ROWS + 24  # the attack that last cut a node at this ply short, or PASS
# Frames, a row for each seat.
VALUES = SCRATCH_ROWS + 25  # max-n: the best values so far
FIRST_VALUES = VALUES + MAX_SEATS  # and those of winning, in chance nodes
RETURNED = FIRST_VALUES + MAX_SEATS  # max-n: the values that a node returns, by seat
# Rows of a ply.
MOVES = RETURNED + 1
KEPT = MOVES + MAX_DEPTH + 1  # see `features`
ROOM_ROWS = KEPT + MAX_DEPTH + 1

# Words of CONTROL.
PLY = 0
RETURNING = 1  # 1 while a node that is done hands its value to its parent
VALUE = 2  # that value, and in the end the root's
ADVICE = 3  # in the end the root's move
NODES = 4
TABLE = 5  # where in ``weights`` the odds of the rules' dice begin

# Words of MEMORY. The first group belongs to PLANNED: the position that the rest of the draft is meant for.
DRAFT_SEAT = 0
DRAFT_LEFT = 1
DRAFT_HASH = 2
# The attack that was ordered last.
ATTACK_SEAT = 3
ATTACK_ROUND = 4
ATTACK_NUMBER = 5
ATTACK_SOURCE = 6
ATTACK_TARGET = 7
ATTACK_REST = 8  # armies that were left behind
THOUGHT = 9  # 1 if CONTROL holds the advice of a search from this very position

# A move is source and target, ten bits each; moves are sorted with a key in the bits above.
SOURCE_SHIFT = 10
TERRITORY_MASK = (1 << SOURCE_SHIFT) - 1
MOVE_BITS = 2 * SOURCE_SHIFT
PASS = (1 << MOVE_BITS) - 1
"""No attack: there is no territory of that number. Of moves of equal value the lowest is made, so that this
comes
last: whoever can win now or next turn as well would otherwise put it off for ever."""

# Columns of the table of positions.
TABLE_KEY = 0
TABLE_DEPTH = 1  # 4 times the edges below, and the kind of value
TABLE_VALUE = 2
TABLE_MOVE = 3
TABLE_WORDS = 4
EXACT = 1
AT_LEAST = 2
AT_MOST = 3

# Columns of the random numbers that a position's hash is made of, one row a territory and one more.
OWNER_BITS = 0
ARMY_BITS = 8
SIDE_BITS = 0  # in the last row
USED_BITS = 8  # in the last row: attacks made, of which a turn in the tree has at most MAX_DEPTH
HASH_COLUMNS = 32
