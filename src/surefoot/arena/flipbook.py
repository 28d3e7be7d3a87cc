"""An animated SVG out of still ones: what frames have in common is drawn once.

The stills are taken apart into their elements, and the elements of all frames put into one list, in which
those of every single frame stand in their order. Each is then visible while the frames last that it belongs
to. Styles do that, no script, so that the film also plays where a page shows it as an image; it runs in a
loop, and who wants no motion sees the last frame.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple
from xml.etree import ElementTree
from zlib import crc32

from surefoot import theme as themes

_SPACE = "{http://www.w3.org/2000/svg}"
_HOLD = 3.0
"""Seconds that the last frame stays longer than others."""

_GROUPS = ("g", "defs")
_LARGEST, _SMALLEST = 16.0, 5.0
"""Of the caption's letters, in units of the picture."""
_LETTER = 0.56
"""Width of a letter over its height, on the average of plain text."""


class Frame(NamedTuple):
    """A still SVG, and what is written below it."""

    picture: str
    caption: str


def film(frames: Sequence[Frame], *, title: str, speed: float = 4.0, theme: str = "light") -> str:
    """An SVG that shows frames one after another, over and over.

    Args:
        frames: at least one; pictures of one size, that differ in parts.
        title: what the whole is called, for those who cannot see it.
        speed: frames a second.
        theme: of the captions: ``light`` or ``dark``.

    Raises:
        ValueError: there is no frame, or their sizes differ.
        FormatError: there is no such theme.
    """
    if not frames:
        raise ValueError("a film has at least one frame")
    roots = [ElementTree.fromstring(frame.picture) for frame in frames]
    if len({root.get("viewBox") for root in roots}) > 1:
        raise ValueError("the pictures of a film have one size")
    book = _Group("", "", range(len(frames)))
    for number, root in enumerate(roots):
        book.add(list(root), number)
    # A page that takes in the whole SVG shares its styles, hence a name of its own.
    timing = _Timing(f"film-{crc32(repr(frames).encode()):08x}", len(frames), speed)
    drawn = "".join(book.drawn(timing))
    return _bound(roots[0], drawn, [frame.caption for frame in frames], timing, title, theme)


