"""Tournaments: create and control them, and read their figures."""

from collections.abc import Callable, Collection
from dataclasses import asdict
from datetime import datetime

import orjson
from flask import Response

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.record.game import Game
from service.api.http.access import ANY_CALLER, HOSTS, OWNERS
from service.api.http.context import Caller
from service.api.http.cursors import BadCursorError
from service.api.http.guards import TOURNAMENT
from service.api.http.headers import (
    IDEMPOTENCY_KEY,
    IF_NONE_MATCH,
    LAST_EVENT_ID,
    LAST_MODIFIED,
    LINK,
)
from service.api.http.limits import CREATION
from service.api.http.operations import Blueprint, View
from service.api.http.requests import fingerprint_bytes
from service.api.http.responses import (
    NO_HEADERS,
    answer,
    checked,
    checked_bytes,
    encode,
    etag_of,
    tagged,
    tagged_bytes,
    to_next,
    unchanged,
)
from service.api.resources.games import REPLAYED, need_concurrency, retry_of
from service.api.resources.rulesets import RULESET_ID
from service.api.resources.streams import sse
from service.api.schemas import tournaments as shapes
from service.api.schemas.queries import (
    BotRatingsQuery,
    BotRatingsQuerySchema,
    PageQuery,
    PageQuerySchema,
    PlotQuery,
    PlotQuerySchema,
    RoundsQuery,
    RoundsQuerySchema,
    TournamentsQuery,
    TournamentsQuerySchema,
    TournamentStreamQuery,
    TournamentStreamQuerySchema,
)
from service.api.schemas.receipts import ReceiptSchema
from service.api.schemas.streams import STREAM
from service.games.present import actors, named_json
from service.games.validation import FAILED, VALID, Validation, Validations
from service.ledger.store import Retry
from service.live.frames import StreamView
from service.players.bot_accounts import BotAccount
from service.problems import Problem, field_error
from service.redis.format import NEWEST, is_indexed, level_of
from service.tournaments import listing, report_formats, requests, rounds
from service.tournaments.director import Change, need_new, need_place
from service.tournaments.figures import plots
from service.tournaments.formats import FORMATS
from service.tournaments.games import listed
from service.tournaments.listing import TournamentFilter
from service.tournaments.plan import (
    BadPlanError,
    Plan,
    PlayerEntry,
    PlayerOffer,
    TournamentRequest,
    player_entry,
)
from service.tournaments.standing import TournamentStanding
from service.tournaments.tournament import Tournament

blueprint = Blueprint("tournaments", __name__, description="Bots against bots, by the thousand.")

_EVENTS_BYTES = 500_000
"""Size (bytes) at which a page of events ends, because the event of a block may have 120 games."""
_EVENTS_AT_ONCE = 50
"""Number of events that are read at a time for a page."""

_OPPONENT = "random"
"""The bot of the service against which bots of owners are validated."""

_SCOPE = ["tournaments"]
_ONE = ("unknown_tournament", "tournament_damaged")
_CHANGES = (
    *_ONE,
    "not_your_tournament",
    "invalid_header",
    "idempotency_key_reused",
    "conflict",
)


