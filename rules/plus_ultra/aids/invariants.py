"""Invariants of every state that play can reach."""

from collections.abc import Iterator
from itertools import chain

from rules.kernel.contract import NOBODY, all_seats
from rules.plus_ultra import data, play
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

_WITH_CHARACTERS = (DRAFT, play.BUY_BULLS, TERCIO_BIDS, *play.IN_ACTIVATIONS)


def violations(state: State) -> list[str]:
    """Return a sentence for each invariant that does not hold."""
    checks = (_money, _pieces, _tiles, _board, _characters, _turns)
    return [sentence for check in checks for sentence in check(state)]


def _money(state: State) -> Iterator[str]:
    ducats = state.bank + state.crown + sum(state.ducats)
    if state.ducat_supply == "limited" and ducats != data.DUCATS:
        yield f"1: there are {ducats} ducats"
    if min(state.bank, state.crown, *state.ducats) < 0:
        yield f"1: somebody owes ducats: {state.bank}, {state.crown}, {state.ducats}"
    if state.crown > data.CROWN_CAP:
        yield f"2: the crown has {state.crown}"


def _pieces(state: State) -> Iterator[str]:
    for seat in all_seats(state.seats):
        in_war = state.war.count(seat)
        tercios = [state.active[seat], state.tired[seat], in_war, state.supply[seat]]
        if sum(tercios) != data.TERCIOS or min(tercios) < 0:
            yield f"3: seat {seat} has tercios {tercios}"
        standing = sum(owners.count(seat) for owners in state.houses)
        if standing != state.standing_houses(seat) or not 0 <= standing <= data.HOUSES:
            yield f"4: seat {seat} has {standing} houses standing"
    if state.war and state.phase not in play.IN_ACTIVATIONS:
        yield "3: there are tercios in the war outside the rounds"
    rosettes = state.rosette_supply + sum(state.rosettes_ready) + sum(state.rosettes_used)
    bulls = state.bull_supply + sum(state.bulls)
    cards = state.magellan_supply + sum(state.magellan)
    given = data.ROSETTES, data.BULLS[state.seats], data.MAGELLAN[state.seats]
    if (rosettes, bulls, cards) != given:
        yield f"5: there are {rosettes} rosettes, {bulls} bulls, {cards} Magellan cards"
    supplies = [state.rosette_supply, state.bull_supply, state.magellan_supply, state.estate_stack]
    if min(supplies + state.bulls + state.rosettes_ready + state.rosettes_used) < 0:
        yield f"5: a supply is overdrawn: {supplies}"
    taken = [*state.estates_used, *chain(*state.estates)]
    if state.estate_stack + len(taken) != data.ESTATES_IN_PLAY or len(set(taken)) != len(taken):
        yield f"6: {state.estate_stack} estates and {taken}"
    if state.magellan_completed != (state.magellan_supply == 0):
        yield "14: the voyage is completed without its cards, or the other way round"


def _tiles(state: State) -> Iterator[str]:
    counts = [a + b for a, b in zip(state.unseen, state.box, strict=True)]
    for kind in [*state.rows, *state.market, *state.surplus, *state.church]:
        if kind not in (data.EMPTY, data.FACE_DOWN):
            counts[kind] += 1
    counts[data.NATIVES] += sum(state.natives)
    for size in filter(None, state.sizes):
        counts[data.SIZES.index(size)] += 1
    passed = state.turn + (state.phase == TERCIO_BIDS or state.phase in play.IN_ACTIVATIONS)
    counts[data.BLUE_SETTLEMENT] += sum(turn >= passed for turn in data.BLUE_TURNS)
    if counts != list(data.TILES):
        yield f"7: the tiles are {dict(zip(data.KINDS, counts, strict=True))}"
    if state.pile + state.rows.count(data.FACE_DOWN) != sum(state.unseen):
        yield "7: the pile does not fit the tiles that nobody has seen"
    if len(state.market) > data.MARKET_SLOTS or data.EMPTY not in state.church:
        yield f"8: market {state.market}, church {state.church}"


def _board(state: State) -> Iterator[str]:
    for size, owners in zip(state.sizes, state.houses, strict=True):
        if len(owners) > size or any(not 0 <= seat < state.seats for seat in owners):
            yield f"9: houses {owners} in a settlement of {size}"
    if sorted(state.sizes, key=bool, reverse=True) != state.sizes:
        yield f"9: there is a gap in the settlements {state.sizes}"
    if not all(0 <= position <= data.LAST_TRADE for position in state.trade):
        yield f"10: sea trade {state.trade}"
    if not len(state.war) <= state.war_level <= data.WAR_SPACES:
        yield f"10: {len(state.war)} tercios in a war of level {state.war_level}"
    if state.phase in play.IN_ACTIVATIONS and not state.war_level:
        yield "10: the war has no level"
    seats = [*all_seats(state.seats)]
    if state.turn and not sorted(state.peer_order) == sorted(state.pending_order) == seats:
        yield f"11: peer orders {state.peer_order}, {state.pending_order}"
    if state.turn and state.rows[0] == data.FACE_DOWN:
        yield "15: the first row is face down"
    # Rows are explored in order, and a row gets no new tile after a settlement (R40).
    face_down = state.rows.count(data.FACE_DOWN)
    if face_down and state.rows[-face_down:] != [data.FACE_DOWN] * face_down:
        yield f"15: not the last rows are face down: {state.rows}"


def _characters(state: State) -> Iterator[str]:
    held = [character for own in state.characters for character in own]
    if state.phase in _WITH_CHARACTERS:
        if sorted([state.set_aside, *state.pack, *held]) != list(data.ALL_CHARACTERS):
            yield f"12: characters {state.set_aside}, {state.pack}, {state.characters}"
    elif held or state.pack or state.set_aside != data.NO_CHARACTER:
        yield "12: there are characters before they are shuffled"
    if state.phase not in play.IN_ACTIVATIONS:
        return
    for place, seat in enumerate(state.peer_order):
        own, used = state.characters[seat], state.used[seat]
        acted = place == state.place and state.acted != data.NO_CHARACTER
        expected = state.round - 1 + (place < state.place) + acted
        if len(own) != data.PICKS_EACH or not set(used) <= set(own) or len(used) != expected:
            yield f"12: seat {seat} has {own} and has used {used} in round {state.round}"


def _turns(state: State) -> Iterator[str]:
    activating = state.phase in play.IN_ACTIVATIONS
    if state.round not in (range(1, data.ROUNDS + 1) if activating else (0,)):
        yield f"13: it is round {state.round} in {state.phase}"
    free, bulls = sum(state.common_used), sum(state.bull_used)
    if not free <= sum(state.common_taken) <= free + bulls:
        yield f"13: common spaces {state.common_taken} for {free} free actions and {bulls} bulls"
    if not {*state.common_taken, *state.common_used, *state.bull_used} <= {0, 1}:
        yield "13: something was taken or used more than once"
    activated = state.round * state.seats - state.seats + state.place + 1 if activating else 0
    for seat in state.peer_order[activated:]:
        if state.common_used[seat] or state.bull_used[seat]:
            yield f"13: seat {seat} has used what is of activations before its first"
    if state.phase == TERCIO_BIDS:
        if data.NONE not in state.bids or state.decider != NOBODY:
            yield "nobody is asked for a bid"
    elif bool(play.PHASES[state.phase].moves) != (state.decider != NOBODY):
        yield f"{state.phase} asks {state.decider}"
    if (state.phase == play.GAME_OVER) != (state.end_reason is not None):
        yield "the game is over without a reason, or goes on with one"
