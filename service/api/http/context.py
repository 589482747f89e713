"""Who asks, in which language, and what the answer is made with."""

import hmac
import re
from dataclasses import dataclass
from typing import cast

from flask import current_app, g, request

from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.registry import UnknownRulesetError
from service.addresses import Addresses, within
from service.administration.acts import Administration
from service.administration.keys import AdminKey, AdminKeys
from service.api.http.at_work import AtWork
from service.api.http.cursors import Cursors
from service.api.http.responses import Made
from service.games.admission import Admission, Claimant
from service.games.bans import Bans
from service.games.listing import GameList
from service.games.live import Hub
from service.games.players import KEY_PREFIX, Player, Players
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError
from service.ledger.terms import PRIVATE, Terms
from service.problems import Problem, field_error, invalid
from service.runtime import Runtime
from service.upkeep.gauges import Gauges

ADMIN_PATHS = "/v1/admin/"
"""How the paths begin for which admins have keys, and only they."""
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,200}\Z")


@dataclass(frozen=True, slots=True)
class Services:
    """All that the resources use; there is one for each application."""

    runtime: Runtime
    players: Players
    bans: Bans
    admin_keys: AdminKeys
    administration: Administration
    games: GameList
    cursors: Cursors
    hub: Hub
    addresses: Addresses
    admission: Admission
    at_work: AtWork
    gauges: Gauges
    documents: dict[str, Made]
    """What is the same for everybody, by an ETag of what it follows from."""


def services() -> Services:
    """Return what this application was made with."""
    return cast(Services, current_app.extensions["lonja"])


def locate() -> None:
    """Find out for which address a request counts."""
    g.address = services().addresses.of(
        request.environ.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", "")
    )


def identify() -> None:
    """Find out who asks, by key. Unknown keys are refused once they are counted."""
    g.player = g.admin = None
    g.unknown_key = False
    if request.method == "OPTIONS" or not request.path.startswith("/v1"):
        return
    header = request.headers.get("Authorization")
    if header is None:
        return
    scheme, _, sent = header.partition(" ")
    key = sent.strip() if scheme.lower() == "bearer" else ""
    if not request.path.startswith(ADMIN_PATHS):
        g.player = services().players.by_key(key)
        g.unknown_key = g.player is None
    elif not key.startswith(KEY_PREFIX):  # else ``admin`` tells that it is of no use here
        g.admin = services().admin_keys.by_key(key)
        g.unknown_key = g.admin is None


def refuse_keys() -> None:
    """Refuse a key that nobody has, or that a banned player has.

    Raises:
        Problem: ``unknown_key``, ``banned``.

    """
    if g.unknown_key:
        raise Problem("unknown_key", headers={"WWW-Authenticate": "Bearer"})
    if g.player is not None:
        refuse_banned(g.player)


def refuse_banned(player: Player) -> None:
    """Raise Problem (``banned``) if the player is."""
    since = services().bans.since(player.id)
    if since is not None:
        raise Problem("banned", f"{player.id} is banned since {since}", since=since)


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


def caller() -> Player:
    """Return the player who asks.

    Raises:
        Problem: ``key_required``.

    """
    player = caller_or_none()
    if player is None:
        raise Problem("key_required", headers={"WWW-Authenticate": "Bearer"})
    return player


def identify_by_ticket() -> None:
    """Find out for whom the ticket in the query stands, if there is one.

    Raises:
        Problem: ``unknown_ticket``, ``banned``.

    """
    ticket = request.args.get("ticket")
    if ticket is not None:
        player = services().players.by_ticket(ticket)
        if player is None:
            raise Problem("unknown_ticket")
        refuse_banned(player)
        g.player = player


def need_seen(game_id: str) -> None:
    """Raise GameNotFoundError if a table is not there for the caller, who may bring an invitation.

    So a private one answers others as if there were none. Whatever is about a game comes by here.
    """
    runtime = services().runtime
    ledger, guests = runtime.ledger, runtime.tables.guests
    player = caller_or_none()
    try:
        if ledger.terms(ledger.table(game_id, at_least=0).game).visibility != PRIVATE:
            return
        game = ledger.table(game_id).game
    except (GameDamagedError, UnknownRulesetError):  # lists still say who plays there
        private = Terms.of(runtime.redis, game_id).visibility == PRIVATE
        if private and not services().games.is_of(game_id, player.id if player else None):
            raise GameNotFoundError(game_id) from None
        return
    if guests.may_see(game, ledger.terms(game), None if player is None else player.id):
        return
    header, body = request.headers.get("Invitation"), g.get("body")
    sent = body.get("invitation") if isinstance(body, dict) else None
    may_look = header is not None and guests.opens(game, header)
    if not may_look and (sent is None or guests.knows(game, sent) is None):
        raise GameNotFoundError(game_id)


def caller_or_none() -> Player | None:
    """Return the player who asks, None if no key was sent."""
    return cast("Player | None", g.player)


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
