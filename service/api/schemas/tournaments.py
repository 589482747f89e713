"""Tournaments."""

from dataclasses import dataclass
from typing import Any

import marshmallow as ma

from rules.kernel.canonical import JsonObject
from service.api.schemas.base import (
    AT,
    EDITION,
    GAME,
    HASH,
    PLAYER,
    RULESET,
    TIME,
    AnswerSchema,
    Flag,
    Items,
    RequestSchema,
    Text,
    described,
    hash_field,
    kinds_field,
    names_field,
    next_after_field,
    raw_object,
    text_field,
    version_field,
)
from service.api.schemas.games import ClockSchema, imported_field
from service.api.schemas.play import EventSchema
from service.ledger.kinds import PERSON
from service.tournaments.plan import (
    AFTER_FAILURE,
    CLOCK_SECONDS,
    GRACE_MS,
    LUCKS,
    MAX_ENTRIES,
    MAX_GAMES,
    MAX_NAME,
    MAX_SEATS,
    MOST_MOVE_SECONDS,
    POINTS,
    ROTATIONS,
    TIE_BREAKS,
    EntryRequest,
    FailuresRequest,
    TournamentRequest,
)
from service.tournaments.tournament import STATUSES

TOURNAMENT = "t07-mfrggzdfmztwq2lknnwg"
MAX_SEED = 100
MAX_REASON = 200


def _object(value: object) -> None:
    if not isinstance(value, dict):
        raise ma.ValidationError("an object")


class EntryRequestSchema(RequestSchema):
    """An entry of a new tournament: a `bot`, or a `player`."""

    bot = ma.fields.String(
        metadata=described("The name of a bot that workers play.", example="greedy")
    )
    player = ma.fields.String(
        metadata=described(
            "A bot account of yours, which plays from elsewhere (/docs/tournaments).",
            example=PLAYER,
        )
    )
    name = Text(
        MAX_NAME,
        metadata=described(
            "The entry's name in the table; the bot's name if left out. Equal names are numbered.",
            example="greedy, in haste",
        ),
    )
    settings = ma.fields.Raw(
        validate=_object,
        metadata=described("Settings that differ from the bot's own.", type="object"),
    )
    entropy_commitment = hash_field("The hash that its owner commits to (/docs/format).")
    loads = EntryRequest
    example = {"bot": "greedy", "name": "greedy, in haste", "settings": {"nodes": 50}}


class FailuresRequestSchema(RequestSchema):
    """The treatment of a bot that crashes, moves illegally or exceeds its time."""

    then = ma.fields.String(
        validate=ma.validate.OneOf(AFTER_FAILURE),
        metadata=described(
            "The consequence of a failure: the bot resigns the game, or the default"
            " move is played.",
            example="resign",
        ),
    )
    disqualify_after = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(0, 1000),
        metadata=described(
            "The number of failures after which the bot is out; 0: it never is.", example=3
        ),
    )
    processor_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MOST_MOVE_SECONDS),
        metadata=described(
            "The processor time that a move may take: what else the machine is at costs nobody a"
            " point. Left out, 10, but where an older release may play on the store.",
            example=10,
        ),
    )
    budget_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, 3600),
        metadata=described(
            "The processor time that a bot may take for all its decisions of a game together; left"
            " out, there is no such limit. With it, a move may take all of it, up to 600 seconds,"
            " unless `processor_seconds` says less.",
            example=60,
        ),
    )
    increment_seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(0, 600),
        metadata=described("What each answer adds to `budget_seconds`; left out, 0.", example=1),
    )
    seconds = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(1, MOST_MOVE_SECONDS),
        metadata=described(
            "In the place of `processor_seconds`: how long a move may take by the clock on the"
            " wall, to which a busy machine adds what it likes.",
            example=10,
        ),
    )
    loads = FailuresRequest
    example = {"then": "resign", "disqualify_after": 3, "processor_seconds": 10}


