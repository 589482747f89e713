"""Games and seats."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from rules.kernel.record.batch import LENIENT, REVEAL, REVEAL_SECONDS
from rules.kernel.record.beacons import ABORT, BEACON, LATE
from rules.kernel.record.game import STATUSES
from rules.kernel.record.signatures import REQUIRED
from service.api.schemas.base import (
    AT,
    GAME,
    HASH,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    Flag,
    Items,
    RequestSchema,
    described,
    hash_field,
    kind_field,
    kinds_field,
    names_field,
    raw_object,
    sig_field,
    text_field,
    version_field,
)
from service.api.schemas.beacons import BeaconSchema
from service.api.schemas.form import SCHEMAS, tag
from service.api.schemas.ratings import RatedGameSchema
from service.api.schemas.receipts import ReceiptSchema
from service.api.schemas.tables import (
    PUBLIC_TABLE,
    TableRequest,
    TableRequestSchema,
    TableSchema,
    token_field,
)
from service.games.listing import SUSPENDED
from service.ledger.kinds import PERSON
from service.ledger.terms import PUBLIC, VISIBILITIES

MAX_SEATS = 12
MAX_CLOCK_SECONDS = 30 * 24 * 3600
_HOLDERS = ("me", "open", "bot", "challenged")
ANY_BOT = "any"
"""The value of ``player`` of a challenge to any bot account that is present and free."""


def _holder_is(who: str) -> JsonObject:
    """Return the schema of a seat for one kind of holder."""
    return {"properties": {"holder": {"const": who}}, "required": ["holder"]}


_BOTS_NAME_ONE: JsonObject = {
    "if": _holder_is("bot"),
    "then": {"required": ["bot"], "properties": {"bot": True, "entropy_commitment": False}},
    "else": {"properties": {"bot": False}},
}
"""The rule of ``check_bot`` as JSON Schema."""


def check_bot(data: dict[str, Any]) -> None:
    """Check that ``bot`` is given for a bot's seat, and for no other."""
    if data["holder"] == "bot" and "bot" not in data:
        raise ma.ValidationError("a bot's seat names its bot", "bot")
    if data["holder"] != "bot" and "bot" in data:
        raise ma.ValidationError("only a bot's seat names a bot", "bot")
    if data["holder"] != "me" and "entropy_commitment" in data:
        raise ma.ValidationError("only your own seat has one", "entropy_commitment")


def signing_key_field(text: str, **options: Any) -> ma.fields.Field[Any]:
    """Return the field for a key with which a seat signs its moves."""
    return hash_field(f"{text} An Ed25519 public key, in hexadecimal.", **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRequest:
    """The values that ``SeatRequestSchema`` loads."""

    holder: str
    bot: str | None = None
    player: str | None = None
    entropy_commitment: str | None = None
    signing_key: str | None = None


class SeatRequestSchema(RequestSchema):
    """The wanted holder of a seat of a new game."""

    holder = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(_HOLDERS),
        metadata=described(
            "The caller, nobody yet, a bot of the service, or a bot account that is challenged.",
            example="me",
        ),
    )
    bot = ma.fields.String(
        metadata=described(
            "The bot's name, if the holder is a bot. Of a challenge, the bot that takes the seat if"
            " the challenged one does not; left out, the seat is then open.",
            example="greedy",
        )
    )
    player = ma.fields.String(
        validate=ma.validate.Length(1, 24),
        metadata=described(
            f"The id of the bot account that is challenged; `{ANY_BOT}`: one that is present, takes"
            " such games, and is free.",
            maxLength=24,
            example=ANY_BOT,
        ),
    )
    entropy_commitment = hash_field(
        "The hash that the caller commits to for its seat (/docs/format)."
    )
    signing_key = signing_key_field("With `signatures`, the key of the caller's seat.")
    loads = SeatRequest
    example = {"holder": "bot", "bot": "greedy"}
    rules: ClassVar = {
        "if": _holder_is("challenged"),
        "then": {
            "required": ["player"],
            "properties": {"player": True, "entropy_commitment": False},
        },
        "else": {
            "properties": {"player": False},
            **_BOTS_NAME_ONE,
            "else": {
                **_BOTS_NAME_ONE["else"],
                "if": _holder_is("open"),
                "then": {"properties": {"entropy_commitment": False}},
            },
        },
    }

    @ma.validates_schema
    def check_holder(self, data: dict[str, Any], **_: Any) -> None:
        """Check that a challenge names a player, and a bot's seat its bot."""
        if data["holder"] == "challenged":
            if "player" not in data:
                raise ma.ValidationError("a challenge names the bot account", "player")
            if "entropy_commitment" in data:
                raise ma.ValidationError("only your own seat has one", "entropy_commitment")
            return
        if "player" in data:
            raise ma.ValidationError("only a challenge names a player", "player")
        check_bot(data)


