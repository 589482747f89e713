"""The moves with their parameters, refusals and effects; ``uses`` has two more moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import ClassVar, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Choice,
    EffectLog,
    Integer,
    MaybeRefusal,
    Move,
    Optional,
    Seat,
    param,
)
from rules.kernel.contract.move import MalformedMove
from rules.santiago_de_cuba import checks, data, effects, fields, play
from rules.santiago_de_cuba.data import Building, Good
from rules.santiago_de_cuba.errors import Error
from rules.santiago_de_cuba.state import CITIZEN, State, known
from rules.santiago_de_cuba.uses import AlonsoUse, UseBuilding


@dataclass(frozen=True, slots=True)
class ChooseDemand(Move[State], type="choose_demand"):
    """Choose which of the five dice is left out; the other four go on the ship."""

    says = ("demand_set",)
    leave_out: Good = param(
        fields.DIE, "the good that this ship will not want", refused=Error.UNKNOWN_GOOD
    )

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return checks.without_die(self.leave_out)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.set_demand(state, self.leave_out, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"value": state.roll[self.leave_out]}


@dataclass(frozen=True, slots=True)
class DriveCar(Move[State], type="drive_car"):
    """Drive the car clockwise; the first step is free, each further one costs a peso."""

    says = ("pesos_paid", "car_driven")
    steps: int = param(
        Integer(1, data.MAX_STEPS),  # R1
        "how many stops to drive, the harbour included",
        refused=Error.INVALID_STEPS,
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # If each move of the pool were checked, random play would be 1.35 times slower.
        return cls.pool()[: state.pesos[seat] // data.PESOS_PER_STEP + data.FREE_STEPS]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        pesos = state.pesos[seat]
        if self._fare > pesos:
            return Error.INSUFFICIENT_PESOS.of(fare=self._fare, pesos=pesos)
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if self._fare:
            play.pay_pesos(state, seat, self._fare, log)  # R2
        play.drive(state, self.steps, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"steps": self.steps, "fare": self._fare}

    def details(self, state: State, seat: Seat) -> JsonObject:
        stop = (state.car + self.steps) % data.STOPS
        return {"to": CITIZEN[state.citizens[stop]] or "harbour"}

    @property
    def _fare(self) -> int:
        return (self.steps - data.FREE_STEPS) * data.PESOS_PER_STEP


@dataclass(frozen=True, slots=True)
class LoadGoods(Move[State], type="load_goods"):
    """Deliver goods of one type to one die of the ship."""

    says = ("goods_loaded",)
    good: Good = param(fields.GOOD, "what you deliver", refused=Error.UNKNOWN_GOOD)
    die: Good = param(
        fields.DIE, "the die they are for: the good's own, for wood any", refused=Error.UNKNOWN_GOOD
    )
    amount: int = param(
        Integer(1, fields.FACE.maximum, strict=False), "how many", refused=Error.INVALID_AMOUNT
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # If each of the pool's 120 loads were checked, random play would be 3 times slower.
        own, wood = state.goods[seat], state.goods[seat][data.WOOD]
        moves: list[Move[State]] = []
        for die, wanted in enumerate(state.demand):
            if wanted and own[die]:
                moves += _LOADS[die, die][: min(wanted, own[die])]
        for die, wanted in enumerate(state.demand if wood else ()):
            moves += _LOADS[data.WOOD, die][: min(wanted, wood)]
        return moves

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        good, die = self.good, self.die
        if refused := checks.without_die(die):
            return refused
        if die != good != data.WOOD:
            return Error.DIE_MISMATCH.of(die=data.DICE[die])
        return (
            checks.not_demanded(state, die)
            or checks.not_held(state, seat, good)
            or checks.not_positive(self.amount)
            or self._more_than_demand(state.demand[die])
            or checks.more_than_held(state, seat, good, self.amount)
        )

    def _more_than_demand(self, wanted: int) -> MaybeRefusal:
        return Error.EXCEEDS_DEMAND.of(wanted=wanted) if self.amount > wanted else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        good, die, amount, vp = self.good, self.die, self.amount, self._vp(state)
        state.goods[seat][good] -= amount
        state.supply[good] += amount
        state.vp[seat] += vp
        if log:
            effects.GOODS_LOADED.tell(log, seat=seat, good=good, amount=amount, die=die, vp=vp)
        play.reduce_demand(state, die, amount, effects.DEMAND_MET_LOADING, log)
        play.go_on_loading(state, log)

    def _vp(self, state: State) -> int:
        flag = data.FLAG_VALUES[state.value_index]
        return self.amount * (data.WOOD_VP if self.good == data.WOOD else flag)  # R35

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"vp": self._vp(state)}


class PassLoading(Move[State], type="pass_loading"):  # always legal (R36, R38)
    """Load nothing more in this loading round."""

    says = ("loading_passed",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.passed[seat] = 1
        if log:
            effects.LOADING_PASSED.tell(log, seat=seat)
        play.go_on_loading(state, log)


@dataclass(frozen=True, slots=True)
class TakeGood(Move[State], type="take_good"):
    """Take a good of your choice from Pablo, but no wood."""

    says = ("goods_taken",)
    good: Good = param(fields.DIE, "what you take", refused=Error.UNKNOWN_GOOD)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return checks.is_wood(self.good) or checks.more_than_supply(state, self.good)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.take_goods(state, seat, self.good, 1, log)
        play.enter_pawn_phase(state, log)


@dataclass(frozen=True, slots=True)
class GiveTribute(Move[State], type="give_tribute"):
    """Give El Zorro's visitor one peso, one VP, or one good that is not wood."""

    PESO: ClassVar = "peso"
    VP: ClassVar = "vp"
    GOOD: ClassVar = "good"

    says = ("tribute_given",)
    kind: str = param(Choice((PESO, VP, GOOD)), "what you give")
    good: Good | None = param(
        Optional(fields.DIE), "which good, if you give a good", refused=Error.UNKNOWN_GOOD
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # The pool also has invalid gifts: a peso with a good, or a good without one.
        return [*compress(_GIFTS, (state.pesos[seat], state.vp[seat], *state.goods[seat]))]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.good is not None and (refused := checks.is_wood(self.good)):
            return refused
        purse, at = self._purse(state, seat)
        return None if purse[at] else Error.NOTHING_TO_GIVE.of(what=self._what)

    def _purse(self, state: State, seat: Seat) -> tuple[list[int], int]:
        if self.good is not None:
            return state.goods[seat], self.good
        return (state.pesos if self.kind == self.PESO else state.vp), seat

    @property
    def _what(self) -> str:
        return self.kind if self.good is None else data.GOODS[self.good]

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Return the move that ``to_json`` wrote.

        Raises:
            MalformedMove: the ``kind`` is "good" and the field ``good`` is missing, or the ``kind``
                is not "good" and the field is there.
        """
        if ("good" in data) != (data.get("kind") == cls.GOOD):
            raise MalformedMove(f"{cls.type} names a good if it gives one, and only then")
        # ``slots=True`` makes a new class, which ``super()`` without arguments does not know.
        return super(GiveTribute, cls).from_json(data)

    @classmethod
    def schema(cls) -> JsonObject:
        good = {"properties": {"kind": {"const": cls.GOOD}}, "required": ["good"]}
        rest = {"properties": {"kind": {"enum": [cls.PESO, cls.VP]}}, "maxProperties": 2}
        return {**super(GiveTribute, cls).schema(), "anyOf": [good, rest]}

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"what": self._what}

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        visitor = state.active
        for who, amount in ((seat, -1), (visitor, 1)):
            purse, at = self._purse(state, who)
            purse[at] += amount
        if log:
            effects.TRIBUTE_GIVEN.tell(log, seat=seat, to=visitor, what=self._what)
        del state.tribute_queue[0]
        play.next_giver(state, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"to": state.active}


@dataclass(frozen=True, slots=True)
class AlonsoClaim(Move[State], type="alonso_claim"):
    """Put one of your ownership markers on a building that nobody owns."""

    says = ("building_claimed",)
    building: Building = param(
        fields.BUILDING, "the building you claim", refused=Error.UNKNOWN_BUILDING
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # Refusal checks would need a call for each building.
        if not state.markers_left[seat]:
            return ()
        claims = zip(cls.pool(), state.owner, strict=True)
        return [claim for claim, owner in claims if owner == data.NONE]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.markers_left[seat]:  # R21
            return Error.NO_MARKERS_LEFT
        owner = state.owner[self.building]
        return None if owner == data.NONE else Error.BUILDING_ALREADY_OWNED.of(owner=owner)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.owner[self.building] = seat
        state.markers_left[seat] -= 1
        effects.BUILDING_CLAIMED.tell(log, seat=seat, building=self.building)
        play.enter_pawn_phase(state, log)


class AlonsoDecline(Move[State], type="alonso_decline"):  # always allowed (R22)
    """Leave the lawyer alone."""

    says = ("alonso_declined",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.ALONSO_DECLINED.tell(log, seat=seat)
        play.enter_pawn_phase(state, log)


@dataclass(frozen=True, slots=True)
class MovePawn(Move[State], type="move_pawn"):
    """Move your pawn to a free building under the flower of the citizen visited."""

    says = ("pawn_moved",)
    building: Building = param(
        fields.BUILDING, "where the pawn goes", refused=Error.UNKNOWN_BUILDING
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # In the order of the spaces; a refusal check would make random play 1.1 times slower.
        walks, pawns = cls.pool(), state.pawn
        return [walks[building] for building in play.district(state) if building not in pawns]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.building not in play.district(state):
            return Error.BUILDING_WRONG_FLOWER.of(citizen=data.CITIZENS[state.visited])
        if self.building == state.pawn[seat]:
            return Error.PAWN_MUST_MOVE
        if self.building in state.pawn:
            return Error.BUILDING_OCCUPIED.of(seat=state.pawn.index(self.building))
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.pawn[seat] = self.building
        if log:
            effects.PAWN_MOVED.tell(log, seat=seat, building=self.building)
        state.ask(play.USE_BUILDING, seat)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"owner": known(state.owner[self.building])}


class SkipBuilding(Move[State], type="skip_building"):
    """Do not use the building under your pawn."""

    says = ("building_skipped",)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if log:
            effects.BUILDING_SKIPPED.tell(log, seat=seat, building=state.pawn[seat])
        play.end_of_turn(state, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"building": None}

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"building": data.BUILDINGS[state.pawn[seat]]}


_DICE = fields.DIE.values()
_LOADS: dict[tuple[int, int], list[LoadGoods]] = {
    (good, die): [load for load in LoadGoods.pool() if (load.good, load.die) == (good, die)]
    for good in fields.GOOD.values()
    for die in _DICE
}
"""The moves by good and die, the smallest amount first."""
_GIFTS = (
    GiveTribute(GiveTribute.PESO),
    GiveTribute(GiveTribute.VP),
    *[GiveTribute(GiveTribute.GOOD, good) for good in _DICE],
)

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    ChooseDemand, DriveCar, LoadGoods, PassLoading, TakeGood, GiveTribute, AlonsoClaim, AlonsoUse,
    AlonsoDecline, MovePawn, UseBuilding, SkipBuilding,
)  # fmt: skip
