"""The types of move: what each looks like, why it is refused, and what it does."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Self

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, ErrorCode, Integer, Move, Optional, Refusal, param
from rules.macao import cards, cubes, data, effects, fields, phases, play
from rules.macao.cards import CardId, Convert
from rules.macao.errors import Error
from rules.macao.fields import CARD, COLOUR, COLOURS, DICE, GOOD, PAYMENT, QUARTER, SPACE
from rules.macao.state import State
from rules.macao.tables import TABLES, QuarterId, SpaceId

Moves = Sequence[Move[State]]
Refused = ErrorCode | Refusal | None


class _Move(Move[State]):
    """A move, of which the instances that depend on an edition's tables are made once."""

    __slots__ = ()

    @classmethod
    @cache
    def of(cls, *values: object) -> Self:
        """Return the instance with these values."""
        return cls(*values)


# Reasons that several moves share


def _missing(state: State, card: CardId, error: Error) -> Refusal:
    """Why a card is not where it has to be: it does not exist, or ``error``."""
    known = card in state.tables.cards
    return error.of(card=card) if known else Error.UNKNOWN_ID.of(value=card)


def _unaffordable(state: State, seat: int, pile: int) -> Refused:
    held = cubes.covers(state.supply[seat], pile)
    return None if held else _needed(Error.CUBES_NOT_AVAILABLE, pile)


def _bank_lacks(state: State, pile: int) -> Refused:
    return None if cubes.covers(state.bank, pile) else _needed(Error.SUPPLY_COLOR_EMPTY, pile)


@cache  # looking for legal moves asks for the same again and again
def _needed(error: Error, pile: int) -> Refusal:
    return error.of(needed=cubes.payment(pile))


def _at_the_end(state: State, seat: int) -> Refused:
    return Error.WALL_END_REACHED if state.disc[seat] == data.LAST_SPACE else None  # R28


# The draft


@dataclass(frozen=True, slots=True)
class DraftCard(_Move):
    """Take a card from the display onto your tableau."""

    type = "draft_card"
    says = ("card_drafted",)
    card: CardId = param(CARD, "a card of the display", refused=Error.UNKNOWN_ID)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterable[Self]:
        return map(cls.of, state.display)  # R11

    def refusal(self, state: State, seat: int) -> Refused:
        there = self.card in state.display
        return None if there else _missing(state, self.card, Error.CARD_NOT_IN_DISPLAY)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.draft(state, seat, self.card, log)

    def details(self, state: State, seat: int) -> JsonObject:
        card = state.tables.cards[self.card]
        return {"kind": data.KINDS[card.kind], "cost": cubes.ids(card.cost)}


@dataclass(frozen=True, slots=True)
class SkipDraft(_Move):
    """Take no card this round."""

    type = "skip_draft"
    says = ("draft_skipped",)

    def refusal(self, state: State, seat: int) -> Refused:
        return None if state.powers[seat].optional_draft else Error.MUST_DRAFT  # R12

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.DRAFT_SKIPPED, seat=seat)
        play.next_drafter(state, seat, log)


class _OfTableau(_Move):
    """A move with a card of one's tableau."""

    __slots__ = ()
    card: CardId

    def refusal(self, state: State, seat: int) -> Refused:
        there = self.card in state.tableau[seat]
        return None if there else _missing(state, self.card, Error.CARD_NOT_ON_TABLEAU)


@dataclass(frozen=True, slots=True)
class DiscardTableauCard(_OfTableau):
    """Discard one of six cards, the new one included."""

    type = "discard_tableau_card"
    says = ("tableau_card_discarded",)
    card: CardId = param(CARD, "a card of your tableau", refused=Error.UNKNOWN_ID)

    @classmethod
    def candidates(cls, state: State, seat: int) -> Iterable[Self]:
        return map(cls.of, state.tableau[seat])

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.tableau[seat].remove(self.card)
        state.discard.append(self.card)
        if log:
            log.add(effects.TABLEAU_CARD_DISCARDED, seat=seat, card=self.card)
        state.phase = phases.DRAFT
        play.next_drafter(state, seat, log)


# Cubes onto the windrose


@dataclass(frozen=True, slots=True)
class ChooseStartCubes(_Move):
    """Put one cube on the first sector of your windrose and two of one colour on the second."""

    type = "choose_start_cubes"
    says = ("start_cubes_chosen",)
    first: int = param(COLOUR, "the colour of the one cube", refused=Error.UNKNOWN_COLOR)
    second: int = param(
        COLOUR, "the colour of the two cubes, which may be the same", refused=Error.UNKNOWN_COLOR
    )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add(effects.START_CUBES_CHOSEN, seat=seat, first=self.first, second=self.second)
        play.take_start_cubes(state, seat, (self.first, self.second))


