"""The caller of a request, the caller's language, and the services that operations use."""

import hmac
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from flask import Request, g

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from service.addresses import Addresses, within
from service.administration.acts import Administration
from service.administration.keys import AdminKey, AdminKeys
from service.api.activity import ActivityWindow
from service.api.http.access import ADMINS_KEYS, PLAYERS_KEYS, Access
from service.api.http.cursors import Cursors
from service.api.http.responses import StaticDocument
from service.catalogue.documents import Documents
from service.games.admission import Admission, Claimant
from service.games.downloads import Downloads
from service.games.listing import GameList
from service.games.present import named_json
from service.games.seeks import Seeks
from service.live.hub import Hub
from service.live.streams import Streams
from service.people.export import PersonalData
from service.people.leaving import Departures
from service.people.profile import Profiles
from service.people.seat_keys import SeatKeys
from service.players.bans import Bans
from service.players.bot_accounts import BotAccounts
from service.players.invalidation import Invalidations, StoreNote
from service.players.keys import BOT_KEY, KEY_PREFIX, READ, PlayerKey, PlayerKeys
from service.players.players import Player, Players, Tickets
from service.players.refusals import Refusals
from service.problems import Problem, field_error, invalid
from service.process.fair_queue import FairQueue
from service.runtime import Runtime
from service.upkeep.gauges import Gauges

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,200}\Z")


@dataclass(frozen=True, slots=True)
class Services:
    """The services that resources use; one instance for each application."""

    runtime: Runtime
    players: Players
    keys: PlayerKeys
    refusals: Refusals
    seat_keys: SeatKeys
    bots: BotAccounts
    seeks: Seeks
    tickets: Tickets
    invalidations: Invalidations
    profiles: Profiles
    departures: Departures
    personal_data: PersonalData
    bans: Bans
    admin_keys: AdminKeys
    administration: Administration
    games: GameList
    cursors: Cursors
    hub: Hub
    streams: Streams
    downloads: Downloads
    addresses: Addresses
    admission: Admission
    queue: FairQueue
    gauges: Gauges
    window: ActivityWindow
    published: Documents
    documents: dict[str, StaticDocument]
    """Cache of documents that are the same for everybody, by the ETag of their sources."""


