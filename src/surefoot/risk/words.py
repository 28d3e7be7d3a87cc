"""Actions in words."""

from collections.abc import Sequence

from .actions import Action, Attack, Claim, Draft, End, Fortify, Occupy, Trade


def instruction(action: Action, places: Sequence[str]) -> str:
    """An action as one says it to somebody who is to play it; ``places`` are the names of the territories."""
    match action:
        case Claim(territory):
            return f"Take {places[territory]}"
        case Draft(territory, armies):
            return f"Place {armies_in_words(armies)} in {places[territory]}"
        case Trade(cards, bonus):
            named = ", ".join(places[card] if card < len(places) else "a wild card" for card in cards)
            return f"Trade {named}" + ("" if bonus is None else f", with the extra armies in {places[bonus]}")
        case Attack(source, target, armies, until):
            stop = {"decided": "", "roll": ", one roll"}.get(str(until), f", until {until} are left")
            return f"Attack {places[target]} from {places[source]} with {armies}{stop}"
        case Occupy(armies):
            return f"Move {armies_in_words(armies)} in"
        case Fortify(source, target, armies):
            return f"Move {armies_in_words(armies)} from {places[source]} to {places[target]}"
        case End():
            return "End the turn"


def armies_in_words(number: int) -> str:
    """A number of armies as one says it."""
    return "1 army" if number == 1 else f"{number:,} armies"