class TournamentRequestSchema(RequestSchema):
    """A new tournament."""

    name = Text(MAX_NAME, metadata=described("The tournament's name.", example="Spring cup"))
    ruleset = ma.fields.String(
        required=True, metadata=described("A ruleset's id.", example=RULESET)
    )
    seats = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(2, MAX_SEATS),
        metadata=described(
            "The number of seats of each game; left out, the fewest that the ruleset"
            " has, from two.",
            example=3,
        ),
    )
    options = ma.fields.Raw(
        validate=_object,
        metadata=described("Options that differ from the ruleset's defaults.", type="object"),
    )
    entries = Items(
        ma.fields.Nested(EntryRequestSchema),
        required=True,
        validate=ma.validate.Length(1, MAX_ENTRIES),
        metadata=described("The entries that take part."),
    )
    format = ma.fields.Raw(
        validate=_object,
        metadata=described(
            "`type`, and what differs from that format's defaults; `GET /v1/tournament_formats`.",
            type="object",
        ),
    )
    rotations = ma.fields.String(
        validate=ma.validate.OneOf(ROTATIONS),
        metadata=described("A block seats its line-up in rotation, or in every order."),
    )
    points = ma.fields.String(
        validate=ma.validate.OneOf(POINTS),
        metadata=described(
            "The way to count points: for each opponent that an entry is ahead of,"
            " or for winning alone."
        ),
    )
    tie_breaks = Items(
        ma.fields.String(validate=ma.validate.OneOf(TIE_BREAKS)),
        validate=ma.validate.Length(1, len(TIE_BREAKS)),
        metadata=described("The figures that decide the table, in order; each is a mean by game."),
    )
    failures = ma.fields.Nested(
        FailuresRequestSchema, metadata=described("Left out, a bot that fails resigns the game.")
    )
    clock = ma.fields.Nested(
        ClockSchema,
        metadata=described(
            f"The clock of games in which players sit. Left out, they have {CLOCK_SECONDS} s for a"
            f" move, and {GRACE_MS} ms of grace."
        ),
    )
    places = ma.fields.Integer(
        strict=True,
        validate=ma.validate.Range(2, MAX_ENTRIES),
        metadata=described(
            "How many entries there are at most: until the host starts the tournament, owners enter"
            " their bots at the places that are free (`enterTournament`). Left out, the entries"
            " are those of this request.",
            example=8,
        ),
    )
    luck = ma.fields.String(
        validate=ma.validate.OneOf(LUCKS),
        metadata=described(
            "Whether the games of a block share their luck, or each game has its own. Left out, a"
            " block shares it, unless an entry is a player, or a bot outside the sandbox: with"
            " those it cannot."
        ),
    )
    rated = Flag(
        metadata=described(
            "Whether it counts for `ratings`. Left out, it does unless its seed was chosen, or an"
            " entry has settings under the plain name of a bot, or is a player; with these it"
            " cannot."
        ),
    )
    seed = ma.fields.String(
        validate=ma.validate.Length(1, MAX_SEED),
        metadata=described(
            "Equal seeds and equal plans come to equal tables. Whoever knows it knows the luck, so"
            " no such tournament is rated: leave it out unless you want that.",
            maxLength=MAX_SEED,
            example="spring",
        ),
    )
    loads = TournamentRequest

    def typed(self, loaded: JsonObject) -> TournamentRequest:
        """Return the loaded values as a TournamentRequest.

        The command line makes a TournamentRequest, too.
        """
        return TournamentRequest.of(loaded)

    example = {
        "name": "Spring cup",
        "ruleset": RULESET,
        "seats": 3,
        "entries": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}],
        "format": {"type": "round_robin", "games": 300},
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendRequest:
    """The values that ``ExtendRequestSchema`` loads."""

    games: int


