"""The twelve buildings: what a use of each can say, when it is legal, and what it does.

A use is a tuple of values for the building's ``params``, which stand in alphabetical order.
Visiting pawns (``use_building``) and the lawyer's clients (``alonso_use``) share these uses.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.fields import Choice, Either, Field, Integer, Null
from rules.santiago_de_cuba import errors, play
from rules.santiago_de_cuba.data import (
    BUILDING_EFFECTS,
    BUILDING_IDS,
    CITIZEN,
    CITIZENS,
    DICE,
    GOOD,
    GOOD_TOTALS,
    GOODS,
    WOOD,
)
from rules.santiago_de_cuba.state import State

Values = tuple[Any, ...]

PARAM_DOCS = {
    "amount": "how many goods to convert",
    "cigars": "how many cigars to sell",
    "citizen": "who is turned face down; null for nobody",
    "direction": "which way to exchange, or to move the marker",
    "give": "the good you hand in",
    "good": "the good to deliver, or whose die is set to 0",
    "rum": "how much rum to sell",
    "take": "the good you get",
    "times": "how many VP to exchange",
}

USES = (
    "pesos_paid", "pesos_taken", "vp_paid", "vp_gained", "goods_paid", "goods_paid", "goods_taken",
    "citizen_deactivated",
)  # fmt: skip
"""Effects that the label of a use says already; the café's says two kinds of goods."""

_NO_CHOICE: tuple[Values, ...] = ((),)
_NO_USE: tuple[Values, ...] = ()
_MOST_TIMES = 2**53 - 1
"""The rules set no bound; canonical JSON does."""


class Building:
    """One building. Subclasses implement the effects that ``data.json`` names."""

    params: ClassVar[Mapping[str, Field]] = {}

    def __init__(self, id_: str, effect: JsonObject) -> None:
        self.id = id_
        self.effect = effect
        self.names = tuple(self.params)

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        """Every use that ``seat`` may make now."""
        raise NotImplementedError

    def check(self, state: State, seat: int, *values: Any) -> None:
        """Raise IllegalMove unless ``seat`` may make this use now; values are of any type."""
        raise NotImplementedError

    def apply(self, state: State, seat: int, log: EffectLog | None, *values: Any) -> None:
        """Make a legal use."""
        raise NotImplementedError

    def label(self, *values: Any) -> tuple[str, JsonObject]:
        """Label key and values of a legal use."""
        return self.id, dict(zip(self.names, values, strict=True))


# What several buildings check


def good_index(value: object) -> int:
    """Return the good that ``value`` names."""
    if type(value) is not str or value not in GOOD:
        raise IllegalMove(errors.UNKNOWN_GOOD, f"there is no good {shown(value)}")
    return GOOD[value]


def not_wood(good: int) -> None:
    """Refuse wood."""
    if good == WOOD:
        raise IllegalMove(errors.WOOD_NOT_ALLOWED, "wood is not allowed here")


def has_die(good: int) -> None:
    """Refuse the good without a die."""
    if good == WOOD:
        raise IllegalMove(errors.GOOD_HAS_NO_DIE, "wood has no die")


def positive(value: object) -> int:
    """Return ``value`` if it is an integer from 1 up."""
    if type(value) is not int or value < 1:
        raise IllegalMove(
            errors.INVALID_AMOUNT, f"an amount is a whole number from 1 up, not {shown(value)}"
        )
    return value


def held(state: State, seat: int, good: int) -> None:
    """Refuse a good that ``seat`` does not hold."""
    if not state.goods[seat][good]:
        name = GOODS[good]
        raise IllegalMove(errors.GOOD_NOT_HELD, f"you hold no {name}", good=name)


def in_supply(state: State, good: int, amount: int = 1) -> None:
    """Refuse more of a good than the supply has."""
    if amount > state.supply[good]:
        name, left = GOODS[good], state.supply[good]
        raise IllegalMove(
            errors.SUPPLY_EXHAUSTED, f"the supply has {left} {name}", good=name, supply=left
        )


