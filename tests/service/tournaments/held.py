"""Tournaments without played games: a function gives the result of each game."""

from collections.abc import Callable, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import commitment
from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import (
    NO_STATE,
    Access,
    Draft,
    Event,
    Part,
    copy_for,
    genesis,
    public,
    seal,
)
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS, BotOffer
from service.tournaments import parts
from service.tournaments.course import LAST, Step, next_step
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.plan import Plan, TournamentRequest, make
from service.tournaments.tournament import Block, GameResult, Tournament

REGISTRY = Registry((*PACKAGES, "tests.sealed"))
SEED = bytes(range(32))
ID = "t07-mfrggzdfmztwq2lknnwg"
BY_HOST = ("created", "paused", "resumed", "extended", "cancelled", "withdrawn")
_STATE = encode(NO_STATE)
OFFERS = {**BOTS, "plain": BotOffer("plain", "1")}

Ranks = Callable[[Block, tuple[int, ...]], Sequence[int]]
"""Returns the ranks by seat for a game of a block, given the entries by seat."""


def plan(entries: int, format_: str, seats: int = 3, **more: Any) -> Plan:
    """Return a plan with ``entries`` bots; ``more`` are options of the format or of the plan."""
    options = {option.name for option in OPTIONS[format_]}
    chosen = {name: more.pop(name) for name in list(more) if name in options}
    asked = {
        "ruleset": "sealed",
        "seats": seats,
        "entries": [{"bot": "plain", "name": f"e{number}"} for number in range(entries)],
        "format": {"type": format_, **chosen},
        **more,
    }
    made = make(TournamentRequest.of(asked), REGISTRY, OFFERS, OPTIONS)
    format_of(made).check(made)
    return made


def by_number(_block: Block, seating: tuple[int, ...]) -> list[int]:
    """Rank entries by number, so that entry 0 always wins."""
    return [1 + sum(other < entry for other in seating) for entry in seating]


def all_equal(_block: Block, seating: tuple[int, ...]) -> list[int]:
    return [1] * len(seating)


def result(ranks: Sequence[int], failures: Sequence[list[Any]] = ()) -> GameResult:
    seats = len(ranks)
    scores = [10 * (seats - rank) for rank in ranks]
    return GameResult(1, "00" * 32, list(ranks), scores, list(failures), [0] * seats)


class Held:
    """A tournament; ``play`` ends its open blocks, the last first if ``backwards``."""

    def __init__(self, wanted: Plan, seed: bytes = SEED) -> None:
        self.tournament = Tournament(ID)
        self.seed = seed
        self.batches: list[list[Step]] = []
        chance = {"scope": ID, "commitment": commitment(ID, seed).hex()}
        part = parts.first(wanted)
        told: JsonObject = {} if part is None else {"part": part.to_json()}
        self.do("created", {"plan": wanted.to_json(), "chance": chance, **told})

    def do(self, kind: str, value: JsonObject) -> None:
        """Record one event and the automatic events after it."""
        step: Step | None = Step(kind, value)
        self.batches.append([])
        while step is not None:
            body = {step.kind: public(step.value)}
            seq = self.tournament.version + 1
            self.tournament.apply(Event(seq, step.kind, {}, f"at {seq:05d}", seq, body, b"", b""))
            self.batches[-1].append(step)
            step = next_step(self.tournament, self.seed)

    def end(self, block: Block, games: Sequence[GameResult]) -> None:
        found = [game._asdict() for game in games]
        self.do("block_ended", {"block": block.number, "games": found})

    def copies(self) -> list[JsonObject]:
        """Return the public copies of all events."""
        copies: list[JsonObject] = []
        head = genesis(ID)
        for batch in self.batches:
            drafts = [
                Draft(seq, kind, _by(kind), _body(kind, value), _STATE, ())
                for seq, (kind, value) in enumerate(batch, len(copies) + 1)
            ]
            for event in seal(drafts, {}, head, SEED, "2026-01-01T00:00:00.000Z"):
                copies.append(copy_for(None, event, head, SEED, Access(), event.seq))
                head = event.hash
        return copies

    def play(self, ranks: Ranks, *, backwards: bool = False, most: int = 100_000) -> Tournament:
        """Play until the tournament is over, or ``most`` blocks have been played."""
        tournament = self.tournament
        for _ in range(most):
            blocks = tournament.open_blocks()
            if not blocks or tournament.over:
                return tournament
            block = blocks[-1 if backwards else 0]
            seatings = block.seatings(tournament.plan.rotations)
            self.end(block, [result(ranks(block, seating)) for seating in seatings])
        return tournament


def _by(kind: str) -> JsonObject:
    return {"player": "p-host"} if kind in BY_HOST else {"service": "tournaments"}


def _body(kind: str, value: JsonObject) -> dict[str, Part]:
    body = {kind: public(value)} if value else {}
    if kind in LAST:
        body["salt"] = public({"salt_secret": SEED.hex()})
    return body


def hold(wanted: Plan, ranks: Ranks, *, backwards: bool = False, seed: bytes = SEED) -> Tournament:
    """Return a finished tournament."""
    return Held(wanted, seed).play(ranks, backwards=backwards)
