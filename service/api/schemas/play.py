"""Playing: views of the state, legal moves, moves and resignations."""

from dataclasses import dataclass
from typing import Any, ClassVar

import marshmallow as ma

from rules.kernel.canonical import JsonObject, NotCanonicalError, encode
from rules.kernel.contract.preview import STOPS
from rules.kernel.contract.refusals import ANSWERS
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import MOST_THOUGHTS
from service.api.schemas.base import (
    AT,
    GAME,
    HASH,
    MAX_SEAT,
    RULESET,
    AnswerSchema,
    RequestSchema,
    described,
    hash_field,
    kinds_field,
    names_field,
    next_after_field,
    raw_object,
    sig_field,
    text_field,
    version_field,
)
from service.api.schemas.games import (
    DecisionSchema,
    bots_wait_field,
    budgets_field,
    damaged_field,
    suspended_field,
)
from service.api.schemas.receipts import ReceiptSchema
from service.games.questions import MOST_SINCE

MAX_VERSION = 2**53 - 1
MAX_INDEX = 1_000_000

_MOVE = {"type": "drive_car", "steps": 3}


def seat_number(text: str) -> ma.fields.Field[Any]:
    """Return a field for a seat in a body."""
    return ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(0, MAX_SEAT),
        metadata=described(text, example=0),
    )


class GameStateSchema(AnswerSchema):
    """A game as one viewer sees it."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The version that this shows.")
    status = text_field("The game's status.", example="running")
    seat = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The seat whose view this is; null for a spectator.", example=0),
    )
    decisions = ma.fields.List(
        ma.fields.Nested(DecisionSchema), required=True, metadata=described("The open decisions.")
    )
    budgets = budgets_field()
    ways_back = ma.fields.List(
        ma.fields.Integer(),
        required=True,
        metadata=described(
            "The events after which this seat can take back its moves (`takeBack`), in order; the"
            " last takes back one move. None for a spectator."
        ),
    )
    bots_wait_until = bots_wait_field()
    suspended_since = suspended_field()
    state = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described(
            "The view that the rules show this viewer; null before the start.", type="object"
        ),
    )
    damaged = damaged_field()
    example = {
        "game_id": GAME,
        "version": 6,
        "status": "running",
        "seat": 0,
        "decisions": [DecisionSchema.example],
        "budgets": [],
        "ways_back": [5],
        "bots_wait_until": None,
        "suspended_since": None,
        "state": None,
        "damaged": None,
    }


class MoveFieldSchema(AnswerSchema):
    """The possible values of a move's field, and the next field to choose."""

    field = text_field("The field of the move.", example="steps")
    label = text_field(
        "The name of the number, in the caller's language.", example="How many stops"
    )
    choices = ma.fields.List(
        ma.fields.Nested(lambda: MoveChoiceSchema),
        required=True,
        metadata=described("Values and ranges, in the rules' order."),
    )
    then = ma.fields.Nested(
        lambda: MoveFieldSchema,
        allow_none=True,
        metadata=described(
            "The next field after any of them, null after the last; left out if each says its own."
        ),
    )
    example: ClassVar[JsonObject] = {
        "field": "steps",
        "label": "How many stops",
        "choices": [{"min": 1, "max": 4, "step": 1}],
        "then": None,
    }


class MoveChoiceSchema(AnswerSchema):
    """A value, or a range of numbers from `min` to `max`."""

    value = ma.fields.Raw(metadata=described("The value.", example="rum"))
    omitted = ma.fields.Boolean(
        metadata=described("True: the move goes without the field.", example=True)
    )
    label = ma.fields.String(metadata=described("Its name.", example="rum"))
    min = ma.fields.Integer(metadata=described("The least number.", example=1))
    max = ma.fields.Integer(metadata=described("The greatest, included.", example=4))
    step = ma.fields.Integer(metadata=described("From one to the next.", example=1))
    then = ma.fields.Nested(
        MoveFieldSchema,
        allow_none=True,
        metadata=described("The next field after this; left out if all share one."),
    )
    example: ClassVar[JsonObject] = {"value": "rum", "label": "rum", "then": None}


class MoveGroupSchema(AnswerSchema):
    """The legal moves of one type."""

    rank = ma.fields.Integer(
        required=True,
        metadata=described("The place in which to show the group, from 1.", example=1),
    )
    type = text_field("The `type` of these moves.", example="drive_car")
    label = text_field("The group's name.", example="Drive the car")
    help = text_field("What the group's moves do.", example="Drive the car clockwise.")
    count = ma.fields.Integer(
        required=True, metadata=described("The number of moves in the group.", example=4)
    )
    choices = ma.fields.Nested(
        MoveFieldSchema,
        required=True,
        allow_none=True,
        metadata=described("The first field; null if there is nothing to choose."),
    )
    example: ClassVar[JsonObject] = {
        "rank": 1,
        "type": "drive_car",
        "label": "Drive the car",
        "help": "Drive the car clockwise.",
        "count": 4,
        "choices": None,
    }