class ExtendRequestSchema(RequestSchema):
    """The number of games to add."""

    games = ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(1, MAX_GAMES),
        metadata=described("The number of games to add.", example=100),
    )
    loads = ExtendRequest
    example = {"games": 100}


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelRequest:
    """The values that ``CancelRequestSchema`` loads."""

    reason: str = "cancelled"


class CancelRequestSchema(RequestSchema):
    """The reason of a cancellation."""

    reason = Text(MAX_REASON, metadata=described("The reason to note.", example="a bot was broken"))
    loads = CancelRequest
    example = {"reason": "a bot was broken"}


def _entry_number() -> ma.fields.Integer:
    return ma.fields.Integer(
        strict=True,
        required=True,
        validate=ma.validate.Range(0, MAX_ENTRIES - 1),
        metadata=described("The entry's number, from 0.", example=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawRequest:
    """The values that ``WithdrawRequestSchema`` loads."""

    entry: int


class WithdrawRequestSchema(RequestSchema):
    """The entry to withdraw."""

    entry = _entry_number()
    loads = WithdrawRequest
    example = {"entry": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterRequest:
    """The values that ``EnterRequestSchema`` loads."""

    player: str
    name: str | None = None


class EnterRequestSchema(RequestSchema):
    """A bot account that its owner enters."""

    player = ma.fields.String(
        required=True, metadata=described("A bot account of yours.", example=PLAYER)
    )
    name = Text(
        MAX_NAME,
        metadata=described(
            "The entry's name in the table; the bot's name if left out. If another entry has it, it"
            " gets a number.",
            example="Robbie",
        ),
    )
    loads = EnterRequest
    example = {"player": PLAYER}


class EnteringSchema(AnswerSchema):
    """How the entry of a bot account stands."""

    tournament_id = text_field("The tournament's id.", example=TOURNAMENT)
    player = text_field("The bot account.", example=PLAYER)
    status = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(("validating", "entered")),
        metadata=described(
            "`validating`: the bot plays the validation game, and the request has to be sent once"
            " more when it is over; then `entered`.",
            example="validating",
        ),
    )
    game_id = text_field("The validation game.", example=GAME)
    entry = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The number of the entry; null while the bot is validated.", example=2),
    )
    example = {
        "tournament_id": TOURNAMENT,
        "player": PLAYER,
        "status": "entered",
        "game_id": GAME,
        "entry": 2,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentEntropyRequest:
    """The values that ``TournamentEntropyRequestSchema`` loads."""

    entry: int
    entropy: str


class TournamentEntropyRequestSchema(RequestSchema):
    """The entropy of an entry."""

    entry = _entry_number()
    entropy = hash_field("The 32 bytes that were committed to.", required=True)
    loads = TournamentEntropyRequest
    example = {"entry": 0, "entropy": HASH}


class CountSchema(AnswerSchema):
    """A number of games."""

    played = ma.fields.Integer(
        required=True, metadata=described("The number of games that count.", example=120)
    )
    planned = ma.fields.Integer(required=True, metadata=described("At most.", example=300))
    example = {"played": 120, "planned": 300}


class AbandonedTriesSchema(AnswerSchema):
    """Abandoned tries of an entry. They do not count: its bot was stopped from outside."""

    entry = ma.fields.String(
        required=True, metadata=described("The entry's name.", example="greedy")
    )
    tries = ma.fields.Integer(
        required=True, metadata=described("The number of tries that were abandoned.", example=1)
    )
    blocks = ma.fields.Integer(
        required=True,
        metadata=described(
            "The number of all tries at blocks, with those that ended.", example=250
        ),
    )
    share = ma.fields.Float(
        required=True,
        metadata=described("The first a second; above 0.01, mind the machine.", example=0.004),
    )
    example = {"entry": "greedy", "tries": 1, "blocks": 250, "share": 0.004}


class TournamentPartSchema(AnswerSchema):
    """The place of a tournament among the parts of an endless one."""

    number = ma.fields.Integer(required=True, metadata=described("From 1.", example=2))
    before = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The tournament that is the part before.", example=TOURNAMENT),
    )
    next = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The tournament that is the next part; null until this one is full."),
    )
    example = {"number": 2, "before": TOURNAMENT, "next": None}


