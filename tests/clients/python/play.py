"""A program of a front-end author: plays all games of a service at once, and knows no rules.

It uses the package ``lonja_client`` that openapi-python-client made from the description:

    python play.py http://127.0.0.1:8000 [RULESET ...]

A host opens private tables and invites a guest; the guest sits down, and follows all these games on
one connection. It prints a line of JSON for each game that ends: its ruleset, id, status, moves
made, effects seen, and how often the connection broke until then. Answers are noted in the file
that ``RECORD`` names, and entropy is kept in the folder ``ENTROPY``.
"""

import hashlib
import json
import os
import random
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar, assert_never
from uuid import uuid4

import httpx
from lonja_client import AuthenticatedClient, Client
from lonja_client.api.events import list_events
from lonja_client.api.games import create_game, get_game
from lonja_client.api.play import play_move, take_back
from lonja_client.api.players import create_player
from lonja_client.api.rulesets import list_rulesets
from lonja_client.api.seats import reveal_entropy, take_seat
from lonja_client.api.tables import invite
from lonja_client.models import (
    EntropyRequest,
    Event,
    EventPage,
    Game,
    GameRequest,
    GameRequestEntropyMode,
    LegalMoves,
    ListEventsIncludeItem,
    MacaoShipMovedEffect,
    MacaoView,
    ManilaPuntMovedEffect,
    ManilaView,
    MoveRequest,
    PlayerRequest,
    PlayerRequestKind,
    PlusUltraGoodShippedEffect,
    PlusUltraView,
    Problem,
    RagusaShipBoughtEffect,
    RagusaView,
    SantiagoDeCubaCarDrivenEffect,
    SantiagoDeCubaView,
    SeatRequest,
    SeatRequestHolder,
    SitRequest,
    TableRequest,
    TableRequestVisibility,
    TakeBackRequest,
)

T = TypeVar("T")
View = MacaoView | ManilaView | PlusUltraView | RagusaView | SantiagoDeCubaView
INCLUDE = [ListEventsIncludeItem(name) for name in ("effects", "words", "state", "legal_moves")]
RECORD = os.environ.get("RECORD")
ENTROPY = Path(os.environ.get("ENTROPY", "."))


def main(url: str, wanted: list[str]) -> None:
    """Play each ruleset once, as the guest of a private table, against greedy bots."""
    visitor = Client(base_url=url, httpx_args=NOTING)
    host, guest = (key_of(visitor, url, name) for name in ("Host", "Guest"))
    games = {}
    for ruleset in told(asked(partial(list_rulesets.sync, client=guest))).rulesets:
        if not wanted or ruleset.id in wanted:
            game = Followed(guest, *invited(host, ruleset.id, max(ruleset.min_seats, 2) - 1))
            games[game.id] = game
    notices = Notices(guest)
    for kind, notice in notices.messages():
        if kind == "resync":
            for game in games.values():
                game.answer()
        elif kind in {"asked", "ended"}:
            games[notice["game_id"]].answer()
        if kind == "ended":
            ended = games.pop(notice["game_id"]).summary()
            print(json.dumps({**ended, "breaks": notices.breaks}), flush=True)
        if not games:
            return


def key_of(visitor: Client, url: str, name: str) -> AuthenticatedClient:
    """Create a player, and return the key."""
    player = PlayerRequest(name=name, kind=PlayerRequestKind.BOT)
    key = told(asked(partial(create_player.sync, client=visitor, body=player))).key
    return AuthenticatedClient(base_url=url, token=key, httpx_args=NOTING)


def invited(host: AuthenticatedClient, ruleset: str, bots: int) -> tuple[str, str]:
    """Open a private table with a free seat; return its id and an invitation's token."""
    somebody = SeatRequest(holder=SeatRequestHolder.OPEN)
    bot = SeatRequest(holder=SeatRequestHolder.BOT, bot="greedy")
    private = TableRequest(visibility=TableRequestVisibility.PRIVATE)
    lenient = GameRequestEntropyMode.LENIENT
    seats = [somebody, *[bot] * bots]
    table = GameRequest(
        ruleset=ruleset, seats=seats, table=private, entropy_mode=lenient, take_back=True
    )
    opened = partial(create_game.sync, client=host, body=table, idempotency_key=str(uuid4()))
    game_id = told(asked(opened)).id
    token = told(asked(partial(invite.sync, game_id, client=host))).token
    if not isinstance(token, str):
        raise SystemExit("an invitation is told with its token")
    return game_id, token


