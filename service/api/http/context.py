"""Who asks, in which language, and what the answer is made with."""

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from flask import current_app, g, request

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from service.addresses import Addresses, within
from service.administration.acts import Administration
from service.administration.keys import AdminKey, AdminKeys
from service.api.http.access import ADMINS_KEYS, PLAYERS_KEYS, PROBE, Access
from service.api.http.cursors import Cursors
from service.api.http.responses import Made
from service.api.lately import Window
from service.catalogue.documents import Documents
from service.games.admission import Admission, Claimant
from service.games.downloads import Downloads
from service.games.listing import GameList
from service.games.present import named_json
from service.live.hub import Hub
from service.live.streams import Streams
from service.people.export import PersonalData
from service.people.leaving import Departures
from service.people.profile import Profiles
from service.players.bans import Bans
from service.players.invalidation import Invalidations, StoreNote
from service.players.keys import KEY_PREFIX, READ, PlayerKey, PlayerKeys
from service.players.players import Player, Players, Tickets
from service.problems import Problem, field_error, invalid
from service.process.fair_queue import FairQueue
from service.runtime import Runtime
from service.upkeep.gauges import Gauges

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,200}\Z")


@dataclass(frozen=True, slots=True)
class Services:
    """All that the resources use; there is one for each application."""

    runtime: Runtime
    players: Players
    keys: PlayerKeys
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
    window: Window
    published: Documents
    documents: dict[str, Made]
    """What is the same for everybody, by an ETag of what it follows from."""


def services() -> Services:
    """Return what this application was made with."""
    return cast(Services, current_app.extensions["lonja"])


def access() -> Access:
    """Return what the operation demands that is called: nothing, if it is none."""
    view = current_app.view_functions.get(request.endpoint or "")
    return getattr(view, "access", PROBE)


def locate() -> None:
    """Find out for which address a request counts."""
    g.address = services().addresses.of(
        request.environ.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", "")
    )


def identify() -> None:
    """Find out who asks, by key. Keys that open nothing are refused once they are counted."""
    g.player = g.key = g.admin = g.key_over = None
    g.unknown_key = False
    g.keys_turn = services().keys.turn
    g.told = services().invalidations.told  # before the key is looked up: what is known of it then
    keys, header = access().keys, request.headers.get("Authorization")
    if request.method == "OPTIONS" or keys is None or header is None:
        return
    scheme, _, sent = header.partition(" ")
    key = sent.strip() if scheme.lower() == "bearer" else ""
    if keys == PLAYERS_KEYS:
        _identify_player(key)
    elif key.startswith(KEY_PREFIX):  # a player's: ``admin`` tells that it is of no use here
        found = services().keys.find(key)
        g.unknown_key = found is None
        if found is not None and services().keys.is_over(found):
            g.key_over = found
    else:
        g.admin = services().admin_keys.by_key(key)
        g.unknown_key = g.admin is None


def _identify_player(sent: str) -> None:
    """Find out who has this key. What comes with one whose time is over counts for no player."""
    keys, players = services().keys, services().players
    key = keys.find(sent)
    if key is not None and keys.is_over(key):
        g.key_over = key
        return
    g.player = None if key is None else players.by_id(key.player)
    g.key = None if g.player is None else key
    g.unknown_key = g.player is None


def hear_of(told: StoreNote) -> None:
    """Find out again who asks, if keys or names have changed since it was found out.

    Another request may have heard of the change meanwhile, when this one knew the old key already.
    """
    if services().invalidations.heard(told) or g.told != told:
        identify()


def refuse_keys() -> None:
    """Refuse a key that nobody has, whose time is over, or that a banned player has.

    Raises:
        Problem: ``unknown_key``, ``key_expired``, ``banned``.

    """
    if g.key_over is not None:
        over: PlayerKey = g.key_over
        raise Problem(
            "key_expired",
            f"{over.id} was good until {over.expires_at}",
            headers={"WWW-Authenticate": 'Bearer error="invalid_token"'},
            since=over.expires_at,
        )
    if g.unknown_key:
        raise Problem("unknown_key", headers={"WWW-Authenticate": "Bearer"})
    if g.player is not None:
        refuse_banned(g.player)


def refuse_banned(player: Player) -> None:
    """Raise Problem (``banned``) if the player is."""
    since = services().bans.since(player.id)
    if since is not None:
        raise Problem("banned", f"{player.id} is banned since {since}", since=since)


