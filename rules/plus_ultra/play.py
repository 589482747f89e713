"""The sequence of play: the phases, and the automatic steps between them.

Moves (``moves``) and draws (``chance``) call these functions.
"""

from rules.kernel.contract import EffectLog, Phase, Seat, by_seat, seat_audience
from rules.plus_ultra import data, effects
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

START_ORDER, FIRST_ROW = "start_order", "first_row"
REFILL, REACTIVATION = "refill_new_world", "reactivate_tercios"
ROLL_WAR, SET_ASIDE, BUY_BULLS = "roll_war", "set_aside_character", "buy_bulls"
ACTIVATION, EXPLORATION, TAKE_ESTATE = "activation", "exploration", "take_estate"
CONQUISTADOR_NATIVES, CONQUISTADOR_SETTLEMENT = "conquistador_natives", "conquistador_settlement"
KING_LEVY, PIRATE_RAID, GAME_OVER = "king_levy", "pirate_raid", "game_over"

IN_ACTIVATIONS = (
    ACTIVATION, EXPLORATION, CONQUISTADOR_NATIVES, CONQUISTADOR_SETTLEMENT, TAKE_ESTATE, KING_LEVY,
    PIRATE_RAID,
)  # fmt: skip
_AFTER_REFILL = (REFILL, REACTIVATION, ROLL_WAR)
_AFTER_BULLS = (TERCIO_BIDS, ACTIVATION)

PHASES = {
    # Set-up.
    START_ORDER: Phase("nature", (), (FIRST_ROW,)),
    FIRST_ROW: Phase("nature", (), _AFTER_REFILL),
    # The start of a turn.
    REFILL: Phase("nature", (), _AFTER_REFILL),
    REACTIVATION: Phase(
        "every player whose tercios are all tired and who can pay, in peer order",
        ("reactivate_tercios", "decline_reactivation"),
        (REACTIVATION, ROLL_WAR),
    ),
    ROLL_WAR: Phase("nature", (), (SET_ASIDE,)),
    SET_ASIDE: Phase("nature", (), (DRAFT,)),
    DRAFT: Phase(
        "all in peer order, twice", ("draft_character",), (DRAFT, BUY_BULLS, *_AFTER_BULLS)
    ),
    BUY_BULLS: Phase(
        "who can pay, in peer order", ("buy_bull", "decline_bull"), (BUY_BULLS, *_AFTER_BULLS)
    ),
    # The war and the two rounds of activations. The turn's end needs no decision.
    TERCIO_BIDS: Phase(
        "all players with active tercios at once", ("bid_tercios",), (TERCIO_BIDS, ACTIVATION)
    ),
    ACTIVATION: Phase(
        "every player in peer order, once in each round",
        (*data.ACTOR, "forfeit_character", *data.COMMON, "use_estate", "end_activation"),
        (ACTIVATION, *_AFTER_REFILL, GAME_OVER, EXPLORATION, TAKE_ESTATE, KING_LEVY, PIRATE_RAID),
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
        "the others in peer order", ("levy_pay_ducat", "levy_lose_pg"), (KING_LEVY, ACTIVATION)
    ),
    PIRATE_RAID: Phase(
        "who has a house there", ("raid_tire_tercio", "raid_pay_ducat"), (PIRATE_RAID, ACTIVATION)
    ),
    GAME_OVER: Phase("nobody", (), ()),
}


def begin_turn(state: State, log: EffectLog | None) -> None:
    """Begin the next turn."""
    state.turn += 1
    state.row = data.ALL_ROWS[0]
    effects.TURN_BEGUN.tell(log, turn=state.turn, order=state.peer_order)
    refill(state)


def refill(state: State) -> None:
    """Draw a tile for the next empty row; the row of a removed settlement stays empty."""
    for row in data.ALL_ROWS[state.row :]:
        if state.rows[row] == data.EMPTY and state.pile:  # R9
            state.row = row
            state.wait(REFILL)
            return
    state.row = data.NO_ROW
    state.place = 0
    next_reactivation(state)