class ClockSchema(RequestSchema):
    """A clock: the time of a seat for each decision, for all of its decisions, or both."""

    decision_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MAX_CLOCK_SECONDS),
        metadata=described(
            "The seconds for a decision, after which the rules answer for the seat. Without"
            " `budget_seconds` they are required.",
            example=86400,
        ),
    )
    budget_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MAX_CLOCK_SECONDS),
        metadata=described(
            "The budget of a seat: the seconds for all of its decisions. Once it is spent, the"
            " rules answer for the seat.",
            example=600,
        ),
    )
    increment_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(0, MAX_CLOCK_SECONDS),
        metadata=described(
            "The seconds that each answer of the seat adds to its budget; with `budget_seconds`"
            " alone, 0.",
            example=5,
        ),
    )
    grace_ms = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, 60_000),
        metadata=described(
            "The time after that for which an answer still counts, because it may have been on its"
            " way; none if left out.",
            example=2000,
        ),
    )
    example = {"decision_seconds": 86400}
    rules: ClassVar = {
        "if": {"required": ["budget_seconds"], "properties": {"budget_seconds": True}},
        "else": {
            "required": ["decision_seconds"],
            "properties": {"decision_seconds": True, "increment_seconds": False},
        },
    }

    @ma.validates_schema
    def check_limit(self, data: dict[str, Any], **_: Any) -> None:
        """Check that the clock has a limit, and that only a budget grows."""
        if "budget_seconds" in data:
            return
        if "increment_seconds" in data:
            raise ma.ValidationError("only budget_seconds grow", "increment_seconds")
        if "decision_seconds" not in data:
            raise ma.ValidationError("a clock has these, or budget_seconds", "decision_seconds")

    @ma.post_load
    def add_increment(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the clock as the record has it: a budget has an increment."""
        return {"increment_seconds": 0, **data} if "budget_seconds" in data else data


UNLIMITED = "unlimited"
"""The value of a clock without a time limit."""


class _ClockOrWord(ma.fields.Field[Any]):
    """A clock, or UNLIMITED."""

    def _deserialize(self, value: Any, *_args: Any, **_options: Any) -> Any:
        if value == UNLIMITED:
            return value
        if not isinstance(value, dict):
            raise ma.ValidationError(f'an object, or "{UNLIMITED}"')
        return ClockSchema().load(value)


def _object(value: object) -> None:
    if not isinstance(value, dict):
        raise ma.ValidationError("an object")


def options_field() -> ma.fields.Raw:
    """Return the field for the options of a new game."""
    return ma.fields.Raw(
        load_default=dict,
        validate=_object,
        metadata=described("Options that differ from the ruleset's defaults.", type="object"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    """The values that ``GameRequestSchema`` loads."""

    ruleset: str
    options: JsonObject
    seats: list[SeatRequest]
    clock: JsonObject | Literal["usual", "unlimited"] = "usual"
    take_back: bool = False
    hints: bool = False
    signatures: str | None = None
    table: TableRequest = PUBLIC_TABLE
    entropy_mode: str = REVEAL
    entropy_seconds: int | None = None
    beacon: JsonObject | None = None


class BeaconRequestSchema(RequestSchema):
    """The beacon that goes into a game's luck."""

    chain = ma.fields.String(
        validate=ma.validate.Regexp(r"^[0-9a-f]{64}$"),
        metadata=described(
            "The hash of a chain of drand that the service offers; left out, the first of them.",
            example=HASH,
        ),
    )
    late = ma.fields.String(
        load_default=ABORT,
        validate=ma.validate.OneOf(LATE),
        metadata=described(
            "What becomes of the game if the round is not there in time: it is aborted, or starts"
            " without.",
            example=ABORT,
        ),
    )
    example = {"chain": HASH, "late": ABORT}


class GameRequestSchema(RequestSchema):
    """A new game."""

    ruleset = ma.fields.String(
        required=True, metadata=described("A ruleset's id.", example=RULESET)
    )
    options = options_field()
    seats = Items(
        ma.fields.Nested(SeatRequestSchema),
        required=True,
        validate=ma.validate.Length(1, MAX_SEATS),
        metadata=described("One for each seat, in order; the game starts when all are held."),
    )
    clock = _ClockOrWord(
        error_messages={"null": f'"{UNLIMITED}" is what null was: nobody is hurried'},
        metadata=described(
            "Left out, that of `LONJA_DECISION_SECONDS` at a public table where people sit, else"
            f" none. `{UNLIMITED}`: none; not at such a table.",
            anyOf=[{"$ref": f"{SCHEMAS}Clock"}, tag(UNLIMITED)],
        ),
    )
    take_back = Flag(
        metadata=described(
            "Whether seats may take back their moves (`takeBack`); left out, they may not. Not at a"
            " rated table.",
            example=True,
        ),
    )
    hints = Flag(
        metadata=described(
            "Whether players may ask for hints (`requestHint`), which all at the table see; left"
            " out, only who plays alone with bots may. Not at a rated table.",
            example=True,
        ),
    )
    signatures = ma.fields.String(
        validate=ma.validate.OneOf((REQUIRED,)),
        metadata=described(
            "Whether players sign their moves (/docs/format#signatures-of-seats): each seat of a"
            " player then needs a `signing_key`. Left out, they do not.",
            example=REQUIRED,
        ),
    )
    table = ma.fields.Nested(TableRequestSchema, metadata=described("Left out, it is public."))
    entropy_mode = ma.fields.String(
        validate=ma.validate.OneOf((REVEAL, LENIENT, BEACON)),
        metadata=described(
            "What becomes of the game if a seat does not reveal the entropy that it committed to in"
            " time: `reveal`, as if this is left out: it is aborted; `lenient`: it starts without."
            " `beacon`: it starts without, but with a round of a public beacon, which nobody can"
            " know or choose before.",
            example=LENIENT,
        ),
    )
    entropy_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, 24 * 3600),
        metadata=described(
            f"How long seats may take to reveal it; left out, {REVEAL_SECONDS[REVEAL]}, and"
            f" {REVEAL_SECONDS[LENIENT]} if `lenient`. For a beacon, how long it is waited for.",
            example=60,
        ),
    )
    beacon = ma.fields.Nested(
        BeaconRequestSchema,
        metadata=described("Only with the `entropy_mode` `beacon`; left out, the service's first."),
    )
    loads = GameRequest
    example = {
        "ruleset": RULESET,
        "options": {},
        "seats": [{"holder": "me"}, {"holder": "bot", "bot": "greedy"}],
        "clock": {"decision_seconds": 86400},
        "entropy_mode": LENIENT,
    }
    rules: ClassVar = {
        "if": {
            "properties": {
                "table": {"properties": {"rated": {"const": True}}, "required": ["rated"]}
            },
            "required": ["table"],
        },
        "then": {
            "properties": {
                "table": {"properties": {"visibility": {"const": PUBLIC}}},
                "take_back": {"const": False},
                "hints": {"const": False},
                "seats": {
                    "minItems": 2,
                    "items": {"properties": {"holder": {"enum": ["me", "open"]}}},
                    "contains": _holder_is("me"),
                    "minContains": 0,
                    "maxContains": 1,
                },
            }
        },
    }

    @ma.validates_schema
    def check_beacon(self, data: dict[str, Any], **_: Any) -> None:
        """Check that a beacon is named only in the mode that has one."""
        if "beacon" in data and data.get("entropy_mode") != BEACON:
            raise ma.ValidationError('only with the entropy_mode "beacon"', "beacon")

    @ma.validates_schema
    def check_rated(self, data: dict[str, Any], **_: Any) -> None:
        """Check that a rated table is public, with two or more people, each on one seat."""
        table, seats = data.get("table", {}), data["seats"]
        if not table.get("rated"):
            return
        if table["visibility"] != PUBLIC:
            message = {"rated": ["a rated table is public, for all to see what ratings come of"]}
            raise ma.ValidationError(message, "table")
        if data.get("take_back"):
            raise ma.ValidationError("at a rated table, no move is taken back", "take_back")
        if data.get("hints"):
            raise ma.ValidationError("at a rated table, nobody gets hints", "hints")
        if len(seats) < 2:
            raise ma.ValidationError("a rated table has two seats or more", "seats")
        taken = False
        for number, seat in enumerate(seats):
            is_program = seat["holder"] in {"bot", "challenged"}
            if is_program or (taken and seat["holder"] == "me"):
                message = {"holder": ["a rated table is for people, each on one seat"]}
                raise ma.ValidationError({number: message}, "seats")
            taken = taken or seat["holder"] == "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitRequest:
    """The values that ``SitRequestSchema`` loads."""

    holder: str
    bot: str | None = None
    entropy_commitment: str | None = None
    signing_key: str | None = None
    invitation: str | None = None


