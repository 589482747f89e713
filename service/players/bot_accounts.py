"""Bot accounts: programs that play, each with an owner.

A bot account is a player of the kind ``bot`` that another player owns. Its key opens only what a
game needs (``Access.for_bots``); everything else is up to the owner. What the owner says about the
bot is stored in one Redis hash for all bots. Nobody checks the name of a version: it is declared.

Whether a bot is present is not stored for good: each of its open streams of questions reports every
few seconds, and after ``PRESENT_MS`` without a report the bot is absent.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Self

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject
from rules.kernel.record.instants import from_ms, to_ms
from service import ids
from service.ledger.idempotency import Command, Fact, IdempotencyNotes, judged_anew
from service.ledger.kinds import BOT
from service.ledger.store import Retry
from service.players.keys import DAY_MS, KeyUse, PlayerKey, PlayerKeys
from service.players.players import Player, Players
from service.problems import Problem
from service.redis.keys import meta_key

BOTS = meta_key("bots")
"""A Redis hash: bot → what its owner says about it (JSON)."""
PRESENT = meta_key("bots_present")
"""A sorted set: bot → time (ms) of the last report of an open stream. It is in no backup."""
MAX_BOTS = 10
"""Maximum number of an owner's bots."""
NEW_VERSIONS_PER_DAY = 2
DECLARED = "declared"
"""What a bot's version is: its owner says so, and nobody checks it."""
MAX_CONCURRENCY = 100
MAX_VERSIONS_SHOWN = 100
MOST_PRESENT = 500
"""Maximum number of present bots among which a request selects."""
REPORT_SECONDS = 10.0
"""Interval at which an open stream reports that its bot is present."""
PRESENT_MS = 40_000


class Takes(NamedTuple):
    """A ruleset that a bot plays, and the numbers of seats."""

    ruleset: str
    seats: tuple[int, ...]

    def to_json(self) -> JsonObject:
        """Return the form that everybody sees."""
        return {"ruleset": self.ruleset, "seats": [*self.seats]}


class BotAccount(NamedTuple):
    """What is stored about a bot besides the player: its owner, and what the owner declares.

    ``takes`` has the games that the bot plays. ``concurrency`` is the number of questions that it
    answers at once. ``since`` is the time of the present ``version``.
    """

    id: str
    owner: str
    version: str
    since: str
    author: str | None
    page: str | None
    takes: tuple[Takes, ...]
    concurrency: int

    def plays(self, ruleset: str | None, seats: int | None) -> bool:
        """Whether the bot takes games of a ruleset with a number of seats; None means any."""
        return any(
            ruleset in (None, one.ruleset) and (seats is None or seats in one.seats)
            for one in self.takes
        )

    def to_json(self) -> JsonObject:
        """Return the form that everybody sees."""
        return {**self._asdict(), "takes": [one.to_json() for one in self.takes]}

    def dump(self) -> bytes:
        """Return the stored form."""
        told = self.to_json()
        del told["id"]
        return orjson.dumps(told)

    @classmethod
    def load(cls, bot_id: str, raw: bytes) -> Self:
        """Read the stored form."""
        found = orjson.loads(raw)
        takes = tuple(Takes(one["ruleset"], tuple(one["seats"])) for one in found.pop("takes"))
        return cls(bot_id, takes=takes, **found)


def concurrency_of(redis: Redis, bot_id: str) -> int:
    """Return the number of games that a bot plays at once; 1 if its account was deleted."""
    raw: Any = redis.hget(BOTS, bot_id)
    return 1 if raw is None else BotAccount.load(bot_id, raw).concurrency


class BotVersion(NamedTuple):
    """A version of a bot, and the time since when its owner declares it."""

    version: str
    since: str


