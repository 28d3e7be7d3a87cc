"""Looking for actions: the same questions that `check` asks, about every territory in turn."""

from surefoot._jit import kernel

from .layout import (
    ATTACK,
    ATTACK_ACTION,
    CLAIM_ACTION,
    DRAFT,
    DRAFT_ACTION,
    FORTIFY_ACTION,
    PHASE,
    SETUP,
    TERRITORIES,
)
from .legal import check_claim, most_attack, most_draft, most_fortify


@kernel
def choices_from(world, rules, state, source, rows):
    """What the seat may do from territory ``source``.

    Args:
        rows: int64, shape (2 T, 3) at least, filled from the front: kind of action, target (0 where there
            is none), and the most armies (1 for a claim).

    Returns:
        how many rows were filled.
    """
    phase = state[PHASE]
    found = 0
    if phase == ATTACK:
        for target in range(world[TERRITORIES]):
            most = most_attack(world, rules, state, source, target)
            if most > 0:
                rows[found, 0] = ATTACK_ACTION
                rows[found, 1] = target
                rows[found, 2] = most
                found += 1
        for target in range(world[TERRITORIES]):
            most = most_fortify(world, rules, state, source, target)
            if most > 0:
                rows[found, 0] = FORTIFY_ACTION
                rows[found, 1] = target
                rows[found, 2] = most
                found += 1
    elif phase in (DRAFT, SETUP):
        most = most_draft(world, rules, state, source)
        if most > 0:
            rows[found, 0] = DRAFT_ACTION
            rows[found, 1] = 0
            rows[found, 2] = most
            found += 1
    elif check_claim(world, state, source) == 0:
        rows[found, 0] = CLAIM_ACTION
        rows[found, 1] = 0
        rows[found, 2] = 1
        found += 1
    return found