class SitRequestSchema(RequestSchema):
    """A seat to take; by default for the caller."""

    holder = ma.fields.String(
        load_default="me",
        validate=ma.validate.OneOf(("me", "bot")),
        metadata=described("The caller; or a bot, if the caller opened the table.", example="me"),
    )
    bot = ma.fields.String(
        metadata=described("The bot's name, if the holder is a bot.", example="greedy")
    )
    entropy_commitment = hash_field("The hash that the caller commits to (/docs/format).")
    signing_key = signing_key_field("With `signatures` of the game, the key of the caller's seat.")
    invitation = token_field()
    loads = SitRequest
    example = {"holder": "me"}
    rules = _BOTS_NAME_ONE

    @ma.validates_schema
    def check_holder(self, data: dict[str, Any], **_: Any) -> None:
        """Check that ``bot`` is given for a bot's seat, and for no other."""
        check_bot(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class RematchRequest:
    """The values that ``RematchRequestSchema`` loads."""

    entropy_commitment: str | None = None
    rematch: str | None = None
    signing_key: str | None = None


class RematchRequestSchema(RequestSchema):
    """The caller's additions to a rematch; all are optional."""

    entropy_commitment = hash_field(
        "The hash that the caller commits to for the seat after the one that he"
        " had last time; after"
        " the first of them, if he had several."
    )
    rematch = ma.fields.String(
        allow_none=True,
        metadata=described(
            "The game whose id the commitment has: `table.rematch`; left out, or null, if there was"
            " none yet.",
            example=GAME,
        ),
    )
    signing_key = signing_key_field(
        "With `signatures` of the game, the key of the caller's seats at the rematch."
    )
    loads = RematchRequest
    example = {"entropy_commitment": HASH, "rematch": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class EntropyRequest:
    """The values that ``EntropyRequestSchema`` loads."""

    entropy: str


class EntropyRequestSchema(RequestSchema):
    """The entropy that a seat committed to."""

    entropy = hash_field("The 32 bytes, in hexadecimal.", required=True)
    loads = EntropyRequest
    example = {"entropy": HASH}


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKeyRequest:
    """The values that ``SigningKeyRequestSchema`` loads."""

    signing_key: str
    sig: str | None = None
    expected_head: str | None = None


class SigningKeyRequestSchema(RequestSchema):
    """Another key for a seat, signed with the key that it has."""

    signing_key = signing_key_field("The new key.", required=True)
    sig = sig_field(
        "Ed25519 with the key before, over the canonical JSON of the game, `expected_head`, the new"
        " key and the seat (/docs/format#signatures-of-seats); left out, or null, if the key before"
        " is lost.",
        allow_none=True,
    )
    expected_head = hash_field("With `sig`: the hash of the game's newest event.")
    loads = SigningKeyRequest
    example = {"signing_key": HASH, "sig": 2 * HASH, "expected_head": HASH}


class EntropySchema(AnswerSchema):
    """A seat's contribution to the game's chance."""

    commitment = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The hash that the seat committed to, if it did."),
    )
    revealed = ma.fields.String(
        required=True, allow_none=True, metadata=described("The entropy, once it is open.")
    )
    example = {"commitment": None, "revealed": None}


class TableSeatSchema(AnswerSchema):
    """A seat and its holder."""

    seat = ma.fields.Integer(required=True, metadata=described("0-based, clockwise.", example=0))
    holder = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(("open", "player", "bot")),
        metadata=described("Nobody, a player, or a bot.", example="player"),
    )
    player = ma.fields.String(metadata=described("The player's id.", example=PLAYER))
    name = ma.fields.String(
        allow_none=True,
        metadata=described("The name, for people, of the player or bot.", example="Ana"),
    )
    kind = kind_field(
        "What the player is: a person, or a program: `bot`. Null of one of another installation.",
        allow_none=True,
    )
    bot = ma.fields.String(metadata=described("The bot's name.", example="greedy"))
    version = ma.fields.String(metadata=described("The bot's version.", example="1"))
    settings = ma.fields.Raw(metadata=described("The bot's settings.", type="object"))
    resigned = ma.fields.Boolean(
        metadata=described("Whether it gave up; the rules answer for it.", example=False)
    )
    entropy = ma.fields.Nested(EntropySchema)
    signing_key = ma.fields.String(
        metadata=described("The key with which it signs its moves, if it does.", example=HASH)
    )
    rating = ma.fields.Nested(RatedGameSchema)
    example = {
        "seat": 0,
        "holder": "player",
        "player": PLAYER,
        "name": "Ana",
        "kind": PERSON,
        "resigned": False,
        "entropy": EntropySchema.example,
    }


