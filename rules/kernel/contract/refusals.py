"""Why not: the rule that refuses an element of the board to which no legal move refers.

An element is what moves refer to by the bindings of the board (docs/api/table.md): `place:row_3`, a
place; `mat:0:hold`, a place on the mat of seat 0; `piece:card:c12`, a piece with an id;
`piece:disc:0`, the pieces of a side.

The rules refuse moves, not elements. So moves that refer to the element are tried, and the answer
is the refusal of the move that passes the most checks. The moves are tried in guesses
(``preview.guess``), so nothing hidden can leak: positions with the same information have the same
guesses. If the guesses give different answers, the seat cannot know.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, islice, permutations, product, zip_longest
from typing import Any, NamedTuple

import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract import published
from rules.kernel.contract.bindings import pointed_to
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import MalformedMove, Move
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat

REFUSED, PLAYABLE, UNKNOWN, UNRELATED = "refused", "playable", "unknown", "unrelated"
ANSWERS = (REFUSED, PLAYABLE, UNKNOWN, UNRELATED)
"""The kinds of answers: the rules refuse the element; a legal move refers to it; the seat cannot
know; no move of this game refers to it.
"""
SAYS = {
    "en": {
        PLAYABLE: "A move that you can play names it.",
        UNKNOWN: "You cannot know whether the rules allow it.",
        UNRELATED: "No move is about it.",
    },
    "es": {
        PLAYABLE: "Lo nombra una jugada que puedes hacer.",
        UNKNOWN: "No puedes saber si las reglas lo permiten.",
        UNRELATED: "Ninguna jugada trata de ello.",
    },
}
"""The sentences for answers other than ``REFUSED``, by language."""
MOST = 64
"""Maximum number of moves that are tried in a guess."""
_VALUES = 1024
"""Maximum number of values of a field among which those that refer to the element are sought."""
_CANDIDATES = 4096
"""Maximum number of moves of a type that are made, of which many do not refer to the element."""
_OTHERS = 16
"""Maximum number of values that are tried of a field that does not refer to the element."""
_GENERAL, _MALFORMED, _NONE = -1, -2, -3
"""The ranks of refusals by a general check, of malformed moves, and of no refusal."""
_HOLE = re.compile(r"\\\{[^{}]*\\\}")
_LEFT_OUT: Any = object()
"""Stands for a field that is left out."""


class WhyNot(NamedTuple):
    """The answer about an element; ``move`` and ``refusal`` are None unless it is ``REFUSED``."""

    answer: str
    move: JsonObject | None = None
    refusal: IllegalMove | None = None

    def told(self) -> tuple[object, ...]:
        """Return everything that the answer tells, so that answers can be compared."""
        refusal = self.refusal
        said = None if refusal is None else (refusal.code, encode(refusal.said))
        return self.answer, encode(self.move), said


def why_not(ruleset: Ruleset[Any], guesses: Sequence[Any], seat: Seat, element: str) -> WhyNot:
    """Return why a deciding ``seat`` cannot choose ``element``; it changes no guess.

    ``guesses`` are at least two positions from ``preview.guess``, each made with other chance.
    """
    found = [_answer(ruleset, guessed, seat, element) for guessed in guesses]
    return found[0] if len({each.told() for each in found}) == 1 else WhyNot(UNKNOWN)


def _answer(ruleset: Ruleset[Any], state: Any, seat: Seat, element: str) -> WhyNot:
    board = published.board(ruleset)
    if board is None:
        return WhyNot(UNRELATED)
    view = orjson.loads(orjson.dumps(ruleset.view(state, seat)))
    sought = _Sought(board, view, seat, element)
    legal = [move.to_json() for move in ruleset.legal_moves(state, seat)]
    if any(sought.is_named_by(move) for move in legal):
        return WhyNot(PLAYABLE)
    now = ruleset.moves_now(state)
    plain = _in_turn([_moves(type_, legal, sought, whole=False) for type_ in now])
    whole = _in_turn([_moves(type_, legal, sought, whole=True) for type_ in now])
    # The rules refuse all moves that are not for now alike, so one of them is enough.
    later = (
        _moves(type_, (), sought, whole=True) for type_ in ruleset.move_types if type_ not in now
    )
    best, rank = WhyNot(UNRELATED), _NONE
    for moves, most in ((plain, MOST // 2), (whole, MOST // 2), (chain.from_iterable(later), 1)):
        if rank >= 0:
            break
        for move, refusal in islice(_tried(ruleset, state, sought, moves), most):
            if refusal and (passed := _rank(ruleset, refusal)) > rank:
                best, rank = WhyNot(REFUSED, move, refusal), passed
    return best


def _tried(
    ruleset: Ruleset[Any], state: Any, sought: "_Sought", moves: Iterator[JsonObject]
) -> Iterator[tuple[JsonObject, IllegalMove | None]]:
    """Yield each move once with its refusal; a refusal's details suggest further moves.

    For example, the refusal of a payment names the price, and then the price is tried as payment.
    """
    met = set()
    for first in moves:
        suggested = [first]
        while suggested:
            move = suggested.pop()
            if (written := encode(move)) in met:
                continue
            met.add(written)
            try:
                ruleset.read_move(state, sought.seat, move)
            except IllegalMove as refusal:
                yield move, refusal
                suggested += filter(sought.is_named_by, _suggested(ruleset, move, refusal))
            else:
                yield move, None


def _suggested(
    ruleset: Ruleset[Any], move: JsonObject, refusal: IllegalMove
) -> Iterator[JsonObject]:
    """Yield the move with a detail of its refusal as the value of a field that can have it."""
    type_ = next(each for each in ruleset.move_types if each.type == move["type"])
    fields = type_.schema()["properties"]
    for parameter in type_.parameters():
        for value in refusal.details.values() if parameter.name in fields else ():
            if parameter.kind.accepts(value):
                yield {**move, parameter.name: value}


def _rank(ruleset: Ruleset[Any], refusal: IllegalMove) -> int:
    """Return the position of the refusal's code in the game's order of checks.

    The general codes come before all others. A malformed move, which nobody could play at any time,
    says least.
    """
    general, codes = ruleset.general_checks, ruleset.error_codes
    if refusal.code in (general.malformed, general.unknown):
        return _MALFORMED
    first = refusal.code in (general.over, general.phase, general.seat)
    return _GENERAL if first or refusal.code not in codes else codes.index(refusal.code)


class _Sought(NamedTuple):
    """The element that is asked for, as a seat sees the board."""

    board: JsonObject
    view: JsonObject
    seat: Seat
    element: str

    def is_named_by(self, move: JsonObject) -> bool:
        """Whether a move, or a part of a move, refers to the element.

        A move that points to nothing, for example beyond the end of a track, does not.
        """
        try:
            return self.element in pointed_to(self.board, self.view, self.seat, move)
        except (LookupError, TypeError, ValueError):
            return False

    def targets(self, type_: str) -> Mapping[str, JsonObject]:
        """Return the targets of a type of move, by path."""
        found: Mapping[str, JsonObject] = self.board["moves"].get(type_, {})
        return found

    def ids(self, targets: Mapping[str, JsonObject]) -> list[str]:
        """Return the ids that could stand for the element in a field of a move."""
        key = self.element.rpartition(":")[2]
        found = [key]
        for target in targets.values():
            template = str(target.get("place", target.get("mat", "")))
            if fits := re.fullmatch(_HOLE.sub("(.+)", re.escape(template)), key):
                found += fits.groups()
        return found


def _moves(
    type_: type[Move[Any]], legal: Sequence[JsonObject], sought: _Sought, *, whole: bool
) -> Iterator[JsonObject]:
    """Yield moves of a type that refer to the element; ``legal`` are all legal moves.

    Unless ``whole``, fields that may be left out are left out, except those that refer to the
    element. So nobody is told that an extra which he did not ask for is refused.
    """
    targets = sought.targets(type_.type)
    if not targets:
        return
    schema, ids = type_.schema(), sought.ids(targets)
    kinds = {name: kind for name, kind in schema["properties"].items() if name != "type"}
    fields = {name: [*islice(_values(kind, ids), _VALUES)] for name, kind in kinds.items()}
    others = {
        name: [
            *([] if name in schema["required"] else [_LEFT_OUT]),
            *(values[:_OTHERS] if whole or name in schema["required"] else []),
        ]
        for name, values in fields.items()
    }
    like = [move for move in legal if move["type"] == type_.type]
    ways = [
        _variants(type_.type, fixed, others, like)
        for path, target in targets.items()
        for fixed in _fixed(path.partition("/")[0], fields)
        # A template with ".." reads other fields, so only a whole move tells.
        if ".." in str(target) or sought.is_named_by({"type": type_.type, **fixed})
    ]
    for move in filter(sought.is_named_by, islice(_in_turn(ways), _CANDIDATES)):
        with suppress(MalformedMove):
            type_.from_json(move)
            yield move


def _fixed(name: str, fields: Mapping[str, Sequence[Any]]) -> Iterator[JsonObject]:
    """Yield a field with each of its values; nothing is fixed for a whole type of move."""
    if name in fields:
        yield from ({name: value} for value in fields[name])
    else:
        yield {}


def _variants(
    type_: str,
    fixed: JsonObject,
    others: Mapping[str, Sequence[Any]],
    like: Sequence[JsonObject],
) -> Iterator[JsonObject]:
    """Yield moves with ``fixed`` fields: first like legal moves, then with values of ``others``.

    Values change one at a time before they change together, so that the first moves differ in every
    field.
    """
    for move in like[:_OTHERS]:
        yield {**move, **fixed}
    free = {name: values for name, values in others.items() if name not in fixed}
    if not all(free.values()):
        return
    first = {name: values[0] for name, values in free.items()}
    singly = ({**first, name: value} for name, values in free.items() for value in values)
    together = (dict(zip(free, row, strict=True)) for row in product(*free.values()))
    for chosen in chain([first], singly, together):
        given = {name: value for name, value in chosen.items() if value is not _LEFT_OUT}
        yield {"type": type_, **given, **fixed}


def _values(schema: JsonObject, ids: Sequence[str]) -> Iterator[Any]:
    """Yield JSON values that a schema allows; a text that it does not list is one of ``ids``."""
    if "enum" in schema:
        yield from schema["enum"]
    elif "anyOf" in schema:
        yield from _in_turn([_values(kind, ids) for kind in schema["anyOf"]])
    elif "properties" in schema:
        yield from _objects(schema, ids)
    elif schema["type"] == "boolean":
        yield from (False, True)
    elif schema["type"] == "integer":
        yield from range(schema["minimum"], schema["maximum"] + 1)
    elif schema["type"] == "array":
        yield from _lists(schema, ids)
    elif schema["type"] == "string":
        yield from (*ids, *schema.get("examples", ()))
    else:
        yield None


def _lists(schema: JsonObject, ids: Sequence[str]) -> Iterator[list[Any]]:
    items = [*islice(_values(schema["items"], ids), _VALUES)]
    for count in range(schema.get("minItems", 0), schema.get("maxItems", len(items)) + 1):
        unique = schema.get("uniqueItems", False)
        rows = permutations(items, count) if unique else product(items, repeat=count)
        yield from map(list, rows)


def _objects(schema: JsonObject, ids: Sequence[str]) -> Iterator[JsonObject]:
    kinds = schema["properties"]
    needed = [name for name in kinds if name in schema.get("required", ())]
    free = [name for name in kinds if name not in needed]
    for count in range(len(free) + 1):
        for some in combinations(free, count):
            names = [*needed, *some]
            values = [[*islice(_values(kinds[name], ids), _OTHERS)] for name in names]
            for row in product(*values):
                yield dict(zip(names, row, strict=True))


def _in_turn(all_of: Sequence[Iterator[Any]]) -> Iterator[Any]:
    """Yield one value of each iterator, then the next of each, until all are used up."""
    for row in zip_longest(*all_of, fillvalue=_LEFT_OUT):
        yield from (value for value in row if value is not _LEFT_OUT)