@blueprint.operation(
    "POST",
    "/v1/tournaments",
    "createTournament",
    security=HOSTS,
    body=True,
    problems=[
        "bad_tournament",
        "too_many_tournaments",
        "storage_nearly_full",
        "invalid_header",
        "idempotency_key_reused",
        "tournament_damaged",
        "conflict",
        "upgrade_unfinished",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.TournamentRequestSchema)
@blueprint.response(
    201, shapes.TournamentSchema, description="The tournament; it starts by itself."
)
def create_tournament(caller: Caller, body: TournamentRequest) -> Response:
    """Create a tournament.

    It starts by itself as soon as every entry that committed to entropy has revealed it. If a
    request with an `Idempotency-Key` is repeated, the answer is the same tournament.
    """
    player, runtime = caller.me, caller.runtime
    key, fingerprint = (
        caller.idempotency_key,
        digest(fingerprint_bytes("tournaments", caller.loaded)),
    )
    made = runtime.director.create(
        _plan(caller, body),
        {"player": player.id},
        seed=body.seed,
        key=key,
        fingerprint=fingerprint,
        admit=caller.services.admission.tournament(caller.claimant),
    )
    response = _answer_change(caller, made, 201)
    response.headers["Location"] = f"/v1/tournaments/{made.tournament.id}"
    return response


@blueprint.operation(
    "POST",
    "/v1/tournaments/preview",
    "previewTournament",
    security=ANY_CALLER,
    body=True,
    problems=["bad_tournament"],
)
@blueprint.arguments(shapes.TournamentRequestSchema)
@blueprint.response(
    200, shapes.TournamentPreviewSchema, description="The tournament that the request would make."
)
def preview_tournament(caller: Caller, body: TournamentRequest) -> Response:
    """Preview a tournament, without creating it.

    The answer is the plan with its defaults filled in, and its number of games. The errors are
    those of `createTournament`.
    """
    return answer(requests.preview(_plan(caller, body)))


@blueprint.operation(
    "GET",
    "/v1/tournaments",
    "listTournaments",
    security=ANY_CALLER,
    problems=["invalid_query", "invalid_cursor", "key_required"],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(TournamentsQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentListSchema, description="The tournaments.")
def list_tournaments(caller: Caller, query: TournamentsQuery) -> Response:
    """List tournaments, newest first.

    The items are as in `getTournament`, each as of the tournament's newest event.
    """
    cursors, after = caller.services.cursors, None
    wanted = TournamentFilter(query.over, query.ruleset, _one_host(caller, query.host))
    scope = _SCOPE if wanted == TournamentFilter() else [*_SCOPE, *wanted]
    if query.cursor is not None:
        try:
            after = cursors.read(scope, query.cursor)
        except BadCursorError as error:
            raise Problem("invalid_cursor", str(error)) from None
    runtime = caller.runtime
    page = listing.page(
        runtime.director, runtime.standings, wanted, query.limit, after,
        indexed=is_indexed(runtime.redis),
    )  # fmt: skip
    found = [_looked_after(caller, standing).summary() for standing in page.standings]
    cursor = None if page.place is None else cursors.write(scope, page.place)
    known = caller.players_of(tournament["created_by"] for tournament in found)
    leaders = runtime.reports.leaders([tournament["id"] for tournament in found])
    for tournament, first in zip(found, leaders, strict=True):
        host = tournament["created_by"]
        tournament.update(named_json({host: known[host]} if host in known else {}))
        tournament["leaders"] = first
    return checked({"tournaments": found, "next_cursor": cursor}, to_next(cursor=cursor))


@blueprint.operation(
    "GET",
    "/v1/tournament_formats",
    "listTournamentFormats",
    security=ANY_CALLER,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.FormatListSchema, description="The formats.")
def list_formats(_caller: Caller) -> Response:
    """List the formats of tournaments.

    Each format has the JSON Schema of its options; a request names the format's `type` in `format`.
    """
    found = [
        {
            "type": made.type,
            "description": made.doc,
            "options": {option.name: option.schema() for option in made.options},
        }
        for made in FORMATS.values()
    ]
    return checked({"formats": found})


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>",
    "getTournament",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=_ONE,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament, with its table.")
def get_tournament(caller: Caller, tournament_id: str) -> Response:
    """Read the status of a tournament.

    The status is as of the newest event. The table of results is in `readTournamentReport`.
    """
    found = _with_names(caller, _standing(caller, tournament_id).summary())
    etag = etag_of(found["head"], found["waits_for"], found["players"], found["leaders"])
    return unchanged(etag) or tagged(found, etag)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/report",
    "readTournamentReport",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=_ONE,
    headers=[IF_NONE_MATCH, LAST_MODIFIED],
)
@blueprint.response(200, shapes.ReportSchema, description="Every figure, as JSON or as CSV.")
@blueprint.alternative(200, {"type": "string", "examples": ["place,entry"]}, "text/csv")
def read_report(caller: Caller, tournament_id: str) -> Response:
    """Read the table of results, the ratings and all other figures.

    Workers update the figures while they play. `as_of` has the version of the tournament that the
    figures describe. This version is 0 while there are no figures. The status, in contrast, is
    always current. The 95 % bands come soon after the end; `samples` is 0 until then. `text/csv`
    has only the table; `listTournamentGames` has every game.
    """
    found = _with_names(caller, _report(caller, tournament_id))
    media = caller.request.accept_mimetypes.best_match(["application/json", "text/csv"])
    as_of = found["as_of"]["version"]
    told = (found["head"], as_of, found["samples"], found["waits_for"], found["players"])
    etag = etag_of(*told, media)
    if same := unchanged(etag):
        return same
    if media == "text/csv":
        table = report_formats.as_csv(found).encode()
        return _dated(tagged_bytes(table, etag, "text/csv"), found["as_of"]["at"])
    return _dated(tagged(found, etag), found["as_of"]["at"])


def _plot_operation(path: str, name: str) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        svg = {"type": "string", "examples": ["<svg/>"]}
        documented = blueprint.response(
            200, svg, content_type="image/svg+xml", description="The plot."
        )(view)
        return blueprint.operation(
            "GET",
            f"/v1/tournaments/<tournament_id>/{path}",
            name,
            security=ANY_CALLER,
            sees=TOURNAMENT,
            problems=_ONE,
            headers=[IF_NONE_MATCH, LAST_MODIFIED],
        )(blueprint.arguments(PlotQuerySchema, location="query")(documented))

    return decorate


@_plot_operation("ratings.svg", "plotTournamentRatings")
def plot_ratings(caller: Caller, _query: PlotQuery, tournament_id: str) -> Response:
    """Plot the ratings over the games.

    The answer is a self-contained SVG.
    """
    return _plot(caller, tournament_id, plots.ratings)


@_plot_operation("ranks.svg", "plotTournamentRanks")
def plot_ranks(caller: Caller, _query: PlotQuery, tournament_id: str) -> Response:
    """Plot each entry's distribution of ranks.

    The answer is a self-contained SVG.
    """
    return _plot(caller, tournament_id, plots.ranks)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/games",
    "listTournamentGames",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*_ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LAST_MODIFIED, LINK],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentGamesSchema, description="The games, as JSON or as CSV.")