class DecisionSchema(AnswerSchema):
    """A question that a seat has to answer."""

    id = version_field("The `seq` of the event that opened it.")
    seat = ma.fields.Integer(
        required=True, metadata=described("The seat that is asked.", example=0)
    )
    name = text_field("The name of the decision in the rules.", example="drive_car")
    label = text_field("The same in the caller's language.", example="Drive the car")
    asked_at = text_field("The time when the decision was opened.", **TIME)
    deadline = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The time when the rules answer instead, if there is a clock.", **TIME),
    )
    example = {
        "id": 6,
        "seat": 0,
        "name": "drive_car",
        "label": "Drive the car",
        "asked_at": AT,
        "deadline": None,
    }


class BudgetSchema(AnswerSchema):
    """The remaining time budget of a seat, for all of its decisions."""

    seat = ma.fields.Integer(required=True, metadata=described("The seat.", example=0))
    left_ms = ma.fields.Integer(
        required=True,
        metadata=described(
            "The milliseconds that were left at `falls_since`, or are left if it is null.",
            example=583_250,
        ),
    )
    falls_since = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "Since when they become fewer: the time when the seat's open decision was opened, and"
            " then the clock's `grace_ms`. Null while the seat has no decision, or the game is"
            " suspended.",
            **TIME,
        ),
    )
    example = {"seat": 0, "left_ms": 583_250, "falls_since": AT}


