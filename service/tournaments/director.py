"""Appends to tournaments: what people ask for, what workers found, and what follows by itself."""

import secrets as os_secrets
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock
from typing import NamedTuple

import structlog
from redis.exceptions import RedisError

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode
from rules.kernel.contract.chance import commitment
from rules.kernel.record.batch import Refused
from rules.kernel.record.events import (
    NO_STATE,
    Access,
    Draft,
    Event,
    copy_for,
    genesis,
    public,
    seal,
)
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import SECRET_BYTES, Secrets, entropy_commitment
from service import ids
from service.ids import shard_of
from service.ledger import lists
from service.ledger.ledger import Answered, ConflictError
from service.ledger.store import (
    RETRY_BYTES,
    Behind,
    Diverged,
    Done,
    OffTime,
    Repeated,
    Retry,
    Store,
    Stored,
)
from service.metrics import STREAM_REWOUND
from service.redis.keys import shard_key
from service.tournaments import standing
from service.tournaments.course import (
    LAST,
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
    TournamentNotFoundError,
)

log = structlog.get_logger(__name__)

ATTEMPTS = 32
CACHED = 128
PAGE = 500
_STATE = encode(NO_STATE)
_ALL_PUBLIC = Access()
_SERVICE: JsonObject = {"service": "tournaments"}


class Change(NamedTuple):
    """The tournament as a request left it; ``replayed`` if the request was answered before."""

    tournament: Tournament
    replayed: bool = False


class _Kept(NamedTuple):
    """A tournament as of its newest event; none of this is ever changed."""

    tournament: Tournament
    secrets: Secrets
    retries: dict[bytes, Answered]


