"""Geometry of the places of a board, or of a mat."""

import math
from collections.abc import Iterator
from itertools import combinations

from rules.kernel.canonical import JsonObject

Corners = list[tuple[float, float]]


def misplaced(sheet: JsonObject) -> list[str]:
    """Return the places that exceed the sheet, or overlap another place of the same kind."""
    return [*_wrong(sheet)]


def _wrong(sheet: JsonObject) -> Iterator[str]:
    width, height = sheet["size"]
    outlines = {key: outline(sheet, place) for key, place in sheet["places"].items()}
    for key, corners in outlines.items():
        if not all(0 <= x <= width and 0 <= y <= height for x, y in corners):
            yield key
    for one, other in combinations(outlines, 2):
        alike = sheet["places"][one]["kind"] == sheet["places"][other]["kind"]
        if alike and not apart(outlines[one], outlines[other]):
            yield f"{one} and {other} overlap"


def outline(sheet: JsonObject, place: JsonObject) -> Corners:
    """Return the corners of a place; a round place has a corner every ten degrees."""
    shape = place.get("shape", sheet["kinds"][place["kind"]]["shape"])
    ((name, size),) = shape.items()
    x, y = place["x"], place["y"]
    if name == "polygon":
        return [(x + dx, y + dy) for dx, dy in size]
    if name == "rect":
        width, height = size
        return [
            (x + dx * width / 2, y + dy * height / 2)
            for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    across, down = size if name == "ellipse" else (size, size)
    turns = [math.radians(turn) for turn in range(0, 360, 60 if name == "hex" else 10)]
    return [(x + across * math.sin(turn), y - down * math.cos(turn)) for turn in turns]


def apart(one: Corners, other: Corners) -> bool:
    """Whether two convex outlines are apart: a line along a side of one of them separates them."""
    for corners in (one, other):
        for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
            across = (by - ay, ax - bx)
            first, second = (
                [across[0] * x + across[1] * y for x, y in points] for points in (one, other)
            )
            # Tolerance, because coordinates are rounded to a tenth.
            slack = 1e-3 * math.hypot(*across) * 300
            if max(first) <= min(second) + slack or max(second) <= min(first) + slack:
                return True
    return False
