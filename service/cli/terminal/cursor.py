"""The cursor among the choices of a question, which stand on the board or in the list."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from rules.kernel.contract.drawing import Line
from service.cli.terminal import lists
from service.cli.terminal.places import Point, nearest, points


def anchors(reach: Sequence[Collection[str]], lines: Sequence[Line]) -> dict[int, Point]:
    """Return the points in the lines at which the options stand.

    ``reach`` has the places to which each option refers. Only an option that has a place of its own
    has a point. The keys of the result are the numbers of the options. The result is empty if fewer
    than two options have a point.
    """
    shown = points(lines)
    found = {
        number: place
        for number, places in enumerate(reach)
        if (place := next((p for p in sorted(places) if p in shown), None))
    }
    count = Counter(found.values())
    alone = {n: shown[place] for n, place in found.items() if count[place] == 1}
    return alone if len(alone) > 1 else {}


def next_option(
    at: int | None,
    count: int,
    on_board: Mapping[int, Point],
    listed: Sequence[Line],
    across: int,
    down: int,
) -> int | None:
    """Return the option that lies in the given direction of the option ``at``.

    There are ``count`` options. Those of ``on_board`` (``anchors``) stand on the board, and the
    others in the lines of the list.
    """
    last = count - 1
    if at is None or last < 0:
        return None if last < 0 else 0 if across + down > 0 else last
    others = [number for number in range(count) if number not in on_board]
    if at in on_board:
        to = nearest(on_board, on_board[at], across, down)
        if to is None and down > 0 and others:
            return others[0]
        return at if to is None else to
    if across:
        entries = points(listed)
        there = {number: entries[lists.entry(number)] for number in others}
        to = nearest(there, there[at], across, 0)
        return at if to is None else to
    place = others.index(at) + down
    if place < 0 and on_board:
        return max(on_board, key=lambda number: on_board[number].line)
    return others[place % len(others)]
