"""The sixteen types of move: what each looks like, when it is legal, and what it does.

Moves are interned in tables at import; a list of legal moves is slices and picks of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, permutations, product

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import IllegalMove, shown
from rules.kernel.contract.fields import Choice, Either, Integer, Null
from rules.kernel.contract.move import Move, param
from rules.manila import errors, play, shapes
from rules.manila.data import (
    ALL_SPACES,
    ALL_WARES,
    ARRIVED,
    BIG_REACH,
    CAPACITY,
    COSTS,
    DEAREST_PLACE,
    INSURANCE,
    LANES,
    MARKET,
    MIN_SHARE_PRICE,
    NONE,
    PIRATE,
    PREMIUM,
    REDEMPTION,
    SMALL_REACH,
    SPACE,
    SPACES,
    START_MAX,
    START_MIN,
    START_SUM,
    WARE,
    WARES,
)
from rules.manila.shapes import ReadMove
from rules.manila.state import BORROWS, REDEEMS, State, ware_ids

Moves = Sequence[Move[State]]
_MAX_BID = 1_000_000
"""For the schema alone: more money than there can be."""


def ware_index(value: str) -> int:
    """Return the ware that ``value`` names."""
    if value not in WARE:
        raise IllegalMove(errors.UNKNOWN_WARE, f"there is no ware {shown(value)}")
    return WARE[value]


# The auction


@dataclass(frozen=True, slots=True)
class Bid(ReadMove):
    """Bid for the office of harbour master, more than anybody before; only the winner pays."""

    type = "bid"
    says = ("bid_placed",)
    readers = (shapes.integer,)
    amount: int = param(Integer(1, _MAX_BID), "pesos, at most your funds")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        funds = play.funds(state, seat)  # R16
        if funds <= len(_BIDS):
            return _BIDS[state.high : funds]
        return [cls(amount) for amount in range(state.high + 1, funds + 1)]

    def check(self, state: State, seat: int) -> None:
        if self.amount <= state.high:
            raise IllegalMove(
                errors.BID_TOO_LOW,
                f"{shown(self.amount)} is too low: bid at least {state.high + 1}",
                minimum=state.high + 1,
            )
        funds = play.funds(state, seat)
        if self.amount > funds:
            raise IllegalMove(
                errors.BID_EXCEEDS_FUNDS,
                f"{shown(self.amount)} is too high: you can raise {funds}",
                funds=funds,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.high = self.amount
        state.high_bidder = seat
        if log:
            log.add("bid_placed", seat=seat, amount=self.amount)
        play.next_bidder(state, log)


@dataclass(frozen=True, slots=True)
class PassAuction(Move[State]):
    """Bid no more in this auction."""

    type = "pass_auction"
    says = ("auction_passed",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _PASS

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.passed[seat] = 1
        if log:
            log.add("auction_passed", seat=seat)
        play.next_bidder(state, log)


# The harbour master's duties (R11)


def share_price(state: State, ware: int) -> int:
    """What a share costs: its market value, and not less than the minimum."""
    return max(MIN_SHARE_PRICE, MARKET[state.market[ware]])


@dataclass(frozen=True, slots=True)
class BuyShare(ReadMove):
    """Buy one share from the supply at its market value, for 5 pesos at least."""

    type = "buy_share"
    says = ("share_bought",)
    readers = (shapes.word,)
    ware: str = param(Choice(WARES), "whose share you buy")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        funds = play.funds(state, seat)  # R14: without the new share
        return [
            _PURCHASES[ware]
            for ware in ALL_WARES
            if state.supply[ware] and share_price(state, ware) <= funds
        ]

    def check(self, state: State, seat: int) -> None:
        ware = ware_index(self.ware)
        if not state.supply[ware]:  # R13
            raise IllegalMove(errors.NO_SHARE_IN_SUPPLY, f"no share of {self.ware} is left")
        price, funds = share_price(state, ware), play.funds(state, seat)
        if price > funds:
            raise IllegalMove(
                errors.INSUFFICIENT_FUNDS,
                f"a share of {self.ware} costs {price} and you can raise {funds}",
                price=price,
                funds=funds,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        ware = WARE[self.ware]
        price = share_price(state, ware)
        play.pay(state, seat, price, log)
        state.supply[ware] -= 1
        state.bought[seat][ware] += 1
        state.free[seat] += 1
        if log:
            log.add("share_bought", seat=seat, ware=self.ware, price=price)
        play.ask(state, play.LOAD_WARES, seat)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"price": share_price(state, WARE[self.ware])}


@dataclass(frozen=True, slots=True)
class SkipShare(Move[State]):
    """Buy no share."""

    type = "skip_share"
    says = ("share_skipped",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SKIP_SHARE

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("share_skipped", seat=seat)
        play.ask(state, play.LOAD_WARES, seat)


@dataclass(frozen=True, slots=True)
class LoadWares(ReadMove):
    """Load three of the four wares on the punts: choose which one stays ashore."""

    type = "load_wares"
    says = ("wares_loaded",)
    readers = (shapes.word,)
    left_out: str = param(Choice(WARES), "the ware that is not shipped")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _LOADS

    def check(self, state: State, seat: int) -> None:
        ware_index(self.left_out)

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.left_out = WARE[self.left_out]
        if log:
            loaded = [ware for ware in WARES if ware != self.left_out]
            log.add("wares_loaded", seat=seat, wares=loaded, left_out=self.left_out)
        play.ask(state, play.PLACE_PUNTS, seat)


@dataclass(frozen=True, slots=True)
class PlacePunts(ReadMove):
    """Set the start spaces of the three punts: 0 to 5 each, 9 together."""

    type = "place_punts"
    says = ("punts_placed",)
    readers = (shapes.starts,)
    starts: tuple[tuple[str, int], ...] = param(
        shapes.STARTS, "the start space of each loaded ware"
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _STARTS[state.left_out]

    def check(self, state: State, seat: int) -> None:
        loaded = [ware for ware in WARES if ware != WARES[state.left_out]]
        if [ware for ware, _ in self.starts] != loaded:
            given = [ware for ware, _ in self.starts]
            raise IllegalMove(
                errors.WRONG_WARES,
                f"{', '.join(loaded)} are loaded, not {shown(given)}",
                loaded=loaded,
            )
        for ware, space in self.starts:
            if not START_MIN <= space <= START_MAX:
                raise IllegalMove(
                    errors.START_OUT_OF_RANGE,
                    f"{ware} starts on {START_MIN} to {START_MAX}, not on {shown(space)}",
                    ware=ware,
                )
        total = sum(space for _, space in self.starts)
        if total != START_SUM:
            raise IllegalMove(
                errors.START_SUM_NOT_NINE,
                f"the start spaces add up to {total}, not to {START_SUM}",
                total=total,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        for ware, space in self.starts:
            state.position[WARE[ware]] = space
            state.at_sea[WARE[ware]] = 1
        if log:
            log.add("punts_placed", seat=seat, **self._words())
        play.next_round(state, log)

    def to_json(self) -> JsonObject:
        return {"type": self.type, "starts": dict(self.starts)}

    def label(self) -> tuple[str, JsonObject]:
        return f"move.{self.type}", self._words()

    def _words(self) -> JsonObject:
        """The lanes one by one, as labels need them."""
        return {
            name: value
            for lane, (ware, space) in enumerate(self.starts, 1)
            for name, value in ((f"ware_{lane}", ware), (f"start_{lane}", space))
        }


# Accomplices


def vacant_spaces(state: State) -> list[int]:
    """The spaces that can take another accomplice, whoever pays for it (R17 to R19)."""
    crews, at_sea = state.crews, state.at_sea
    aboard = [w for w in ALL_WARES if at_sea[w] and len(crews[w]) < CAPACITY[w]]
    return aboard + [s for s in _ASHORE if len(crews[s]) < CAPACITY[s]]


def next_price(state: State, space: int) -> int:
    """What the next place on a vacant space costs."""
    return COSTS[space][len(state.crews[space])]


def cheapest_price(state: State) -> int:
    """The lowest price of a vacant space but the insurance, which has none (R26); 0 if none is."""
    prices = [next_price(state, space) for space in vacant_spaces(state) if space != INSURANCE]
    return min(prices, default=0)


def offered_spaces(state: State, seat: int) -> list[int]:
    """The vacant spaces that ``seat`` may choose from, by what it can pay."""
    vacant = vacant_spaces(state)
    cash = state.cash[seat]
    if state.free[seat] or cash >= DEAREST_PLACE:  # R27
        return vacant
    if not cash:  # R23, R24: a blind passenger
        return [space for space in vacant if space in ALL_WARES]
    cheapest = cheapest_price(state)
    limit = max(cash, cheapest)  # R25: who is short may take a cheapest space
    return [space for space in vacant if next_price(state, space) <= limit]


@dataclass(frozen=True, slots=True)
class PlaceAccomplice(ReadMove):
    """Place an accomplice on a vacant space and pay its price."""

    type = "place_accomplice"
    says = ("accomplice_placed",)
    readers = (shapes.word,)
    space: str = param(Choice(SPACES), "where the accomplice goes")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.in_hand[seat]:  # R28: rounds run out first
            return ()
        return [_PLACEMENTS[space] for space in offered_spaces(state, seat)]

    def check(self, state: State, seat: int) -> None:
        if self.space not in SPACE:
            raise IllegalMove(errors.UNKNOWN_SPACE, f"there is no space {shown(self.space)}")
        space = SPACE[self.space]
        if space in ALL_WARES and space == state.left_out:
            raise IllegalMove(errors.WARE_NOT_LOADED, f"{WARES[space]} is not loaded")
        if space in ALL_WARES and not state.at_sea[space]:  # R18
            raise IllegalMove(errors.PUNT_NOT_AT_SEA, f"{WARES[space]} is in port already")
        if space not in vacant_spaces(state):
            raise IllegalMove(errors.SPACE_OCCUPIED, f"nothing is vacant on {self.space}")
        if space not in offered_spaces(state, seat):
            self._refuse_price(state, seat, next_price(state, space))
        if not state.in_hand[seat]:
            raise IllegalMove(errors.NO_ACCOMPLICE_LEFT, "all your accomplices are placed")

    def _refuse_price(self, state: State, seat: int, price: int) -> None:
        cash = state.cash[seat]
        if not cash:
            raise IllegalMove(
                errors.BLIND_PASSENGER_PUNTS_ONLY,
                f"without money you can only board a punt, not {self.space}",
            )
        cheapest = cheapest_price(state)
        if cash < cheapest:
            raise IllegalMove(
                errors.CHEAPEST_SPACE_ONLY,
                f"{self.space} costs {price}: with {cash} you can only have one for {cheapest}",
                cheapest=cheapest,
            )
        raise IllegalMove(
            errors.INSUFFICIENT_FUNDS,
            f"{self.space} costs {price} and you have {cash}",
            price=price,
            funds=cash,
        )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        space = SPACE[self.space]
        price, paid = next_price(state, space), self._paid(state, seat)
        play.pay(state, seat, paid, log)
        state.crews[space].append(seat)
        state.in_hand[seat] -= 1
        if log:
            log.add("accomplice_placed", seat=seat, space=self.space, price=price, paid=paid)
        if space == INSURANCE:
            play.receive(state, seat, PREMIUM)
            if log:
                log.add("premium_received", seat=seat, amount=PREMIUM)
        play.next_placer(state, log)

    def _paid(self, state: State, seat: int) -> int:
        return min(next_price(state, SPACE[self.space]), play.funds(state, seat))  # R23, R25

    def details(self, state: State, seat: int) -> JsonObject:
        return {"paid": self._paid(state, seat)}


@dataclass(frozen=True, slots=True)
class Abstain(Move[State]):
    """Place no more accomplices in this voyage."""

    type = "abstain"
    says = ("abstained",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _ABSTAIN

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.abstained[seat] = 1  # R21
        if log:
            log.add("abstained", seat=seat)
        play.next_placer(state, log)


# Pilots


@dataclass(frozen=True, slots=True)
class PilotMove(ReadMove):
    """Move punts at sea: the small pilot one by 1, the big one one by up to 2 or two by 1 each."""

    type = "pilot_move"
    says = ("pilot_moved",)
    readers = (shapes.steps,)
    moves: tuple[tuple[str, int], ...] = param(
        shapes.STEPS, "which punts move how far; below 0 is back"
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        big = state.phase == play.BIG_PILOT
        at_sea = [ware for ware in ALL_WARES if state.at_sea[ware]]
        by_one = {ware: _reachable(state, ware, SMALL_REACH) for ware in at_sea}
        moves: list[Move[State]] = []
        for ware in at_sea:
            deltas = _reachable(state, ware, BIG_REACH) if big else by_one[ware]
            moves += [_NUDGES[ware, delta] for delta in deltas]
        if big:
            for one, other in combinations(at_sea, 2):
                pairs = product(by_one[one], by_one[other])
                moves += [_NUDGES[one, delta, other, delta2] for delta, delta2 in pairs]
        return moves

    def check(self, state: State, seat: int) -> None:
        if self not in self.legal(state, seat):
            pilot = "big" if state.phase == play.BIG_PILOT else "small"
            raise IllegalMove(
                errors.ILLEGAL_PILOT_MOVE,
                f"the {pilot} pilot cannot move {shown(self.moves)} here",
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("pilot_moved", seat=seat, pilot=state.phase)
        for ware, delta in self.moves:
            play.move_punt(state, WARE[ware], delta, log)
            if state.position[WARE[ware]] == ARRIVED:
                play.enter_port(state, WARE[ware], log)  # R48
        play.after_pilot(state, log)

    def to_json(self) -> JsonObject:
        moves = [{"ware": ware, "delta": delta} for ware, delta in self.moves]
        return {"type": self.type, "moves": moves}

    def label(self) -> tuple[str, JsonObject]:
        (ware, delta), *others = self.moves
        if not others:
            return f"move.{self.type}", {"ware": ware, "delta": delta}
        ware_2, delta_2 = others[0]
        data = {"ware": ware, "delta": delta, "ware_2": ware_2, "delta_2": delta_2}
        return f"move.{self.type}.two", data

    def details(self, state: State, seat: int) -> JsonObject:
        return {"pilot": state.phase}


def _reachable(state: State, ware: int, reach: int) -> list[int]:
    """By how much a punt can be moved: not behind 0 (R47), no farther than just into the port."""
    position = state.position[ware]
    deltas = (delta for delta in range(-reach, reach + 1) if delta)
    return [delta for delta in deltas if 0 <= position + delta <= ARRIVED]


@dataclass(frozen=True, slots=True)
class PilotSkip(Move[State]):
    """Leave the punts where they are."""

    type = "pilot_skip"
    says = ("pilot_skipped",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SKIP_PILOT

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        if log:
            log.add("pilot_skipped", seat=seat, pilot=state.phase)
        play.after_pilot(state, log)

    def details(self, state: State, seat: int) -> JsonObject:
        return {"pilot": state.phase}


# Arrivals


@dataclass(frozen=True, slots=True)
class ChooseArrivalOrder(ReadMove):
    """Say in which order the punts that arrive together dock."""

    type = "choose_arrival_order"
    readers = (shapes.words,)
    order: tuple[str, ...] = param(shapes.ORDER, "the punts, the first to dock first")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _ORDERS[tuple(state.arrivals)]

    def check(self, state: State, seat: int) -> None:
        arrived = ware_ids(state.arrivals)
        if sorted(self.order) != sorted(arrived):
            raise IllegalMove(
                errors.NOT_A_PERMUTATION,
                f"{', '.join(arrived)} arrive, not {shown(list(self.order))}",
                arrived=arrived,
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.dock(state, [WARE[ware] for ware in self.order], log)

    def to_json(self) -> JsonObject:
        return {"type": self.type, "order": list(self.order)}


# Pirates


@dataclass(frozen=True, slots=True)
class BoardPunt(ReadMove):
    """Board a punt on space 13 and be an ordinary accomplice of it from now on."""

    type = "board_punt"
    says = ("pirate_boarded",)
    readers = (shapes.word, shapes.integer_or_null)
    ware: str = param(Choice(WARES), "whose punt you board")
    displace_seat: int | None = param(
        Either((Null(), Integer(0, max(CAPACITY) - 1))),
        "the seat that you take from somebody, if that is allowed; null for an empty one",
        default=None,
    )

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return [_BOARDINGS[option] for option in play.boardable(state)]

    def check(self, state: State, seat: int) -> None:
        if not state.pirates_displace and self.displace_seat is not None:
            raise IllegalMove(
                errors.DISPLACEMENT_NOT_ALLOWED, "in this game pirates displace nobody"
            )
        ware = WARE.get(self.ware, NONE)
        options = play.boardable(state)
        vacant = [w for w, place in options if place == NONE]
        boardable = play.stranded(state) if state.pirates_displace else vacant
        if ware not in boardable:
            raise IllegalMove(
                errors.PUNT_NOT_BOARDABLE, f"{shown(self.ware)} is not a punt that you can board"
            )
        if vacant and (ware not in vacant or self.displace_seat is not None):
            raise IllegalMove(
                errors.FILL_VACANCY_FIRST,
                f"take an empty seat first: {', '.join(ware_ids(vacant))}",
                vacant=ware_ids(vacant),
            )
        if not vacant:
            self._check_displaced(ware, options)

    def _check_displaced(self, ware: int, options: list[tuple[int, int]]) -> None:
        place = self.displace_seat
        if place is None or not 0 <= place < CAPACITY[ware]:
            raise IllegalMove(
                errors.MALFORMED_ACTION,
                f"{self.ware} has seats 0 to {CAPACITY[ware] - 1}, not {shown(place)}",
            )
        if (ware, place) not in options:
            raise IllegalMove(
                errors.SEAT_PROTECTED, f"a pirate has just taken seat {place} of {self.ware}"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        crew = state.crews[WARE[self.ware]]
        del state.crews[PIRATE][-state.to_board]
        state.to_board -= 1
        displaced = None
        if self.displace_seat is None:
            state.boarded.append((WARE[self.ware], len(crew)))
            crew.append(seat)
        else:
            state.boarded.append((WARE[self.ware], self.displace_seat))
            displaced = crew[self.displace_seat]
            crew[self.displace_seat] = seat
            state.in_hand[displaced] += 1
        if log:
            log.add("pirate_boarded", seat=seat, ware=self.ware, displaced=displaced)
        play.next_pirate(state, log)

    def label(self) -> tuple[str, JsonObject]:
        if self.displace_seat is None:
            return f"move.{self.type}", {"ware": self.ware}
        return f"move.{self.type}.displace", {"ware": self.ware, "place": self.displace_seat + 1}

    def details(self, state: State, seat: int) -> JsonObject:
        if self.displace_seat is None:
            return {}
        return {"displaced": state.crews[WARE[self.ware]][self.displace_seat]}


@dataclass(frozen=True, slots=True)
class StayOnPirateBoat(Move[State]):
    """Board no punt, and wait for one to plunder."""

    type = "stay_on_pirate_boat"
    says = ("pirate_stayed",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _STAY

    def check(self, state: State, seat: int) -> None:
        pass

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.to_board -= 1
        if log:
            log.add("pirate_stayed", seat=seat)
        play.next_pirate(state, log)


@dataclass(frozen=True, slots=True)
class SendPlundered(ReadMove):
    """Send a plundered punt to a port or to a shipyard."""

    type = "send_plundered"
    readers = (shapes.word, shapes.word)
    ware: str = param(Choice(WARES), "the punt that is being decided on")
    destination: str = param(Choice((play.PORT, play.SHIPYARD)), "where it goes")

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _SENDINGS[state.plunder_queue[0]]

    def check(self, state: State, seat: int) -> None:
        wanted = WARES[state.plunder_queue[0]]
        if self.ware != wanted:
            raise IllegalMove(
                errors.MALFORMED_ACTION, f"{wanted} is to be sent off, not {shown(self.ware)}"
            )
        if self.destination not in (play.PORT, play.SHIPYARD):
            raise IllegalMove(
                errors.INVALID_DESTINATION,
                f"a punt goes to a port or a shipyard, not to {shown(self.destination)}",
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        ware = state.plunder_queue.pop(0)
        if self.destination == play.PORT:
            play.enter_port(state, ware, log)
        else:
            play.enter_shipyard(state, ware, log)
        play.next_plunder(state, log)


# Loans, at every decision of one's own (R5)


@dataclass(frozen=True, slots=True)
class TakeLoan(Move[State]):
    """Pledge a free share for 12 pesos; the decision stays yours."""

    type = "take_loan"
    says = ("loan_taken",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        return _LOAN if state.free[seat] and state.finance != REDEEMS else ()

    def check(self, state: State, seat: int) -> None:
        if not state.free[seat]:
            raise IllegalMove(errors.NO_FREE_SHARE, "you have no free share to pledge")
        if state.finance == REDEEMS:
            raise IllegalMove(
                errors.FINANCE_DIRECTION_LOCKED, "you have redeemed a share: decide first"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        play.borrow(state, seat, 1, log, forced=False)
        state.finance = BORROWS


@dataclass(frozen=True, slots=True)
class RedeemShare(Move[State]):
    """Redeem a pledged share for 15 pesos; the decision stays yours."""

    type = "redeem_share"
    says = ("share_redeemed",)

    @classmethod
    def legal(cls, state: State, seat: int) -> Moves:
        if not state.pledged[seat] or state.finance == BORROWS:
            return ()
        return _REDEEM if state.cash[seat] >= REDEMPTION else ()

    def check(self, state: State, seat: int) -> None:
        if not state.pledged[seat]:
            raise IllegalMove(errors.NO_PLEDGED_SHARE, "you have no pledged share")
        cash = state.cash[seat]
        if cash < REDEMPTION:
            raise IllegalMove(
                errors.INSUFFICIENT_FUNDS,
                f"to redeem a share costs {REDEMPTION} and you have {cash}",
                price=REDEMPTION,
                funds=cash,
            )
        if state.finance == BORROWS:
            raise IllegalMove(
                errors.FINANCE_DIRECTION_LOCKED, "you have taken a loan: decide first"
            )

    def apply(self, state: State, seat: int, log: EffectLog | None) -> None:
        state.pledged[seat] -= 1
        state.free[seat] += 1
        play.pay(state, seat, REDEMPTION, log)
        state.finance = REDEEMS
        if log:
            log.add("share_redeemed", seat=seat, amount=REDEMPTION)


# Every move there is, made once; bids are those of all but the very rich

_ASHORE = tuple(space for space in ALL_SPACES if space not in ALL_WARES)
_BIDS = tuple(Bid(amount) for amount in range(1, 500))
_PASS = (PassAuction(),)
_PURCHASES = tuple(BuyShare(ware) for ware in WARES)
_SKIP_SHARE = (SkipShare(),)
_LOADS = tuple(LoadWares(ware) for ware in WARES)
_STARTS = [
    tuple(
        PlacePunts(tuple(zip([w for w in WARES if w != left_out], spaces, strict=True)))
        for spaces in product(range(START_MIN, START_MAX + 1), repeat=LANES)
        if sum(spaces) == START_SUM
    )
    for left_out in WARES
]
_PLACEMENTS = tuple(PlaceAccomplice(space) for space in SPACES)
_ABSTAIN = (Abstain(),)
_DELTAS = tuple(range(-BIG_REACH, BIG_REACH + 1))
_NUDGES: dict[tuple[int, ...], PilotMove] = {
    (w, delta): PilotMove(((WARES[w], delta),)) for w in ALL_WARES for delta in _DELTAS
} | {
    (w, d, w2, d2): PilotMove(((WARES[w], d), (WARES[w2], d2)))
    for w, w2 in combinations(ALL_WARES, 2)
    for d, d2 in product(_DELTAS, repeat=2)
}
_SKIP_PILOT = (PilotSkip(),)
_ORDERS = {
    arrived: tuple(ChooseArrivalOrder(tuple(ware_ids(list(p)))) for p in permutations(arrived))
    for arrived in chain(combinations(ALL_WARES, 2), combinations(ALL_WARES, 3))
}
_BOARDINGS = {
    (w, place): BoardPunt(WARES[w], None if place == NONE else place)
    for w in ALL_WARES
    for place in (NONE, *range(CAPACITY[w]))
}
_STAY = (StayOnPirateBoat(),)
_SENDINGS = [(SendPlundered(w, play.PORT), SendPlundered(w, play.SHIPYARD)) for w in WARES]
_LOAN = (TakeLoan(),)
_REDEEM = (RedeemShare(),)

MOVE_TYPES: tuple[type[Move[State]], ...] = (
    Bid,
    PassAuction,
    BuyShare,
    SkipShare,
    LoadWares,
    PlacePunts,
    PlaceAccomplice,
    Abstain,
    PilotMove,
    PilotSkip,
    ChooseArrivalOrder,
    BoardPunt,
    StayOnPirateBoat,
    SendPlundered,
    TakeLoan,
    RedeemShare,
)
