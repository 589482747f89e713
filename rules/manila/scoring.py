"""The end: fortunes and ranks."""

from rules.kernel.contract.ruleset import Result, Standing
from rules.kernel.toolbox.standings import ranks
from rules.manila.data import ALL_WARES, MARKET, PENALTY
from rules.manila.play import VOYAGE_LIMIT, WARE_AT_THE_TOP
from rules.manila.state import State

END_REASONS = (WARE_AT_THE_TOP, VOYAGE_LIMIT)


def share_value(state: State, seat: int) -> int:
    """The market value of all shares of a seat, pledged or not (R56)."""
    dealt, bought = state.dealt[seat], state.bought[seat]
    return sum((dealt[w] + bought[w]) * MARKET[state.market[w]] for w in ALL_WARES)


def fortune(state: State, seat: int) -> int:
    """Cash and shares, less a penalty for each pledged share; it may be negative (R57)."""
    return state.cash[seat] + share_value(state, seat) - PENALTY * state.pledged[seat]


def result(state: State) -> Result:
    """Rank by fortune; equal fortunes share the rank, for there is no tie-break."""
    if state.end_reason is None:
        raise ValueError("the game is not over")
    seats = range(state.seats)
    fortunes = [fortune(state, seat) for seat in seats]
    standings = tuple(
        Standing(
            f"seat:{seat}",
            rank,
            fortunes[seat],
            {
                "cash": state.cash[seat],
                "shares": share_value(state, seat),
                "pledges": -PENALTY * state.pledged[seat],
                "fortune": fortunes[seat],
            },
        )
        for seat, rank in zip(seats, ranks(fortunes), strict=True)
    )
    return Result(state.end_reason, standings)