@dataclass(frozen=True, slots=True)
class ChooseDice(_Move):
    """Choose two dice: put as many cubes of each colour as it shows on the sector of its number."""

    type = "choose_dice"
    colors: tuple[int, ...] = param(
        DICE, "the colours of two different dice", refused=Error.UNKNOWN_COLOR
    )

    def refusal(self, state: State, seat: int) -> Refused:
        return Error.SAME_DIE_TWICE if self.colors[0] == self.colors[1] else None  # R13

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.choose_dice(state, seat, self.colors, log)


@dataclass(frozen=True, slots=True)
class ChooseDiceSecretly(ChooseDice):
    """Choose two dice while all others do; the choices are opened when all have made theirs."""

    type = "choose_dice_secretly"
    says = ("dice_sealed",)
    secret = True


# Actions


class _Action(_Move):
    """A move of the action phase. All but a further space close an open wall advance (R26)."""

    __slots__ = ()

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.wall_open = False
        self.act(state, seat, log)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        """Do what the action does."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ActivateCard(_Action, _OfTableau):
    """Pay the cubes on a card of your tableau; from now on it works for you."""

    type = "activate_card"
    says = ("cubes_paid", "card_activated")
    card: CardId = param(CARD, "a card of your tableau", refused=Error.UNKNOWN_ID)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        deck, supply = state.tables.cards, state.supply[seat]
        return [cls.of(id_) for id_ in state.tableau[seat] if cubes.covers(supply, deck[id_].cost)]

    def refusal(self, state: State, seat: int) -> Refused:
        return _OfTableau.refusal(self, state, seat) or _unaffordable(state, seat, self.cost(state))

    def cost(self, state: State) -> int:
        """Return the pile on the card."""
        return state.tables.cards[self.card].cost

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, self.cost(state), log)
        play.activate(state, seat, self.card, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"cost": cubes.ids(self.cost(state))}


@dataclass(frozen=True, slots=True)
class ClaimQuarter(_Action):
    """Pay for a quarter that nobody owns; it is yours, and so is its tile."""

    type = "claim_quarter"
    says = ("cubes_paid", "quarter_claimed")
    quarter: QuarterId = param(QUARTER, "a quarter without an owner", refused=Error.UNKNOWN_ID)
    payment: int = param(PAYMENT, "the cubes that you pay", refused=Error.UNKNOWN_COLOR)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if _claims_no_more(state, seat):
            return ()
        guarded, owner = state.supply[seat] | cubes.GUARD, state.owner
        return [
            move
            for payment, move in offers(state, seat).claims
            if guarded - payment & cubes.GUARD == cubes.GUARD  # covers, in a hurry
            and owner[move.quarter] is None
        ]

    def refusal(self, state: State, seat: int) -> Refused:
        if self.quarter not in state.owner:
            return Error.UNKNOWN_ID.of(value=self.quarter)
        if (owner := state.owner[self.quarter]) is not None:
            return Error.QUARTER_ALREADY_OWNED.of(owner=owner)
        if refused := _claims_no_more(state, seat):
            return refused
        if self.payment not in offers(state, seat).payments[self.quarter]:
            cost = state.tables.quarters[self.quarter].cost
            return Error.WRONG_PAYMENT.of(cost=cubes.payment(cost))
        return _unaffordable(state, seat, self.payment)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, self.payment, log)
        play.claim(state, seat, self.quarter, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"tile": data.TILES[state.tiles[self.quarter]]}


def _claims_no_more(state: State, seat: int) -> Refused:
    if state.claims >= state.powers[seat].claims_per_round:  # R19
        return Error.CLAIM_LIMIT_REACHED
    return None if play.markers_left(state, seat) else Error.NO_OWNERSHIP_MARKERS  # R5


class Offers(NamedTuple):
    """What quarters can be claimed for: the payments of each, and every payment with its move."""

    payments: Mapping[QuarterId, tuple[int, ...]]
    claims: tuple[tuple[int, ClaimQuarter], ...]


def offers(state: State, seat: int) -> Offers:
    """What the cards of ``seat`` let it pay (R17)."""
    powers = state.powers[seat]
    return _offers(
        state.edition, powers.claim_discount, powers.claim_wild, powers.dark_quarter_any_cube
    )


@cache
def _offers(edition: str, discount: int, wild: int, any_cube: int) -> Offers:
    legal = {
        id_: payments(quarter.cost, discount, wild, any_cube=bool(any_cube and quarter.dark))
        for id_, quarter in TABLES[edition].quarters.items()
    }
    claims = [(pile, ClaimQuarter(id_, pile)) for id_, piles in legal.items() for pile in piles]
    return Offers(legal, tuple(claims))


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


@dataclass(frozen=True, slots=True)
class AdvanceWall(_Action):
    """Pay a cube to move your disc one space along the wall; more spaces may follow at once."""

    type = "advance_wall"
    says = ("cubes_paid",)
    color: int = param(COLOUR, "the colour that you pay", refused=Error.UNKNOWN_COLOR)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if state.wall_advanced or state.disc[seat] == data.LAST_SPACE:
            return ()
        advances = cls.pool()
        return [advances[colour] for colour in cubes.colours(state.supply[seat])]

    def refusal(self, state: State, seat: int) -> Refused:
        if state.wall_advanced:
            return Error.WALL_ALREADY_ADVANCED
        return _at_the_end(state, seat) or _unaffordable(state, seat, cubes.ONE[self.color])

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, cubes.ONE[self.color], log)
        play.move_disc(state, seat, log)
        state.wall_advanced = state.wall_open = True


@dataclass(frozen=True, slots=True)
class AdvanceWallExtra(_Move):
    """Pay for one more space of the wall advance that you have just made."""

    type = "advance_wall_extra"
    says = ("cubes_paid",)
    payment: int = param(
        PAYMENT, "the cubes that you pay, of any colours", refused=Error.UNKNOWN_COLOR
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.wall_open or state.disc[seat] == data.LAST_SPACE:
            return ()
        supply, piles = state.supply[seat], cubes.any_cubes(state.powers[seat].wall_extra_cost)
        return [cls.of(payment) for payment in piles if cubes.covers(supply, payment)]

    def refusal(self, state: State, seat: int) -> Refused:
        if not state.wall_open:
            return Error.WALL_NOT_OPEN
        cost = state.powers[seat].wall_extra_cost  # R27
        if not (refused := _at_the_end(state, seat)) and cubes.total(self.payment) != cost:
            return Error.WRONG_PAYMENT.of(cost=cost)
        return refused or _unaffordable(state, seat, self.payment)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.pay(state, seat, self.payment, log)
        play.move_disc(state, seat, log)


@dataclass(frozen=True, slots=True)
class MoveShip(_Action):
    """Move your ship one space: with a free step if you have one, else for a cube."""

    type = "move_ship"
    says = ("cubes_paid", "ship_moved")
    space: SpaceId = param(SPACE, "a space adjacent to your ship", refused=Error.UNKNOWN_ID)
    color: int | None = param(
        Optional(COLOUR),
        "the colour that you pay, if you have no free step",
        refused=Error.UNKNOWN_COLOR,
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        colours = _FREE if state.free_steps else cubes.colours(state.supply[seat])
        return _sailings(state.edition, state.ship[seat], colours)

    def refusal(self, state: State, seat: int) -> Refused:
        spaces, ship = state.tables.spaces, state.ship[seat]
        if self.space not in spaces[ship].adjacent:
            known = self.space in spaces
            return (
                Error.NOT_ADJACENT.of(ship=ship) if known else Error.UNKNOWN_ID.of(value=self.space)
            )
        if state.free_steps:  # R24
            free = self.color is None
            return None if free else Error.FREE_STEP_AVAILABLE.of(free_steps=state.free_steps)
        if self.color is None:
            return Error.MALFORMED_ACTION.of(needs={"color": 1})
        return _unaffordable(state, seat, cubes.ONE[self.color])

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        if self.color is None:
            state.free_steps -= 1
        else:
            play.pay(state, seat, cubes.ONE[self.color], log)
            state.free_steps += state.powers[seat].steps_per_cube - 1
        play.sail(state, seat, self.space, log)

    def label(self) -> tuple[str, JsonObject]:
        key, data = super(MoveShip, self).label()
        return f"{key}.free" if self.color is None else key, data


_FREE = (None,)


@cache
def _sailings(edition: str, ship: SpaceId, colours: tuple[int | None, ...]) -> tuple[MoveShip, ...]:
    near = TABLES[edition].spaces[ship].adjacent
    return tuple(MoveShip(space, colour) for colour in colours for space in near)


@dataclass(frozen=True, slots=True)
class DeliverGoods(_Action):
    """Deliver one tile of goods to the port that wants it."""

    type = "deliver_goods"
    says = ("goods_delivered", "prestige_gained")
    good: int = param(GOOD, "a kind of goods aboard your ship", refused=Error.UNKNOWN_ID)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        aboard, deliveries = state.goods[seat], cls.pool()
        return [deliveries[good] for good in _wanted(state, seat) if aboard[good]]

    def refusal(self, state: State, seat: int) -> Refused:
        if not state.goods[seat][self.good]:
            return Error.NO_SUCH_GOODS
        if self.good not in _wanted(state, seat):
            return Error.PORT_NOT_REACHABLE.of(port=state.tables.ports[self.good])
        return None

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.deliver(state, seat, self.good, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"prestige": play.delivery_prestige(state, seat, self.good)}


def _wanted(state: State, seat: int) -> tuple[int, ...]:
    return _markets(state.edition, state.ship[seat], state.powers[seat].remote_delivery)


@cache
def _markets(edition: str, ship: SpaceId, remote: int) -> tuple[int, ...]:
    """The goods that can be delivered from a space; from a space beside too (R23)."""
    spaces = TABLES[edition].spaces
    reached = (ship, *(spaces[ship].adjacent if remote else ()))
    return tuple(sorted(spaces[id_].good for id_ in reached if spaces[id_].good != data.NONE))


# Tribute, cards and jokers


@dataclass(frozen=True, slots=True)
class BuyPrestige(_Action):
    """Pay the round's tribute in coins for its prestige points: all or nothing."""

    type = "buy_prestige"
    says = ("prestige_bought", "prestige_gained")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        may = state.tributes < state.powers[seat].tributes_per_round
        return cls.pool() if may and play.price(state, seat) <= state.coins[seat] else ()

    def refusal(self, state: State, seat: int) -> Refused:
        if state.tributes >= state.powers[seat].tributes_per_round:
            return Error.TRIBUTE_LIMIT_REACHED
        cost = play.price(state, seat)
        return Error.NOT_ENOUGH_COINS.of(cost=cost) if state.coins[seat] < cost else None

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.tributes += 1
        cost, prestige = play.price(state, seat), state.tribute_prestige  # R37
        state.coins[seat] -= cost
        if log:
            log.add(effects.PRESTIGE_BOUGHT, seat=seat, coins=cost, prestige=prestige)
        play.score(state, seat, prestige, log)  # R2
        play.trigger(state, seat, state.powers[seat], cards.TRIBUTE_PAID, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"coins": play.price(state, seat), "prestige": state.tribute_prestige}


