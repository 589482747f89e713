"""The sequence of play: the phases, and the automatic steps between them.

Moves (``moves``) and draws (``chance``) call these functions; none of them waits for an answer.
"""

from collections.abc import Sequence

from rules.kernel.contract import NOBODY, EffectLog, Phase, Seat, by_seat, next_seat
from rules.manila import data, effects
from rules.manila.data import INSURANCE, NO_WARE, NONE, PIRATE, Space, Ware
from rules.manila.state import State

# Phases

DEAL_SHARES = "deal_shares"
DRAW_STARTER = "draw_starter"
AUCTION = "auction"
BUY_SHARE = "buy_share"
LOAD_WARES = "load_wares"
PLACE_PUNTS = "place_punts"
PLACEMENT = "placement"
SMALL_PILOT = "pilot_small"
BIG_PILOT = "pilot_big"
MOVEMENT = "movement"
ARRIVAL_ORDER = "arrival_order"
PIRATE_BOARDING = "pirate_boarding"
PLUNDER = "plunder"
GAME_OVER = "game_over"


_MASTER = "the harbour master"
_VOYAGE_ENDS = (AUCTION, GAME_OVER)
_ROUNDS = (PLACEMENT, SMALL_PILOT, BIG_PILOT, MOVEMENT)
_MOVED = (*_ROUNDS, PIRATE_BOARDING, PLUNDER, *_VOYAGE_ENDS)


def _decision(asks: str, moves: Sequence[str], leads_to: Sequence[str]) -> Phase:
    """Return a phase in which the decider may first borrow or redeem (R5)."""
    return Phase(asks, (*moves, "take_loan", "redeem_share"), tuple(leads_to))


PHASES = {
    # Set-up. Facts that an option fixes are not drawn.
    DEAL_SHARES: Phase("nature", (), (DRAW_STARTER, AUCTION)),
    DRAW_STARTER: Phase("nature", (), (AUCTION,)),
    # The harbour master and his duties.
    AUCTION: _decision(
        "every player in turn who has not passed", ["bid", "pass_auction"], [AUCTION, BUY_SHARE]
    ),
    BUY_SHARE: _decision(_MASTER, ["buy_share", "skip_share"], [BUY_SHARE, LOAD_WARES]),
    LOAD_WARES: _decision(_MASTER, ["load_wares"], [LOAD_WARES, PLACE_PUNTS]),
    PLACE_PUNTS: _decision(_MASTER, ["place_punts"], [PLACE_PUNTS, PLACEMENT]),
    # Placement and movement rounds, by the schedule.
    PLACEMENT: _decision(
        "every player in turn who has not abstained",
        ["place_accomplice", "abstain"],
        [*_ROUNDS, *_VOYAGE_ENDS],
    ),
    SMALL_PILOT: _decision(
        "the small pilot", ["pilot_move", "pilot_skip"], [*_ROUNDS[1:], *_VOYAGE_ENDS]
    ),
    BIG_PILOT: _decision(
        "the big pilot", ["pilot_move", "pilot_skip"], [*_ROUNDS[2:], *_VOYAGE_ENDS]
    ),
    MOVEMENT: Phase("nature", (), (ARRIVAL_ORDER, *_MOVED)),
    ARRIVAL_ORDER: _decision(_MASTER, ["choose_arrival_order"], [ARRIVAL_ORDER, *_MOVED]),
    PIRATE_BOARDING: _decision(
        "the pirates, the captain first",
        ["board_punt", "stay_on_pirate_boat"],
        [PIRATE_BOARDING, *_ROUNDS],
    ),
    PLUNDER: _decision("the pirate captain", ["send_plundered"], [PLUNDER, *_VOYAGE_ENDS]),
    GAME_OVER: Phase("nobody", (), ()),
}

# Set-up


def continue_setup(state: State) -> None:
    """Deal the shares, then draw the seat that opens the first auction (R1).

    No seat is drawn if an option names the seat.
    """
    if state.phase == "":
        state.wait(DEAL_SHARES)
    elif state.starter == NOBODY:
        state.wait(DRAW_STARTER)
    else:
        state.ask(AUCTION, state.starter)


# The auction


