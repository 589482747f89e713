"""Tournaments that are held without games: a function says how each one ends."""

from collections.abc import Callable, Sequence
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.events import Event, public
from rules.registry import PACKAGES, Registry
from service.bots import BOTS, BotOffer
from service.tournaments import plan as plans
from service.tournaments.course import Step, next_step
from service.tournaments.formats import OPTIONS, format_of
from service.tournaments.plan import Plan
from service.tournaments.tournament import Block, GameResult, Tournament

REGISTRY = Registry((*PACKAGES, "tests.sealed"))
SEED = bytes(range(32))
ID = "t07-mfrggzdfmztwq2lknnwg"
OFFERS = {**BOTS, "plain": BotOffer("plain", "1")}

Ranks = Callable[[Block, tuple[int, ...]], Sequence[int]]
"""The ranks of the seats, of a block whose entries are seated so."""


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
    made = plans.make(asked, REGISTRY, OFFERS, OPTIONS)
    format_of(made).check(made)
    return made


def by_number(_block: Block, seating: tuple[int, ...]) -> list[int]:
    """Whoever has the lower number is ahead: entry 0 always wins."""
    return [1 + sum(other < entry for other in seating) for entry in seating]


def all_equal(_block: Block, seating: tuple[int, ...]) -> list[int]:
    return [1] * len(seating)


def result(ranks: Sequence[int], failures: Sequence[list[Any]] = ()) -> GameResult:
    seats = len(ranks)
    scores = [10 * (seats - rank) for rank in ranks]
    return GameResult(1, "00", list(ranks), scores, list(failures), [0] * seats)


class Held:
    """A tournament; ``play`` ends its open blocks, the last first if ``backwards``."""

    def __init__(self, wanted: Plan, seed: bytes = SEED) -> None:
        self.tournament = Tournament(ID)
        self.seed = seed
        self.steps: list[Step] = []
        chance = {"scope": ID, "commitment": ""}
        self.do("created", {"plan": wanted.to_json(), "chance": chance})

    def do(self, kind: str, value: JsonObject) -> None:
        """Record one event and what follows by itself."""
        step: Step | None = Step(kind, value)
        while step is not None:
            body = {step.kind: public(step.value)}
            seq = self.tournament.version + 1
            self.tournament.apply(Event(seq, step.kind, {}, f"at {seq:05d}", seq, body, b"", b""))
            self.steps.append(step)
            step = next_step(self.tournament, self.seed)

    def end(self, block: Block, games: Sequence[GameResult]) -> None:
        found = [game._asdict() for game in games]
        self.do("block_ended", {"block": block.number, "games": found})

    def play(self, ranks: Ranks, *, backwards: bool = False, most: int = 100_000) -> Tournament:
        """Play until it is over, or ``most`` blocks have been played."""
        tournament = self.tournament
        for _ in range(most):
            blocks = tournament.open_blocks()
            if not blocks or tournament.over:
                return tournament
            block = blocks[-1 if backwards else 0]
            seatings = block.seatings(tournament.plan.rotations)
            self.end(block, [result(ranks(block, seating)) for seating in seatings])
        return tournament


def hold(wanted: Plan, ranks: Ranks, *, backwards: bool = False, seed: bytes = SEED) -> Tournament:
    """Return a tournament that was held to its end."""
    return Held(wanted, seed).play(ranks, backwards=backwards)
