"""The sequence of play: the phases, and what happens between them by itself.

Moves (``moves``) and draws (``chance``) call these procedures; none of them asks anybody.
"""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.phases import Phase
from rules.manila.data import (
    ALL_WARES,
    ARRIVED,
    BOARDING_AFTER,
    CAPACITY,
    INSURANCE,
    LAST_SPACE,
    LOAN,
    MARKET,
    MOVEMENT_ROUND,
    NONE,
    PILOT_BIG,
    PILOT_SMALL,
    PILOTS_BEFORE,
    PIRATE,
    PLACEMENT_ROUND,
    PORT_A,
    PORT_PAYOUTS,
    PROFITS,
    SCHEDULES,
    SHIPYARD_A,
    SHIPYARD_PAYOUTS,
    SLOTS,
    SPACES,
    TOP_OF_MARKET,
    WARES,
)
from rules.manila.state import UNDECIDED, State, ware_ids

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


_FINANCE = ("take_loan", "redeem_share")
_VOYAGE_ENDS = (AUCTION, GAME_OVER)
_ROUNDS = (PLACEMENT, SMALL_PILOT, BIG_PILOT, MOVEMENT)
_MOVED = (*_ROUNDS, PIRATE_BOARDING, PLUNDER, *_VOYAGE_ENDS)

PHASES = {
    # Set-up. What an option fixes is not drawn.
    DEAL_SHARES: Phase("nature", (), (DRAW_STARTER, AUCTION)),
    DRAW_STARTER: Phase("nature", (), (AUCTION,)),
    # The harbour master and his duties.
    AUCTION: Phase(
        "every player in turn who has not passed",
        ("bid", "pass_auction", *_FINANCE),
        (AUCTION, BUY_SHARE),
    ),
    BUY_SHARE: Phase(
        "the harbour master", ("buy_share", "skip_share", *_FINANCE), (BUY_SHARE, LOAD_WARES)
    ),
    LOAD_WARES: Phase("the harbour master", ("load_wares", *_FINANCE), (LOAD_WARES, PLACE_PUNTS)),
    PLACE_PUNTS: Phase("the harbour master", ("place_punts", *_FINANCE), (PLACE_PUNTS, PLACEMENT)),
    # Placement and movement rounds, as the schedule says.
    PLACEMENT: Phase(
        "every player in turn who has not abstained",
        ("place_accomplice", "abstain", *_FINANCE),
        (*_ROUNDS, *_VOYAGE_ENDS),
    ),
    SMALL_PILOT: Phase(
        "the small pilot",
        ("pilot_move", "pilot_skip", *_FINANCE),
        (SMALL_PILOT, BIG_PILOT, MOVEMENT, *_VOYAGE_ENDS),
    ),
    BIG_PILOT: Phase(
        "the big pilot",
        ("pilot_move", "pilot_skip", *_FINANCE),
        (BIG_PILOT, MOVEMENT, *_VOYAGE_ENDS),
    ),
    MOVEMENT: Phase("nature", (), (ARRIVAL_ORDER, *_MOVED)),
    ARRIVAL_ORDER: Phase(
        "the harbour master", ("choose_arrival_order", *_FINANCE), (ARRIVAL_ORDER, *_MOVED)
    ),
    PIRATE_BOARDING: Phase(
        "the pirates, the captain first",
        ("board_punt", "stay_on_pirate_boat", *_FINANCE),
        (PIRATE_BOARDING, *_ROUNDS),
    ),
    PLUNDER: Phase("the pirate captain", ("send_plundered", *_FINANCE), (PLUNDER, *_VOYAGE_ENDS)),
    GAME_OVER: Phase("nobody", (), ()),
}

_PILOT_PHASES = {PILOT_SMALL: SMALL_PILOT, PILOT_BIG: BIG_PILOT}

PORT, SHIPYARD = "port", "shipyard"

# Why the game ends

WARE_AT_THE_TOP = "ware_at_the_top"
VOYAGE_LIMIT = "voyage_limit"


def ask(state: State, phase: str, seat: int) -> None:
    """Put the question of ``phase`` to ``seat``; it may borrow or redeem before it answers (R7)."""
    state.phase = phase
    state.decider = seat
    state.finance = UNDECIDED


def wait_for_nature(state: State, phase: str) -> None:
    """Wait for the draw of ``phase``."""
    ask(state, phase, NONE)


# Set-up


