"""Appends to tournaments: requests of people, results of workers, and automatic events."""

import secrets as os_secrets
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

import structlog
from redis.exceptions import RedisError

from rules.kernel.canonical import FORMAT, JsonObject, digest, encode, in_order
from rules.kernel.contract.chance import commitment
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.events import (
    NO_STATE,
    UNREADABLE,
    Access,
    Draft,
    Event,
    copy_for,
    genesis,
    ordered,
    public,
    seal,
)
from rules.kernel.record.instants import to_ms
from rules.kernel.record.secrets import SECRET_BYTES, Secrets
from service import ids
from service.ids import shard_of
from service.ledger import lists
from service.ledger.derived_ids import DerivedIds
from service.ledger.repository import ConflictError, SealedBatch, StoredAggregate
from service.ledger.store import RepeatedRequest, Retry, Store
from service.ledger.unlisting import PastLists
from service.process.fair_queue import paced
from service.redis.format import need_newest
from service.redis.keys import shard_key
from service.tournaments import parts, standing
from service.tournaments.course import (
    LAST,
    Step,
    luck_of,
    next_step,
    stop,
    tournament_obligations,
)
from service.tournaments.formats import compare, format_of
from service.tournaments.luck import Luck
from service.tournaments.plan import MAX_GAMES, OF_GAME, BadPlanError, Plan, PlayerEntry
from service.tournaments.repository import Tournaments
from service.tournaments.tournament import (
    PAUSED,
    RUNNING,
    Abandonment,
    Block,
    GameResult,
    Part,
    Tournament,
    TournamentDamagedError,
    TournamentNotFoundError,
)

log = structlog.get_logger(__name__)

CACHED = 128
PAGE = 500
_STATE = encode(NO_STATE)
_ALL_PUBLIC = Access()
_SERVICE: JsonObject = {"service": "tournaments"}


class Change(NamedTuple):
    """The tournament after a request.

    ``replayed`` is true if the request repeats an earlier request.
    """

    tournament: Tournament
    replayed: bool = False