def budgets_field() -> ma.fields.Field[Any]:
    """Return the field for the remaining time budgets of the seats."""
    return ma.fields.List(
        ma.fields.Nested(BudgetSchema),
        required=True,
        metadata=described(
            "What is left of the budget of each seat that has one: if the clock has"
            " `budget_seconds`, the seats of players; otherwise none."
        ),
    )


class ScorePartSchema(AnswerSchema):
    """One part of a score; parts that are 0 are left out."""

    label = text_field("The reason for these points, in the caller's language.", example="walls")
    value = ma.fields.Integer(
        required=True, metadata=described("The points that it adds.", example=13)
    )
    example = {"label": "walls", "value": 13}


class StandingInWordsSchema(AnswerSchema):
    """A standing of the result in words, in the caller's language."""

    side = text_field("The side, as in `result`.", example="seat:0")
    rank = ma.fields.Integer(required=True, metadata=described("Its rank.", example=1))
    text = text_field("Its score.", example="48 points")
    parts = ma.fields.List(
        ma.fields.Nested(ScorePartSchema),
        required=True,
        metadata=described("The parts that add up to the score, without those of 0."),
    )
    notes = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described(
            "The facts that count beside the points, as what won a tie, and who resigned."
        ),
    )
    example = {
        "side": "seat:0",
        "rank": 1,
        "text": "48 points",
        "parts": [ScorePartSchema.example, {"label": "ships", "value": 35}],
        "notes": ["wins the tie by commodities left, 22 to 18"],
    }