class TournamentSchema(AnswerSchema):
    """The status of a tournament."""

    id = text_field("The tournament's id.", example=TOURNAMENT)
    name = text_field("The tournament's name.", example="Spring cup")
    status = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(STATUSES),
        metadata=described(
            "`open`: entropy or entries of owners are awaited; then `running`, perhaps `paused`, at"
            " last `ended` or `cancelled`.",
            example="running",
        ),
    )
    reason = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The reason why the tournament is over; null before.", example="completed"
        ),
    )
    version = version_field("The number of the tournament's events.")
    head = hash_field("The hash of its newest event.", required=True)
    created_at = ma.fields.String(
        required=True, metadata=described("The time when the tournament was made.", **TIME)
    )
    created_by = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The player who made the tournament.", example=PLAYER),
    )
    players = names_field()
    player_kinds = kinds_field()
    chance = raw_object("The scope of its luck, and what it committed to before the first draw.")
    at = ma.fields.String(required=True, metadata=described("Of its newest event.", **TIME))
    waits_for = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "What must be installed before a worker can play on: the plan's version of the rules"
            " or of a bot. Null if nothing is missing.",
            example=None,
        ),
    )
    imported = imported_field("tournament")
    plan = raw_object("The plan: all that was fixed before the first draw.")
    rounds = ma.fields.Integer(
        required=True, metadata=described("The number of rounds that were paired.", example=4)
    )
    games = ma.fields.Nested(CountSchema, required=True, metadata=described("The number of games."))
    blocks = raw_object("The numbers of match blocks that were `played` and that are `open`.")
    leaders = ma.fields.List(
        ma.fields.String(metadata=described("An entry's name.", example="greedy")),
        required=True,
        metadata=described(
            "The entries that stand first in the newest report; none before there are games."
        ),
    )
    disqualified = ma.fields.List(
        ma.fields.Raw(metadata=described("An entry, its last block and why.", type="object")),
        required=True,
        metadata=described("The entries that are out."),
    )
    abandoned = ma.fields.List(
        ma.fields.Nested(AbandonedTriesSchema),
        metadata=described(
            "Whose bots were stopped through no fault of their own, so that blocks were played"
            " again; left out if none was."
        ),
    )
    part = ma.fields.Nested(
        TournamentPartSchema,
        metadata=described("The part that it is; left out if the tournament is not endless."),
    )
    example = {
        "id": TOURNAMENT,
        "name": "Spring cup",
        "status": "running",
        "reason": None,
        "version": 42,
        "head": HASH,
        "created_at": AT,
        "created_by": PLAYER,
        "players": {PLAYER: "Ana"},
        "player_kinds": {PLAYER: PERSON},
        "chance": {"scope": TOURNAMENT, "commitment": HASH},
        "at": AT,
        "waits_for": None,
        "imported": None,
        "plan": {"ruleset": RULESET},
        "rounds": 4,
        "games": CountSchema.example,
        "blocks": {"played": 40, "open": 60},
        "leaders": ["greedy"],
        "disqualified": [],
    }


class TournamentListSchema(AnswerSchema):
    """A page of tournaments, newest first."""

    tournaments = ma.fields.List(
        ma.fields.Nested(TournamentSchema), required=True, metadata=described("Newest first.")
    )
    next_cursor = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described("The `cursor` of the next page; null at the end."),
    )
    example = {"tournaments": [TournamentSchema.example], "next_cursor": None}


def _objects(text: str) -> ma.fields.Field[Any]:
    return ma.fields.List(
        ma.fields.Raw(metadata=described("See /docs/tournaments.", type="object")),
        required=True,
        metadata=described(text),
    )


