"""What clients see of a game of Risk: plain JSON values, of what the viewer sees alone."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from surefoot.risk.actions import END, Trade
from surefoot.risk.cards import sets, value
from surefoot.risk.kernels import choices as kernel
from surefoot.risk.kernels import layout, legal
from surefoot.risk.policy import dice_of
from surefoot.risk.situation import Phase, Situation

from .odds import odds
from .players import HUMAN, NEUTRAL

MOST_SETS: Final = 30
"""Card sets offered, the most worth first; a hand taken over from others may hold thousands."""
MOST_MARCHES: Final = 3_000
"""Ways to fortify that are offered, from the largest stacks on; on a grid there may be 100,000."""

Json = dict[str, Any]


def human_turn(game: Situation, players: Sequence[str]) -> bool:
    """Whether a person is to move."""
    return not game.over and players[game.turn] == HUMAN


def viewer_of(game: Situation, players: Sequence[str]) -> int | None:
    """Whose eyes the game is seen with: the person whose turn it is or comes next, or nobody's."""
    order = [(game.turn + step) % game.players for step in range(game.players)]
    return next((seat for seat in order if players[seat] == HUMAN and game.alive[seat]), None)


def position(seen: Situation, viewer: int | None, players: Sequence[str], names: Sequence[str]) -> Json:
    """The part of the view that tells how the game stands.

    Args:
        seen: what the viewer sees; the game itself if there is none.
        viewer: a seat, or None.
        players: who plays each seat, without the neutral.
        names: what the seats are called, the neutral included.
    """
    human = human_turn(seen, players)
    hand = () if viewer is None else seen.hand(viewer)
    return {
        "map": seen.worldmap.name,
        "rules": str(seen.rules),
        "preset": str(seen.rules).partition(":")[0],
        "seats": list(_seats(seen, viewer, players, names)),
        "owners": seen.owners.tolist(),
        "armies": seen.armies.tolist(),
        "turn": seen.turn,
        "round": seen.round,
        "phase": seen.phase.name.lower(),
        "to_place": seen.to_place,
        "must_trade": seen.must_trade,
        "conquered": seen.conquered,
        "human": human,
        "viewer": viewer,
        "hand": [_card(seen, card) for card in hand],
        "sets": _sets(seen, hand) if human else [],
        "next_set": _next_set(seen),
        "choices": _choices(seen) if human else None,
        "blitz": seen.rules.blitz,
        "dice": int(legal.most_dice(seen.packed)),
        "attack": None if seen.attack is None else list(seen.attack),
        "outcome": seen.outcome.name.lower(),
        "winner": seen.winner,
    }


def _seats(
    seen: Situation, viewer: int | None, players: Sequence[str], names: Sequence[str]
) -> Iterator[Json]:
    territories, armies, cards = seen.territory_counts, seen.army_counts, seen.card_counts
    reserves, capitals, alive = seen.reserves, seen.capitals, seen.alive
    foggy = seen.rules.fog and not seen.over and viewer is not None
    for seat, player in enumerate((*players, NEUTRAL)[: seen.seats]):
        plays = seat < seen.players
        hidden = foggy and seat != viewer
        yield {
            "name": names[seat],
            "player": player,
            "alive": alive[seat] if plays else hidden or territories[seat] > 0,
            "territories": territories[seat],
            "armies": armies[seat],
            "cards": None if hidden and plays else cards[seat] if plays else 0,
            "income": None if hidden and plays else seen.reinforcements(seat) if plays and alive[seat] else 0,
            "reserve": None if hidden and plays else reserves[seat] if plays else 0,
            "capital": capitals[seat] if plays and capitals[seat] >= 0 else None,
        }


def _card(seen: Situation, card: int) -> Json:
    pictured = card < len(seen.worldmap.territories)
    return {"card": card, "kind": seen.worldmap.card_kind(card), "territory": card if pictured else None}


