"""How good a state looked for a seat to ``greedy@1``.

Its PG as things stand, and what its means may still bring.

The weights are rules of thumb (11): a PG is worth about two ducats, less and less so as the turns
run out, when what is left only counts a fifth.
"""

from rules.kernel.contract import Seat, all_seats
from rules.plus_ultra import data, play, scoring
from rules.plus_ultra.state import TERCIO_BIDS, State

_RIVAL = 0.25
"""What a PG of the best rival takes away."""
_DUCAT, _ACTIVE, _TIRED, _ROSETTE, _RESERVE, _STEP, _PLACE = (
    0.42, 0.5, 0.25, 0.6, 0.3, 0.35, 0.15,
)  # fmt: skip
_BULL = 2.0
"""What a bull that can still be spent brings: its PG at the end (R24), and as much for the action.

With 2.5, greedy buys two a game and comes first less often among two players.
"""
_WON, _OPEN_WAR = 1.0, 0.35
"""What a tercio in a matched war brings, and in one that still takes some."""
_CARDS = (2.6, 3.0, 2.8, 1.2, 0.0, 1.6, 0.0, 2.2, 0.0)
"""What a card still promises, by character; 0 where that depends on the table (``_card``)."""


def look(state: State, seat: Seat) -> float:
    """How good this looks for ``seat``; only comparisons mean anything."""
    own = _outlook(state, seat)
    rivals = [_outlook(state, other) for other in all_seats(state.seats) if other != seat]
    return own - _RIVAL * max(rivals)


def _outlook(state: State, seat: Seat) -> float:
    points = scoring.categories(state, seat)
    score = float(sum(points.values()))
    if state.phase == play.GAME_OVER:
        return score
    left = (data.TURNS - state.turn + (state.round < 2)) / data.TURNS
    score += scoring.wealth(state, seat) % data.DUCATS_PER_PG / data.DUCATS_PER_PG
    score += left * _means(state, seat)
    score += _BULL * min(state.bulls[seat], _turns_for_bulls(state, seat))
    score += _war(state, seat)
    unused = [c for c in state.characters[seat] if c not in state.used[seat]]
    score += sum(_card(state, seat, character) for character in unused)
    if state.acted == data.FORFEIT and state.decider == seat:
        score -= 1.0
    return score


def _means(state: State, seat: Seat) -> float:
    order = state.pending_order
    ahead = state.seats - 1 - order.index(seat) if order else 0
    return (
        _DUCAT * min(state.ducats[seat], 8)
        + _ACTIVE * state.active[seat]
        + _TIRED * state.tired[seat]
        + _ROSETTE * state.rosettes_ready[seat]
        + _RESERVE * min(state.reserve[seat], 3)
        + _STEP * min(state.trade[seat], data.LAST_TRADE)
        + _PLACE * ahead
        + 0.8 * state.natives[seat]
        + (0 if state.magellan_completed else 0.5 * state.magellan[seat])
    )


def _turns_for_bulls(state: State, seat: Seat) -> int:
    """In how many turns the seat can still spend a bull; in each it is one (R26)."""
    acts = state.round < data.ROUNDS or state.peer_order.index(seat) >= state.place
    return data.TURNS - state.turn + (acts and not state.bull_used[seat])


def _war(state: State, seat: Seat) -> float:
    """What the tercios in the war, or bid for it, promise."""
    if state.phase == TERCIO_BIDS and state.bids[seat] > 0:
        bid = state.bids[seat]
        return 0.8 * min(bid, (state.war_level + 1) // 2) - 0.3 * bid
    if not state.war:
        return 0.0
    matched = len(state.war) == state.war_level
    honour = matched and data.CONSTABLE in state.characters[seat]
    return (_WON if matched else _OPEN_WAR) * state.war.count(seat) + honour


def _card(state: State, seat: Seat, character: data.Character) -> float:
    """What a card that is still to be used promises."""
    if character == data.KING:
        return data.KING_FAVOUR[state.crown] + 0.6
    if character == data.CONQUISTADOR:
        return 2.2 if data.FACE_DOWN in state.rows else 1.2
    if character == data.VICEROY:
        room = any(len(o) < size for o, size in zip(state.houses, state.sizes, strict=True))
        return 1.8 if room and state.reserve[seat] else 0.8
    return _CARDS[character]
