"""The sequence of play: the phases, and what happens between them by itself.

Moves (``moves``) and draws (``chance``) call these procedures.
"""

from rules.kernel.contract import EffectLog, Phase, seat_audience
from rules.plus_ultra import data, effects
from rules.plus_ultra.data import Character, Kind
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

# Phases

START_ORDER = "start_order"
FIRST_ROW = "first_row"
REFILL = "refill_new_world"
REACTIVATION = "reactivate_tercios"
ROLL_WAR = "roll_war"
SET_ASIDE = "set_aside_character"
BUY_BULLS = "buy_bulls"
ACTIVATION = "activation"
EXPLORATION = "exploration"
CONQUISTADOR_NATIVES = "conquistador_natives"
CONQUISTADOR_SETTLEMENT = "conquistador_settlement"
TAKE_ESTATE = "take_estate"
KING_LEVY = "king_levy"
PIRATE_RAID = "pirate_raid"
GAME_OVER = "game_over"

IN_ACTIVATIONS = (
    ACTIVATION, EXPLORATION, CONQUISTADOR_NATIVES, CONQUISTADOR_SETTLEMENT, TAKE_ESTATE, KING_LEVY,
    PIRATE_RAID,
)  # fmt: skip
_AFTER_REFILL = (REFILL, REACTIVATION, ROLL_WAR)
_AFTER_ACTION = (ACTIVATION, *_AFTER_REFILL, GAME_OVER)

PHASES = {
    # Set-up.
    START_ORDER: Phase("nature", (), (FIRST_ROW,)),
    FIRST_ROW: Phase("nature", (), _AFTER_REFILL),
    # The start of a turn (A).
    REFILL: Phase("nature", (), _AFTER_REFILL),
    REACTIVATION: Phase(
        "every player whose tercios are all tired and who can pay, in peer order",
        ("reactivate_tercios", "decline_reactivation"),
        (REACTIVATION, ROLL_WAR),
    ),
    ROLL_WAR: Phase("nature", (), (SET_ASIDE,)),
    SET_ASIDE: Phase("nature", (), (DRAFT,)),
    DRAFT: Phase(
        "every player in peer order, twice",
        ("draft_character",),
        (DRAFT, BUY_BULLS, TERCIO_BIDS, ACTIVATION),
    ),
    BUY_BULLS: Phase(
        "every player who can pay, in peer order",
        ("buy_bull", "decline_bull"),
        (BUY_BULLS, TERCIO_BIDS, ACTIVATION),
    ),
    # The war and the two rounds of activations (B). The turn's end (C) needs no decision.
    TERCIO_BIDS: Phase(
        "all players with active tercios at once", ("bid_tercios",), (TERCIO_BIDS, ACTIVATION)
    ),
    ACTIVATION: Phase(
        "every player in peer order, once in each round",
        (*data.ACTOR, "forfeit_character", *data.COMMON, "use_estate", "end_activation"),
        (*_AFTER_ACTION, EXPLORATION, TAKE_ESTATE, KING_LEVY, PIRATE_RAID),
    ),
    EXPLORATION: Phase("nature", (), (ACTIVATION, CONQUISTADOR_NATIVES, CONQUISTADOR_SETTLEMENT)),
    CONQUISTADOR_NATIVES: Phase(
        "the explorer",
        ("capture_natives", "leave_natives", "use_estate"),
        (CONQUISTADOR_NATIVES, ACTIVATION),
    ),
    CONQUISTADOR_SETTLEMENT: Phase(
        "the explorer",
        ("build_in_new_settlement", "decline_settlement", "use_estate"),
        (CONQUISTADOR_SETTLEMENT, ACTIVATION),
    ),
    TAKE_ESTATE: Phase("nature", (), (ACTIVATION,)),
    KING_LEVY: Phase(
        "the other players in peer order",
        ("levy_pay_ducat", "levy_lose_pg"),
        (KING_LEVY, ACTIVATION),
    ),
    PIRATE_RAID: Phase(
        "whoever has a house there, in peer order",
        ("raid_tire_tercio", "raid_pay_ducat"),
        (PIRATE_RAID, ACTIVATION),
    ),
    GAME_OVER: Phase("nobody", (), ()),
}


# The start of a turn (A)


def begin_turn(state: State, log: EffectLog | None) -> None:
    """Begin the next turn with what was promised of the peer order."""
    state.turn += 1
    state.row = 0
    effects.TURN_BEGUN.tell(log, turn=state.turn, order=state.peer_order)
    refill(state)


