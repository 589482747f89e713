"""Notices to players about their games, in one bounded stream for each listener.

Most notices follow from events. The append puts such a notice into the shard's feed, and the
follower writes it for the player (``service.following.telling``), exactly once even if processes
are killed. The notice of a declined challenge is put there in the step that declines it. Notices of
clocks that get low follow from no event. For them, each shard has a sorted
set (LOWS) of the seats whose time will get short; the append script keeps it up to date. A process
that removes a seat from the set puts the seat's notice into the feed in the same step
(``ClockLows``). A notice's id is the time at which it was written.

A player's stream begins when a client first listens for the player. It is deleted when none has
listened for ``KEPT_MS``. Other players have no stream. A stream is trimmed, and is in no backup; a
client that was away for too long reads the games instead.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypedDict

import orjson
from redis import Redis

from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.clocks import entropy_deadline, seat_deadline, thinking_ms
from rules.kernel.record.events import Event
from rules.kernel.record.game import CLOSED, Game
from rules.kernel.record.instants import from_ms, to_ms
from service.ids import shard_of
from service.ledger.feeds import HEAD_BYTES, TAIL
from service.ledger.terms import DEFAULT_TERMS, TableTerms
from service.redis.keys import ALL_SHARDS, game_key, meta_key, player_key, shard_key
from service.redis.scripts import Script

INVITED, STARTED, ASKED, ENDED = "invited", "started", "asked", "ended"
CLOCK_LOW, DECLINED = "clock_low", "declined"

LISTENERS = meta_key("webhook_players")
"""A sorted set: players with webhooks → time (ms) of the newest notice to send; 0 if none is left.
"""

UNSENT = meta_key("webhook_waiting")
"""A sorted set: webhook → time (ms) since when a message has been waiting to be sent."""

_LISTENING = "listening"
"""The kind of a stream's first entry, which is no notice but marks the first position."""

KEPT_MS = 7 * 24 * 3_600_000
"""Time for which notices are kept after the player last listened."""

LOWS = "clock_lows"
"""A sorted set of a shard: ``game:seat`` → time (ms) at which the seat's clock gets low."""

LOW_PART, LOW_MS = 5, 3_600_000
"""A decision's time is short when a fifth of it is left, or an hour if a fifth is more."""

_TAKE_LOW = resources.files("service.ledger").joinpath("take_low.lua").read_text()
_LISTEN = resources.files("service.ledger").joinpath("listen.lua").read_text()


class GameNotice(TypedDict):
    """The body of every notice: a game, the player's seat, and the game's version at the time."""

    game_id: str
    ruleset: str
    seat: int
    version: int
    at: str


class InvitationNotice(GameNotice):
    """The notice of a table at which a seat is kept for the player: a rematch, or a challenge.

    ``by`` is the player who opened the table. ``rematch_of`` is the game before a rematch; a
    challenge has none.
    """

    by: str | None
    rematch_of: str | None


class EntropyNotice(GameNotice):
    """The notice that a seat has to reveal its entropy.

    ``entropy_until`` is the deadline for that.
    """

    entropy_until: str | None


class DecisionNotice(GameNotice):
    """The notice that a seat has a decision.

    ``decision`` is the decision's id, and ``deadline`` is its deadline (None: there is no clock).
    """

    decision: int
    deadline: str | None


class DeclineNotice(GameNotice):
    """The notice to a table's host that a challenged bot account does not come.

    ``seat`` was kept for the bot (``by``), which gives a ``reason``.
    """

    by: str
    reason: str


class EndNotice(GameNotice):
    """The notice that a game is over.

    ``status`` says whether it was played to its end.
    """

    status: Literal["ended", "aborted"]


BODIES: Mapping[str, type[GameNotice]] = MappingProxyType(
    {
        INVITED: InvitationNotice,
        CLOSED: EntropyNotice,
        STARTED: GameNotice,
        ASKED: DecisionNotice,
        CLOCK_LOW: DecisionNotice,
        DECLINED: DeclineNotice,
        ENDED: EndNotice,
    }
)
"""The body of each kind of notice."""


