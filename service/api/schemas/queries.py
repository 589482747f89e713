"""Parameters in the query."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.record.game import STATUSES
from service.api.schemas.base import (
    COMPONENT,
    EDITION,
    HASH,
    HEX_32,
    MAX_FAULTS,
    PLAYER,
    RULESET,
    TIME,
    Items,
    RequestSchema,
    described,
)
from service.api.schemas.tables import tag_field
from service.games.listing import SUSPENDED
from service.games.questions import INCLUDED as IN_QUESTIONS
from service.live.frames import INCLUDED
from service.tournaments.formats import FORMATS
from service.tournaments.plan import ENDLESS

MAX_LIMIT = 1_000
_MAX_VERSION = 2**53 - 1
NOTICE_ID = "[0-9]{1,15}-[0-9]{1,15}"
_MAX_SEAT = 9999
MAX_ELEMENT = 200
"""Maximum length of the name of an element of a board."""
SPECTATOR = "spectator"
_TIME = r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{1,6})?Z"
_DIGITS = re.compile(r"-?(0|[1-9][0-9]{0,18})\Z")


class _Number(ma.fields.Integer):
    """A whole number in decimal digits; other forms that Python would parse are refused."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> int:
        if not _DIGITS.match(value):
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **kwargs)


def _count(
    text: str, low: int, high: int, default: int | None, example: int, component: str | None = None
) -> ma.fields.Integer:
    options: dict[str, Any] = {} if default is None else {"load_default": default}
    named = {} if component is None else {COMPONENT: component}
    return _Number(
        validate=ma.validate.Range(low, high),
        metadata=described(text, example=example, **named),
        **options,
    )


def _after_in_stream() -> ma.fields.Integer:
    text = "Only events after this `seq`; `Last-Event-ID` overrules it."
    return _count(text, 0, _MAX_VERSION, 0, 0, "after.stream")


def _own_seat() -> ma.fields.Integer:
    text = "A seat that you hold; left out, your only one."
    return _count(text, 0, _MAX_SEAT, None, 0, "seat.own")


def _limit_of_log() -> ma.fields.Integer:
    return _count("The most events to return.", 1, MAX_LIMIT, 200, 200, "limit.log")


def _limit_of_list() -> ma.fields.Integer:
    return _count("The most entries to return.", 1, 100, 20, 20, "limit.list")


class _Time(ma.fields.String):
    """A time in UTC (RFC 3339), read as ms since 1970."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Any:
        if not re.fullmatch(_TIME, value):
            raise ma.ValidationError("a time such as 2026-11-20T21:29:00Z")
        try:
            when = datetime.fromisoformat(value)
        except ValueError as error:
            raise ma.ValidationError(str(error)) from None
        return int(when.timestamp() * 1000)


def _time(text: str, **options: Any) -> ma.fields.String:
    return _Time(metadata=described(text, pattern=f"^{_TIME}$", **TIME), **options)


class _SeatOrWord(_Number):
    """A seat's number, or the word that older clients send in place of ``spectator=true``."""

    def _deserialize(
        self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any
    ) -> Any:
        if value == SPECTATOR:
            return value
        return super()._deserialize(value, attr, data, **kwargs)

    def _validate(self, value: Any) -> None:
        if value != SPECTATOR:
            super()._validate(value)


