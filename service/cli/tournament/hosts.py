"""The host of a tournament: this machine's store, or a service over HTTP."""

import time
from collections.abc import Iterator
from typing import Any, Literal, Protocol
from urllib.parse import quote

from lonja_client import Client
from marshmallow import ValidationError

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.record.batch import RefusedError
from service.api.schemas.tournaments import CancelRequestSchema, TournamentRequestSchema
from service.cli import downloads
from service.cli.common import Failure, did_you_mean
from service.cli.remote import failures
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.redis.format import NEWEST, is_indexed, level_of
from service.runtime import Runtime
from service.tournaments import listing, requests
from service.tournaments.director import Change
from service.tournaments.games import listed
from service.tournaments.listing import TournamentFilter
from service.tournaments.plan import BadPlanError, Plan, TournamentRequest
from service.tournaments.record import export
from service.tournaments.standing import TournamentStanding
from service.tournaments.tournament import (
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)

Verb = Literal["start", "pause", "resume", "cancel", "extend", "withdraw"]
"""A command of a tournament's host; over HTTP it is the last part of the path."""
HOST: JsonObject = {"player": "local"}
LOOK_SECONDS = 1.0
BANDS_SECONDS = 600.0
"""Time to wait for the confidence bands of a report; after it, the report has no bands."""
PAGE = 500


class Host(Protocol):
    """The interface to a host of tournaments. Every method raises Failure."""

    def create(self, asked: JsonObject, seed: str | None) -> JsonObject:
        """Create a tournament, and return its summary.

        If it was already created with the same seed, return the summary of the existing tournament.
        """
        ...

    def preview(self, asked: JsonObject) -> JsonObject:
        """Return the outline of a tournament, and what it would cost, without creating it."""
        ...

    def report(self, tournament_id: str, *, wait: bool) -> JsonObject:
        """Return the report.

        If ``wait`` is true and the tournament is over, first wait until the report has the bands of
        its ratings.
        """
        ...

    def act(self, tournament_id: str, verb: Verb, body: JsonObject) -> JsonObject:
        """Carry out a host's command for a tournament; return its summary."""
        ...

    def newest(self, limit: int, wanted: TournamentFilter) -> list[JsonObject]:
        """Return summaries of the selected tournaments, newest first."""
        ...

    def games(self, tournament_id: str) -> Iterator[JsonObject]:
        """Yield a tournament's games, in the API's form."""
        ...

    def record(self, tournament_id: str) -> Iterator[JsonObject]:
        """Yield a tournament's record, line by line."""
        ...


class LocalHost:
    """The host of tournaments in the store of ``runtime``."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._director = runtime.director

    def create(self, asked: JsonObject, seed: str | None) -> JsonObject:
        plan = self._plan({**asked, **({} if seed is None else {"seed": seed})})
        key = None if seed is None else _key_of(plan, seed)
        try:
            made = self._director.create(plan, HOST, seed=seed, key=key).tournament
        except RefusedError as error:
            raise Failure(f"That is not possible: {error.message}.") from None
        return requests.summary(made, self._runtime.redis)

    def preview(self, asked: JsonObject) -> JsonObject:
        runtime = self._runtime
        workers = runtime.settings.tournament_workers
        return requests.preview(self._plan(asked), runtime.registry, workers)

    def _plan(self, asked: JsonObject) -> Plan:
        """Return the plan of a request. Raises Failure."""
        runtime = self._runtime
        try:
            wanted = TournamentRequest.of(TournamentRequestSchema().load(asked))
            by_wall = level_of(runtime.redis) != NEWEST
            return requests.plan_of(wanted, runtime.registry, runtime.bots, by_wall=by_wall)
        except BadPlanError as error:
            raise Failure(f"{error.field}: {error}.{self._nearest(error)}") from None
        except ValidationError as error:
            raise Failure(f"That is no tournament: {_complaints(error.messages)}.") from None

    def _nearest(self, error: BadPlanError) -> str:
        """Return the question "Did you mean ...?" with the nearest known ruleset or bot.

        The text is empty if none is near.
        """
        known = {
            "ruleset": [ruleset.info.id for ruleset in self._runtime.registry],
            "bot": [*self._runtime.bots],
        }
        return did_you_mean(str(error.value), known.get(error.field.rpartition(".")[2], ()))

    def report(self, tournament_id: str, *, wait: bool) -> JsonObject:
        reports, standing = self._runtime.reports, self._standing(tournament_id)
        if wait:
            tournament = self._director.find(tournament_id)
            reports.catch_up(tournament)
            if tournament.over:
                self._finish(tournament)
            standing = self._standing(tournament_id)
        return reports.of(standing)

    def _finish(self, tournament: Tournament) -> None:
        """Wait until a worker has computed the bands; compute them here if no worker runs."""
        reports = self._runtime.reports
        while reports.final(tournament) is None:
            if reports.is_being_made(tournament.id):
                time.sleep(LOOK_SECONDS)
            else:
                reports.draw_on(tournament, lambda: not reports.is_being_made(tournament.id))

    def act(self, tournament_id: str, verb: Verb, body: JsonObject) -> JsonObject:
        self._find(tournament_id)
        try:
            done = self._done(tournament_id, verb, body)
        except ValidationError as error:
            raise Failure(f"That cannot be noted: {_complaints(error.messages)}.") from None
        except RefusedError as error:
            raise Failure(f"That is not possible: {error.message}.") from None
        return requests.summary(done.tournament, self._runtime.redis)

    def _done(self, tournament_id: str, verb: Verb, body: JsonObject) -> Change:
        match verb:
            case "start":
                return self._director.close_entries(tournament_id, HOST)
            case "pause":
                return self._director.pause(tournament_id, HOST)
            case "resume":
                return self._director.resume(tournament_id, HOST)
            case "cancel":
                reason = CancelRequestSchema().load(body)["reason"]
                return self._director.cancel(tournament_id, reason, HOST)
            case "extend":
                return self._director.extend(tournament_id, body["games"], HOST)
            case "withdraw":
                return self._director.withdraw(tournament_id, body["entry"], HOST)

    def newest(self, limit: int, wanted: TournamentFilter) -> list[JsonObject]:
        found: list[JsonObject] = []
        self._runtime.ledger.store.past_lists.catch_up()
        place, is_last = None, False
        while len(found) < limit and not is_last:
            page = listing.page(
                self._director, self._runtime.standings, wanted, limit - len(found), place,
                indexed=is_indexed(self._runtime.redis),
            )  # fmt: skip
            found += [standing.summary() for standing in page.standings]
            place, is_last = page.place, page.place is None
        return found

    def games(self, tournament_id: str) -> Iterator[JsonObject]:
        standings, standing = self._runtime.standings, self._standing(tournament_id)
        after = 0
        while page := list(listed(standings, standing, after, PAGE)):
            yield from page
            after += len(page)

    def record(self, tournament_id: str) -> Iterator[JsonObject]:
        try:
            yield from export.lines(self._runtime, self._find(tournament_id))
        except GameNotFoundError as error:
            raise Failure(f"A game of it is missing: {error}.") from None
        except GameDamagedError as error:
            raise Failure(f"Nobody signs the record: {error}.") from None

    def _standing(self, tournament_id: str) -> TournamentStanding:
        self._runtime.standings.make_again(self._find(tournament_id))
        return self._runtime.standings.of(tournament_id)

    def _find(self, tournament_id: str) -> Tournament:
        try:
            return self._director.find(tournament_id)
        except (TournamentNotFoundError, ValueError):
            raise Failure(f"There is no tournament {tournament_id!r} here.") from None
        except TournamentDamagedError as error:
            raise Failure(f"{error}: restore a back-up.") from None


def _key_of(plan: Plan, seed: str) -> str:
    """Return a fingerprint of a plan and a seed, independent of the code's version."""
    return digest(encode([{**plan.to_json(), "rules_digest": None}, seed])).hex()


