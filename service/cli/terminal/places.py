"""The places on a board to which moves refer, and how to get from one place to the next.

``board.json`` says which place or piece each field of a move names. The drawing says where each
place is drawn (``Span.place``).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import published
from rules.kernel.contract.drawing import Line
from rules.kernel.contract.ruleset import Ruleset

Key = TypeVar("Key")
HIGH = 2
"""The approximate height of a line, in widths of a column."""


class Point(NamedTuple):
    """A position in a drawing."""

    column: float
    line: int


class BoardPlaces:
    """The places and pieces on the board to which the moves of a game refer."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        board = published.board(ruleset) or {}
        self._targets: JsonObject = board.get("moves", {})
        self._tracks: JsonObject = board.get("tracks", {})

    def of(self, move: JsonObject, view: JsonObject) -> list[str]:
        """Return the places to which a move refers; the places of its last field come first.

        The list is empty if the move refers to no place.
        """
        found = [
            place
            for path, target in self._targets.get(move["type"], {}).items()
            for index, value in _values(move, path.split("/"))
            if (place := self._place(target, value, index, view))
        ]
        return [*dict.fromkeys(reversed(found))]

    def _place(self, target: JsonObject, value: Any, index: object, view: JsonObject) -> str:
        if "place" in target:
            return str(target["place"]).replace("{.}", str(value)).replace("{#}", str(index))
        if "piece" in target:
            return f"{target['piece']}.{target.get('id', value)}"
        if "along" in target:
            places = self._tracks[target["along"]]["places"]
            begins = view[target["from"].strip("{}")]
            return str(places[(begins + value) % len(places)])
        return ""


def _values(value: Any, path: Sequence[str], index: object = 0) -> Iterator[tuple[object, Any]]:
    """Yield the values at a path, each with an index.

    A ``*`` in the path stands for each position in a list, or for each key of an object. The index
    of a value is the position or the key for which the last ``*`` stands. If the path has no ``*``,
    the index is the given ``index``.
    """
    if not path:
        yield index, value
    elif path[0] == "*":
        for at, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _values(one, path[1:], at)
    elif path[0] in value:
        yield from _values(value[path[0]], path[1:], index)


def points(lines: Sequence[Line]) -> dict[str, Point]:
    """Return the position of each place in ``lines``.

    Several spans may stand for one place. Its position is the middle of the first of them.
    """
    found: dict[str, Point] = {}
    for number, spans in enumerate(lines):
        column = 0
        for span in spans:
            if span.place and span.place not in found:
                found[span.place] = Point(column + len(span.text) / 2, number)
            column += len(span.text)
    return found


def nearest(where: Mapping[Key, Point], begins: Point, across: int, down: int) -> Key | None:
    """Return the nearest point in a direction; None if there is none.

    A point is preferred if its distance along the direction is not less than its distance across
    the direction.
    """

    def away(key: Key) -> tuple[bool, float]:
        x, y = where[key].column - begins.column, (where[key].line - begins.line) * HIGH
        along, aside = x * across + y * down, abs(x * down) + abs(y * across)
        return aside > along, along + 2 * aside

    ahead = [
        key
        for key, (column, line) in where.items()
        if (column - begins.column) * across + (line - begins.line) * down > 0
    ]
    return min(ahead, key=away, default=None)
