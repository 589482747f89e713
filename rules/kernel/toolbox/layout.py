"""Codecs of states: one declaration of a field is used both to write and to read it.

A ``Layout`` has the names of the members in JSON, each with the kind of its value::

    LAYOUT = Layout(
        {
            "round": AS_IT_IS,
            "queue": LIST,
            "dealer": ("dealing", SEAT_ID),  # an attribute with another name
            "trade": {"price": ("trade_price", AS_IT_IS)},  # an object within
        },
        {"players": {"coins": AS_IT_IS, "hand": listed(one_of(CARDS))}},  # lists by seat
    )

If the kind of a field has a ``key``, the field is a piece of the JSON (``contract/pieces.py``).
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.pieces import Piece, plain


class Kind(NamedTuple):
    """The codec of a value.

    ``read`` makes a new value from JSON. ``write`` makes JSON from the value. If the kind has a
    ``key``, ``write`` gets ``key(value)`` instead: a hashable value that determines the JSON.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    key: Callable[[Any], Hashable] | None = None


AS_IT_IS = None
"""The kind of a value that is the same in JSON: an int, a text, true, false or null."""
LIST = Kind(list, list)
"""The kind of a list whose items are ``AS_IT_IS``."""

Declaration = Kind | None | tuple[str, Kind | None] | Mapping[str, "Declaration"]


def one_of(ids: Sequence[str]) -> Kind:
    """Return the codec of an id among ``ids``: the state has its index; -1 stands for null."""
    numbers: dict[str | None, int] = {None: -1} | {id_: n for n, id_ in enumerate(ids)}
    return Kind((*ids, None).__getitem__, numbers.__getitem__)


def named(names: Mapping[Any, Any]) -> Kind:
    """Return the codec of values that have names in JSON; ``names`` maps a value to its name."""
    values = {name: value for value, name in names.items()}
    return Kind(names.__getitem__, values.__getitem__)


def listed(kind: Kind, of: Callable[[Iterable[Any]], Any] = list) -> Kind:
    """Return the codec of a sequence of ``kind``. In the state, its type is ``of``."""
    write, read = kind.write, kind.read
    return Kind(lambda row: [*map(write, row)], lambda row: of(map(read, row)), tuple)


def counted(ids: Sequence[str], of: Callable[[Iterable[Any]], Any] = list) -> Kind:
    """Return the codec of numbers by id; their JSON is an object.

    The state has the numbers in a sequence, in the order of ``ids``. The sequence is of the type
    ``of``.
    """
    pick = itemgetter(*ids)
    return Kind(
        lambda row: dict(zip(ids, row, strict=True)), lambda counts: of(pick(counts)), tuple
    )


def owned(ids: Sequence[str], owner: Kind, count: int) -> Kind:
    """Return the codec of a list of owners, one for each of the first ``count`` ids.

    The number -1 stands for no owner.
    """
    numbers, write, read = {id_: n for n, id_ in enumerate(ids)}, owner.write, owner.read

    def owners(by_id: JsonObject) -> list[int]:
        found = [-1] * count
        for id_, name in by_id.items():
            found[numbers[id_]] = read(name)
        return found

    return Kind(
        lambda row: {ids[n]: write(own) for n, own in enumerate(row) if own != -1},
        owners,
        tuple,
    )


