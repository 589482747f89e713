"""The twelve buildings: parameters, refusals and effects of their uses.

A seat may use a building with the pawn that visits it, or as a client of the lawyer. Both uses have
the same parameters, refusals and effects (``uses``).
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Choice,
    EffectLog,
    Either,
    Field,
    Integer,
    MaybeRefusal,
    Seat,
    shown,
)
from rules.kernel.contract.move import Parameter
from rules.santiago_de_cuba import checks, data, effects, fields, play
from rules.santiago_de_cuba.data import Citizen, Good
from rules.santiago_de_cuba.errors import Error
from rules.santiago_de_cuba.fields import CITIZEN_OR_NONE, DIE
from rules.santiago_de_cuba.state import State

PESOS_TO_VP, VP_TO_PESOS = "pesos_to_vp", "vp_to_pesos"
RIGHT, LEFT = "right", "left"
_EXCHANGE = Choice((PESOS_TO_VP, VP_TO_PESOS))
_MARKER = Choice((RIGHT, LEFT))
_WAY: Either[str] = Either((_EXCHANGE, _MARKER))
_AMOUNT = Integer(1, max(data.GOOD_TOTALS), strict=False)
_TIMES = Integer(1, fields.COUNT.maximum, strict=False)
_SOLD = Integer(0, 1)

_PARAMETERS = (
    ("amount", _AMOUNT, Error.INVALID_AMOUNT, "how many goods to convert"),
    ("cigars", _SOLD, Error.INVALID_AMOUNT, "how many cigars to sell"),
    ("citizen", CITIZEN_OR_NONE, Error.UNKNOWN_CITIZEN, "who is turned face down; null for nobody"),
    ("direction", _WAY, Error.MALFORMED_PARAMETERS, "which way to exchange, or to move the marker"),
    ("give", DIE, Error.UNKNOWN_GOOD, "the good you hand in"),
    ("good", DIE, Error.UNKNOWN_GOOD, "the good to deliver, or whose die is set to 0"),
    ("rum", _SOLD, Error.INVALID_AMOUNT, "how much rum to sell"),
    ("take", DIE, Error.UNKNOWN_GOOD, "the good you get"),
    ("times", _TIMES, Error.INVALID_AMOUNT, "how many VP to exchange"),
)
PARAMETERS = {
    name: Parameter(name, kind, doc, None, refused) for name, kind, refused, doc in _PARAMETERS
}
"""The parameters of all buildings; each building names those that it has."""


class Use(NamedTuple):
    """A use of a building: the names of the parameters, in order, and their values."""

    names: tuple[str, ...]
    values: tuple[Any, ...]

    def to_json(self) -> JsonObject:
        """Return the values by name; for an unknown parameter, return the JSON that was read."""
        said = zip(self.names, self.values, strict=True)
        return {n: PARAMETERS[n].kind.write(v) if n in PARAMETERS else v for n, v in said}


class Building:
    """A building. Subclasses implement the effects named in ``data.json``."""

    params: ClassVar[Mapping[str, Field[Any]]] = {}
    """The parameters of a use, in alphabetical order."""

    def __init__(self, id_: str, effect: JsonObject) -> None:
        self.id = id_
        self.effect = effect
        self.names = tuple(self.params)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Return every possible use, in the order of the parameters' values."""
        values = [kind.values() for kind in self.params.values()]
        return tuple(Use(self.names, row) for row in product(*values))

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        """Return every legal use for ``seat`` now."""
        refusal = self.refusal
        return [use for use in self.uses if not refusal(state, seat, *use.values)]

    def judge(self, use: Use, state: State, seat: Seat) -> MaybeRefusal:
        """Return the reason why ``seat`` may not use the building in this way now, or None.

        ``use`` may have the parameters of another building.
        """
        said = zip(self.params.values(), use.values, strict=False)
        if use.names != self.names or not all(kind.accepts(kind.write(one)) for kind, one in said):
            return Error.MALFORMED_PARAMETERS.of(building=self.id, value=shown(use.to_json()))
        return self.refusal(state, seat, *use.values)

    def refusal(self, state: State, seat: Seat, *values: Any) -> MaybeRefusal:
        """Return why ``seat`` may not use the building with these values now; None if it may."""
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None, *values: Any) -> None:
        """Make a legal use."""
        raise NotImplementedError

    def label(self, *values: Any) -> tuple[str, JsonObject]:
        """Return the key of the label of a legal use, and the values for its template."""
        return self.id, Use(self.names, values).to_json()