def next_bidder(state: State, log: EffectLog | None) -> None:
    """Ask for a bid from the next player who has not passed, or give the office to the winner."""
    left = state.seats - len(state.passed)
    if left == 1 and state.high_bidder != NOBODY:
        _award_office(state, state.high_bidder, state.high, log)
    elif left == 0:  # all have passed: the starter is the former harbour master, if any (R2)
        _award_office(state, state.starter, 0, log)
    else:  # R3: if nobody has bid, even the only player left is asked
        seat = next_seat(state.decider, state.seats)
        while seat in state.passed:
            seat = next_seat(seat, state.seats)
        state.ask(AUCTION, seat)


def _award_office(state: State, seat: Seat, price: int, log: EffectLog | None) -> None:
    pay(state, seat, price, log)
    state.harbour_master = seat
    state.ask(BUY_SHARE, seat)
    effects.OFFICE_AWARDED.tell(log, seat=seat, price=price)


# The rounds of a voyage


def loaded(state: State) -> list[Ware]:
    """Return the shipped wares, in the order of their lanes (R12)."""
    return [ware for ware in data.ALL_WARES if ware != state.left_out]


def next_round(state: State, log: EffectLog | None) -> None:
    """Begin the next placement or movement round of the schedule."""
    state.step += 1
    if data.SCHEDULES[state.seats][state.step] == data.PLACEMENT_ROUND:
        _ask_placer(state, state.harbour_master, log)
    elif rounds_begun(state, data.MOVEMENT_ROUND) == data.PILOTS_BEFORE:
        _call_pilots(state, data.PILOTS, log)
    else:
        _roll(state, log)


def rounds_begun(state: State, kind: str) -> int:
    """Return how many rounds of this kind have begun in this voyage, the current one included."""
    return data.SCHEDULES[state.seats][: state.step + 1].count(kind)


def next_placer(state: State, log: EffectLog | None) -> None:
    """Ask the next player to place an accomplice; after the last one, begin the next round."""
    seat = next_seat(state.decider, state.seats)
    if seat == state.harbour_master:
        next_round(state, log)  # R29
    else:
        _ask_placer(state, seat, log)


def _ask_placer(state: State, seat: Seat, log: EffectLog | None) -> None:
    """Ask ``seat`` to place an accomplice; if it has abstained, ask the next one."""
    state.ask(PLACEMENT, seat)
    if seat in state.abstained:
        next_placer(state, log)


def after_pilot(state: State, log: EffectLog | None) -> None:
    """Ask the next pilot for his move; after the last one, roll the dice."""
    _call_pilots(state, data.PILOTS[1:] if state.phase == SMALL_PILOT else (), log)


def _call_pilots(state: State, pilots: Sequence[Space], log: EffectLog | None) -> None:
    """Ask the first of these pilots whose space is taken; if none is, roll the dice (R46)."""
    for pilot in pilots:
        if state.crews[pilot] and state.at_sea:  # R30
            state.ask(data.SPACES[pilot], state.crews[pilot][0])
            return
    _roll(state, log)


# Movement


def _roll(state: State, log: EffectLog | None) -> None:
    if state.at_sea:
        state.wait(MOVEMENT)
    else:  # R30
        sail(state, (), log)


def sail(state: State, roll: Sequence[int], log: EffectLog | None) -> None:
    """Move every punt at sea as far as its die shows; ``roll`` has a value for each ware."""
    if log:
        dice = tuple([(ware, roll[ware]) for ware in state.at_sea])
        effects.DICE_ROLLED.tell(log, movement=rounds_begun(state, data.MOVEMENT_ROUND), dice=dice)
    for ware in state.at_sea:
        move_punt(state, ware, roll[ware], log)
    arrived = [ware for ware in state.at_sea if state.position[ware] == data.ARRIVED]
    if len(arrived) > 1 and state.arrival_order == "harbour_master":  # R33
        state.arrivals = arrived
        state.ask(ARRIVAL_ORDER, state.harbour_master)
    else:
        dock(state, arrived, log)