def continue_setup(state: State) -> None:
    """Deal the shares, then draw who opens the first auction unless an option says it (R1)."""
    if state.phase == "":
        wait_for_nature(state, DEAL_SHARES)
    elif state.starter == NONE:
        wait_for_nature(state, DRAW_STARTER)
    else:
        ask(state, AUCTION, state.starter)


# The auction


def open_auction(state: State, starter: int) -> None:
    """Put the office of harbour master up for auction."""
    state.starter = starter
    state.high = 0
    state.high_bidder = NONE
    state.passed = [0] * state.seats
    ask(state, AUCTION, starter)


def next_bidder(state: State, log: EffectLog | None) -> None:
    """Ask the next player who has not passed, unless the office is won."""
    passed = state.passed
    left = passed.count(0)
    if left == 1 and state.high_bidder != NONE:
        _award_office(state, state.high_bidder, state.high, log)
    elif left == 0:  # the starter is the old harbour master, if there is one (R2)
        _award_office(state, state.starter, 0, log)
    else:  # R3: also the last one, if nobody has bid
        seat = (state.decider + 1) % state.seats
        while passed[seat]:
            seat = (seat + 1) % state.seats
        ask(state, AUCTION, seat)


def _award_office(state: State, seat: int, price: int, log: EffectLog | None) -> None:
    pay(state, seat, price, log)
    state.harbour_master = seat
    ask(state, BUY_SHARE, seat)
    if log:
        log.add("office_awarded", seat=seat, price=price)


# The rounds of a voyage


def next_round(state: State, log: EffectLog | None) -> None:
    """Begin the next placement or movement round of the schedule."""
    state.step += 1
    if SCHEDULES[state.seats][state.step] == PLACEMENT_ROUND:
        _ask_placer(state, 0, log)
    elif rounds_begun(state, MOVEMENT_ROUND) == PILOTS_BEFORE:
        _call_pilots(state, (PILOT_SMALL, PILOT_BIG), log)
    else:
        _roll(state, log)


def rounds_begun(state: State, kind: str) -> int:
    """How many rounds of this kind the voyage has had, the present one included."""
    return SCHEDULES[state.seats][: state.step + 1].count(kind)


def next_placer(state: State, log: EffectLog | None) -> None:
    """Ask the next player to place an accomplice; after the last one, go on."""
    _ask_placer(state, (state.decider - state.harbour_master) % state.seats + 1, log)


def _ask_placer(state: State, behind: int, log: EffectLog | None) -> None:
    """Ask who sits ``behind`` the harbour master or further on, and has not abstained."""
    for distance in range(behind, state.seats):
        seat = (state.harbour_master + distance) % state.seats
        if not state.abstained[seat]:
            ask(state, PLACEMENT, seat)
            return
    next_round(state, log)  # R29


def after_pilot(state: State, log: EffectLog | None) -> None:
    """Call the pilot after this one, if there is one."""
    _call_pilots(state, (PILOT_BIG,) if state.phase == SMALL_PILOT else (), log)


def _call_pilots(state: State, pilots: Sequence[int], log: EffectLog | None) -> None:
    """Ask the first of these pilots who is there; without one, roll the dice (R46)."""
    for pilot in pilots:
        if state.crews[pilot] and 1 in state.at_sea:  # R30
            ask(state, _PILOT_PHASES[pilot], state.crews[pilot][0])
            return
    _roll(state, log)


# Movement


def _roll(state: State, log: EffectLog | None) -> None:
    if 1 in state.at_sea:
        wait_for_nature(state, MOVEMENT)
    else:  # R30
        if log:
            log.add("dice_rolled", movement=rounds_begun(state, MOVEMENT_ROUND), dice={})
        _after_movement(state, log)


def sail(state: State, roll: Sequence[int], log: EffectLog | None) -> None:
    """Move every punt at sea by its die; ``roll`` has a value for each ware."""
    if log:
        dice: JsonObject = {WARES[w]: roll[w] for w in ALL_WARES if state.at_sea[w]}
        log.add("dice_rolled", movement=rounds_begun(state, MOVEMENT_ROUND), dice=dice)
    arrived = []
    for ware in ALL_WARES:
        if state.at_sea[ware]:
            move_punt(state, ware, roll[ware], log)
            if state.position[ware] == ARRIVED:
                arrived.append(ware)
    if len(arrived) > 1 and state.asks_arrival_order:  # R33
        state.arrivals = arrived
        ask(state, ARRIVAL_ORDER, state.harbour_master)
    else:
        dock(state, arrived, log)


