"""What has changed between two views, as JSON; ``static/js/delta.js`` is the other half.

A view is a tree of JSON values. A change is one of::

    {"=": value}                    this value instead, or a key that is new
    {"-": 1}                        the key is gone
    {"o": {key: change, ...}}       an object, and what changed in it
    {"l": [[start, v, v], ...]}     a list as long as before: runs of new values, each from a place on
    {"+": [start, v, ...]}          a list that is cut at ``start`` and goes on with these values
    {"<": [count, v, ...]}          a list without its first ``count`` values, and with these after it

Views are never written to, so that parts that are the same object are known to be equal.
"""

from typing import Any

Change = dict[str, Any]

_NEAR = 2
"""Runs with fewer equal values than this between them are one run: brackets cost more than the values."""


def difference(old: Any, new: Any) -> Change | None:
    """The change that makes ``new`` of ``old``, or None if they are equal."""
    if old is new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_objects(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _of_lists(old, new)
    # In Python True equals 1, in JSON it does not.
    return None if type(old) is type(new) and old == new else {"=": new}


def apply(old: Any, change: Change) -> Any:
    """``old`` with a change; ``old`` itself stays as it was.

    Raises:
        KeyError, IndexError, TypeError: the change is of another view.
    """
    ((kind, what),) = change.items()
    if kind == "=":
        return what
    if kind == "o":
        made = dict(old)
        for key, inner in what.items():
            if "-" in inner:
                del made[key]
            else:
                made[key] = apply(made.get(key), inner)
        return made
    if kind in ("+", "<"):
        place, *tail = what
        return [*(old[:place] if kind == "+" else old[place:]), *tail]
    changed = list(old)
    for start, *values in what:
        changed[start : start + len(values)] = values
    return changed


def _of_objects(old: dict[str, Any], new: dict[str, Any]) -> Change | None:
    changes: dict[str, Change] = {key: {"-": 1} for key in old if key not in new}
    for key, value in new.items():
        change = difference(old[key], value) if key in old else {"=": value}
        if change is not None:
            changes[key] = change
    return {"o": changes} if changes else None


def _of_lists(old: list[Any], new: list[Any]) -> Change | None:
    moved = _moved_by(old, new)
    if moved:
        return {"<": [moved, *new[len(old) - moved :]]}
    if len(old) != len(new):
        same = 0
        for before, after in zip(old, new, strict=False):
            if difference(before, after) is not None:
                break
            same += 1
        return {"+": [same, *new[same:]]}
    pairs = enumerate(zip(old, new, strict=True))
    changed = [place for place, (before, after) in pairs if before is not after and _differ(before, after)]
    if not changed:
        return None
    runs: list[list[int]] = []
    for place in changed:
        if runs and place - runs[-1][1] <= _NEAR:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return {"l": [[first, *new[first : last + 1]] for first, last in runs]}


def _moved_by(old: list[Any], new: list[Any]) -> int:
    """How many values at the front are gone, if all that is left is the same; of a log's last lines, say.

    Numbers and words repeat, so that among them it would be chance.
    """
    if not old or not new or not isinstance(new[0], (dict, list)) or old[0] == new[0]:
        return 0
    for count in range(max(len(old) - len(new), 1), len(old)):
        if old[count] == new[0] and difference(old[count:], new[: len(old) - count]) is None:
            return count
    return 0


def _differ(old: Any, new: Any) -> bool:
    if isinstance(old, (dict, list)):
        return difference(old, new) is not None
    return type(old) is not type(new) or bool(old != new)