@blueprint.alternative(200, {"type": "string", "examples": ["block,rotation"]}, "text/csv")
def list_tournament_games(caller: Caller, query: PageQuery, tournament_id: str) -> Response:
    """List the games of a tournament by block and rotation, as of its newest event.

    `after` is the number of games to skip. A game can be read as soon as its block has ended.
    `text/csv` has a row for each seat of each played game of this page.
    """
    standing, standings = _standing(caller, tournament_id), caller.runtime.standings
    after, limit = query.after, query.limit
    games = list(listed(standings, standing, after, limit))
    next_after = after + limit if len(games) == limit else None
    if caller.request.accept_mimetypes.best_match(["application/json", "text/csv"]) == "text/csv":
        rows = "".join(report_formats.games_as_csv(games, standing.made["plan"]))
        page = checked_bytes(rows.encode(), "text/csv", to_next(after=next_after))
        return _dated(page, standing.at)
    as_of = {"version": standing.version, "at": standing.at}
    found = {"games": games, "as_of": as_of, "next_after": next_after}
    return _dated(checked(found, to_next(after=next_after)), standing.at)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/rounds",
    "listTournamentRounds",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*_ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LAST_MODIFIED, LINK],
)
@blueprint.arguments(RoundsQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentRoundsSchema, description="The rounds.")
def list_tournament_rounds(caller: Caller, query: RoundsQuery, tournament_id: str) -> Response:
    """List the paired rounds, as of the newest event.

    Each round has its pairings, and each entry's points so far. A page has fewer rounds than
    `limit` if they are large; continue with `next_after`. To list the games of a table, call
    `listTournamentGames` with `after` = `(first_block - 1) * games_per_block`.
    """
    standing, standings = _standing(caller, tournament_id), caller.runtime.standings
    after = query.after
    found = list(rounds.listed(standings, standing, after, query.limit))
    last, paired = after + len(found), int(standing.now["rounds"])
    # An older release paired these rounds and did not store them; a worker has to do so.
    if not found and last < paired:
        caller.runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    next_after = last if found and last < paired else None
    told = {
        "rounds": found,
        "games_per_block": rounds.games_in_block(standings, standing),
        "as_of": {"version": standing.version, "at": standing.at},
        "next_after": next_after,
    }
    return _dated(checked(told, to_next(after=next_after)), standing.at)


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/events",
    "listTournamentEvents",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*_ONE, "invalid_query"],
    headers=[IF_NONE_MATCH, LINK],
)
@blueprint.arguments(PageQuerySchema, location="query")
@blueprint.response(200, shapes.TournamentEventsSchema, description="The events.")
def list_tournament_events(caller: Caller, query: PageQuery, tournament_id: str) -> Response:
    """Read the events of a tournament.

    All of them are public (/docs/tournaments). A page has fewer events than `limit` if blocks
    have very many games; continue with `next_after`.
    """
    director = caller.runtime.director
    newest = director.newest_event(tournament_id)
    version, after = newest.seq, query.after
    found: list[bytes] = []
    who: set[str] = set()
    size = 0
    until = min(version, after + query.limit)
    for copy in director.copies(tournament_id, after, until, at_once=_EVENTS_AT_ONCE):
        found.append(encode(copy))
        who.update(actors([copy["by"]]))
        size += len(found[-1])
        if size >= _EVENTS_BYTES:
            break
    last = after + len(found)
    next_after = last if last < version else None
    page = {
        "tournament_id": tournament_id,
        "version": version,
        "events": list(map(orjson.Fragment, found)),
        **caller.named(who),
        "next_after": next_after,
    }
    return checked(page, to_next(after=next_after))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/head",
    "getTournamentHead",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=_ONE,
    headers=[IF_NONE_MATCH],
)
@blueprint.response(200, ReceiptSchema, description="The signed head.")
def get_tournament_head(caller: Caller, tournament_id: str) -> Response:
    """Read the newest event's hash, signed.

    Whoever keeps this answer can prove a later change of this event or of an earlier one. For an
    imported tournament the answer is the receipt that came with its record, signed by the key that
    `imported` names.
    """
    standing = _standing(caller, tournament_id)
    if standing.origin is not None:
        return checked(standing.origin.receipt)
    return checked(caller.runtime.signer.head(standing))