def move_punt(state: State, ware: int, steps: int, log: EffectLog | None) -> None:
    """Move a punt; beyond the last space it has arrived, and the surplus is lost (R34)."""
    state.position[ware] = min(state.position[ware] + steps, ARRIVED)
    if log:
        log.add("punt_moved", ware=WARES[ware], steps=steps, position=state.position[ware])


def dock(state: State, wares: Sequence[int], log: EffectLog | None) -> None:
    """Let the punts that this roll has brought in dock in this order, and go on."""
    state.arrivals = []
    for ware in wares:
        enter_port(state, ware, log)
    _after_movement(state, log)


def enter_port(state: State, ware: int, log: EffectLog | None) -> None:
    """Dock a punt in the next free port, where it stays (R35)."""
    _leave_sea(state, ware, state.docked, PORT, log)


def enter_shipyard(state: State, ware: int, log: EffectLog | None) -> None:
    """Bring a punt into the next free shipyard."""
    _leave_sea(state, ware, state.wrecked, SHIPYARD, log)


def _leave_sea(
    state: State, ware: int, berths: list[int], place: str, log: EffectLog | None
) -> None:
    state.at_sea[ware] = 0
    if log:
        log.add("punt_docked", ware=WARES[ware], place=place, slot=SLOTS[len(berths)])
    berths.append(ware)


def _after_movement(state: State, log: EffectLog | None) -> None:
    movement = rounds_begun(state, MOVEMENT_ROUND)
    if movement < BOARDING_AFTER:
        next_round(state, log)
    elif movement == BOARDING_AFTER:
        state.to_board = len(state.crews[PIRATE])
        next_pirate(state, log)
    else:
        _end_of_route(state, log)


# Pirates


def stranded(state: State) -> list[int]:
    """The punts at sea on the last space."""
    return [w for w in ALL_WARES if state.at_sea[w] and state.position[w] == LAST_SPACE]


def boardable(state: State) -> list[tuple[int, int]]:
    """Each punt that a pirate may board now, with the seat that he takes from somebody.

    The seat is NONE where he takes an empty one (R38). Only with ``pirates_displace`` are full
    punts boarded, and only if none has an empty seat; who has just boarded keeps his seat.
    """
    candidates = stranded(state)
    vacant = [(w, NONE) for w in candidates if len(state.crews[w]) < CAPACITY[w]]
    if vacant or not state.pirates_displace:
        return vacant
    return [
        (ware, place)
        for ware in candidates
        for place in range(CAPACITY[ware])
        if (ware, place) not in state.boarded
    ]


def next_pirate(state: State, log: EffectLog | None) -> None:
    """Ask the next pirate who can board a punt, each once (R37); then go on."""
    if state.to_board and boardable(state):
        # Whoever has boarded has left the boat, so those to decide are the last ones on it.
        ask(state, PIRATE_BOARDING, state.crews[PIRATE][-state.to_board])
        return
    state.to_board = 0
    state.boarded = []
    next_round(state, log)


def _end_of_route(state: State, log: EffectLog | None) -> None:
    """After the last movement: punts on the last space dock, or are plundered (R43)."""
    state.plunder_queue = stranded(state)
    if not state.crews[PIRATE]:
        while state.plunder_queue:
            enter_port(state, state.plunder_queue.pop(0), log)
    for ware in state.plunder_queue:
        state.plundered.append(ware)
        send_home(state, ware)
        if log:
            log.add("punt_plundered", ware=WARES[ware], seats=state.crews[PIRATE][:])
    next_plunder(state, log)


def next_plunder(state: State, log: EffectLog | None) -> None:
    """Ask the captain where the next plundered punt goes (R44); after the last, settle up."""
    if state.plunder_queue:
        ask(state, PLUNDER, state.crews[PIRATE][0])
        return
    for ware in ALL_WARES:
        if state.at_sea[ware]:
            enter_shipyard(state, ware, log)  # R36
    _settle(state, log)


def send_home(state: State, space: int) -> None:
    """Give the accomplices on a space back to their owners."""
    for owner in state.crews[space]:
        state.in_hand[owner] += 1
    state.crews[space] = []


# Settlement