class Notice(NamedTuple):
    """A notice to a player, with the body of its kind."""

    player: str
    kind: str
    body: GameNotice


class Notices(NamedTuple):
    """The notices of a batch, and the times at which the batch's clocks will get low.

    ``lows`` has the entries that the batch changes in the sorted set ``LOWS``. It maps each of them
    to its new time (ms since 1970), or to None if the entry is removed.
    """

    told: Sequence[Notice]
    lows: Mapping[str, int | None]


def dump(told: Sequence[Notice]) -> bytes:
    """Return notices in the form in which a feed holds them; empty if there are none."""
    return orjson.dumps([tuple(notice) for notice in told]) if told else b""


def load(raw: bytes) -> list[Notice]:
    """Read the result of ``dump``; raises ValueError or TypeError for other input."""
    return [Notice(*notice) for notice in orjson.loads(raw)]


NO_NOTICES = Notices((), MappingProxyType({}))


def notices_key(player_id: str) -> str:
    """Return the key of a player's notices."""
    return player_key(player_id, "notices")


# Deriving notices


def of_batch(
    before: Game, after: Game, events: Iterable[Event], terms: TableTerms = DEFAULT_TERMS
) -> Notices:
    """Return the notices of a batch that turned ``before`` into ``after``.

    ``terms`` are the table's.
    """
    told: list[Notice] = []
    if not after.created:
        return NO_NOTICES
    if not before.created:
        told += _invitations(after, terms)
    if after.status == CLOSED and before.status != CLOSED:
        told += _entropy_asked(after)
    if before.state is None and any(event.kind == STARTED for event in events):
        told += _to_all(after, STARTED, _body)
    goes_on = bool(before.suspended_at) and not after.suspended_at
    for seat, id_ in after.asked.items():
        is_new = before.asked.get(seat) != id_
        if (is_new or goes_on) and not after.seats[seat].automatic:
            told.append(_notice(after, seat, ASKED, decision(after, seat)))
    if after.over and not before.over:
        told += _to_all(after, ENDED, _end)
    lows = NO_NOTICES.lows if after.created["clock"] is None else _lows(before, after)
    return Notices(told, lows) if told or lows else NO_NOTICES


def _invitations(game: Game, terms: TableTerms) -> list[Notice]:
    """Return the notices to the players for whom a new table keeps seats."""
    by, rematch_of = game.created_by.get("player"), terms.rematch_of
    kept = [*terms.reserved, *((one.seat, one.player) for one in terms.challenges)]
    return [
        Notice(player, INVITED, InvitationNotice(**_body(game, seat), by=by, rematch_of=rematch_of))
        for seat, player in kept
        if game.seats[seat].holder is None
    ]


def declined(game: Game, seat: Seat, host: str, by: str, reason: str, at: str) -> Notice:
    """Return the notice to a table's host that a bot account has declined a challenge."""
    body: DeclineNotice = {**_body(game, seat), "at": at, "by": by, "reason": reason}
    return Notice(host, DECLINED, body)


def _entropy_asked(game: Game) -> list[Notice]:
    """Return the notices to the players who have to reveal entropy, once all seats are held."""
    until = _instant(entropy_deadline(game))
    return [
        _notice(game, seat, CLOSED, EntropyNotice(**_body(game, seat), entropy_until=until))
        for seat, holding in by_seat(game.seats)
        if holding.owes_entropy
    ]


def _to_all(game: Game, kind: str, body_of: Callable[[Game, Seat], GameNotice]) -> list[Notice]:
    return [
        _notice(game, Seat(seat), kind, body_of(game, Seat(seat)))
        for seat, holding in enumerate(game.seats)
        if holding.holder is not None and "player" in holding.holder
    ]


def _notice(game: Game, seat: Seat, kind: str, body: GameNotice) -> Notice:
    player = (game.seats[seat].holder or {})["player"]
    return Notice(player, kind, body)


def _body(game: Game, seat: int) -> GameNotice:
    return {
        "game_id": game.id,
        "ruleset": game.created["ruleset"],
        "seat": seat,
        "version": game.version,
        "at": game.at,
    }