class ReportSchema(TournamentSchema):
    """Every figure of a tournament (/docs/tournaments)."""

    table = _objects("A row for each entry, the first place first.")
    cross_table = ma.fields.List(
        ma.fields.List(
            ma.fields.Raw(
                allow_none=True, metadata=described("`games` and `ahead`.", type="object")
            )
        ),
        required=True,
        metadata=described(
            "The number of games in which the entry of a row was ahead of that of a"
            " column, in the order of the plan's entries."
        ),
    )
    ladder = ma.fields.Raw(
        metadata=described(
            "Who is better than whom, over all parts; left out if the tournament is not endless.",
            type="object",
        )
    )
    seats = _objects("The worth of each seat, whoever sits there.")
    verdict = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described("The result of a comparison, and its reason.", type="object"),
    )
    figures = ma.fields.Integer(
        required=True,
        metadata=described("The ways in which all figures are computed.", example=1),
    )
    rating_curve = raw_object("Elo ratings after some of the `games`; null before the first.")
    samples = ma.fields.Integer(
        required=True,
        metadata=described(
            "Drawings that the bands come from; 0 as long as there are none.", example=2000
        ),
    )
    measured = raw_object("The times that clocks measured: the one part that nobody can recompute.")
    as_of = raw_object(
        "Of which `version` the figures are, and since when (`at`): workers keep them while they"
        " play. 0 and null before there are any.",
        example={"version": 40, "at": AT},
    )
    example = {
        **TournamentSchema.example,
        "figures": 1,
        "table": [],
        "cross_table": [],
        "seats": [],
        "verdict": None,
        "rating_curve": {"games": [3], "elo": {"greedy": [1581.3]}},
        "samples": 2000,
        "measured": {"cpu_seconds": {"greedy": 1.5}},
        "as_of": {"version": 40, "at": AT},
    }


class GamesForBandSchema(AnswerSchema):
    """The number of games that a band needs."""

    band = ma.fields.Float(
        required=True, metadata=described("Points per game, to each side.", example=0.05)
    )
    games = ma.fields.Integer(required=True, metadata=described("Of all entries.", example=384))
    example = {"band": 0.05, "games": 384}


class TournamentEstimateSchema(AnswerSchema):
    """What a tournament costs, and how exact its points are."""

    processor_seconds = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata=described(
            "Of the service's bots in all games; null if it is unknown.", example=60.5
        ),
    )
    workers = ma.fields.Integer(
        required=True,
        metadata=described("The processes of the service that play tournaments.", example=1),
    )
    seconds = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata=described(
            "The time that they take if they have nothing else to do; null if it is unknown, or"
            " if players sit in the games.",
            example=60.5,
        ),
    )
    stored_bytes = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("What the store needs for the games.", example=39_000_000),
    )
    unmeasured = ma.fields.List(
        ma.fields.String(metadata=described("An entry's name.", example="robbie")),
        required=True,
        metadata=described("The entries whose times are unknown."),
    )
    band = ma.fields.Float(
        required=True,
        metadata=described(
            "How far the ends of a band are from the points per game of the entry with the fewest"
            " games, if all entries are equally strong. Other bands are narrower.",
            example=0.0566,
        ),
    )
    games_for_bands = ma.fields.List(
        ma.fields.Nested(GamesForBandSchema),
        required=True,
        metadata=described("The games that narrower or wider bands need."),
    )
    example = {
        "processor_seconds": 60.5, "workers": 1, "seconds": 60.5, "stored_bytes": 39_000_000,
        "unmeasured": [], "band": 0.0566, "games_for_bands": [GamesForBandSchema.example],
    }  # fmt: skip


