"""The end: prestige points and ranks."""

from collections.abc import Callable
from functools import lru_cache

from rules.kernel.contract import Result, Scores, Seat, Standing, Tie, all_seats, by_seat
from rules.macao import data, phases
from rules.macao.cards import EndGame
from rules.macao.state import State
from rules.macao.tables import TABLES

END_REASONS = (ROUNDS_PLAYED,) = ("rounds_played",)
SCORES = Scores(
    ("prestige", "cards", "chain", "punishments", "tableau"),
    (Tie("wall_place", ("wall_place",), least=True),),  # R44
)


def longest_chain(state: State, seat: Seat) -> int:
    """Return the number of quarters in the largest connected group of ``seat``'s quarters (R43)."""
    return _longest_chain(state.edition, state.claimed[seat])


@lru_cache(maxsize=65536)
def _longest_chain(edition: str, claimed: int) -> int:
    borders = TABLES[edition].borders
    longest = 0
    while claimed:
        group, near = 0, claimed & -claimed
        while frontier := near & claimed & ~group:
            group |= frontier
            near = 0
            for number, beside in enumerate(borders):
                if frontier >> number & 1:
                    near |= beside
        longest = max(longest, group.bit_count())
        claimed &= ~group
    return longest


def _kinds(state: State, seat: Seat) -> list[int]:
    deck = state.tables.cards
    return [deck[card].kind for card in state.activated[seat]]


def _dark(state: State, seat: Seat) -> int:
    quarters = state.tables.quarters
    return sum(quarters[id_].dark for id_, owner in state.owner.items() if owner == seat)


COUNTS: dict[str, Callable[[State, Seat], int]] = {
    "activated_offices": lambda state, seat: _kinds(state, seat).count(data.OFFICE),
    "activated_buildings": lambda state, seat: _kinds(state, seat).count(data.BUILDING),
    "activated_persons": lambda state, seat: _kinds(state, seat).count(data.PERSON),
    "activated_cards": lambda state, seat: len(state.activated[seat]),
    "card_sets": lambda state, seat: min(map(_kinds(state, seat).count, range(len(data.KINDS)))),
    "quarters_owned": lambda state, seat: state.claimed[seat].bit_count(),
    "dark_quarters_owned": _dark,
    "longest_chain": longest_chain,
    "coins": lambda state, seat: state.coins[seat],
    "goods_delivered": lambda state, seat: sum(state.delivered[seat]),
    "distinct_goods_delivered": lambda state, seat: sum(map(bool, state.delivered[seat])),
    "wall_spaces": lambda state, seat: state.disc[seat],
    "punishments": lambda state, seat: state.punishments[seat],
    "tableau_cards": lambda state, seat: len(state.tableau[seat]),
    "jokers_held": lambda state, seat: state.jokers[seat],
}
"""The function that counts each of ``cards.METRICS``."""


def worth(state: State, seat: Seat, effect: EndGame) -> int:
    """Return the PP that one end-of-game effect would give now."""
    points = COUNTS[effect.metric](state, seat) // effect.divisor * effect.prestige
    return points if effect.max_prestige is None else min(points, effect.max_prestige)


def breakdown(state: State, seat: Seat) -> dict[str, int]:
    """Return every part of the score, punishments and remaining cards included (R42)."""
    deck = state.tables.cards
    effects = [effect for card in state.activated[seat] for effect in deck[card].end_games]
    return {
        "prestige": state.prestige[seat],
        "cards": sum(worth(state, seat, effect) for effect in effects),  # R41
        "chain": data.CHAIN_PRESTIGE * longest_chain(state, seat),
        "punishments": data.PUNISHMENT_PRESTIGE * state.punishments[seat],
        "tableau": data.TABLEAU_PRESTIGE * len(state.tableau[seat]),
    }


def total(state: State, seat: Seat) -> int:
    """Return the PP at the end, which may be negative (R44)."""
    return sum(breakdown(state, seat).values())


def result(state: State) -> Result:
    """Rank by PP, then by wall order, so that no rank is shared."""
    if state.phase != phases.FINISHED:
        raise ValueError("the game is not over")
    parts = [breakdown(state, seat) for seat in all_seats(state.seats)]
    totals = [sum(part.values()) for part in parts]
    best_first = sorted(state.wall_order, key=lambda seat: -totals[seat])
    standings = [
        Standing(
            f"seat:{seat}",
            best_first.index(seat) + 1,
            totals[seat],
            {**part, "wall_place": state.wall_order.index(seat) + 1},
        )
        for seat, part in by_seat(parts)
    ]
    return Result(ROUNDS_PLAYED, tuple(standings))
