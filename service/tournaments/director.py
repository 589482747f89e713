"""Appends to tournaments: what people ask for, what workers found, and what follows by itself."""

import secrets as os_secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.chance import commitment
from rules.kernel.events import NO_STATE, Access, Draft, Event, copy_for, genesis, public, seal
from rules.kernel.secrets import SECRET_BYTES, Secrets, entropy_commitment
from service import clock, ids
from service.ledger.keys import meta_key
from service.ledger.ledger import ConflictError
from service.ledger.store import Behind, Diverged, Done, Store
from service.tournaments.course import (
    Step,
    luck_of,
    next_step,
    stop,
    tournament_obligations,
)
from service.tournaments.formats import format_of
from service.tournaments.luck import Luck
from service.tournaments.plan import MAX_GAMES, Plan
from service.tournaments.tournament import (
    PAUSED,
    RUNNING,
    Block,
    GameResult,
    Tournament,
)

ATTEMPTS = 32
CACHED = 128
MOST_HELD = 20
"""So many tournaments of one player may be under way."""

LIST = meta_key("tournaments")
PAGE = 500
_STATE = encode(NO_STATE)
_ALL_PUBLIC = Access()
_SERVICE: JsonObject = {"service": "tournaments"}


class TournamentNotFoundError(LookupError):
    """There is no tournament with this id."""


