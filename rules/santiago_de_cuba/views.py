"""Views, and the information of a seat that remembers everything.

Screens hide the pesos, VP and goods of others. But every gain and payment is public, so a seat that
remembers everything knows them all, and there is nothing to guess.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Random, Seat, by_seat
from rules.santiago_de_cuba import data
from rules.santiago_de_cuba.play import GAME_OVER, LOADING_ROUND
from rules.santiago_de_cuba.state import CITIZEN, State, known

_CITIZEN_FLOWER = (
    *(None if flower == data.NONE else data.FLOWERS[flower] for flower in data.CITIZEN_FLOWERS),
    None,
)
"""The flower of each citizen, followed by None for the harbour."""
_SHOWN = (
    "holdings_visibility", "turn_limit", "phase", "decider", "active", "start_player", "turns_done",
    "end_reason", "car", "visited_citizen", "ship_number", "value_index", "roll", "demand",
    "left_out", "supply", "tribute_queue",
)  # fmt: skip
"""The members of the state's JSON that everybody sees unchanged."""


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the view of ``viewer``."""
    json = state.shown_json()
    return {
        "viewer": viewer,
        **{name: json[name] for name in _SHOWN},
        "street": _street(state),
        "buildings": _buildings(state),
        "ships": data.SHIPS,
        "flag_value": (*data.FLAG_VALUES, None)[state.value_index],
        "loading": (
            {"current": state.decider, "passed": json["passed"]}
            if state.phase == LOADING_ROUND
            else None
        ),
        "players": [
            _player(state, seat, viewer, player) for seat, player in by_seat(json["players"])
        ],
    }


def _street(state: State) -> list[JsonObject]:
    return [
        {
            "stop": stop,
            "citizen": CITIZEN[citizen],
            "flower": _CITIZEN_FLOWER[citizen],
            "active": stop == data.HARBOUR or not state.inactive[citizen],
        }
        for stop, citizen in enumerate(state.citizens)
    ]


def _buildings(state: State) -> list[JsonObject]:
    return [
        {
            "space": data.SPACES[space],
            "flower": data.FLOWERS[space // data.SPACES_PER_FLOWER],
            "building": data.BUILDINGS[building],
            "owner": known(state.owner[building]),
            "pawn": state.pawn.index(building) if building in state.pawn else None,
        }
        for space, building in enumerate(state.buildings)
    ]


def _player(state: State, seat: Seat, viewer: Seat | None, player: JsonObject) -> JsonObject:
    seen = state.open_holdings or seat == viewer or state.phase == GAME_OVER
    return {
        "seat": seat,
        "color": data.COLOURS[seat],
        "pawn": player["pawn"],
        "markers_left": player["markers_left"],
        **{name: player[name] if seen else None for name in ("pesos", "vp", "goods")},
    }


def information(state: State, seat: Seat) -> JsonObject:
    """Return the information of ``seat``: everything, because all gains and payments are public."""
    return {"seat": seat, "state": state.to_json()}


def determinize(known: JsonObject, _rng: Random) -> State:
    """Return the only state with this information."""
    return State.from_json(known["state"])