def refill(state: State) -> None:
    """Wait for a tile for the next empty row; a row that a settlement left stays empty."""
    while state.row < len(state.rows):
        if state.rows[state.row] == data.EMPTY and state.pile:  # R9
            state.wait(REFILL)
            return
        state.row += 1
    state.row = data.NONE
    state.place = 0
    next_reactivation(state)


def next_reactivation(state: State) -> None:
    """Ask the next player whose tercios are all tired (R39); then roll for the war."""
    while state.place < state.seats:
        seat = state.peer
        can_pay = state.ducats[seat] >= data.REACTIVATION_PRICE
        if state.tired[seat] and not state.active[seat] and can_pay:
            state.ask(REACTIVATION, seat)
            return
        state.place += 1
    state.wait(ROLL_WAR)


def open_draft(state: State, log: EffectLog | None) -> None:
    """Hand the characters that were not set aside to the first in peer order."""
    state.pack = [c for c in data.ALL_CHARACTERS if c != state.set_aside]
    state.picks = 0
    pass_pack(state, log)


def pass_pack(state: State, log: EffectLog | None) -> None:
    """Hand the pack to the next picker; after two picks each, reveal all of them."""
    if state.picks == data.PICKS_EACH * state.seats:
        _reveal_characters(state, log)
        return
    seat = state.peer_order[state.picks % state.seats]
    state.ask(DRAFT, seat)
    if log:
        told = seat_audience(seat)
        effects.PACK_PASSED.tell(log, audience=told, seat=seat, characters=state.pack)


def _reveal_characters(state: State, log: EffectLog | None) -> None:
    """Reveal what was drafted, and pay for places and passive actions (3.2, R32)."""
    state.phase = BUY_BULLS
    if log:
        for seat in state.peer_order:
            log.open_move(seat, "draft_character")
            effects.CHARACTERS_REVEALED.tell(log, seat=seat, characters=state.characters[seat])
    for place, seat in enumerate(state.peer_order):
        gain_ducats(state, seat, data.PEER_DUCATS[place], log, "peer_order")
        gain_pg(state, seat, data.PEER_PG[state.turn - 1][place], log, "peer_order")
    king = holder_of(state, data.KING)
    for seat in state.peer_order:
        held = state.characters[seat]
        if data.SECRETARY in held and king in (data.NONE, seat):  # R57
            gain_pg(state, seat, data.SECRETARY_PG, log, "secretary")
        if data.VICEROY in held:  # R10
            settled = sum(seat in owners for owners in state.houses)
            gain_ducats(state, seat, settled, log, "viceroy")
    state.place = 0
    next_buyer(state, log)


def holder_of(state: State, character: Character) -> int:
    """Who has drafted a character, NONE if nobody has."""
    for seat, held in enumerate(state.characters):
        if character in held:
            return seat
    return data.NONE


def next_buyer(state: State, log: EffectLog | None) -> None:
    """Ask the next player who can buy a bull (R49); after the last, call for bids."""
    while state.place < state.seats:
        seat = state.peer
        if state.bull_supply and state.ducats[seat] >= data.BULL_PRICE:
            state.ask(BUY_BULLS, seat)
            return
        state.place += 1
    if state.turn in data.BLUE_TURNS:
        place_settlement(state, data.BLUE_SETTLEMENT, log)  # R46
    _call_for_bids(state, log)


# The war (B1, B2)


def _call_for_bids(state: State, log: EffectLog | None) -> None:
    state.bids = [data.NONE if active else 0 for active in state.active]
    state.wait(TERCIO_BIDS)
    if data.NONE not in state.bids:
        open_bids(state, log)


def open_bids(state: State, log: EffectLog | None) -> None:
    """Open all bids; who shows tercios places them in turn, the highest bid first (3.3, R35)."""
    bids = state.bids
    if log:
        effects.BIDS_OPENED.tell(log, bids=bids)
        for seat, active in enumerate(state.active):
            if active:
                log.open_move(seat, "bid_tercios")
    shown = bids[:]
    order = sorted((s for s in state.peer_order if bids[s]), key=lambda seat: -bids[seat])
    while any(shown) and len(state.war) < state.war_level:
        for seat in order:
            if shown[seat] and len(state.war) < state.war_level:
                shown[seat] -= 1
                state.war.append(seat)
                effects.TERCIO_PLACED.tell(log, seat=seat, space=len(state.war) - 1)
    for seat in order:
        state.active[seat] -= bids[seat]
        state.tired[seat] += shown[seat]
        if log and shown[seat]:
            effects.TERCIOS_TIRED.tell(log, seat=seat, count=shown[seat])
    state.bids = [data.NONE] * state.seats
    state.round = 1
    state.place = 0
    _activate(state)