class LegalMovesSchema(AnswerSchema):
    """All legal moves of a seat."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The version that this is about: send it as `expected_version`.")
    seat = ma.fields.Integer(
        required=True, metadata=described("The seat whose moves these are.", example=0)
    )
    moves = ma.fields.List(
        ma.fields.Raw(metadata=described("A move.", type="object")),
        required=True,
        metadata=described("Complete and in the rules' order; empty if the seat is not asked."),
    )
    labels = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described("Each move in the caller's language, in the same order."),
    )
    groups = ma.fields.List(
        ma.fields.Nested(MoveGroupSchema),
        metadata=described("The same moves by type and field, if `group` asks for them."),
    )
    example = {
        "game_id": GAME,
        "version": 6,
        "seat": 0,
        "moves": [_MOVE],
        "labels": ["Drive 3 spaces"],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRequest:
    """A seat's answer to its open decision: ``move`` or ``index``."""

    seat: Seat
    move: JsonObject | None = None
    index: int | None = None
    expected_version: int
    expected_head: str | None = None
    thoughts: JsonObject | None = None
    signature: JsonObject | None = None

    @property
    def choice(self) -> JsonObject | int:
        """The move, or its index."""
        chosen = self.move if self.index is None else self.index
        assert chosen is not None  # noqa: S101 - the schema has checked it
        return chosen


def _check_thoughts(thoughts: JsonObject) -> None:
    try:
        size = len(encode(thoughts))
    except NotCanonicalError as error:
        raise ma.ValidationError(str(error)) from None
    if size > MOST_THOUGHTS:
        raise ma.ValidationError(f"they have {size} bytes; at most {MOST_THOUGHTS} are kept")


class SignatureSchema(RequestSchema):
    """The signature of a move, by the key of its seat (/docs/format#signatures-of-seats)."""

    decision = ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(1, MAX_VERSION),
        metadata=described("The id of the seat's open decision.", example=6),
    )
    sig = sig_field(
        "Ed25519 over the canonical JSON of the decision, the game, `expected_head`, the seat and"
        " the move as `legal_moves` has it.",
        required=True,
    )
    example = {"decision": 6, "sig": 2 * HASH}


class MoveRequestSchema(RequestSchema):
    """A seat's answer to its open decision."""

    seat = seat_number("A seat that the caller holds.")
    move = ma.fields.Dict(
        metadata=described("One of the game's moves; `legal_moves` lists them.", example=_MOVE),
    )
    index = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(0, MAX_INDEX),
        metadata=described(
            "Instead of `move`: its place, from 0, among the legal moves at `expected_version`."
        ),
    )
    expected_version = ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(0, MAX_VERSION),
        metadata=described("The version on which the caller decided.", example=6),
    )
    expected_head = hash_field(
        "The hash of the newest event that the caller saw: kept for proof, and refused if no event"
        " of the game has it."
    )
    thoughts = ma.fields.Dict(
        validate=_check_thoughts,
        metadata=described(
            f"What the caller's program thought: an object of at most {MOST_THOUGHTS} bytes of"
            " canonical JSON (/docs/format#canonical-json). The record keeps it for good; nobody"
            " sees it before the game is over. A preview has no use for it.",
            example={"sure": True},
        ),
    )
    signature = ma.fields.Nested(
        SignatureSchema,
        metadata=described(
            "Where players sign their moves; with `expected_head`. A preview has no use for it."
        ),
    )
    loads = MoveRequest
    example = {"seat": 0, "move": _MOVE, "expected_version": 6}
    rules: ClassVar = {
        "if": {"required": ["move"], "properties": {"move": True}},
        "then": {"properties": {"index": False}},
        "else": {"required": ["index"], "properties": {"index": True}},
    }

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def check_choice(self, _data: dict[str, Any], body: object, **_: Any) -> None:
        """Check that a body that is an object has exactly one of ``move`` and ``index``."""
        if not isinstance(body, dict):
            return
        if "move" not in body and "index" not in body:
            raise ma.ValidationError("needed, or `index`", "move")
        if "move" in body and "index" in body:
            raise ma.ValidationError("only one of `move` and `index`", "index")


