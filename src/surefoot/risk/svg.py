"""Still pictures of a game of Risk, for notebooks, documents and reports."""

from html import escape
from typing import Final
from zlib import crc32

from surefoot import theme as themes
from surefoot.theme import Palette

from .geometry import Geometry, geometry
from .kernels.layout import HIDDEN, NOBODY
from .situation import Situation

_SMALLEST_FONT: Final = 4.0  # names in smaller letters are left out
_KEY_ROW: Final = 22.0  # height of the line below the map that says who is who


def svg(situation: Situation, *, theme: str = "light", size: int | None = None) -> str:
    """A picture of a situation, or of what a seat sees of it, as a standalone SVG.

    Nothing outside the picture is referred to. Owners are told apart by colour and by pattern; the neutral is
    grey; what fog hides is shown without armies.

    Args:
        situation: a game, a situation or an observation.
        theme: ``light`` or ``dark``.
        size: width in pixels; None to fill what the picture is put into.

    Raises:
        FormatError: there is no such theme.
    """
    colour = themes.load().palette(theme)
    plan = geometry(situation.worldmap)
    # Pictures on one page share their names; what is called the same has to look the same.
    name = f"m{crc32(''.join(plan.shapes).encode()):08x}-{theme}"
    width, height = plan.width, plan.height + _KEY_ROW
    look = f'role="img" font-family="{escape(themes.load().font)}" text-anchor="middle"'
    view = f'viewBox="0 0 {width:g} {height:g}"' + ("" if size is None else f' width="{size}"')
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {view} {look}>',
        f"<title>{escape(_summary(situation))}</title>",
        _definitions(plan, situation, colour, name),
        f'<rect width="{width:g}" height="{height:g}" fill="{colour["sea"]}"/>',
        *_land(plan, situation, colour, name),
        *_lines(plan, colour),
        *_continents(plan, situation, colour),
        *_names(plan, situation, colour),
        *_armies(plan, situation, colour),
        *_key(plan, situation, colour, name),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _summary(situation: Situation) -> str:
    state = f"round {situation.round}, seat {situation.turn} to move"
    if situation.winner is not None:
        state = f"won by seat {situation.winner}"
    elif situation.over:
        state = "over without a winner"
    return f"Risk on {situation.worldmap.name}: {state}"


def _fill_name(seat: int, players: int) -> str:
    """The theme's name for the colour of a seat, or of no seat."""
    if seat == NOBODY:
        return "unowned"
    if seat == HIDDEN:
        return "fog"
    return f"player-{seat}" if seat < players else "neutral"


def _fill(seat: int, players: int, colour: Palette, name: str) -> str:
    fill = _fill_name(seat, players)
    return f"url(#{name}-{fill})" if fill.startswith("player") else colour[fill]


def _definitions(plan: Geometry, situation: Situation, colour: Palette, name: str) -> str:
    patterns = [
        pattern.svg(f"{name}-player-{seat}", colour[f"player-{seat}"], colour[f"on-player-{seat}"])
        for seat, pattern in enumerate(themes.load().patterns[: situation.players])
    ]
    shapes = [f'<path id="{name}-{number}" d="{path}"/>' for number, path in enumerate(plan.shapes)]
    return "<defs>\n" + "\n".join(patterns + shapes) + "\n</defs>"


def _land(plan: Geometry, situation: Situation, colour: Palette, name: str) -> list[str]:
    lands = situation.worldmap.territories
    rims, fills = [], []
    for number, (land, seat) in enumerate(zip(lands, situation.owners.tolist())):
        rim = colour[f"continent-{land.continent % _tints(colour)}"]
        rims.append(f'<use href="#{name}-{number}" stroke="{rim}"/>')
        fill = _fill(seat, situation.players, colour, name)
        told = f"<title>{escape(_describe(situation, number))}</title>"
        fills.append(f'<use href="#{name}-{number}" fill="{fill}">{told}</use>')
    return [
        '<g fill="none" stroke-width="3" stroke-linejoin="round" stroke-opacity=".75">',
        *rims,
        "</g>",
        f'<g stroke="{colour["surface"]}" stroke-width=".9" stroke-linejoin="round">',
        *fills,
        "</g>",
    ]


def _describe(situation: Situation, number: int) -> str:
    seat, armies = int(situation.owners[number]), int(situation.armies[number])
    land = situation.worldmap.territories[number].name
    if seat == HIDDEN:
        return f"{land}: in the fog"
    if seat == NOBODY:
        return f"{land}: nobody's"
    return f"{land}: {_called(seat, situation.players)}, {_count(armies, 'army', 'armies')}"


def _called(seat: int, players: int) -> str:
    return f"seat {seat}" if seat < players else "neutral"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _tints(colour: Palette) -> int:
    return sum(name.startswith("continent-") for name in colour)


