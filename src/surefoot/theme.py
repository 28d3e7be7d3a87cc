"""Colours, patterns and type, from ``theme.toml``: the page takes them as CSS, still pictures by name.

>>> load().light["sea"]
'#dce8ee'
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from .errors import FormatError

Palette = Mapping[str, str]
"""Colours as ``#rrggbb`` by name; the names are those of the CSS variables without the dashes."""

THEMES: Final = ("light", "dark")
_FIRST: Final = {"number": 1, "risk": 0, "player": 0, "continent": 0}
"""The lists of colours, and the number of the first of each."""
_WRITTEN_ON: Final = ("accent", "risk", "player", "neutral")
"""The fills that carry text; its colour is called ``on-`` and the fill's name."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is drawn over a player's colour, so that players are told apart without colours.

    Args:
        name: one word.
        size: side of the square that is repeated.
        opacity: of the ink, 0 to 1.
        stroke: SVG path data drawn as lines of width 1; may be empty.
        fill: SVG path data that is filled; may be empty.
    """

    name: str
    size: int
    opacity: float
    stroke: str
    fill: str

    def svg(self, name: str, colour: str, ink: str) -> str:
        """An SVG ``<pattern>`` with the id ``name``; colour and ink are anything SVG takes as a colour."""
        side = f'width="{self.size}" height="{self.size}"'
        parts = [f'<rect {side} fill="{colour}"/>']
        if self.stroke:
            look = f'fill="none" stroke="{ink}" stroke-opacity="{self.opacity}"'
            parts.append(f'<path d="{self.stroke}" {look}/>')
        if self.fill:
            parts.append(f'<path d="{self.fill}" fill="{ink}" fill-opacity="{self.opacity}"/>')
        return f'<pattern id="{name}" {side} patternUnits="userSpaceOnUse">{"".join(parts)}</pattern>'


@dataclass(frozen=True, slots=True)
class Theme:
    """Everything that ``theme.toml`` says.

    Args:
        font: the font stack, as CSS takes it.
        light: the colours on light ground.
        dark: the same names on dark ground.
        patterns: one for each player.
    """

    font: str
    light: Palette
    dark: Palette
    patterns: tuple[Pattern, ...]

    def palette(self, name: str) -> Palette:
        """The colours of ``light`` or ``dark``.

        Raises:
            FormatError: there is no such theme.
        """
        if name not in THEMES:
            raise FormatError(f"unknown theme {name[:40]!r} (known: {', '.join(THEMES)})")
        return self.light if name == "light" else self.dark


@cache
def load() -> Theme:
    """The theme."""
    data = tomllib.loads((resources.files("surefoot") / "theme.toml").read_text(encoding="utf-8"))
    drawn = data["patterns"]
    patterns = [
        Pattern(kind["name"], drawn["size"], drawn["opacity"], kind.get("stroke", ""), kind.get("fill", ""))
        for kind in drawn["kinds"]
    ]
    light, dark = (_palette(data[name], data["risk"], data["inks"]) for name in THEMES)
    return Theme(data["font"], light, dark, tuple(patterns))


@cache
def css() -> str:
    """The theme as a style sheet of variables: ``--ground``, ``--player-0``, ``--on-player-0``, ``--font``.

    Light on ``:root``; dark where the system asks for it, unless the page has ``data-theme="light"``, and
    wherever the page has ``data-theme="dark"``.
    """
    theme = load()
    light = f"--font:{theme.font};color-scheme:light;{_variables(theme.light)}"
    dark = f"color-scheme:dark;{_variables(theme.dark)}"
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme: dark){{:root:not([data-theme=light]){{{dark}}}}}\n"
        f":root[data-theme=dark]{{{dark}}}\n"
    )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours ``#rrggbb``, 1 to 21, as WCAG 2.2 defines it."""
    dim, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


def _variables(palette: Palette) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in palette.items())


def _palette(entries: dict[str, Any], risk: list[str], inks: list[str]) -> Palette:
    colours: dict[str, str] = {}
    for name, entry in {**entries, "risk": risk}.items():
        fills = {name: entry} if isinstance(entry, str) else _numbered(name, entry)
        colours |= fills
        if name in _WRITTEN_ON:
            colours |= {f"on-{fill}": _ink(colour, inks) for fill, colour in fills.items()}
    return MappingProxyType(colours)


def _numbered(name: str, colours: list[str]) -> dict[str, str]:
    return {f"{name}-{number}": colour for number, colour in enumerate(colours, _FIRST[name])}


def _ink(fill: str, inks: list[str]) -> str:
    """The ink that is easier to read on a fill."""
    return max(inks, key=lambda ink: contrast(ink, fill))


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