def at_most_held(state: State, seat: int, good: int, amount: int) -> None:
    """Refuse more of a good than ``seat`` holds."""
    own = state.goods[seat][good]
    if amount > own:
        name = GOODS[good]
        raise IllegalMove(errors.EXCEEDS_HELD, f"you hold {own} {name}", good=name, held=own)


def demanded(state: State, die: int) -> None:
    """Refuse a good whose die is left out or at 0."""
    if not state.demand[die]:
        name = GOODS[die]
        raise IllegalMove(errors.GOOD_NOT_DEMANDED, f"the ship wants no {name}", good=name)


def ship_has_dice(state: State) -> None:
    """Refuse while a new ship waits for its dice."""
    if not state.demand:  # R30
        raise IllegalMove(errors.NO_SHIP_DEMAND, "the new ship has no dice yet")


def _one_of(directions: Sequence[str], value: object) -> None:
    if type(value) is not str or value not in directions:
        raise IllegalMove(
            errors.MALFORMED_PARAMETERS,
            f"a direction is {' or '.join(directions)}, not {shown(value)}",
        )


# The buildings, by effect


class Casino(Building):
    """Pay 3 pesos for each VP, or get 3 pesos for each VP, any number of times (R23)."""

    PESOS_TO_VP = "pesos_to_vp"
    VP_TO_PESOS = "vp_to_pesos"
    params: ClassVar[Mapping[str, Field]] = {
        "direction": Choice((PESOS_TO_VP, VP_TO_PESOS)),
        "times": Integer(1, _MOST_TIMES),
    }

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        to_vp = state.pesos[seat] // self.effect["pesos_per_vp"]
        uses = [(self.PESOS_TO_VP, times) for times in range(1, to_vp + 1)]
        uses += [(self.VP_TO_PESOS, times) for times in range(1, state.vp[seat] + 1)]
        return uses

    def check(self, state: State, seat: int, direction: object, times: object) -> None:
        _one_of((self.PESOS_TO_VP, self.VP_TO_PESOS), direction)
        number = positive(times)
        price = number * self.effect["pesos_per_vp"]
        pesos, vp = state.pesos[seat], state.vp[seat]
        if direction == self.PESOS_TO_VP and price > pesos:
            raise IllegalMove(
                errors.INSUFFICIENT_PESOS,
                f"{shown(number)} VP cost {shown(price)} pesos and you have {pesos}",
                pesos=pesos,
            )
        if direction == self.VP_TO_PESOS and number > vp:
            raise IllegalMove(
                errors.INSUFFICIENT_VP, f"you have {vp} VP, not {shown(number)}", vp=vp
            )

    def apply(
        self, state: State, seat: int, log: EffectLog | None, direction: str, times: int
    ) -> None:
        pesos = times * self.effect["pesos_per_vp"]
        if direction == self.PESOS_TO_VP:
            play.pay_pesos(state, seat, pesos, log)
            play.gain_vp(state, seat, times, log)
        else:
            play.pay_vp(state, seat, times, log)
            play.take_pesos(state, seat, pesos, log)

    def label(self, direction: str, times: int) -> tuple[str, JsonObject]:
        return f"{self.id}.{direction}", {"pesos": times * self.effect["pesos_per_vp"], "vp": times}


class Bank(Building):
    """Take pesos."""

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        return _NO_CHOICE

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.take_pesos(state, seat, self.effect["amount"], log)


class Church(Building):
    """Gain VP."""

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        return _NO_CHOICE

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.gain_vp(state, seat, self.effect["amount"], log)