# The rounds of activations: B3


def _activate(state: State) -> None:
    state.acted = state.current = data.NO_CHARACTER
    state.ask(ACTIVATION, state.peer)


def resume(state: State) -> None:
    """Return to the activation that something interrupted."""
    state.row = data.NONE
    state.ask(ACTIVATION, state.peer)


def next_activation(state: State, log: EffectLog | None) -> None:
    """Activate the next player, in the same order in both rounds (R52); then end the turn."""
    state.place += 1
    if state.place == state.seats:
        state.place = 0
        state.round += 1
    if state.round <= data.ROUNDS:
        _activate(state)
    else:
        _end_turn(state, log)


def discover(state: State, kind: Kind, log: EffectLog | None) -> None:
    """Turn up the tile in the row being explored (4.3, Conquistador)."""
    seat = state.peer
    row = state.row
    if kind in data.GOODS:
        state.rows[row] = kind
        gain_pg(state, seat, data.DISCOVERY_PG, log)
        resume(state)
    elif kind == data.NATIVES:
        state.rows[row] = kind
        state.ask(CONQUISTADOR_NATIVES, seat)
    else:
        state.rows[row] = data.EMPTY
        state.row = place_settlement(state, kind, log)
        state.ask(CONQUISTADOR_SETTLEMENT, seat)


def start_levy(state: State, king: int, log: EffectLog | None) -> None:
    """Have every other player lose a ducat or a PG, in peer order (R20)."""
    state.queue = [seat for seat in state.peer_order if seat != king]
    next_levied(state, log)


def next_levied(state: State, log: EffectLog | None) -> None:
    """Ask the next one; who has no ducat loses a PG. In the end the crown gains."""
    while state.queue:
        seat = state.queue[0]
        if state.ducats[seat]:
            state.ask(KING_LEVY, seat)
            return
        state.queue.pop(0)
        gain_pg(state, seat, -1, log)
    crown_add(state, data.LEVY, log)
    resume(state)


def start_raid(state: State, space: int, log: EffectLog | None) -> None:
    """Have everybody with a house in a settlement tire a tercio or lose a ducat (R19)."""
    owners = state.houses[space]
    state.queue = [seat for seat in state.peer_order if seat in owners]
    state.row = space
    next_raided(state, log)


def next_raided(state: State, log: EffectLog | None) -> None:
    """Ask the next one who can do both; who can do one thing only does it."""
    while state.queue:
        seat = state.queue[0]
        if state.active[seat] and state.ducats[seat]:
            state.ask(PIRATE_RAID, seat)
            return
        state.queue.pop(0)
        if state.active[seat]:
            tire(state, seat, log)
        elif state.ducats[seat]:
            pay(state, seat, 1, log)
    resume(state)


# The end of a turn (C)


def _end_turn(state: State, log: EffectLog | None) -> None:
    _end_war(state, log)
    _end_natives(state, log)
    _end_production(state, log)
    _end_confiscation(state, log)
    _advance_turn(state, log)


def _end_war(state: State, log: EffectLog | None) -> None:
    won = len(state.war) == state.war_level  # R36
    effects.WAR_ENDED.tell(log, won=won, tercios=state.war)
    if won:
        for seat in state.peer_order:
            gain_pg(state, seat, state.war.count(seat), log)
        constable = holder_of(state, data.CONSTABLE)
        if constable != data.NONE:  # R37
            gain_pg(state, constable, 1, log, "constable")
    for seat in state.war:
        state.tired[seat] += 1
    state.war = []


def _end_natives(state: State, log: EffectLog | None) -> None:
    for row, tile in enumerate(state.rows):
        if tile == data.NATIVES and state.houses[row]:  # R42
            seat = state.houses[row].pop()
            state.reserve[seat] += 1
            effects.HOUSE_LOST.tell(log, seat=seat, space=row)