class QuestionEventSchema(AnswerSchema):
    """An event, with the parts that the seat may see."""

    seq = version_field("Its number in the game.")
    kind = text_field("The kind of event.", example="moved")
    by = raw_object("The cause of the event: a seat, a player or the service.", example={"seat": 0})
    at = text_field("The time of the event.", example=AT)
    body = raw_object("The parts that the seat may see.")
    example = {"seq": 7, "kind": "moved", "by": {"seat": 0}, "at": AT, "body": {"move": _MOVE}}


def _integers(text: str) -> ma.fields.Field[Any]:
    return ma.fields.List(ma.fields.Integer(), metadata=described(text))


class QuestionSchema(AnswerSchema):
    """All that a program needs to decide for a seat (/docs/engines)."""

    game = text_field("The game's id.", example=GAME)
    version = version_field("The game's version: send it as `expected_version`.")
    head = text_field("The hash of its newest event: send it as `expected_head`.", example=HASH)
    ruleset = text_field("The ruleset's id.", example=RULESET)
    rules_version = text_field("By which version of its rules.", example="1.0.0")
    options = raw_object("The game's options.")
    seats = ma.fields.Integer(required=True, metadata=described("The number of seats.", example=2))
    seat = ma.fields.Integer(required=True, metadata=described("The seat that decides.", example=0))
    decision = version_field("The decision's id.")
    view = raw_object("The seat's view, as in `state` of `getState`.")
    information = raw_object("The seat's information: its view, and also what it was shown before.")
    legal = ma.fields.List(
        ma.fields.Raw(metadata=described("A move.", type="object")),
        required=True,
        metadata=described("All legal moves, in the rules' order."),
    )
    limit = raw_object("`wall_ms`: the milliseconds left when it was sent; empty without a clock.")
    since = ma.fields.List(
        ma.fields.Nested(QuestionEventSchema),
        required=True,
        metadata=described(
            "The seat's last answer and what followed; at first, all since the start. The newest"
            f" {MOST_SINCE} at most."
        ),
    )
    words = ma.fields.List(
        ma.fields.String(),
        metadata=described("Each legal move in the caller's language, if `include` names it."),
    )
    observation = _integers("The view as numbers, if `include` names it (/docs/learning).")
    mask = _integers("1 for each action that may come next, and 0, if `include` names it.")
    actions = ma.fields.List(
        _integers("A move's actions."),
        metadata=described("The actions of each legal move, if `include` names them."),
    )
    example: ClassVar[JsonObject] = {
        "game": GAME,
        "version": 9,
        "head": HASH,
        "ruleset": RULESET,
        "rules_version": "1.0.0",
        "options": {},
        "seats": 2,
        "seat": 0,
        "decision": 9,
        "view": {"phase": "visit"},
        "information": {"phase": "visit"},
        "legal": [_MOVE],
        "limit": {"wall_ms": 59000},
        "since": [QuestionEventSchema.example],
    }


class EffectSchema(AnswerSchema):
    """A line of the log: an effect of an event."""

    seq = version_field("The event that did it.")
    ruleset = text_field("Whose effect it is.", example=RULESET)
    type = text_field("The effect's type in the rules.", example="goods_taken")
    data = raw_object("Ids and numbers.", example={"seat": 0})
    text = text_field(
        "The same in the caller's language; empty if there is nothing to tell, as of a gain of 0.",
        example="Yellow takes 2 rum",
    )
    example = {
        "seq": 7,
        "ruleset": RULESET,
        "type": "goods_taken",
        "data": {"seat": 0, "good": "rum", "amount": 2},
        "text": "Yellow takes 2 rum",
    }


class EventHeaderSchema(AnswerSchema):
    """The part of an event that the hash covers, which is the same for all viewers."""

    seq = version_field("Its number in the game, from 1.")
    kind = text_field("The kind of event.", example="moved")
    by = raw_object("The cause of the event: a seat, a player or the service.", example={"seat": 0})
    at = text_field("The time of the event.", example=AT)
    last = version_field("The `seq` of the last event of its batch.")
    parts = raw_object("The commitment to each part of its body.")
    state_proof = text_field("Proves the state after it, once the game is over.", example=HASH)
    hash = text_field("Chains it to the event before.", example=HASH)
    example: ClassVar[JsonObject] = {
        "seq": 7,
        "kind": "moved",
        "by": {"seat": 0},
        "at": AT,
        "last": 7,
        "parts": {"move": HASH},
        "state_proof": HASH,
        "hash": HASH,
    }