def move_punt(state: State, ware: Ware, steps: int, log: EffectLog | None) -> None:
    """Move a punt; beyond the last space the punt has arrived, and surplus steps are lost (R34)."""
    state.position[ware] = min(state.position[ware] + steps, data.ARRIVED)
    if log:
        effects.PUNT_MOVED.tell(log, ware=ware, steps=steps, position=state.position[ware])


def dock(state: State, wares: Sequence[Ware], log: EffectLog | None) -> None:
    """Dock the punts that have arrived by this roll, in the order of ``wares``, and go on."""
    state.arrivals = []
    for ware in wares:
        leave_sea(state, ware, data.PORT, log)
    _after_movement(state, log)


def leave_sea(state: State, ware: Ware, berth: str, log: EffectLog | None) -> None:
    """Bring a punt into the next free port (R35) or shipyard; it stays there."""
    punts = state.docked if berth == data.PORT else state.wrecked
    state.at_sea.remove(ware)
    if log:
        effects.PUNT_DOCKED.tell(log, ware=ware, place=berth, slot=data.Slot(len(punts)))
    punts.append(ware)


def _after_movement(state: State, log: EffectLog | None) -> None:
    movement = rounds_begun(state, data.MOVEMENT_ROUND)
    if movement < data.BOARDING_AFTER:
        next_round(state, log)
    elif movement == data.BOARDING_AFTER:
        state.to_board = len(state.crews[PIRATE])
        next_pirate(state, log)
    else:
        _end_of_route(state, log)


# Pirates


def stranded(state: State) -> list[Ware]:
    """Return the punts at sea that are on the last space."""
    return [ware for ware in state.at_sea if state.position[ware] == data.LAST_SPACE]


def vacant(state: State) -> list[Ware]:
    """Return the punts on the last space that have a free place for a pirate.

    Usually pirates may board only these punts. With ``pirates_displace``, pirates may also board
    full punts, but only if no punt has a free place.
    """
    return [ware for ware in stranded(state) if len(state.crews[ware]) < data.CAPACITY[ware]]


def next_pirate(state: State, log: EffectLog | None) -> None:
    """Ask the next pirate who can board a punt. Each pirate is asked once (R37).

    If there is no such pirate left, go on with the game.
    """
    boardable = stranded(state) if state.pirates_displace else vacant(state)
    if state.to_board and boardable:
        # The last pirates in the boat still have to decide, because a pirate who boards a punt
        # leaves the boat.
        state.ask(PIRATE_BOARDING, state.crews[PIRATE][-state.to_board])
        return
    state.to_board = 0
    state.boarded = []
    next_round(state, log)


def _end_of_route(state: State, log: EffectLog | None) -> None:
    """After the last movement, dock the punts on the last space, or plunder them (R43)."""
    state.plunder_queue = stranded(state)
    if not state.crews[PIRATE]:
        while state.plunder_queue:
            leave_sea(state, state.plunder_queue.pop(0), data.PORT, log)
    for ware in state.plunder_queue:
        state.plundered.append(ware)
        for owner in state.crews[ware]:
            state.in_hand[owner] += 1
        state.crews[ware] = []
        effects.PUNT_PLUNDERED.tell(log, ware=ware, seats=state.crews[PIRATE])
    next_plunder(state, log)


def next_plunder(state: State, log: EffectLog | None) -> None:
    """Ask the captain where the next plundered punt goes (R44); after the last one, settle up."""
    if state.plunder_queue:
        state.ask(PLUNDER, state.crews[PIRATE][0])
        return
    for ware in state.at_sea[:]:  # R36
        leave_sea(state, ware, data.SHIPYARD, log)
    _settle(state, log)


# Settlement


def _settle(state: State, log: EffectLog | None) -> None:
    """Pay all players, raise the wares that have arrived, and end the voyage (R49)."""
    for ware in state.plundered:  # R45
        _share_out(state, ware, PIRATE, log)
    for ware in state.docked:
        if ware not in state.plundered:
            _share_out(state, ware, ware, log)
    for slot in data.ALL_SLOTS[: len(state.docked)]:
        payout = data.PAYOUTS[data.PORT][slot]
        for owner in state.crews[data.BERTH_SPACES[data.PORT][slot]]:
            receive(state, owner, payout)
            effects.PORT_PAID.tell(log, seat=owner, amount=payout, slot=slot)
    _pay_shipyards(state, log)
    for ware in state.docked:
        state.market[ware] += 1
        effects.MARKET_RAISED.tell(log, ware=ware, value=data.MARKET[state.market[ware]])
    _end_of_voyage(state, log)