class Caller:
    """The caller of a request, made once for each request.

    ``player`` and ``key`` are None without a player's key, ``admin`` is None without an admin's.
    ``access`` has the requirements of the called operation.
    """

    def __init__(self, services: Services, request: Request, access: Access) -> None:
        self.services = services
        self.runtime = services.runtime
        self.request = request
        self.access = access
        self.address = services.addresses.of(
            request.environ.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", "")
        )
        """The address to which limits charge the request."""
        self.player: Player | None = None
        self.key: PlayerKey | None = None
        self.admin: AdminKey | None = None
        self.keys_turn = services.keys.turn
        """The turn of the cache of keys before this key was looked up (``Cache.put``)."""
        self.sent: Any = None
        """The body, as JSON; None if the operation takes none."""
        self.loaded: JsonObject = {}
        """The body as its schema loads it; repeated requests are recognised by it."""
        self.take_from: Callable[[str], None] | None = None
        """Counts the request against a further budget of its address; None if it is not counted."""
        self._told = services.invalidations.told
        self._key_over: PlayerKey | None = None
        self._unknown_key = False

    # Identity

    def identify(self) -> None:
        """Identify the caller by key. Invalid keys are refused after the request is counted."""
        services, keys = self.services, self.access.keys
        self.player = self.key = self.admin = self._key_over = None
        self._unknown_key = False
        self.keys_turn = services.keys.turn
        # This note tells which revocations the lookup includes, so it is read before the lookup.
        self._told = services.invalidations.told
        sent = "Authorization" in self.request.headers
        if keys is None or not sent or self.request.method == "OPTIONS":
            return
        key = self._bearer
        if keys == PLAYERS_KEYS:
            self._identify_player(key)
        elif key.startswith(KEY_PREFIX):  # a player's key; ``admit`` refuses it later
            found = services.keys.find(key)
            self._unknown_key = found is None
            if found is not None and services.keys.is_over(found):
                self._key_over = found
        else:
            self.admin = services.admin_keys.by_key(key)
            self._unknown_key = self.admin is None

    @property
    def _bearer(self) -> str:
        """The credentials of ``Authorization: Bearer``; an empty text if there are none."""
        scheme, _, sent = self.request.headers.get("Authorization", "").partition(" ")
        return sent.strip() if scheme.lower() == "bearer" else ""

    @property
    def sent_key(self) -> PlayerKey | None:
        """The player's key that was sent, even if it opens nothing here; None if none was sent.

        The key may have expired. The path may be wrong, or only for admins.
        """
        return self.key or self.services.keys.find(self._bearer)

    def _identify_player(self, sent: str) -> None:
        """Identify the player who has the key ``sent``. An expired key identifies no player."""
        keys, players = self.services.keys, self.services.players
        key = keys.find(sent)
        if key is not None and keys.is_over(key):
            self._key_over = key
            return
        self.player = None if key is None else players.by_id(key.player)
        self.key = None if self.player is None else key
        self._unknown_key = self.player is None

    def hear_of(self, told: StoreNote) -> None:
        """Identify the caller again if keys or names have changed since the key was looked up.

        For each such change, the store gets a note. ``told`` names the newest note in the store.
        The key is looked up again if this process had not read the newest note when the request
        looked up its key. This is so even if another request has made the process read the note in
        the meantime.
        """
        if self.services.invalidations.heard(told) or self._told != told:
            self.identify()

    def refuse_keys(self) -> None:
        """Refuse a key that is unknown, expired, or a banned player's.

        Raises:
            Problem: ``unknown_key``, ``key_expired``, ``banned``.
        """
        if self._key_over is not None:
            over = self._key_over
            raise Problem(
                "key_expired",
                f"{over.id} was good until {over.expires_at}",
                headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
                since=over.expires_at,
            )
        if self._unknown_key:
            raise Problem("unknown_key", headers={"WWW-Authenticate": "Bearer"})
        if self.key is not None:
            self._refuse_banned(self.key)

    def _refuse_banned(self, key: PlayerKey) -> None:
        """Raise Problem (``banned``) if a key's player is banned, or the owner of this player."""
        for player_id in (key.player, key.owner):
            since = None if player_id is None else self.services.bans.since(player_id)
            if since is not None:
                raise Problem("banned", f"{player_id} is banned since {since}", since=since)

    def admit(self) -> None:
        """Refuse callers who may not call the operation.

        Raises:
            Problem: ``key_required``, ``insufficient_scope``, ``seat_key_over``,
                ``unknown_ticket``, ``banned``, ``admin_key_required``, ``not_admin``.
        """
        access = self.access
        if access.by_ticket and "ticket" in self.request.args:
            self._come_by_ticket(self.request.args["ticket"])
        if access.keys == ADMINS_KEYS:
            _ = self.own_admin
        elif (key := self.seat_key) is not None:
            if not access.by_seat:
                detail = f"{key.id} is for seat {key.seat} of {key.game}, and this is not"
                raise self.out_of_scope(key, detail)
            if not access.judges_seats:
                self.need_seat()
        elif (key := self.bot_key) is not None:
            if not access.by_bot:
                raise self.out_of_scope(key, f"{key.id} is the key of a bot: it only plays")
        elif access.scope is not None and not self.own_key.allows(access.scope):
            key = self.own_key
            detail = f"this needs a key with the scope {access.scope}, and {key.id} has {key.scope}"
            raise self.out_of_scope(key, detail)

    def need_seat(self) -> None:
        """Raise Problem (``seat_key_over``) for a seat key if the game is over for its seat."""
        if self.seat_key is not None:
            self.services.seat_keys.need_seat(self.seat_key)

    def out_of_scope(self, key: PlayerKey, detail: str) -> Problem:
        """Return the problem of a key that does not open the operation it was sent to."""
        needed = self.access.scope or READ
        return Problem(
            "insufficient_scope",
            detail,
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{needed}"'},
            needed_scope=needed,
            key_scope=key.scope,
        )

    def _come_by_ticket(self, sent: str) -> None:
        """Identify the player who created the ticket ``sent``.

        Raises Problem (``unknown_ticket``) if the key that created the ticket is no longer valid.
        """
        services = self.services
        selector, self._bound_language = services.tickets.find(sent)
        key = None if selector is None else services.keys.at(selector)
        player = None if key is None else services.players.by_id(key.player)
        if key is None or player is None:
            raise Problem("unknown_ticket")
        self._refuse_banned(key)
        self.player, self.key = player, key

    _bound_language: str | None = None
    """The language of the request that created the caller's ticket; None without one."""

    @property
    def me(self) -> Player:
        """The calling player. Raises Problem (``key_required``) if no key was sent."""
        if self.player is None:
            raise Problem("key_required", headers={"WWW-Authenticate": "Bearer"})
        return self.player

    @property
    def own_key(self) -> PlayerKey:
        """The key that the player has sent. Raises as ``me``."""
        if self.key is None:
            raise Problem("key_required", headers={"WWW-Authenticate": "Bearer"})
        return self.key

    @property
    def seat_key(self) -> PlayerKey | None:
        """The key that was sent, if it is a seat key; otherwise None."""
        return None if self.key is None or self.key.seat is None else self.key

    @property
    def bot_key(self) -> PlayerKey | None:
        """The key that was sent, if it is a bot account's; otherwise None."""
        return self.key if self.key is not None and self.key.scope == BOT_KEY else None

    @property
    def own_admin(self) -> AdminKey:
        """The calling admin. Raises Problem (``admin_key_required``, ``not_admin``) if none."""
        if self.admin is not None:
            return self.admin
        if "Authorization" in self.request.headers:
            raise Problem("not_admin")
        raise Problem("admin_key_required", headers={"WWW-Authenticate": "Bearer"})

    @property
    def id(self) -> str | None:
        """The id of the calling player; None if no key was sent."""
        return None if self.player is None else self.player.id

    # Accounting

    @property
    def allowance(self) -> int:
        """The factor by which the caller's limits exceed the usual ones."""
        settings = self.runtime.settings
        hosts = settings.hosts
        known = self.player is not None and self.player.id in hosts.players
        if known or (hosts.networks and within(self.address, hosts.networks)):
            return settings.host_factor
        return 1

    @property
    def claimant(self) -> Claimant:
        """The account whose limits apply to the caller's new games and tournaments.

        Raises as ``me``.
        """
        return Claimant(self.me.id, self.address, self.allowance)

    @property
    def owner_of_keys(self) -> str:
        """The name under which the service remembers the ``Idempotency-Key`` of this request.

        It is the id of the seat key, if the request has one. Otherwise it is the id of the player,
        or the address if there is no player. Equal ``Idempotency-Key``s of different owners do not
        collide. A seat key and the player who made it are different owners.
        """
        if self.seat_key is not None:
            return self.seat_key.id
        return f"@{self.address}" if self.player is None else self.player.id

    # Language and headers

    @cached_property
    def language(self) -> str:
        """The caller's language, ``en`` or ``es``: by the query, else the ticket, else a header."""
        for lang in (self.request.args.get("lang"), self._bound_language):
            if lang in LANGUAGES:
                return lang
        if "Accept-Language" not in self.request.headers:
            return LANGUAGES[0]
        return self.request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]

    @cached_property
    def idempotency_key(self) -> str | None:
        """The ``Idempotency-Key`` under which this request may be repeated safely.

        Raises:
            Problem: ``invalid_header``.
        """
        key: str | None = self.request.headers.get("Idempotency-Key")
        if key is not None and not _IDEMPOTENCY_KEY.match(key):
            rule = "1 to 200 printable ASCII characters, no spaces"
            raise invalid("header", [field_error("Idempotency-Key", rule, key)])
        return key

    def players_of(self, player_ids: Iterable[str | None]) -> dict[str, Player]:
        """Return the players with these ids, by id, for an answer that names them.

        None, and an id that no player has, are left out.
        """
        ids = {player_id for player_id in player_ids if player_id is not None}
        found = self.services.players.by_ids(sorted(ids))
        return {player_id: found[player_id] for player_id in sorted(found)}

    def named(self, player_ids: Iterable[str | None]) -> JsonObject:
        """Return the names ("" if none) and kinds of the players in an answer, by id."""
        return named_json(self.players_of(player_ids))


def scrapes(caller: Caller) -> bool:
    """Whether the caller sent the token for metrics, as Prometheus does."""
    token = caller.runtime.settings.metrics_token
    given = caller.request.headers.get("Authorization", "").encode()
    return token is not None and hmac.compare_digest(given, f"Bearer {token}".encode())


def caller() -> Caller:
    """Return the caller of the present request, for code that does not get it as an argument."""
    return cast(Caller, g.caller)