class SoundSchema(AnswerSchema):
    """The last event of a damaged game before the damage."""

    seq = version_field("Its number; 0: none can.")
    hash = text_field("Its hash.", example=HASH)
    example = {"seq": 5, "hash": HASH}


class DamagedSchema(AnswerSchema):
    """The damage of a game's stream; the game is shown as of the last event before it."""

    problem = text_field(
        "The name of the problem in `lonja ledger check`.", example="not_applicable"
    )
    seq = version_field("The first event that is not as it should be.")
    sound = ma.fields.Nested(SoundSchema, required=True)
    example = {"problem": "not_applicable", "seq": 6, "sound": SoundSchema.example}


class ImportedSchema(AnswerSchema):
    """The origin of an imported game or tournament."""

    by = text_field("The name of whoever imported the game.", example="operator")
    at = text_field("The time of the import.", **TIME)
    key_id = text_field("The id of the key that signed the record.", example="5f2b51ca2fdc5baa")
    public_key = text_field("The public key that signed the record, in hexadecimal.", example=HASH)
    example = {"by": "operator", "at": AT, "key_id": "5f2b51ca2fdc5baa", "public_key": HASH}


def imported_field(what: str = "game") -> ma.fields.Field[Any]:
    """Return the field that marks an imported game or tournament."""
    return ma.fields.Nested(
        ImportedSchema,
        required=True,
        allow_none=True,
        metadata=described(
            f"Null, unless the {what} was played elsewhere, and its record was proved and imported."
        ),
    )


def damaged_field() -> ma.fields.Field[Any]:
    """Return the field that warns of damage."""
    return ma.fields.Nested(
        DamagedSchema,
        required=True,
        allow_none=True,
        metadata=described("Null, unless the record is damaged and the game therefore suspended."),
    )


def entropy_mode_field() -> ma.fields.Field[Any]:
    """Return the field for the consequence of withheld entropy."""
    return text_field(
        "What becomes of it if a seat does not reveal its entropy in time: `reveal`, it is aborted;"
        " `lenient`, it starts without; `beacon`, it starts without, but with a round of a beacon.",
        enum=[REVEAL, LENIENT, BEACON],
        example=LENIENT,
    )