class EventSchema(EventHeaderSchema):
    """An event as one viewer may see it (/docs/format), with what `include` asks for."""

    body = raw_object("The parts that this viewer may see.")
    audiences = raw_object("The viewers that may see each part.")
    nonces = raw_object("Opens the commitment to each part of `body`.")
    effects = ma.fields.List(
        ma.fields.Nested(EffectSchema),
        metadata=described("The effects of the event, as in `readLog`."),
    )
    words = ma.fields.List(
        ma.fields.String(), metadata=described("Their `text` alone, where there is any.")
    )
    state = ma.fields.Nested(
        GameStateSchema,
        metadata=described(
            "The game after it, as `getState` answers `at` its `seq`; `bots_wait_until` is null."
        ),
    )
    patch = ma.fields.List(
        ma.fields.Dict(),
        metadata=described(
            "A JSON Patch (RFC 6902) that makes this `state` of that of the event before; that"
            " before the first event is null."
        ),
    )
    legal_moves = ma.fields.Nested(
        LegalMovesSchema,
        allow_none=True,
        metadata=described(
            "The moves that the viewer's seat could make after the event; null for a spectator."
        ),
    )
    groups = ma.fields.List(
        ma.fields.Nested(MoveGroupSchema),
        allow_none=True,
        metadata=described("The same in groups."),
    )
    example = {
        **EventHeaderSchema.example,
        "body": {"move": _MOVE},
        "audiences": {"move": "public"},
        "nonces": {"move": HASH},
    }


class MoveAnswerSchema(AnswerSchema):
    """The outcome of a move, as the seat that played it sees it."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The version after the move and all that followed by itself.")
    status = text_field("The game's status after the move.", example="running")
    seat = ma.fields.Integer(required=True, metadata=described("The seat that moved.", example=0))
    receipt = ma.fields.Nested(ReceiptSchema, required=True)
    events = ma.fields.List(
        ma.fields.Nested(EventSchema),
        required=True,
        metadata=described("The move and what followed."),
    )
    effects = ma.fields.List(
        ma.fields.Nested(EffectSchema),
        required=True,
        metadata=described("The effects of the moves."),
    )
    decisions = ma.fields.List(
        ma.fields.Nested(DecisionSchema), required=True, metadata=described("The open decisions.")
    )
    budgets = budgets_field()
    state = ma.fields.Raw(
        required=True,
        metadata=described("The view of the seat that moved, after the move.", type="object"),
    )
    example = {
        "game_id": GAME,
        "version": 7,
        "status": "running",
        "seat": 0,
        "receipt": ReceiptSchema.example,
        "events": [EventSchema.example],
        "effects": [EffectSchema.example],
        "decisions": [DecisionSchema.example],
        "budgets": [],
        "state": {"phase": "visit"},
    }


class PreviewSchema(AnswerSchema):
    """The effects of a move, as far as its seat can know them."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The version that it was tried on.")
    seat = ma.fields.Integer(
        required=True, metadata=described("The seat that would move.", example=0)
    )
    move = ma.fields.Dict(
        required=True, metadata=described("The move, with what may be left out.", example=_MOVE)
    )
    stops_at = ma.fields.String(
        required=True,
        allow_none=True,
        validate=ma.validate.OneOf((*STOPS, None)),
        metadata=described(
            "Where the preview stops: before a draw, where something sealed is"
            " opened, or at the end; null if all is known."
        ),
    )
    effects = ma.fields.List(
        ma.fields.Nested(EffectSchema),
        required=True,
        metadata=described("The effects of the move, as far as `stops_at`."),
    )
    state = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described("The view then; null at `reveal` and `end`.", type="object"),
    )
    next = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata=described(
            "The decision that is asked for then: `name`, `label`, `seats`; null if unknown."
        ),
    )
    draw = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata=described("The draw: `label`, `n`, `sizes`, `audience`; null if there is none."),
    )
    reveals = ma.fields.List(
        ma.fields.Dict(),
        required=True,
        metadata=described("What is opened: a `move`, by `type` and `seat`, or `picks`, by draw."),
    )
    can_take_back = ma.fields.Boolean(
        required=True,
        metadata=described(
            "Whether the seat could take this move back (`takeBack`).", example=False
        ),
    )
    example: ClassVar[JsonObject] = {
        "game_id": GAME,
        "version": 6,
        "seat": 0,
        "move": _MOVE,
        "stops_at": None,
        "effects": [],
        "state": None,
        "next": {"name": "visit", "label": "visit a citizen", "seats": [0]},
        "draw": None,
        "reveals": [],
        "can_take_back": False,
    }