def _end_production(state: State, log: EffectLog | None) -> None:
    for row, tile in enumerate(state.rows):
        if tile in data.GOODS and state.sizes[row]:  # R43
            state.rows[row] = data.EMPTY
            to_market = len(state.market) < data.MARKET_SLOTS  # R44
            (state.market if to_market else state.surplus).append(tile)
            if log:
                place = "market" if to_market else "surplus"
                effects.GOOD_PRODUCED.tell(log, row=row, good=tile, place=place)


def _end_confiscation(state: State, log: EffectLog | None) -> None:
    good = data.ICONS[state.set_aside]
    count = state.market.count(good)
    state.market = [kind for kind in state.market if kind != good]
    state.box[good] += count
    if log:
        log.open_chance("characters/set_aside", state.turn)
        aside = state.set_aside
        effects.GOODS_CONFISCATED.tell(log, character=aside, good=good, count=count)
    crown_add(state, count, log)


def _advance_turn(state: State, log: EffectLog | None) -> None:
    state.peer_order = state.pending_order[:]
    state.round = 0
    state.set_aside = data.NO_CHARACTER
    state.pack = []
    state.picks = 0
    seats = state.seats
    state.characters = [[] for _ in range(seats)]
    state.used = [[] for _ in range(seats)]
    state.acted = state.current = data.NO_CHARACTER
    state.common_taken = [0] * len(data.COMMON)
    state.common_used = [0] * seats
    state.bull_used = [0] * seats
    state.war_level = 0
    if state.turn < data.TURNS:
        begin_turn(state, log)
        return
    state.end_reason = data.SEVEN_TURNS
    state.wait(GAME_OVER)
    if log:
        for seat, owned in enumerate(state.estates):
            effects.ESTATES_REVEALED.tell(log, seat=seat, estates=owned)
        effects.GAME_ENDED.tell(log, reason=data.SEVEN_TURNS)


# Money, points and pieces: 4.0


def gain_ducats(
    state: State, seat: int, amount: int, log: EffectLog | None, cause: str | None = None
) -> None:
    """Give ducats from the bank, as far as it has them (R2); words name the ``cause``."""
    if state.ducat_supply == "limited":
        amount = min(amount, state.bank)
        state.bank -= amount
    state.ducats[seat] += amount
    if log and amount:
        effects.DUCATS_GAINED.tell(log, seat=seat, amount=amount, cause=cause)


