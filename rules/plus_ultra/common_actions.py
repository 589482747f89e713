"""The eight common actions: each space serves one player a turn.

Everybody has one common action a turn, and another one for a bull (R29).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from rules.kernel.effects import EffectLog
from rules.kernel.errors import IllegalMove
from rules.kernel.fields import Choice, Flag, Integer
from rules.kernel.move import Move, param
from rules.plus_ultra import checks, errors, pieces, play
from rules.plus_ultra.characters import HOUSE, ROSETTE, SPACE, TERCIO_STATES
from rules.plus_ultra.data import (
    COMMON_ESTATE_DUCATS,
    COMMON_SPACE,
    COMMON_SPACES,
    COURT_DUCATS,
    COURT_STEPS,
    LOAN_DUCATS,
    LOAN_PG,
    MISSION_DUCATS,
    PAINTER_DUCATS,
    PAINTER_PG,
    RECRUIT_DUCATS,
    ROUTE_DUCATS,
    SEA_TRADE_LENGTH,
    SPACES,
    WORKSHOP_DUCATS,
)
from rules.plus_ultra.state import State

Moves = Sequence[Move[State]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CommonAction(Move[State]):
    """What all of them share: the space, which has the name of the move, and the bull."""

    with_bull: bool = param(Flag(), "whether a bull pays for it, besides the one of the turn")
    space: ClassVar[int]

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if cls.space not in state.common_free:
            return ()
        moves: list[Move[State]] = []
        if not state.common_used[seat]:
            moves += cls.options(state, seat, 0)
        if checks.bull_ready(state, seat):
            moves += cls.options(state, seat, 1)
        return moves

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        """The instances that the board allows, with a bull (1) or without (0)."""
        raise NotImplementedError

    def check(self, state: State, seat: int) -> None:
        checks.check_fields(self)
        if self.space not in state.common_free:
            raise IllegalMove(
                errors.COMMON_SPACE_TAKEN, f"{self.type} has been taken this turn", space=self.type
            )
        if self.with_bull:
            checks.can_use_bull(state, seat)
        elif state.common_used[seat]:
            raise IllegalMove(
                errors.COMMON_ALREADY_USED, "you have had your common action this turn"
            )
        self.check_board(state, seat)

    def check_board(self, state: State, seat: int) -> None:
        """Raise IllegalMove unless the board allows this."""

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.common_free.remove(self.space)
        if self.with_bull:
            pieces.use_bull(state, seat, log)
        else:
            state.common_used[seat] = 1
        if log:
            log.add("common_space_taken", seat=seat, space=self.type)
        self.act(state, seat, log)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Do it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class CommonPainter(CommonAction):
    """Visit the court painter: 2 PG for 4 ducats."""

    type = "common_painter"
    space = COMMON_SPACE[type]

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        return _PAINTERS[bull] if state.ducats[seat] >= PAINTER_DUCATS else ()

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, PAINTER_DUCATS)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, PAINTER_DUCATS, log)
        pieces.gain_pg(state, seat, PAINTER_PG, "painter", log)


@dataclass(frozen=True, slots=True)
class CommonLoan(CommonAction):
    """Take a loan: 3 ducats for 1 PG."""

    type = "common_loan"
    space = COMMON_SPACE[type]

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        return _LOANS[bull]

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.lose_pg(state, seat, LOAN_PG, "loan", log)
        pieces.gain(state, seat, LOAN_DUCATS, "loan", log)


@dataclass(frozen=True, slots=True)
class CommonRecruit(CommonAction):
    """Fund the tercios: recruit one for 2 ducats."""

    type = "common_recruit"
    space = COMMON_SPACE[type]
    state: str = param(Choice(TERCIO_STATES), "how it comes")

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        affordable = state.ducats[seat] >= RECRUIT_DUCATS
        return _RECRUITS[bull] if affordable and state.tercio_supply[seat] else ()

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, RECRUIT_DUCATS)
        checks.tercio_left(state, seat)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, RECRUIT_DUCATS, log)
        pieces.gain_tercio(state, seat, self.state, log)


@dataclass(frozen=True, slots=True)
class CommonTradeRoute(CommonAction):
    """Establish trade routes: sea trade + 1 for 2 ducats."""

    type = "common_trade_route"
    space = COMMON_SPACE[type]

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        if state.ducats[seat] < ROUTE_DUCATS or state.sea_trade[seat] == SEA_TRADE_LENGTH:
            return ()
        return _ROUTES[bull]

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, ROUTE_DUCATS)
        checks.sea_open(state, seat)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, ROUTE_DUCATS, log)
        pieces.advance_trade(state, seat, 1, log)


@dataclass(frozen=True, slots=True)
class CommonMission(CommonAction):
    """Open a mission: build a house in a settlement for 2 ducats."""

    type = "common_mission"
    space = COMMON_SPACE[type]
    settlement_space: int = param(SPACE, "where you build")

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        if state.ducats[seat] < MISSION_DUCATS:
            return ()
        return [_MISSIONS[bull][space] for space in checks.sites(state, seat)]

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, MISSION_DUCATS)
        checks.can_build(state, seat, self.settlement_space)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, MISSION_DUCATS, log)
        pieces.place_house(state, seat, self.settlement_space - 1, log)


@dataclass(frozen=True, slots=True)
class CommonCourt(CommonAction):
    """Visit the court: move 1 or 2 places forward in the next order, for 1 ducat each."""

    type = "common_court"
    space = COMMON_SPACE[type]
    steps: int = param(Integer(1, COURT_STEPS), "how many places")

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        ahead = state.pending.index(seat)
        return _COURTS[bull][: min(ahead, state.ducats[seat] // COURT_DUCATS)]

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, COURT_DUCATS * self.steps)
        ahead = state.pending.index(seat)
        if ahead < self.steps:  # R34
            raise IllegalMove(
                errors.COURT_TOO_FAR,
                f"you cannot pass {self.steps} players, for {ahead} are ahead of you",
                steps=self.steps,
                ahead=ahead,
            )

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, COURT_DUCATS * self.steps, log)
        pieces.move_pending(state, seat, self.steps, log)


@dataclass(frozen=True, slots=True)
class CommonWorkshops(CommonAction):
    """Acquire workshops: a rosette or a house for 2 ducats."""

    type = "common_workshops"
    space = COMMON_SPACE[type]
    reward: str = param(Choice((ROSETTE, HOUSE)), "what you gain")

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        if state.ducats[seat] < WORKSHOP_DUCATS:
            return ()
        rosette, house = _WORKSHOPS[bull]
        return (rosette if state.rosette_supply else ()) + (
            house if state.house_supply[seat] else ()
        )

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, WORKSHOP_DUCATS)
        if self.reward == ROSETTE:
            checks.rosette_left(state)
        else:
            checks.house_left(state, seat)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, WORKSHOP_DUCATS, log)
        if self.reward == ROSETTE:
            pieces.gain_rosette(state, seat, log)
        else:
            pieces.gain_house(state, seat, log)


@dataclass(frozen=True, slots=True)
class CommonEstate(CommonAction):
    """Buy an estate for 4 ducats."""

    type = "common_estate"
    space = COMMON_SPACE[type]

    @classmethod
    def options(cls, state: State, seat: int, bull: int) -> Moves:
        affordable = state.ducats[seat] >= COMMON_ESTATE_DUCATS
        return _ESTATES[bull] if affordable and state.estate_stack else ()

    def check_board(self, state: State, seat: int) -> None:
        checks.can_pay(state, seat, COMMON_ESTATE_DUCATS)
        checks.estate_left(state)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pieces.pay(state, seat, COMMON_ESTATE_DUCATS, log)
        play.wait_for_nature(state, play.TAKE_ESTATE)  # R47


# Every move there is, made once: without a bull, with one


def _both(make: Callable[[bool], T]) -> tuple[T, T]:
    return make(False), make(True)


_PAINTERS = _both(lambda bull: (CommonPainter(bull),))
_LOANS = _both(lambda bull: (CommonLoan(bull),))
_RECRUITS = _both(lambda bull: [CommonRecruit(bull, kind) for kind in TERCIO_STATES])
_ROUTES = _both(lambda bull: (CommonTradeRoute(bull),))
_MISSIONS = _both(lambda bull: [CommonMission(bull, space) for space in range(1, SPACES + 1)])
_COURTS = _both(lambda bull: [CommonCourt(bull, steps) for steps in range(1, COURT_STEPS + 1)])
_WORKSHOPS = _both(lambda bull: ((CommonWorkshops(bull, ROSETTE),), (CommonWorkshops(bull, HOUSE),)))
_ESTATES = _both(lambda bull: (CommonEstate(bull),))

COMMON_ACTIONS: tuple[type[CommonAction], ...] = (
    CommonPainter,
    CommonLoan,
    CommonRecruit,
    CommonTradeRoute,
    CommonMission,
    CommonCourt,
    CommonWorkshops,
    CommonEstate,
)
"""By their spaces."""