def _settle(state: State, log: EffectLog | None) -> None:
    """Pay everybody, raise the wares that have arrived, and end the voyage (R49)."""
    for ware in state.plundered:  # R45
        _share_out(state, PROFITS[ware], PIRATE, "loot_paid", ware, log)
    for ware in state.docked:
        if ware not in state.plundered:
            _share_out(state, PROFITS[ware], ware, "cargo_paid", ware, log)
    for slot in range(len(state.docked)):
        for owner in state.crews[PORT_A + slot]:
            receive(state, owner, PORT_PAYOUTS[slot])
            if log:
                log.add("port_paid", seat=owner, slot=SLOTS[slot], amount=PORT_PAYOUTS[slot])
    _pay_shipyards(state, log)
    for ware in state.docked:
        _raise_market(state, ware, log)
    _end_of_voyage(state, log)


def _share_out(
    state: State, profit: int, space: int, effect: str, ware: int, log: EffectLog | None
) -> None:
    """Divide a profit among those on a space; it never leaves a remainder."""
    crew = state.crews[space]
    for owner in crew:
        receive(state, owner, profit // len(crew))
        if log:
            log.add(effect, seat=owner, ware=WARES[ware], amount=profit // len(crew))


def _pay_shipyards(state: State, log: EffectLog | None) -> None:
    insurer = state.crews[INSURANCE][0] if state.crews[INSURANCE] else NONE
    debt = 0
    for slot in range(len(state.wrecked)):
        amount = SHIPYARD_PAYOUTS[slot]
        owner = state.crews[SHIPYARD_A + slot][0] if state.crews[SHIPYARD_A + slot] else NONE
        if insurer not in (NONE, owner):  # R50
            debt += amount  # R52
        if owner not in (NONE, insurer):  # R53
            receive(state, owner, amount)
            if log:
                log.add("shipyard_paid", seat=owner, slot=SLOTS[slot], amount=amount)
    if debt:
        paid = min(debt, funds(state, insurer))
        pay(state, insurer, paid, log)
        if log:
            log.add("repairs_paid", seat=insurer, amount=paid, waived=debt - paid)  # R51


def _raise_market(state: State, ware: int, log: EffectLog | None) -> None:
    state.market[ware] += 1
    if log:
        log.add("market_raised", ware=WARES[ware], value=MARKET[state.market[ware]])


def _end_of_voyage(state: State, log: EffectLog | None) -> None:
    """Clear the board; a ware at the top of the market ends the game, else there is an auction."""
    for space in range(len(SPACES)):
        send_home(state, space)
    state.abstained = [0] * state.seats
    state.left_out = NONE
    state.position = [NONE] * len(WARES)
    state.docked = []
    state.wrecked = []
    state.plundered = []
    state.step = NONE
    if log:
        log.add("voyage_ended", voyage=state.voyage)
    if TOP_OF_MARKET in state.market:
        _finish(state, WARE_AT_THE_TOP, log)
    elif state.voyage == state.voyage_limit:
        _finish(state, VOYAGE_LIMIT, log)
    else:
        state.voyage += 1
        open_auction(state, state.harbour_master)  # R59


def _finish(state: State, reason: str, log: EffectLog | None) -> None:
    state.end_reason = reason
    ask(state, GAME_OVER, NONE)
    if log:
        for seat, dealt in enumerate(state.dealt):
            wares = [ware for ware in ALL_WARES for _ in range(dealt[ware])]
            log.add("shares_revealed", seat=seat, wares=ware_ids(wares))
        log.add("game_ended", reason=reason)


# Money


def funds(state: State, seat: int) -> int:
    """What ``seat`` can pay if it pledges all its free shares."""
    return state.cash[seat] + LOAN * state.free[seat]


def receive(state: State, seat: int, amount: int) -> None:
    """Give ``seat`` money from the box, which never runs out (R15)."""
    state.cash[seat] += amount
    state.box -= amount


def pay(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take money, at most its funds, from ``seat``, which borrows as little as it needs (R4)."""
    short = amount - state.cash[seat]
    if short > 0:
        borrow(state, seat, -(-short // LOAN), log, forced=True)
    state.cash[seat] -= amount
    state.box += amount


def borrow(state: State, seat: int, count: int, log: EffectLog | None, *, forced: bool) -> None:
    """Pledge some of the free shares of ``seat``; which ones is not tracked (R6)."""
    state.free[seat] -= count
    state.pledged[seat] += count
    receive(state, seat, LOAN * count)
    if log:
        log.add("loan_taken", seat=seat, count=count, amount=LOAN * count, forced=forced)