@blueprint.operation(
    "GET",
    "/v1/tournaments/<tournament_id>/stream",
    "streamTournament",
    security=ANY_CALLER,
    sees=TOURNAMENT,
    problems=[*_ONE, "invalid_query", "stream_share_used", "too_many_streams"],
    headers=[LAST_EVENT_ID],
)
@blueprint.arguments(TournamentStreamQuerySchema, location="query")
@blueprint.response(
    200,
    STREAM,
    content_type="text/event-stream",
    description="The events, as long as the tournament goes on.",
)
def stream_tournament(caller: Caller, query: TournamentStreamQuery, tournament_id: str) -> Response:
    """Follow a tournament (server-sent events).

    Each message is an event as `listTournamentEvents` answers it. The last message is of type
    `end`, or `rewound` as in the stream of a game.
    """
    caller.runtime.director.newest_event(tournament_id)  # raises if there is no such tournament
    return sse(caller, tournament_id, StreamView(None), query.after)


def _operation_of(
    verb: str, name: str, *, body: bool = False, problems: tuple[str, ...]
) -> Callable[[View], View]:
    return blueprint.operation(
        "POST",
        f"/v1/tournaments/<tournament_id>/{verb}",
        name,
        security=HOSTS,
        sees=TOURNAMENT,
        body=body,
        problems=[*_CHANGES, *problems],
        headers=[IDEMPOTENCY_KEY],
    )