class TournamentPreviewSchema(AnswerSchema):
    """The outline of a tournament that has not been created."""

    plan = raw_object("The whole plan, with defaults for what was left out.")
    games = ma.fields.Integer(required=True, metadata=described("At most.", example=300))
    blocks = ma.fields.Integer(required=True, metadata=described("At most.", example=100))
    games_per_block = ma.fields.Integer(
        required=True,
        metadata=described("The number of games of a block, which share their luck.", example=3),
    )
    estimate = ma.fields.Nested(
        TournamentEstimateSchema,
        required=True,
        metadata=described("What the games cost, and how wide their bands are."),
    )
    example = {
        "plan": {"ruleset": RULESET}, "games": 300, "blocks": 100, "games_per_block": 3,
        "estimate": TournamentEstimateSchema.example,
    }  # fmt: skip


class RoundTableSchema(AnswerSchema):
    """A table of a round: the same entries play all of its blocks."""

    first_block = ma.fields.Integer(
        required=True, metadata=described("The round's first block.", example=1)
    )
    last_block = ma.fields.Integer(
        required=True, metadata=described("The round's last block.", example=1)
    )
    games = ma.fields.Nested(
        CountSchema,
        required=True,
        metadata=described("The number of games; void blocks have none."),
    )
    entries = _objects("Each `entry` by name, with its `points` in these games.")
    example = {
        "first_block": 1,
        "last_block": 1,
        "games": {"played": 2, "planned": 2},
        "entries": [{"entry": "greedy", "points": 1.5}, {"entry": "random-1", "points": 0.5}],
    }


class TournamentRoundSchema(AnswerSchema):
    """A round: the tables that were paired at the same time."""

    round = ma.fields.Integer(required=True, metadata=described("From 1.", example=1))
    byes = ma.fields.List(
        ma.fields.String(metadata=described("An entry's name.", example="random-2")),
        required=True,
        metadata=described("The entries that sat out."),
    )
    tables = ma.fields.List(
        ma.fields.Nested(RoundTableSchema), required=True, metadata=described("In order.")
    )
    example = {"round": 1, "byes": ["random-2"], "tables": [RoundTableSchema.example]}


class TournamentRoundsSchema(AnswerSchema):
    """A page of the rounds of a tournament."""

    rounds = ma.fields.List(
        ma.fields.Nested(TournamentRoundSchema),
        required=True,
        metadata=described("The first one first."),
    )
    games_per_block = ma.fields.Integer(
        required=True,
        allow_none=True,
        metadata=described(
            "The number of games of a block, which share their luck; null before the first block.",
            example=2,
        ),
    )
    as_of = raw_object(
        "The tournament's `version` when they were read, and when that event happened (`at`).",
        example={"version": 42, "at": AT},
    )
    next_after = next_after_field("`after` of the next page.")
    example = {
        "rounds": [TournamentRoundSchema.example],
        "games_per_block": 2,
        "as_of": {"version": 42, "at": AT},
        "next_after": None,
    }


class TournamentEventsSchema(AnswerSchema):
    """A page of the events of a tournament."""

    tournament_id = text_field("The tournament's id.", example=TOURNAMENT)
    version = version_field("The tournament's version.")
    events = ma.fields.List(
        ma.fields.Nested(EventSchema), required=True, metadata=described("In order; all is public.")
    )
    players = names_field()
    player_kinds = kinds_field()
    next_after = next_after_field("`after` of the next page.")
    example = {
        "tournament_id": TOURNAMENT,
        "version": 42,
        "events": [EventSchema.example],
        "players": {},
        "player_kinds": {},
        "next_after": None,
    }


class TournamentGameSchema(AnswerSchema):
    """A game of a tournament."""

    id = text_field("The game's id.", example=GAME)
    block = ma.fields.Integer(
        required=True, metadata=described("The game's match block.", example=1)
    )
    rotation = ma.fields.Integer(required=True, metadata=described("Within it.", example=0))
    seating = ma.fields.List(
        ma.fields.String(metadata=described("An entry's name.", example="greedy")),
        required=True,
        metadata=described("The entries by seat."),
    )
    counts = ma.fields.Boolean(
        required=True, metadata=described("Whether the table has it.", example=True)
    )
    result = ma.fields.Raw(
        required=True,
        allow_none=True,
        metadata=described("`ranks`, `scores` and `failures`; null before.", type="object"),
    )
    example = {
        "id": GAME,
        "block": 1,
        "rotation": 0,
        "seating": ["greedy", "random-1", "random-2"],
        "counts": True,
        "result": {"ranks": [1, 2, 3], "scores": [40, 30, 20], "failures": []},
    }