class BotAccounts:
    """Finds, makes and changes bot accounts; ``now_ms`` is the store's clock.

    ``asking`` is always the key that the owner sent with the current request. Each change raises
    the errors of ``IdempotencyNotes.do``, and Problem.
    """

    def __init__(
        self, redis: Redis, players: Players, keys: PlayerKeys, now_ms: Callable[[], int]
    ) -> None:
        self._redis = redis
        self._players = players
        self._keys = keys
        self._now_ms = now_ms
        self._once = IdempotencyNotes(redis)

    # Finding

    def find(self, bot_id: str) -> BotAccount | None:
        """Return a bot account, None if there is none."""
        return self.of_ids([bot_id]).get(bot_id)

    def of_ids(self, bot_ids: Iterable[str]) -> dict[str, BotAccount]:
        """Return the existing bot accounts with these ids, in the same order."""
        names = [*dict.fromkeys(bot_ids)]
        if not names:
            return {}
        found: Any = self._redis.hmget(BOTS, names)
        return {
            bot_id: BotAccount.load(bot_id, raw)
            for bot_id, raw in zip(names, found, strict=True)
            if raw is not None
        }

    def owned_by(self, player_id: str) -> list[BotAccount]:
        """Return a player's bots, oldest first."""
        found: Any = self._redis.hgetall(_bots_of(player_id))
        oldest_first = sorted(found.items(), key=lambda item: (item[1], item[0]))
        return [*self.of_ids(bot_id.decode() for bot_id, _at in oldest_first).values()]

    def own(self, player_id: str, bot_id: str) -> BotAccount:
        """Return a player's bot. Raises Problem (``no_such_bot``)."""
        found = self.find(bot_id)
        if found is None or found.owner != player_id:
            raise Problem("no_such_bot", f"you have no bot {bot_id!r}")
        return found

    def versions(self, bot_id: str) -> list[BotVersion]:
        """Return a bot's versions, newest first: ``MAX_VERSIONS_SHOWN`` at most."""
        found: Any = self._redis.xrevrange(_versions_of(bot_id), count=MAX_VERSIONS_SHOWN)
        return [
            BotVersion(fields[b"version"].decode(), fields[b"since"].decode())
            for _entry, fields in found
        ]

    def keys_of(self, bot_id: str) -> list[KeyUse]:
        """Return a bot's keys: one, or none while it is revoked."""
        return self._keys.of_bot(bot_id)

    def told(self, accounts: Iterable[BotAccount]) -> list[JsonObject]:
        """Return the form that everybody sees of these bots, in the same order."""
        found = [*accounts]
        players = self._players.by_ids([id_ for one in found for id_ in (one.id, one.owner)])
        present = self.present(one.id for one in found)
        return [
            {
                **players[one.id].to_json(),
                **one.to_json(),
                "owner_name": players[one.owner].name,
                "version_is": DECLARED,
                "present": one.id in present,
            }
            for one in found
        ]

    # Presence

    def report(self, bot_id: str) -> None:
        """Store that a bot is present now."""
        now = self._now_ms()
        pipe = self._redis.pipeline(transaction=False)
        pipe.zadd(PRESENT, {bot_id: now})
        pipe.zremrangebyscore(PRESENT, "-inf", now - DAY_MS)
        pipe.pexpire(PRESENT, DAY_MS)
        pipe.execute()

    def present(self, bot_ids: Iterable[str]) -> set[str]:
        """Return those of the bots that are present."""
        names = [*bot_ids]
        if not names:
            return set()
        found: Any = self._redis.zmscore(PRESENT, names)
        least = self._now_ms() - PRESENT_MS
        return {
            name for name, at in zip(names, found, strict=True) if at is not None and at > least
        }

    def all_present(self, limit: int) -> list[BotAccount]:
        """Return the bots that are present, by id: ``limit`` at most, and of those the newest."""
        least = self._now_ms() - PRESENT_MS
        found: Any = self._redis.zrevrangebyscore(PRESENT, "+inf", f"({least}", 0, limit)
        return [*self.of_ids(sorted(name.decode() for name in found)).values()]

    # Changes by the owner

    def make(
        self, asking: PlayerKey, name: str, said: Mapping[str, Any], retry: Retry | None
    ) -> tuple[Player, BotAccount, str]:
        """Return a new bot of the player, and its key's text, which is not shown again.

        ``said`` has the fields of ``BotAccount`` that the owner declares. Raises Problem:
        ``too_many_bots``.
        """

        def act() -> tuple[Player, BotAccount, str]:
            given = [self._keys.is_good(asking), self.known(asking.player)]
            if len(self.owned_by(asking.player)) >= MAX_BOTS:
                detail = f"you have {MAX_BOTS} bots"
                raise Problem("too_many_bots", detail, limit=MAX_BOTS)
            now = self._now_ms()
            player = Player(ids.new_player_id(), name, from_ms(now), BOT)
            made = BotAccount(player.id, asking.player, since=from_ms(now), **said)
            _key, text, keeping = self._keys.new_of_bot(player.id, asking.player)
            commands: list[Command] = [
                *self._players.new_bot(player),
                *keeping,
                ("HSET", BOTS, player.id, made.dump()),
                ("HSET", _bots_of(asking.player), player.id, now),
                _versioned(made),
            ]
            self._once.do(retry, player.id, commands, given)
            return player, made, text

        self._once.expect_new(retry)
        return judged_anew(act)

    def change(
        self,
        asking: PlayerKey,
        bot_id: str,
        name: str | None,
        said: Mapping[str, Any],
        retry: Retry | None,
    ) -> BotAccount:
        """Change what the owner says about a bot, and return the bot.

        Raises Problem: ``no_such_bot``, ``too_many_versions``.
        """

        def act() -> BotAccount:
            given = [self._keys.is_good(asking), self._unchanged(bot_id)]
            old = self.own(asking.player, bot_id)
            new, commands = old._replace(**said), []
            if name is not None:
                player = self._players.by_ids([bot_id])[bot_id]
                commands += self._players.named(player, name, self._now_ms())
            if new.version != old.version:
                now = self._now_ms()
                self._need_room_for_version(bot_id, now)
                new = new._replace(since=from_ms(now))
                commands.append(_versioned(new))
            commands.append(("HSET", BOTS, bot_id, new.dump()))
            self._once.do(retry, bot_id, commands, given)
            return new

        self._once.expect_new(retry)
        return judged_anew(act)

    def _need_room_for_version(self, bot_id: str, now: int) -> None:
        """Raise Problem (``too_many_versions``) after the last new version of the day.

        A bot's first version does not count.
        """
        found: Any = self._redis.xrevrange(_versions_of(bot_id), count=NEW_VERSIONS_PER_DAY + 1)
        newest = [to_ms(fields[b"since"].decode()) for _entry, fields in found]
        free_at = newest[NEW_VERSIONS_PER_DAY - 1] + DAY_MS if len(newest) > 1 else 0
        if len(newest) > NEW_VERSIONS_PER_DAY and free_at > now:
            raise Problem(
                "too_many_versions",
                f"{bot_id} may have a new version from {from_ms(free_at)} on",
                headers={"Retry-After": str(-(-(free_at - now) // 1000))},
                limit=NEW_VERSIONS_PER_DAY,
            )

    def replace_key(
        self, asking: PlayerKey, bot_id: str, retry: Retry | None
    ) -> tuple[PlayerKey, str]:
        """Return a new key of a bot, and its text; an older key stops working.

        Raises Problem: ``no_such_bot``.
        """

        def act() -> tuple[PlayerKey, str]:
            given = [self._keys.is_good(asking), self._keys.known(bot_id)]
            given.append(self._unchanged(bot_id))
            self.own(asking.player, bot_id)
            made, text, keeping = self._keys.new_of_bot(bot_id, asking.player)
            commands = [*self._keys.revoke_of_bot(bot_id), *keeping]
            self._once.do(retry, made.id, commands, given)
            return made, text

        self._once.expect_new(retry)
        return judged_anew(act)

    def revoke_key(self, asking: PlayerKey, bot_id: str, retry: Retry | None) -> None:
        """Revoke the key of a bot; without a key nothing changes.

        Raises Problem: ``no_such_bot``.
        """

        def act() -> None:
            given = [self._keys.is_good(asking), self._keys.known(bot_id)]
            self.own(asking.player, bot_id)
            self._once.do(retry, bot_id, self._keys.revoke_of_bot(bot_id), given)

        self._once.expect_new(retry)
        judged_anew(act)

    # Erasing

    def known(self, player_id: str) -> Fact:
        """Return a ``Fact`` that is true as long as the player gets and loses no bot."""
        found: Any = self._redis.hkeys(_bots_of(player_id))
        return Fact(("HKEYS", _bots_of(player_id)), b" ".join(found))

    def facts(self, bot_id: str) -> list[Fact]:
        """Return facts that are true as long as the bot and its keys do not change."""
        return [self._unchanged(bot_id), self._keys.known(bot_id)]

    def erase(self, account: BotAccount) -> list[Command]:
        """Return the commands that delete a bot account: its name, its key, and what is said."""
        player = self._players.by_ids([account.id])[account.id]
        return [
            *self._players.named(player, "", self._now_ms()),
            *self._keys.revoke_of_bot(account.id),
            ("HDEL", BOTS, account.id),
            ("HDEL", _bots_of(account.owner), account.id),
            ("DEL", _versions_of(account.id)),
        ]

    def erase_texts(self, bot_id: str) -> list[Command]:
        """Return the commands that erase the names and links in what an owner says about a bot."""
        found = self.find(bot_id)
        if found is None:
            return []
        return [("HSET", BOTS, bot_id, found._replace(author=None, page=None).dump())]

    def _unchanged(self, bot_id: str) -> Fact:
        raw: Any = self._redis.hget(BOTS, bot_id)
        return Fact(("HGET", BOTS, bot_id), raw or b"")


def _versioned(account: BotAccount) -> Command:
    """Return the command that stores a bot's new version."""
    words = ("version", account.version, "since", account.since)
    return ("XADD", _versions_of(account.id), "*", *words)


def _bots_of(player_id: str) -> str:
    return meta_key(f"bots_of:{player_id}")


def _versions_of(bot_id: str) -> str:
    return meta_key(f"bot_versions:{bot_id}")