def _complaints(messages: Any, field: str = "") -> str:
    """Return marshmallow's messages in one line, each with the path of its field."""
    if isinstance(messages, dict):
        parts = (_complaints(value, f"{field}.{name}") for name, value in messages.items())
        return "; ".join(parts)
    return f"{field.lstrip('.')}: {', '.join(messages)}"


class RemoteHost:
    """The host of tournaments at a service, reached with a player's key."""

    def __init__(self, service: Client) -> None:
        self._service = service

    def create(self, asked: JsonObject, seed: str | None) -> JsonObject:
        body = asked if seed is None else {**asked, "seed": seed}
        key = None if seed is None else digest(encode([asked, seed])).hex()
        with failures(self._service):
            created: JsonObject = self._service.post("/tournaments", body, idempotency_key=key)
        return created

    def preview(self, asked: JsonObject) -> JsonObject:
        with failures(self._service):
            found: JsonObject = self._service.post("/tournaments/preview", asked)
        return found

    def report(self, tournament_id: str, *, wait: bool) -> JsonObject:
        ends = time.monotonic() + BANDS_SECONDS
        while True:
            with failures(self._service):
                found: JsonObject = self._service.get(f"{_path(tournament_id)}/report")
            is_whole = found["samples"] or found["status"] not in ("ended", "cancelled")
            if is_whole or not wait or time.monotonic() > ends:
                return found
            time.sleep(LOOK_SECONDS)

    def act(self, tournament_id: str, verb: Verb, body: JsonObject) -> JsonObject:
        with failures(self._service):
            done: JsonObject = self._service.post(f"{_path(tournament_id)}/{verb}", body)
        return done

    def newest(self, limit: int, wanted: TournamentFilter) -> list[JsonObject]:
        asked = {name: value for name, value in wanted._asdict().items() if value is not None}
        if wanted.over is not None:
            asked["over"] = str(wanted.over).lower()
        found: list[JsonObject] = []
        cursor: JsonObject = {}
        while len(found) < limit:
            with failures(self._service):
                page = self._service.get(
                    "/tournaments", limit=limit - len(found), **asked, **cursor
                )
            found += page["tournaments"]
            if page["next_cursor"] is None:
                break
            cursor = {"cursor": page["next_cursor"]}
        return found

    def games(self, tournament_id: str) -> Iterator[JsonObject]:
        after: int | None = 0
        while after is not None:
            with failures(self._service):
                path = f"{_path(tournament_id)}/games"
                page = self._service.get(path, after=after, limit=PAGE)
            yield from page["games"]
            after = page["next_after"]

    def record(self, tournament_id: str) -> Iterator[JsonObject]:
        return downloads.tournament(self._service, f"{_path(tournament_id)}/record")


def _path(tournament_id: str) -> str:
    return f"/tournaments/{quote(tournament_id, safe='')}"
