"""The words of a position, plainly: from lists and dictionaries, to check the compiled ones against."""

import math

from surefoot.risk.kernels import layout
from surefoot.risk.situation import Situation


def words(position: Situation) -> dict[int, dict[str, float]]:
    """By living player and word; see `surefoot.risk.kernels.value_words` for what each means."""
    world = position.worldmap
    players = range(position.players)
    living = [seat for seat in players if position.state[layout.ALIVE] >> seat & 1]
    owner = [int(seat) for seat in position.owners]
    armies = [int(number) for number in position.armies]
    lands = {seat: [t for t, who in enumerate(owner) if who == seat] for seat in range(position.seats)}
    continents = [
        [t for t, land in enumerate(world.territories) if land.continent == number]
        for number in range(len(world.continents))
    ]
    next_set = _next_set(position)
    chance = {0: 0.0, 1: 0.0, 2: 0.0, 3: 0.42, 4: 0.82}
    cards = {seat: position.card_counts[seat] for seat in living}
    sets = {seat: next_set * chance.get(cards[seat], 1.0) for seat in living}
    income, army, land = {}, {}, {}
    for seat in living:
        land[seat] = len(lands[seat])
        army[seat] = sum(armies[t] for t in lands[seat])
        held = [c.bonus for c, all_of in zip(world.continents, continents) if set(all_of) <= set(lands[seat])]
        income[seat] = (
            land[seat] if position.rules.draft == "territories" else max(3, land[seat] // 3) + sum(held)
        )
    gain = {seat: income[seat] + sets[seat] for seat in living}
    force = {seat: army[seat] + gain[seat] for seat in living}
    mean = {
        name: max(sum(of.values()) / len(living), 1)
        for name, of in (("land", land), ("army", army), ("income", income), ("force", force))
    }
    order = [(position.turn + step) % position.players for step in players]
    order = [seat for seat in order if seat in living]
    capitals = [
        (seat, int(position.state[layout.CAPITAL_OF + 3 * len(owner) + seat]))
        for seat in players
        if position.state[layout.CAPITAL_OF + 3 * len(owner) + seat] >= 0
    ]

    def strike(a: int, b: int) -> float:
        return (armies[a] - 1) / (armies[a] - 1 + armies[b])

    def borders(seat: int) -> list[tuple[int, int]]:
        """From another living player's territory to one of the seat's."""
        return [
            (a, b) for a, near in enumerate(world.neighbours) for b in near
            if owner[b] == seat and owner[a] != seat and owner[a] in living
        ]  # fmt: skip

    def danger(seat: int, other: int) -> float:
        near = sum(armies[a] for a in {a for a, _ in borders(seat) if owner[a] == other})
        return (near + gain[other]) / (near + gain[other] + army[seat]) if near else 0.0

    found = {}
    for seat in living:
        others = [other for other in living if other != seat]
        front = [t for t in lands[seat] if any(owner[n] != seat for n in world.neighbours[t])]
        around = [n for t in lands[seat] for n in world.neighbours[t]]
        bonuses = nearly = reach = threatened = 0.0
        for continent, members in zip(world.continents, continents):
            bonus = continent.bonus / mean["income"]
            mine = [t for t in members if owner[t] == seat]
            if mine == members:
                bonuses += bonus
                threatened += bonus * max([strike(a, b) for a, b in borders(seat) if b in members], default=0)
            elif mine:
                nearly += bonus * (len(mine) / len(members)) ** 2
                own = sum(armies[t] for t in mine) + gain[seat]
                there = sum(armies[t] for t in members if owner[t] != seat)
                reach = max(reach, bonus * (own / (own + there)) ** 2)
        found[seat] = {
            "land": land[seat] / len(owner),
            "land-log": math.log(max(land[seat] / mean["land"], 0.02)),
            "armies": army[seat] / (mean["army"] * len(living)),
            "armies-log": math.log(max(army[seat] / mean["army"], 0.02)),
            "income": income[seat] / (mean["income"] * len(living)),
            "income-log": math.log(max(income[seat] / mean["income"], 0.02)),
            "force": force[seat] / (mean["force"] * len(living)),
            "force-log": math.log(max(force[seat] / mean["force"], 0.02)),
            "bonuses": bonuses,
            "nearly": nearly,
            "reach": reach,
            "largest": max([armies[t] for t in lands[seat]], default=0) / max(army[seat], 1),
            "front": sum(armies[t] for t in front) / max(army[seat], 1),
            "front-largest": max([armies[t] for t in front], default=0) / mean["army"],
            "borders": len(front) / max(land[seat], 1),
            "compact": sum(owner[n] == seat for n in around) / max(len(around), 1),
            "pressure": sum(strike(a, b) for a, b in borders(seat)) / max(len(borders(seat)), 1),
            "threatened": threatened,
            "danger": max([danger(seat, other) for other in others], default=0),
            "danger-soon": max([danger(seat, other) for other in order[: order.index(seat)]], default=0),
            "prey": max([danger(other, seat) for other in others], default=0),
            "prey-cards": max([danger(other, seat) * cards[other] / 5 for other in others], default=0),
            "cards": cards[seat] / 5,
            "set": sets[seat] / mean["force"],
            "moves-now": float(seat == position.turn),
            "wait": order.index(seat) / max(len(living) - 1, 1),
            "capitals": sum(owner[t] == seat for _, t in capitals) / max(len(capitals), 1),
            "other-force": max([force[o] for o in others], default=0) / (mean["force"] * len(living)),
            "other-income": max([income[o] for o in others], default=0) / (mean["income"] * len(living)),
            "other-cards": max([cards[o] for o in others], default=0) / 5,
            "other-set": max([sets[o] for o in others], default=0) / mean["force"],
            "living": (len(living) - 2) / 4,
            "duel": float(len(living) == 2),
            "neutral": len(lands.get(position.players, [])) / len(owner),
            "density": math.log(max(sum(army.values()) / max(sum(land.values()), 1), 1)),
            "growth": sum(income.values()) / max(sum(army.values()), 1),
            "next-set": next_set / mean["army"],
        }
    return found


def _next_set(position: Situation) -> float:
    if position.rules.cards == "none":
        return 0.0
    if position.rules.cards == "fixed":
        return 9.0
    table = [4, 6, 8, 10, 12, 15]
    traded = position.sets_traded
    return table[traded] if traded < len(table) else 15 + 5 * (traded - 5)