def next_reactivation(state: State) -> None:
    """Ask the next player without an active tercio whether to reactivate tercios (R39).

    Players who cannot pay are not asked. After the last player, roll the war dice.
    """
    while state.place < state.seats:
        seat = state.peer
        can_pay = state.ducats[seat] >= data.REACTIVATION_PRICE
        if state.tired[seat] and not state.active[seat] and can_pay:
            state.ask(REACTIVATION, seat)
            return
        state.place += 1
    state.wait(ROLL_WAR)


def pass_pack(state: State, log: EffectLog | None) -> None:
    """Hand the pack on; when all players have picked twice, reveal all characters."""
    if state.picks == data.PICKS_EACH * state.seats:
        _reveal_characters(state, log)
        return
    seat = state.peer_order[state.picks % state.seats]
    state.ask(DRAFT, seat)
    if log:
        effects.PACK_PASSED.tell(log, seat_audience(seat), seat=seat, characters=state.pack)


def _reveal_characters(state: State, log: EffectLog | None) -> None:
    """Reveal the drafted characters, and pay the income of places and characters (R32)."""
    if log:
        for seat in state.peer_order:
            log.open_move(seat, "draft_character")
            effects.CHARACTERS_REVEALED.tell(log, seat=seat, characters=state.characters[seat])
    for place, seat in enumerate(state.peer_order):
        state.gain_ducats(seat, data.PEER_DUCATS[place], log, "peer_order")
        state.gain_pg(seat, data.PEER_PG[state.turn - 1][place], log, "peer_order")
    king = holder_of(state, data.KING)
    for seat in state.peer_order:
        held = state.characters[seat]
        if data.SECRETARY in held and king in (None, seat):  # R57
            state.gain_pg(seat, data.SECRETARY_PG, log, "secretary")
        if data.VICEROY in held:  # R10
            settled = sum(seat in owners for owners in state.houses)
            state.gain_ducats(seat, settled, log, "viceroy")
    state.place = 0
    next_buyer(state, log)


def holder_of(state: State, character: data.Character) -> Seat | None:
    """Return the seat that drafted a character, None if there is none."""
    return next((seat for seat, held in by_seat(state.characters) if character in held), None)


def next_buyer(state: State, log: EffectLog | None) -> None:
    """Ask the next player who can buy a bull (R49); then ask for bids of active tercios."""
    while state.place < state.seats:
        seat = state.peer
        if state.bull_supply and state.ducats[seat] >= data.BULL_PRICE:
            state.ask(BUY_BULLS, seat)
            return
        state.place += 1
    if state.turn in data.BLUE_TURNS:
        state.place_settlement(data.BLUE_SETTLEMENT, log)  # R46
    state.bids = [data.NONE if active else 0 for active in state.active]
    state.wait(TERCIO_BIDS)
    if data.NONE not in state.bids:
        open_bids(state, log)


def open_bids(state: State, log: EffectLog | None) -> None:
    """Reveal all bids; the bidders place tercios in turn, the highest bidder first (R35)."""
    bids = state.bids
    if log:
        effects.BIDS_OPENED.tell(log, bids=bids)
        for seat, active in by_seat(state.active):
            if active:
                log.open_move(seat, "bid_tercios")
    shown = bids[:]
    order = sorted((s for s in state.peer_order if bids[s]), key=lambda seat: -bids[seat])
    while any(shown) and len(state.war) < state.war_level:
        for seat in order:
            if shown[seat] and len(state.war) < state.war_level:
                shown[seat] -= 1
                state.war.append(seat)
                effects.TERCIO_PLACED.tell(log, seat=seat, space=data.WarSpace(len(state.war) - 1))
    for seat in order:
        state.active[seat] -= bids[seat]
        state.tired[seat] += shown[seat]
        if shown[seat]:
            effects.TERCIOS_TIRED.tell(log, seat=seat, count=shown[seat])
    state.bids = [data.NONE] * state.seats
    state.round = 1
    state.place = 0
    _activate(state)