class PortOffice(Building):
    """Move the value marker one flag: right always, left unless it stands on the first (R29)."""

    RIGHT = "right"
    LEFT = "left"
    params: ClassVar[Mapping[str, Field]] = {"direction": Choice((RIGHT, LEFT))}

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        return ((self.RIGHT,), (self.LEFT,)) if state.value_index else ((self.RIGHT,),)

    def check(self, state: State, seat: int, direction: object) -> None:
        _one_of((self.RIGHT, self.LEFT), direction)
        if direction == self.LEFT and not state.value_index:
            raise IllegalMove(errors.MARKER_AT_MINIMUM, "the value marker is on the first flag")

    def apply(self, state: State, seat: int, log: EffectLog | None, direction: str) -> None:
        if direction == self.RIGHT:
            play.advance_value_marker(state, play.FLAG_PORT_OFFICE, log)
        else:
            play.lower_value_marker(state, play.FLAG_PORT_OFFICE, log)


class Factory(Building):
    """Turn any number of one good into as many of another: distillery and cigar factory (R25)."""

    params: ClassVar[Mapping[str, Field]] = {"amount": Integer(1, max(GOOD_TOTALS))}

    def __init__(self, id_: str, effect: JsonObject) -> None:
        super().__init__(id_, effect)
        self.material = GOOD[effect["from"]]
        self.product = GOOD[effect["to"]]

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        most = min(state.goods[seat][self.material], state.supply[self.product])
        return [(amount,) for amount in range(1, most + 1)]

    def check(self, state: State, seat: int, amount: object) -> None:
        number = positive(amount)
        at_most_held(state, seat, self.material, number)
        in_supply(state, self.product, number)

    def apply(self, state: State, seat: int, log: EffectLog | None, amount: int) -> None:
        play.pay_goods(state, seat, self.material, amount, log)
        play.take_goods(state, seat, self.product, amount, log)


class Office(Building):
    """Deliver one demanded good, not wood, for a fixed reward whatever the flag says (R27)."""

    params: ClassVar[Mapping[str, Field]] = {"good": Choice(DICE)}

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        own = state.goods[seat]
        return [(DICE[die],) for die, wanted in enumerate(state.demand) if wanted and own[die]]

    def check(self, state: State, seat: int, good: object) -> None:
        ship_has_dice(state)
        die = good_index(good)
        not_wood(die)
        demanded(state, die)
        held(state, seat, die)

    def apply(self, state: State, seat: int, log: EffectLog | None, good: str) -> None:
        play.pay_goods(state, seat, GOOD[good], 1, log)
        play.gain_vp(state, seat, self.effect["vp"], log)
        play.reduce_demand(state, GOOD[good], 1, play.DEMAND_MET_OFFICE, log)


class BlackMarket(Building):
    """Swap one good for another from the supply; no wood either way (R26)."""

    params: ClassVar[Mapping[str, Field]] = {"give": Choice(DICE), "take": Choice(DICE)}

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        own = state.goods[seat]
        supply = state.supply
        taken = [good for good in DICE if supply[GOOD[good]]]
        return [
            (give, take)
            for die, give in enumerate(DICE)
            if own[die]
            for take in taken
            if take != give
        ]

    def check(self, state: State, seat: int, give: object, take: object) -> None:
        given, taken = good_index(give), good_index(take)
        not_wood(given)
        not_wood(taken)
        if given == taken:
            raise IllegalMove(errors.SAME_GOOD, f"{GOODS[given]} for {GOODS[given]} is no swap")
        held(state, seat, given)
        in_supply(state, taken)

    def apply(self, state: State, seat: int, log: EffectLog | None, give: str, take: str) -> None:
        play.pay_goods(state, seat, GOOD[give], 1, log)
        play.take_goods(state, seat, GOOD[take], 1, log)


class Sawmill(Building):
    """Pay wood for VP and pesos."""

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        return _NO_CHOICE if state.goods[seat][WOOD] else _NO_USE

    def check(self, state: State, seat: int) -> None:
        held(state, seat, WOOD)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay_goods(state, seat, WOOD, self.effect["wood"], log)
        play.gain_vp(state, seat, self.effect["vp"], log)
        play.take_pesos(state, seat, self.effect["pesos"], log)


