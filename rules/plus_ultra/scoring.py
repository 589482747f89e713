"""The end of the game: nine categories of PG, and ranks."""

from rules.kernel.contract import Result, Scores, Seat, Standing, Tie, all_seats
from rules.plus_ultra import data
from rules.plus_ultra.state import State

SCORES = Scores(
    (
        "track", "houses", "majorities", "bulls", "money", "sea_trade", "estates", "magellan",
        "natives",
    ),
    (Tie("peer_order"),),  # example 31
)  # fmt: skip


def categories(state: State, seat: Seat) -> dict[str, int]:
    """Return a seat's PG by category, as if the game ended now.

    The sum of all categories is the seat's score.
    """
    return {
        "track": state.pg[seat],
        "houses": data.HOUSE_PG * state.standing_houses(seat),
        "majorities": majorities(state, seat),
        "bulls": data.BULL_PG * state.bulls[seat],  # R24
        "money": wealth(state, seat) // data.DUCATS_PER_PG,
        "sea_trade": sea_trade(state, seat),
        "estates": sum(data.ESTATE_PG[estate] for estate in state.estates[seat]),
        "magellan": 0 if state.magellan_completed else data.MAGELLAN_PG * state.magellan[seat],
        "natives": state.natives[seat] ** 2,
    }


def majorities(state: State, seat: Seat) -> int:
    """Return the PG for the settlements in which the seat has more houses than any other."""
    total = 0
    for size, owners in zip(state.sizes, state.houses, strict=True):
        own = owners.count(seat)
        if own and all(owners.count(other) < own for other in set(owners) - {seat}):
            total += data.MAJORITIES[size]
    return total


def wealth(state: State, seat: Seat) -> int:
    """Return the ducats, plus one for each tercio, rosette and reserve house (R53)."""
    tercios = data.TERCIOS - state.supply[seat]
    rosettes = state.rosettes_ready[seat] + state.rosettes_used[seat]
    return state.ducats[seat] + tercios + rosettes + state.reserve[seat]


def sea_trade(state: State, seat: Seat) -> int:
    """Return a seat's PG for its rank in sea trade; equal positions score the same (R25)."""
    position = state.trade[seat]
    if not position:
        return 0
    ahead = len({other for other in state.trade if other > position})
    return data.TRADE_PG[ahead] if ahead < len(data.TRADE_PG) else data.TRADE_PRESENCE_PG


def result(state: State) -> Result:
    """Rank by PG, then by the peer order after the last turn (example 31)."""
    if state.end_reason is None:
        raise ValueError("the game is not over")
    points = [categories(state, seat) for seat in all_seats(state.seats)]
    totals = [sum(own.values()) for own in points]
    order = sorted(state.pending_order, key=lambda seat: -totals[seat])
    standings = tuple(
        Standing(f"seat:{seat}", order.index(seat) + 1, totals[seat], points[seat])
        for seat in all_seats(state.seats)
    )
    return Result(state.end_reason, standings)