@blueprint.operation(
    "POST",
    "/v1/tournaments/<tournament_id>/entries",
    "enterTournament",
    security=OWNERS,
    sees=TOURNAMENT,
    body=True,
    problems=[
        *_ONE,
        "no_place_free",
        "entered_already",
        "no_such_bot",
        "bot_does_not_play",
        "bot_absent",
        "bot_busy",
        "validation_failed",
        "unknown_bot",
        "rules_version_unavailable",
        "too_many_games",
        "storage_nearly_full",
        "upgrade_unfinished",
        "unconfirmed",
        "invalid_header",
        "idempotency_key_reused",
        "conflict",
    ],
    headers=[IDEMPOTENCY_KEY],
    budget=CREATION,
)
@blueprint.arguments(shapes.EnterRequestSchema)
@blueprint.response(201, shapes.EnteringSchema, description="The bot is entered.")
@blueprint.response(202, shapes.EnteringSchema, description="The bot plays its validation game.")
def enter_tournament(caller: Caller, body: shapes.EnterRequest, tournament_id: str) -> Response:
    """Enter a bot of yours in a tournament that is open for entries of owners.

    The first request opens a validation game: the bot plays one game of the tournament's kind
    against bots of the service, and must not be late or resign. When the game is over, the same
    request enters the bot, with the version that it has then.
    """
    runtime, me = caller.runtime, caller.me
    tournament = runtime.director.find(tournament_id)
    account = caller.services.bots.own(me.id, body.player)
    validations = Validations(runtime.redis, runtime.ledger, runtime.tables)
    found = validations.find(tournament_id, account.id, account.version)
    told: JsonObject = {"tournament_id": tournament_id, "player": account.id}
    if found is None or found.status != VALID:
        need_place(tournament)
        need_new(tournament, account.id)
        offer = _offered(caller, [account])[account.id]
        _entry_in(tournament.plan, offer, body.name)
        if found is not None and found.status == FAILED:
            validations.forget(tournament_id, account.id)
            why, game = f"{offer.name}: {found.why}", found.game.id
            raise Problem("validation_failed", why, game_id=game)
        if found is None:
            found = _validation(caller, validations, tournament, account, offer.name)
        return answer(
            {**told, "status": "validating", "game_id": found.game.id, "entry": None}, 202
        )
    offer = _offered(caller, [account])[account.id]
    done = runtime.director.enter(
        tournament_id,
        lambda plan: _entry_in(plan, offer, body.name),
        found.proof(),
        {"player": me.id},
        retry_of(caller, me.id, caller.loaded),
    )
    entries = done.tournament.plan.entries
    number = next(n for n, one in enumerate(entries) if getattr(one, "player", "") == account.id)
    told |= {"status": "entered", "game_id": found.game.id, "entry": number}
    return answer(told, 201, REPLAYED if done.replayed else NO_HEADERS)


def _entry_in(plan: Plan, offer: PlayerOffer, name: str | None) -> PlayerEntry:
    """Return the entry of a bot in a plan. Raises Problem (``bot_does_not_play``)."""
    try:
        return player_entry(plan, offer, name)
    except BadPlanError as error:
        raise Problem("bot_does_not_play", str(error)) from None


def _validation(
    caller: Caller,
    validations: Validations,
    tournament: Tournament,
    account: BotAccount,
    name: str,
) -> Validation:
    """Open a validation game. Raises Problem: ``bot_absent``, ``bot_busy``, ``unknown_bot``."""
    if not caller.services.bots.present([account.id]):
        raise Problem("bot_absent", f"{name} does not listen for questions")
    opponent = caller.runtime.bots.get(_OPPONENT)
    if opponent is None:
        raise Problem("unknown_bot", f"the service has no bot {_OPPONENT!r}", bots=[])
    admit_table = caller.services.admission.table(caller.claimant, account.id, account.concurrency)

    def admit(game: Game) -> None:
        need_concurrency(caller, account, game, 0)
        admit_table(game)

    return validations.open(
        tournament.id, tournament.plan, caller.me.id, account.id, account.version, opponent, admit
    )


@_operation_of("start", "startTournament", problems=("no_place_free", "too_few_entries"))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def start_tournament(caller: Caller, tournament_id: str) -> Response:
    """Start a tournament with the entries that it has.

    It takes no more entries of owners. If all places are taken, it starts by itself.
    """
    by, retry = _host(caller, tournament_id)
    return _answer_change(caller, caller.runtime.director.close_entries(tournament_id, by, retry))


@_operation_of("pause", "pauseTournament", problems=("tournament_not_running",))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def pause_tournament(caller: Caller, tournament_id: str) -> Response:
    """Pause a tournament: begin no more blocks.

    Blocks that have begun are played to the end.
    """
    by, retry = _host(caller, tournament_id)
    return _answer_change(caller, caller.runtime.director.pause(tournament_id, by, retry))