class WhyNotSchema(AnswerSchema):
    """Why a seat cannot choose an element of the board, as far as it can know."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The version that this is about.")
    seat = ma.fields.Integer(required=True, metadata=described("The seat that asks.", example=0))
    element = text_field("The element.", example="place:stop_1")
    answer = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(ANSWERS),
        metadata=described(
            "`refused`; `playable`: a legal move refers to it; `unknown`: the seat cannot know;"
            " `unrelated`: no move of the game refers to it.",
            example="refused",
        ),
    )
    label = text_field("The answer in the caller's language.", example="This move is not for now.")
    move = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata=described(
            "Of the moves that refer to it, the one that passes the most checks; null unless"
            " `refused`."
        ),
    )
    what = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("What such a move does, in words; null with `move`."),
    )
    reason = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The rules' code for the refusal of this move; null with `move`."),
    )
    details = raw_object("The values that cause the refusal, as of `illegal_move`.")
    rules = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The anchor in the document `rules` that explains such moves, or null."),
    )
    example: ClassVar[JsonObject] = {
        "game_id": GAME,
        "version": 6,
        "seat": 0,
        "element": "place:stop_1",
        "answer": "refused",
        "label": "This move is not for now.",
        "move": _MOVE,
        "what": "Drive the car",
        "reason": "wrong_phase",
        "details": {"type": "drive_car"},
        "rules": "move-drive_car",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationRequest:
    """The values that ``ResignationRequestSchema`` loads."""

    seat: Seat


class ResignationRequestSchema(RequestSchema):
    """The seat to resign."""

    seat = seat_number("A seat that the caller holds.")
    loads = ResignationRequest
    example = {"seat": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackRequest:
    """The seat, and the event after which its moves are taken back."""

    seat: Seat
    to: int


class TakeBackRequestSchema(RequestSchema):
    """The seat, and the event after which its moves are taken back."""

    seat = seat_number("A seat that the caller holds.")
    to = ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(1),
        metadata=described("An event of `ways_back`.", example=5),
    )
    loads = TakeBackRequest
    example = {"seat": 0, "to": 5}


class EventPageSchema(AnswerSchema):
    """Events in order."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The game's version now.")
    events = ma.fields.List(
        ma.fields.Nested(EventSchema), required=True, metadata=described("In order of `seq`.")
    )
    players = names_field()
    player_kinds = kinds_field()
    next_after = next_after_field("Send it as `after` for more; null if there is none.")
    example = {
        "game_id": GAME, "version": 7, "events": [EventSchema.example],
        "players": {}, "player_kinds": {}, "next_after": None,
    }  # fmt: skip


class EventHeaderPageSchema(AnswerSchema):
    """Headers of events in order."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The game's version now.")
    events = ma.fields.List(
        ma.fields.Nested(EventHeaderSchema), required=True, metadata=described("In order of `seq`.")
    )
    next_after = next_after_field("Send it as `after` for more; null if there is none.")
    example = {
        "game_id": GAME, "version": 7, "events": [EventHeaderSchema.example], "next_after": None,
    }  # fmt: skip


class LogSchema(AnswerSchema):
    """The effects of events, in words."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The game's version now.")
    effects = ma.fields.List(
        ma.fields.Nested(EffectSchema), required=True, metadata=described("In order.")
    )
    next_after = next_after_field("Send it as `after` for more; null if there is none.")
    example = {"game_id": GAME, "version": 7, "effects": [EffectSchema.example], "next_after": None}


class ScoresAfterSchema(AnswerSchema):
    """The score of each side after an event."""

    seq = version_field("The event.")
    scores = ma.fields.List(
        ma.fields.Integer(),
        required=True,
        metadata=described("In the order of `sides`.", example=[12, 9]),
    )
    example = {"seq": 5, "scores": [12, 9]}


class ScoreCourseSchema(AnswerSchema):
    """The scores in the course of a game."""

    game_id = text_field("The game's id.", example=GAME)
    version = version_field("The game's version.")
    sides = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata=described(
            "`seat:0` and so on, then sides that the rules play.", example=["seat:0", "seat:1"]
        ),
    )
    scores = ma.fields.List(
        ma.fields.Nested(ScoresAfterSchema),
        required=True,
        metadata=described(
            "An entry for each event that changed a score; events that were taken back have none."
            " Empty if the ruleset cannot tell."
        ),
    )
    next_after = next_after_field("Send it as `after` for more; null if there is none.")
    example = {
        "game_id": GAME, "version": 7, "sides": ["seat:0", "seat:1"],
        "scores": [ScoresAfterSchema.example], "next_after": None,
    }  # fmt: skip
