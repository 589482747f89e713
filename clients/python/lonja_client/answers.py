"""The JSON of the service's answers: schemas of openapi.yaml, under the same names.

Later services may add fields, so an answer may have more fields than its type here. Values that
depend on the ruleset (moves, views and results) are JSON without a type.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

Json = Any
"""A JSON value: None, a bool, a number, a string, a list, or a dictionary with strings as keys."""
Move = Mapping[str, Any]
"""A move in the ruleset's JSON, with its ``type``."""


class Receipt(TypedDict):
    """The head of a game with the service's signature (docs/format.md, "Receipts").

    ``pseudonym_key`` is there if the game is not public: it opens the game's pseudonym in the
    public log.
    """

    game_id: str
    seq: int
    hash: str
    at: str
    request: str | None
    idempotency_key: str | None
    key_id: str
    pseudonym_key: NotRequired[str]
    sig: str


class Entropy(TypedDict):
    """A seat's commitment and the entropy that opens it, both in hex."""

    commitment: str | None
    revealed: str | None


class TableSeat(TypedDict):
    """A seat and its holder: ``holder`` is ``open``, ``player`` or ``bot``."""

    seat: int
    holder: str
    player: NotRequired[str]
    name: NotRequired[str | None]
    kind: NotRequired[str | None]
    bot: NotRequired[str]
    version: NotRequired[str]
    resigned: NotRequired[bool]
    entropy: NotRequired[Entropy]
    signing_key: NotRequired[str]


class Decision(TypedDict):
    """An open decision of a seat; ``id`` is the number of its event. Times are RFC 3339."""

    id: int
    seat: int
    name: str
    label: str
    asked_at: str
    deadline: str | None


class Budget(TypedDict):
    """The remaining time budget of a seat, for all of its decisions, at ``falls_since`` (RFC 3339).

    If that is None, the budget does not run now.
    """

    seat: int
    left_ms: int
    falls_since: str | None


class Table(TypedDict):
    """The settings of a table that are not in the game's record."""

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
    take_back: bool
    hints: bool
    signatures: str | None
    entropy_mode: str
    entropy_until: str | None
    beacon: Mapping[str, Any] | None
    decisions: Sequence[Decision]
    budgets: Sequence[Budget]
    bots_wait_until: str | None
    suspended_since: str | None
    result: Mapping[str, Any] | None


class GameSummary(TypedDict):
    """A game as it appears in lists."""

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
    """A game's state at a version, as its viewer may see it; ``state`` is None before the start."""

    game_id: str
    version: int
    status: str
    seat: int | None
    decisions: Sequence[Decision]
    budgets: Sequence[Budget]
    ways_back: Sequence[int]
    bots_wait_until: str | None
    suspended_since: str | None
    state: Mapping[str, Any] | None


class LegalMoves(TypedDict):
    """All moves of a seat in the rules' order, with their labels; ``groups`` only if requested."""

    game_id: str
    version: int
    seat: int
    moves: Sequence[Move]
    labels: Sequence[str]
    groups: NotRequired[Sequence[Mapping[str, Any]]]


class Event(TypedDict):
    """A viewer's copy of an event.

    The field ``effects`` and the fields below it are there only if the request asks for them.
    """

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
    budgets: Sequence[Budget]
    state: Mapping[str, Any]


class QuestionEvent(TypedDict):
    """An event since a seat's last answer; ``body`` has the parts that the seat may see."""

    seq: int
    kind: str
    by: Mapping[str, Any]
    at: str
    body: Mapping[str, Any]