def decision(game: Game, seat: Seat) -> DecisionNotice:
    """Return the body of the notice of a seat's open decision."""
    deadline = _instant(seat_deadline(game, seat))
    return {**_body(game, seat), "decision": game.asked[seat], "deadline": deadline}


def _end(game: Game, seat: Seat) -> EndNotice:
    return {**_body(game, seat), "status": "ended" if game.status == "ended" else "aborted"}


def _instant(ms: int | None) -> str | None:
    return None if ms is None else from_ms(ms)


# Clocks


def _lows(before: Game, after: Game) -> dict[str, int | None]:
    """Return the changes to the sorted set ``LOWS`` from one version of a game to a later one.

    A seat's next decision replaces the seat's entry, and the end of the game removes it. An entry
    for a closed decision, or of a suspended game, is dropped when it is due. When a suspended game
    resumes, or clocks got back the time of an outage, clocks that were low before get no second
    entry.
    """
    if after.over:
        return {_member(before.id, seat): None for seat in range(len(before.seats))}
    lows: dict[str, int | None] = {}
    for seat, decision in after.asked.items():
        is_new = before.asked.get(seat) != decision
        low = _low_at(after, seat)
        if low is None or not (is_new or before.suspended_at or low != _low_at(before, seat)):
            continue
        if is_new or low > to_ms(after.at):
            lows[_member(after.id, seat)] = low
    return lows


