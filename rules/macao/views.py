"""Views, and the information of a seat that remembers everything.

Two facts are hidden: the order of the deck, which is decided only when cards are shown, and the
dice that others have chosen while all players choose at the same time.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, Random, Seat, by_seat
from rules.macao import data, phases, play
from rules.macao.data import cubes
from rules.macao.fields import COLOUR, DICE, TILE
from rules.macao.state import State

_SEALED = "sealed"
_OPEN = (
    "edition", "simultaneous_dice", "phase", "round", "queue", "turn_order", "deck", "display",
    "discard", "tribute", "dice", "cube_bank", "wall", "players", "turn",
)  # fmt: skip
"""The members of the state's JSON that everybody may see; they are in the view unchanged."""


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the view of ``viewer``."""
    tables, known = state.tables, state.to_json()
    for seat, player in by_seat(known["players"]):
        player.update(
            seat=seat,
            color=data.SEAT_COLOURS[seat],
            tribute_price=play.price(state, seat),
            markers_left=play.markers_left(state, seat),
            quarters=[quarter for quarter, owner in state.owner.items() if owner == seat],
            wall_space=state.disc[seat],
        )
    return {
        **{name: known[name] for name in _OPEN},
        "viewer": viewer,
        "rounds": data.ROUNDS,
        "active": None if state.decider == NOBODY else state.decider,
        "future_offices": _future_offices(state),
        "die_values": known["dice"]
        and {id_: play.die_value(state, COLOUR.read(id_)) for id_ in data.COLOURS},
        "quarters": [
            {"quarter": quarter, "owner": owner, "tile": TILE.write(state.tiles[quarter])}
            for quarter, owner in state.owner.items()
        ],
        "ports": [
            {
                "port": tables.ports[good],
                "good": id_,
                "filled": play.slots_filled(state, good),
                "slot_points": list(tables.spaces[tables.ports[good]].slots),
            }
            for good, id_ in zip(data.ALL_GOODS, data.GOODS, strict=True)
        ],
        "wall_order": state.wall_order[:],
        "jokers_used": data.JOKER_TILES
        - sum(state.jokers)
        - sum(tile == data.JOKER for tile in state.tiles.values()),
        "pending_dice": _pending_dice(state, viewer),
    }


def _future_offices(state: State) -> list[list[str]]:
    """Return the pairs of offices of the rounds to come, the next round's pair first."""
    shown = state.round - (state.phase in phases.BEFORE_REVEAL)
    size = data.OFFICES_PER_ROUND
    return [
        list(state.offices[at : at + size]) for at in range(size * shown, len(state.offices), size)
    ]


def _pending_dice(state: State, viewer: Seat | None) -> list[object]:
    """Return the dice that each seat has chosen; None if it has not chosen yet.

    If a seat other than ``viewer`` has chosen, its dice are replaced by ``"sealed"``.
    """
    return [
        _SEALED if pair and seat != viewer else cubes.listed(pair) or None
        for seat, pair in by_seat(state.picked)
    ]


def information(state: State, seat: Seat) -> JsonObject:
    """Return the information of ``seat``: everything except the sealed choices of others."""
    known = {**state.to_json(), "pending_dice": _pending_dice(state, seat)}
    return {"seat": seat, "state": known}


def determinize(known: JsonObject, rng: Random) -> State:
    """Return a state with this information; the sealed choices of others are random pairs."""
    pairs = DICE.values()
    guess = [
        cubes.listed(pairs[rng.randrange(len(pairs))]) if pair == _SEALED else pair
        for pair in known["state"]["pending_dice"]
    ]
    return State.from_json({**known["state"], "pending_dice": guess})