def pay(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take ducats to the bank."""
    state.ducats[seat] -= amount
    if state.ducat_supply == "limited":
        state.bank += amount
    if log and amount:
        effects.DUCATS_PAID.tell(log, seat=seat, amount=amount)


def gain_pg(
    state: State, seat: int, amount: int, log: EffectLog | None, cause: str | None = None
) -> None:
    """Give PG, or take them: there is no floor (R13); words name the ``cause``."""
    state.pg[seat] += amount
    if log and amount:
        type_ = effects.PG_GAINED if amount > 0 else effects.PG_LOST
        log.add(type_, seat=seat, amount=abs(amount), cause=cause)


def shared_price(state: State) -> int:
    """What "one ducat and one of the crown" costs oneself (R11)."""
    return 1 if state.crown else 2


def pay_shared(state: State, seat: int, log: EffectLog | None) -> None:
    """Pay one ducat, and another of the crown's if it has one (R11)."""
    price = shared_price(state)
    if state.crown:
        state.crown -= 1
        if state.ducat_supply == "limited":
            state.bank += 1
        effects.CROWN_PAID.tell(log, amount=1)
    pay(state, seat, price, log)


def crown_add(state: State, amount: int, log: EffectLog | None) -> None:
    """Give ducats to the crown, which passes on what is over its cap, one by one (R12, R55)."""
    if state.ducat_supply == "limited":
        amount = min(amount, state.bank)
        state.bank -= amount
    state.crown += amount
    if log and amount:
        effects.CROWN_GAINED.tell(log, amount=amount)
    place = 0
    while state.crown > data.CROWN_CAP:
        seat = state.peer_order[place % state.seats]
        state.crown -= 1
        state.ducats[seat] += 1
        effects.DUCATS_GAINED.tell(log, seat=seat, amount=1, cause="crown")
        place += 1


def place_settlement(state: State, kind: Kind, log: EffectLog | None) -> int:
    """Put a settlement on the first free space, which is returned; there always is one (R3)."""
    space = state.sizes.index(0)
    state.sizes[space] = data.SIZES[kind]
    effects.SETTLEMENT_PLACED.tell(log, space=space, size=data.SIZES[kind])
    return space


def place_house(state: State, seat: int, space: int, log: EffectLog | None) -> None:
    """Put a house from the reserve into a settlement."""
    state.reserve[seat] -= 1
    state.houses[space].append(seat)
    effects.HOUSE_PLACED.tell(log, seat=seat, space=space)


def advance_trade(state: State, seat: int, steps: int, log: EffectLog | None) -> None:
    """Advance in sea trade; steps beyond the end are lost (R51)."""
    before = state.trade[seat]
    state.trade[seat] = min(data.LAST_TRADE, before + steps)
    if log and state.trade[seat] != before:
        effects.TRADE_ADVANCED.tell(log, seat=seat, position=state.trade[seat])


def gain_tercio(state: State, seat: int, kind: str, log: EffectLog | None) -> None:
    """Recruit a tercio from the supply, active or tired."""
    state.supply[seat] -= 1
    (state.active if kind == "active" else state.tired)[seat] += 1
    effects.TERCIO_GAINED.tell(log, seat=seat, state=kind)


def tire(state: State, seat: int, log: EffectLog | None) -> None:
    """Make an active tercio tired."""
    state.active[seat] -= 1
    state.tired[seat] += 1
    effects.TERCIOS_TIRED.tell(log, seat=seat, count=1)


def gain_rosette(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a rosette, ready, from the supply."""
    state.rosette_supply -= 1
    state.rosettes_ready[seat] += 1
    effects.ROSETTE_GAINED.tell(log, seat=seat)


def gain_house(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a house from the supply into the reserve."""
    state.house_supply[seat] -= 1
    state.reserve[seat] += 1
    effects.HOUSE_GAINED.tell(log, seat=seat)


def join_magellan(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a Magellan card; with the last one the voyage is completed, and all score (R21)."""
    state.magellan_supply -= 1
    state.magellan[seat] += 1
    effects.MAGELLAN_JOINED.tell(log, seat=seat)
    if state.magellan_supply == 0:
        state.magellan_completed = True
        if log:
            log.add(effects.MAGELLAN_COMPLETED)
        for player in state.peer_order:
            gain_pg(state, player, data.MAGELLAN_COMPLETED_PG * state.magellan[player], log)


def gain_bull(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a bull from the supply."""
    state.bull_supply -= 1
    state.bulls[seat] += 1
    effects.BULL_GAINED.tell(log, seat=seat)


GAIN = {
    "rosette": gain_rosette,
    "house": gain_house,
    "magellan": join_magellan,
    "bull": gain_bull,
}
"""How one takes a piece of which there is one kind alone."""


def use_bull(state: State, seat: int, log: EffectLog | None) -> None:
    """Spend a bull: one in a turn (R26). It is in the supply at once (R27)."""
    state.bulls[seat] -= 1
    state.bull_supply += 1
    state.bull_used[seat] = 1
    effects.BULL_SPENT.tell(log, seat=seat)


def capture(state: State, seat: int, row: int, log: EffectLog | None) -> None:
    """Take the natives of a row."""
    state.rows[row] = data.EMPTY
    state.natives[seat] += 1
    effects.NATIVES_CAPTURED.tell(log, seat=seat, row=row)


def take_good(state: State, row: int) -> Kind:
    """Take the good that lies face up in a row."""
    good = state.rows[row]
    state.rows[row] = data.EMPTY
    return good


def move_pending(state: State, seat: int, places: int, log: EffectLog | None) -> None:
    """Move a player forward in the peer order of the next turn (R33)."""
    order = state.pending_order
    place = order.index(seat)
    if places:
        order.insert(place - places, order.pop(place))
        effects.ORDER_CHANGED.tell(log, order=order)


def has_good(state: State, row: int) -> bool:
    """Whether a good lies face up in a row (R41)."""
    return state.rows[row] in data.GOODS


def face_down_row(state: State) -> int:
    """The first row with a face-down tile, NONE if there is none (R40)."""
    return state.rows.index(data.FACE_DOWN) if data.FACE_DOWN in state.rows else data.NONE


def standing_houses(state: State, seat: int) -> int:
    """How many houses a player has in settlements."""
    return data.HOUSES - state.reserve[seat] - state.house_supply[seat]


def goods_beside_settlements(state: State) -> bool:
    """Whether a good lies face up beside a settlement."""
    return any(state.sizes[row] and has_good(state, row) for row in data.ALL_ROWS)
