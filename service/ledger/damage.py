"""Damage of streams. A game with a damaged stream is suspended until an operator ends the game.

The damage is stored beside the stream. Readers get the *sound part* of the stream. It has all whole
batches before the first bad event.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Event, genesis
from rules.kernel.record.game import Game, UnsoundEventError, without_damage
from service.process.fair_queue import paced

NO_SECRETS = "no_secrets"
"""The problem of a stream whose secrets are missing: nothing after them can be proved."""
UNKNOWN = "unknown_damage"
"""The problem of a game that is suspended, but whose stored damage is unreadable."""


class Damage(NamedTuple):
    """Damage: ``problem`` at the event ``seq``; (sound_seq, sound_hash) is the last sound event."""

    problem: str
    seq: int
    sound_seq: int
    sound_hash: str

    @classmethod
    def at(cls, problem: str, seq: int, game_id: str, events: Sequence[Event]) -> Self:
        """Return the damage of a game whose first bad event is ``seq``."""
        sound = sound_events(events, seq)
        head = sound[-1].hash if sound else genesis(game_id)
        return cls(problem, seq, len(sound), head.hex())

    @classmethod
    def without_secrets(cls, newest: Event) -> Self:
        """Return the damage of a game whose secrets are lost.

        ``newest`` is the game's last event.
        """
        return cls(NO_SECRETS, newest.seq + 1, newest.seq, newest.hash.hex())

    @classmethod
    def unknown_after(cls, game: Game) -> Self:
        """Return the damage of a game that is suspended although no fault is found in it."""
        return cls(UNKNOWN, game.version + 1, game.version, game.head.hex())

    @property
    def unknown(self) -> bool:
        """Whether the stored damage is unreadable; then readers locate the damage in the stream."""
        return self.problem == UNKNOWN

    def to_json(self) -> JsonObject:
        """Return the damage in its public form."""
        sound = {"seq": self.sound_seq, "hash": self.sound_hash}
        return {"problem": self.problem, "seq": self.seq, "sound": sound}

    def dump(self) -> bytes:
        """Return the damage in its stored form."""
        return orjson.dumps(self.to_json())

    @classmethod
    def load(cls, raw: bytes | None) -> Self | None:
        """Read the result of ``dump``; if it is unreadable, the damage is ``unknown``."""
        if raw is None:
            return None
        unknown = cls(UNKNOWN, 0, 0, "")
        try:
            told = orjson.loads(raw)
            seq, sound = int(told["seq"]), told["sound"]
            found = cls(str(told["problem"]), seq, int(sound["seq"]), str(sound["hash"]))
            return found if found.dump() == raw else unknown
        except (KeyError, TypeError, ValueError):
            return unknown


class GameDamagedError(RuntimeError):
    """The stream of a game is damaged, so the game is suspended."""

    def __init__(self, game_id: str, damage: Damage) -> None:
        super().__init__(
            f"{game_id} is damaged from event {damage.seq} on ({damage.problem}):"
            f" {damage.sound_seq} events are sound"
        )
        self.game_id = game_id
        self.damage = damage


def sound_events(events: Sequence[Event], seq: int) -> list[Event]:
    """Return the whole batches before the event ``seq``."""
    before = [event for event in events if event.seq < seq]
    while before and before[-1].last != before[-1].seq:
        before.pop()
    return before


def sound_part(
    game_id: str, registry: Registry, events: Sequence[Event]
) -> tuple[Game, Damage | None]:
    """Fold a game up to its first bad event; return the game and the damage, if any.

    Raises:
        UnknownRulesetError: no installed rules can play it.
    """
    counting, damage = without_damage(events), None
    while True:
        game = Game(game_id, registry)
        try:
            for event in paced(counting):
                game.take(event)
        except UnsoundEventError as unsound:
            # The failed event may have changed the game in part, so the sound part is folded anew.
            damage = Damage.at(unsound.problem, unsound.seq, game_id, counting)
            counting = sound_events(counting, unsound.seq)
        else:
            return game, damage