def _sets(seen: Situation, hand: Sequence[int]) -> list[Json]:
    if len(hand) < 3 or seen.phase is not Phase.DRAFT or seen.rules.cards == "none":
        return []
    worldmap, rules, owners = seen.worldmap, seen.rules, seen.owners
    found: list[tuple[int, int, Trade]] = []
    for cards in sets(worldmap, hand):
        pictured: list[int | None] = [
            card for card in cards if card < len(owners) and owners[card] == seen.turn
        ]
        wild = sum(card >= len(owners) for card in cards)
        worth = value(worldmap, rules, cards, seen.sets_traded)
        found += [(worth, wild, Trade(cards, on)) for on in pictured or [None]]
    # Whether a set may be traded now depends on the turn, and not on the set.
    if not found or seen.broken_rule(found[0][2]) is not None:
        return []
    found.sort(key=lambda offer: (-offer[0], offer[2].bonus is None, offer[1]))
    return [
        {"cards": list(trade.cards), "on": trade.bonus, "worth": worth}
        for worth, _, trade in found[:MOST_SETS]
    ]


def _next_set(seen: Situation) -> int | None:
    if seen.rules.cards != "progressive":
        return None
    return int(legal.set_value(seen.packed, seen.sets_traded, layout.INFANTRY))


def _choices(seen: Situation) -> Json:
    """What the person to move may do."""
    attacking = seen.phase is Phase.ATTACK
    places = [] if attacking else _places(seen)
    claiming = seen.phase in (Phase.CLAIM, Phase.CAPITAL)
    return {
        "claim": places if claiming else [],
        "draft": [] if claiming else places,
        "attack": list(_attacks(seen)) if attacking else [],
        "fortify": _marches(seen) if attacking else [],
        "occupy": None if seen.occupation is None else list(seen.occupation),
        "end": seen.broken_rule(END) is None,
    }


def _places(seen: Situation) -> list[int]:
    """Territories that may be claimed, or take armies."""
    rows = np.empty((2, 3), np.int64)
    candidates = np.flatnonzero((seen.owners == seen.turn) | (seen.owners == layout.NOBODY)).tolist()
    world, packed, state = seen.worldmap.world, seen.packed, seen.state
    return [t for t in candidates if kernel.choices_from(world, packed, state, t, rows)]


def _attacks(seen: Situation) -> Iterator[list[int]]:
    owners, armies, turn = seen.owners.tolist(), seen.armies.tolist(), seen.turn
    world, packed, state = seen.worldmap.world, seen.packed, seen.state
    dice = dice_of(seen.rules)
    for source, near in enumerate(seen.worldmap.neighbours):
        if owners[source] != turn or armies[source] < 2:
            continue
        for target in near:
            if owners[target] == turn:
                continue
            most = int(legal.most_attack(world, packed, state, source, target))
            if most > 0:
                yield [source, target, most, *odds(most, armies[target], dice)]


def _marches(seen: Situation) -> list[list[int]]:
    """Ways to fortify: from, to, and the most armies.

    The rules' own question, `legal.most_fortify`, looks for a way anew for every pair, which on a large map
    takes seconds; here it is looked for once a stack.
    """
    if seen.rules.fortify == "none":
        return []
    owners, armies, turn = seen.owners.tolist(), seen.armies.tolist(), seen.turn
    full = seen.rules.max_armies or layout.MAX_ARMIES
    sources = [t for t, owner in enumerate(owners) if owner == turn and armies[t] > 1]
    sources.sort(key=lambda t: -armies[t])
    found: list[list[int]] = []
    for source in sources:
        near = seen.worldmap.neighbours[source]
        if seen.rules.fortify == "connected":
            reached = _reached(seen.worldmap.neighbours, owners, source)
        else:
            reached = [t for t in near if owners[t] == turn]
        for target in reached:
            most = min(armies[source] - 1, full - armies[target])
            if most > 0:
                found.append([source, target, most])
        if len(found) >= MOST_MARCHES:
            break
    return found[:MOST_MARCHES]


def _reached(neighbours: Sequence[Sequence[int]], owners: Sequence[int], source: int) -> list[int]:
    """Where one comes from ``source`` through territories of its owner, in rising order."""
    owner = owners[source]
    reached, fresh = {source}, [source]
    while fresh:
        for near in neighbours[fresh.pop()]:
            if owners[near] == owner and near not in reached:
                reached.add(near)
                fresh.append(near)
    return sorted(reached - {source})
