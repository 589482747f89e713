"""The end of the game: victory points and ranks."""

from rules.kernel.contract import Result, Scores, Seat, Standing, Tie, all_seats
from rules.kernel.toolbox.standings import ranks
from rules.santiago_de_cuba import data
from rules.santiago_de_cuba.state import State

SCORES = Scores(
    ("vp_chips", "goods_vp"),
    (Tie("goods_left", ("goods_left",)), Tie("pesos", ("pesos",))),  # R47
)


def final_vp(state: State, seat: Seat) -> int:
    """Return the VP chips, plus 1 VP for every three goods of any kind (R46)."""
    return state.vp[seat] + sum(state.goods[seat]) // data.GOODS_PER_END_VP


def result(state: State) -> Result:
    """Rank by VP, then by goods left, then by pesos.

    The goods left are counted before they are converted into VP (R47).
    """
    if state.end_reason is None:
        raise ValueError("the game is not over")
    seats = all_seats(state.seats)
    keys = [(final_vp(state, s), sum(state.goods[s]), state.pesos[s]) for s in seats]
    standings = tuple(
        Standing(
            f"seat:{seat}",
            rank,
            vp,
            {
                "vp_chips": state.vp[seat],
                "goods_left": goods,
                "goods_vp": goods // data.GOODS_PER_END_VP,
                "final_vp": vp,
                "pesos": pesos,
            },
        )
        for seat, rank, (vp, goods, pesos) in zip(seats, ranks(keys), keys, strict=True)  # R48
    )
    return Result(state.end_reason, standings)
