"""The words in which a position after a guess is described to the network; each is about 0 to 1."""

# Of the position
SURVIVAL = 0  # the chance to survive the next guess
GOES_ON = 1  # whether a living cell is proved safe
LIVING_SAFE = 2  # how many are, up to 8, in eighths
SAFE_AT_SIGHT = 3  # cells that single numbers prove safe, the same way
ALL_SAFE = 4  # cells proved safe, the same way
BEST = 5  # the safety of the safest living cell that is not proved safe, of the next, and of the third
SECOND = 6
THIRD = 7
DOUBT = 8  # sum of p (1 - p) over the frontier
TOSSES = 9  # frontier cells about as likely a mine as not
UNCERTAIN = 10  # frontier cells
GROWING = 11  # those beside untouched ground
FLOATING_CELLS = 12  # untouched ground: unknown cells beside no number
FLOATING_ODDS = 13  # and how likely one is a mine
BEYOND = 14  # untouched cells beside proved safe ones, counted once for each
UNKNOWN_CELLS = 15
PARTS = 16  # components
ENTERING = 27  # sum over the components of -ln of their safest cell
TOSSED_PARTS = 28  # components in which no cell is much safer than a toss
TELLING = 29  # frontier cells beside proved safe ones, counted once for each
CORNERS = 30  # unknown corners
EDGE = 31  # unknown cells along the walls
LAYOUTS = 32  # natural logarithm of the layouts
MINES = 33  # mines not yet found
THREATS = 34  # what threats remain
SMALL_PARTS = 35  # components of at most five cells

# Of the guess
NEWS = 17  # -ln of the chance that it shows this number
LOWEST = 18  # whether it is the lowest number it could show
CHANCE = 19  # the chance that it is safe and shows this number
RISK = 20
SETTLED = 21  # what it settles of threats
AROUND = 22  # its unknown neighbours
AROUND_UNTOUCHED = 23  # those on untouched ground
UNTOUCHED = 24  # whether it lies there itself
WALLS = 25  # walls beside it
MINES_AROUND = 26  # known mines beside it

FEATURES = 36
