"""A stranger's program: plays every game that a service hosts, knowing no rule of any.

It knows what openapi-python-client made of the description, as the package ``lonja_client``:

    python play.py http://127.0.0.1:8000 [RULESET ...]

It prints a line of JSON for each game: its ruleset, id, status, moves made, effects seen and
breaks of the stream that were mended.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from http import HTTPStatus
from typing import TypeVar, assert_never
from uuid import uuid4

import httpx
from lonja_client import AuthenticatedClient, Client
from lonja_client.api.games import create_game, get_game
from lonja_client.api.play import play_move
from lonja_client.api.players import create_player
from lonja_client.api.rulesets import list_rulesets
from lonja_client.models import (
    Event,
    GameRequest,
    LegalMoves,
    MacaoView,
    ManilaView,
    MoveRequest,
    PlayerRequest,
    PlusUltraView,
    Problem,
    RagusaView,
    SantiagoDeCubaView,
    SeatRequest,
    SeatRequestHolder,
)

T = TypeVar("T")
View = MacaoView | ManilaView | PlusUltraView | RagusaView | SantiagoDeCubaView
INCLUDE = "effects,words,state,legal_moves"


def main(url: str, wanted: list[str]) -> None:
    """Play each ruleset once, against as many greedy bots as it needs."""
    visitor = Client(base_url=url)
    robot = PlayerRequest(name="Robot")
    key = told(asked(partial(create_player.sync, client=visitor, body=robot))).key
    me = AuthenticatedClient(base_url=url, token=key)
    for ruleset in told(asked(partial(list_rulesets.sync, client=visitor))).rulesets:
        if not wanted or ruleset.id in wanted:
            print(json.dumps(play(me, ruleset.id, max(ruleset.min_seats, 2) - 1)), flush=True)


def told(answer: T | Problem | None) -> T:
    """Return an answer that is no problem."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"the service says {answer}")
    return answer


def asked(ask: Callable[[], T]) -> T:
    """Ask until there is an answer: what reads, or has a key of its own, may be sent again."""
    while True:
        try:
            answer = ask()
        except httpx.TransportError:
            time.sleep(0.2)
            continue
        if not isinstance(answer, Problem) or answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return answer
        time.sleep(0.2)


def play(me: AuthenticatedClient, ruleset: str, bots: int) -> dict[str, object]:
    """Play one game to its end; every move is a chance one of those that the stream offers."""
    mine = SeatRequest(holder=SeatRequestHolder.ME)
    bot = SeatRequest(holder=SeatRequestHolder.BOT, bot="greedy")
    table = GameRequest(ruleset=ruleset, seats=[mine, *[bot] * bots])
    opened = partial(create_game.sync, client=me, body=table, idempotency_key=str(uuid4()))
    game_id = told(asked(opened)).id
    stream, moves, effects = Stream(me, game_id), 0, 0
    for event in stream.events():
        effects += len(event.effects or ())
        if event.state and event.state.state:
            drawn(event.state.state)
        offered = event.legal_moves
        if event.seq == event.last and isinstance(offered, LegalMoves) and offered.moves:
            request = MoveRequest(
                seat=0, expected_version=event.seq, move=random.choice(offered.moves)
            )
            key = f"{game_id}-{event.seq}"
            move = partial(play_move.sync, game_id, client=me, body=request, idempotency_key=key)
            answer = asked(move)
            if not isinstance(answer, Problem):
                moves += 1
            elif answer.code.value != "stale_version":
                raise SystemExit(f"the service says {answer}")
    ended = told(asked(partial(get_game.sync, game_id, client=me)))
    return {
        "ruleset": ruleset,
        "id": game_id,
        "status": ended.status.value,
        "moves": moves,
        "effects": effects,
        "breaks": stream.breaks,
    }


def drawn(view: View) -> str:
    """Draw a state in a line of text; each game shows something that only it has."""
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
        case untyped:  # what no class of the generated ones could read
            assert_never(untyped)


class Stream:
    """A game's events, each once and in order; a stream that breaks is taken up again."""

    def __init__(self, client: AuthenticatedClient, game_id: str) -> None:
        self._http = client.get_httpx_client()
        self._url = f"/v1/games/{game_id}/stream?include={INCLUDE}"
        self._last = 0
        self.breaks = 0

    def events(self) -> Iterator[Event]:
        """Yield the events until the game is over."""
        while True:
            try:
                for fields in self._messages():
                    kind = fields.get("event", "message")
                    if kind == "end":
                        return
                    if kind != "message":
                        break
                    event = Event.from_dict(json.loads(fields["data"]))
                    if event.seq != self._last + 1:
                        raise SystemExit(f"event {event.seq} came after {self._last}")
                    self._last = event.seq
                    yield event
            except httpx.TransportError:
                self.breaks += 1
            time.sleep(0.2)

    def _messages(self) -> Iterator[dict[str, str]]:
        seen = {"Last-Event-ID": str(self._last)}
        with self._http.stream("GET", self._url, headers=seen, timeout=30) as answer:
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
