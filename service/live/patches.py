"""JSON Patch (RFC 6902) between two JSON documents.

A state changes little from one event to the next: some values change, or a list grows or shrinks at
its end. A patch uses only ``add``, ``remove`` and ``replace``.
"""

from typing import Any

from rules.kernel.canonical import JsonObject


def patch(old: Any, new: Any, path: str = "") -> list[JsonObject]:
    """Return the operations that turn ``old`` into ``new``, in order."""
    if type(old) is type(new):
        if isinstance(old, dict):
            return _members(old, new, path)
        if isinstance(old, list):
            return _items(old, new, path)
        if old == new:
            return []
    return [{"op": "replace", "path": path, "value": new}]


def _members(old: JsonObject, new: JsonObject, path: str) -> list[JsonObject]:
    done: list[JsonObject] = []
    for name in old | new:
        below = f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
        if name not in new:
            done.append({"op": "remove", "path": below})
        elif name not in old:
            done.append({"op": "add", "path": below, "value": new[name]})
        else:
            done += patch(old[name], new[name], below)
    return done


def _items(old: list[Any], new: list[Any], path: str) -> list[JsonObject]:
    """Patch a list item by item if it grew or shrank only at its end; otherwise replace it."""
    both = min(len(old), len(new))
    if len(old) != len(new) and old[:both] != new[:both]:
        return [{"op": "replace", "path": path, "value": new}]
    done: list[JsonObject] = []
    for at in range(both):
        done += patch(old[at], new[at], f"{path}/{at}")
    done += [{"op": "remove", "path": f"{path}/{at}"} for at in range(len(old) - 1, both - 1, -1)]
    done += [{"op": "add", "path": f"{path}/-", "value": item} for item in new[both:]]
    return done
