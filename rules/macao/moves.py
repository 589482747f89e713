"""The types of move: what each looks like, when it is legal, and what it does.

Moves are interned in tables, made once for each edition; a list of legal moves is picks of these.
Options that depend on many things (payments, uses of cards) are listed once for each case.
"""

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from itertools import combinations
from typing import Any, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.move import MalformedMove, Move, RawMove, param
from rules.macao import cubes, errors, play
from rules.macao.cards import TRIBUTE_PAID, Convert
from rules.macao.cubes import GUARD, covers
from rules.macao.data import (
    COLOURS,
    GOOD,
    GOODS,
    JOKER_COINS,
    KINDS,
    LAST_SPACE,
    NONE,
    TILES,
)
from rules.macao.fields import Colours, Count, Cubes, Dice, Id, Kind, Payment
from rules.macao.state import State
from rules.macao.tables import TABLES

Moves = Sequence[Move[State]]

_COLOUR = {id_: index for index, id_ in enumerate(COLOURS)}
_MOST = 4
"""No payment or choice is of more cubes (``tables``)."""
_CARD, _QUARTER, _SPACE = Id(example="bank"), Id(example="q01"), Id(example="s01")


def _maybe(kind: Kind, doc: str) -> Any:
    """Declare a field that is left out of the JSON where it does not apply: None in the move."""
    part = param(kind, doc)
    part.default = None
    return part