class TournamentRefused(Exception):
    """A request that does not fit how the tournament stands; ``code`` is stable."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _Kept(NamedTuple):
    tournament: Tournament
    secrets: Secrets


class Director:
    """The tournaments of one store; every command may be repeated safely."""

    def __init__(self, store: Store, on_work: Callable[[str, int], None]) -> None:
        self._store = store
        self._on_work = on_work
        self._cache: OrderedDict[str, _Kept] = OrderedDict()

    # Reading

    def find(self, tournament_id: str) -> Tournament:
        """Return a tournament as of its newest event; it is nobody's to change.

        Raises:
            TournamentNotFoundError: there is none.

        """
        return self._load(tournament_id).tournament

    def luck(self, tournament_id: str) -> Luck:
        """Return what a tournament draws; raises as ``find``."""
        kept = self._load(tournament_id)
        return luck_of(kept.tournament, kept.secrets.chance_seed)

    def copies(self, tournament_id: str, after: int, until: int) -> Iterator[JsonObject]:
        """Yield the events after ``after`` up to ``until``, as everybody sees them."""
        salt = self._load(tournament_id).secrets.salt
        prev_hash = genesis(tournament_id)
        if after:
            prev_hash = self._store.read(tournament_id, after - 1, 1)[0].event.hash
        while after < until:
            for event, _retry in self._store.read(tournament_id, after, min(PAGE, until - after)):
                yield copy_for(None, event, prev_hash, salt, _ALL_PUBLIC, event.seq)
                prev_hash, after = event.hash, event.seq

    def newest(self, limit: int, before: float | None = None) -> list[tuple[str, float]]:
        """Return the ids of tournaments and where they stand in the list, the newest first."""
        top = "+inf" if before is None else f"({before}"
        found: Any = self._store.redis.zrevrangebyscore(
            LIST, top, "-inf", 0, limit, withscores=True
        )
        return [(name.decode(), place) for name, place in found]

    def _list(self, tournament: Tournament) -> None:
        """Have a tournament listed; each append says so, lest a crash leave one out."""
        redis = self._store.redis
        redis.zadd(LIST, {tournament.id: clock.to_ms(tournament.created_at)}, nx=True)
        held = _held_key(tournament.created_by["player"])
        if tournament.over:
            redis.srem(held, tournament.id)
        elif not tournament.results:
            redis.sadd(held, tournament.id)

    def _load(self, tournament_id: str) -> _Kept:
        kept = self._cache.get(tournament_id)
        if kept is None:
            secrets = self._store.secrets(tournament_id)
            if secrets is None:
                raise TournamentNotFoundError(tournament_id)
            kept = _Kept(Tournament(tournament_id), secrets)
        missed = self._store.read(tournament_id, kept.tournament.version)
        if missed:
            tournament = kept.tournament.fork()
            for stored in missed:
                tournament.apply(stored.event)
            kept = kept._replace(tournament=tournament)
        self._keep(kept)
        return kept

    def _keep(self, kept: _Kept) -> None:
        self._cache[kept.tournament.id] = kept
        self._cache.move_to_end(kept.tournament.id)
        if len(self._cache) > CACHED:
            self._cache.popitem(last=False)

    # Commands

    def create(
        self, plan: Plan, by: JsonObject, *, seed: str | None = None, key: str | None = None
    ) -> tuple[Tournament, bool]:
        """Open a tournament; it starts by itself unless entries owe entropy.

        With ``seed``, equal plans have equal luck, and who asks knows it. With ``key``, the same
        caller gets the same tournament again: then the second value is true.

        Raises:
            TournamentRefused: ``idempotency_key_reused``, ``too_many_tournaments``.

        """
        caller = by["player"]
        tournament_id = (
            ids.new_tournament_id() if key is None else ids.tournament_id_for(caller, key)
        )
        secrets = _secrets(seed)
        scope = tournament_id if seed is None else _scope_of(seed)
        value = {
            "plan": plan.to_json(),
            "chance": {
                "scope": scope,
                "commitment": commitment(scope, secrets.chance_seed).hex(),
            },
        }
        new = _Kept(Tournament(tournament_id), secrets)
        found = self._known(tournament_id) if key is not None else None
        if found is None:
            self._need_room(caller)
            done = self._append(new, [Step("created", value)], by, secrets=secrets)
            if done is not None:
                return done, False
            found = self.find(tournament_id)
        if found.plan != plan or (seed is not None and found.scope != scope):
            raise TournamentRefused(
                "idempotency_key_reused", "this Idempotency-Key was used for another tournament"
            )
        return found, True

    def _known(self, tournament_id: str) -> Tournament | None:
        try:
            return self.find(tournament_id)
        except TournamentNotFoundError:
            return None

    def _need_room(self, player: str) -> None:
        """Raise TournamentRefused (``too_many_tournaments``) if the player holds enough."""
        if self._store.redis.scard(_held_key(player)) >= MOST_HELD:
            raise TournamentRefused(
                "too_many_tournaments", f"{MOST_HELD} of your tournaments are not over yet"
            )

    def reveal_entropy(
        self, tournament_id: str, entry: int, entropy: bytes, by: JsonObject
    ) -> Tournament:
        """Open the entropy that an entry committed to; the last one starts the tournament.

        Raises:
            TournamentRefused: ``no_entropy_expected``, ``entropy_mismatch``.

        """

        def act(tournament: Tournament) -> Step:
            if entry not in tournament.owing_entropy():
                raise TournamentRefused("no_entropy_expected", f"entry {entry} owes no entropy")
            wanted = tournament.plan.entries[entry].entropy_commitment
            if wanted not in (
                entropy_commitment(tournament.id, entry, entropy).hex(),
                entropy_commitment(None, entry, entropy).hex(),
            ):
                raise TournamentRefused(
                    "entropy_mismatch", f"entry {entry} committed to other entropy"
                )
            return Step("entropy_revealed", {"entry": entry, "entropy": entropy.hex()})

        return self._change(tournament_id, act, by)

    def pause(self, tournament_id: str, by: JsonObject) -> Tournament:
        """Begin no more blocks; raises TournamentRefused (``tournament_not_running``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, RUNNING)
            return Step("paused", {})

        return self._change(tournament_id, act, by)

    def resume(self, tournament_id: str, by: JsonObject) -> Tournament:
        """Go on after a pause; raises TournamentRefused (``tournament_not_paused``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, PAUSED)
            return Step("resumed", {})

        resumed = self._change(tournament_id, act, by)
        self.ask_workers(resumed)
        return resumed

    def cancel(self, tournament_id: str, reason: str, by: JsonObject) -> Tournament:
        """End for good; what was played stays. Raises TournamentRefused (``tournament_over``)."""

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise TournamentRefused("tournament_over", f"the tournament is {tournament.status}")
            seed = self._load(tournament_id).secrets.chance_seed
            return stop("cancelled", reason, tournament.settled(), seed)

        cancelled = self._change(tournament_id, act, by)
        self._on_work(tournament_id, 1)  # somebody must end the games that have begun
        return cancelled

    def extend(self, tournament_id: str, games: int, by: JsonObject) -> Tournament:
        """Ask for more games.

        Raises:
            TournamentRefused: ``tournament_over``, ``fixed_length``.

        """

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise TournamentRefused("tournament_over", f"the tournament is {tournament.status}")
            if not format_of(tournament.plan).takes_more:
                kind = tournament.plan.format["type"]
                raise TournamentRefused("fixed_length", f"a {kind} has its number of games")
            total = tournament.plan.format["games"] + tournament.games_more + games
            if total > MAX_GAMES:
                raise TournamentRefused("fixed_length", f"{total} games are more than {MAX_GAMES}")
            return Step("extended", {"games": games})

        return self._change(tournament_id, act, by)

    # What workers do

    def record_block(self, tournament_id: str, block: Block, games: list[GameResult]) -> Tournament:
        """Note how a block ended; if somebody did already, or it is void by now, do nothing."""

        def act(tournament: Tournament) -> Step | None:
            if block.number in tournament.results or tournament.over:
                return None
            found = [game._asdict() for game in games]
            return Step("block_ended", {"block": block.number, "games": found})

        return self._change(tournament_id, act, _SERVICE)

    def advance(self, tournament_id: str) -> Tournament:
        """Do what follows by itself, if a crash left it undone."""
        return self._change(tournament_id, lambda _tournament: None, _SERVICE)

    def ask_workers(self, tournament: Tournament) -> None:
        """Have the open blocks played."""
        if tournament.status == RUNNING and (waiting := len(tournament.open_blocks())):
            self._on_work(tournament.id, waiting)

    # Appending

    def _change(
        self, tournament_id: str, act: Callable[[Tournament], Step | None], by: JsonObject
    ) -> Tournament:
        for _ in range(ATTEMPTS):
            kept = self._load(tournament_id)
            step = act(kept.tournament)
            done = self._append(kept, [] if step is None else [step], by)
            if done is not None:
                return done
        raise ConflictError(tournament_id)

    def _append(
        self, base: _Kept, steps: list[Step], by: JsonObject, secrets: Secrets | None = None
    ) -> Tournament | None:
        """Append steps and what follows from them; None if others appended first."""
        tournament = base.tournament.fork()
        drafts: list[Draft] = []
        at = max(clock.now(), tournament.at)
        for step in steps:
            _try(tournament, drafts, step, by, at)
        while (follows := next_step(tournament, base.secrets.chance_seed)) is not None:
            _try(tournament, drafts, follows, _SERVICE, at)
        if not drafts:
            return base.tournament
        events = seal(drafts, {}, base.tournament.head, base.secrets.salt, at)
        tournament.head = events[-1].hash
        outcome = self._store.append(
            tournament.id, base.tournament.version, base.tournament.head, events,
            tournament_obligations(tournament), secrets=secrets,
        )  # fmt: skip
        match outcome:
            case Done():
                self._keep(base._replace(tournament=tournament))
                self._list(tournament)
                self._store.confirm(tournament.id)
                new = [step for step in drafts if step.kind == "paired"]
                if new and (base.tournament.rounds == 0 or not _foresees(tournament)):
                    self.ask_workers(tournament)
                return tournament
            case Behind():
                return None
            case Diverged():
                self._cache.pop(tournament.id, None)
                return None
            case _:
                raise TournamentNotFoundError(tournament.id)


def _held_key(player: str) -> str:
    return meta_key(f"tournaments_of:{player}")


def _foresees(tournament: Tournament) -> bool:
    return format_of(tournament.plan).foresees


def _try(tournament: Tournament, drafts: list[Draft], step: Step, by: JsonObject, at: str) -> None:
    seq = tournament.version + 1
    body = {step.kind: public(step.value)} if step.value else {}
    tournament.apply(Event(seq, step.kind, by, at, seq, body, b"", b""))
    drafts.append(Draft(seq, step.kind, by, body, _STATE, ()))


def _need(tournament: Tournament, status: str) -> None:
    if tournament.status != status:
        raise TournamentRefused(
            f"tournament_not_{status}", f"the tournament is {tournament.status}, not {status}"
        )


def _scope_of(seed: str) -> str:
    """Return the scope of all tournaments with this seed: they meet the same luck."""
    return f"seed-{digest(encode(['lonja/1', 'tournament', seed])).hex()[:16]}"


def _secrets(seed: str | None) -> Secrets:
    """Return a tournament's secrets: random ones, or those that a given seed stands for."""
    if seed is None:
        return Secrets(os_secrets.token_bytes(SECRET_BYTES), os_secrets.token_bytes(SECRET_BYTES))
    known = ["lonja/1", "tournament", seed]
    return Secrets(digest(encode([*known, "salt"])), digest(encode([*known, "chance"])))