def _activate(state: State) -> None:
    state.acted = state.current = data.NO_CHARACTER
    state.ask(ACTIVATION, state.peer)


def resume(state: State) -> None:
    """Return to the activation that was interrupted."""
    state.row = data.NO_ROW
    state.ask(ACTIVATION, state.peer)


def next_activation(state: State, log: EffectLog | None) -> None:
    """Activate the next player, or end the turn after the last one.

    All players are activated once, and then once more in the same order (R52).
    """
    state.place += 1
    if state.place == state.seats:
        state.place = 0
        state.round += 1
    if state.round <= data.ROUNDS:
        _activate(state)
    else:
        _end_turn(state, log)


def discover(state: State, kind: data.Kind, log: EffectLog | None) -> None:
    """Resolve the tile that the Conquistador turned up in the explored row."""
    seat = state.peer
    if kind in data.GOODS:
        state.gain_pg(seat, data.DISCOVERY_PG, log)
        resume(state)
    elif kind == data.NATIVES:
        state.ask(CONQUISTADOR_NATIVES, seat)
    else:
        state.row = state.place_settlement(kind, log)
        state.ask(CONQUISTADOR_SETTLEMENT, seat)


def next_levied(state: State, log: EffectLog | None) -> None:
    """Ask the next player who has ducats for the levy; players without ducats lose a PG.

    After the last player the crown gains ducats.
    """
    while state.queue:
        seat = state.queue[0]
        if state.ducats[seat]:
            state.ask(KING_LEVY, seat)
            return
        state.queue.pop(0)
        state.gain_pg(seat, -1, log)
    state.crown_add(data.LEVY, log)
    resume(state)


def next_raided(state: State, log: EffectLog | None) -> None:
    """Ask the next raided player who can tire a tercio or pay; if only one is possible, do it."""
    while state.queue:
        seat = state.queue[0]
        if state.active[seat] and state.ducats[seat]:
            state.ask(PIRATE_RAID, seat)
            return
        state.queue.pop(0)
        if state.active[seat]:
            state.tire(seat, log)
        elif state.ducats[seat]:
            state.pay(seat, 1, log)
    resume(state)


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
            state.gain_pg(seat, state.war.count(seat), log)
        constable = holder_of(state, data.CONSTABLE)
        if constable is not None:  # R37
            state.gain_pg(constable, 1, log, "constable")
    for seat in state.war:
        state.tired[seat] += 1
    state.war = []


def _end_natives(state: State, log: EffectLog | None) -> None:
    for row, tile in zip(data.ALL_ROWS, state.rows, strict=True):
        if tile == data.NATIVES and state.houses[row]:  # R42
            seat = state.houses[row].pop()
            state.reserve[seat] += 1
            effects.HOUSE_LOST.tell(log, seat=seat, space=row)


def _end_production(state: State, log: EffectLog | None) -> None:
    for row, tile in zip(data.ALL_ROWS, state.rows, strict=True):
        if tile in data.GOODS and state.sizes[row]:  # R43
            state.rows[row] = data.EMPTY
            to_market = len(state.market) < data.MARKET_SLOTS  # R44
            (state.market if to_market else state.surplus).append(tile)
            place = "market" if to_market else "surplus"
            effects.GOOD_PRODUCED.tell(log, row=row, good=tile, place=place)


def _end_confiscation(state: State, log: EffectLog | None) -> None:
    good = data.ICONS[state.set_aside]
    count = state.market.count(good)
    state.market = [kind for kind in state.market if kind != good]
    state.box[good] += count
    if log:
        log.open_chance("characters/set_aside", state.turn)
        effects.GOODS_CONFISCATED.tell(log, character=state.set_aside, good=good, count=count)
    state.crown_add(count, log)


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
        for seat, owned in by_seat(state.estates):
            effects.ESTATES_REVEALED.tell(log, seat=seat, estates=owned)
        effects.GAME_ENDED.tell(log, reason=data.SEVEN_TURNS)
