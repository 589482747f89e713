"""The end of the game: fortunes and ranks."""

from rules.kernel.contract import Result, Scores, Seat, Standing, all_seats, by_seat
from rules.kernel.toolbox.standings import ranks
from rules.manila.data import ALL_WARES, MARKET, PENALTY
from rules.manila.state import State

SCORES = Scores(("cash", "shares", "pledges"))


def breakdown(state: State, seat: Seat) -> dict[str, int]:
    """Return cash, all shares at their market value (R56), and a penalty for each pledged share."""
    shares = state.shares(seat)
    return {
        "cash": state.cash[seat],
        "shares": sum(shares[ware] * MARKET[state.market[ware]] for ware in ALL_WARES),
        "pledges": -PENALTY * state.pledged[seat],
    }


def fortune(state: State, seat: Seat) -> int:
    """Return a seat's final worth, which may be negative (R57)."""
    return sum(breakdown(state, seat).values())


def result(state: State) -> Result:
    """Rank by fortune; equal fortunes have the same rank, because there is no tie-break."""
    if state.end_reason is None:
        raise ValueError("the game is not over")
    fortunes = [fortune(state, seat) for seat in all_seats(state.seats)]
    standings = [
        Standing(f"seat:{seat}", rank, worth, {**breakdown(state, seat), "fortune": worth})
        for seat, (rank, worth) in by_seat(zip(ranks(fortunes), fortunes, strict=True))
    ]
    return Result(state.end_reason, tuple(standings))
