"""The heuristic: a seat's grandeur points (PG), and the expected gain from its property.

Values are in thousandths of a PG. The weights are in ``heuristic_weights``. For example, a ducat is
worth about a third of a PG at first, and a fifth at the end.
"""

from collections import Counter
from functools import cache, lru_cache
from operator import lt

from rules.kernel.contract import NOBODY, Seat, all_seats, by_seat
from rules.plus_ultra import data, play, scoring
from rules.plus_ultra.aids.heuristic_weights import WEIGHTS, Weights
from rules.plus_ultra.state import TERCIO_BIDS, State

_PG = 1000
_REMEMBERED = 1 << 12
"""Size of the cache for the value of a seat's own pieces; a move changes the pieces of at most one
seat.
"""


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return the value of each seat's property and prospects, compared with its best rival.

    A part of the best rival's value is subtracted: ``w.rival`` percent.
    """
    seats = all_seats(state.seats)
    if state.phase == play.GAME_OVER:
        looks = [_PG * sum(scoring.categories(state, seat).values()) for seat in seats]
    else:
        looks = _outlooks(state, w)
    *_, second, first = sorted(looks)
    return [look - w.rival * (second if look == first else first) // 100 for look in looks]


def _outlooks(state: State, w: Weights) -> list[int]:
    """Return the value of each seat's property, and the expected gain of its pieces and cards."""
    majorities = _majorities(state)
    turns = data.TURNS - state.turn
    left = turns + (state.round < data.ROUNDS)
    afloat = not state.magellan_completed
    promises = _promises(state, w)
    order, trade = state.pending_order, state.trade
    ahead = sorted({*trade}, reverse=True)
    looks = []
    for seat, own in by_seat(
        zip(
            state.ducats, state.reserve, state.natives, state.active, state.tired,
            state.rosettes_ready, state.rosettes_used, trade, state.bulls,
            state.magellan if afloat else _NONE, state.supply, state.house_supply, state.pg,
            strict=False,
        )
    ):  # fmt: skip
        look = _own(own, left, state.seats - 1 - order.index(seat) if order else 0, w)
        points = majorities[seat]
        for estate in state.estates[seat]:
            points += data.ESTATE_PG[estate]
        if position := trade[seat]:
            points += _TRADE_PG[ahead.index(position)]
        look += _PG * points
        if bulls := state.bulls[seat]:
            look += w.bull * min(bulls, turns + _may_use_bull(state, seat))
        used = state.used[seat]
        for character in state.characters[seat]:
            if character not in used:
                look += promises[character]
                if character == data.VICEROY and not state.reserve[seat]:
                    look += w.crowded - promises[character]
        looks.append(look)
    _add_war(state, looks, w)
    if state.acted == data.FORFEIT and state.decider != NOBODY:
        looks[state.decider] -= w.forfeited
    return looks


_NONE = (0,) * data.MAX_SEATS
_TRADE_PG = (*data.TRADE_PG, *[data.TRADE_PRESENCE_PG] * data.MAX_SEATS)
"""PG by the number of higher positions in sea trade (R25)."""


@lru_cache(_REMEMBERED)
def _own(own: tuple[int, ...], left: int, behind: int, w: Weights) -> int:
    """Return the value of a seat's own pieces.

    ``left`` turns are left, and ``behind`` seats come after the seat in the peer order.
    """
    (
        ducats, reserve, natives, active, tired, ready, spent, position, bulls, magellan, supply,
        houses, pg,
    ) = own  # fmt: skip
    wealth = ducats + data.TERCIOS - supply + ready + spent + reserve
    points = (
        pg
        + data.HOUSE_PG * (data.HOUSES - reserve - houses)
        + data.BULL_PG * bulls
        + data.MAGELLAN_PG * magellan
        + natives * natives
    )
    means = (
        w.ducat * min(ducats, 8)
        + w.active * active
        + w.tired * tired
        + w.rosette * ready
        + w.reserve * min(reserve, 3)
        + w.step * position
        + w.natives * natives
        + w.magellan * magellan
        + w.place * behind
    )
    return _PG * points + _PG * wealth // data.DUCATS_PER_PG + means * left // data.TURNS


def _majorities(state: State) -> list[int]:
    """Return each seat's PG for the settlements in which it has the most houses."""
    found = [0] * state.seats
    for size, owners in zip(state.sizes, state.houses, strict=True):
        if owners and (first := _first(tuple(owners))) != NOBODY:
            found[first] += data.MAJORITIES[size]
    return found


@cache
def _first(owners: tuple[Seat, ...]) -> Seat:
    """Return the seat that has the most of these houses; NOBODY if several seats have the most."""
    counts = Counter(owners).most_common(2)
    alone = len(counts) == 1 or counts[0][1] > counts[1][1]
    return counts[0][0] if alone else NOBODY


def _may_use_bull(state: State, seat: Seat) -> bool:
    """Whether the seat can still spend a bull in this turn. It may spend one bull a turn (R26)."""
    if state.bull_used[seat]:
        return False
    return state.round < data.ROUNDS or state.peer_order.index(seat) >= state.place


def _promises(state: State, w: Weights) -> list[int]:
    """Return the expected gain of each character's card that is not used yet."""
    promises = [*w.cards]
    promises[data.KING] = _PG * data.KING_FAVOUR[state.crown] + w.king
    promises[data.CONQUISTADOR] = w.conquistador if data.FACE_DOWN in state.rows else w.known_world
    room = any(map(lt, map(len, state.houses), state.sizes))
    promises[data.VICEROY] = w.viceroy if room else w.crowded
    return promises


def _add_war(state: State, looks: list[int], w: Weights) -> None:
    """Add the expected gain of the tercios that are in the war or were bid for it."""
    bidding, room = state.phase == TERCIO_BIDS, (state.war_level + 1) // 2
    matched = len(state.war) == state.war_level
    for seat in all_seats(state.seats):
        if bidding and (bid := state.bids[seat]) > 0:
            looks[seat] += w.bid_wins * min(bid, room) - w.bid_costs * bid
        elif state.war:
            looks[seat] += (w.won if matched else w.open_war) * state.war.count(seat)
            if matched and data.CONSTABLE in state.characters[seat]:
                looks[seat] += w.honour
