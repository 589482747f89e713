"""Hosts, guests and invitations of tables.

They are stored beside the game's stream (``service.ledger.terms``). A private table is visible to
players who hold a seat or have one reserved, to its host, and to its guests. A guest is a player
who came by an invitation that has not been revoked. To all others the table does not seem to exist.
"""

import hmac
import secrets
from importlib import resources
from typing import Any, NamedTuple

import orjson
from redis import Redis

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import RefusedError
from rules.kernel.record.game import LOBBY, Game
from rules.kernel.record.instants import from_ms, to_ms
from service import ids
from service.ids import shard_of
from service.ledger import notices
from service.ledger.damage import GameDamagedError
from service.ledger.feeds import HEAD_BYTES, TAIL
from service.ledger.idempotency import ATTEMPTS, Command, Fact, IdempotencyNotes, judged_anew
from service.ledger.ledger import Ledger
from service.ledger.store import Retry
from service.ledger.terms import (
    BESIDE,
    DECLINED,
    HANDED_BY,
    HOST,
    PRIVATE,
    TOMBSTONE,
    Challenge,
    TableTerms,
)
from service.redis.format import need_newest
from service.redis.keys import game_key, shard_key
from service.redis.scripts import Script

TOKEN_PREFIX = "li_"  # noqa: S105 - it is how they begin
INVITATIONS_PER_TABLE = 50
_REMATCH = "rematch"
_MADE = "invitations_made"
"""The field with the number of invitations so far."""
_ENTER = resources.files("service.games").joinpath("enter.lua").read_text()


class Invitation(NamedTuple):
    """An invitation for ``uses`` players; only the hash of its token is stored."""

    id: str
    hash: str
    seat: int | None
    uses: int
    created_at: str
    expires_at: str | None
    used: int = 0

    def to_json(self) -> JsonObject:
        """Return the form that the host sees."""
        return {name: value for name, value in self._asdict().items() if name != "hash"}


class InvitationTerms(NamedTuple):
    """The terms of a new invitation.

    It is for one ``seat``, or for any seat (None). It is valid for ``seconds``, or without limit
    (None).
    """

    seat: int | None
    uses: int
    seconds: int | None


class Rights(NamedTuple):
    """The rights of a player at a table; ``invited_to`` is the seat of the player's invitation."""

    is_host: bool
    is_guest: bool
    is_removed: bool
    invited_to: int | None


