"""The text of a game's rules: a named family and the switches that differ from it.

Both games write and read their rules this way, such as ``minai:start=0,0;flood=yes``. Rules are frozen
dataclasses whose fields are the switches.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from surefoot.errors import FormatError, RulesError

R = TypeVar("R")


def rules_text(rules: Any, families: Mapping[str, Any]) -> str:
    """The family nearest to ``rules`` and, after a colon, what differs from it."""
    family, differing = min(
        ((name, _differences(rules, base)) for name, base in families.items()), key=lambda item: len(item[1])
    )
    return family + (":" + ";".join(differing) if differing else "")


def _differences(rules: Any, base: Any) -> list[str]:
    return [
        f"{field.name}={_show(getattr(rules, field.name))}"
        for field in fields(rules)
        if getattr(rules, field.name) != getattr(base, field.name)
    ]


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse_rules(text: str, families: Mapping[str, R], read: Callable[[str, str], object]) -> R:
    """Read the text of some rules; ``read`` turns a switch's name and text into its value.

    Raises:
        FormatError: an unknown family or switch, or a value that it does not take.
    """
    family, _, differing = text.strip().partition(":")
    if family not in families:
        raise FormatError(f"unknown rules {family[:40]!r} (known: {', '.join(families)})")
    base: Any = families[family]
    changes: dict[str, Any] = {}
    for part in filter(None, differing.split(";")):
        name, _, value = part.partition("=")
        if name not in {field.name for field in fields(base)}:
            raise FormatError(f"unknown switch {name[:40]!r}")
        changes[name] = read(name, value)
    try:
        changed: R = replace(base, **changes)
    except RulesError as error:
        raise FormatError(str(error)) from None
    return changed


def read_yes_no(name: str, value: str) -> bool:
    """The value of a switch that is on or off.

    Raises:
        FormatError: it is neither ``yes`` nor ``no``.
    """
    if value not in ("yes", "no"):
        raise FormatError(f"{name} is yes or no, not {value[:40]!r}")
    return value == "yes"