class Newspaper(Building):
    """Take a peso; then turn one active citizen face down, or nobody (R8, R9)."""

    params: ClassVar[Mapping[str, Field]] = {"citizen": Either((Choice(CITIZENS), Null()))}

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        active = [(CITIZENS[c],) for c, off in enumerate(state.inactive) if not off]
        return [(None,), *active]

    def check(self, state: State, seat: int, citizen: object) -> None:
        if citizen is None:
            return
        if type(citizen) is not str or citizen not in CITIZEN:
            raise IllegalMove(errors.UNKNOWN_CITIZEN, f"there is no citizen {shown(citizen)}")
        if state.inactive[CITIZEN[citizen]]:
            raise IllegalMove(
                errors.CITIZEN_ALREADY_INACTIVE, f"{citizen} is inactive", citizen=citizen
            )

    def apply(self, state: State, seat: int, log: EffectLog | None, citizen: str | None) -> None:
        play.take_pesos(state, seat, self.effect["pesos"], log)
        if citizen is not None:
            state.inactive[CITIZEN[citizen]] = 1
            if log:
                log.add("citizen_deactivated", seat=seat, citizen=citizen)

    def label(self, citizen: str | None) -> tuple[str, JsonObject]:
        if citizen is None:
            return f"{self.id}.nobody", {}
        return self.id, {"citizen": citizen}


class Cafe(Building):
    """Sell one rum, one cigars, or one of each."""

    params: ClassVar[Mapping[str, Field]] = {"cigars": Integer(0, 1), "rum": Integer(0, 1)}

    def __init__(self, id_: str, effect: JsonObject) -> None:
        super().__init__(id_, effect)
        self.sorts = [GOOD[name] for name in self.names]

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        cigars, rum = (min(state.goods[seat][good], 1) for good in self.sorts)
        return [(c, r) for c in range(cigars + 1) for r in range(rum + 1) if c or r]

    def check(self, state: State, seat: int, *amounts: object) -> None:
        for amount in amounts:
            if type(amount) is not int or amount not in (0, 1):
                raise IllegalMove(
                    errors.INVALID_AMOUNT, f"the café buys 0 or 1, not {shown(amount)}"
                )
        if not any(amounts):
            raise IllegalMove(errors.NOTHING_SELECTED, "sell rum, cigars or one of each")
        for good, amount in zip(self.sorts, amounts, strict=True):
            if amount:
                held(state, seat, good)

    def apply(self, state: State, seat: int, log: EffectLog | None, *amounts: int) -> None:
        for good, amount in zip(self.sorts, amounts, strict=True):
            if amount:
                play.pay_goods(state, seat, good, amount, log)
        play.gain_vp(state, seat, sum(amounts) * self.effect["vp_each"], log)

    def label(self, *amounts: int) -> tuple[str, JsonObject]:
        sold = [name for name, amount in zip(self.names, amounts, strict=True) if amount]
        return self.id, {"goods": sold}


class Customs(Building):
    """Turn one die on the ship to 0 (R28)."""

    params: ClassVar[Mapping[str, Field]] = {"good": Choice(DICE)}

    def legal(self, state: State, seat: int) -> Sequence[Values]:
        return [(DICE[die],) for die, wanted in enumerate(state.demand) if wanted]

    def check(self, state: State, seat: int, good: object) -> None:
        ship_has_dice(state)
        die = good_index(good)
        has_die(die)
        if die == state.left_out:
            demanded(state, die)
        if not state.demand[die]:
            name = DICE[die]
            raise IllegalMove(errors.DIE_ALREADY_ZERO, f"the {name} die is at 0", good=name)

    def apply(self, state: State, seat: int, log: EffectLog | None, good: str) -> None:
        die = GOOD[good]
        play.reduce_demand(state, die, state.demand[die], play.DEMAND_MET_CUSTOMS, log)


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
    for id_, effect in zip(BUILDING_IDS, BUILDING_EFFECTS, strict=True)
)
