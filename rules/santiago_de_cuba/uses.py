"""The two moves that use a building.

With one move, the seat uses the building under its pawn. With the other, the seat is a client of
the lawyer, and the move names the building.

The building decides which other parameters a move has. So the move reads the parameters of any
building, and the building checks them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self, cast

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import BadValue, EffectLog, Field, MaybeRefusal, Move, Seat, param
from rules.kernel.contract.move import BadParameter
from rules.santiago_de_cuba import effects, fields, play
from rules.santiago_de_cuba.buildings import BUILDINGS, PARAMETERS, Use
from rules.santiago_de_cuba.data import NONE, Building
from rules.santiago_de_cuba.errors import Error
from rules.santiago_de_cuba.state import State

_SAYS = (
    "pesos_paid", "pesos_taken", "vp_paid", "vp_gained", "goods_paid", "goods_paid", "goods_taken",
    "citizen_deactivated",
)  # fmt: skip
"""The effects of all buildings that repeat the label of their use. ``goods_paid`` stands there
twice, because the label of the café says two goods.
"""


_NULLABLE = [name for name, known in PARAMETERS.items() if known.kind.accepts(None)]


class UseParameters(Field[Use]):
    """The parameters of a use, as an object.

    Unknown parameters are kept as they were read, so that the building can refuse the move later.
    """

    def read(self, value: object) -> Use:
        said = cast("JsonObject", value)
        names = tuple(sorted(said))
        return Use(names, tuple([_read(name, said[name]) for name in names]))

    def write(self, value: Use) -> object:
        return value.to_json()

    def schema(self) -> JsonObject:
        known = PARAMETERS.values()
        properties = {p.name: {**p.kind.schema(), "description": p.doc} for p in known}
        return {"type": "object", "properties": properties}


def _read(name: str, value: object) -> object:
    if name not in PARAMETERS:
        return value
    try:
        return PARAMETERS[name].kind.read(value)
    except BadValue as error:
        raise BadParameter("a use", PARAMETERS[name], value, error) from None


def _ways(names: Sequence[str]) -> list[Sequence[str]]:
    """Return the sets of parameters that a move may have.

    A move may have all parameters, or only those that cannot be null.
    """
    needed = [name for name in names if name not in _NULLABLE]
    return [names] if len(needed) == len(names) else [names, needed]


class _UseMove(Move[State]):
    """A move with the parameter ``use``; its JSON has the use's parameters as members."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        json = super().to_json()
        use = json.pop("use")
        return {**json, **use}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        own = {"type", *(p.name for p in cls.parameters() if p.name != "use")}
        use = {name: value for name, value in data.items() if name not in own}
        return super().from_json({**{name: data[name] for name in own & data.keys()}, "use": use})

    @classmethod
    def schema(cls) -> JsonObject:
        schema = super().schema()
        properties, own = schema["properties"], schema["required"]
        properties |= properties.pop("use")["properties"]
        own.remove("use")
        schema["anyOf"] = [
            {
                "title": building.id,
                "properties": {
                    **({"building": {"const": building.id}} if "building" in own else {}),
                    **{name: building.params[name].schema() for name in names},
                },
                "required": [*own[1:], *names],
                "maxProperties": len(own) + len(names),
            }
            for building in BUILDINGS
            for names in _ways(building.names)
        ]
        return schema


@dataclass(frozen=True, slots=True)
class UseBuilding(_UseMove, type="use_building"):
    """Use the building under your pawn, with the building's parameters."""

    says = ("building_used", *_SAYS)
    use: Use = param(UseParameters(), "what the building takes")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        # There is no pool, because the number of exchanges at the casino is unlimited.
        return [*map(_visit, BUILDINGS[state.pawn[seat]].legal(state, seat))]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return BUILDINGS[state.pawn[seat]].judge(self.use, state, seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        building = state.pawn[seat]
        if log:
            effects.BUILDING_USED.tell(log, seat=seat, building=building, by="pawn")
        BUILDINGS[building].apply(state, seat, log, *self.use.values)
        if state.phase != play.GAME_OVER:
            play.end_of_turn(state, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {}

    def label_in(self, state: State, seat: Seat) -> tuple[str, JsonObject]:
        key, words = BUILDINGS[state.pawn[seat]].label(*self.use.values)
        return f"move.use_building.{key}", words


@dataclass(frozen=True, slots=True)
class AlonsoUse(_UseMove, type="alonso_use"):
    """Use a building that you own; your pawn does not go there."""

    says = _SAYS
    building: Building = param(
        fields.BUILDING, "a building you own", refused=Error.UNKNOWN_BUILDING
    )
    use: Use = param(UseParameters(), "what the building takes")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Sequence[Move[State]]:
        return [
            _errand(building, use)
            for building, owner in enumerate(state.owner)
            if owner == seat
            for use in BUILDINGS[building].legal(state, seat)
        ]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.owner[self.building] != seat:
            return Error.NOT_OWNER
        return BUILDINGS[self.building].judge(self.use, state, seat)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if log:
            effects.BUILDING_USED.tell(log, seat=seat, building=self.building, by="alonso")
        BUILDINGS[self.building].apply(state, seat, log, *self.use.values)  # R20
        if state.phase != play.GAME_OVER:
            play.enter_pawn_phase(state, log)

    def label(self) -> tuple[str, JsonObject]:
        key, words = BUILDINGS[self.building].label(*self.use.values)
        return f"move.use_building.{key}", words


def spelled_out(move: JsonObject, visited: Building) -> JsonObject:
    """Return a move with null for each parameter that was left out.

    Null is added only for a parameter that the building allows a move to leave out. ``visited`` is
    the building under the seat's pawn. A move that does not use a building is returned unchanged.
    """
    building: Building | None = None
    if move.get("type") == UseBuilding.type:
        building = visited
    elif move.get("type") == AlonsoUse.type and fields.BUILDING.accepts(move.get("building")):
        building = fields.BUILDING.read(move["building"])
    if building is None or building == NONE:
        return move
    takes = BUILDINGS[building].names
    said = dict(move)
    for name in _NULLABLE:
        if name in takes:
            said.setdefault(name, None)
        elif move.get(name, name) is None:
            del said[name]
    return said


_visit = lru_cache(maxsize=4096)(UseBuilding)
_errand = lru_cache(maxsize=4096)(AlonsoUse)
