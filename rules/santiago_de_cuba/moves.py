"""The twelve types of move: what each looks like, when it is legal, and what it does.

Moves are interned in tables at import; a list of legal moves is slices and picks of these.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.fields import Choice, Either, Integer
from rules.kernel.contract.move import MalformedMove, Move, param
from rules.kernel.contract.phases import moves_in
from rules.santiago_de_cuba import errors, play
from rules.santiago_de_cuba.buildings import (
    BUILDINGS,
    PARAM_DOCS,
    USES,
    Values,
    at_most_held,
    demanded,
    good_index,
    has_die,
    held,
    in_supply,
    not_wood,
    positive,
)
from rules.santiago_de_cuba.data import (
    BUILDING,
    BUILDING_IDS,
    CITIZENS,
    DICE,
    FACES,
    FLAG_VALUES,
    FREE_STEPS,
    GOOD,
    GOODS,
    HARBOUR,
    MAX_STEPS,
    NONE,
    PESOS_PER_STEP,
    STOPS,
    WOOD,
    WOOD_VP,
)
from rules.santiago_de_cuba.state import State

Moves = Sequence[Move[State]]
_HIGHEST_FACE = max(max(faces) for faces in FACES)


def building_index(value: object) -> int:
    """Return the building that ``value`` names."""
    if type(value) is not str or value not in BUILDING:
        raise IllegalMove(errors.UNKNOWN_BUILDING, f"there is no building {shown(value)}")
    return BUILDING[value]


# A ship


@dataclass(frozen=True, slots=True)
class ChooseDemand(Move[State]):
    """Choose which of the five dice is left out; the other four go on the ship."""

    type = "choose_demand"
    says = ("demand_set",)
    leave_out: str = param(Choice(DICE), "the good that this ship will not want")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _CHOICES

    def check(self, state: State, seat: int) -> None:
        has_die(good_index(self.leave_out))

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.set_demand(state, GOOD[self.leave_out], log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"value": state.roll[GOOD[self.leave_out]]}


# The car


@dataclass(frozen=True, slots=True)
class DriveCar(Move[State]):
    """Drive the car clockwise; the first step is free, each further one costs a peso."""

    type = "drive_car"
    says = ("pesos_paid", "car_driven")
    steps: int = param(Integer(1, MAX_STEPS), "how many stops to drive, the harbour included")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _DRIVES[: state.pesos[seat] // PESOS_PER_STEP + FREE_STEPS]

    def check(self, state: State, seat: int) -> None:
        if type(self.steps) is not int or not 1 <= self.steps <= MAX_STEPS:  # R1
            raise IllegalMove(
                errors.INVALID_STEPS,
                f"the car drives 1 to {MAX_STEPS} steps, not {shown(self.steps)}",
            )
        pesos = state.pesos[seat]
        if self._fare > pesos:
            raise IllegalMove(
                errors.INSUFFICIENT_PESOS,
                f"{self.steps} steps cost {self._fare} pesos and you have {pesos}",
                fare=self._fare,
                pesos=pesos,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self._fare:
            play.pay_pesos(state, seat, self._fare, log)  # R2
        play.drive(state, self.steps, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"steps": self.steps, "fare": self._fare}

    def details(self, state: State, seat: int) -> JsonObject:
        stop = (state.car + self.steps) % STOPS
        to = "harbour" if stop == HARBOUR else CITIZENS[state.citizens[stop]]
        return {"to": to}

    @property
    def _fare(self) -> int:
        return (self.steps - FREE_STEPS) * PESOS_PER_STEP


# The harbour


@dataclass(frozen=True, slots=True)
class LoadGoods(Move[State]):
    """Deliver goods of one type to one die of the ship."""

    type = "load_goods"
    says = ("goods_loaded",)
    good: str = param(Choice(GOODS), "what you deliver")
    amount: int = param(Integer(1, _HIGHEST_FACE), "how many")
    die: str = param(Choice(DICE), "the die they are for: the good's own, for wood any")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        own = state.goods[seat]
        wood = own[WOOD]
        moves: list[Move[State]] = []
        for die, wanted in enumerate(state.demand):
            if wanted and own[die]:
                moves += _LOADS[die][die][: min(wanted, own[die])]
        if wood:
            for die, wanted in enumerate(state.demand):
                moves += _LOADS[WOOD][die][: min(wanted, wood)]
        return moves

    def check(self, state: State, seat: int) -> None:
        good, die = good_index(self.good), good_index(self.die)
        has_die(die)
        if die != good != WOOD:
            raise IllegalMove(
                errors.DIE_MISMATCH, f"{self.good} is not for the {self.die} die", die=self.die
            )
        demanded(state, die)
        held(state, seat, good)
        amount = positive(self.amount)
        if amount > state.demand[die]:
            wanted = state.demand[die]
            raise IllegalMove(
                errors.EXCEEDS_DEMAND, f"the {self.die} die wants {wanted}", wanted=wanted
            )
        at_most_held(state, seat, good, amount)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        good = GOOD[self.good]
        vp = self._vp(state)
        state.goods[seat][good] -= self.amount
        state.supply[good] += self.amount
        state.vp[seat] += vp
        if log:
            log.add(
                "goods_loaded",
                seat=seat,
                good=self.good,
                amount=self.amount,
                die=self.die,
                vp=vp,
            )
        play.reduce_demand(state, GOOD[self.die], self.amount, play.DEMAND_MET_LOADING, log)
        play.after_load(state, log)

    def _vp(self, state: State) -> int:
        each = WOOD_VP if self.good == GOODS[WOOD] else FLAG_VALUES[state.value_index]  # R35
        return self.amount * each

    def details(self, state: State, seat: int) -> JsonObject:
        return {"vp": self._vp(state)}


@dataclass(frozen=True, slots=True)
class PassLoading(Move[State]):
    """Load nothing more in this loading round."""

    type = "pass_loading"
    says = ("loading_passed",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _PASS  # R36, R38

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.passed[seat] = 1
        if log:
            log.add("loading_passed", seat=seat)
        play.after_pass(state, log)


# Citizens


@dataclass(frozen=True, slots=True)
class TakeGood(Move[State]):
    """Take a good of your choice from Pablo, but no wood."""

    type = "take_good"
    says = ("goods_taken",)
    good: str = param(Choice(DICE), "what you take")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_TAKES[die] for die in range(WOOD) if state.supply[die]]

    def check(self, state: State, seat: int) -> None:
        good = good_index(self.good)
        not_wood(good)
        in_supply(state, good)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.take_goods(state, seat, GOOD[self.good], 1, log)
        play.enter_pawn_phase(state, log)


@dataclass(frozen=True, slots=True)
class GiveTribute(Move[State]):
    """Give El Zorro's visitor one peso, one VP, or one good that is not wood."""

    PESO: ClassVar = "peso"
    VP: ClassVar = "vp"
    GOOD: ClassVar = "good"

    type = "give_tribute"
    says = ("tribute_given",)
    kind: str = param(Choice((PESO, VP, GOOD)), "what you give")
    good: str | None = field(
        default=None, metadata={"kind": Choice(DICE), "doc": "which good, if you give a good"}
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        moves: list[Move[State]] = []
        if state.pesos[seat]:
            moves.append(_GIVE_PESO)
        if state.vp[seat]:
            moves.append(_GIVE_VP)
        own = state.goods[seat]
        moves += [_GIVE_GOODS[die] for die in range(WOOD) if own[die]]
        return moves

    def check(self, state: State, seat: int) -> None:
        if self.kind == self.GOOD:
            good = good_index(self.good)
            not_wood(good)
            has = state.goods[seat][good]
        else:
            has = (state.pesos if self.kind == self.PESO else state.vp)[seat]
        if not has:
            what = self.good or self.kind
            raise IllegalMove(errors.NOTHING_TO_GIVE, f"you have no {what} to give", what=what)

    def to_json(self) -> JsonObject:
        if self.kind == self.GOOD:
            return {"type": self.type, "kind": self.kind, "good": self.good}
        return {"type": self.type, "kind": self.kind}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back; ``good`` stands beside the kind good, and only there."""
        kind = data.get("kind")
        if type(kind) is not str or kind not in (cls.PESO, cls.VP, cls.GOOD):
            raise MalformedMove(f"{cls.type} needs a kind: peso, vp or good")
        wanted = {"type", "kind", "good"} if kind == cls.GOOD else {"type", "kind"}
        if data.keys() != wanted:
            raise MalformedMove(f"{cls.type} of kind {kind} takes {', '.join(sorted(wanted))}")
        return cls(kind, data.get("good"))

    @classmethod
    def schema(cls) -> JsonObject:
        schema = super(GiveTribute, cls).schema()  # slots=True made a new class
        schema["required"] = ["type", "kind"]
        good = {"properties": {"kind": {"const": cls.GOOD}}, "required": ["good"]}
        rest = {"properties": {"kind": {"enum": [cls.PESO, cls.VP]}}, "maxProperties": 2}
        return {**schema, "anyOf": [good, rest]}

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"what": self.good or self.kind}

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        visitor = state.active
        if self.kind == self.PESO:
            state.pesos[seat] -= 1
            state.pesos[visitor] += 1
        elif self.kind == self.VP:
            state.vp[seat] -= 1
            state.vp[visitor] += 1
        else:
            good = good_index(self.good)
            state.goods[seat][good] -= 1
            state.goods[visitor][good] += 1
        if log:
            log.add("tribute_given", seat=seat, to=visitor, what=self.good or self.kind)
        del state.tribute_queue[0]
        play.next_giver(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"to": state.active}


@dataclass(frozen=True, slots=True)
class AlonsoClaim(Move[State]):
    """Put one of your ownership markers on a building that nobody owns."""

    type = "alonso_claim"
    says = ("building_claimed",)
    building: str = param(Choice(BUILDING_IDS), "the building you claim")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.markers_left[seat]:
            return ()
        return [_CLAIMS[b] for b, owner in enumerate(state.owner) if owner == NONE]

    def check(self, state: State, seat: int) -> None:
        building = building_index(self.building)
        if not state.markers_left[seat]:  # R21
            raise IllegalMove(errors.NO_MARKERS_LEFT, "all your ownership markers are placed")
        owner = state.owner[building]
        if owner != NONE:
            raise IllegalMove(
                errors.BUILDING_ALREADY_OWNED, f"seat {owner} owns {self.building}", owner=owner
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.owner[BUILDING[self.building]] = seat
        state.markers_left[seat] -= 1
        if log:
            log.add("building_claimed", seat=seat, building=self.building)
        play.enter_pawn_phase(state, log)


@dataclass(frozen=True, slots=True)
class AlonsoUse(Move[State]):
    """Use a building that you own; your pawn does not go there."""

    type = "alonso_use"
    says = USES
    building: str
    names: tuple[str, ...] = ()
    values: Values = ()

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [
            _ERRANDS[b][values]
            for b, owner in enumerate(state.owner)
            if owner == seat
            for values in BUILDINGS[b].legal(state, seat)
        ]

    def check(self, state: State, seat: int) -> None:
        building = building_index(self.building)
        if state.owner[building] != seat:
            raise IllegalMove(errors.NOT_OWNER, f"{self.building} is not yours")
        check_use(building, self.names, self.values, state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("building_used", seat=seat, building=self.building, by="alonso")
        BUILDINGS[BUILDING[self.building]].apply(state, seat, log, *self.values)  # R20
        if state.phase != play.GAME_OVER:
            play.enter_pawn_phase(state, log)

    def to_json(self) -> JsonObject:
        use = dict(zip(self.names, self.values, strict=True))
        return {"type": self.type, "building": self.building, **use}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back; whether the building takes these parameters waits for ``check``."""
        if "building" not in data:
            raise MalformedMove(f"{cls.type} needs building")
        return cls(data["building"], *read_use(data, "type", "building"))

    @classmethod
    def schema(cls) -> JsonObject:
        building = Choice(BUILDING_IDS).schema()
        return use_schema(cls, {"building": {**building, "description": "a building you own"}})

    def label(self) -> tuple[str, JsonObject]:
        key, data = BUILDINGS[BUILDING[self.building]].label(*self.values)
        return f"move.use_building.{key}", data


@dataclass(frozen=True, slots=True)
class AlonsoDecline(Move[State]):
    """Leave the lawyer alone."""

    type = "alonso_decline"
    says = ("alonso_declined",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _DECLINE  # R22

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("alonso_declined", seat=seat)
        play.enter_pawn_phase(state, log)


# The pawn


@dataclass(frozen=True, slots=True)
class MovePawn(Move[State]):
    """Move your pawn to a free building under the flower of the citizen visited."""

    type = "move_pawn"
    says = ("pawn_moved",)
    building: str = param(Choice(BUILDING_IDS), "where the pawn goes")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        pawns = state.pawn
        return [_WALKS[b] for b in play.district(state) if b not in pawns]

    def check(self, state: State, seat: int) -> None:
        building = building_index(self.building)
        if building not in play.district(state):
            citizen = CITIZENS[state.visited]
            raise IllegalMove(
                errors.BUILDING_WRONG_FLOWER, f"{self.building} has not the flower of {citizen}"
            )
        if building == state.pawn[seat]:
            raise IllegalMove(errors.PAWN_MUST_MOVE, f"your pawn is on {self.building} already")
        if building in state.pawn:
            other = state.pawn.index(building)
            raise IllegalMove(
                errors.BUILDING_OCCUPIED, f"seat {other} stands on {self.building}", seat=other
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.pawn[seat] = BUILDING[self.building]
        if log:
            log.add("pawn_moved", seat=seat, building=self.building)
        play.ask(state, play.USE_BUILDING, seat)

    def details(self, state: State, seat: int) -> JsonObject:
        owner = state.owner[BUILDING[self.building]]
        return {"owner": None if owner == NONE else owner}


@dataclass(frozen=True, slots=True)
class UseBuilding(Move[State]):
    """Use the building under your pawn; its parameters are those of the building."""

    type = "use_building"
    says = ("building_used", *USES)
    names: tuple[str, ...] = ()
    values: Values = ()

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        building = state.pawn[seat]
        table = _USES[building]
        return [table[values] for values in BUILDINGS[building].legal(state, seat)]

    def check(self, state: State, seat: int) -> None:
        check_use(state.pawn[seat], self.names, self.values, state, seat)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        building = state.pawn[seat]
        if log:
            log.add("building_used", seat=seat, building=BUILDING_IDS[building], by="pawn")
        BUILDINGS[building].apply(state, seat, log, *self.values)
        if state.phase != play.GAME_OVER:
            play.end_of_turn(state, log)

    def to_json(self) -> JsonObject:
        return {"type": self.type, **dict(zip(self.names, self.values, strict=True))}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back; whether the building takes these parameters waits for ``check``."""
        return cls(*read_use(data, "type"))

    @classmethod
    def schema(cls) -> JsonObject:
        return use_schema(cls, {})

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {}

    def label_in(self, state: State, seat: int) -> tuple[str, JsonObject]:
        key, data = BUILDINGS[state.pawn[seat]].label(*self.values)
        return f"move.{self.type}.{key}", data


@dataclass(frozen=True, slots=True)
class SkipBuilding(Move[State]):
    """Do not use the building under your pawn."""

    type = "skip_building"
    says = ("building_skipped",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SKIP

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("building_skipped", seat=seat, building=BUILDING_IDS[state.pawn[seat]])
        play.end_of_turn(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"building": BUILDING_IDS[state.pawn[seat]]}


# The parameters of a building's use, which only the building knows


def read_use(data: JsonObject, *without: str) -> tuple[tuple[str, ...], Values]:
    """Return names and values of all other parameters, in alphabetical order."""
    names = tuple(sorted(data.keys() - set(without)))
    return names, tuple(data[name] for name in names)


def check_use(
    building: int, names: tuple[str, ...], values: Values, state: State, seat: int
) -> None:
    """Raise IllegalMove unless ``building`` takes these parameters and allows this use now."""
    wanted = BUILDINGS[building].names
    if names != wanted:
        id_ = BUILDING_IDS[building]
        raise IllegalMove(
            errors.MALFORMED_PARAMETERS,
            f"{id_} takes {' and '.join(wanted) or 'no parameter'},"
            f" not {shown(' and '.join(names)) if names else 'none'}",
            building=id_,
        )
    BUILDINGS[building].check(state, seat, *values)


def use_schema(move: type[Move[State]], more: JsonObject) -> JsonObject:
    """JSON Schema of a use: every parameter of any building, and each building's own set."""
    properties: JsonObject = {"type": {"type": "string", "const": move.type}, **more}
    required = list(properties)
    for name, doc in PARAM_DOCS.items():
        kinds = dict.fromkeys(b.params[name] for b in BUILDINGS if name in b.params)
        kind = next(iter(kinds)) if len(kinds) == 1 else Either(tuple(kinds))
        properties[name] = {**kind.schema(), "description": doc}
    return {
        "type": "object",
        "title": move.type,
        "description": (move.__doc__ or "").strip(),
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "anyOf": [
            {
                "title": building.id,
                "properties": {
                    **({"building": {"const": building.id}} if "building" in more else {}),
                    **{name: kind.schema() for name, kind in building.params.items()},
                },
                "required": [*more, *building.names],
                "maxProperties": len(required) + len(building.names),
            }
            for building in BUILDINGS
        ],
    }


# Every move there is, made once; uses of buildings are made when they first come up


class Uses(dict[Values, Move[State]]):
    """The uses of one building as moves, by their values."""

    def __init__(self, move: Callable[..., Move[State]], **fixed: object) -> None:
        super().__init__()
        self._make = partial(move, **fixed)

    def __missing__(self, values: Values) -> Move[State]:
        move = self[values] = self._make(values=values)
        return move


_CHOICES = tuple(ChooseDemand(good) for good in DICE)
_DRIVES = tuple(DriveCar(steps) for steps in range(1, MAX_STEPS + 1))
_LOADS = [
    [tuple(LoadGoods(good, amount, die) for amount in range(1, _HIGHEST_FACE + 1)) for die in DICE]
    for good in GOODS
]
_PASS = (PassLoading(),)
_TAKES = tuple(TakeGood(good) for good in DICE)
_GIVE_PESO = GiveTribute(GiveTribute.PESO)
_GIVE_VP = GiveTribute(GiveTribute.VP)
_GIVE_GOODS = tuple(GiveTribute(GiveTribute.GOOD, good) for good in DICE)
_CLAIMS = tuple(AlonsoClaim(id_) for id_ in BUILDING_IDS)
_ERRANDS = [Uses(AlonsoUse, building=b.id, names=b.names) for b in BUILDINGS]
_DECLINE = (AlonsoDecline(),)
_WALKS = tuple(MovePawn(id_) for id_ in BUILDING_IDS)
_USES = [Uses(UseBuilding, names=b.names) for b in BUILDINGS]
_SKIP = (SkipBuilding(),)

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    ChooseDemand,
    DriveCar,
    LoadGoods,
    PassLoading,
    TakeGood,
    GiveTribute,
    AlonsoClaim,
    AlonsoUse,
    AlonsoDecline,
    MovePawn,
    UseBuilding,
    SkipBuilding,
)
MOVES_IN = moves_in(play.PHASES, MOVE_TYPES)
"""The types of move that each phase allows."""
