"""Notifications: what a browser shows of a notice, and whether it still concerns the player.

A notification names the game and its table, and says what waits for the player. No move is in it,
and nothing that only some players see.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.record.game import LOBBY, RUNNING, Game
from rules.kernel.record.instants import to_ms
from service.ledger.damage import GameDamagedError
from service.ledger.ledger import GameNotFoundError, Ledger, RewoundError
from service.ledger.notices import ASKED, CLOCK_LOW, INVITED, STARTED, StoredNotice
from service.ledger.vault import VaultError
from service.live.messages import UnfitMessageError, read
from service.webhooks.push import encrypted, padded
from service.webhooks.subscriptions import PushSubscription

PAUSE_MS = 5_000
"""Time for which a notice waits: who is at the table has often answered by then."""
SOON_SECONDS = 3_600
"""A message whose time is shorter than this is urgent: a sleeping device is woken for it."""
MAX_SECONDS, MIN_SECONDS = 3 * 24 * 3_600, 60
"""Time for which a push service keeps a message for a browser that is not reached."""

_TEXTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        ASKED: {"en": "It is your turn.", "es": "Es tu turno."},
        CLOCK_LOW: {"en": "Your time is running out.", "es": "Se te acaba el tiempo."},
        STARTED: {"en": "Your game has begun.", "es": "Tu partida ha empezado."},
        INVITED: {"en": "A seat is kept for you.", "es": "Hay un asiento reservado para ti."},
    }
)


class GameNotification(NamedTuple):
    """A notification about a game: its text by language, and its time to live in ``seconds``."""

    game: str
    texts: Mapping[str, JsonObject]
    seconds: int

    def message(self, to: PushSubscription) -> tuple[Mapping[str, str], bytes]:
        """Return the headers and the body of the message to a browser.

        At the push service, it replaces an older message about the same game. The push service
        cannot tell which game that is.
        """
        topic = hmac.digest(to.auth, self.game.encode(), "sha256")[:16]
        headers = {
            "TTL": str(self.seconds),
            "Urgency": "high" if self.seconds < SOON_SECONDS else "normal",
            "Topic": urlsafe_b64encode(topic).decode().rstrip("="),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
        }
        text = padded(orjson.dumps(self.texts[to.language]))
        return headers, encrypted(text, to.public_key, to.auth)


class Notifications:
    """Makes notifications of the notices about the games of a ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def of(self, notice: StoredNotice, player_id: str, now: int) -> GameNotification | None:
        """Return the notification of a player's notice at ``now`` (ms since 1970).

        Return None if there is none, or no longer: the player has answered, for example.
        """
        if notice.kind not in _TEXTS:
            return None
        try:
            body = read(notice)
            game = self._ledger.table(body["game_id"]).game
            title = self._ledger.terms(game).title
        except (
            GameDamagedError, GameNotFoundError, RewoundError, UnfitMessageError,
            UnknownRulesetError, VaultError,
        ):  # fmt: skip
            return None
        if not _holds(notice.kind, body, game, player_id):
            return None
        names = game.ruleset.info.title
        texts = {
            language: {
                "title": f"{names[language]} – {title}" if title else names[language],
                "body": text,
                "lang": language,
                "game": game.id,
            }
            for language, text in _TEXTS[notice.kind].items()
        }
        deadline = body.get("deadline")
        left = MAX_SECONDS if deadline is None else (to_ms(deadline) - now) // 1_000
        return GameNotification(game.id, texts, max(MIN_SECONDS, min(left, MAX_SECONDS)))


def newest(found: Sequence[StoredNotice]) -> set[str]:
    """Return the ids of the notices after which none is about the same seat of the same game."""
    last: dict[tuple[object, object], str] = {}
    for notice in found:
        if notice.kind not in _TEXTS:
            continue
        try:
            body = read(notice)
        except UnfitMessageError:
            continue
        last[body["game_id"], body["seat"]] = notice.id
    return {*last.values()}


def _holds(kind: str, body: JsonObject, game: Game, player_id: str) -> bool:
    """Whether what a notice says is still so, and all that is to be said."""
    seat = Seat(body["seat"])
    if kind == INVITED:
        return game.status == LOBBY and game.seats[seat].holder is None
    if kind == STARTED:
        is_asked = any(game.seats[asked].holder == {"player": player_id} for asked in game.asked)
        return game.status == RUNNING and not is_asked
    return not game.suspended_at and game.asked.get(seat) == body["decision"]