def _low_at(game: Game, seat: Seat) -> int | None:
    """Return the time (ms since 1970) at which a seat's remaining time gets short.

    Return None if the game has no clock, if the seat has no decision, or if the service answers for
    the seat.
    """
    clock = game.created["clock"]
    if clock is None or seat not in game.asked or game.seats[seat].automatic:
        return None
    allowed = thinking_ms(clock, game.budgets.get(seat))
    return to_ms(game.asked_at[seat]) + allowed - min(allowed // LOW_PART, LOW_MS)


def _member(game_id: str, seat: int) -> str:
    return f"{game_id}:{seat}"


def low_clocks(game: Game, since: int, now: int) -> list[Notice]:
    """Return the notices of seats whose decision time got short between two times (ms).

    A suspended game's clocks stand still.
    """
    if game.suspended_at:
        now = to_ms(game.suspended_at)
    lows = ((seat, _low_at(game, seat)) for seat in game.asked)
    return [
        _clock_low(game, seat, at) for seat, at in lows if at is not None and since <= at <= now
    ]


def _clock_low(game: Game, seat: Seat, at: int) -> Notice:
    body: DecisionNotice = {**decision(game, seat), "at": from_ms(at)}
    return _notice(game, seat, CLOCK_LOW, body)


def lows_of(game: Game) -> dict[str, int]:
    """Return the entries of the sorted set ``LOWS`` that a game needs: one for each open decision.

    A suspended game needs none, because its clocks stand still.
    """
    if game.suspended_at:
        return {}
    lows = ((_member(game.id, seat), _low_at(game, seat)) for seat in game.asked)
    return {member: at for member, at in lows if at is not None}


def listed_lows(redis: Redis, game_id: str, members: Iterable[str]) -> list[float | None]:
    """Return the times (ms since 1970) that the sorted set ``LOWS`` has for a game's ``members``.

    The time of a missing member is None.
    """
    found: Any = redis.zmscore(shard_key(shard_of(game_id), LOWS), [*members])
    return list(found)


class ClockLow(NamedTuple):
    """A seat whose remaining time gets short at ``at`` (ms since 1970)."""

    game_id: str
    seat: Seat
    at: int


class ClockLows:
    """The times at which clocks get low (the sorted sets ``LOWS`` of all shards of a store).

    ``tail_length`` is the maximum length of a shard's feed.
    """

    def __init__(self, redis: Redis, tail_length: int) -> None:
        self._redis = redis
        self._tail_length = tail_length
        self._take = Script(redis, _TAKE_LOW)

    def due(self, now: int, per_shard: int) -> list[ClockLow]:
        """Return seats whose time is short at ``now`` (ms since 1970), some of each shard."""
        pipe = self._redis.pipeline(transaction=False)
        for shard in ALL_SHARDS:
            pipe.zrangebyscore(shard_key(shard, LOWS), "-inf", now, 0, per_shard, withscores=True)
        lows = []
        for member, at in chain.from_iterable(pipe.execute()):
            game_id, _, seat = member.decode().partition(":")
            lows.append(ClockLow(game_id, Seat(int(seat)), int(at)))
        return lows

    def forget(self, low: ClockLow) -> None:
        """Remove a seat from LOWS without a notice; do nothing if it has a new decision by now."""
        self._out(low, ())

    def tell(self, low: ClockLow, game: Game, now: int) -> None:
        """Remove a seat from LOWS, and notify its holder if its decision is still open in ``game``.

        Do nothing if the game has newer events; then the seat is due again.
        """
        notices = [one for one in low_clocks(game, 0, now) if one.body["seat"] == low.seat]
        self._out(
            low,
            [
                f"{game.version}-0", game.version, game.head[:HEAD_BYTES], dump(notices),
                self._tail_length,
            ] if notices else (),
        )  # fmt: skip

    def _out(self, low: ClockLow, told: Sequence[Any]) -> None:
        shard = shard_of(low.game_id)
        keys = [
            shard_key(shard, LOWS), game_key(low.game_id, "events"), shard_key(shard, TAIL)
        ]  # fmt: skip
        self._take(keys, [_member(low.game_id, low.seat), low.at, low.game_id, *told])


# Reading


class StoredNotice(NamedTuple):
    """A stored notice; ``body`` is JSON."""

    id: str
    kind: str
    body: bytes

    @property
    def ms(self) -> int:
        """The time at which it was written (ms since 1970)."""
        return int(self.id.partition("-")[0])


def listen(redis: Redis, player_id: str, *, for_good: bool = False) -> str:
    """Keep a player's notices from now on, and return the position of the newest.

    With ``for_good`` they are kept until ``keep_no_longer`` is called.
    """
    kept_ms = "" if for_good else KEPT_MS
    place: Any = Script(redis, _LISTEN)([notices_key(player_id)], [kept_ms])
    return str(place, "ascii")


def keep(redis: Redis, player_id: str) -> None:
    """Keep a player's notices for at least KEPT_MS from now on."""
    redis.pexpire(notices_key(player_id), KEPT_MS, gt=True)


def keep_no_longer(redis: Redis, player_id: str) -> None:
    """Keep a player's notices for KEPT_MS from now on, and no longer."""
    redis.pexpire(notices_key(player_id), KEPT_MS)


def after(redis: Redis, player_id: str, place: str, limit: int) -> list[StoredNotice] | None:
    """Return up to ``limit`` notices after ``place``, oldest first.

    Return None if the kept notices do not reach back to ``place``.
    """
    found = _read(redis, player_id, place, limit + 1)
    return found[1:] if found and found[0].id == place else None


def next_after(redis: Redis, player_id: str, place: str) -> StoredNotice | None:
    """Return the oldest kept notice after ``place``, None if there is none."""
    return next(iter(_read(redis, player_id, f"({place}", 1)), None)


def kept(redis: Redis, player_id: str) -> list[StoredNotice]:
    """Return all kept notices of a player."""
    told = _read(redis, player_id, "-", None)
    return [one for one in told if one.kind != _LISTENING]


def one(redis: Redis, player_id: str, notice_id: str) -> StoredNotice | None:
    """Return a notice by its id, None if it is not kept."""
    found = next(iter(_read(redis, player_id, notice_id, 1)), None)
    return found if found is not None and found.id == notice_id else None


def forget(redis: Redis, player_id: str) -> None:
    """Delete a player's notices."""
    redis.delete(notices_key(player_id))


def _read(redis: Redis, player_id: str, place: str, limit: int | None) -> list[StoredNotice]:
    found: Any = redis.xrange(notices_key(player_id), place, "+", limit)
    return [
        StoredNotice(id_.decode(), fields[b"k"].decode(), fields[b"b"]) for id_, fields in found
    ]