class Director:
    """The tournaments of one store; thread-safe.

    Every command may be repeated safely with its ``retry``. The ``retry`` is stored with the event.
    A repetition gets the first result; it is refused (``idempotency_key_reused``) if the request
    differs.
    """

    def __init__(self, store: Store, on_work: Callable[[Tournament, int], None]) -> None:
        self._store = store
        self._on_work = on_work
        self._ids = DerivedIds(store)
        self._tournaments = Tournaments(store, CACHED)

    # Reading

    def find(self, tournament_id: str) -> Tournament:
        """Return a tournament as of its newest event; do not change it.

        Raises:
            TournamentNotFoundError: there is none.
            TournamentDamagedError: its stream cannot be folded.
        """
        return self._tournaments.load(tournament_id).aggregate

    def luck(self, tournament_id: str) -> Luck:
        """Return the luck of a tournament. Raises what ``find`` raises."""
        tournament, secrets, _damage = self._tournaments.load(tournament_id)
        return luck_of(tournament, secrets.chance_seed)

    def copies(
        self, tournament_id: str, after: int, until: int, *, at_once: int = PAGE
    ) -> Iterator[JsonObject]:
        """Yield the public copies of the events after ``after`` up to ``until``.

        ``at_once`` is the maximum number of events that are read from the store in one call.

        Raises:
            TournamentNotFoundError: there is no such tournament.
            TournamentDamagedError: an event cannot be read.
        """
        salt = self._tournaments.secrets(tournament_id).salt
        known = max(after - 1, 0)
        prev_hash = genesis(tournament_id)
        while known < until and (
            page := self._store.read(tournament_id, known, min(at_once, until - known))
        ):
            for event, _retry in paced(page):
                _need_readable(tournament_id, event)
                if event.seq > after:
                    yield copy_for(None, event, prev_hash, salt, _ALL_PUBLIC, event.seq)
                prev_hash, known = event.hash, event.seq

    def newest_event(self, tournament_id: str) -> Event:
        """Return the newest event of a tournament. Raises what ``find`` raises."""
        found = self._store.newest_event(tournament_id)
        if found is None:
            raise TournamentNotFoundError(tournament_id)
        _need_readable(tournament_id, found)
        return found

    def newest(self, limit: int, after: str | None = None, held_by: str | None = None) -> list[str]:
        """Return the places of up to ``limit`` tournaments in a list, the newest first.

        With ``after``, these tournaments are older than the tournament at the place ``after``.
        ``lists.id_at`` gives the id for a place. With ``held_by``, the list has only the
        tournaments that this player hosts or hosted; the store must have the lists by host.
        """
        name = lists.TOURNAMENTS if held_by is None else lists.held_list(held_by)
        found = {*lists.newest(self._store.redis, name, limit, after)}
        # The past's lists are read last: a tournament is in them before it leaves the store's.
        past, until = 0, after
        while past < limit:
            page = self._store.past_lists.newest([name], limit, until)
            found.update(game.place for game in page.games)
            past, until = past + len(page.games), page.until
            if until is None:
                break
        return sorted(found, reverse=True)[:limit]

    @property
    def past_lists(self) -> PastLists:
        """The lists of the tournaments that have left the store's."""
        return self._store.past_lists

    def newest_here(self, limit: int, after: str | None = None) -> list[str]:
        """Return places as ``newest`` does, of the tournaments in the store's lists alone."""
        return lists.newest(self._store.redis, lists.TOURNAMENTS, limit, after)

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
        """Open a tournament; it starts by itself unless entries have to reveal entropy.

        With ``seed``, tournaments with equal plans have equal luck, so the caller can know all
        draws in advance. With ``key``, the same caller gets the same tournament again, if the
        ``fingerprint`` of the request is the same. ``admit`` is called with the id of a new
        tournament; an error that it raises prevents the tournament.

        Raises:
            RefusedError: ``idempotency_key_reused``; ``upgrade_unfinished``: an older release may
                still use the store, and does not know ``claim_percent``, ``processor_seconds`` or
                ``luck`` of the plan.
        """
        by_wall, own_luck = plan.failures.processor_seconds is None, plan.luck == OF_GAME
        by_now = own_luck or plan.is_endless or not by_wall
        if compare.claim_percent(plan) != compare.PAR_PERCENT or by_now:
            need_newest(self._store.redis)
        tournament_id, retry = ids.new_tournament_id(), None
        if key is not None:
            tournament_id = self._ids.tournament(by["player"], key)
            retry = Retry.of(by["player"], key, fingerprint)
        secrets = _secrets(seed)
        scope = tournament_id if seed is None else _scope_of(seed)
        value = _created(plan, scope, secrets, parts.first(plan))

        def act(_tournament: Tournament) -> Step:
            admit(tournament_id)
            return Step("created", value)

        new = StoredAggregate(Tournament(tournament_id), secrets)
        return self._ask(tournament_id, act, by, retry, new)

    def reveal_entropy(
        self,
        tournament_id: str,
        entry: int,
        entropy: bytes,
        by: JsonObject,
        retry: Retry | None = None,
    ) -> Change:
        """Reveal an entry's entropy; the last one starts the tournament.

        Raises:
            RefusedError: ``no_entropy_expected``, ``entropy_mismatch``.
        """

        def act(tournament: Tournament) -> Step:
            if entry not in tournament.owing_entropy():
                raise RefusedError("no_entropy_expected", f"entry {entry} owes no entropy")
            if not tournament.has_committed(entry, entropy):
                raise RefusedError("entropy_mismatch", f"entry {entry} committed to other entropy")
            return Step("entropy_revealed", {"entry": entry, "entropy": entropy.hex()})

        return self._ask(tournament_id, act, by, retry)

    def enter(
        self,
        tournament_id: str,
        entry: Callable[[Plan], PlayerEntry],
        validation: JsonObject,
        by: JsonObject,
        retry: Retry | None = None,
    ) -> Change:
        """Enter a player, for its owner; the last free place starts the tournament.

        ``entry`` returns the entry for the plan so far. ``validation`` is ``{"game_id", "version",
        "head"}`` of the game that the player played before.

        Raises:
            RefusedError: ``no_place_free``, ``entered_already``.
        """

        def act(tournament: Tournament) -> Step:
            entered = entry(tournament.plan)
            need_place(tournament, entered.player)
            need_new(tournament, entered.player, entered.version)
            return Step("entered", {"entry": entered._asdict(), "validation": validation})

        return self._ask(tournament_id, act, by, retry)

    def close_entries(
        self, tournament_id: str, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """Take no more entries of owners; the tournament starts.

        Raises:
            RefusedError: ``no_place_free``; ``too_few_entries``.
        """

        def act(tournament: Tournament) -> Step:
            if tournament.plan.is_endless:
                raise RefusedError("no_place_free", "it takes entries as long as it goes on")
            need_place(tournament)
            try:
                format_of(tournament.plan).check(tournament.plan_left())
            except BadPlanError as error:
                raise RefusedError("too_few_entries", str(error)) from None
            return Step("entries_closed", {})

        return self._ask(tournament_id, act, by, retry)

    def pause(self, tournament_id: str, by: JsonObject, retry: Retry | None = None) -> Change:
        """Pause: begin no more blocks. Raises RefusedError (``tournament_not_running``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, RUNNING)
            return Step("paused", {})

        return self._ask(tournament_id, act, by, retry)

    def resume(self, tournament_id: str, by: JsonObject, retry: Retry | None = None) -> Change:
        """Go on after a pause. Raises RefusedError (``tournament_not_paused``)."""

        def act(tournament: Tournament) -> Step:
            _need(tournament, PAUSED)
            return Step("resumed", {})

        resumed = self._ask(tournament_id, act, by, retry)
        self.ask_workers(resumed.tournament)
        return resumed

    def cancel(
        self, tournament_id: str, reason: str, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """End a tournament; finished games stay. Raises RefusedError (``tournament_over``)."""

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise RefusedError("tournament_over", f"the tournament is {tournament.status}")
            return stop("cancelled", reason, tournament.settled(), seed)

        seed = self._tournaments.secrets(tournament_id).chance_seed
        cancelled = self._ask(tournament_id, act, by, retry)
        self._on_work(cancelled.tournament, 1)  # a worker has to end the games that have begun
        return cancelled

    def extend(
        self, tournament_id: str, games: int, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """Add games to the plan.

        Raises:
            RefusedError: ``tournament_over``, ``fixed_length``.
        """

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise RefusedError("tournament_over", f"the tournament is {tournament.status}")
            if not format_of(tournament.plan).takes_more:
                kind = tournament.plan.format["type"]
                raise RefusedError("fixed_length", f"a {kind} has its number of games")
            total = tournament.plan.format["games"] + tournament.games_more + games
            if total > MAX_GAMES:
                raise RefusedError("fixed_length", f"{total} games are more than {MAX_GAMES}")
            return Step("extended", {"games": games})

        return self._ask(tournament_id, act, by, retry)

    def withdraw(
        self, tournament_id: str, entry: int, by: JsonObject, retry: Retry | None = None
    ) -> Change:
        """Take an entry out of a tournament: its blocks after the last settled one do not count.

        In an endless tournament, those of them that have ended count. Before the start, the entry
        leaves its place.

        ``by`` is the host, or the owner of a player.

        Raises:
            RefusedError: ``tournament_over``; ``entry_not_playing``: it is out, or there is no such
                entry; ``upgrade_unfinished``.
        """
        need_newest(self._store.redis)

        def act(tournament: Tournament) -> Step:
            if tournament.over:
                raise RefusedError("tournament_over", f"the tournament is {tournament.status}")
            if entry not in tournament.entries_left():
                raise RefusedError("entry_not_playing", f"entry {entry} does not play")
            return Step("withdrawn", {"entry": entry, "block": tournament.settled()})

        withdrawn = self._ask(tournament_id, act, by, retry)
        self._on_work(withdrawn.tournament, 1)  # it may be over, and a worker has to conclude it
        return withdrawn

    # For workers

    def offer(self, looked_at: Tournament, entries: Collection[int]) -> Collection[int]:
        """Pair players of an endless tournament that are available, each for one block.

        ``entries`` are those that were available when the tournament was ``looked_at``. Return
        those that are paired; it is recorded of them alone that they were available.
        """
        paired: Collection[int] = ()

        def follow(kept: StoredAggregate[Tournament], now: str) -> SealedBatch[Tournament]:
            nonlocal paired
            paired = _still_available(looked_at, kept.aggregate, entries)
            batch = _sealed(kept, now, _available(paired), _SERVICE)
            if left := batch.after.available:
                paired = [entry for entry in paired if entry not in left]
                batch = _sealed(kept, now, _available(paired), _SERVICE)
            return batch

        self._changed(self._tournaments.append(looked_at.id, follow))
        return paired

    def open_next_part(
        self,
        tournament_id: str,
        admit: Callable[[str], None] = lambda _tournament_id: None,
    ) -> None:
        """Open the part after a full one; do nothing if it exists, or none follows here.

        A ladder that was imported goes on where it comes from. ``admit`` is called with the id of
        the part; an error that it raises prevents the part.

        Raises:
            ConflictError: it could not be opened.
        """
        before = self.find(tournament_id)
        name = parts.next_id(before)
        if name is None or self._store.newest(name):
            return
        if self._store.origin(tournament_id) is not None:
            return
        plan, part = parts.next_plan(before)
        secrets = _secrets(None)
        value = _created(plan, name, secrets, part)

        def act(_tournament: Tournament) -> Step:
            admit(name)
            return Step("created", value)

        new = StoredAggregate(Tournament(name), secrets)
        try:
            self._ask(name, act, before.created_by, None, new)
        except ConflictError:
            if not self._store.newest(name):  # no other worker has opened it
                raise

    def declare_code(self, tournament_id: str, code: JsonObject) -> None:
        """Declare the code that is about to play (``Tournament.codes``), unless it is declared."""

        def act(tournament: Tournament) -> Step | None:
            known = tournament.over or tournament.has_declared(code)
            return None if known else Step("code_declared", code)

        self._follow(tournament_id, act)

    def record_block(
        self, tournament_id: str, block: Block, games: list[GameResult], at: str
    ) -> Tournament:
        """Record the results of a block's games; the last game ended at the time ``at``.

        Do nothing if they are recorded already, or if the block is void.
        """

        def act(tournament: Tournament) -> Step | None:
            void = tournament.plan.is_endless and tournament.is_void(block)
            if block.number in tournament.results or tournament.over or void:
                return None
            found = [game._asdict() for game in games]
            return Step("block_ended", {"block": block.number, "games": found})

        return self._follow(tournament_id, act, at)

    def abandon_block(self, tournament_id: str, block: Block, abandoned: Abandonment) -> Tournament:
        """Record that a try at a block does not count; do nothing if it is not the current try."""

        def act(tournament: Tournament) -> Step | None:
            if tournament.over or tournament.is_void(block):
                return None
            if block.number in tournament.results or tournament.blocks[block.number] != block:
                return None
            return Step("block_abandoned", abandoned.to_json(block))

        return self._follow(tournament_id, act)

    def advance(self, tournament_id: str) -> Tournament:
        """Append the automatic events that are due, in case a crash prevented that."""
        return self._follow(tournament_id)

    def play_on(self, tournament_id: str) -> None:
        """Queue a job for a tournament, because one of its players has moved.

        If that fails, a sweep finds the tournament.
        """
        try:
            tournament = self.find(tournament_id)
        except (
            ConflictError,
            RedisError,
            TournamentDamagedError,
            TournamentNotFoundError,
        ) as error:
            log.warning("tournament_not_asked", tournament=tournament_id, error=str(error))
        else:
            self._on_work(tournament, 1)

    def owes_nothing(self, tournament_id: str) -> None:
        """Remove a finished tournament from the list of due work, so that no sweep queues it."""
        self._store.redis.zrem(shard_key(shard_of(tournament_id), "due"), tournament_id)

    def ask_workers(self, tournament: Tournament) -> None:
        """Queue a job for each open block."""
        if tournament.status == RUNNING and (waiting := len(tournament.open_blocks())):
            self._on_work(tournament, waiting)

    # Appending

    def _ask(
        self,
        tournament_id: str,
        act: Callable[[Tournament], Step],
        by: JsonObject,
        retry: Retry | None,
        new: StoredAggregate[Tournament] | None = None,
    ) -> Change:
        """Append the step that ``act`` returns for a person's request, once."""

        def asked(kept: StoredAggregate[Tournament], now: str) -> SealedBatch[Tournament]:
            return _sealed(kept, now, act(kept.aggregate), by)

        retry = retry or Retry.own()
        return self._changed(self._tournaments.append(tournament_id, asked, retry=retry, new=new))

    def _follow(
        self,
        tournament_id: str,
        act: Callable[[Tournament], Step | None] = lambda _tournament: None,
        since: str = "",
    ) -> Tournament:
        """Append the step that ``act`` returns, without a request and not before ``since``."""

        def follow(kept: StoredAggregate[Tournament], now: str) -> SealedBatch[Tournament]:
            return _sealed(kept, now, act(kept.aggregate), _SERVICE, since)

        return self._changed(self._tournaments.append(tournament_id, follow)).tournament

    def _changed(self, done: SealedBatch[Tournament] | RepeatedRequest) -> Change:
        """Return the tournament after a request.

        ``done`` is the batch that the request appended. If the request repeats an earlier one,
        nothing was appended, and the tournament is returned as it was after the earlier request.
        """
        if isinstance(done, RepeatedRequest):
            return Change(self._tournaments.as_of(done.game_id, done.last), replayed=True)
        tournament = done.after
        new = sum(event.kind == "paired" for event in done.events)
        if new and (tournament.rounds == new or not _foresees(tournament)):
            self.ask_workers(tournament)
        return Change(tournament)


def _sealed(
    kept: StoredAggregate[Tournament], now: str, step: Step | None, by: JsonObject, since: str = ""
) -> SealedBatch[Tournament]:
    """Return a batch: the event of ``step``, and the automatic events that follow it.

    If ``step`` is None, the batch has only the automatic events.
    """
    base, secrets = kept.aggregate, kept.secrets
    tournament, at = base.fork(), max(now, base.at, since)
    drafts: list[Draft] = []
    if step is not None:
        _try(tournament, drafts, step, by, at, secrets)
    while (follows := next_step(tournament, secrets.chance_seed)) is not None:
        _try(tournament, drafts, follows, _SERVICE, at, secrets)
    events = seal(drafts, {}, base.head, secrets.salt, at) if drafts else []
    tournament.head = events[-1].hash if events else base.head
    listing = None
    if base.version == 0:
        listing = lists.tournament_listing(
            tournament.id, tournament.created_at, tournament.created_by
        )
    return SealedBatch(
        after=tournament,
        events=events,
        obligations=tournament_obligations(tournament),
        listing=listing,
        kept=standing.fields(tournament, events),
        since=to_ms(since) if since else 0,
        impersonal=by == _SERVICE,
    )


def _still_available(then: Tournament, now: Tournament, entries: Collection[int]) -> list[int]:
    """Return those of the available players that have neither been paired since, nor are out."""
    new = range(len(then.blocks) + 1, len(now.blocks) + 1)
    paired = {entry for number in new for entry in now.blocks[number].lineup}
    left = {*now.entries_left()} if now.status == RUNNING else set()
    return sorted({*entries} & left - paired)


def _available(entries: Collection[int]) -> Step | None:
    return Step("available", {"entries": [*entries]}) if entries else None


def _created(plan: Plan, scope: str, secrets: Secrets, part: Part | None) -> JsonObject:
    committed = commitment(scope, secrets.chance_seed).hex()
    value: JsonObject = {
        "plan": plan.to_json(),
        "chance": {"scope": scope, "commitment": committed},
    }
    return value if part is None else {**value, "part": part.to_json()}


def _need_readable(tournament_id: str, event: Event) -> None:
    if event.kind == UNREADABLE:
        raise TournamentDamagedError(tournament_id, f"event {event.seq} cannot be read")


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
    by, body = in_order(by), ordered(body)
    tournament.apply(Event(seq, step.kind, by, at, seq, body, b"", b""))
    drafts.append(Draft(seq, step.kind, by, body, _STATE, ()))


def need_place(tournament: Tournament, player: str | None = None) -> None:
    """Raise RefusedError (``no_place_free``) unless owners may enter their bots now.

    A new version of ``player`` takes the place of the old one.
    """
    if not tournament.takes_entries(player):
        following = parts.next_id(tournament)
        more = "" if following is None else f"; the next part, {following}, does"
        message = f"the tournament takes no entries of owners now{more}"
        raise RefusedError("no_place_free", message)


def need_new(tournament: Tournament, player: str, version: str) -> None:
    """Raise RefusedError (``entered_already``) if a player is entered, with this version."""
    if not tournament.can_enter(player, version):
        raise RefusedError("entered_already", f"{player} is entered already")


def _need(tournament: Tournament, status: str) -> None:
    if tournament.status != status:
        raise RefusedError(
            f"tournament_not_{status}", f"the tournament is {tournament.status}, not {status}"
        )


def _scope_of(seed: str) -> str:
    """Return the scope that all tournaments with this seed have; their luck is the same."""
    return f"seed-{digest(encode([FORMAT, 'tournament', seed])).hex()[:16]}"


def _secrets(seed: str | None) -> Secrets:
    """Return a tournament's secrets: random secrets, or secrets derived from ``seed``."""
    if seed is None:
        return Secrets(os_secrets.token_bytes(SECRET_BYTES), os_secrets.token_bytes(SECRET_BYTES))
    known = [FORMAT, "tournament", seed]
    return Secrets(digest(encode([*known, "salt"])), digest(encode([*known, "chance"])))