class Director:
    """The tournaments of one store, for several threads.

    Every command may be repeated safely with its ``retry``, which is kept beside the event: then
    it is answered with what it did, or refused (``idempotency_key_reused``) if it asks for
    something else.
    """

    def __init__(self, store: Store, on_work: Callable[[Tournament, int], None]) -> None:
        self._store = store
        self._on_work = on_work
        self._cache: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()
        """Guards the cache; it is never held over I/O."""

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

    def copies(
        self, tournament_id: str, after: int, until: int, *, at_once: int = PAGE
    ) -> Iterator[JsonObject]:
        """Yield the events after ``after`` up to ``until``, as everybody sees them.

        So many ``at_once`` are read from the store.

        Raises:
            TournamentNotFoundError: there is none.

        """
        salt = self._secrets(tournament_id).salt
        known = max(after - 1, 0)
        prev_hash = genesis(tournament_id)
        while known < until and (
            page := self._store.read(tournament_id, known, min(at_once, until - known))
        ):
            for event, _retry in page:
                if event.seq > after:
                    yield copy_for(None, event, prev_hash, salt, _ALL_PUBLIC, event.seq)
                prev_hash, known = event.hash, event.seq

    def newest_event(self, tournament_id: str) -> Event:
        """Return the newest event of a tournament; raises as ``find``."""
        found = self._store.newest_event(tournament_id)
        if found is None:
            raise TournamentNotFoundError(tournament_id)
        return found

    def _secrets(self, tournament_id: str) -> Secrets:
        with self._lock:
            kept = self._cache.get(tournament_id)
        secrets = self._store.secrets(tournament_id) if kept is None else kept.secrets
        if secrets is None:
            raise TournamentNotFoundError(tournament_id)
        return secrets

    def newest(self, limit: int, after: str | None = None) -> list[str]:
        """Return up to ``limit`` places (``lists.id_at``), the newest first, from ``after`` on."""
        return lists.newest(self._store.redis, lists.TOURNAMENTS, limit, after)

    def _load(self, tournament_id: str) -> _Kept:
        with self._lock:
            kept = self._cache.get(tournament_id)
        found = None if kept is None else self._caught_up(kept)
        if kept is not None and found is None:
            self._rewound(kept.tournament)
        if found is None:
            secrets = self._store.secrets(tournament_id)
            if secrets is None:
                raise TournamentNotFoundError(tournament_id)
            found = self._caught_up(_Kept(Tournament(tournament_id), secrets, {}))
        if found is None or found.tournament.version == 0:
            raise TournamentNotFoundError(tournament_id)
        self._keep(found)
        return found

    def _caught_up(self, kept: _Kept) -> _Kept | None:
        """Return a tournament as of its newest event; None if the store has another history."""
        known = kept.tournament
        missed = self._store.read(known.id, max(known.version - 1, 0), PAGE)
        if known.version:
            if not missed or missed[0].event.hash != known.head:
                return None
            del missed[0]
        if not missed:
            return kept
        tournament, retries = known.fork(), kept.retries.copy()
        while missed:  # page by page: others have their turn in between
            for event, retry in missed:
                tournament.apply(event)
                if retry is not None:
                    retries[retry.key] = Answered(retry.fingerprint, event.seq, event.last)
            missed = self._store.read(known.id, tournament.version, PAGE)
        return kept._replace(tournament=tournament, retries=retries)

    def _rewound(self, known: Tournament) -> None:
        """Forget what the store does not know (any more): it lost events, or has others."""
        log.error("stream_rewound", tournament=known.id, version=known.version)
        STREAM_REWOUND.inc()
        self._forget(known.id)

    def _keep(self, kept: _Kept) -> None:
        with self._lock:
            self._cache[kept.tournament.id] = kept
            self._cache.move_to_end(kept.tournament.id)
            if len(self._cache) > CACHED:
                self._cache.popitem(last=False)

    def _forget(self, tournament_id: str) -> None:
        with self._lock:
            self._cache.pop(tournament_id, None)

    # Commands

    def create(
        self,
        plan: Plan,
        by: JsonObject,
        *,
        seed: str | None = None,
        key: str | None = None,
        fingerprint: bytes = b"",
        admit: Callable[[str], None] = lambda _tournament_id: None,
    ) -> Change:
        """Open a tournament; it starts by itself unless entries owe entropy.

        With ``seed``, equal plans have equal luck, and who asks knows it. With ``key``, the same
        caller gets the same tournament again, if ``fingerprint`` says that it is the same request.
        ``admit`` is told the id of a new one, and raises what is against it.

        Raises:
            Refused: ``idempotency_key_reused``.

        """
        caller = by["player"]
        if key is None:
            tournament_id, retry = ids.new_tournament_id(), _own_retry()
        else:
            tournament_id = ids.tournament_id_for(caller, key)
            retry = Retry.of(caller, key, fingerprint)
            if found := self._created(tournament_id, retry):
                return found
        secrets = _secrets(seed)
        scope = tournament_id if seed is None else _scope_of(seed)
        value = {
            "plan": plan.to_json(),
            "chance": {
                "scope": scope,
                "commitment": commitment(scope, secrets.chance_seed).hex(),
            },
        }
        admit(tournament_id)
        new = _Kept(Tournament(tournament_id), secrets, {})
        done = self._append(new, [Step("created", value)], by, retry, is_new=True)
        if done is not None:
            return Change(done)
        found = self._created(tournament_id, retry)
        assert found is not None  # noqa: S101 - somebody else just created it
        return found

    def _created(self, tournament_id: str, retry: Retry) -> Change | None:
        """Return what an earlier request with this key created, if there was one."""
        stored = self._store.read(tournament_id, 0, 1)
        if not stored:
            return None
        event, known = stored[0]
        assert known is not None  # noqa: S101 - what was created under a key has one
        answered = Answered(known.fingerprint, event.seq, event.last)
        return self._replay(tournament_id, answered, retry)

    def reveal_entropy(
        self,
        tournament_id: str,
        entry: int,
        entropy: bytes,
        by: JsonObject,
        retry: Retry | None = None,
    ) -> Change:
        """Open the entropy that an entry committed to; the last one starts the tournament.

        Raises:
            Refused: ``no_entropy_expected``, ``entropy_mismatch``.

        """

        def act(tournament: Tournament) -> Step:
            if entry not in tournament.owing_entropy():
                raise Refused("no_entropy_expected", f"entry {entry} owes no entropy")
            wanted = tournament.plan.entries[entry].entropy_commitment
            if wanted not in (
                entropy_commitment(tournament.id, entry, entropy).hex(),
                entropy_commitment(None, entry, entropy).hex(),
            ):
                raise Refused("entropy_mismatch", f"entry {entry} committed to other entropy")
            return Step("entropy_revealed", {"entry": entry, "entropy": entropy.hex()})

        return self._ask(tournament_id, act, by, retry)

    def pause(self, tournament_id: str, by: JsonObject, retry: Retry | None = None) -> Change:
        """Begin no more blocks; raises Refused (``tournament_not_running``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, RUNNING)
            return Step("paused", {})

        return self._ask(tournament_id, act, by, retry)

    def resume(self, tournament_id: str, by: JsonObject, retry: Retry | None = None) -> Change:
        """Go on after a pause; raises Refused (``tournament_not_paused``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, PAUSED)
            return Step("resumed", {})

        resumed = self._ask(tournament_id, act, by, retry)
        self.ask_workers(resumed.tournament)
        return resumed

    def cancel(
        self, tournament_id: str, reason: str, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """End for good; what was played stays. Raises Refused (``tournament_over``)."""

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise Refused("tournament_over", f"the tournament is {tournament.status}")
            seed = self._load(tournament_id).secrets.chance_seed
            return stop("cancelled", reason, tournament.settled(), seed)

        cancelled = self._ask(tournament_id, act, by, retry)
        self._on_work(cancelled.tournament, 1)  # somebody must end the games that have begun
        return cancelled

    def extend(
        self, tournament_id: str, games: int, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """Ask for more games.

        Raises:
            Refused: ``tournament_over``, ``fixed_length``.

        """

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise Refused("tournament_over", f"the tournament is {tournament.status}")
            if not format_of(tournament.plan).takes_more:
                kind = tournament.plan.format["type"]
                raise Refused("fixed_length", f"a {kind} has its number of games")
            total = tournament.plan.format["games"] + tournament.games_more + games
            if total > MAX_GAMES:
                raise Refused("fixed_length", f"{total} games are more than {MAX_GAMES}")
            return Step("extended", {"games": games})

        return self._ask(tournament_id, act, by, retry)

    # What workers do

    def declare_code(self, tournament_id: str, code: JsonObject) -> None:
        """Note which code is about to play (``Tournament.codes``), unless that is known."""

        def act(tournament: Tournament) -> Step | None:
            known = tournament.over or tournament.has_declared(code)
            return None if known else Step("code_declared", code)

        self._change(tournament_id, act, _SERVICE)

    def record_block(
        self, tournament_id: str, block: Block, games: list[GameResult], at: str
    ) -> Tournament:
        """Note how a block ended, the last game ``at`` this time.

        If somebody did already, or it is void by now, do nothing.
        """

        def act(tournament: Tournament) -> Step | None:
            if block.number in tournament.results or tournament.over:
                return None
            found = [game._asdict() for game in games]
            return Step("block_ended", {"block": block.number, "games": found})

        return self._change(tournament_id, act, _SERVICE, at)

    def advance(self, tournament_id: str) -> Tournament:
        """Do what follows by itself, if a crash left it undone."""
        return self._change(tournament_id, lambda _tournament: None, _SERVICE)

    def owes_nothing(self, tournament_id: str) -> None:
        """Note that nobody has to look after a tournament that is over."""
        self._store.redis.zrem(shard_key(shard_of(tournament_id), "due"), tournament_id)

    def ask_workers(self, tournament: Tournament) -> None:
        """Have the open blocks played."""
        if tournament.status == RUNNING and (waiting := len(tournament.open_blocks())):
            self._on_work(tournament, waiting)

    # Appending

    def _ask(
        self,
        tournament_id: str,
        act: Callable[[Tournament], Step],
        by: JsonObject,
        retry: Retry | None,
    ) -> Change:
        """Do what a person asks for, once."""
        retry = retry or _own_retry()
        for _ in range(ATTEMPTS):
            kept = self._load(tournament_id)
            if answered := kept.retries.get(retry.key):
                return self._replay(tournament_id, answered, retry)
            done = self._append(kept, [act(kept.tournament)], by, retry)
            if done is not None:
                return Change(done)
        raise ConflictError(tournament_id)

    def _change(
        self,
        tournament_id: str,
        act: Callable[[Tournament], Step | None],
        by: JsonObject,
        since: str = "",
    ) -> Tournament:
        """Do what nobody asks for, not before ``since``; ``act`` sees whether it was done."""
        for _ in range(ATTEMPTS):
            kept = self._load(tournament_id)
            step = act(kept.tournament)
            done = self._append(kept, [] if step is None else [step], by, since=since)
            if done is not None:
                return done
        raise ConflictError(tournament_id)

    def _replay(self, tournament_id: str, answered: Answered, retry: Retry) -> Change:
        """Return the tournament as the first such request left it."""
        if answered.fingerprint != retry.fingerprint:
            raise Refused(
                "idempotency_key_reused", "this Idempotency-Key was used for another request"
            )
        self._store.confirm(tournament_id)
        tournament = Tournament(tournament_id)
        for page in standing.pages(self._store, tournament_id, answered.last):
            for event in page:
                tournament.apply(event)
        return Change(tournament, replayed=True)

    def _append(
        self,
        base: _Kept,
        steps: list[Step],
        by: JsonObject,
        retry: Retry | None = None,
        *,
        is_new: bool = False,
        since: str = "",
    ) -> Tournament | None:
        """Append steps and what follows from them; None if others appended first."""
        tournament, secrets = base.tournament.fork(), base.secrets
        drafts: list[Draft] = []
        at = max(self._store.clock.now(), tournament.at, since)
        for step in steps:
            _try(tournament, drafts, step, by, at, secrets)
        while (follows := next_step(tournament, secrets.chance_seed)) is not None:
            _try(tournament, drafts, follows, _SERVICE, at, secrets)
        if not drafts:
            return base.tournament
        events = seal(drafts, {}, base.tournament.head, secrets.salt, at)
        tournament.head = events[-1].hash
        listing = lists.tournament_listing(tournament.id, tournament.created_at) if is_new else None
        outcome = self._store.append(
            tournament.id, base.tournament.version, base.tournament.head, events,
            tournament_obligations(tournament), retry=retry, secrets=secrets if is_new else None,
            listing=listing, kept=standing.fields(tournament, events),
            since=to_ms(since) if since else 0,
        )  # fmt: skip
        match outcome:
            case Done():
                pass
            case Behind(missed) if _is_own(missed, events, retry):
                pass  # the store's answer was lost, and its client asked again
            case Repeated(first) if first.event.hash == events[0].hash:
                pass  # the same
            case Behind() | Repeated():
                return None
            case OffTime():  # the store's clock is known by now
                return self._append(base, steps, by, retry, is_new=is_new, since=since)
            case Diverged():
                self._rewound(base.tournament)
                return None
            case _:
                raise TournamentNotFoundError(tournament.id)
        self._confirm(tournament.id)
        self._keep(_after(base, tournament, events[0], retry))
        new = [step for step in drafts if step.kind == "paired"]
        if new and (base.tournament.rounds == 0 or not _foresees(tournament)):
            self.ask_workers(tournament)
        return tournament

    def _confirm(self, tournament_id: str) -> None:
        """Return when enough replicas hold what was appended; if they do not, forget it."""
        try:
            self._store.confirm(tournament_id)
        except RedisError:
            self._forget(tournament_id)
            raise


def _own_retry() -> Retry:
    """Return what tells one's own request from all others, if the caller gave no key for it."""
    return Retry(os_secrets.token_bytes(RETRY_BYTES), bytes(RETRY_BYTES))


def _is_own(missed: list[Stored], events: list[Event], retry: Retry | None) -> bool:
    """Whether what seems to have come first is the very batch that was to be appended."""
    found = [stored.event.hash for stored in missed[: len(events)]]
    return found == [event.hash for event in events] and missed[0].retry == retry


def _after(base: _Kept, tournament: Tournament, first: Event, retry: Retry | None) -> _Kept:
    retries = base.retries
    if retry is not None:
        answered = Answered(retry.fingerprint, first.seq, first.last)
        retries = {**retries, retry.key: answered}
    return _Kept(tournament, base.secrets, retries)


def _foresees(tournament: Tournament) -> bool:
    return format_of(tournament.plan).foresees


def _try(
    tournament: Tournament,
    drafts: list[Draft],
    step: Step,
    by: JsonObject,
    at: str,
    secrets: Secrets,
) -> None:
    seq = tournament.version + 1
    body = {step.kind: public(step.value)} if step.value else {}
    if step.kind in LAST:
        body["salt"] = public({"salt_secret": secrets.salt.hex()})
    tournament.apply(Event(seq, step.kind, by, at, seq, body, b"", b""))
    drafts.append(Draft(seq, step.kind, by, body, _STATE, ()))


def _need(tournament: Tournament, status: str) -> None:
    if tournament.status != status:
        raise Refused(
            f"tournament_not_{status}", f"the tournament is {tournament.status}, not {status}"
        )


def _scope_of(seed: str) -> str:
    """Return the scope of all tournaments with this seed: they meet the same luck."""
    return f"seed-{digest(encode([FORMAT, 'tournament', seed])).hex()[:16]}"


def _secrets(seed: str | None) -> Secrets:
    """Return a tournament's secrets: random ones, or those that a given seed stands for."""
    if seed is None:
        return Secrets(os_secrets.token_bytes(SECRET_BYTES), os_secrets.token_bytes(SECRET_BYTES))
    known = [FORMAT, "tournament", seed]
    return Secrets(digest(encode([*known, "salt"])), digest(encode([*known, "chance"])))