def suspended_field() -> ma.fields.Field[Any]:
    """Return the field for the time since when an operator has suspended a game."""
    return ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "Since when an operator has suspended the game; then nobody's time runs, and whatever"
            " would change it is 409 `game_suspended`. Null: it goes on.",
            format="date-time",
        ),
    )


def bots_wait_field() -> ma.fields.Field[Any]:
    """Return the field for the time until which the bots' budget is spent."""
    return ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "Until when the bots that are asked wait, because the bots of who opened the table, and"
            " of others behind the same address, have spent their processor time; null if they do"
            " not wait.",
            **TIME,
        ),
    )


class GameSummarySchema(AnswerSchema):
    """A game in a list. Its version is left out, because every event would change the list."""

    id = text_field("The game's id.", example=GAME)
    ruleset = text_field("The ruleset's id.", example=RULESET)
    rules_version = text_field("The version of the rules that it keeps.", example="1.0.0")
    status = text_field(
        "The game's status; `suspended`: no installed rules can play it.",
        enum=[*STATUSES, SUSPENDED],
        example="running",
    )
    created_at = text_field("The time when the table was opened.", **TIME)
    created_by = ma.fields.String(
        required=True, allow_none=True, metadata=described("The player who opened it.")
    )
    changed_at = text_field("The time when a seat or the status last changed.", **TIME)
    seats = ma.fields.List(
        ma.fields.Nested(TableSeatSchema),
        required=True,
        metadata=described("The seats and their holders."),
    )
    result = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described("The ranking, once it has ended.", type="object"),
    )
    imported = imported_field()
    visibility = text_field("Who can see the table.", enum=list(VISIBILITIES), example=PUBLIC)
    title = ma.fields.String(required=True, allow_none=True, metadata=described("Its title."))
    tags = ma.fields.List(ma.fields.String(), required=True, metadata=described("Its tags."))
    rated = ma.fields.Boolean(required=True, metadata=described("Whether it counts for ratings."))
    rating_rule = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The rule by which it counts; null if it is not rated."),
    )
    entropy_mode = entropy_mode_field()
    example = {
        "id": GAME,
        "ruleset": RULESET,
        "rules_version": "1.0.0",
        "status": "running",
        "created_at": AT,
        "created_by": PLAYER,
        "changed_at": AT,
        "seats": [
            {"seat": 0, "holder": "player", "player": PLAYER, "name": "Ana", "kind": PERSON},
            {"seat": 1, "holder": "bot", "bot": "greedy", "version": "2", "settings": {}},
        ],
        "result": None,
        "imported": None,
        "visibility": PUBLIC,
        "title": None,
        "tags": [],
        "rated": False,
        "rating_rule": None,
        "entropy_mode": LENIENT,
    }


class GameListSchema(AnswerSchema):
    """A page of games, newest first."""

    games = ma.fields.List(
        ma.fields.Nested(GameSummarySchema),
        required=True,
        metadata=described("Perhaps fewer than asked for, even if there are more."),
    )
    next_cursor = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("Send it as `cursor` for the next page; null at the end."),
    )
    players = names_field()
    player_kinds = kinds_field()
    example = {
        "games": [GameSummarySchema.example],
        "players": {PLAYER: "Ana"}, "player_kinds": {PLAYER: PERSON}, "next_cursor": None,
    }  # fmt: skip