class Casino(Building):
    """Pay 3 pesos for each VP, or get 3 pesos for each VP, any number of times (R23)."""

    params: ClassVar = {"direction": _EXCHANGE, "times": _TIMES}

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        most = {
            PESOS_TO_VP: state.pesos[seat] // self.effect["pesos_per_vp"],
            VP_TO_PESOS: state.vp[seat],
        }
        return [Use(self.names, (way, times)) for way in most for times in range(1, most[way] + 1)]

    def refusal(self, state: State, seat: Seat, direction: str, times: int) -> MaybeRefusal:
        pesos, vp = state.pesos[seat], state.vp[seat]
        if refused := checks.not_positive(times):
            return refused
        if direction == PESOS_TO_VP and times * self.effect["pesos_per_vp"] > pesos:
            return Error.INSUFFICIENT_PESOS.of(pesos=pesos)
        if direction == VP_TO_PESOS and times > vp:
            return Error.INSUFFICIENT_VP.of(vp=vp)
        return None

    def apply(
        self, state: State, seat: Seat, log: EffectLog | None, direction: str, times: int
    ) -> None:
        pesos = times * self.effect["pesos_per_vp"]
        if direction == PESOS_TO_VP:
            play.pay_pesos(state, seat, pesos, log)
            play.gain_vp(state, seat, times, log)
        else:
            play.pay_vp(state, seat, times, log)
            play.take_pesos(state, seat, pesos, log)

    def label(self, direction: str, times: int) -> tuple[str, JsonObject]:
        return f"{self.id}.{direction}", {"pesos": times * self.effect["pesos_per_vp"], "vp": times}


class Bank(Building):
    """Take pesos."""

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.take_pesos(state, seat, self.effect["amount"], log)


class Church(Building):
    """Gain VP."""

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.gain_vp(state, seat, self.effect["amount"], log)


class PortOffice(Building):
    """Move the value marker one flag to the right or to the left (R29).

    The marker cannot move to the left from the first flag.
    """

    params: ClassVar = {"direction": _MARKER}

    def refusal(self, state: State, seat: Seat, direction: str) -> MaybeRefusal:
        if direction == LEFT and not state.value_index:
            return Error.MARKER_AT_MINIMUM
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None, direction: str) -> None:
        flags = 1 if direction == RIGHT else -1
        play.move_value_marker(state, flags, effects.FLAG_PORT_OFFICE, log)


class Factory(Building):
    """Turn units of one good into equally many units of another (R25).

    The distillery and the cigar factory do this.
    """

    params: ClassVar = {"amount": _AMOUNT}

    def __init__(self, id_: str, effect: JsonObject) -> None:
        super().__init__(id_, effect)
        self.material = data.GOOD[effect["from"]]
        self.product = data.GOOD[effect["to"]]

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        # With a refusal check of every amount, random play is 1.07 times slower.
        return self.uses[: min(state.goods[seat][self.material], state.supply[self.product])]

    def refusal(self, state: State, seat: Seat, amount: int) -> MaybeRefusal:
        return (
            checks.not_positive(amount)
            or checks.more_than_held(state, seat, self.material, amount)
            or checks.more_than_supply(state, self.product, amount)
        )

    def apply(self, state: State, seat: Seat, log: EffectLog | None, amount: int) -> None:
        play.pay_goods(state, seat, self.material, amount, log)
        play.take_goods(state, seat, self.product, amount, log)


class Office(Building):
    """Deliver one demanded good, not wood, for a fixed reward whatever the flag says (R27)."""

    params: ClassVar = {"good": DIE}

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        # With refusal checks here, at the newspaper and the customs, random play is 1.05 times
        # slower.
        own, demand = state.goods[seat], state.demand
        if not demand:
            return ()
        return [use for use in self.uses for (die,) in (use.values,) if demand[die] and own[die]]

    def refusal(self, state: State, seat: Seat, good: Good) -> MaybeRefusal:
        return (
            checks.without_dice(state)
            or checks.is_wood(good)
            or checks.not_demanded(state, good)
            or checks.not_held(state, seat, good)
        )

    def apply(self, state: State, seat: Seat, log: EffectLog | None, good: Good) -> None:
        play.pay_goods(state, seat, good, 1, log)
        play.gain_vp(state, seat, self.effect["vp"], log)
        play.reduce_demand(state, good, 1, effects.DEMAND_MET_OFFICE, log)


