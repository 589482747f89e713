"""The JSON of the service's answers: schemas of openapi.yaml, under their names there.

Answers may gain fields, so each may have more than stands here. What depends on the ruleset, a
move, a view or a result, is JSON without a type.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

Json = Any
"""A value of JSON: None, a bool, a number, a string, a list, or a dictionary by strings."""
Move = Mapping[str, Any]
"""A move as the ruleset has it, with its ``type``."""


class Receipt(TypedDict):
    """The service's signature under the head of a game (docs/format.md, "Receipts")."""

    game_id: str
    seq: int
    hash: str
    at: str
    request: str | None
    idempotency_key: str | None
    key_id: str
    sig: str


class Entropy(TypedDict):
    """A seat's commitment and the entropy that opens it, both in hex."""

    commitment: str | None
    revealed: str | None


class TableSeat(TypedDict):
    """Who holds a seat: ``holder`` is ``open``, ``player`` or ``bot``."""

    seat: int
    holder: str
    player: NotRequired[str]
    name: NotRequired[str | None]
    kind: NotRequired[str | None]
    bot: NotRequired[str]
    version: NotRequired[str]
    resigned: NotRequired[bool]
    entropy: NotRequired[Entropy]


class Decision(TypedDict):
    """An open question to a seat; its ``id`` is the event that asked it. Times are RFC 3339."""

    id: int
    seat: int
    name: str
    label: str
    asked_at: str
    deadline: str | None


class Table(TypedDict):
    """The settings of a table, which its record does not hold."""

    host: str | None
    visibility: str
    title: str | None
    tags: Sequence[str]
    seating: str
    rated: bool
    reserved: Sequence[str | None]
    rematch_of: str | None
    rematch: str | None


class Game(TypedDict):
    """A game: ``status`` is ``lobby``, ``closed``, ``running``, ``ended`` or ``aborted``."""

    id: str
    ruleset: str
    rules_version: str
    options: Mapping[str, Any]
    status: str
    version: int
    head: str
    created_at: str
    created_by: str | None
    players: Mapping[str, str]
    player_kinds: Mapping[str, str]
    seats: Sequence[TableSeat]
    table: Table
    entropy_mode: str
    entropy_until: str | None
    decisions: Sequence[Decision]
    bots_wait_until: str | None
    suspended_since: str | None
    result: Mapping[str, Any] | None


class GameSummary(TypedDict):
    """A game as lists have it."""

    id: str
    ruleset: str
    rules_version: str
    status: str
    created_at: str
    created_by: str | None
    changed_at: str
    seats: Sequence[TableSeat]
    result: Mapping[str, Any] | None
    visibility: str
    title: str | None
    tags: Sequence[str]
    rated: bool


class GameState(TypedDict):
    """How a game stands at a version, as its viewer may see it; None before it begins."""

    game_id: str
    version: int
    status: str
    seat: int | None
    decisions: Sequence[Decision]
    bots_wait_until: str | None
    suspended_since: str | None
    state: Mapping[str, Any] | None


class LegalMoves(TypedDict):
    """All moves of a seat in the rules' order, with their words; ``groups`` if asked for."""

    game_id: str
    version: int
    seat: int
    moves: Sequence[Move]
    labels: Sequence[str]
    groups: NotRequired[Sequence[Mapping[str, Any]]]


class Event(TypedDict):
    """A copy of an event, as its viewer may see it; the last fields only if they are included."""

    seq: int
    kind: str
    by: Mapping[str, Any]
    at: str
    last: int
    parts: Mapping[str, Any]
    state_proof: str
    hash: str
    body: Mapping[str, Any]
    audiences: Mapping[str, Any]
    nonces: Mapping[str, Any]
    effects: NotRequired[Sequence[Mapping[str, Any]]]
    words: NotRequired[Sequence[str]]
    state: NotRequired[GameState]
    patch: NotRequired[Sequence[Mapping[str, Any]]]
    legal_moves: NotRequired[LegalMoves | None]
    groups: NotRequired[Sequence[Mapping[str, Any]] | None]


class MoveAnswer(TypedDict):
    """The result of a move: its events, and the seat's view of the game after them."""

    game_id: str
    version: int
    status: str
    seat: int
    receipt: Receipt
    events: Sequence[Event]
    effects: Sequence[Mapping[str, Any]]
    decisions: Sequence[Decision]
    state: Mapping[str, Any]


class Preview(TypedDict):
    """The effects that a move would have, as far as its seat can know them (``stops_at``)."""

    game_id: str
    version: int
    seat: int
    move: Mapping[str, Any]
    stops_at: str | None
    effects: Sequence[Mapping[str, Any]]
    state: Mapping[str, Any] | None
    next: Mapping[str, Any] | None
    draw: Mapping[str, Any] | None


class Invitation(TypedDict):
    """An invitation to a table; its ``token`` is told once."""

    id: str
    seat: int | None
    uses: int
    used: int
    created_at: str
    expires_at: str | None
    token: NotRequired[str]


class Key(TypedDict):
    """A key of a player without its text; ``game_id`` and ``seat`` are of those for one seat."""

    id: str
    name: str
    scope: str
    created_at: str
    expires_at: str | None
    game_id: NotRequired[str]
    seat: NotRequired[int]


class NewKey(Key):
    """A new key, whose text, ``key``, is told once."""

    key: str


class Player(TypedDict):
    """A player; ``kind`` is ``person`` or ``bot``."""

    id: str
    name: str
    created_at: str
    kind: str


class Me(Player):
    """The player of a key, and the key without its text."""

    key: Key


class RulesetSummary(TypedDict):
    """A game that the service knows."""

    id: str
    version: str
    title: str
    titles: Mapping[str, Any]
    designer: str
    year: int
    min_seats: int
    max_seats: int