def note(answer: httpx.Response) -> None:
    """Write an answer to the record, except streams, which are never read to their end."""
    if RECORD and "event-stream" not in answer.headers["Content-Type"]:
        path, status = answer.request.url.path, answer.status_code
        said = {"method": answer.request.method, "path": path, "status": status}
        with Path(RECORD).open("a") as record:
            record.write(json.dumps({**said, "body": json.loads(answer.read())}) + "\n")


NOTING = {"event_hooks": {"response": [note]}}


def told(answer: T | Problem | None) -> T:
    """Return an answer; raise an error if it is a problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"the service says {answer}")
    return answer


def asked(ask: Callable[[], T]) -> T:
    """Repeat a request until there is an answer; it is a read, or has an idempotency key."""
    while True:
        try:
            answer = ask()
        except httpx.TransportError:
            time.sleep(0.2)
            continue
        if not isinstance(answer, Problem) or answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return answer
        time.sleep(0.2)


def bring(game_id: str, seat: int) -> tuple[str, str]:
    """Return 32 random bytes for the luck of a game, and the commitment to them.

    They are on disk before the commitment is sent, as docs/format.md demands.
    """
    entropy = secrets.token_hex(32)
    said = json.dumps(["lonja/2", "entropy", game_id, seat, entropy], separators=(",", ":"))
    commitment = hashlib.sha256(said.encode()).hexdigest()
    with (ENTROPY / f"entropy-{commitment}").open("x") as kept:
        kept.write(entropy)
        kept.flush()
        os.fsync(kept.fileno())
    return entropy, commitment


class Followed:
    """A game of the guest, and the version up to which the guest has followed it."""

    def __init__(self, guest: AuthenticatedClient, game_id: str, token: str) -> None:
        self.id = game_id
        self._guest = guest
        self._seen = self._moves = self._effects = self._taken_back = 0
        looked = partial(get_game.sync, game_id, client=guest, invitation=token)
        table = told(asked(looked))
        if not isinstance(table, Game):
            raise SystemExit(f"a game was expected, not {table}")
        self._ruleset = table.ruleset
        entropy, commitment = bring(game_id, 0)
        sit = SitRequest(invitation=token, entropy_commitment=commitment)
        told(asked(partial(take_seat.sync, game_id, 0, client=guest, body=sit)))
        gives = EntropyRequest(entropy=entropy)
        reveal = partial(reveal_entropy.sync, game_id, 0, client=guest, body=gives)
        told(asked(partial(reveal, idempotency_key=commitment)))

    def answer(self) -> None:
        """Read what happened; if the guest has a decision, play a random legal move.

        The first move that can be taken back is taken back.
        """
        while (last := self._follow()) and isinstance(offered := last.legal_moves, LegalMoves):
            if not offered.moves:
                return
            ways_back = last.state.ways_back if last.state else []
            if ways_back and not self._taken_back:
                self._take_back(ways_back[-1])
                continue
            move = random.choice(offered.moves)
            request = MoveRequest(seat=0, expected_version=last.seq, move=move)
            key = f"{self.id}-{last.seq}"
            played = asked(
                partial(
                    play_move.sync, self.id, client=self._guest, body=request, idempotency_key=key
                )
            )
            if not isinstance(played, Problem):
                self._moves += 1
                return  # a new question comes with a new notice
            if played.code.value != "stale_version":
                raise SystemExit(f"the service says {played}")

    def _take_back(self, to: int) -> None:
        """Take back the newest move. The same request is sent until it is answered."""
        request, key = TakeBackRequest(seat=0, to=to), f"{self.id}-back-{to}"
        answer = asked(
            partial(take_back.sync, self.id, client=self._guest, body=request, idempotency_key=key)
        )
        if told(answer).events[-1].kind != "undone":
            raise SystemExit(f"an undone event was expected, not {answer}")
        self._taken_back += 1

    def _follow(self) -> Event | None:
        """Show what happened since; return the newest event, if there is one that was not shown."""
        last = None
        while True:
            page = told(
                asked(
                    partial(
                        list_events.sync,
                        self.id, client=self._guest, after=self._seen, include=INCLUDE,
                    )
                )
            )  # fmt: skip
            if not isinstance(page, EventPage):
                raise SystemExit(f"events were expected, not {page}")
            for last in page.events:
                if last.seq != self._seen + 1:
                    raise SystemExit(f"event {last.seq} came after {self._seen}")
                self._seen = last.seq
                for effect in last.effects or ():
                    self._effects += 1
                    moved(effect)
                if last.state and last.state.state is not None:
                    drawn(last.state.state)
            if page.next_after is None:
                return last

    def summary(self) -> dict[str, object]:
        """Return the result of the game."""
        ended = told(asked(partial(get_game.sync, self.id, client=self._guest)))
        if not isinstance(ended, Game):
            raise SystemExit(f"a game was expected, not {ended}")
        entropy = ended.seats[0].entropy
        return {
            "ruleset": self._ruleset,
            "id": self.id,
            "status": ended.status.value,
            "moves": self._moves,
            "taken_back": self._taken_back,
            "effects": self._effects,
            "entropy": entropy.revealed if entropy else None,
        }


def drawn(view: View) -> str:
    """Draw a state in a line of text, for each game with a member that only its states have."""
    match view:
        case SantiagoDeCubaView():
            return f"ship {view.ship_number} of {view.ships}"
        case MacaoView():
            return f"round {view.round_} of {view.rounds}: {view.display}"
        case ManilaView():
            return f"voyage {view.voyage}: {[punt.position for punt in view.punts]}"
        case PlusUltraView():
            return f"turn {view.turn}, level of war {view.war_level}"
        case RagusaView():
            return f"{len(view.walls)} walls, {view.phase.value}"
        case untyped:  # a state that no generated class could read
            assert_never(untyped)


def moved(effect: object) -> str | None:
    """Describe what a board has to animate, for one effect of each game, whose data are typed."""
    match effect:
        case SantiagoDeCubaCarDrivenEffect():
            return f"the car drives {effect.data.steps}"
        case MacaoShipMovedEffect():
            return f"the ship of {effect.data.seat} to {effect.data.space}"
        case ManilaPuntMovedEffect():
            return f"the punt of {effect.data.ware.value} by {effect.data.steps}"
        case PlusUltraGoodShippedEffect():
            return f"{effect.data.good.value} to {effect.data.destination.value}"
        case RagusaShipBoughtEffect():
            return f"ship {effect.data.ship.value} from slot {effect.data.slot}"
    return None


class Notices:
    """The notices of a player, in order and once; an interrupted stream is resumed."""

    def __init__(self, client: AuthenticatedClient) -> None:
        self._http = client.get_httpx_client()
        self._last = ""
        self.breaks = 0

    def messages(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield the type and the data of each message, for ever."""
        while True:
            try:
                for fields in self._blocks():
                    self._last = fields.get("id", self._last)
                    yield fields.get("event", "message"), json.loads(fields["data"])
            except httpx.TransportError:
                self.breaks += 1
            time.sleep(0.2)

    def _blocks(self) -> Iterator[dict[str, str]]:
        seen = {"Last-Event-ID": self._last} if self._last else {}
        url = "/v1/players/me/stream"
        with self._http.stream("GET", url, headers=seen, timeout=30) as answer:
            if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
                return
            answer.raise_for_status()
            fields: dict[str, str] = {}
            for line in answer.iter_lines():
                name, colon, value = line.partition(": ")
                if name and colon:
                    fields[name] = value
                elif not line and "data" in fields:
                    yield fields
                    fields = {}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