class _Leaf:
    """What is drawn as it is: its text, and the numbers of the frames it belongs to."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.frames: list[int] = []

    def drawn(self, timing: "_Timing") -> Iterator[str]:
        yield self.text


class _Group:
    """Elements one within another, or one after another; those of each frame in their order.

    Args:
        tag: the element around them, or nothing.
        text: its opening tag.
        frames: the numbers of the frames it belongs to, as far as they are known.
    """

    def __init__(self, tag: str, text: str, frames: Sequence[int] = ()) -> None:
        self.tag = tag
        self.text = text
        self.frames = list(frames)
        self._parts: list[_Leaf | _Group] = []
        self._known: set[str] = set()

    def add(self, elements: Sequence[ElementTree.Element], frame: int) -> None:
        """Another frame has these elements."""
        at = 0
        for element in _taken_apart(elements):
            tag = _name(element)
            part: _Leaf | _Group
            part = _Group(tag, f"{_opening(element)}>") if tag in _GROUPS else _Leaf(_written(element))
            at = self._place(part, at)
            part = self._parts[at]
            part.frames.append(frame)
            if isinstance(part, _Group):
                part.add(list(element), frame)
            at += 1

    def _place(self, part: "_Leaf | _Group", at: int) -> int:
        """Where one like ``part`` stands, from ``at`` on; if none does, ``part`` is put there."""
        if part.text in self._known:
            for place in range(at, len(self._parts)):
                if self._parts[place].text == part.text:
                    return place
        self._known.add(part.text)
        self._parts.insert(at, part)
        return at

    def drawn(self, timing: "_Timing") -> Iterator[str]:
        """The SVG of what is in it, each part visible at its time."""
        yield self.text
        # Nothing has to be said of what is there as long as its group is.
        named = (None if part.frames == self.frames else timing.name(part.frames) for part in self._parts)
        for name, parts in groupby(zip(named, self._parts), itemgetter(0)):
            yield f'<g class="{name}">' if name else ""
            for _, part in parts:
                yield from part.drawn(timing)
            yield "</g>" if name else ""
        yield f"</{self.tag}>" if self.tag else ""


class _Timing:
    """When frames are shown, as style rules; equal times share a name.

    Args:
        film: a class that the film alone carries.
        frames: how many there are.
        speed: frames a second.
    """

    def __init__(self, film: str, frames: int, speed: float) -> None:
        self.film = film
        self._frames = frames
        self._speed = speed
        self.seconds = frames / speed + _HOLD
        self._names: dict[tuple[int, ...], str] = {}

    def name(self, frames: Sequence[int]) -> str:
        """The class of what is seen during these frames, given in rising order."""
        ends = [now + 1 for now, then in pairwise(frames) if then > now + 1]
        begins = [then for now, then in pairwise(frames) if then > now + 1]
        turns = sorted([frames[0], *ends, *begins, frames[-1] + 1])
        return self._names.setdefault(tuple(turns), f"f{len(self._names)}")

    def styles(self) -> Iterator[str]:
        """The rules of all classes: when what carries them appears and disappears."""
        film = self.film
        yield (
            f".{film} [class]{{animation-duration:{self.seconds:.3f}s;animation-iteration-count:infinite;"
            "animation-timing-function:step-end}"
        )
        for turns, name in self._names.items():
            steps = [] if turns[0] == 0 else ["0%{visibility:hidden}"]
            for place, turn in enumerate(turns):
                if turn < self._frames:
                    words = "hidden" if place % 2 else "visible"
                    steps.append(f"{100 * turn / self._speed / self.seconds:.3f}%{{visibility:{words}}}")
            resting = "" if turns[-1] == self._frames else "visibility:hidden;"
            yield f".{film} .{name}{{{resting}animation-name:{film}-{name}}}"
            yield f"@keyframes {film}-{name}{{{''.join(steps)}}}"
        yield f".{film} .bar{{animation:{film}-bar {self.seconds:.3f}s linear infinite}}"
        yield f"@keyframes {film}-bar{{from{{transform:scaleX(0)}}to{{transform:scaleX(1)}}}}"
        yield f"@media(prefers-reduced-motion:reduce){{.{film} [class]{{animation:none}}}}"


def _bound(
    root: ElementTree.Element,
    drawn: str,
    captions: Sequence[str],
    timing: _Timing,
    title: str,
    theme: str,
) -> str:
    """The film around what is drawn: its size, its styles, and a line for the captions."""
    colour = themes.load().palette(theme)
    left, top, width, height = map(float, str(root.get("viewBox")).split())
    font = width / (_LETTER * max(20, *map(len, captions)))
    font = min(_LARGEST, max(_SMALLEST, font))
    line = 2 * font
    base = f'x="{left + width / 2:g}" y="{top + height + 1.35 * font:.1f}"'
    words = [
        f'<text class="{timing.name([number])}" {base}>{escape(caption)}</text>'
        for number, caption in enumerate(captions)
    ]
    kept = {name: value for name, value in root.items() if name != "viewBox"}
    look = "".join(f' {name}="{escape(value)}"' for name, value in kept.items())
    view = f'viewBox="{left:g} {top:g} {width:g} {height + line:g}"'
    bar = f'x="{left:g}" y="{top + height + line - 2:g}" width="{width:g}" height="2"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{timing.film}" {view}{look}>\n'
        f"<title>{escape(title)}</title>\n"
        f"<style>{''.join(timing.styles())}</style>\n"
        f"{drawn}\n"
        f'<rect x="{left:g}" y="{top + height:g}" width="{width:g}" height="{line:g}" '
        f'fill="{colour["ground"]}"/>\n'
        f'<g text-anchor="middle" font-weight="400" font-size="{font:.1f}" fill="{colour["text"]}">'
        f"{''.join(words)}</g>\n"
        f'<rect class="bar" {bar} fill="{colour["accent"]}"/>\n'
        "</svg>\n"
    )


def _taken_apart(elements: Sequence[ElementTree.Element]) -> Iterator[ElementTree.Element]:
    """The elements without titles, and a path of several closed parts as a path for each.

    So each key of a board is one of its own, and a tooltip with armies no reason to draw a land anew.
    """
    for element in elements:
        if _name(element) == "title":
            continue
        parts = str(element.get("d", "")).split("z")
        whole = _name(element) != "path" or element.get("id") or len(parts) < 3
        if whole or parts[-1] or not all(part.startswith("M") for part in parts[:-1]):
            yield element
            continue
        for part in parts[:-1]:
            yield ElementTree.Element(element.tag, {**element.attrib, "d": f"{part}z"})


def _name(element: ElementTree.Element) -> str:
    return element.tag.removeprefix(_SPACE)


def _opening(element: ElementTree.Element) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in element.items())
    return f"<{_name(element)}{attributes}"


def _written(element: ElementTree.Element) -> str:
    inner = escape(element.text or "") + "".join(
        _written(child) + escape(child.tail or "") for child in element if _name(child) != "title"
    )
    opening = _opening(element)
    return f"{opening}>{inner}</{_name(element)}>" if inner.strip() else f"{opening}/>"