def admit(access: Access) -> None:
    """Let nobody call an operation who may not.

    Raises:
        Problem: ``key_required``, ``insufficient_scope``, ``unknown_ticket``, ``banned``,
            ``admin_key_required``, ``not_admin``.

    """
    if access.by_ticket:
        identify_by_ticket()
    if access.keys == ADMINS_KEYS:
        admin()
    elif access.scope is not None:
        caller(access.scope)


def admin() -> AdminKey:
    """Return the admin who asks.

    Raises:
        Problem: ``admin_key_required``, ``not_admin``.

    """
    if g.admin is not None:
        return cast(AdminKey, g.admin)
    if "Authorization" in request.headers:
        raise Problem("not_admin")
    raise Problem("admin_key_required", headers={"WWW-Authenticate": "Bearer"})


def scrapes() -> bool:
    """Whether it is Prometheus who asks, with the token."""
    token = services().runtime.settings.metrics_token
    given = request.headers.get("Authorization", "").encode()
    return token is not None and hmac.compare_digest(given, f"Bearer {token}".encode())


def caller(scope: str = READ) -> Player:
    """Return the player who asks, with a key of this scope or of a wider one.

    Raises:
        Problem: ``key_required``, ``insufficient_scope``.

    """
    player = caller_or_none()
    if player is None:
        raise Problem("key_required", headers={"WWW-Authenticate": "Bearer"})
    key = callers_key()
    if not key.allows(scope):
        raise Problem(
            "insufficient_scope",
            f"this needs a key with the scope {scope}, and {key.id} has {key.scope}",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{scope}"'},
            needed_scope=scope,
            key_scope=key.scope,
        )
    return player


def identify_by_ticket() -> None:
    """Let the caller be who asked for the ticket in the query, as long as that key is good.

    Raises:
        Problem: ``unknown_ticket``, ``banned``.

    """
    sent = request.args.get("ticket")
    if sent is None:
        return
    selector = services().tickets.find(sent)
    key = None if selector is None else services().keys.at(selector)
    player = None if key is None else services().players.by_id(key.player)
    if player is None:
        raise Problem("unknown_ticket")
    refuse_banned(player)
    g.player, g.key = player, key


def callers_key() -> PlayerKey:
    """Return the key that ``caller`` has sent."""
    return cast(PlayerKey, g.key)


def caller_or_none() -> Player | None:
    """Return the player who asks, None if no key was sent."""
    return cast("Player | None", g.player)


def players_of(player_ids: Iterable[str | None]) -> dict[str, Player]:
    """Return those of these players that there are, by id, for the answer that names them."""
    ids = {player_id for player_id in player_ids if player_id is not None}
    found = services().players.by_ids(sorted(ids))
    return {player_id: found[player_id] for player_id in sorted(found)}


def named(player_ids: Iterable[str | None]) -> JsonObject:
    """Return what an answer says of the players whose ids it has: names, "" if none, and kinds."""
    return named_json(players_of(player_ids))


def allowance() -> int:
    """Return how many times larger than everybody's the caller's limits are."""
    settings = services().runtime.settings
    player, hosts = caller_or_none(), settings.hosts
    known = player is not None and player.id in hosts.players
    if known or (hosts.networks and within(g.address, hosts.networks)):
        return settings.host_factor
    return 1


def claimant() -> Claimant:
    """Return for whom something new counts that the caller begins; raises as ``caller``."""
    return Claimant(caller().id, g.address, allowance())


def owner_of_keys() -> str:
    """Return whose an ``Idempotency-Key`` is: the player's, or without one the address's.

    From elsewhere, the same key is another one: nobody can use up keys that somebody else chooses.
    """
    player = caller_or_none()
    return f"@{g.address}" if player is None else player.id


def language() -> str:
    """Return the language that the caller reads best: ``en`` or ``es``."""
    if "Accept-Language" not in request.headers:
        return LANGUAGES[0]
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def idempotency_key() -> str | None:
    """Return the key under which this request may be repeated safely.

    Raises:
        Problem: ``invalid_header``.

    """
    key = request.headers.get("Idempotency-Key")
    if key is not None and not _IDEMPOTENCY_KEY.match(key):
        raise invalid(
            "header",
            [field_error("Idempotency-Key", "1 to 200 printable ASCII characters, no spaces", key)],
        )
    return key