class _Move(RawMove[State]):
    """What the moves of this game share: their JSON by the kinds of their fields."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        data: JsonObject = {"type": self.type}
        for name, kind, _needed in _kinds(type(self)):
            value = getattr(self, name)
            if value is not None:
                data[name] = kind.write(value)
        return data

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        """Read the move back.

        Raises:
            MalformedMove: a field is missing, one too many, or of the wrong type.

        """
        kinds = _kinds(cls)
        values = {name: kind.read(data[name]) for name, kind, _needed in kinds if name in data}
        if missing := [name for name, _kind, needed in kinds if needed and name not in data]:
            raise MalformedMove(f"{cls.type} needs {', '.join(missing)}")
        if len(data) > len(values) + 1:
            extra = data.keys() - values.keys() - {"type"}
            raise MalformedMove(f"{cls.type} has no {', '.join(sorted(extra))}")
        return cls(**values)

    @classmethod
    def schema(cls) -> JsonObject:
        schema = super().schema()
        schema["required"] = ["type", *(name for name, _kind, needed in _kinds(cls) if needed)]
        return schema


def _kinds(move: Any) -> tuple[tuple[str, Any, bool], ...]:
    """Name and kind of each field, and whether it is always there."""
    return _cached_kinds(move)


@cache
def _cached_kinds(move: Any) -> tuple[tuple[str, Any, bool], ...]:
    return tuple((f.name, f.metadata["kind"], f.default is MISSING) for f in fields(move))


# Checks that several moves share, in the order of the rules


def _card(state: State, id_: str) -> int:
    if id_ not in state.tables.card_index:
        raise IllegalMove(errors.UNKNOWN_ID, f"there is no card {shown(id_)}")
    return state.tables.card_index[id_]


def _colour(id_: str) -> int:
    if id_ not in _COLOUR:
        raise IllegalMove(errors.UNKNOWN_COLOR, f"there is no colour {shown(id_)}")
    return _COLOUR[id_]


def _pile(names: Cubes) -> int:
    if isinstance(names, int):
        return names
    for name in names:
        _colour(name)
    return cubes.pile_of(names)


def _affordable(state: State, seat: int, pile: int) -> None:
    if not covers(state.supply[seat], pile):
        raise IllegalMove(
            errors.CUBES_NOT_AVAILABLE,
            f"your supply does not hold {_spelt(pile)}",
            needed=cubes.payment(pile),
        )


def _not_at_the_end(state: State, seat: int) -> None:
    if state.disc[seat] == LAST_SPACE:  # R28
        raise IllegalMove(errors.WALL_END_REACHED, "your disc is on the last space of the wall")


def _in_bank(state: State, pile: int) -> None:
    if not covers(state.bank, pile):
        raise IllegalMove(
            errors.SUPPLY_COLOR_EMPTY,
            f"the bank does not hold {_spelt(pile)}",
            needed=cubes.payment(pile),
        )


def _malformed(message: str) -> IllegalMove:
    return IllegalMove(errors.MALFORMED_ACTION, message)


def _spelt(pile: int) -> str:
    return " and ".join([f"{n} {id_}" for id_, n in cubes.payment(pile).items()]) or "nothing"


# Cards


@dataclass(frozen=True, slots=True)
class DraftCard(_Move):
    """Take a card from the display onto your tableau."""

    type = "draft_card"
    says = ("card_drafted",)
    card: str = param(_CARD, "a card of the display")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        drafts = _drafts(state.edition)
        return [drafts[card] for card in state.display]  # R11

    def check(self, state: State, seat: int) -> None:
        if _card(state, self.card) not in state.display:
            raise IllegalMove(
                errors.CARD_NOT_IN_DISPLAY, f"{self.card} is not in the display", card=self.card
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.draft(state, seat, state.tables.card_index[self.card], log)

    def details(self, state: State, seat: int) -> JsonObject:
        card = state.tables.cards[state.tables.card_index[self.card]]
        return {"kind": KINDS[card.kind], "cost": cubes.ids(card.cost)}


@cache
def _drafts(edition: str) -> tuple[DraftCard, ...]:
    return tuple(DraftCard(card.id) for card in TABLES[edition].cards)


@dataclass(frozen=True, slots=True)
class SkipDraft(_Move):
    """Take no card this round."""

    type = "skip_draft"
    says = ("draft_skipped",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SKIP if state.powers[seat].optional_draft else ()  # R12

    def check(self, state: State, seat: int) -> None:
        if not state.powers[seat].optional_draft:
            raise IllegalMove(errors.MUST_DRAFT, "no active card of yours lets you skip the draft")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("draft_skipped", seat=seat)
        play.next_drafter(state, log)


_SKIP = (SkipDraft(),)


@dataclass(frozen=True, slots=True)
class DiscardTableauCard(_Move):
    """Discard one of six cards, the new one included."""

    type = "discard_tableau_card"
    says = ("tableau_card_discarded",)
    card: str = param(_CARD, "a card of your tableau")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        discards = _discards(state.edition)
        return [discards[card] for card in state.tableau[seat]]

    def check(self, state: State, seat: int) -> None:
        _on_tableau(state, seat, self.card)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        card = state.tables.card_index[self.card]
        state.tableau[seat].remove(card)
        state.discard.append(card)
        if log:
            log.add("tableau_card_discarded", seat=seat, card=self.card)
        state.phase = play.DRAFT
        play.next_drafter(state, log)


@cache
def _discards(edition: str) -> tuple[DiscardTableauCard, ...]:
    return tuple(DiscardTableauCard(card.id) for card in TABLES[edition].cards)


def _on_tableau(state: State, seat: int, id_: str) -> int:
    card = _card(state, id_)
    if card not in state.tableau[seat]:
        raise IllegalMove(errors.CARD_NOT_ON_TABLEAU, f"{id_} is not on your tableau", card=id_)
    return card


# Cubes onto the windrose


@dataclass(frozen=True, slots=True)
class ChooseStartCubes(_Move):
    """Put one cube on the first sector of your windrose and two of one colour on the second."""

    type = "choose_start_cubes"
    says = ("start_cubes_chosen",)
    first: str = param(Id(COLOURS), "the colour of the one cube")
    second: str = param(Id(COLOURS), "the colour of the two cubes, which may be the same")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _STARTS

    def check(self, state: State, seat: int) -> None:
        _colour(self.first)
        _colour(self.second)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("start_cubes_chosen", seat=seat, first=self.first, second=self.second)
        play.take_start_cubes(state, seat, (_COLOUR[self.first], _COLOUR[self.second]))


_STARTS = tuple(ChooseStartCubes(first, second) for first in COLOURS for second in COLOURS)


@dataclass(frozen=True, slots=True)
class ChooseDice(_Move):
    """Choose two dice: put as many cubes of each colour as it shows on the sector of its number."""

    type = "choose_dice"
    colors: tuple[str, ...] = param(Dice(), "the colours of two different dice")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _PAIRS  # R13

    def check(self, state: State, seat: int) -> None:
        for id_ in self.colors:
            _colour(id_)
        if self.colors[0] == self.colors[1]:
            raise IllegalMove(errors.SAME_DIE_TWICE, f"choose two dice, not {self.colors[0]} twice")

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.choose_dice(state, seat, _PAIR[self.colors], log)


@dataclass(frozen=True, slots=True)
class ChooseDiceSecretly(ChooseDice):
    """Choose two dice while all others do; the choices are opened when all have made theirs."""

    type = "choose_dice_secretly"
    says = ("dice_sealed",)
    secret = True

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SECRET_PAIRS


DICE_PAIRS = tuple(combinations(COLOURS, 2))
_PAIRS = tuple(ChooseDice(pair) for pair in DICE_PAIRS)
_SECRET_PAIRS = tuple(ChooseDiceSecretly(pair) for pair in DICE_PAIRS)
_PAIR: dict[tuple[str, ...], tuple[int, int]] = dict(
    zip(DICE_PAIRS, combinations(range(len(COLOURS)), 2), strict=True)
)


# Actions


class _Action(_Move):
    """A move of the action phase. All but a further space close an open wall advance (R26)."""

    __slots__ = ()

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.wall_open = 0
        self.act(state, seat, log)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Do what the action does."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ActivateCard(_Action):
    """Pay the cubes on a card of your tableau; from now on it works for you."""

    type = "activate_card"
    says = ("cubes_paid", "card_activated")
    card: str = param(_CARD, "a card of your tableau")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        supply = state.supply[seat]
        moves: list[Move[State]] = []
        for card in state.tableau[seat]:
            move, cost = _activations(state.edition)[card]
            if covers(supply, cost):
                moves.append(move)
        return moves

    def check(self, state: State, seat: int) -> None:
        card = _on_tableau(state, seat, self.card)
        _affordable(state, seat, state.tables.cards[card].cost)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        tables = state.tables
        card = tables.card_index[self.card]
        play.pay(state, seat, tables.cards[card].cost, log)
        play.activate(state, seat, card, log)

    def details(self, state: State, seat: int) -> JsonObject:
        cost = state.tables.cards[state.tables.card_index[self.card]].cost
        return {"cost": cubes.ids(cost)}


@cache
def _activations(edition: str) -> tuple[tuple[ActivateCard, int], ...]:
    return tuple((ActivateCard(card.id), card.cost) for card in TABLES[edition].cards)


@dataclass(frozen=True, slots=True)
class ClaimQuarter(_Action):
    """Pay for a quarter that nobody owns; it is yours, and so is its tile."""

    type = "claim_quarter"
    says = ("cubes_paid", "quarter_claimed")
    quarter: str = param(_QUARTER, "a quarter without an owner")
    payment: int | tuple[str, ...] = param(Payment(_MOST), "the cubes that you pay")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        powers = state.powers[seat]
        if state.claims >= powers.claims_per_round or not play.markers_left(state, seat):
            return ()
        guarded = state.supply[seat] | GUARD
        city = _claims(
            state.edition,
            powers.claim_discount,
            powers.claim_wild,
            powers.dark_quarter_any_cube,
        )
        return [
            move
            for owner, offers in zip(state.owner, city, strict=True)
            if owner == NONE
            for payment, move in offers
            if guarded - payment & GUARD == GUARD  # covers, in a hurry
        ]

    def check(self, state: State, seat: int) -> None:
        tables, powers = state.tables, state.powers[seat]
        if self.quarter not in tables.quarter_index:
            raise IllegalMove(errors.UNKNOWN_ID, f"there is no quarter {shown(self.quarter)}")
        payment = _pile(self.payment)
        index = tables.quarter_index[self.quarter]
        owner = state.owner[index]
        if owner != NONE:
            raise IllegalMove(
                errors.QUARTER_ALREADY_OWNED, f"seat {owner} owns {self.quarter}", owner=owner
            )
        if state.claims >= powers.claims_per_round:  # R19
            raise IllegalMove(
                errors.CLAIM_LIMIT_REACHED, f"you have claimed {state.claims} this round"
            )
        if not play.markers_left(state, seat):  # R5
            raise IllegalMove(errors.NO_OWNERSHIP_MARKERS, "you have no ownership marker left")
        quarter = tables.quarters[index]
        any_cube = bool(quarter.dark and powers.dark_quarter_any_cube)
        legal = payments(quarter.cost, powers.claim_discount, powers.claim_wild, any_cube=any_cube)
        if payment not in legal:
            raise IllegalMove(
                errors.WRONG_PAYMENT,
                f"{self.quarter} costs {_spelt(quarter.cost)}, which you do not pay with"
                f" {_spelt(payment)}",
                cost=cubes.payment(quarter.cost),
            )
        _affordable(state, seat, payment)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, _pile(self.payment), log)
        play.claim(state, seat, state.tables.quarter_index[self.quarter], log)

    def label(self) -> tuple[str, JsonObject]:
        payment = cubes.ids(_pile(self.payment))
        return f"move.{self.type}", {"quarter": self.quarter, "payment": payment}

    def details(self, state: State, seat: int) -> JsonObject:
        return {"tile": TILES[state.tiles[state.tables.quarter_index[self.quarter]]]}


@cache
def payments(cost: int, discount: int, wild: int, *, any_cube: bool) -> tuple[int, ...]:
    """Every legal payment for a quarter (R17).

    That is as many cubes as ``cost`` has, less ``discount`` but at least 1 (R18), of which at most
    ``wild`` are of colours that it does not ask for; or any one cube.
    """
    size = max(1, cubes.total(cost) - discount)
    legal = [
        pile
        for pile in cubes.any_cubes(size)
        if cubes.total(cubes.common(pile, cost)) >= size - wild
    ]
    if any_cube:
        legal += [pile for pile in cubes.ONE if pile not in legal]
    return tuple(legal)


@cache
def _claims(
    edition: str, discount: int, wild: int, any_cube: int
) -> tuple[tuple[tuple[int, ClaimQuarter], ...], ...]:
    """By quarter, every payment and its move, for a player with these powers."""
    return tuple(
        tuple(
            (payment, ClaimQuarter(quarter.id, payment))
            for payment in payments(
                quarter.cost, discount, wild, any_cube=bool(any_cube and quarter.dark)
            )
        )
        for quarter in TABLES[edition].quarters
    )


@dataclass(frozen=True, slots=True)
class AdvanceWall(_Action):
    """Pay a cube to move your disc one space along the wall; more spaces may follow at once."""

    type = "advance_wall"
    says = ("cubes_paid",)
    color: str = param(Id(COLOURS), "the colour that you pay")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if state.wall_advanced or state.disc[seat] == LAST_SPACE:
            return ()
        return [_ADVANCES[colour] for colour in cubes.colours(state.supply[seat])]

    def check(self, state: State, seat: int) -> None:
        colour = _colour(self.color)
        if state.wall_advanced:
            raise IllegalMove(
                errors.WALL_ALREADY_ADVANCED, "you have advanced on the wall this round"
            )
        _not_at_the_end(state, seat)
        _affordable(state, seat, cubes.ONE[colour])

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, cubes.ONE[_COLOUR[self.color]], log)
        play.move_disc(state, seat, log)
        state.wall_advanced = state.wall_open = 1


_ADVANCES = tuple(AdvanceWall(colour) for colour in COLOURS)


@dataclass(frozen=True, slots=True)
class AdvanceWallExtra(_Action):
    """Pay for one more space of the wall advance that you have just made."""

    type = "advance_wall_extra"
    says = ("cubes_paid",)
    payment: int | tuple[str, ...] = param(Payment(_MOST), "the cubes that you pay, of any colours")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.wall_open or state.disc[seat] == LAST_SPACE:
            return ()
        supply = state.supply[seat]
        extras = _extras(state.powers[seat].wall_extra_cost)
        return [move for payment, move in extras if covers(supply, payment)]

    def check(self, state: State, seat: int) -> None:
        payment = _pile(self.payment)
        if not state.wall_open:
            raise IllegalMove(
                errors.WALL_NOT_OPEN, "a further space follows directly on a wall advance"
            )
        _not_at_the_end(state, seat)
        cost = state.powers[seat].wall_extra_cost  # R27
        if cubes.total(payment) != cost:
            raise IllegalMove(
                errors.WRONG_PAYMENT,
                f"a further space costs {cost}, not {_spelt(payment)}",
                cost=cost,
            )
        _affordable(state, seat, payment)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, _pile(self.payment), log)
        play.move_disc(state, seat, log)

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", {"payment": cubes.ids(_pile(self.payment))}


@cache
def _extras(cost: int) -> tuple[tuple[int, AdvanceWallExtra], ...]:
    return tuple((payment, AdvanceWallExtra(payment)) for payment in cubes.any_cubes(cost))


@dataclass(frozen=True, slots=True)
class MoveShip(_Action):
    """Move your ship one space: with a free step if you have one, else for a cube."""

    type = "move_ship"
    says = ("cubes_paid", "ship_moved")
    space: str = param(_SPACE, "a space adjacent to your ship")
    color: str | None = _maybe(Id(COLOURS), "the colour that you pay, if you have no free step")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        free, paid = _sailings(state.edition)[state.ship[seat]]
        if state.free_steps:
            return free
        moves: list[Move[State]] = []
        for colour in cubes.colours(state.supply[seat]):
            moves += paid[colour]
        return moves

    def check(self, state: State, seat: int) -> None:
        tables = state.tables
        if self.space not in tables.space_index:
            raise IllegalMove(errors.UNKNOWN_ID, f"there is no space {shown(self.space)}")
        colour = NONE if self.color is None else _colour(self.color)
        here = tables.spaces[state.ship[seat]]
        if tables.space_index[self.space] not in here.adjacent:
            raise IllegalMove(
                errors.NOT_ADJACENT, f"{self.space} is not adjacent to {here.id}", ship=here.id
            )
        if state.free_steps:  # R24
            if colour != NONE:
                raise IllegalMove(
                    errors.FREE_STEP_AVAILABLE,
                    f"you have free steps: pay no {self.color}",
                    free_steps=state.free_steps,
                )
        elif colour == NONE:
            raise _malformed("you have no free step: say the color that you pay")
        else:
            _affordable(state, seat, cubes.ONE[colour])

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.color is None:
            state.free_steps -= 1
        else:
            play.pay(state, seat, cubes.ONE[_COLOUR[self.color]], log)
            state.free_steps += state.powers[seat].steps_per_cube - 1
        play.sail(state, seat, state.tables.space_index[self.space], log)

    def label(self) -> tuple[str, JsonObject]:
        if self.color is None:
            return f"move.{self.type}.free", {"space": self.space}
        return f"move.{self.type}", {"space": self.space, "color": self.color}


@cache
def _sailings(
    edition: str,
) -> tuple[tuple[tuple[MoveShip, ...], tuple[tuple[MoveShip, ...], ...]], ...]:
    """By space: the free steps from there, and by colour those that are paid."""
    spaces = TABLES[edition].spaces
    return tuple(
        (
            tuple(MoveShip(spaces[to].id) for to in space.adjacent),
            tuple(tuple(MoveShip(spaces[to].id, c) for to in space.adjacent) for c in COLOURS),
        )
        for space in spaces
    )


@dataclass(frozen=True, slots=True)
class DeliverGoods(_Action):
    """Deliver one tile of goods to the port that wants it."""

    type = "deliver_goods"
    says = ("goods_delivered", "prestige_gained")
    good: str = param(Id(GOODS), "a kind of goods aboard your ship")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        aboard = state.goods[seat]
        wanted = markets(state.edition, state.powers[seat].remote_delivery)[state.ship[seat]]
        return [_DELIVERIES[good] for good in wanted if aboard[good]]

    def check(self, state: State, seat: int) -> None:
        if self.good not in GOOD:
            raise IllegalMove(errors.UNKNOWN_ID, f"there are no goods {shown(self.good)}")
        good = GOOD[self.good]
        if not state.goods[seat][good]:
            raise IllegalMove(errors.NO_SUCH_GOODS, f"you have no {self.good} aboard")
        ship = state.ship[seat]
        if good not in markets(state.edition, state.powers[seat].remote_delivery)[ship]:
            port = state.tables.spaces[state.tables.ports[good]].id
            raise IllegalMove(
                errors.PORT_NOT_REACHABLE,
                f"{port} wants {self.good} and your ship is at {state.tables.spaces[ship].id}",
                port=port,
            )

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.deliver(state, seat, GOOD[self.good], log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"prestige": play.delivery_prestige(state, seat, GOOD[self.good])}


_DELIVERIES = tuple(DeliverGoods(good) for good in GOODS)


@cache
def markets(edition: str, remote: int) -> tuple[tuple[int, ...], ...]:
    """By space, the goods that can be delivered from there; from a space beside too (R23)."""
    spaces = TABLES[edition].spaces
    return tuple(
        tuple(
            sorted(
                spaces[port].good
                for port in (number, *(space.adjacent if remote else ()))
                if spaces[port].good != NONE
            )
        )
        for number, space in enumerate(spaces)
    )


@dataclass(frozen=True, slots=True)
class BuyPrestige(_Action):
    """Pay the round's tribute in coins for its prestige points: all or nothing."""

    type = "buy_prestige"
    says = ("prestige_bought", "prestige_gained")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        powers = state.powers[seat]
        if state.tributes >= powers.tributes_per_round or state.coins[seat] < price(state, seat):
            return ()
        return _BUY

    def check(self, state: State, seat: int) -> None:
        if state.tributes >= state.powers[seat].tributes_per_round:
            raise IllegalMove(
                errors.TRIBUTE_LIMIT_REACHED, f"you have bought {state.tributes} this round"
            )
        cost, coins = price(state, seat), state.coins[seat]
        if coins < cost:
            raise IllegalMove(
                errors.NOT_ENOUGH_COINS, f"it costs {cost} and you have {coins}", cost=cost
            )

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.tributes += 1
        cost = price(state, seat)  # R37
        state.coins[seat] -= cost
        if log:
            prestige = state.tribute_prestige
            log.add("prestige_bought", seat=seat, coins=cost, prestige=prestige)
        play.score(state, seat, state.tribute_prestige, log)  # R2
        play.trigger(state, seat, TRIBUTE_PAID, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"coins": price(state, seat), "prestige": state.tribute_prestige}