def _share_out(state: State, ware: Ware, space: Space, log: EffectLog | None) -> None:
    """Pay a punt's profit to the accomplices on a space in equal, whole shares."""
    crew, effect = state.crews[space], effects.LOOT_PAID if space == PIRATE else effects.CARGO_PAID
    for owner in crew:
        amount = data.PROFITS[ware] // len(crew)
        receive(state, owner, amount)
        effect.tell(log, seat=owner, amount=amount, ware=ware)


def _pay_shipyards(state: State, log: EffectLog | None) -> None:
    insurer = state.owner(INSURANCE)
    debt = 0
    for slot in data.ALL_SLOTS[: len(state.wrecked)]:
        amount = data.PAYOUTS[data.SHIPYARD][slot]
        owner = state.owner(data.BERTH_SPACES[data.SHIPYARD][slot])
        if insurer not in (None, owner):  # R50
            debt += amount  # R52
        if owner not in (None, insurer):  # R53
            receive(state, owner, amount)
            effects.SHIPYARD_PAID.tell(log, seat=owner, amount=amount, slot=slot)
    if insurer is not None and debt:
        paid = min(debt, funds(state, insurer))
        pay(state, insurer, paid, log)
        effects.REPAIRS_PAID.tell(log, seat=insurer, amount=paid, waived=debt - paid)  # R51


def _end_of_voyage(state: State, log: EffectLog | None) -> None:
    """Clear the board; end the game if a ware is at the top of the market, else open an auction."""
    state.crews = [[] for _ in data.SPACES]
    state.in_hand = [data.ACCOMPLICES[state.seats]] * state.seats
    state.abstained = []
    state.left_out = NO_WARE
    state.position = [NONE for _ in data.WARES]
    state.docked, state.wrecked, state.plundered = [], [], []
    state.step = NONE
    effects.VOYAGE_ENDED.tell(log, voyage=state.voyage)
    if data.TOP_OF_MARKET in state.market:
        _finish(state, data.WARE_AT_THE_TOP, log)
    elif state.voyage == state.voyage_limit:
        _finish(state, data.VOYAGE_LIMIT, log)
    else:
        state.voyage += 1
        state.starter = state.harbour_master  # R59
        state.high, state.high_bidder, state.passed = 0, NOBODY, []
        state.ask(AUCTION, state.starter)


def _finish(state: State, reason: str, log: EffectLog | None) -> None:
    state.end_reason = reason
    state.wait(GAME_OVER)
    if log:
        for seat, dealt in by_seat(state.dealt):
            wares = [ware for ware in data.ALL_WARES for _ in range(dealt[ware])]
            effects.SHARES_REVEALED.tell(log, seat=seat, wares=wares)
        effects.GAME_ENDED.tell(log, reason=reason)


# Money


def funds(state: State, seat: Seat) -> int:
    """Return the maximum that ``seat`` can pay if it pledges all its free shares."""
    return state.cash[seat] + data.LOAN * state.free[seat]


def receive(state: State, seat: Seat, amount: int) -> None:
    """Give ``seat`` money from the bank, which never runs out (R15)."""
    state.cash[seat] += amount
    state.box -= amount


def pay(state: State, seat: Seat, amount: int, log: EffectLog | None) -> None:
    """Take money from ``seat``, at most its funds; it borrows as little as it needs (R4)."""
    short = amount - state.cash[seat]
    if short > 0:
        borrow(state, seat, -(-short // data.LOAN), log, forced=True)
    state.cash[seat] -= amount
    state.box += amount


def borrow(state: State, seat: Seat, count: int, log: EffectLog | None, *, forced: bool) -> None:
    """Pledge some free shares of ``seat``; the wares of pledged shares are not recorded (R6)."""
    state.free[seat] -= count
    state.pledged[seat] += count
    amount = data.LOAN * count
    receive(state, seat, amount)
    effects.LOAN_TAKEN.tell(log, seat=seat, amount=amount, count=count, forced=forced)
