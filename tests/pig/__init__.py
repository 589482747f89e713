"""Pig, the dice game: roll as often as you dare, and hold before the die shows a 1.

A whole game outside the project, made by CONTRIBUTING.md, "Adding a game", and nothing else: the
contract suite holds it to what it holds the others to.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, Random
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.fields import Integer
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import (
    Chanced,
    Decision,
    Finished,
    GeneralChecks,
    Option,
    Result,
    Ruleset,
    RulesetInfo,
    Standing,
    Turn,
)
from rules.kernel.toolbox.standings import ranks

EDITION = Edition.load(__name__)
TARGET: int = EDITION.tables["target"]
FACES: int = EDITION.tables["faces"]
PIG: int = EDITION.tables["pig"]
TURNS: int = EDITION.tables["turns"]
CHOOSE, ROLLING, OVER = "choose", "rolling", "over"


class State:
    """The score sheet, and the turn that is being played."""

    __slots__ = ("phase", "rolls", "scores", "seat", "target", "total", "turns")

    def __init__(self, seats: int, target: int) -> None:
        self.target = target
        self.phase = CHOOSE
        self.seat = 0
        self.total = 0
        """What this turn has brought so far."""
        self.turns = 0
        """How many turns have ended."""
        self.scores = [0] * seats
        self.rolls = [0] * seats

    def copy(self) -> Self:
        new = object.__new__(type(self))
        new.target, new.phase, new.seat = self.target, self.phase, self.seat
        new.total, new.turns = self.total, self.turns
        new.scores, new.rolls = self.scores[:], self.rolls[:]
        return new

    def to_json(self) -> JsonObject:
        return {
            "target": self.target, "phase": self.phase, "seat": self.seat, "total": self.total,
            "turns": self.turns, "scores": self.scores[:], "rolls": self.rolls[:],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        new = object.__new__(cls)
        for name, value in data.items():
            setattr(new, name, value[:] if isinstance(value, list) else value)
        return new


# The sequence of play


def show(state: State, face: int, log: EffectLog | None) -> None:
    """Count what the die shows; a 1 ends the turn with nothing, the target ends the game."""
    seat = state.seat
    if face == PIG:
        if log:
            log.add("lost", seat=seat, face=face)
        end_turn(state)
        return
    state.total += face
    state.phase = CHOOSE
    if log:
        log.add("rolled", seat=seat, face=face, total=state.total)
    if state.scores[seat] + state.total >= state.target:
        hold(state, log)


def hold(state: State, log: EffectLog | None) -> None:
    """Keep what the turn brought."""
    state.scores[state.seat] += state.total
    if log:
        log.add("held", seat=state.seat, total=state.total, score=state.scores[state.seat])
    end_turn(state)


def end_turn(state: State) -> None:
    """Pass the die on, unless somebody has won or all turns are over."""
    state.total = 0
    state.turns += 1
    won = state.scores[state.seat] >= state.target
    state.seat = (state.seat + 1) % len(state.scores)
    state.phase = OVER if won or state.turns == TURNS else CHOOSE


# Moves


@dataclass(frozen=True, slots=True)
class Roll(Move[State]):
    """Roll the die."""

    type = "roll"

    @classmethod
    def legal(cls, state: State, seat: int) -> "list[Roll]":
        return _ROLL

    def check(self, state: State, seat: int) -> None:
        """Nothing more to ask: who is asked may roll."""

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.rolls[seat] += 1
        state.phase = ROLLING


@dataclass(frozen=True, slots=True)
class Hold(Move[State]):
    """Keep what the turn brought, and pass the die on."""

    type = "hold"

    @classmethod
    def legal(cls, state: State, seat: int) -> "list[Hold]":
        return _HOLD if state.total else []

    def check(self, state: State, seat: int) -> None:
        if not state.total:
            raise IllegalMove("nothing_to_hold", "this turn has brought 0 points", total=0)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        hold(state, log)


_ROLL, _HOLD = [Roll()], [Hold()]
_FINISHED = Finished()


@cache
def _choosing(seat: int) -> Decision:
    return Decision("roll_or_hold", (seat,))


class Pig(Ruleset[State]):
    """Roll, or hold."""

    info: ClassVar = RulesetInfo(
        id="pig",
        version="1.0.0",
        plays=("1.0.0",),
        title=EDITION.tables["name"],
        designer=EDITION.tables["designer"],
        year=EDITION.tables["year"],
        min_seats=2,
        max_seats=4,
        max_decisions=TURNS * (TARGET // 2 + 1),
        max_events=TURNS * (TARGET + 2) + 4,  # each roll is a move and a draw; all may resign
        options=(Option("target", TARGET, Integer(10, 1000), "How many points win."),),
    )
    data: ClassVar = EDITION
    labels: ClassVar = Labels(load_labels(__name__))
    move_types: ClassVar = (Roll, Hold)
    effect_types: ClassVar = ("rolled", "lost", "held")
    error_codes: ClassVar = (
        "game_over", "unknown_move", "malformed_move", "wrong_phase", "not_asked",
        "nothing_to_hold",
    )  # fmt: skip
    end_reasons: ClassVar = ("target_reached", "turns_over")
    general_checks: ClassVar = GeneralChecks(
        "game_over", "unknown_move", "malformed_move", "wrong_phase", "not_asked",
        order=("over", "unknown", "malformed", "phase", "seat"),
    )  # fmt: skip

    def initial(self, seats: int, options: JsonObject) -> State:
        return State(seats, options["target"])

    def turn(self, state: State) -> Turn:
        if state.phase == CHOOSE:
            return _choosing(state.seat)
        if state.phase == OVER:
            return _FINISHED
        # a seat's fifth roll is its fifth roll, whatever the others did
        return Chance(f"die/seat_{state.seat}", state.rolls[state.seat], (FACES,))

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return (Roll, Hold) if state.phase == CHOOSE else ()

    def default_move(self, state: State, seat: int) -> Move[State]:
        return _HOLD[0] if state.total else _ROLL[0]

    def chance(self, state: State, event: Chanced, log: EffectLog | None) -> None:
        show(state, event.picks[0] + 1, log)

    def copy(self, state: State) -> State:
        return state.copy()

    def to_json(self, state: State) -> JsonObject:
        return state.to_json()

    def from_json(self, data: JsonObject) -> State:
        return State.from_json(data)

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return {
            "viewer": viewer,
            "target": state.target,
            "phase": state.phase,
            "seat": state.seat,
            "total": state.total,
            "turns": state.turns,
            "scores": state.scores[:],
            "rolls": state.rolls[:],
        }

    def information(self, state: State, seat: int) -> JsonObject:
        return self.view(state, seat)  # nothing is hidden

    def determinize(self, information: JsonObject, rng: Random) -> State:
        return State.from_json({n: v for n, v in information.items() if n != "viewer"})

    def result(self, state: State) -> Result:
        reason = "target_reached" if max(state.scores) >= state.target else "turns_over"
        places = ranks(state.scores)
        return Result(
            reason,
            tuple(
                Standing(f"seat:{seat}", rank, score, {"score": score})
                for seat, (rank, score) in enumerate(zip(places, state.scores, strict=True))
            ),
        )

    def heuristic(self, state: State, seat: int) -> float:
        """Hold at 20, or when it wins (Neller and Presser, "Optimal Play of the Dice Game Pig")."""
        mine = state.scores[seat] - max(s for i, s in enumerate(state.scores) if i != seat)
        return mine + (min(state.total, 20) * 0.9 if state.seat == seat else 0.0)

    def violations(self, state: State) -> list[str]:
        found = [
            f"seat {s} has {score} points" for s, score in enumerate(state.scores) if score < 0
        ]
        if state.phase == OVER and state.total:
            found.append(f"{state.total} points are left of the last turn")
        return found

    def draw_board(self, view: JsonObject, language: str) -> str:
        text = self.labels.text
        lines = [
            text("board.seat", language, seat=seat, score=score)
            for seat, score in enumerate(view["scores"])
        ]
        if view["phase"] != OVER:
            lines.append(text("board.turn", language, seat=view["seat"], total=view["total"]))
        return "\n".join(lines)


RULESET = Pig()
