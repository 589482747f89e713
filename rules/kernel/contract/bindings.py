"""Bindings of a board (``docs/api/table.md``): where pieces stand, and where moves point.

A client evaluates them in the same way when it draws a board.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject

_HOLE = re.compile(r"\{([^{}]*)\}")


class Node(NamedTuple):
    """A value within a view: the value, its name or index in its parent, and the parent's node."""

    value: Any
    key: Any = None
    within: "Node | None" = None


class Placement(NamedTuple):
    """A piece on a place; ``id``, ``seat`` and ``count`` are None if the binding lacks them."""

    piece: str
    place: str
    id: Any
    seat: Any
    count: Any
    offset: tuple[float, float] = (0, 0)
    """The offset of the piece from the centre of the place."""


def nodes(node: Node, path: str) -> Iterator[Node]:
    """Yield the nodes of a path; ``*`` stands for every item of a list, or member of an object."""
    name, _, rest = path.partition("/")
    if node.value is None:
        return
    keys = (
        range(len(node.value)) if isinstance(node.value, list) else node.value
    ) if name == "*" else [name]  # fmt: skip
    for key in keys:
        found = Node(node.value[key], key, node)
        if rest:
            yield from nodes(found, rest)
        elif found.value is not None:
            yield found


def look(node: Node, path: str) -> Any:
    """Return the value at a path that starts at a node; None if there is no value."""
    for step in path.split("/"):
        if step == "#":
            return node.key
        if step == "#+1":
            return node.key + 1
        if step == "..":
            if node.within is None:
                raise ValueError(f"{path} leads out of what is shown")
            node = node.within
        elif step != ".":
            node = Node(None if node.value is None else node.value[step], step, node)
    return node.value


def fill(template: str, node: Node) -> Any:
    """Fill a template.

    If the template is nothing but one pair of braces, return the value that the braces name,
    without making it a text. If any value that the template names is null, return None.
    """
    if whole := _HOLE.fullmatch(template):
        return look(node, whole[1])
    values = [look(node, path) for path in _HOLE.findall(template)]
    if None in values:
        return None
    said = iter(values)
    return _HOLE.sub(lambda _found: str(next(said)), template)


def standing(pieces: JsonObject, shown: JsonObject) -> Iterator[Placement]:
    """Yield the pieces that this view puts on a board or on a mat."""
    for name, piece in pieces.items():
        for placed in piece["placed"]:
            for node in nodes(Node(shown), placed["each"]):
                if "if" in placed and not fill(placed["if"], node):
                    continue
                if "unless" in placed and fill(placed["unless"], node):
                    continue
                parts = ("at", "id", "seat", "count")
                said = {part: fill(placed[part], node) for part in parts if part in placed}
                if None not in said.values():
                    at = said.pop("at")
                    known = said.get("id"), said.get("seat"), said.get("count")
                    dx, dy = placed.get("offset", (0, 0))
                    yield Placement(name, at, *known, (dx, dy))


def mats(board: JsonObject, shown: JsonObject) -> Iterator[Node]:
    """Yield the part of a view that each mat shows."""
    if "mat" in board:
        yield from nodes(Node(shown), board["mat"]["each"])


def pointed_to(board: JsonObject, shown: JsonObject, seat: int, move: JsonObject) -> Iterator[str]:
    """Yield what a seat's move refers to: `place:key`, `mat:seat:key` or `piece:type:id`.

    If a piece has no id, the seat of its owner stands in the place of the id.
    """
    for path, target in board["moves"].get(move["type"], {}).items():
        if path.partition("/")[0] in move:
            for node in nodes(Node(move), path):
                yield _pointed_to(board, shown, seat, target, node)


def _pointed_to(
    board: JsonObject, shown: JsonObject, seat: int, target: JsonObject, node: Node
) -> str:
    if "place" in target:
        return f"place:{fill(target['place'], node)}"
    if "mat" in target:
        return f"mat:{seat}:{fill(target['mat'], node)}"
    if "piece" in target:
        return f"piece:{target['piece']}:{fill(target.get('id', '{.}'), node)}"
    if "own" in target:
        return f"piece:{target['own']}:{seat}"
    track = board["tracks"][target["along"]]
    steps = fill(target["from"], Node(shown)) + node.value
    places = track["places"]
    return f"place:{places[steps % len(places) if track.get('closed') else steps]}"