class TournamentGamesSchema(AnswerSchema):
    """A page of the games of a tournament."""

    games = ma.fields.List(
        ma.fields.Nested(TournamentGameSchema),
        required=True,
        metadata=described("By block, rotation."),
    )
    as_of = raw_object(
        "The tournament's `version` when they were read, and when that event happened (`at`).",
        example={"version": 42, "at": AT},
    )
    next_after = next_after_field("`after` of the next page.")
    example = {
        "games": [TournamentGameSchema.example],
        "as_of": {"version": 42, "at": AT},
        "next_after": None,
    }


class FormatListSchema(AnswerSchema):
    """The formats of tournaments."""

    formats = _objects("`type`, `description`, and the JSON Schema of each of its `options`.")
    example = {
        "formats": [
            {
                "type": "swiss",
                "description": "Each round seats the entries by their points.",
                "options": {"rounds": {"type": "integer", "default": 5}},
            }
        ]
    }


class RatedBotSchema(AnswerSchema):
    """A bot's rating."""

    bot = text_field("The bot and its version.", example="greedy@2")
    settings = raw_object("Its settings.", example={"nodes": 2000})
    games = ma.fields.Integer(required=True, metadata=described("That counted.", example=300))
    rating = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata=described(
            "The logarithm of its odds; null if it met none but itself.", example=0.5
        ),
    )
    elo = ma.fields.Float(
        required=True,
        allow_none=True,
        metadata=described("The same on Elo's scale.", example=1586.9),
    )
    example = {
        "bot": "greedy@2", "settings": {"nodes": 2000}, "games": 300, "rating": 0.5, "elo": 1586.9,
    }  # fmt: skip


class RatingFieldSchema(AnswerSchema):
    """A rating field: games of a ruleset, with default options, that are rated together."""

    rules_version = text_field("The version of the rules.", example="1.0.0")
    edition = text_field("The edition of the tables.", example=EDITION)
    seats = ma.fields.Integer(required=True, metadata=described("Of each game.", example=3))
    tournaments = ma.fields.Integer(required=True, metadata=described("That counted.", example=2))
    example = {"rules_version": "1.0.0", "edition": EDITION, "seats": 3, "tournaments": 2}


class RatingListSchema(AnswerSchema):
    """The ratings of a ruleset's bots in one field, from all tournaments that count in it."""

    ruleset = text_field("The ruleset's id.", example=RULESET)
    host = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The host whose tournaments count; null: all hosts whom the operator names.",
            example=None,
        ),
    )
    field = ma.fields.Nested(
        RatingFieldSchema,
        required=True,
        allow_none=True,
        metadata=described("The rules and edition that are rated here; null if nothing has been."),
    )
    anchor = ma.fields.String(
        required=True,
        allow_none=True,
        metadata=described(
            "The bot that is rated 0, and 1500 on Elo's scale; null if it has not played here, so"
            " that the mean of all is.",
            example="greedy@2",
        ),
    )
    ratings = ma.fields.List(
        ma.fields.Nested(RatedBotSchema), required=True, metadata=described("The best first.")
    )
    fields_ = ma.fields.List(
        ma.fields.Nested(RatingFieldSchema),
        data_key="fields",
        required=True,
        metadata=described(
            "All rules, editions and numbers of seats that have ratings; ask for one by its values."
        ),
    )
    example = {
        "ruleset": RULESET,
        "host": None,
        "field": RatingFieldSchema.example,
        "anchor": "greedy@2",
        "ratings": [RatedBotSchema.example],
        "fields": [RatingFieldSchema.example],
    }
