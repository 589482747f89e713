"""Kinds of values in this game: their JSON, and their forms in moves and effects."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import BadValue, Field, Integer, ListOf, PlaceNumber, WrongType, shown
from rules.kernel.contract.seats import Seat
from rules.manila import data
from rules.manila.data import WARE, Ware

Numbers = tuple[tuple[Ware, int], ...]
"""A number for each of several wares."""

SEAT: PlaceNumber[Seat] = PlaceNumber(data.MAX_SEATS, 0)
COUNT = Integer(0, 1_000_000)
"""A count; the schema's bound is higher than any possible number of pesos."""


@dataclass(frozen=True, slots=True)
class ByWare(Field[Numbers]):
    """Numbers for several wares, in the order of the wares: ``{"silk": 5, "jade": 4}``."""

    number: Integer

    def read(self, value: object) -> Numbers:
        if type(value) is not dict:
            raise WrongType(f"{shown(value)} is not an object")
        numbers = [self.number.read(number) for number in value.values()]
        return tuple(sorted(zip(map(WARE.read, value), numbers, strict=True)))

    def write(self, value: Numbers) -> JsonObject:
        return {data.WARES[ware]: number for ware, number in value}

    def schema(self) -> JsonObject:
        return {
            "type": "object",
            "properties": dict.fromkeys(data.WARES, self.number.schema()),
            "required": [],
            "additionalProperties": False,
        }


class Starts(ByWare):
    """The start spaces of the punts, one for each lane; the rules check their sum."""

    def __init__(self) -> None:
        super().__init__(Integer(data.START_MIN, data.START_MAX, strict=False))

    def values(self) -> Sequence[Numbers]:
        return [
            tuple(zip(loaded, spaces, strict=True))
            for loaded in combinations(data.ALL_WARES, data.LANES)
            for spaces in product(self.number.values(), repeat=data.LANES)
            if sum(spaces) == data.START_SUM
        ]

    def schema(self) -> JsonObject:
        whole = super().schema()
        lanes = [
            {"properties": {id_: whole["properties"][id_] for id_ in ids}, "required": list(ids)}
            for ids in combinations(data.WARES, data.LANES)
        ]
        return {**whole, "maxProperties": data.LANES, "anyOf": lanes}


class Steps(Field[Numbers]):
    """The big pilot's moves, in the order of the lanes: ``[{"ware": "silk", "delta": -1}]``."""

    _delta = Integer(-data.BIG_REACH, data.BIG_REACH, strict=False)

    def read(self, value: object) -> Numbers:
        if type(value) is not list:
            raise WrongType(f"{shown(value)} is not a list")
        steps = tuple([self._read_step(step) for step in value])
        if steps not in _STEPS:
            raise BadValue(f"{shown(value)} is nothing that a pilot does")
        return steps

    def _read_step(self, step: object) -> tuple[Ware, int]:
        if type(step) is not dict or step.keys() != {"ware", "delta"}:
            raise WrongType(f"{shown(step)} is not an object of ware and delta")
        delta = self._delta.read(step["delta"])
        return WARE.read(step["ware"]), delta

    def write(self, value: Numbers) -> object:
        return [{"ware": data.WARES[ware], "delta": delta} for ware, delta in value]

    def values(self) -> Sequence[Numbers]:
        return _STEPS

    def schema(self) -> JsonObject:
        step = {
            "type": "object",
            "properties": {"ware": WARE.schema(), "delta": self._delta.schema()},
            "required": ["ware", "delta"],
            "additionalProperties": False,
        }
        return {"type": "array", "items": step, "minItems": 1, "maxItems": 2}


_STEPS: Sequence[Numbers] = [
    tuple(zip(wares, deltas, strict=True))
    for count in (1, 2)
    for wares in combinations(data.ALL_WARES, count)
    for deltas in product(range(-data.BIG_REACH, data.BIG_REACH + 1), repeat=count)
    if all(deltas) and sum(map(abs, deltas)) <= data.BIG_REACH
]


class Order(ListOf[Ware]):
    """The docking order of punts that arrive together."""

    def __init__(self) -> None:
        super().__init__(WARE, 2, data.LANES, unique=True)

    def values(self) -> Sequence[tuple[Ware, ...]]:
        return [o for n in range(2, data.LANES + 1) for o in permutations(data.ALL_WARES, n)]