def _lines(plan: Geometry, colour: Palette) -> list[str]:
    if not plan.links and not plan.divides:
        return []
    drawn = [
        f'<path d="{link.path}"' + (' stroke-dasharray="1 3"' if link.one_way else "") + "/>"
        for link in plan.links
    ]
    divides = (
        f'<path d="{plan.divides}" stroke-dasharray="none" stroke-opacity=".7"/>' if plan.divides else ""
    )
    look = f'stroke="{colour["text"]}" stroke-width="1.1" stroke-linecap="round" stroke-dasharray="3 2.6"'
    return [f'<g fill="none" {look}>', *drawn, divides, "</g>"]


def _written(size: float, weight: int) -> str:
    """Attributes of text with a rim, so that it can be read on anything."""
    rim = f'stroke-width="{size / 4:.1f}" stroke-linejoin="round" paint-order="stroke"'
    return f'font-size="{size:g}" font-weight="{weight}" {rim}'


def _continents(plan: Geometry, situation: Situation, colour: Palette) -> list[str]:
    words = []
    for number, (continent, (x, y)) in enumerate(zip(situation.worldmap.continents, plan.continents)):
        if continent.bonus:
            tint = colour[f"continent-{number % _tints(colour)}"]
            spaced = f"{continent.name.upper()} +{continent.bonus}"
            words.append(f'<text x="{x:g}" y="{y:g}" fill="{tint}">{escape(spaced)}</text>')
    look = f'{_written(9, 600)} stroke="{colour["sea"]}" letter-spacing="1.2"'
    return [f"<g {look}>", *words, "</g>"] if words else []


def _names(plan: Geometry, situation: Situation, colour: Palette) -> list[str]:
    """On land in the ink that goes with the fill, in the sea in the colour of text."""
    if plan.font < _SMALLEST_FONT:
        return []  # each shape still carries its name as a title
    written: dict[str, list[str]] = {}
    for (x, y), lines, afloat, seat in zip(plan.labels, plan.names, plan.afloat, situation.owners.tolist()):
        first, *rest = [escape(line) for line in lines]
        more = "".join(
            f'<tspan x="{x:g}" y="{y + 1.1 * plan.font * row:.1f}">{line}</tspan>'
            for row, line in enumerate(rest, 1)
        )
        ground = "sea" if afloat else _fill_name(seat, situation.players)
        written.setdefault(ground, []).append(f'<text x="{x:g}" y="{y:g}">{first}{more}</text>')
    parts = [f"<g {_written(plan.font, 500)}>"]
    for ground, words in written.items():
        ink = colour.get(f"on-{ground}", colour["text"])
        parts += [f'<g fill="{ink}" stroke="{colour[ground]}">', *words, "</g>"]
    return [*parts, "</g>"]


def _armies(plan: Geometry, situation: Situation, colour: Palette) -> list[str]:
    radius, font = plan.badge, 1.25 * plan.badge
    badges, figures = [], []
    for (x, y), seat, armies in zip(plan.anchors, situation.owners.tolist(), situation.armies.tolist()):
        if seat < 0:
            continue
        half = max(radius, 0.31 * font * len(str(armies)) + 0.3 * radius)  # as wide as its digits
        size = f'width="{2 * half:.4g}" height="{2 * radius:g}" rx="{radius:g}"'
        badges.append(f'<rect x="{x - half:.1f}" y="{y - radius:.1f}" {size}/>')
        figures.append(f'<text x="{x:g}" y="{y + 0.36 * font:.1f}">{armies}</text>')
    return [
        f'<g fill="{colour["surface"]}" stroke="{colour["text"]}" stroke-width=".8">',
        *badges,
        "</g>",
        f'<g fill="{colour["text"]}" font-size="{font:.1f}" font-weight="600">',
        *figures,
        "</g>",
    ]


def _key(plan: Geometry, situation: Situation, colour: Palette, name: str) -> list[str]:
    """The line below the map: each seat's colour, territories and armies, as far as they are seen."""
    step = plan.width / situation.seats
    middle = plan.height + _KEY_ROW / 2
    font = min(9.0, step / 20)
    entries = []
    for seat, (lands, armies) in enumerate(zip(situation.territory_counts, situation.army_counts)):
        left = step * seat + 8
        told = f"{_called(seat, situation.players)}: {_count(lands, 'territory', 'territories')}"
        weight = ' font-weight="700"' if seat == situation.turn and not situation.over else ""
        fill = _fill(seat, situation.players, colour, name)
        entries.append(
            f'<rect x="{left:.1f}" y="{middle - 6:g}" width="12" height="12" rx="3" fill="{fill}" '
            f'stroke="{colour["text"]}" stroke-width=".8"/>'
            f'<text x="{left + 17:.1f}" y="{middle + font / 3:.1f}"{weight}>'
            f"{told}, {_count(armies, 'army', 'armies')}</text>"
        )
    return [f'<g font-size="{font:.1f}" text-anchor="start" fill="{colour["text"]}">', *entries, "</g>"]