class Guests:
    """The hosts and guests of the tables of one store."""

    def __init__(self, redis: Redis, ledger: Ledger) -> None:
        self._redis = redis
        self._ledger = ledger
        self._enter = Script(redis, _ENTER)
        self._once = IdempotencyNotes(redis)

    # Rights

    def host(self, game: Game) -> str | None:
        """Return the host of a table: its opener, unless it was handed over."""
        return self.host_and_rematch(game)[0]

    def host_and_rematch(self, game: Game) -> tuple[str | None, str | None]:
        """Return the host, and the game's rematch if there is one."""
        found = self._ledger.store.table(game.id, (HOST, _REMATCH))
        host, rematch = (None if value is None else value.decode() for value in found)
        return host or game.created_by.get("player"), rematch

    def rights(self, game: Game, player_id: str) -> Rights:
        """Return a player's rights at a table.

        The rights that come from holding a seat are not included.
        """
        names = (HOST, f"guest:{player_id}", f"removed:{player_id}")
        host, guest, removed = self._ledger.store.table(game.id, names)
        hosted_by = game.created_by.get("player") if host is None else host.decode()
        by = None if guest is None else self._find(game, guest.decode())
        return Rights(
            hosted_by == player_id, by is not None, removed is not None, by.seat if by else None
        )

    def may_see(self, game: Game, terms: TableTerms, player_id: str | None) -> bool:
        """Whether a player, or somebody without a key (None), may see a table."""
        if terms.visibility != PRIVATE:
            return True
        if player_id is None:
            return False
        if any(seat.holder == {"player": player_id} for seat in game.seats):
            return True
        rights = self.rights(game, player_id)
        if rights.is_removed:
            return rights.is_host
        reserved = any(player == player_id for _seat, player in terms.reserved)
        reserved = reserved or any(one.player == player_id for one in terms.challenges)
        return reserved or rights.is_guest or rights.is_host

    def need_host(self, game: Game, player_id: str, what: str) -> Fact:
        """Return a ``Fact`` that is true as long as the player hosts the table.

        The caller passes it to ``IdempotencyNotes.do``.

        Raises:
            RefusedError: ``not_your_table``: somebody else hosts it.
        """
        named: Any = self._redis.hget(_key(game.id), HOST)
        host = self.host(game) if named is None else named.decode()
        if host != player_id:
            raise RefusedError("not_your_table", f"only the host of the table {what}")
        return _hosted_by(game.id, named)

    # The host

    def hand_over(
        self, game_id: str, player_id: str, seat: int, retry: Retry | None = None
    ) -> None:
        """Make the holder of a seat the host of the table, before the start.

        A repeated request succeeds, and so does a request that makes the host the host again.
        Raises the errors of ``IdempotencyNotes.do``, and:

        Raises:
            RefusedError: ``not_your_table``, ``unknown_seat``, ``no_player_there``,
                ``not_in_lobby``, ``upgrade_unfinished``.
        """
        self._once.beside(game_id).expect_new(retry)
        judged_anew(lambda: self._hand_over(game_id, player_id, seat, retry))

    def _hand_over(self, game_id: str, player_id: str, seat: int, retry: Retry | None) -> None:
        game, key = self._sound(game_id), _key(game_id)
        _need_seat(game, seat)
        to: str | None = (game.seats[seat].holder or {}).get("player")
        named, handed_by = self._ledger.store.table(game.id, (HOST, HANDED_BY))
        host = game.created_by.get("player") if named is None else named.decode()
        if host != player_id and (host != to or handed_by != player_id.encode()):
            raise RefusedError("not_your_table", "only the host of the table hands it over")
        if host == to:
            return
        _need_lobby(game)
        if to is None:
            raise RefusedError("no_player_there", f"no player holds seat {seat}", seat=seat)
        need_newest(self._redis)
        changed: Command = ("HSET", key, HOST, to, HANDED_BY, player_id)
        self._once.beside(game_id).do(
            retry, game_id, [changed], [_hosted_by(game_id, named), _as_long_as(game)]
        )

    def removed(self, player_id: str) -> dict[str, bytes]:
        """Return the fields to add to a table's guests in Redis when a player is removed.

        They name the removed player, so that he cannot sit down at the table again.
        """
        need_newest(self._redis)
        return {f"removed:{player_id}": str(self._now()).encode()}

    # Rematches

    def note_rematch(self, game_id: str, rematch: str) -> None:
        """Store a game's rematch."""
        self._redis.hset(_key(game_id), _REMATCH, rematch)

    # Challenges

    def declined(self, game: Game, terms: TableTerms) -> dict[int, str]:
        """Return the reasons for which challenges of a table were declined, by seat."""
        seats = [one.seat for one in terms.challenges]
        if not seats:
            return {}
        names = [f"{DECLINED}{seat}" for seat in seats]
        found = self._ledger.store.table(game.id, names)
        return {
            seat: reason.decode()
            for seat, reason in zip(seats, found, strict=True)
            if reason is not None
        }

    def decline(
        self, game_id: str, seat: int, player_id: str, reason: str, retry: Retry | None = None
    ) -> Challenge:
        """Decline a challenge, and return it. Its seat is no longer kept.

        A repeated request changes nothing. Raises the errors of ``IdempotencyNotes.do``, and:

        Raises:
            RefusedError: ``not_challenged``, ``not_in_lobby``.
        """

        def act() -> Challenge:
            game = self._sound(game_id)
            for one in self._ledger.terms(game).challenges:
                if (one.seat, one.player) == (seat, player_id):
                    _need_lobby(game)
                    commands, given = self._declining(game, one, reason)
                    self._once.beside(game_id).do(retry, game_id, commands, given)
                    return one
            raise RefusedError("not_challenged", f"seat {seat} is not kept for you", seat=seat)

        self._once.beside(game_id).expect_new(retry)
        return judged_anew(act)

    def _declining(
        self, game: Game, challenge: Challenge, reason: str
    ) -> tuple[list[Command], list[Fact]]:
        """Return the commands that decline a challenge, and tell the host; none if it is declined.

        The second list has the facts on which they depend.
        """
        field = f"{DECLINED}{challenge.seat}"
        known: Any = self._redis.hget(_key(game.id), field)
        given = [_as_long_as(game), Fact(("HGET", _key(game.id), field), known or b"")]
        if known is not None:
            return [], given
        commands: list[Command] = [("HSET", _key(game.id), field, reason)]
        host = self.host(game)
        if host is not None:
            store = self._ledger.store
            told = notices.declined(
                game, Seat(challenge.seat), host, challenge.player, reason, store.clock.now()
            )
            commands.append(
                (
                    "XADD", shard_key(shard_of(game.id), TAIL), "MAXLEN", "~", store.tail_length,
                    "*", "g", game.id, "v", game.version, "h", game.head[:HEAD_BYTES],
                    "n", notices.dump([told]),
                )
            )  # fmt: skip
        return commands, given

    # Invitations

    def invite(
        self, game_id: str, player_id: str, asked: InvitationTerms, retry: Retry | None = None
    ) -> tuple[Invitation, str]:
        """Create an invitation; return the invitation and its token. The token is not shown again.

        Raises the errors of ``IdempotencyNotes.do``, and:

        Raises:
            RefusedError: ``not_your_table``, ``not_in_lobby``, ``unknown_seat``,
                ``too_many_invitations``, ``upgrade_unfinished``.
        """
        self._once.beside(game_id).expect_new(retry)
        return judged_anew(lambda: self._invite(game_id, player_id, asked, retry))

    def _invite(
        self, game_id: str, player_id: str, asked: InvitationTerms, retry: Retry | None
    ) -> tuple[Invitation, str]:
        game, key = self._sound(game_id), _key(game_id)
        hosted = self.need_host(game, player_id, "invites to it")
        _need_lobby(game)
        if asked.seat is not None:
            _need_seat(game, asked.seat)
        need_newest(self._redis)
        known: Any = self._redis.hgetall(key)
        limit = INVITATIONS_PER_TABLE
        if sum(name.startswith(b"invitation:") for name in known) >= limit:
            raise RefusedError(
                "too_many_invitations", f"a table has at most {limit}: revoke some", limit=limit
            )
        now = self._ledger.store.clock.now()
        ends = None if asked.seconds is None else from_ms(to_ms(now) + 1000 * asked.seconds)
        secret, id_ = secrets.token_urlsafe(24), ids.new_invitation_id()
        made = Invitation(id_, _hash(secret), asked.seat, asked.uses, now, ends)
        commands: list[Command] = [
            ("HSET", key, f"invitation:{id_}", orjson.dumps(made._asdict())),
            ("HINCRBY", key, _MADE, 1),
        ]
        counted = Fact(("HGET", key, _MADE), known.get(_MADE.encode(), b""))
        self._once.beside(game_id).do(retry, id_, commands, [hosted, counted, _as_long_as(game)])
        return made, f"{TOKEN_PREFIX}{id_}.{secret}"

    def invitations(self, game: Game) -> list[Invitation]:
        """Return a table's invitations, newest first."""
        kept = self._ledger.store.whole_table(game.id)
        listed = [
            Invitation(**orjson.loads(value))._replace(
                used=int(kept.get(name.replace("invitation:", "used:"), 0))
            )
            for name, value in kept.items()
            if name.startswith("invitation:")
        ]
        return sorted(listed, key=lambda one: (one.created_at, one.id), reverse=True)

    def revoke(
        self, game: Game, player_id: str, invitation_id: str, retry: Retry | None = None
    ) -> None:
        """Revoke an invitation; guests who came by it and hold no seat lose access.

        Raises the errors of ``IdempotencyNotes.do``, and:

        Raises:
            RefusedError: ``not_your_table``.
        """
        key = _key(game.id)
        names = (f"invitation:{invitation_id}", f"used:{invitation_id}")

        def act() -> None:
            hosted = self.need_host(game, player_id, "revokes its invitations")
            is_here: Any = self._redis.exists(game_key(game.id, "events"))
            commands: list[Command] = [("HDEL", key, *names)]
            if not is_here:
                # The archive goes on having the invitation.
                known = self._find(game, invitation_id)
                commands = [("HSET", key, name, TOMBSTONE) for name in names if known is not None]
            stays = Fact(("EXISTS", game_key(game.id, "events")), is_here)
            self._once.beside(game.id).do(retry, game.id, commands, [hosted, stays])

        self._once.beside(game.id).expect_new(retry)
        judged_anew(act)

    def knows(self, game: Game, token: str) -> Invitation | None:
        """Return the invitation that a token belongs to, even one that has ended."""
        id_, dot, secret = token.removeprefix(TOKEN_PREFIX).partition(".")
        found = self._find(game, id_) if dot and token.startswith(TOKEN_PREFIX) else None
        if found is None or not hmac.compare_digest(found.hash, _hash(secret)):
            return None
        return found

    def opens(self, game: Game, token: str) -> bool:
        """Whether a token now lets its holder see a table.

        It does so until the game starts, as long as the invitation is valid.
        """
        found = self.knows(game, token)
        return found is not None and game.status == LOBBY and self._refusal(game.id, found) is None

    def enter(self, game: Game, player_id: str, token: str) -> None:
        """Make a player a guest by a token.

        Raises:
            RefusedError: ``not_in_lobby``; ``invitation_refused``: the token belongs to no
                invitation, or to one that has ended or is used up.
        """
        found = self.knows(game, token)
        if found is None:
            _need_lobby(game)
            raise RefusedError("invitation_refused", "this is no invitation to this table")
        ends: int | str = "" if found.expires_at is None else to_ms(found.expires_at)
        made_at = to_ms(found.created_at)
        for _ in range(ATTEMPTS):
            _need_lobby(game)
            words: list[int | str] = [
                found.id, player_id, found.uses, self._now(), ends, made_at, game.version
            ]  # fmt: skip
            entered: Any = self._enter([_key(game.id), game_key(game.id, "events")], words)
            if entered == 1:
                return
            if entered == 0:
                break
            game = self._sound(game.id)
        why = self._refusal(game.id, found) or "the host has sent you away since it was made"
        raise RefusedError("invitation_refused", why)

    def _refusal(self, game_id: str, found: Invitation) -> str | None:
        """Return the reason why an invitation is void, None if it is valid."""
        if found.expires_at is not None and to_ms(found.expires_at) <= self._now():
            return f"it ended at {found.expires_at}"
        used: Any = self._redis.hget(_key(game_id), f"used:{found.id}")
        if int(used or 0) >= found.uses:
            return f"it is used up: it was for {found.uses}"
        return None

    def _sound(self, game_id: str) -> Game:
        game, _secrets, damage = self._ledger.table(game_id)
        if damage is not None:
            raise GameDamagedError(game_id, damage)
        return game

    def _now(self) -> int:
        return self._ledger.store.clock.now_ms()

    def _find(self, game: Game, invitation_id: str) -> Invitation | None:
        names = (f"invitation:{invitation_id}",)
        (raw,) = self._ledger.store.table(game.id, names)
        return None if raw is None else Invitation(**orjson.loads(raw))


def _hosted_by(game_id: str, named: bytes | None) -> Fact:
    """Return the ``Fact`` that a table was handed over to the player ``named``.

    If ``named`` is None, it is the fact that the table was not handed over, so that its opener is
    the host.
    """
    return Fact(("HGET", _key(game_id), HOST), named or b"")


def _as_long_as(game: Game) -> Fact:
    """Return the ``Fact`` that no event has been appended since ``game`` was read."""
    return Fact(("XLEN", game_key(game.id, "events")), game.version)


def _need_seat(game: Game, seat: int) -> None:
    if not 0 <= seat < len(game.seats):
        raise RefusedError("unknown_seat", f"there is no seat {seat}", seat=seat)


def _need_lobby(game: Game) -> None:
    if game.status != LOBBY:
        raise RefusedError("not_in_lobby", f"the game is {game.status}, not in the lobby")


def _key(game_id: str) -> str:
    return game_key(game_id, BESIDE)


def _hash(secret: str) -> str:
    return digest(secret.encode()).hex()
