"""Seeks: players who wait for others to play with, and the tables that are opened for them.

All that waits is in one Redis hash. A table is opened in two steps, because a game is in another
cluster slot than the seeks. First one script takes the seeks of a group out of the hash, all of
them or none, and notes which game they become: so no seek is at two tables. Then the game is
created, and the note is removed. If the process is killed in between, the note stays, and the next
process that looks creates the game; its id is in the note, so it is created once.

Who is absent waits, but is not matched. A seeker is present while a stream of notices of the player
is open: each such stream reports every few seconds, as those of bots do
(``service.players.bot_accounts``). A new seek counts as a report, and so does reading it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Self

import orjson
import structlog
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.instants import from_ms
from service import ids
from service.games.admission import Admission, Claimant
from service.games.commands import TableCommands
from service.games.listing import GameList
from service.games.matching import Seek, Seeker, first_group, with_enough_players
from service.ledger.idempotency import (
    Command,
    Fact,
    IdempotencyNotes,
    OvertakenError,
    judged_anew,
)
from service.ledger.kinds import kind_key, kind_of
from service.ledger.ledger import GameNotFoundError
from service.ledger.repository import ConflictError
from service.ledger.store import Retry
from service.ledger.terms import RANDOM, TableTerms
from service.players.bans import BANS
from service.players.bot_accounts import PRESENT_MS, BotAccount, BotAccounts
from service.problems import Problem
from service.redis.format import need_newest
from service.redis.keys import meta_key
from service.skill.ratings import PlayerRatings

log = structlog.get_logger(__name__)

SEEKS = meta_key("seeks")
"""A Redis hash: seek → what is wanted (JSON), for all seeks that wait."""
OPENING = meta_key("seeks_opening")
"""A Redis hash: game → the seeks (JSON) for which it is being created."""
PRESENT = meta_key("seekers_present")
"""A sorted set: player with seeks → time (ms) of the last report of an open stream."""
TURN = meta_key("seeks_turn")
"""A Redis key that exists for TURN_MS after a process has begun to match all seeks."""
TURN_MS = 500
MAX_SEEKS = 1_000
"""Maximum number of seeks that wait; concurrent requests may exceed it by a few.