class GameSchema(AnswerSchema):
    """A game without its state."""

    id = text_field("The game's id.", example=GAME)
    ruleset = text_field("The ruleset's id.", example=RULESET)
    rules_version = text_field("The version of the rules that it keeps.", example="1.0.0")
    rules_digest = text_field("SHA-256 over the code and data that decide play.", example=HASH)
    options = raw_object("All options.", example={})
    status = text_field("The game's status.", enum=list(STATUSES), example="running")
    version = version_field("The number of the game's events.")
    head = text_field("The hash of its newest event.", example=HASH)
    created_at = text_field("The time when the table was opened.", **TIME)
    created_by = ma.fields.String(
        required=True, allow_none=True, metadata=described("The player who opened it.")
    )
    players = names_field()
    player_kinds = kinds_field()
    at = text_field("The time of its newest event.", **TIME)
    tournament = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The tournament that it is part of; null for a table."),
    )
    seats = ma.fields.List(
        ma.fields.Nested(TableSeatSchema),
        required=True,
        metadata=described("The seats and their holders."),
    )
    table = ma.fields.Nested(TableSchema, required=True)
    clock = ma.fields.Nested(
        ClockSchema,
        required=True,
        allow_none=True,
        metadata=described("Null if nobody is hurried."),
    )
    take_back = ma.fields.Boolean(
        required=True, metadata=described("Whether seats may take back their moves.", example=True)
    )
    hints = ma.fields.Boolean(
        required=True,
        metadata=described(
            "Whether players may ask for hints, which all see: each is an event `hinted`.",
            example=False,
        ),
    )
    signatures = ma.fields.String(
        required=True,
        allow_none=True,
        validate=ma.validate.OneOf((REQUIRED, None)),
        metadata=described(
            "Whether players sign their moves (/docs/format#signatures-of-seats); null if not.",
            example=None,
        ),
    )
    chance = raw_object("The chance scope and the commitment to its seed (/docs/format).")
    entropy_mode = entropy_mode_field()
    entropy_seconds = ma.fields.Integer(
        required=True,
        metadata=described("The seconds that seats may take to reveal their entropy.", example=60),
    )
    entropy_until = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "Until when they may, and a beacon is waited for; null unless they are awaited.",
            **TIME,
        ),
    )
    beacon = ma.fields.Nested(
        BeaconSchema,
        required=True,
        allow_none=True,
        metadata=described("Null, unless a round of a beacon goes into the luck."),
    )
    decisions = ma.fields.List(
        ma.fields.Nested(DecisionSchema), required=True, metadata=described("The open decisions.")
    )
    budgets = budgets_field()
    bots_wait_until = bots_wait_field()
    suspended_since = suspended_field()
    result = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described(
            "The reason why the game ended, and the ranking of all sides.", type="object"
        ),
    )
    standings = ma.fields.List(
        ma.fields.Nested(StandingInWordsSchema),
        required=True,
        metadata=described("The ranking in words, the best first; empty until it has ended."),
    )
    imported = imported_field()
    damaged = damaged_field()
    example = {
        "id": GAME,
        "ruleset": RULESET,
        "rules_version": "1.0.0",
        "rules_digest": HASH,
        "options": {"turn_limit": 400},
        "status": "running",
        "version": 6,
        "head": HASH,
        "created_at": AT,
        "created_by": PLAYER,
        "players": {PLAYER: "Ana"},
        "player_kinds": {PLAYER: PERSON},
        "at": AT,
        "tournament": None,
        "seats": [TableSeatSchema.example],
        "table": TableSchema.example,
        "clock": None,
        "take_back": True,
        "hints": False,
        "signatures": None,
        "chance": {"scope": GAME, "commitment": HASH},
        "entropy_mode": LENIENT,
        "entropy_seconds": 60,
        "entropy_until": None,
        "beacon": None,
        "decisions": [DecisionSchema.example],
        "budgets": [],
        "bots_wait_until": None,
        "suspended_since": None,
        "result": None,
        "standings": [],
        "imported": None,
        "damaged": None,
    }


class ChangedGameSchema(GameSchema):
    """A game after a change, with the receipt for the change."""

    receipt = ma.fields.Nested(
        ReceiptSchema,
        required=True,
        metadata=described(
            "The receipt for the change; if there was none, for the game's newest event."
        ),
    )
    example = {**GameSchema.example, "receipt": ReceiptSchema.example}