class Layout:
    """The codec of a state, or of a part of a state.

    ``rows`` describe lists in the JSON that have one object for each seat. For each member of these
    objects, the state has a list with one value for each seat.
    """

    def __init__(
        self,
        fields: Mapping[str, Declaration],
        rows: Mapping[str, Mapping[str, Declaration]] | None = None,
    ) -> None:
        objects = {name: of for name, of in fields.items() if isinstance(of, Mapping)}
        self._fields = _fields({n: of for n, of in fields.items() if n not in objects})
        self._objects = [(name, Layout(inner)) for name, inner in objects.items()]
        self._rows = [(name, _fields(columns)) for name, columns in (rows or {}).items()]
        self._anew, self._as_bytes = self._ways(_itself), self._ways(_uncopied)

    def _ways(self, of: Callable[["_Field"], "_Field"]) -> "tuple[_Ways, list[tuple[str, _Ways]]]":
        return (
            _Ways([*map(of, self._fields)]),
            [(name, _Ways([*map(of, columns)])) for name, columns in self._rows],
        )

    def write(self, state: Any, piece: Piece = plain) -> JsonObject:
        """Return the JSON of a state.

        If ``piece`` is ``plain``, the JSON shares no mutable object with the state.
        """
        ways, of_rows = self._anew if piece is plain else self._as_bytes
        written: JsonObject = dict(zip(ways.names, ways.values(state), strict=True))
        for name, get, write in ways.made:
            written[name] = write(get(state))
        for name, get, write, key in ways.pieces:
            written[name] = piece(write, key(get(state)))
        for name, inner in self._objects:
            written[name] = inner.write(state, piece)
        for name, columns in of_rows:
            written[name] = columns.write_rows(state, piece)
        return written

    def read(self, data: JsonObject) -> JsonObject:
        """Return the attributes of the state whose JSON is ``data``. The keys are their names."""
        found: JsonObject = {}
        for name, attribute, _get, _write, read, _key in self._fields:
            found[attribute] = read(data[name]) if read else data[name]
        for name, inner in self._objects:
            found |= inner.read(data[name])
        for name, columns in self._rows:
            rows = data[name]
            for column, attribute, _get, _write, read, _key in columns:
                values = [row[column] for row in rows]
                found[attribute] = [*map(read, values)] if read else values
        return found


class _Field(NamedTuple):
    """A member of the JSON: its attribute in the state, a getter, and its kind."""

    name: str
    attribute: str
    get: Callable[[Any], Any]
    write: Callable[[Any], Any] | None
    read: Callable[[Any], Any] | None
    key: Callable[[Any], Hashable] | None


def _fields(declared: Mapping[str, Any]) -> list[_Field]:
    found = []
    for name, of in declared.items():
        attribute, kind = (name, of) if of is None or isinstance(of, Kind) else of
        found.append(_Field(name, attribute, attrgetter(attribute), *(kind or (None,) * 3)))
    return found


class _Ways:
    """The fields, grouped by how they are written: unchanged, as new values, or by a ``Piece``."""

    def __init__(self, fields: list[_Field]) -> None:
        as_they_are = [field for field in fields if field.write is None]
        self.names = [field.name for field in as_they_are]
        self.values = _getter([field.attribute for field in as_they_are])
        self.made = [(f.name, f.get, f.write) for f in fields if f.write and not f.key]
        self.pieces = [(f.name, f.get, f.write, f.key) for f in fields if f.write and f.key]
        self._first = fields[0].get if fields else lambda _state: ()

    def write_rows(self, state: Any, piece: Piece) -> list[JsonObject]:
        """Return an object for each seat, from fields that are lists by seat."""
        as_they_are = zip(*self.values(state), strict=True)
        rows = [dict(zip(self.names, row, strict=True)) for row in as_they_are]
        rows = rows or [{} for _ in self._first(state)]
        for name, get, write in self.made:
            values = get(state)
            for seat, row in enumerate(rows):
                row[name] = write(values[seat])
        for name, get, write, key in self.pieces:
            values = get(state)
            for seat, row in enumerate(rows):
                row[name] = piece(write, key(values[seat]))
        return rows


def _itself(field: _Field) -> _Field:
    return field


def _uncopied(field: _Field) -> _Field:
    """Return the field with a ``write`` that copies no list.

    This is safe if the JSON is encoded at once.
    """
    if field.write is not list:
        return field
    return field._replace(write=None if field.key in (None, tuple) else field.key, key=None)


def _getter(attributes: Sequence[str]) -> Callable[[Any], Iterable[Any]]:
    """Return a function that returns these attributes of a state as a sequence."""
    if len(attributes) > 1:
        return attrgetter(*attributes)
    return lambda state: [getattr(state, attribute) for attribute in attributes]
