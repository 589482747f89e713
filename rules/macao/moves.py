"""The types of move, with their parameters, refusals and effects.

If a type overrides ``legal``, a comment says how much slower random play would be with the
inherited method, which checks the refusal of each candidate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, MaybeRefusal, Move, Optional, Refusal, Seat, param
from rules.macao import cards, data, effects, fields, phases, play
from rules.macao.cards import CardId
from rules.macao.data import Colour, Good, cubes
from rules.macao.errors import Error
from rules.macao.state import State
from rules.macao.tables import TABLES, QuarterId, SpaceId

Moves = Sequence[Move[State]]


class _Move(Move[State]):
    """A move of Macao. Every move ends a wall advance, except the move for one more space (R26)."""

    __slots__ = ()

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.wall_open = False
        self.act(state, seat, log)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        """Carry out the move's own effects."""
        raise NotImplementedError


# Common parts of moves


def _missing(state: State, card: CardId, error: Error) -> Refusal:
    """Return the refusal of a card that is unknown, or in the wrong place (``error``)."""
    known = card in state.tables.cards
    return error.of(card=card) if known else Error.UNKNOWN_ID.of(value=card)


def _unaffordable(state: State, seat: Seat, pile: int) -> MaybeRefusal:
    held = cubes.covers(state.supply[seat], pile)
    return None if held else _needed(Error.CUBES_NOT_AVAILABLE, pile)


def _bank_lacks(state: State, pile: int) -> MaybeRefusal:
    return None if cubes.covers(state.bank, pile) else _needed(Error.SUPPLY_COLOR_EMPTY, pile)


@cache  # cached, because the same refusals recur while legal moves are listed
def _needed(error: Error, pile: int) -> Refusal:
    return error.of(needed=cubes.held(pile))


def _at_the_end(state: State, seat: Seat) -> MaybeRefusal:
    return Error.WALL_END_REACHED if state.disc[seat] == data.LAST_SPACE else None  # R28


# The draft


