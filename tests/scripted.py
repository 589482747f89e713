"""Stores whole games in a ledger, from this process, without HTTP."""

import random
import secrets
from collections.abc import Callable, Iterator

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat, all_seats
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import Secrets
from service import clock, ids
from service.ledger.ledger import obligations
from service.ledger.store import Store

HOLDER: JsonObject = {"player": "p-benchmarkbenchma"}


Choose = Callable[[Game, Seat], JsonObject]


def _at_random(rng: random.Random) -> Choose:
    return lambda game, seat: rng.choice(game.ruleset.legal_moves(game.state, seat)).to_json()


def stalling(game: Game, seat: Seat) -> JsonObject:
    """Play Santiago de Cuba without ending it: keep the value marker from moving right."""
    for move in game.ruleset.legal_moves(game.state, seat):
        data: JsonObject = move.to_json()
        if data.get("direction") == "left" or data == {
            "type": "move_pawn",
            "building": "port_office",
        }:
            return data
    default: JsonObject = game.ruleset.default_move(game.state, seat).to_json()
    return default


class Script:
    """A game that was played in memory: its batches can be made again by requests.

    ``moves`` has for each decision the seat, the move, the version that it answers, and the number
    of events that it causes. A game with a ``name`` always has the same id and luck; other games
    have new ones. ``holder`` opens the game, and ``seated``, by default the same, holds all seats.
    """

    def __init__(
        self,
        registry: Registry,
        ruleset: str,
        seats: int,
        seed: int,
        choose: Choose | None = None,
        holder: JsonObject = HOLDER,
        name: str | None = None,
        seated: JsonObject | None = None,
        options: JsonObject | None = None,
    ) -> None:
        if name is None:
            self.id = ids.new_game_id()
            self.secrets = Secrets(secrets.token_bytes(32), secrets.token_bytes(32))
        else:
            self.id = ids.game_id_for(ruleset, name)
            self.secrets = Secrets(digest(f"{name} salt".encode()), digest(f"{name} luck".encode()))
        self.registry = registry
        self._choose = choose or _at_random(random.Random(seed))
        self._table = ruleset, seats, holder, seated or holder
        self._options = options or {}
        self.moves: list[tuple[int, JsonObject, int, int]] = []

    def opening(self) -> Batch:
        """Return the first batch, with the present time."""
        ruleset, seats, holder, seated = self._table
        batch = Batch(Game(self.id, self.registry), self.secrets, clock.now())
        batch.create(ruleset, seats, self._options, holder)
        for seat in all_seats(seats):
            batch.sit(seat, seated, holder)
        return batch

    def play(self, version: int | None = None) -> Iterator[Batch]:
        """Yield the opening batch, then one for each move up to ``version``, not sealed yet."""
        batch = self.opening()
        while True:
            yield batch
            game = batch.game
            if game.over or (version is not None and game.version >= version):
                return
            seat = min(game.asked)
            move = self._choose(game, seat)
            batch = Batch(game, self.secrets, clock.now())
            batch.move(seat, move, {"seat": seat})
            self.moves.append((seat, move, game.version, batch.game.version - game.version))

    def rehearse(self, moves: int) -> list[tuple[int, JsonObject, int, int]]:
        """Play some moves in memory only, and return them."""
        for batch in self.play():
            batch.seal()
            if len(self.moves) >= moves:
                break
        return self.moves[:moves]

    def open_in(self, store: Store) -> None:
        """Store the opening batch, so that the rehearsed moves can be made again."""
        opening = self.opening()
        store.append(
            self.id, 0, opening.base_hash, opening.seal(), obligations(opening.game),
            secrets=self.secrets,
        )  # fmt: skip

    def store(self, store: Store, version: int | None = None) -> Game:
        """Play into ``store`` and return the game as it is then."""
        *_, last = self.steps(store, version)
        return last

    def steps(self, store: Store, version: int | None = None) -> Iterator[Game]:
        """Play into ``store``, and yield the game after its opening and after each move."""
        for batch in self.play(version):
            events = batch.seal()
            first = events[0].seq == 1
            store.append(
                self.id, events[0].seq - 1, batch.base_hash, events, obligations(batch.game),
                secrets=self.secrets if first else None,
            )  # fmt: skip
            yield batch.game