class Question(TypedDict):
    """Everything that a bot needs to know in order to decide for a seat.

    ``head`` is the hash of the game's newest event. ``limit`` has the milliseconds left
    (``wall_ms``). ``since`` has the events from the seat's last answer on, or from the start.
    """

    game: str
    version: int
    head: str
    ruleset: str
    rules_version: str
    options: Mapping[str, Any]
    seats: int
    seat: int
    decision: int
    view: Mapping[str, Any]
    information: Mapping[str, Any]
    legal: Sequence[Move]
    limit: Mapping[str, Any]
    since: Sequence[QuestionEvent]
    words: NotRequired[Sequence[str]]
    observation: NotRequired[Sequence[int]]
    mask: NotRequired[Sequence[int]]
    actions: NotRequired[Sequence[Sequence[int]]]


class Preview(TypedDict):
    """The effects that a move would have, as far as its seat can know them (up to ``stops_at``)."""

    game_id: str
    version: int
    seat: int
    move: Mapping[str, Any]
    stops_at: str | None
    effects: Sequence[Mapping[str, Any]]
    state: Mapping[str, Any] | None
    next: Mapping[str, Any] | None
    draw: Mapping[str, Any] | None
    can_take_back: bool


class Measured(TypedDict):
    """A mean and its standard error."""

    mean: int
    error: int


class HintMove(TypedDict):
    """A move of a hint, and what it is expected to bring, in thousandths of a point."""

    move: Mapping[str, Any]
    label: str
    lead: Measured
    cost: Measured


class HintResult(TypedDict):
    """The bot's move and its best alternatives, in this order."""

    choices: int
    moves: Sequence[HintMove]


class Hint(TypedDict):
    """A hint for a decision of a seat, as far as it is; ``state`` is "done" at the end.

    ``result`` is None until then. ``detail`` is the reason why there is no hint, if it "failed".
    """

    game_id: str
    seat: int
    decision: int
    bot: str
    state: str
    current: bool
    detail: str | None
    result: HintResult | None


class WhyNot(TypedDict):
    """Why a seat cannot choose an element of the board, as far as it can know.

    ``label`` is the answer in words. ``what``, ``move``, ``reason`` and ``rules`` are None unless
    ``answer`` is "refused".
    """

    game_id: str
    version: int
    seat: int
    element: str
    answer: str
    label: str
    what: str | None
    move: Mapping[str, Any] | None
    reason: str | None
    details: Mapping[str, Any]
    rules: str | None


class Invitation(TypedDict):
    """An invitation to a table.

    ``token`` is only in the answer to the request that makes the invitation.
    """

    id: str
    seat: int | None
    uses: int
    used: int
    created_at: str
    expires_at: str | None
    token: NotRequired[str]


class Key(TypedDict):
    """A player's key, without the secret text that a client sends to prove that it has the key.

    If the key is for one seat of one game, ``game_id`` and ``seat`` are set.
    """

    id: str
    name: str
    scope: str
    created_at: str
    expires_at: str | None
    game_id: NotRequired[str]
    seat: NotRequired[int]


class NewKey(Key):
    """A new key, with the secret text that a client sends to prove that it has the key (``key``).

    The secret text is only in the answer to the request that makes the key.
    """

    key: str


class Player(TypedDict):
    """A player; ``kind`` is ``person`` or ``bot``."""

    id: str
    name: str
    created_at: str
    kind: str


class Takes(TypedDict):
    """A ruleset that a bot account plays, and the numbers of seats."""

    ruleset: str
    seats: Sequence[int]


class BotAccount(Player):
    """A bot account: a program that plays, and what its owner says about it.

    ``version_is`` is ``declared``: nobody checks the version. ``present`` says whether the bot
    listens for questions now.
    """

    owner: str
    owner_name: str
    author: str | None
    page: str | None
    version: str
    since: str
    version_is: str
    takes: Sequence[Takes]
    concurrency: int
    present: bool


class OwnSeek(TypedDict):
    """A seek of the caller, and what has become of it.

    ``status`` is ``waiting``, ``matched`` (then ``game`` is the game's id), ``cancelled``,
    ``expired`` or ``refused`` (then ``reason`` is the code of a problem).
    """

    id: str
    status: str
    game: str | None
    reason: str | None


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