@dataclass(frozen=True, slots=True)
class DraftCard(_Move, type="draft_card"):
    """Take a card from the display onto your tableau."""

    says = ("card_drafted",)
    card: CardId = param(fields.CARD, "a card of the display", refused=Error.UNKNOWN_ID)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        return [*map(cls.of, state.display)]  # R11

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        there = self.card in state.display
        return None if there else _missing(state, self.card, Error.CARD_NOT_IN_DISPLAY)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.display.remove(self.card)
        state.tableau[seat] += (self.card,)
        if log:
            effects.CARD_DRAFTED.tell(log, seat=seat, card=self.card)
        if len(state.tableau[seat]) > data.TABLEAU:  # R10
            play.punish(state, seat, effects.SIXTH_CARD, log)
            state.phase = phases.DRAFT_OVERFLOW
        else:
            play.next_drafter(state, seat, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        card = state.tables.cards[self.card]
        return {"cost": cubes.listed(card.cost)}


class SkipDraft(_Move, type="skip_draft"):
    """Take no card this round."""

    says = ("draft_skipped",)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if state.powers[seat].optional_draft else Error.MUST_DRAFT  # R12

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.DRAFT_SKIPPED.tell(log, seat=seat)
        play.next_drafter(state, seat, log)


@dataclass(frozen=True, slots=True)
class _TableauMove(_Move):
    """A move with a card of one's tableau."""

    card: CardId = param(fields.CARD, "a card of your tableau", refused=Error.UNKNOWN_ID)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        return [*map(cls.of, state.tableau[seat])]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        there = self.card in state.tableau[seat]
        return None if there else _missing(state, self.card, Error.CARD_NOT_ON_TABLEAU)

    def leave_tableau(self, state: State, seat: Seat) -> None:
        """Take the card off the tableau."""
        state.tableau[seat] = tuple([card for card in state.tableau[seat] if card != self.card])


class DiscardTableauCard(_TableauMove, type="discard_tableau_card"):
    """Discard one of six cards, the new one included."""

    says = ("tableau_card_discarded",)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        self.leave_tableau(state, seat)
        state.discard.append(self.card)
        effects.TABLEAU_CARD_DISCARDED.tell(log, seat=seat, card=self.card)
        state.phase = phases.DRAFT
        play.next_drafter(state, seat, log)


# Cubes onto the windrose


@dataclass(frozen=True, slots=True)
class ChooseStartCubes(_Move, type="choose_start_cubes"):
    """Put one cube on the first sector of your windrose and two of one colour on the second."""

    says = ("start_cubes_chosen",)
    first: Colour = param(fields.COLOUR, "the colour of the one cube", refused=Error.UNKNOWN_COLOR)
    second: Colour = param(
        fields.COLOUR,
        "the colour of the two cubes, which may be the same",
        refused=Error.UNKNOWN_COLOR,
    )

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        effects.START_CUBES_CHOSEN.tell(log, seat=seat, first=self.first, second=self.second)
        for colour, start in zip((self.first, self.second), data.START_CUBES, strict=True):
            play.put_cubes(state, seat, colour, *start)
        state.answered(seat)
        if not state.queue:
            state.wait(phases.REVEAL_CARDS)


@dataclass(frozen=True, slots=True)
class ChooseDice(_Move, type="choose_dice"):
    """Choose two dice: put as many cubes of each colour as it shows on the sector of its number."""

    colors: int = param(
        fields.DICE, "the colours of two different dice", refused=Error.UNKNOWN_COLOR
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.07 times slower.
        return cls.pool()

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        return None if len(cubes.kinds(self.colors)) == 2 else Error.SAME_DIE_TWICE  # R13

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.put_dice(state, seat, self.colors, log)
        state.answered(seat)
        if not state.queue:
            play.rotate(state, log)


class ChooseDiceSecretly(ChooseDice, type="choose_dice_secretly"):
    """Choose two dice while all others do; the choices are revealed when all have chosen."""

    says = ("dice_sealed",)
    secret = True

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.picked[seat] = self.colors
        state.answered(seat)
        effects.DICE_SEALED.tell(log, seat=seat)
        if not state.queue:
            for chooser in state.turn_order:
                if log:
                    log.open_move(chooser, self.type)
                play.put_dice(state, chooser, state.picked[chooser], log)
            state.picked = [0] * state.seats
            play.rotate(state, log)


# The city and the wall


class ActivateCard(_TableauMove, type="activate_card"):
    """Pay the cubes on a card of your tableau; from now on it works for you."""

    says = ("cubes_paid", "card_activated")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.25 times slower.
        if not state.supply[seat]:
            return ()
        deck, guard = state.tables.cards, cubes.guard
        guarded = state.supply[seat] | guard
        ids = state.tableau[seat]
        return [cls.of(id_) for id_ in ids if guarded - deck[id_].cost & guard == guard]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        missing = _TableauMove.refusal(self, state, seat)
        return missing or _unaffordable(state, seat, state.tables.cards[self.card].cost)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        card, before = state.tables.cards[self.card], state.powers[seat]
        play.pay(state, seat, card.cost, log)
        self.leave_tableau(state, seat)
        state.activated[seat] += (self.card,)  # R39
        state.powers[seat] = cards.with_card(before, card)
        effects.CARD_ACTIVATED.tell(log, seat=seat, card=self.card)
        for gain in card.gains_now:
            play.give(state, seat, gain, log)
        if state.powers[seat].stack_top and not before.stack_top:  # R29
            play.lift(state, seat, log)
        play.trigger(state, seat, before, card.kind, log)  # R32

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"cost": cubes.listed(state.tables.cards[self.card].cost)}


@dataclass(frozen=True, slots=True)
class ClaimQuarter(_Move, type="claim_quarter"):
    """Pay for an unowned quarter, which becomes yours with its tile."""

    says = ("cubes_paid", "quarter_claimed")
    quarter: QuarterId = param(
        fields.QUARTER, "a quarter without an owner", refused=Error.UNKNOWN_ID
    )
    payment: int = param(fields.PAYMENT, "the cubes that you pay", refused=Error.UNKNOWN_COLOR)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 2.6 times slower.
        has = state.powers[seat]
        if not state.supply[seat] or state.claims >= has.claims_per_round:
            return ()
        if not play.markers_left(state, seat):
            return ()
        owner, guard = state.owner, cubes.guard
        guarded = state.supply[seat] | guard
        return [
            move
            for move, payment in claims(state, seat).items()
            if guarded - payment & guard == guard and owner[move.quarter] is None
        ]  # ``covers``, written out for speed

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.quarter not in state.owner:
            return Error.UNKNOWN_ID.of(value=self.quarter)
        if (owner := state.owner[self.quarter]) is not None:
            return Error.QUARTER_ALREADY_OWNED.of(owner=owner)
        if refused := _claims_no_more(state, seat):
            return refused
        if self not in claims(state, seat):
            cost = state.tables.quarters[self.quarter].cost
            return Error.WRONG_PAYMENT.of(cost=cubes.held(cost))
        return _unaffordable(state, seat, self.payment)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.pay(state, seat, self.payment, log)
        tile, state.tiles[self.quarter] = state.tiles[self.quarter], data.NONE
        state.owner[self.quarter] = seat
        state.claimed[seat] |= state.tables.quarters[self.quarter].bit
        if tile == data.JOKER:
            state.jokers[seat] += 1
        else:
            state.goods[seat] = play.added(state.goods[seat], tile, 1)  # R20
        state.claims += 1
        effects.QUARTER_CLAIMED.tell(log, seat=seat, quarter=self.quarter, tile=tile)
        play.trigger(state, seat, state.powers[seat], cards.QUARTER_CLAIMED, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"tile": data.TILES[state.tiles[self.quarter]]}


def _claims_no_more(state: State, seat: Seat) -> MaybeRefusal:
    if state.claims >= state.powers[seat].claims_per_round:  # R19
        return Error.CLAIM_LIMIT_REACHED
    return None if play.markers_left(state, seat) else Error.NO_OWNERSHIP_MARKERS  # R5


def claims(state: State, seat: Seat) -> Mapping[ClaimQuarter, int]:
    """Return each claim that the active cards of ``seat`` allow (R17), with its payment."""
    has = state.powers[seat]
    return claims_of(state.edition, has.claim_discount, has.claim_wild, has.dark_quarter_any_cube)


@cache
def claims_of(edition: str, discount: int, wild: int, any_cube: int) -> Mapping[ClaimQuarter, int]:
    """Return every claim that a seat's active cards allow, with its payment.

    The effects of the cards are ``discount``, ``wild`` and ``any_cube``.
    """
    return {
        ClaimQuarter(id_, pile): pile
        for id_, quarter in TABLES[edition].quarters.items()
        for pile in payments(quarter.cost, discount, wild, any_cube=bool(any_cube and quarter.dark))
    }


def payments(cost: int, discount: int, wild: int, *, any_cube: bool) -> tuple[int, ...]:
    """Return every legal payment for a quarter (R17).

    A payment has as many cubes as ``cost`` less ``discount``, but at least 1 (R18); at most
    ``wild`` cubes have other colours. If ``any_cube`` is true, a payment is one cube of any colour.
    """
    size = max(1, cubes.total(cost) - discount)
    legal = [
        pile for pile in cubes.of(size) if cubes.total(cubes.common(pile, cost)) >= size - wild
    ]
    if any_cube:
        legal += [pile for pile in cubes.one if pile not in legal]
    return tuple(legal)


@dataclass(frozen=True, slots=True)
class AdvanceWall(_Move, type="advance_wall"):
    """Pay a cube to move your disc one space along the wall; more spaces may follow at once."""

    says = ("cubes_paid",)
    color: Colour = param(fields.COLOUR, "the colour that you pay", refused=Error.UNKNOWN_COLOR)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.14 times slower.
        if state.wall_advanced or state.disc[seat] == data.LAST_SPACE:
            return ()
        advances = cls.pool()
        return [advances[colour] for colour in cubes.kinds(state.supply[seat])]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.wall_advanced:
            return Error.WALL_ALREADY_ADVANCED
        return _at_the_end(state, seat) or _unaffordable(state, seat, cubes.one[self.color])

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.pay(state, seat, cubes.one[self.color], log)
        play.move_disc(state, seat, log)
        state.wall_advanced = state.wall_open = True


@dataclass(frozen=True, slots=True)
class AdvanceWallExtra(_Move, type="advance_wall_extra"):
    """Pay for one more space of the wall advance that you have just made."""

    says = ("cubes_paid",)
    payment: int = param(
        fields.PAYMENT, "the cubes that you pay, of any colours", refused=Error.UNKNOWN_COLOR
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.6 times slower.
        if not state.wall_open or state.disc[seat] == data.LAST_SPACE:
            return ()
        piles = cubes.of(state.powers[seat].wall_extra_cost)
        return [cls.of(payment) for payment in cubes.covered(state.supply[seat], piles)]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.wall_open:
            return Error.WALL_NOT_OPEN
        if refused := _at_the_end(state, seat):
            return refused
        cost = state.powers[seat].wall_extra_cost  # R27
        if cubes.total(self.payment) != cost:
            return Error.WRONG_PAYMENT.of(cost=cost)
        return _unaffordable(state, seat, self.payment)

    def apply(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.pay(state, seat, self.payment, log)
        play.move_disc(state, seat, log)


# The sea


@dataclass(frozen=True, slots=True)
class MoveShip(_Move, type="move_ship"):
    """Move your ship one space: with a free step if you have one, else for a cube."""

    says = ("cubes_paid", "ship_moved")
    space: SpaceId = param(fields.SPACE, "a space adjacent to your ship", refused=Error.UNKNOWN_ID)
    color: Colour | None = param(
        Optional(fields.COLOUR),
        "the colour that you pay, if you have no free step",
        refused=Error.UNKNOWN_COLOR,
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # If each candidate were checked, random play would be 2.1 times slower.
        colours = _FREE if state.free_steps else cubes.kinds(state.supply[seat])
        return _sailings(state.edition, state.ship[seat], colours)

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        spaces, ship = state.tables.spaces, state.ship[seat]
        if self.space not in spaces:
            return Error.UNKNOWN_ID.of(value=self.space)
        if self.space not in spaces[ship].adjacent:
            return Error.NOT_ADJACENT.of(ship=ship)
        if self.color is None:
            return None if state.free_steps else Error.MALFORMED_ACTION.of(needs={"color": 1})
        if state.free_steps:  # R24
            return Error.FREE_STEP_AVAILABLE.of(free_steps=state.free_steps)
        return _unaffordable(state, seat, cubes.one[self.color])

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        if self.color is None:
            state.free_steps -= 1
        else:
            play.pay(state, seat, cubes.one[self.color], log)
            state.free_steps += state.powers[seat].steps_per_cube - 1
        state.ship[seat] = self.space
        if log:
            effects.SHIP_MOVED.tell(log, seat=seat, space=self.space)
        play.trigger(state, seat, state.powers[seat], cards.SHIP_STEP, log)  # R47

    def label(self) -> tuple[str, JsonObject]:
        key, data = _Move.label(self)
        return f"{key}.free" if self.color is None else key, data


_FREE = (None,)


@cache
def _sailings(
    edition: str, ship: SpaceId, colours: tuple[Colour | None, ...]
) -> tuple[MoveShip, ...]:
    near = TABLES[edition].spaces[ship].adjacent
    return tuple(MoveShip(space, colour) for colour in colours for space in near)


@dataclass(frozen=True, slots=True)
class DeliverGoods(_Move, type="deliver_goods"):
    """Deliver one tile of goods to the port that wants it."""

    says = ("goods_delivered", "prestige_gained")
    good: Good = param(fields.GOOD, "a kind of goods aboard your ship", refused=Error.UNKNOWN_ID)

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.2 times slower.
        if not any(state.goods[seat]):
            return ()
        wanted = _markets(state.edition, state.ship[seat], state.powers[seat].remote_delivery)
        return [cls.of(good) for good in wanted if state.goods[seat][good]]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.goods[seat][self.good]:
            return Error.NO_SUCH_GOODS
        wanted = _markets(state.edition, state.ship[seat], state.powers[seat].remote_delivery)
        port = state.tables.ports[self.good]
        return None if self.good in wanted else Error.PORT_NOT_REACHABLE.of(port=port)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        prestige = play.delivery_prestige(state, seat, self.good)
        state.goods[seat] = play.added(state.goods[seat], self.good, -1)
        state.delivered[seat] = play.added(state.delivered[seat], self.good, 1)
        effects.GOODS_DELIVERED.tell(log, seat=seat, good=self.good)
        play.score(state, seat, prestige, log)
        play.trigger(state, seat, state.powers[seat], cards.GOODS_DELIVERED, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"prestige": play.delivery_prestige(state, seat, self.good)}


@cache
def _markets(edition: str, ship: SpaceId, remote: int) -> tuple[Good, ...]:
    """Return the goods that a ship can deliver from a space.

    If ``remote`` is not 0, the ship can also deliver the goods of the adjacent spaces (R23).
    """
    spaces = TABLES[edition].spaces
    reached = (ship, *(spaces[ship].adjacent if remote else ()))
    return tuple(sorted(spaces[id_].good for id_ in reached if spaces[id_].good != data.NONE))


# Tribute, cards and jokers


class BuyPrestige(_Move, type="buy_prestige"):
    """Pay the round's tribute in coins for its prestige points: all or nothing."""

    says = ("prestige_bought", "prestige_gained")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.06 times slower.
        if state.tributes >= state.powers[seat].tributes_per_round:
            return ()
        return cls.pool() if play.price(state, seat) <= state.coins[seat] else ()

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if state.tributes >= state.powers[seat].tributes_per_round:
            return Error.TRIBUTE_LIMIT_REACHED
        cost = play.price(state, seat)
        return Error.NOT_ENOUGH_COINS.of(cost=cost) if state.coins[seat] < cost else None

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.tributes += 1
        cost, prestige = play.price(state, seat), state.tribute_prestige  # R37
        state.coins[seat] -= cost
        effects.PRESTIGE_BOUGHT.tell(log, seat=seat, coins=cost, prestige=prestige)
        play.score(state, seat, prestige, log)  # R2
        play.trigger(state, seat, state.powers[seat], cards.TRIBUTE_PAID, log)

    def details(self, state: State, seat: Seat) -> JsonObject:
        return {"coins": play.price(state, seat), "prestige": state.tribute_prestige}


@dataclass(frozen=True, slots=True)
class UseCard(_Move, type="use_card"):
    """Use an active card that turns something into something else."""

    card: CardId = param(fields.CARD, "an active card of yours", refused=Error.UNKNOWN_ID)
    pay_colors: int | None = param(
        fields.CHOSEN,
        "the colours that you pay, if the card takes any",
        refused=Error.UNKNOWN_COLOR,
    )
    gain_colors: int | None = param(
        fields.CHOSEN,
        "the colours that you gain, if the card gives any",
        refused=Error.UNKNOWN_COLOR,
    )

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.13 times slower.
        moves: list[Move[State]] = []
        for card, convert in state.powers[seat].converts:
            if card in state.used_cards or convert.coins > state.coins[seat]:
                continue
            if convert.only_wall and state.disc[seat] == data.LAST_SPACE:
                continue
            gains = convert.gains(state.bank)
            enough = not gains or cubes.covers(state.bank, cubes.each(gains))
            for uses in _uses(card, convert.pays, gains):
                if not cubes.covers(state.supply[seat], convert.cubes + (uses[0].pay_colors or 0)):
                    continue
                moves += uses if enough else [use for use in uses if not use.refusal(state, seat)]
        return moves

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if self.card not in state.activated[seat]:
            return _missing(state, self.card, Error.CARD_NOT_ACTIVE)
        convert = state.tables.cards[self.card].convert
        if convert is None:
            return Error.CARD_HAS_NO_USE
        if self.card in state.used_cards:  # R34
            return Error.CARD_ALREADY_USED
        pays, gains = convert.pays, convert.gains(state.bank)
        if pays != _number(self.pay_colors) or gains != _number(self.gain_colors):
            return Error.MALFORMED_ACTION.of(needs={"pay_colors": pays, "gain_colors": gains})
        if convert.only_wall and (refused := _at_the_end(state, seat)):
            return refused
        if convert.coins > state.coins[seat]:
            return Error.NOT_ENOUGH_COINS.of(cost=convert.coins)
        paid = convert.cubes + (self.pay_colors or 0)
        return _unaffordable(state, seat, paid) or _bank_lacks(state, self.gain_colors or 0)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        convert = dict(state.powers[seat].converts)[self.card]
        effects.CARD_USED.tell(log, seat=seat, card=self.card)
        state.coins[seat] -= convert.coins
        if log and convert.coins:
            effects.COINS_PAID.tell(log, seat=seat, amount=convert.coins)
        play.pay(state, seat, convert.cubes + (self.pay_colors or 0), log)
        if convert.once_per_round:
            used = (*state.used_cards, self.card)
            state.used_cards = [card for card in state.tables.cards if card in used]
        play.give(state, seat, convert.gain, log, self.gain_colors or 0)

    def details(self, state: State, seat: Seat) -> JsonObject:
        convert = dict(state.powers[seat].converts)[self.card]
        gain, chosen = convert.gain, self.gain_colors or 0
        # The label ends "for 1 coin and 1 point", or "for 1 point".
        prestige = "also" if gain.coins else "prestige"
        return {
            "coins": convert.coins,
            "pay_colors": cubes.listed(convert.cubes + (self.pay_colors or 0)),
            "gain_colors": cubes.listed(cubes.common(gain.cubes + chosen, state.bank)),
            "gained_coins": gain.coins,
            prestige: gain.prestige,
            "steps": gain.ship_steps,
            "spaces": gain.wall,
        }

    @property
    def says(self) -> tuple[str, ...]:
        paid = ("card_used", "coins_paid", "cubes_paid")
        return (*paid, "cubes_gained") if self.gain_colors else paid


def _number(pile: int | None) -> int | None:
    return None if pile is None else cubes.total(pile)


@cache
def _uses(card: CardId, pays: int | None, gains: int | None) -> tuple[tuple[UseCard, ...], ...]:
    """Return the uses of a card, grouped by their payment.

    Each inner tuple has all uses with one payment; they differ in what they gain. ``pays`` and
    ``gains`` are the numbers of cubes that the player pays and gains in colours of his choice. None
    means that there is no choice.
    """
    return tuple(
        tuple(UseCard(card, paid, gained) for gained in _choices(gains)) for paid in _choices(pays)
    )


def _choices(number: int | None) -> Sequence[int | None]:
    return (None,) if number is None else cubes.of(number)


@dataclass(frozen=True, slots=True)
class UseJoker(_Move, type="use_joker"):
    """Give up a joker tile for a cube of any colour or for coins."""

    says = ("joker_used",)
    cubes: int = param(fields.COLOURS, "the colours that you take", refused=Error.UNKNOWN_COLOR)
    coins: int = param(fields.BENEFIT, "the coins that you take instead of the rest")

    @classmethod
    def legal(cls, state: State, seat: Seat) -> Moves:
        # With a refusal check of each candidate, random play is 1.3 times slower.
        if not state.jokers[seat]:
            return ()
        benefits = state.powers[seat].joker_multiplier
        return [
            cls.of(pile, data.JOKER_COINS * (benefits - number))
            for number in range(benefits, -1, -1)
            for pile in cubes.of(number)
            if cubes.covers(state.bank, pile)
        ]

    def refusal(self, state: State, seat: Seat) -> MaybeRefusal:
        if not state.jokers[seat]:
            return Error.NO_JOKER
        benefits = state.powers[seat].joker_multiplier
        coins = data.JOKER_COINS * (benefits - cubes.total(self.cubes))
        malformed = Error.MALFORMED_ACTION.of(needs={"cubes": benefits, "coins": coins})
        if coins < 0:
            return malformed
        return _bank_lacks(state, self.cubes) or (malformed if self.coins != coins else None)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        state.jokers[seat] -= 1
        state.bank -= self.cubes
        state.supply[seat] += self.cubes
        state.coins[seat] += self.coins
        effects.JOKER_USED.tell(log, seat=seat, colors=self.cubes, coins=self.coins)


class EndTurn(_Move, type="end_turn"):
    """End your turn; cubes and free steps that you have not used are lost."""

    says = ("turn_ended",)

    def act(self, state: State, seat: Seat, log: EffectLog | None) -> None:
        play.end_turn(state, seat, log)  # R40