Those of one address are limited, too (``Admission.most_waiting``): no caller can fill the list.
"""
SEEKS_PER_PLAYER = 5
SEEK_SECONDS = 600
"""Time for which a seek waits, unless the player says otherwise."""
AT_ONCE = 10
"""Number of tables that one call of ``Seeks.match`` opens, so that it takes a short time."""
_KEPT_SECONDS = 24 * 3600
"""Time for which it is known what became of a seek: as long as the request may be repeated."""
_INTERRUPTED_MS = 5_000
"""Age of a note in OPENING after which another process creates the game."""
_FORGOTTEN_MS = 60_000
"""Age of a note after which the players have gone, so that the game is not created any more."""

WAITING, MATCHED, CANCELLED, EXPIRED, REFUSED = STATUSES = (
    "waiting", "matched", "cancelled", "expired", "refused"
)  # fmt: skip


class SeekRecord(NamedTuple):
    """A seek and its status.

    A MATCHED seek has the id of its ``game``. A REFUSED one has a problem's code as ``reason``.
    """

    seek: Seek
    status: str = WAITING
    game: str | None = None
    reason: str | None = None

    def to_json(self) -> JsonObject:
        """Return the form that its player sees."""
        return {
            **public(self.seek),
            "status": self.status,
            "game": self.game,
            "reason": self.reason,
        }

    def dump(self) -> bytes:
        """Return the stored form, which is without the address of the player."""
        kept = self.seek._replace(address="")._asdict()
        return orjson.dumps([kept, self.status, self.game, self.reason])

    @classmethod
    def load(cls, raw: Any) -> Self:
        """Read the stored form."""
        seek, *more = orjson.loads(raw)
        return cls(Seek(**seek), *more)


def public(seek: Seek) -> JsonObject:
    """Return the form of a seek that everybody sees."""
    return {
        "id": seek.id,
        "player": seek.player,
        "ruleset": seek.ruleset,
        "seats": seek.seats,
        "options": seek.options,
        "clock": seek.clock,
        "rated": seek.rated,
        "opponents": seek.opponents,
        "min_rating": seek.least,
        "max_rating": seek.most,
        "since": from_ms(seek.since),
        "until": from_ms(seek.until),
    }


class _Group(NamedTuple):
    """Seeks that were taken for a game, at ``at`` (ms since 1970)."""

    game: str
    at: int
    seeks: list[Seek]

    def dump(self) -> bytes:
        return orjson.dumps([self.at, [seek._asdict() for seek in self.seeks]])

    @classmethod
    def load(cls, game: bytes, raw: bytes) -> Self:
        at, seeks = orjson.loads(raw)
        return cls(game.decode(), at, [Seek(**seek) for seek in seeks])


class Seeks:
    """The seeks of one store."""

    def __init__(
        self,
        redis: Redis,
        tables: TableCommands,
        ratings: PlayerRatings,
        games: GameList,
        bots: BotAccounts,
        admission: Admission,
        usual_seconds: int,
    ) -> None:
        """``usual_seconds`` is the clock's time of a table whose seekers take any; 0 for none."""
        self._redis = redis
        self._tables = tables
        self._ratings = ratings
        self._games = games
        self._bots = bots
        self._admission = admission
        self._usual_seconds = usual_seconds
        self._now_ms: Callable[[], int] = tables.ledger.store.clock.now_ms
        self._once = IdempotencyNotes(redis)

    # Players' commands

    def add(self, wanted: Seek, seconds: int, retry: Retry | None = None) -> str:
        """Store a new seek, which waits for ``seconds``, and return its id.

        ``wanted`` is without its id and times. Raises the errors of ``IdempotencyNotes.do``, and
        Problem: ``too_many_seeks``, ``storage_nearly_full``; RefusedError: ``upgrade_unfinished``.
        """
        self._once.expect_new(retry)
        self._admission.need_room()
        need_newest(self._redis)

        def act() -> str:
            now = self._now_ms()
            waiting = self._waiting()
            mine: Any = self._redis.hlen(_seeks_of(wanted.player))
            of_address = sum(seek.address == wanted.address for seek in waiting)
            for scope, count, most in (
                ("player", mine, SEEKS_PER_PLAYER),
                ("address", of_address, self._admission.most_waiting(_claimant(wanted))),
                ("service", len(waiting), MAX_SEEKS),
            ):
                if count >= most:
                    detail = f"{most} seeks of one {scope} are allowed at once"
                    raise Problem("too_many_seeks", detail, scope=scope, limit=most)
            made = wanted._replace(id=ids.new_seek_id(), since=now, until=now + 1000 * seconds)
            commands: list[Command] = [
                ("HSET", SEEKS, made.id, made.dump()),
                ("HSET", _seeks_of(made.player), made.id, now),
                ("ZADD", PRESENT, now, made.player),
                ("ZREMRANGEBYSCORE", PRESENT, 0, now - 1000 * _KEPT_SECONDS),
                _kept(SeekRecord(made)),
            ]
            counted = Fact(("HLEN", _seeks_of(made.player)), mine)
            self._once.do(retry, made.id, commands, [counted])
            return made.id

        return judged_anew(act)

    def cancel(self, seek_id: str, player_id: str, retry: Retry | None = None) -> None:
        """Cancel a seek; if it does not wait any more, do nothing.

        Raises the errors of ``IdempotencyNotes.do``, and Problem: ``unknown_seek``;
        ``seek_matched``: it has a game already.
        """
        self._once.expect_new(retry)

        def act() -> None:
            found = self.find(seek_id, player_id)
            raw: Any = self._redis.hget(SEEKS, seek_id)
            if found.status == MATCHED or (found.status == WAITING and raw is None):
                if found.game is None:
                    raise Problem("seek_matched", "its game begins now")
                raise Problem("seek_matched", "its game has begun", game_id=found.game)
            commands: list[Command] = []
            if raw is not None:
                commands = _ended(SeekRecord(Seek.load(raw), CANCELLED))
            given = [Fact(("HGET", SEEKS, seek_id), raw or b"")]
            self._once.do(retry, seek_id, commands, given)

        judged_anew(act)

    # Looking

    def find(self, seek_id: str, player_id: str) -> SeekRecord:
        """Return a player's seek, for a day after it was made. Raises Problem: ``unknown_seek``."""
        raw: Any = self._redis.get(_record(seek_id))
        found = None if raw is None else SeekRecord.load(raw)
        if found is None or found.seek.player != player_id:
            raise Problem("unknown_seek", f"you have no seek {seek_id!r}")
        if found.status == WAITING and found.seek.until <= self._now_ms():
            return found._replace(status=EXPIRED)
        return found

    def of(self, player_id: str) -> list[Seek]:
        """Return a player's seeks that wait, oldest first."""
        found: Any = self._redis.hkeys(_seeks_of(player_id))
        raws: Any = self._redis.hmget(SEEKS, found) if found else ()
        now = self._now_ms()
        seeks = [Seek.load(raw) for raw in raws if raw is not None]
        return sorted((one for one in seeks if one.until > now), key=_waited_longest)

    def present(self) -> list[Seek]:
        """Return the seeks of players who are present and not banned, oldest first."""
        present = self._present(self._stored())
        banned = self._banned(present, self._bots.of_ids(seek.player for seek in present))
        return [seek for seek in present if seek.player not in banned]

    def report(self, player_id: str) -> None:
        """Store that a player is present now, if the player has had a seek in the last hours."""
        self._redis.zadd(PRESENT, {player_id: self._now_ms()}, xx=True)

    # Matching

    def match(self, terms: bytes | None = None) -> list[str]:
        """Open tables for groups of seeks that are complete; return the ids of the games.

        With ``terms``, only seeks with these ``Seek.terms`` are looked at. One call opens AT_ONCE
        tables at most.
        """
        now = self._now_ms()
        opened = [group.game for group in self._interrupted(now) if self._open(group)]
        if not self._redis.hlen(SEEKS):
            return opened
        try:
            self._admission.need_room()
        except Problem:
            return opened
        with suppress(OvertakenError):  # the next process that looks goes on
            for _ in range(AT_ONCE):
                group = judged_anew(lambda: self._take(terms))
                if group is None:
                    break
                if self._open(group):
                    opened.append(group.game)
        return opened

    def match_in_turn(self) -> list[str]:
        """Do the same as ``match``, unless another process did so in the last TURN_MS."""
        if not self._redis.set(TURN, 1, nx=True, px=TURN_MS):
            return []
        return self.match()

    def _take(self, terms: bytes | None) -> _Group | None:
        """Take the seeks of the next table out of those that wait; None if no group is complete.

        With ``terms``, only seeks with these terms are looked at.

        Raises OvertakenError: another process has changed one of them meanwhile.
        """
        waiting = self._waiting()
        fitting = [seek for seek in waiting if terms in (None, seek.terms)]
        present = self._present(with_enough_players(fitting))
        free = self._free(with_enough_players(present))
        while True:
            seeks = first_group(free, self._about(free))
            if seeks is None:
                return None
            group = _Group(ids.new_game_id(), self._now_ms(), seeks)
            refused = self._not_admitted(group)
            if refused is None:
                break
            free.remove(refused)
        people = {seek.player for seek in seeks if self._bots.find(seek.player) is None}
        others = [
            SeekRecord(other, CANCELLED)
            for other in waiting
            if other.player in people and other not in seeks
        ]
        commands: list[Command] = [("HSET", OPENING, group.game, group.dump())]
        for seek in seeks:
            commands += [("HDEL", SEEKS, seek.id), ("HDEL", _seeks_of(seek.player), seek.id)]
        for other in others:
            commands += _ended(other)
        given = [Fact(("HEXISTS", SEEKS, seek.id), 1) for seek in seeks]
        wanted = Counter(seek.player for seek in waiting)
        given += [Fact(("HLEN", _seeks_of(person)), wanted[person]) for person in sorted(people)]
        try:
            self._once.do(None, group.game, commands, given)
        except OvertakenError:
            self._give_back(group.seeks, group.game)
            raise
        return group

    def _give_back(self, seeks: Iterable[Seek], game: str) -> None:
        for seek in seeks:
            self._admission.give_back(_claimant(seek), game)

    def _not_admitted(self, group: _Group) -> Seek | None:
        """Charge a game to all of its players.

        If the quota of one is used up, charge nobody, end the seek unless a bot is just busy, and
        return it.
        """
        for place, seek in enumerate(group.seeks):
            account = self._bots.find(seek.player)
            most = None if account is None else account.concurrency
            try:
                self._admission.charge(_claimant(seek), group.game, most)
            except Problem as refused:
                self._give_back(group.seeks[:place], group.game)
                if refused.code != "bot_busy":
                    self._end(SeekRecord(seek, REFUSED, reason=refused.code))
                return seek
        return None

    def _open(self, group: _Group) -> bool:
        """Create the game of a group, and say so to its seekers; return whether there is a game.

        If it exists already, another process has created it.
        """
        status, reason = MATCHED, None
        try:
            self._create(group)
        except (BadOptions, RefusedError, UnknownRulesetError) as error:
            # For example, a person who sought a rated game has become a program meanwhile.
            log.warning("seeks_refused", game=group.game, error=str(error))
            status, reason = REFUSED, getattr(error, "code", "unknown_ruleset")
        game = group.game if status == MATCHED else None
        commands: list[Command] = [("HDEL", OPENING, group.game)]
        commands += [_kept(SeekRecord(seek, status, game, reason)) for seek in group.seeks]
        self._once.do(None, group.game, commands)
        return status == MATCHED

    def _create(self, group: _Group) -> None:
        first = group.seeks[0]
        seconds = self._usual_seconds
        usual = {"decision_seconds": seconds} if seconds else None
        clock = next((seek.clock for seek in group.seeks if seek.clock is not None), usual)
        try:
            self._tables.create(
                first.player,
                first.ruleset,
                first.options,
                [{"player": seek.player} for seek in group.seeks],
                clock_limits=clock,
                terms=TableTerms(seating=RANDOM, rated=first.rated),
                new_id=group.game,
            )
        except ConflictError:
            with suppress(GameNotFoundError):
                self._tables.ledger.table(group.game)
                return
            raise

    def _interrupted(self, now: int) -> list[_Group]:
        """Return the groups whose games a process has not created in time; forget the oldest."""
        found: Any = self._redis.hgetall(OPENING)
        groups = [_Group.load(game, raw) for game, raw in found.items()]
        for group in groups:
            if group.at < now - _FORGOTTEN_MS:
                commands: list[Command] = [("HDEL", OPENING, group.game)]
                commands += [_kept(SeekRecord(seek, EXPIRED)) for seek in group.seeks]
                self._once.do(None, group.game, commands)
        return [
            group for group in groups if now - _FORGOTTEN_MS <= group.at < now - _INTERRUPTED_MS
        ]

    def _stored(self) -> list[Seek]:
        """Return all seeks that have not been ended, oldest first."""
        found: Any = self._redis.hvals(SEEKS)
        return sorted(map(Seek.load, found), key=_waited_longest)

    def _waiting(self) -> list[Seek]:
        """End the seeks whose time is over; return the others, oldest first."""
        stored, now = self._stored(), self._now_ms()
        for seek in stored:
            if seek.until <= now:
                self._end(SeekRecord(seek, EXPIRED))
        return [seek for seek in stored if seek.until > now]

    def _present(self, seeks: Sequence[Seek]) -> list[Seek]:
        """Return those seeks whose time is not over and whose players are present."""
        if not seeks:
            return []
        reported: Any = self._redis.zmscore(PRESENT, [seek.player for seek in seeks])
        now = self._now_ms()
        return [
            seek
            for seek, at in zip(seeks, reported, strict=True)
            if seek.until > now and at is not None and at > now - PRESENT_MS
        ]

    def _free(self, seeks: Sequence[Seek]) -> list[Seek]:
        """Return those seeks whose players are not banned, nor bots that play enough games."""
        if not seeks:
            return []
        accounts = self._bots.of_ids(seek.player for seek in seeks)
        out = self._banned(seeks, accounts) | {
            bot.id
            for bot in accounts.values()
            if self._games.unfinished(bot.id, bot.concurrency, "") >= bot.concurrency
        }
        return [seek for seek in seeks if seek.player not in out]

    def _banned(self, seeks: Sequence[Seek], accounts: Mapping[str, BotAccount]) -> set[str]:
        """Return those players of seeks who are banned, and the bots whose owners are."""
        owners = {account.id: account.owner for account in accounts.values()}
        who = sorted({seek.player for seek in seeks} | {*owners.values()})
        if not who:
            return set()
        bans: Any = self._redis.hmget(BANS, who)
        out = {player for player, since in zip(who, bans, strict=True) if since is not None}
        return out | {bot for bot, owner in owners.items() if owner in out}

    def _about(self, seeks: Sequence[Seek]) -> dict[str, Seeker]:
        """Return the seeker of each seek, by the seek's id."""
        if not seeks:
            return {}
        marks: Any = self._redis.mget([kind_key(seek.player) for seek in seeks])
        skills = self._ratings.in_rulesets((seek.ruleset, seek.player) for seek in seeks)
        return {
            seek.id: Seeker(kind_of(mark), skills[seek.ruleset, seek.player].rating.mean)
            for seek, mark in zip(seeks, marks, strict=True)
        }

    def _end(self, record: SeekRecord) -> None:
        """End a seek that waits; if it does not wait any more, do nothing."""
        waits = Fact(("HEXISTS", SEEKS, record.seek.id), 1)
        with suppress(OvertakenError):
            self._once.do(None, record.seek.id, _ended(record), [waits])

    # Leaving

    def known(self, player_id: str) -> Fact:
        """Return a ``Fact`` that is true as long as the player gets and loses no seek."""
        found: Any = self._redis.hkeys(_seeks_of(player_id))
        return Fact(("HKEYS", _seeks_of(player_id)), b" ".join(found))

    def erase(self, player_id: str) -> list[Command]:
        """Return the commands that delete a player's seeks that wait."""
        found: Any = self._redis.hkeys(_seeks_of(player_id))
        commands: list[Command] = [("DEL", _seeks_of(player_id)), ("ZREM", PRESENT, player_id)]
        for seek_id in map(bytes.decode, found):
            commands += [("HDEL", SEEKS, seek_id), ("DEL", _record(seek_id))]
        return commands


def _claimant(seek: Seek) -> Claimant:
    return Claimant(seek.player, seek.address, seek.times)


def _waited_longest(seek: Seek) -> tuple[int, str]:
    return seek.since, seek.id


def _ended(record: SeekRecord) -> list[Command]:
    seek = record.seek
    return [
        ("HDEL", SEEKS, seek.id),
        ("HDEL", _seeks_of(seek.player), seek.id),
        _kept(record),
    ]


def _kept(record: SeekRecord) -> Command:
    return ("SET", _record(record.seek.id), record.dump(), "EX", _KEPT_SECONDS)


def _record(seek_id: str) -> str:
    return meta_key(f"seek:{seek_id}")


def _seeks_of(player_id: str) -> str:
    return meta_key(f"seeks_of:{player_id}")
