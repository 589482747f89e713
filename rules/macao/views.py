"""What each viewer is shown, and what a seat with a perfect memory knows.

Everything lies open but two things: the order of the deck, which is not drawn before a card is
shown, and the dice that others have chosen while all choose at the same time.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Random
from rules.macao import cubes, play
from rules.macao.data import (
    COLOURS,
    GOODS,
    JOKER,
    JOKER_TILES,
    NONE,
    OFFICES_PER_ROUND,
    ROUNDS,
    SEAT_COLOURS,
)
from rules.macao.moves import DICE_PAIRS, price
from rules.macao.state import State, pair_json, tile_json

_SEALED = "sealed"


def view(state: State, viewer: int | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    tables = state.tables
    return {
        "viewer": viewer,
        "edition": state.edition,
        "simultaneous_dice": state.simultaneous,
        "phase": state.phase,
        "round": state.round,
        "rounds": ROUNDS,
        "active": _active(state),
        "queue": state.queue[:],
        "turn_order": state.turn_order[:],
        "display": state.card_ids(state.display),
        "tribute": {"gold": state.tribute_gold, "prestige": state.tribute_prestige},
        "future_offices": _future_offices(state),
        "deck": state.card_ids(state.deck),
        "discard": state.card_ids(state.discard),
        "dice": state.dice_json(),
        "die_values": _die_values(state),
        "cube_bank": cubes.counts(state.bank),
        "quarters": [
            {"quarter": quarter.id, "owner": None if owner == NONE else owner, "tile": tile}
            for quarter, owner, tile in zip(
                tables.quarters, state.owner, map(tile_json, state.tiles), strict=True
            )
        ],
        "ports": [
            {
                "port": tables.spaces[port].id,
                "good": good,
                "filled": sum([delivered[number] for delivered in state.delivered]),
                "slot_points": list(tables.points[number]),
            }
            for number, (good, port) in enumerate(zip(GOODS, tables.ports, strict=True))
        ],
        "wall": state.wall_json(),
        "wall_order": state.wall_order[:],
        "jokers_used": JOKER_TILES - sum(state.jokers) - state.tiles.count(JOKER),
        "turn": state.turn_json(tables),
        "players": [_player(state, seat) for seat in range(state.seats)],
        "pending_dice": [_pending(state, seat, viewer) for seat in range(state.seats)],
    }


def _active(state: State) -> int | None:
    """Who is asked, if it is one player (and not all at the same time)."""
    together = state.simultaneous and state.phase == play.CHOOSE_DICE
    return None if together or not state.queue else state.queue[0]


def _future_offices(state: State) -> list[list[str]]:
    """The pairs of offices of the rounds to come, the next round's first."""
    shown = state.round - (state.phase in play.BEFORE_REVEAL)
    rest = state.card_ids(state.offices[OFFICES_PER_ROUND * shown :])
    return [rest[at : at + OFFICES_PER_ROUND] for at in range(0, len(rest), OFFICES_PER_ROUND)]


def _die_values(state: State) -> JsonObject | None:
    if not state.dice:
        return None
    return {id_: play.die_value(state, colour) for colour, id_ in enumerate(COLOURS)}


def _player(state: State, seat: int) -> JsonObject:
    return {
        "seat": seat,
        "color": SEAT_COLOURS[seat],
        "prestige": state.prestige[seat],
        "coins": state.coins[seat],
        "tribute_price": price(state, seat),
        "tableau": state.card_ids(state.tableau[seat]),
        "activated": state.card_ids(state.activated[seat]),
        "windrose": [cubes.counts(sector) for sector in state.windrose[seat]],
        "supply": cubes.counts(state.supply[seat]),
        "goods": dict(zip(GOODS, state.goods[seat], strict=True)),
        "delivered": dict(zip(GOODS, state.delivered[seat], strict=True)),
        "jokers": state.jokers[seat],
        "punishments": state.punishments[seat],
        "markers_left": play.markers_left(state, seat),
        "quarters": [
            quarter.id
            for quarter, owner in zip(state.tables.quarters, state.owner, strict=True)
            if owner == seat
        ],
        "wall_space": state.disc[seat],
        "ship": state.tables.spaces[state.ship[seat]].id,
    }


def _pending(state: State, seat: int, viewer: int | None) -> object:
    """The dice that ``seat`` has chosen, ``"sealed"`` to others, None if it has not."""
    if state.picked[seat] and seat != viewer:
        return _SEALED
    return pair_json(state.picked[seat])


def information(state: State, seat: int) -> JsonObject:
    """Return all that ``seat`` can have learnt: everything but what others have sealed."""
    known = state.to_json()
    known["pending_dice"] = [_pending(state, other, seat) for other in range(state.seats)]
    return {"seat": seat, "state": known}


def determinize(known: JsonObject, rng: Random) -> State:
    """Return a state with this information; what others have sealed is any pair."""
    guess = [
        list(DICE_PAIRS[rng.randrange(len(DICE_PAIRS))]) if pair == _SEALED else pair
        for pair in known["state"]["pending_dice"]
    ]
    return State.from_json({**known["state"], "pending_dice": guess})