@dataclass(frozen=True, slots=True)
class UseCard(_Action):
    """Use an active card that turns something into something else."""

    type = "use_card"
    card: CardId = param(CARD, "an active card of yours", refused=Error.UNKNOWN_ID)
    pay_colors: int | None = param(
        Optional(COLOURS),
        "the colours that you pay, if the card takes any",
        refused=Error.UNKNOWN_COLOR,
    )
    gain_colors: int | None = param(
        Optional(COLOURS),
        "the colours that you gain, if the card gives any",
        refused=Error.UNKNOWN_COLOR,
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        moves: list[Move[State]] = []
        for card in state.powers[seat].converts:
            convert = _convert(state, card)
            gains = _gained(convert, state)
            for uses in _uses(card, convert.cubes_any, gains):
                if not gains or cubes.covers(state.bank, cubes.each(gains)):
                    moves += () if uses[0].refusal(state, seat) else uses  # all, or none
                else:
                    moves += [use for use in uses if not use.refusal(state, seat)]
        return moves

    def refusal(self, state: State, seat: int) -> Refused:
        if self.card not in state.activated[seat]:
            return _missing(state, self.card, Error.CARD_NOT_ACTIVE)
        convert = state.tables.cards[self.card].convert
        if convert is None:
            return Error.CARD_HAS_NO_USE
        if self.card in state.used_cards:  # R34
            return Error.CARD_ALREADY_USED
        pays, gains = convert.cubes_any or None, _gained(convert, state)
        if pays != _number(self.pay_colors) or gains != _number(self.gain_colors):
            return Error.MALFORMED_ACTION.of(needs={"pay_colors": pays, "gain_colors": gains})
        if convert.only_wall and (refused := _at_the_end(state, seat)):
            return refused
        if convert.coins > state.coins[seat]:
            return Error.NOT_ENOUGH_COINS.of(cost=convert.coins)
        paid = convert.cubes + (self.pay_colors or 0)
        return _unaffordable(state, seat, paid) or _bank_lacks(state, self.gain_colors or 0)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        convert = _convert(state, self.card)
        if log:
            log.add(effects.CARD_USED, seat=seat, card=self.card)
        play.pay_coins(state, seat, convert.coins, log)
        play.pay(state, seat, convert.cubes + (self.pay_colors or 0), log)
        if convert.once_per_round:
            used = (*state.used_cards, self.card)
            state.used_cards = [card for card in state.tables.cards if card in used]
        play.give(state, seat, convert.gain, log, self.gain_colors or 0)

    def details(self, state: State, seat: int) -> JsonObject:
        convert = _convert(state, self.card)
        gain, chosen = convert.gain, self.gain_colors or 0
        return {
            "coins": convert.coins,
            "pay_colors": cubes.ids(convert.cubes + (self.pay_colors or 0)),
            "gain_colors": cubes.ids(cubes.common(gain.cubes + chosen, state.bank)),
            "gained_coins": gain.coins,
            "prestige": gain.prestige,
            "steps": gain.ship_steps,
            "spaces": gain.wall,
        }

    @property
    def says(self) -> tuple[str, ...]:
        paid = ("card_used", "coins_paid", "cubes_paid")
        return (*paid, "cubes_gained") if self.gain_colors else paid


def _convert(state: State, card: CardId) -> Convert:
    convert = state.tables.cards[card].convert
    assert convert  # noqa: S101 - it is legal to use the card
    return convert


def _number(pile: int | None) -> int | None:
    return None if pile is None else cubes.total(pile)


def _gained(convert: Convert, state: State) -> int | None:
    """How many colours one chooses to gain: as the bank has (R35); None if the card gives none."""
    number = convert.gain.cubes_any
    return min(number, cubes.total(state.bank)) if number else None


@cache
def _uses(card: CardId, pays: int, gains: int | None) -> tuple[tuple[UseCard, ...], ...]:
    """The uses of a card for so many cubes of chosen colours: by payment, one for each gain."""
    return tuple(
        tuple(
            UseCard(card, paid if pays else None, None if gains is None else gained)
            for gained in cubes.any_cubes(gains or 0)
        )
        for paid in cubes.any_cubes(pays)
    )


@dataclass(frozen=True, slots=True)
class UseJoker(_Action):
    """Give up a joker tile for a cube of any colour or for coins."""

    type = "use_joker"
    says = ("joker_used",)
    cubes: int = param(COLOURS, "the colours that you take", refused=Error.UNKNOWN_COLOR)
    coins: int = param(
        Integer(0, fields.MOST * data.JOKER_COINS), "the coins that you take instead of the rest"
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.jokers[seat]:
            return ()
        jokers = _jokers(state.powers[seat].joker_multiplier)
        return [move for move in jokers if cubes.covers(state.bank, move.cubes)]

    def refusal(self, state: State, seat: int) -> Refused:
        if not state.jokers[seat]:
            return Error.NO_JOKER
        benefits = state.powers[seat].joker_multiplier
        coins = data.JOKER_COINS * (benefits - cubes.total(self.cubes))
        malformed = Error.MALFORMED_ACTION.of(needs={"cubes": benefits, "coins": coins})
        if coins < 0:
            return malformed
        return _bank_lacks(state, self.cubes) or (malformed if self.coins != coins else None)

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.jokers[seat] -= 1
        state.bank -= self.cubes
        state.supply[seat] += self.cubes
        state.coins[seat] += self.coins
        if log:
            log.add(effects.JOKER_USED, seat=seat, colors=self.cubes, coins=self.coins)

    def label(self) -> tuple[str, JsonObject]:
        data = {"colors": cubes.ids(self.cubes), "coins": self.coins}
        if not self.cubes:
            return f"move.{self.type}.coins", data
        return f"move.{self.type}.both" if self.coins else f"move.{self.type}", data


@cache
def _jokers(benefits: int) -> tuple[UseJoker, ...]:
    return tuple(
        UseJoker(pile, data.JOKER_COINS * (benefits - number))
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
        return cls.pool()

    def act(self, state: State, seat: int, log: EffectLog | None) -> None:  # R40
        play.end_turn(state, seat, log)


MOVE_TYPES: tuple[type[Move[State]], ...] = (
    *(DraftCard, SkipDraft, DiscardTableauCard, ChooseStartCubes, ChooseDice, ChooseDiceSecretly),
    *(ActivateCard, ClaimQuarter, AdvanceWall, AdvanceWallExtra, MoveShip, DeliverGoods),
    *(BuyPrestige, UseCard, UseJoker, EndTurn),
)