_BUY = (BuyPrestige(),)


def price(state: State, seat: int) -> int:
    """Coins that one purchase of prestige costs ``seat`` (R36)."""
    return max(0, state.tribute_gold - state.powers[seat].tribute_discount)


@dataclass(frozen=True, slots=True)
class UseCard(_Action):
    """Use an active card that turns something into something else."""

    type = "use_card"
    card: str = param(_CARD, "an active card of yours")
    pay_colors: int | tuple[str, ...] | None = _maybe(
        Colours(_MOST), "the colours that you pay, if the card takes any"
    )
    gain_colors: int | tuple[str, ...] | None = _maybe(
        Colours(_MOST), "the colours that you gain, if the card gives any"
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        moves: list[Move[State]] = []
        for card in state.powers[seat].converts:
            if state.used >> card & 1:
                continue
            convert, uses, each_gained = _uses(state.edition, card)
            if convert.coins > state.coins[seat]:
                continue
            if convert.only_wall and state.disc[seat] == LAST_SPACE:
                continue
            for cost, with_cost in uses:
                if not covers(state.supply[seat], cost):
                    continue
                if covers(state.bank, each_gained):  # there is enough of every colour
                    moves += with_cost
                else:
                    moves += _from_bank(state.bank, convert.gain.cubes_any, with_cost)
        return moves

    def check(self, state: State, seat: int) -> None:
        index = _card(state, self.card)
        paid = 0 if self.pay_colors is None else _pile(self.pay_colors)
        gained = 0 if self.gain_colors is None else _pile(self.gain_colors)
        if index not in state.activated[seat]:
            raise IllegalMove(errors.CARD_NOT_ACTIVE, f"{self.card} is not active for you")
        convert = state.tables.cards[index].convert
        if convert is None:
            raise IllegalMove(errors.CARD_HAS_NO_USE, f"{self.card} works by itself")
        if state.used >> index & 1:  # R34
            raise IllegalMove(errors.CARD_ALREADY_USED, f"you have used {self.card} this round")
        self._check_lists(convert, paid, gained, cubes.total(state.bank))
        if convert.only_wall:
            _not_at_the_end(state, seat)
        if convert.coins > state.coins[seat]:
            raise IllegalMove(
                errors.NOT_ENOUGH_COINS,
                f"{self.card} costs {convert.coins} and you have {state.coins[seat]}",
                cost=convert.coins,
            )
        _affordable(state, seat, convert.cubes + paid)
        _in_bank(state, gained)

    def _check_lists(self, convert: Convert, paid: int, gained: int, in_bank: int) -> None:
        """Each list is there if the card asks for it, and of the length that it asks for."""
        wanted = min(convert.gain.cubes_any, in_bank)  # R35
        for name, given, length, number in (
            ("pay_colors", self.pay_colors, cubes.total(paid), convert.cubes_any),
            ("gain_colors", self.gain_colors, cubes.total(gained), wanted),
        ):
            asked = convert.cubes_any if name == "pay_colors" else convert.gain.cubes_any
            if (given is not None) != bool(asked) or length != number:
                wants = f"{number} {name}" if asked else f"no {name}"
                raise _malformed(f"{self.card} takes {wants}")

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        tables = state.tables
        index = tables.card_index[self.card]
        convert = tables.cards[index].convert
        assert convert is not None  # noqa: S101 - checked
        if log:
            log.add("card_used", seat=seat, card=self.card)
        if convert.coins:
            play.pay_coins(state, seat, convert.coins, log)
        play.pay(state, seat, convert.cubes + _pile(self.pay_colors or 0), log)
        if convert.once_per_round:
            state.used |= 1 << index
        play.give(state, seat, convert.gain, log, _pile(self.gain_colors or 0))

    def label(self) -> tuple[str, JsonObject]:
        paid, gained = (cubes.ids(_pile(pile or 0)) for pile in (self.pay_colors, self.gain_colors))
        return f"move.{self.type}", {"card": self.card, "paid": paid, "gained": gained}

    def details(self, state: State, seat: int) -> JsonObject:
        convert = state.tables.cards[state.tables.card_index[self.card]].convert
        assert convert is not None  # noqa: S101 - legal
        gain, chosen = convert.gain, _pile(self.gain_colors or 0)
        return {
            "coins": convert.coins,
            "paid": cubes.ids(convert.cubes + _pile(self.pay_colors or 0)),
            "gained": cubes.ids(cubes.common(gain.cubes + chosen, state.bank)),
            "gained_coins": gain.coins,
            "prestige": gain.prestige,
            "steps": gain.ship_steps,
            "spaces": gain.wall,
        }

    @property
    def says(self) -> tuple[str, ...]:
        paid = ("card_used", "coins_paid", "cubes_paid")
        return (*paid, "cubes_gained") if self.gain_colors else paid


@cache
def _uses(
    edition: str, card: int
) -> tuple[Convert, tuple[tuple[int, tuple[UseCard, ...]], ...], int]:
    """What a card does, its moves by the cubes that they cost, and a bank with enough for all."""
    row = TABLES[edition].cards[card]
    convert = row.convert
    assert convert is not None  # noqa: S101 - the caller has a card to use
    number = convert.gain.cubes_any
    uses = tuple(
        (
            convert.cubes + paid,
            tuple(
                UseCard(
                    row.id,
                    paid if convert.cubes_any else None,
                    gained if number else None,
                )
                for gained in cubes.any_cubes(number)
            ),
        )
        for paid in cubes.any_cubes(convert.cubes_any)
    )
    return convert, uses, cubes.each(number)


def _from_bank(bank: int, number: int, uses: tuple[UseCard, ...]) -> Moves:
    """The uses whose gain a nearly empty bank can pay; if none, the one that empties it (R35)."""
    if cubes.total(bank) < number:
        return [UseCard(uses[0].card, uses[0].pay_colors, bank)]
    gains = zip(cubes.any_cubes(number), uses, strict=True)
    return [use for gained, use in gains if covers(bank, gained)]


@dataclass(frozen=True, slots=True)
class UseJoker(_Action):
    """Give up a joker tile for a cube of any colour or for coins."""

    type = "use_joker"
    says = ("joker_used",)
    cubes: int | tuple[str, ...] = param(Colours(_MOST), "the colours that you take")
    coins: int = param(Count(_MOST * JOKER_COINS), "the coins that you take instead of the rest")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.jokers[seat]:
            return ()
        bank = state.bank
        jokers = _jokers(state.powers[seat].joker_multiplier)
        return [move for pile, move in jokers if covers(bank, pile)]

    def check(self, state: State, seat: int) -> None:
        pile = _pile(self.cubes)
        if not state.jokers[seat]:
            raise IllegalMove(errors.NO_JOKER, "you have no joker tile")
        benefits = state.powers[seat].joker_multiplier
        coins = JOKER_COINS * (benefits - cubes.total(pile))
        if coins < 0:
            raise _malformed(
                f"a joker gives you {benefits} times a cube or {JOKER_COINS} coins,"
                f" not {_spelt(pile)}"
            )
        _in_bank(state, pile)
        if self.coins != coins:
            raise _malformed(
                f"a joker gives you {coins} coins besides {_spelt(pile)}, not {shown(self.coins)}"
            )

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        pile = _pile(self.cubes)
        state.jokers[seat] -= 1
        state.bank -= pile
        state.supply[seat] += pile
        state.coins[seat] += self.coins
        if log:
            log.add("joker_used", seat=seat, colors=cubes.ids(pile), coins=self.coins)

    def label(self) -> tuple[str, JsonObject]:
        pile = _pile(self.cubes)
        data = {"colors": cubes.ids(pile), "coins": self.coins}
        if not pile:
            return f"move.{self.type}.coins", data
        return f"move.{self.type}.both" if self.coins else f"move.{self.type}", data


@cache
def _jokers(benefits: int) -> tuple[tuple[int, UseJoker], ...]:
    return tuple(
        (pile, UseJoker(pile, JOKER_COINS * (benefits - number)))
        for number in range(benefits, -1, -1)
        for pile in cubes.any_cubes(number)
    )


@dataclass(frozen=True, slots=True)
class EndTurn(_Action):
    """End your turn; cubes and free steps that you have not used are lost."""

    type = "end_turn"
    says = ("turn_ended",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _END  # R40

    def check(self, state: State, seat: int) -> None:
        pass

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.end_turn(state, seat, log)


_END = (EndTurn(),)

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    DraftCard,
    SkipDraft,
    DiscardTableauCard,
    ChooseStartCubes,
    ChooseDice,
    ChooseDiceSecretly,
    ActivateCard,
    ClaimQuarter,
    AdvanceWall,
    AdvanceWallExtra,
    MoveShip,
    DeliverGoods,
    BuyPrestige,
    UseCard,
    UseJoker,
    EndTurn,
)
