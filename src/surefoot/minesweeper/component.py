"""One component: rows of groups that are linked with each other. It is searched, and its totals are counted.

A *group* of ``s`` interchangeable cells holds 0 to ``s`` mines; a *row* says how many mines some groups
hold together.
"""

from collections.abc import Iterable, Sequence

from surefoot.errors import TooComplex


class Work:
    """Counts steps down, so that no question hangs."""

    def __init__(self, limit: int) -> None:
        self.left = self.limit = limit

    def spend(self, steps: int, rows: int, groups: int) -> None:
        """Take ``steps`` off.

        Raises:
            TooComplex: none are left; ``rows`` and ``groups`` say what was being looked at.
        """
        self.left -= steps
        if self.left < 0:
            raise TooComplex(
                f"{rows} sentences linked with each other over {groups} groups of cells take more than "
                f"{self.limit} steps"
            )


class Part:
    """One component: rows linked with each other, over groups in order of search.

    Args:
        groups: the network's number of each group; below, a group is known by its place in this list.
        sizes: how many cells each group has.
        rows: the places of each row's groups, ascending.
        counts: how many mines each row has.
    """

    def __init__(self, groups: list[int], sizes: list[int], rows: list[list[int]], counts: list[int]) -> None:
        self.groups = groups
        self.sizes = sizes
        self.rows = rows
        self.counts = counts
        self.rows_of: list[list[int]] = [[] for _ in groups]
        for row, members in enumerate(rows):
            for place in members:
                self.rows_of[place].append(row)
        self._open: dict[int, list[int]] = {}
        self._solution: list[int] | None = None
        self._solved = False
        self._totals: int | None = None

    def any_solution(self, work: Work) -> list[int] | None:
        """Mines of each group, or None."""
        if not self._solved:
            self._solution = self.search([0] * len(self.sizes), self.sizes, work)
            self._solved = True
        return self._solution

    def certain(self, work: Work) -> list[tuple[int, int]] | None:
        """The fewest and the most mines each group was seen with, until it can be no other; or None.

        Exact where it is (0, 0) or (size, size); else the group is seen to hold both kinds of cell or to
        be sometimes the one and sometimes the other.
        """
        first = self.any_solution(work)
        if first is None:
            return None
        low, high = list(first), list(first)
        for place, size in enumerate(self.sizes):
            for mine in (False, True):
                if high[place] > 0 if mine else low[place] < size:
                    continue
                least, most = [0] * len(self.sizes), list(self.sizes)
                if mine:
                    least[place] = 1
                else:
                    most[place] = size - 1
                # Ask for what was not yet seen, so that few searches show all there is.
                found = self.search(least, most, work, [seen == 0 for seen in high])
                if found is not None:
                    low = [min(pair) for pair in zip(low, found, strict=True)]
                    high = [max(pair) for pair in zip(high, found, strict=True)]
        return list(zip(low, high, strict=True))

    def search(
        self, least: Sequence[int], most: Sequence[int], work: Work, many_first: Sequence[bool] = ()
    ) -> list[int] | None:
        """Mines of each group, between ``least`` and ``most``, that make every row true; or None.

        Backtracking with bounds propagation. What is left to do depends on the chosen values only through
        what the open rows still want, so that a failure is remembered under that and met only once.
        """
        low, high = list(least), list(most)
        trail: list[tuple[int, int, int]] = []
        failed: set[tuple[int, ...]] = set()
        if not self._propagate(low, high, range(len(self.rows)), trail, work):
            return None
        stack: list[tuple[int, list[int], int]] = []
        place = 0
        while True:
            while place < len(low) and low[place] == high[place]:
                place += 1
            if place == len(low):
                return low
            values = list(range(low[place], high[place] + 1))
            if not (many_first and many_first[place]):
                values.reverse()  # taken from the end
            if failed and self._state(place, low) in failed:
                values = []
            stack.append((place, values, len(trail)))
            while True:
                place, values, mark = stack[-1]
                while len(trail) > mark:
                    undone, low[undone], high[undone] = trail.pop()
                if not values:
                    failed.add(self._state(place, low))
                    stack.pop()
                    if not stack:
                        return None
                    continue
                trail.append((place, low[place], high[place]))
                low[place] = high[place] = values.pop()
                if self._propagate(low, high, self.rows_of[place], trail, work):
                    break

    def _propagate(
        self,
        low: list[int],
        high: list[int],
        touched: Iterable[int],
        trail: list[tuple[int, int, int]],
        work: Work,
    ) -> bool:
        """Narrow the bounds until every row agrees; False if one cannot be true."""
        queue = dict.fromkeys(touched)
        while queue:
            row, _ = queue.popitem()
            members = self.rows[row]
            work.spend(len(members), len(self.rows), len(self.sizes))
            more = less = self.counts[row]
            for place in members:
                more -= low[place]
                less -= high[place]
            # `more` mines can come on top of the least, and -`less` off the most.
            if more < 0 or less > 0:
                return False
            for place in members:
                least, most = low[place], high[place]
                if most - least > more or most - least > -less:
                    trail.append((place, least, most))
                    high[place] = min(most, least + more)
                    low[place] = max(least, most + less)
                    queue.update(dict.fromkeys(self.rows_of[place]))
        return True

    def _open_rows(self, place: int) -> list[int]:
        """The rows with groups on both sides of ``place``."""
        if place not in self._open:
            self._open[place] = [
                row for row, members in enumerate(self.rows) if members[0] < place <= members[-1]
            ]
        return self._open[place]

    def _state(self, place: int, values: Sequence[int]) -> tuple[int, ...]:
        """The place, and what each open row still wants of the groups from there on."""
        return place, *(
            self.counts[row] - sum(values[member] for member in self.rows[row] if member < place)
            for row in self._open_rows(place)
        )

    def totals(self, work: Work) -> int:
        """How many mines the component can hold, as bits: bit ``t`` is set if ``t`` mines are possible.

        One pass over the groups; what the open rows still want is a state, with the totals that lead there.
        """
        if self._totals is not None:
            return self._totals
        wants: dict[tuple[int, ...], int] = {(): 1}
        before: list[int] = []
        for place, size in enumerate(self.sizes):
            entering = [row for row in self.rows_of[place] if self.rows[row][0] == place]
            rows = [*before, *entering]
            touched = [row in self.rows_of[place] for row in rows]
            room = [sum(self.sizes[member] for member in self.rows[row] if member > place) for row in rows]
            staying = [index for index, row in enumerate(rows) if self.rows[row][-1] > place]
            fresh = tuple(self.counts[row] for row in entering)
            after: dict[tuple[int, ...], int] = {}
            for state, reached in wants.items():
                work.spend(len(rows) * (size + 1), len(self.rows), len(self.sizes))
                for value in range(size + 1):
                    left = [
                        want - value if touch else want
                        for want, touch in zip(state + fresh, touched, strict=True)
                    ]
                    if all(0 <= want <= most for want, most in zip(left, room, strict=True)):
                        key = tuple(left[index] for index in staying)
                        after[key] = after.get(key, 0) | reached << value
            wants = after
            before = [rows[index] for index in staying]
        self._totals = wants.get((), 0)
        return self._totals

    def with_total(self, total: int, work: Work) -> list[int]:
        """A solution with ``total`` mines, which is known to be possible."""
        whole = list(range(len(self.sizes)))
        part = Part(self.groups, self.sizes, [*self.rows, whole], [*self.counts, total])
        found = part.any_solution(work)
        assert found is not None
        return found


def choose_totals(offers: list[int], room: int, wanted: int) -> list[int] | None:
    """One total from each set, so that they and at most ``room`` more make ``wanted``; sets are bits."""
    reachable = [(1 << (room + 1)) - 1]
    for offer in offers:
        sums = 0
        for total in _bits(offer):
            sums |= reachable[-1] << total
        reachable.append(sums)
    if wanted < 0 or not reachable[-1] >> wanted & 1:
        return None
    chosen = []
    for offer, before in zip(reversed(offers), reversed(reachable[:-1]), strict=True):
        total = next(t for t in _bits(offer) if t <= wanted and before >> (wanted - t) & 1)
        chosen.append(total)
        wanted -= total
    return chosen[::-1]


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