@_operation_of("resume", "resumeTournament", problems=("tournament_not_paused",))
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def resume_tournament(caller: Caller, tournament_id: str) -> Response:
    """Resume a paused tournament.

    It continues with its open blocks.
    """
    by, retry = _host(caller, tournament_id)
    return _answer_change(caller, caller.runtime.director.resume(tournament_id, by, retry))


@_operation_of("cancel", "cancelTournament", body=True, problems=("tournament_over",))
@blueprint.arguments(shapes.CancelRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def cancel_tournament(caller: Caller, body: shapes.CancelRequest, tournament_id: str) -> Response:
    """End a tournament for good.

    Finished blocks stay; games in progress are aborted.
    """
    by, retry = _host(caller, tournament_id)
    director, reason = caller.runtime.director, body.reason
    return _answer_change(caller, director.cancel(tournament_id, reason, by, retry))


@_operation_of(
    "extend", "extendTournament", body=True, problems=("tournament_over", "fixed_length")
)
@blueprint.arguments(shapes.ExtendRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def extend_tournament(caller: Caller, body: shapes.ExtendRequest, tournament_id: str) -> Response:
    """Extend a tournament by more games.

    Only the formats round robin, gauntlet and comparison can be extended.
    """
    by, retry = _host(caller, tournament_id)
    director = caller.runtime.director
    return _answer_change(caller, director.extend(tournament_id, body.games, by, retry))


@_operation_of(
    "withdraw",
    "withdrawEntry",
    body=True,
    problems=("tournament_over", "entry_not_playing", "upgrade_unfinished"),
)
@blueprint.arguments(shapes.WithdrawRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def withdraw_entry(caller: Caller, body: shapes.WithdrawRequest, tournament_id: str) -> Response:
    """Withdraw an entry: it plays no more.

    Its finished blocks stay, and its other blocks do not count. The other entries play on, if
    enough are left. The host may withdraw any entry, and an owner their own bots.
    """
    director = caller.runtime.director
    plan = director.find(tournament_id).plan
    owner = plan.owner_of(body.entry)
    by, retry = (
        ({"player": owner}, retry_of(caller, owner, caller.loaded))
        if owner == caller.me.id
        else _host(caller, tournament_id)
    )
    return _answer_change(caller, director.withdraw(tournament_id, body.entry, by, retry))


@_operation_of(
    "entropy",
    "revealTournamentEntropy",
    body=True,
    problems=("no_entropy_expected", "entropy_mismatch"),
)
@blueprint.arguments(shapes.TournamentEntropyRequestSchema)
@blueprint.response(200, shapes.TournamentSchema, description="The tournament.")
def reveal_entropy(
    caller: Caller, body: shapes.TournamentEntropyRequest, tournament_id: str
) -> Response:
    """Reveal an entry's entropy.

    The tournament starts when the last entry's entropy is revealed.
    """
    by, retry = _host(caller, tournament_id)
    director = caller.runtime.director
    entropy = bytes.fromhex(body.entropy)
    return _answer_change(
        caller, director.reveal_entropy(tournament_id, body.entry, entropy, by, retry)
    )


@blueprint.operation(
    "GET",
    "/v1/rulesets/<ruleset_id>/ratings",
    "listRatings",
    security=ANY_CALLER,
    problems=["unknown_ruleset", "invalid_query", "key_required"],
    headers=[IF_NONE_MATCH],
    path_parameters=[RULESET_ID],
)
@blueprint.arguments(BotRatingsQuerySchema, location="query")
@blueprint.response(200, shapes.RatingListSchema, description="The ratings.")
def list_ratings(caller: Caller, query: BotRatingsQuery, ruleset_id: str) -> Response:
    """List the ratings of a ruleset's bots.

    They are computed from the games of rated tournaments that have ended. The tournaments of all
    hosts that the operator names count; if `host` is given, only that host's tournaments count. A
    rating is for one version of the rules, one edition and one number of seats; the default is the
    current rules, and the most played edition and number of seats. A tournament counts soon after
    its end.
    """
    if ruleset_id not in {ruleset.info.id for ruleset in caller.runtime.registry}:
        raise Problem("unknown_ruleset", f"there is no ruleset {ruleset_id!r}")
    wanted = {name: value for name, value in asdict(query).items() if value is not None}
    wanted.pop("host", None)
    host = _one_host(caller, query.host)
    return checked(caller.runtime.ratings.to_json(ruleset_id, host, wanted))


def _one_host(caller: Caller, host: str | None) -> str | None:
    return caller.me.id if host == "me" else host


def _plan(caller: Caller, body: TournamentRequest) -> Plan:
    """Return the requested plan. Raises Problem (``bad_tournament``)."""
    runtime = caller.runtime
    try:
        by_wall = level_of(runtime.redis) != NEWEST
        return requests.plan_of(
            body, runtime.registry, runtime.bots, by_wall=by_wall,
            players=_players(caller, body), host=caller.id,
        )  # fmt: skip
    except BadPlanError as error:
        errors = [field_error(error.field, str(error), error.value)]
        raise Problem("bad_tournament", f"{error.field}: {error}", errors=errors) from None


def _players(caller: Caller, body: TournamentRequest) -> dict[str, PlayerOffer]:
    """Return the bot accounts that a request names, by id."""
    named = [entry.player for entry in body.entries if entry.player is not None]
    return _offered(caller, caller.services.bots.of_ids(named).values())


def _offered(caller: Caller, accounts: Collection[BotAccount]) -> dict[str, PlayerOffer]:
    """Return bot accounts as entries need them, by id."""
    players = caller.services.players.by_ids([one.id for one in accounts])
    return {
        one.id: PlayerOffer(
            one.id,
            one.owner,
            players[one.id].name,
            one.version,
            {taken.ruleset: taken.seats for taken in one.takes},
        )
        for one in accounts
    }


def _standing(caller: Caller, tournament_id: str) -> TournamentStanding:
    return _looked_after(caller, caller.runtime.standings.of(tournament_id))


def _looked_after(caller: Caller, standing: TournamentStanding) -> TournamentStanding:
    """Return ``standing``. If the store does not have all of it yet, queue work for a worker.

    The worker continues the tournament, and stores the standing.
    """
    if not standing.is_kept:
        caller.runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    return standing


def _host(caller: Caller, tournament_id: str) -> tuple[JsonObject, Retry | None]:
    """Return ``{"player": ID}`` and the ``Retry`` of this request.

    The dict names the caller in the events of the request, as their causer.

    Raises:
        Problem: ``not_your_tournament``: the caller does not host the tournament.
    """
    player = caller.me
    if _standing(caller, tournament_id).made["created_by"] != player.id:
        raise Problem("not_your_tournament")
    return {"player": player.id}, retry_of(caller, player.id, caller.loaded)


def _answer_change(caller: Caller, done: Change, status: int = 200) -> Response:
    """Answer with the tournament after a change; a repeated request gets the same answer."""
    found = _with_names(caller, requests.summary(done.tournament, caller.runtime.redis))
    return answer(found, status, REPLAYED if done.replayed else NO_HEADERS)


def _with_names(caller: Caller, found: JsonObject) -> JsonObject:
    (leaders,) = caller.runtime.reports.leaders([found["id"]])
    owners = [entry["owner"] for entry in found["plan"]["entries"] if "owner" in entry]
    named = caller.named([found["created_by"], *owners])
    return {**found, **named, "leaders": leaders}


def _report(caller: Caller, tournament_id: str) -> JsonObject:
    """Return the stored report; if it is missing, ask a worker to make it."""
    runtime, standing = caller.runtime, _standing(caller, tournament_id)
    found = runtime.reports.of(standing)
    is_lost = not found["as_of"]["version"] and standing.now["blocks"]["played"]
    if is_lost or (standing.over and not found["samples"]):
        runtime.jobs.tournament_overdue(standing.without_blocks(), 1)
    return found


def _plot(caller: Caller, tournament_id: str, draw: Callable[[JsonObject], str]) -> Response:
    found = _report(caller, tournament_id)
    etag = etag_of(found["head"], found["as_of"]["version"])
    if same := unchanged(etag):
        return same
    return _dated(tagged_bytes(draw(found).encode(), etag, "image/svg+xml"), found["as_of"]["at"])


def _dated(response: Response, at: str | None) -> Response:
    """Add the time of the data as a header, because files and pictures have no place for it."""
    if at is not None:
        response.last_modified = datetime.fromisoformat(at)
    return response
