"""A game in this process, without Redis; its events and proofs are like those of the service."""

import hashlib
from collections.abc import Callable

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat, by_seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.events import Event, copy_for, genesis
from rules.kernel.record.game import Game
from rules.kernel.record.secrets import Secrets
from service import clock

GAME_ID = "g00-local"
Act = Callable[[Batch], None]


class LocalGame:
    """A folded game and its events. Equal seeds and moves give games that differ only in times."""

    def __init__(self, registry: Registry, seed: str, game_id: str = GAME_ID) -> None:
        self.game = Game(game_id, registry)
        self.events: list[Event] = []
        self.now = clock.now
        """Returns the present time; tests replace it."""
        self.secrets = Secrets(_secret(seed, "salt"), _secret(seed, "chance"))

    def change(self, act: Act) -> Batch:
        """Record the events of ``act`` as one batch; if it raises, the game stays unchanged."""
        batch = Batch(self.game, self.secrets, self.now())
        act(batch)
        events = batch.seal()
        for event in events:
            self.game.apply(event)
        self.events += events
        return batch

    def copies(self, viewer: Seat | None = None) -> list[JsonObject]:
        """Return the current record as ``viewer`` sees it."""
        prev_hash = genesis(self.game.id)
        seen = []
        for event in self.events:
            seen.append(
                copy_for(
                    viewer, event, prev_hash, self.secrets.salt, self.game.access,
                    self.game.version,
                )
            )  # fmt: skip
            prev_hash = event.hash
        return seen


def start(
    registry: Registry,
    ruleset: str,
    holders: list[JsonObject],
    options: JsonObject,
    seed: str,
    clock: JsonObject | None = None,
    *,
    take_back: bool = False,
) -> LocalGame:
    """Open a table and fill all seats; ``take_back`` says whether moves can be taken back."""
    local = LocalGame(registry, seed)
    by: JsonObject = {"player": "local"}

    def act(batch: Batch) -> None:
        batch.create(ruleset, len(holders), options, by, clock=clock, take_back=take_back)
        for seat, holder in by_seat(holders):
            batch.sit(seat, holder, by)

    local.change(act)
    return local


def _secret(seed: str, what: str) -> bytes:
    return hashlib.sha256(f"lonja {what} {seed}".encode()).digest()
