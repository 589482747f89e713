"""Pig, the dice game: roll as often as you dare, and hold before the die shows a 1.

A whole game that was written with only docs/games.md; it keeps the same laws as the project's
games.
"""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    FINISHED,
    Chance,
    ChanceEvent,
    Decision,
    Edition,
    EffectLog,
    Effects,
    ErrorCode,
    GameState,
    GeneralChecks,
    Integer,
    Labels,
    Move,
    Option,
    Piece,
    PlaceNumber,
    Random,
    Refusal,
    Result,
    Ruleset,
    RulesetInfo,
    Seat,
    Standing,
    Turn,
    load_labels,
    next_seat,
    plain,
)  # fmt: skip
from rules.kernel.toolbox.standings import ranks

EDITION = Edition.load(__name__)
TARGET: int = EDITION.tables["target"]
FACES: int = EDITION.tables["faces"]
PIG: int = EDITION.tables["pig"]
TURNS: int = EDITION.tables["turns"]
CHOOSE, ROLLING, OVER = "choose", "rolling", "over"
FIRST = Seat(0)


@dataclass(slots=True)
class State(GameState):
    """The score sheet, and the turn that is being played."""

    target: int
    scores: list[int]
    rolls: list[int]
    seat: Seat = FIRST
    total: int = 0
    """The points of this turn so far."""
    turns: int = 0
    """The number of turns that have ended."""

    def to_json(self, piece: Piece = plain) -> JsonObject:
        data = GameState.to_json(self)
        del data["decider"]  # it follows from the turn and the die
        return data


# The sequence of play

_SEAT: PlaceNumber[Seat] = PlaceNumber(4, 0)
_POINTS = Integer(0, 10_000)
EFFECTS = Effects()
ROLLED = EFFECTS.declare("rolled", seat=_SEAT, face=Integer(1, FACES), total=_POINTS)
LOST = EFFECTS.declare("lost", seat=_SEAT, face=Integer(1, FACES))
HELD = EFFECTS.declare("held", seat=_SEAT, total=_POINTS, score=_POINTS)


def show(state: State, face: int, log: EffectLog | None) -> None:
    """Add the face of the die; a 1 ends the turn without points, the target ends the game."""
    seat = state.seat
    if face == PIG:
        LOST.tell(log, seat=seat, face=face)
        end_turn(state)
        return
    state.total += face
    state.phase = CHOOSE
    ROLLED.tell(log, seat=seat, face=face, total=state.total)
    if state.scores[seat] + state.total >= state.target:
        hold(state, log)


def hold(state: State, log: EffectLog | None) -> None:
    """Keep what the turn brought."""
    state.scores[state.seat] += state.total
    HELD.tell(log, seat=state.seat, total=state.total, score=state.scores[state.seat])
    end_turn(state)


def end_turn(state: State) -> None:
    """Pass the die on, unless somebody has won or all turns are over."""
    state.total = 0
    state.turns += 1
    won = state.scores[state.seat] >= state.target
    state.seat = next_seat(state.seat, len(state.scores))
    state.phase = OVER if won or state.turns == TURNS else CHOOSE


# Moves


class Error(ErrorCode):
    """The errors of Pig."""

    GAME_OVER = "game_over", "the game is over"
    UNKNOWN_MOVE = "unknown_move", "there is no such move"
    MALFORMED_MOVE = "malformed_move", "the move has a parameter too many"
    WRONG_PHASE = "wrong_phase", "this move is not for now"
    NOT_ASKED = "not_asked", "you are not asked"
    NOTHING_TO_HOLD = "nothing_to_hold", "this turn has brought {total} points"


class Roll(Move[State], type="roll"):
    """Roll the die."""

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.rolls[seat] += 1
        state.phase = ROLLING


class Hold(Move[State], type="hold"):
    """Keep what the turn brought, and pass the die on."""

    def refusal(self, state: State, seat: Seat) -> Refusal | None:
        return None if state.total else Error.NOTHING_TO_HOLD.of(total=0)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        hold(state, log)


@cache
def _choosing(seat: Seat) -> Decision:
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
        max_events=TURNS * (TARGET + 2) + 4,  # each roll is a move and a draw; all seats may resign
        options=(Option("target", TARGET, Integer(10, 1000), "How many points win."),),
    )
    data: ClassVar = EDITION
    labels: ClassVar = Labels(load_labels(__name__))
    move_types: ClassVar = (Roll, Hold)
    state_type: ClassVar = State
    effects: ClassVar = EFFECTS
    errors: ClassVar = Error
    end_reasons: ClassVar = ("target_reached", "turns_over")
    general_checks: ClassVar = GeneralChecks(
        Error.GAME_OVER, Error.UNKNOWN_MOVE, Error.MALFORMED_MOVE, Error.WRONG_PHASE,
        Error.NOT_ASKED, order=("over", "unknown", "malformed", "phase", "seat"),
    )  # fmt: skip

    def initial(self, seats: int, options: JsonObject) -> State:
        return State(options["target"], [0] * seats, [0] * seats, phase=CHOOSE)

    def turn(self, state: State) -> Turn:
        if state.phase == CHOOSE:
            return _choosing(state.seat)
        if state.phase == OVER:
            return FINISHED
        # the occurrence counts a seat's own rolls, so it does not depend on other seats
        return Chance(f"die/seat_{state.seat}", state.rolls[state.seat], (FACES,))

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return (Roll, Hold) if state.phase == CHOOSE else ()

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        return Hold() if state.total else Roll()

    def chance(self, state: State, event: ChanceEvent, log: EffectLog | None) -> None:
        show(state, event.picks[0] + 1, log)

    def view(self, state: State, viewer: Seat | None) -> JsonObject:
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

    def information(self, state: State, seat: Seat) -> JsonObject:
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

    def score_now(self, state: State, seat: Seat) -> int:
        return state.scores[seat]

    def heuristic(self, state: State) -> list[int]:
        """Hold at 20, or when it wins (Neller and Presser, "Optimal Play of the Dice Game Pig")."""
        *_, second, first = sorted(state.scores)
        looks = [1000 * (s - (second if s == first else first)) for s in state.scores]
        looks[state.seat] += 900 * min(state.total, 20)
        return looks

    def violations(self, state: State) -> list[str]:
        found = [
            f"seat {s} has {score} points" for s, score in enumerate(state.scores) if score < 0
        ]
        if state.phase == OVER and state.total:
            found.append(f"{state.total} points are left of the last turn")
        return found


RULESET = Pig()