class _Words(Items):
    """Words in repeated parameters, as generated clients send them, or separated by commas."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> list[Any]:
        words = [word for part in value for word in part.split(",", MAX_FAULTS)]
        return super()._deserialize(words, attr, data, **kwargs)


def _include() -> ma.fields.Field[Any]:
    return _words(
        "The parts that each event comes with; also between commas.", INCLUDED, ["words", "state"]
    )


def _words(text: str, allowed: Sequence[str], example: Sequence[str], **more: Any) -> _Words:
    return _Words(
        ma.fields.String(validate=ma.validate.OneOf(allowed)),
        validate=ma.validate.Length(max=len(allowed)),
        metadata=described(text, example=example, **more),
    )


def _truth(text: str, **options: Any) -> ma.fields.Boolean:
    """Return a field for ``true`` or ``false``; other forms are refused."""
    return ma.fields.Boolean(
        truthy={"true"}, falsy={"false"}, metadata=described(text, example=True), **options
    )


def _ticket() -> ma.fields.String:
    return ma.fields.String(
        metadata=described("From `POST /v1/stream_tickets`, instead of a key.", example="lt_c29tZQ")
    )


def _lang() -> ma.fields.String:
    return ma.fields.String(
        validate=ma.validate.OneOf(LANGUAGES),
        metadata=described(
            "The language of labels and texts; it overrules `Accept-Language`.",
            example="es",
            **{COMPONENT: "lang.words"},
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageQuery:
    """The values that ``LanguageQuerySchema`` loads."""

    lang: str | None = None


class LanguageQuerySchema(RequestSchema):
    """The language."""

    lang = _lang()
    loads: ClassVar[type[Any]] = LanguageQuery
    example: ClassVar[JsonObject] = {"lang": "es"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewQuery:
    """The values that ``ViewQuerySchema`` loads."""

    seat: int | None = None
    spectator: bool = False


class ViewQuerySchema(RequestSchema):
    """The viewer."""

    seat = _SeatOrWord(
        validate=ma.validate.Range(0, _MAX_SEAT),
        metadata=described(
            "The viewer: a seat that you hold. Left out, your seat if you hold exactly one,"
            " else a spectator. When a game is over, every seat.",
            example=0,
            **{COMPONENT: "seat.viewer"},
        ),
    )
    spectator = _truth(
        "Look as anybody may, though you hold a seat; it overrules `seat`.", load_default=False
    )
    loads: ClassVar[type[Any]] = ViewQuery
    example = {"seat": 0}

    @ma.post_load
    def _read_the_word(self, loaded: JsonObject, **_options: Any) -> JsonObject:
        if loaded.get("seat") == SPECTATOR:
            return {**loaded, "seat": None, "spectator": True}
        return loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class LookQuery(ViewQuery):
    """The values that ``LookQuerySchema`` loads."""

    lang: str | None = None


class LookQuerySchema(ViewQuerySchema):
    """The viewer, and the language."""

    lang = _lang()
    loads: ClassVar[type[Any]] = LookQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class StateQuery(LookQuery):
    """The values that ``StateQuerySchema`` loads."""

    at: int | None = None


class StateQuerySchema(LookQuerySchema):
    """The version, and the viewer."""

    at = _count("A version; left out, the newest.", 0, _MAX_VERSION, None, 6)
    loads = StateQuery
    example = {"at": 6, "seat": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesQuery(LanguageQuery):
    """The values that ``MovesQuerySchema`` loads."""

    seat: int | None = None
    group: bool


class MovesQuerySchema(LanguageQuerySchema):
    """The seat, and the form of the list of moves."""

    seat = _own_seat()
    group = _truth("Whether they come in groups too.", load_default=False)
    loads = MovesQuery
    example = {"seat": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyNotQuery(LanguageQuery):
    """The values that ``WhyNotQuerySchema`` loads."""

    seat: int | None = None
    element: str


class WhyNotQuerySchema(LanguageQuerySchema):
    """The seat, and an element of the board."""

    seat = _own_seat()
    element = ma.fields.String(
        required=True,
        validate=ma.validate.Length(1, MAX_ELEMENT),
        metadata=described(
            "What moves refer to (/docs/api/table): `place:KEY`, `mat:SEAT:KEY`, `piece:TYPE:ID`.",
            example="place:stop_1",
        ),
    )
    loads = WhyNotQuery
    example = {"element": "place:stop_1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HintQuery(LanguageQuery):
    """The values that ``HintQuerySchema`` loads."""

    seat: int | None = None
    decision: int | None = None


class HintQuerySchema(LanguageQuerySchema):
    """The seat, and its decision."""

    seat = _own_seat()
    decision = _count("The decision's `id`; left out, the open one.", 0, _MAX_VERSION, None, 6)
    loads = HintQuery
    example = {"seat": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewQuery(LanguageQuery):
    """The values that ``PreviewQuerySchema`` loads."""

    at: int | None = None


class PreviewQuerySchema(LanguageQuerySchema):
    """The version at which a move is tried."""

    at = _count(
        "An earlier version, at which the seat was asked; left out, the newest.",
        0,
        _MAX_VERSION,
        None,
        6,
    )
    loads = PreviewQuery
    example: ClassVar[JsonObject] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsQuery(LookQuery):
    """The values that ``EventsQuerySchema`` loads."""

    after: int
    limit: int
    format: str | None = None
    include: Sequence[str] = ()


class EventsQuerySchema(LookQuerySchema):
    """The range of events, and the viewer."""

    after = _count("Only events after this `seq`.", 0, _MAX_VERSION, 0, 0)
    limit = _limit_of_log()
    format = ma.fields.String(
        validate=ma.validate.OneOf(("json", "ndjson")),
        metadata=described("Overrules `Accept`.", example="json"),
    )
    include = _include()
    loads = EventsQuery
    example = {"after": 0, "limit": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeQuery:
    """The values that ``RangeQuerySchema`` loads."""

    after: int
    limit: int


class RangeQuerySchema(RequestSchema):
    """A range of events."""

    after = _count("Only what belongs to events after this `seq`.", 0, _MAX_VERSION, 0, 0)
    limit = _limit_of_log()
    loads = RangeQuery
    example = {"after": 0, "limit": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class ActsQuery:
    """The values that ``ActsQuerySchema`` loads."""

    after: str = ""
    limit: int


class ActsQuerySchema(RequestSchema):
    """The range of admins' acts."""

    after = ma.fields.String(
        validate=ma.validate.Regexp(r"[0-9]{1,15}-[0-9]{1,15}\Z", error="a `next_after`"),
        metadata=described(
            "Only acts after this place, a `next_after`.",
            pattern="^[0-9]{1,15}-[0-9]{1,15}$",
            example="1764000000000-0",
        ),
    )
    limit = _limit_of_log()
    loads = ActsQuery
    example = {"limit": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery(LookQuery):
    """The values that ``LogQuerySchema`` loads."""

    after: int
    limit: int


class LogQuerySchema(LookQuerySchema):
    """The range of the log, and the viewer."""

    after = _count("Only what events after this `seq` did.", 0, _MAX_VERSION, 0, 0)
    limit = _count("Of how many events at most.", 1, MAX_LIMIT, 200, 200)
    loads = LogQuery
    example = {"after": 0, "limit": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamQuery(LookQuery):
    """The values that ``StreamQuerySchema`` loads."""

    after: int
    last: int | None = None
    include: Sequence[str] = ()
    ticket: str | None = None


class StreamQuerySchema(LookQuerySchema):
    """The starting point, and the viewer."""

    after = _after_in_stream()
    last = _count("Instead of `after`: only this many of the newest events.", 0, MAX_LIMIT, None, 1)
    include = _include()
    ticket = _ticket()
    loads = StreamQuery
    example = {"after": 6}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticesQuery(LanguageQuery):
    """The values that ``NoticesQuerySchema`` loads."""

    after: str | None = None
    questions: bool = False
    include: Sequence[str] = ()
    ticket: str | None = None


class NoticesQuerySchema(LanguageQuerySchema):
    """Where the stream of notices begins, whether it brings the questions, and the ticket."""

    after = ma.fields.String(
        validate=ma.validate.Regexp(rf"{NOTICE_ID}\Z", error="the `id` of a message"),
        metadata=described(
            "Only messages after this `id`; `Last-Event-ID` overrules it.",
            pattern=f"^{NOTICE_ID}$",
            example="1764000000000-0",
        ),
    )
    questions = _truth("Whether each `asked` brings its `question`.")
    include = _words(
        "The parts that each question comes with.",
        IN_QUESTIONS,
        ["words"],
        **{COMPONENT: "include.questions"},
    )
    ticket = _ticket()
    loads = NoticesQuery
    example = {"after": "1764000000000-0"}


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesQuery:
    """The values that ``GamesQuerySchema`` loads."""

    ruleset: str | None = None
    status: str | None = None
    player: str | None = None
    tag: str | None = None
    bot: str | None = None
    from_: int | None = None
    to: int | None = None
    asked: str | None = None
    limit: int
    cursor: str | None = None


class GamesQuerySchema(RequestSchema):
    """The filter and the page of a list of games."""

    ruleset = ma.fields.String(metadata=described("Only games of this ruleset.", example=RULESET))
    status = ma.fields.String(
        validate=ma.validate.OneOf((*STATUSES, SUSPENDED)),
        metadata=described("Only games with this status.", example="running"),
    )
    player = ma.fields.String(
        validate=ma.validate.Length(max=60),
        metadata=described(
            "Only games of this player; `me` is whoever asks.", maxLength=60, example=PLAYER
        ),
    )
    tag = tag_field("Only public tables with this tag.")
    bot = ma.fields.String(
        validate=ma.validate.Length(max=60),
        metadata=described(
            "Only public games in which this bot of the service sits, whatever its version.",
            maxLength=60,
            example="greedy",
        ),
    )
    from_ = _time("Only games whose table was opened at this time or later.", data_key="from")
    to = _time("Only games whose table was opened before this time.")
    asked = ma.fields.String(
        validate=ma.validate.OneOf(("true",)),
        metadata=described("Only games that wait for whoever asks.", example="true"),
    )
    limit = _limit_of_list()
    cursor = ma.fields.String(
        validate=ma.validate.Length(max=2000),
        metadata=described("`next_cursor` of the page before.", maxLength=2000, example="c29tZQ"),
    )
    loads = GamesQuery
    example = {"status": "lobby", "limit": 20}

    @ma.validates_schema
    def check_span(self, data: dict[str, Any], **_: Any) -> None:
        """Check that the end of a span is not before its beginning."""
        if "from_" in data and data.get("to", data["from_"] + 1) <= data["from_"]:
            raise ma.ValidationError("not after `from`", "to")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentQuery:
    """The values that ``DocumentQuerySchema`` loads."""

    digest: str | None = None
    lang: str | None = None


class DocumentQuerySchema(RequestSchema):
    """The version and language of a document."""

    digest = ma.fields.String(
        validate=ma.validate.Regexp(HEX_32 + r"\Z", error="64 hexadecimal digits, lower case"),
        metadata=described(
            "Of the ruleset's `documents`; this never changes.",
            pattern=f"^{HEX_32}$",
            example=HASH,
        ),
    )
    lang = ma.fields.String(
        validate=ma.validate.OneOf(LANGUAGES),
        metadata=described("Of `rules`; left out, by `Accept-Language`.", example="es"),
    )
    loads = DocumentQuery
    example: ClassVar[JsonObject] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesetQuery(LanguageQuery):
    """The values that ``RulesetQuerySchema`` loads."""

    edition: str | None = None


class RulesetQuerySchema(LanguageQuerySchema):
    """The language, and the tables to include."""

    edition = ma.fields.String(
        validate=ma.validate.Length(1, 100),
        metadata=described(
            "The edition whose tables to show; the published one if left out. `editions` lists"
            " what is offered.",
            maxLength=100,
            example=EDITION,
        ),
    )
    loads = RulesetQuery
    example = {"edition": EDITION}


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRatingsQuery:
    """The values that ``BotRatingsQuerySchema`` loads."""

    host: str | None = None
    rules_version: str | None = None
    edition: str | None = None
    seats: int | None = None


class BotRatingsQuerySchema(RequestSchema):
    """The rules, edition and number of seats for which bots' ratings are wanted.

    The default is the first combination of the three in the answer's list `fields`.
    """

    host = ma.fields.String(
        validate=ma.validate.Length(max=60),
        metadata=described(
            "Over the tournaments of this host alone; `me` is whoever asks.",
            maxLength=60,
            example=PLAYER,
        ),
    )
    rules_version = ma.fields.String(
        validate=ma.validate.Length(1, 60),
        metadata=described("Of this version of the rules.", maxLength=60, example="1.0.0"),
    )
    edition = ma.fields.String(
        validate=ma.validate.Length(1, 100),
        metadata=described("Of this edition of the tables.", maxLength=100, example=EDITION),
    )
    seats = _count("Of games with so many seats.", 2, 12, None, 3)
    loads = BotRatingsQuery
    example = {"seats": 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class BotsQuery:
    """The values that ``BotsQuerySchema`` loads."""

    ruleset: str | None = None
    seats: int | None = None
    limit: int


class BotsQuerySchema(RequestSchema):
    """A selection of the bots that are present."""

    ruleset = ma.fields.String(metadata=described("Only bots that take this.", example=RULESET))
    seats = _count("Only bots that take this number of seats.", 1, _MAX_SEAT, None, 3, "seats.bots")
    limit = _limit_of_list()
    loads = BotsQuery
    example = {"ruleset": RULESET, "seats": 3, "limit": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksQuery:
    """The values that ``SeeksQuerySchema`` loads."""

    ruleset: str | None = None
    player: str | None = None
    limit: int


class SeeksQuerySchema(RequestSchema):
    """A selection of the seeks that wait."""

    ruleset = ma.fields.String(metadata=described("Only seeks of this ruleset.", example=RULESET))
    player = ma.fields.String(
        validate=ma.validate.OneOf(["me"]),
        metadata=described(
            "`me`: your own seeks, even while you are absent.",
            example="me",
            **{COMPONENT: "player.seeks"},
        ),
    )
    limit = _limit_of_list()
    loads = SeeksQuery
    example = {"ruleset": RULESET, "limit": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingQuery:
    """The values that ``RankingQuerySchema`` loads."""

    limit: int
    cursor: str | None = None


class RankingQuerySchema(RequestSchema):
    """The page of a ranking."""

    limit = _limit_of_list()
    cursor = ma.fields.String(
        validate=ma.validate.Length(max=2000),
        metadata=described("`next_cursor` of the page before.", maxLength=2000, example="c29tZQ"),
    )
    loads = RankingQuery
    example = {"limit": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentsQuery:
    """The values that ``TournamentsQuerySchema`` loads."""

    over: bool | None = None
    ruleset: str | None = None
    host: str | None = None
    format: str | None = None
    limit: int
    cursor: str | None = None


class TournamentsQuerySchema(RequestSchema):
    """The filter and the page of a list of tournaments."""

    over = _truth("Only tournaments that are over, or only those that are not.")
    ruleset = ma.fields.String(
        validate=ma.validate.Length(max=60),
        metadata=described("Only tournaments of this ruleset.", maxLength=60, example=RULESET),
    )
    host = ma.fields.String(
        validate=ma.validate.Length(max=60),
        metadata=described(
            "Only tournaments that this player made; `me` is whoever asks.",
            maxLength=60,
            example=PLAYER,
        ),
    )
    format = ma.fields.String(
        validate=ma.validate.OneOf(tuple(FORMATS)),
        metadata=described(
            "Only tournaments of this format; `endless` are the ladders.", example=ENDLESS
        ),
    )
    limit = _limit_of_list()
    cursor = ma.fields.String(
        validate=ma.validate.Length(max=2000),
        metadata=described("`next_cursor` of the page before.", maxLength=2000, example="c29tZQ"),
    )
    loads = TournamentsQuery
    example = {"limit": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageQuery:
    """The values that ``PageQuerySchema`` loads."""

    after: int
    limit: int


class PageQuerySchema(RequestSchema):
    """The page of a list."""

    after = _count("Only entries after this number.", 0, _MAX_VERSION, 0, 0, "after.log")
    limit = _limit_of_log()
    loads = PageQuery
    example = {"after": 0, "limit": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsQuery:
    """The values that ``RoundsQuerySchema`` loads."""

    after: int
    limit: int


class RoundsQuerySchema(RequestSchema):
    """The page of a list of rounds."""

    after = _count(
        "Only rounds after the round with this number.", 0, _MAX_VERSION, 0, 0, "after.rounds"
    )
    limit = _limit_of_list()
    loads = RoundsQuery
    example = {"after": 0, "limit": 20}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotQuery:
    """The values that ``PlotQuerySchema`` loads."""

    version: int | None = None


class PlotQuerySchema(RequestSchema):
    """The version of a plot; each version has a URL of its own."""

    version = _count(
        "Changes the address alone: with `as_of.version` of a report that has grown, a page makes"
        " its browser load the plot again.",
        0,
        _MAX_VERSION,
        None,
        86,
    )
    loads = PlotQuery
    example = {"version": 86}


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStreamQuery:
    """The values that ``TournamentStreamQuerySchema`` loads."""

    after: int


class TournamentStreamQuerySchema(RequestSchema):
    """The starting point of a tournament's stream."""

    after = _after_in_stream()
    loads = TournamentStreamQuery
    example = {"after": 6}