class BlackMarket(Building):
    """Swap one good for another from the supply; no wood either way (R26)."""

    params: ClassVar = {"give": DIE, "take": DIE}

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        # With a refusal check of every swap, random play is 1.05 times slower.
        own, supply = state.goods[seat], state.supply
        return [
            use
            for use in self.uses
            for give, take in (use.values,)
            if own[give] and supply[take] and give != take
        ]

    def refusal(self, state: State, seat: Seat, give: Good, take: Good) -> MaybeRefusal:
        if refused := checks.is_wood(give) or checks.is_wood(take):
            return refused
        if give == take:
            return Error.SAME_GOOD
        return checks.not_held(state, seat, give) or checks.more_than_supply(state, take)

    def apply(
        self, state: State, seat: Seat, log: EffectLog | None, give: Good, take: Good
    ) -> None:
        play.pay_goods(state, seat, give, 1, log)
        play.take_goods(state, seat, take, 1, log)


class Sawmill(Building):
    """Pay wood for VP and pesos."""

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return checks.not_held(state, seat, data.WOOD)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.pay_goods(state, seat, data.WOOD, self.effect["wood"], log)
        play.gain_vp(state, seat, self.effect["vp"], log)
        play.take_pesos(state, seat, self.effect["pesos"], log)


class Newspaper(Building):
    """Take a peso; then turn one active citizen face down, or nobody (R8, R9)."""

    params: ClassVar = {"citizen": CITIZEN_OR_NONE}

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        sleeps = (*state.inactive, 0)  # the last citizen, -1, stands for nobody
        return [use for use in self.uses for (citizen,) in (use.values,) if not sleeps[citizen]]

    def refusal(self, state: State, seat: Seat, citizen: Citizen) -> MaybeRefusal:
        if citizen != data.NONE and state.inactive[citizen]:
            return Error.CITIZEN_ALREADY_INACTIVE.of(citizen=data.CITIZENS[citizen])
        return None

    def apply(self, state: State, seat: Seat, log: EffectLog | None, citizen: Citizen) -> None:
        play.take_pesos(state, seat, self.effect["pesos"], log)
        if citizen != data.NONE:
            state.inactive[citizen] = 1
            effects.CITIZEN_DEACTIVATED.tell(log, seat=seat, citizen=citizen)

    def label(self, citizen: Citizen) -> tuple[str, JsonObject]:
        return (f"{self.id}.nobody", {}) if citizen == data.NONE else super().label(citizen)


class Cafe(Building):
    """Sell one unit of rum, one unit of cigars, or one unit of each."""

    params: ClassVar = {"cigars": _SOLD, "rum": _SOLD}

    def refusal(self, state: State, seat: Seat, cigars: int, rum: int) -> MaybeRefusal:
        if not cigars and not rum:
            return Error.NOTHING_SELECTED
        if cigars and (refused := checks.not_held(state, seat, data.CIGARS)):
            return refused
        return checks.not_held(state, seat, data.RUM) if rum else None

    def apply(self, state: State, seat: Seat, log: EffectLog | None, cigars: int, rum: int) -> None:
        for good, amount in ((data.CIGARS, cigars), (data.RUM, rum)):
            if amount:
                play.pay_goods(state, seat, good, amount, log)
        play.gain_vp(state, seat, (cigars + rum) * self.effect["vp_each"], log)

    def label(self, *amounts: int) -> tuple[str, JsonObject]:
        sold = [name for name, amount in zip(self.names, amounts, strict=True) if amount]
        return self.id, {"goods": sold}


class Customs(Building):
    """Turn one die on the ship to 0 (R28)."""

    params: ClassVar = {"good": DIE}

    def legal(self, state: State, seat: Seat) -> Sequence[Use]:
        demand = state.demand
        return [use for use in self.uses for (die,) in (use.values,) if demand and demand[die]]

    def refusal(self, state: State, seat: Seat, good: Good) -> MaybeRefusal:
        if refused := checks.without_dice(state) or checks.without_die(good):
            return refused
        if good == state.left_out:
            return checks.not_demanded(state, good)
        return None if state.demand[good] else Error.DIE_ALREADY_ZERO.of(good=data.DICE[good])

    def apply(self, state: State, seat: Seat, log: EffectLog | None, good: Good) -> None:
        play.reduce_demand(state, good, state.demand[good], effects.DEMAND_MET_CUSTOMS, log)


_BY_EFFECT: dict[str, Callable[[str, JsonObject], Building]] = {
    "exchange_pesos_vp": Casino,
    "gain_pesos": Bank,
    "gain_vp": Church,
    "move_value_marker": PortOffice,
    "convert": Factory,
    "deliver_one": Office,
    "swap_one": BlackMarket,
    "pay_wood": Sawmill,
    "gain_peso_and_deactivate": Newspaper,
    "sell_finished": Cafe,
    "zero_die": Customs,
}

BUILDINGS = tuple(
    _BY_EFFECT[effect["type"]](id_, effect)
    for id_, effect in zip(data.BUILDINGS, data.BUILDING_EFFECTS, strict=True)
)
