"""The ruleset: what the catalogue says, and which part answers which question."""

from collections.abc import Mapping
from typing import ClassVar

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.chance import Random
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.fields import Choice, Either, Integer, Null, Permutation
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.phases import decisions
from rules.kernel.contract.ruleset import (
    Chanced,
    Finished,
    GeneralChecks,
    Option,
    Result,
    Ruleset,
    RulesetInfo,
    Turn,
)
from rules.kernel.toolbox.pieces import written
from rules.santiago_de_cuba import chance, defaults, errors, moves, play, scoring, views
from rules.santiago_de_cuba.aids import board, heuristic, invariants
from rules.santiago_de_cuba.data import BUILDING_IDS, CITIZENS, EDITION, SHIPS
from rules.santiago_de_cuba.state import State, building_layout, citizen_layout

_MIN_SEATS, _MAX_SEATS = 2, 4
_TURN_LIMIT = 400
_HIGHEST_TURN_LIMIT = 1_000_000
"""The rulebook sets no bound; nobody plays as long as this."""
_MAX_LOADS = 3 + 3 + 3 + 4
"""The four highest faces that can be on a ship: what a loading round can deliver."""
_MAX_DECISIONS = _TURN_LIMIT * (_MAX_LOADS + _MAX_SEATS + 2) + SHIPS + 1
"""A turn drives, loads or passes, and chooses dice; empty ships and the first one choose more."""
_MAX_EVENTS = _MAX_DECISIONS + 3 + SHIPS + _MAX_SEATS
"""Besides the moves: the set-up, a roll for each ship, a resignation of each seat."""

_OPTIONS = (
    Option(
        "start_player",
        "random",
        Either((Choice(("random",)), Integer(0, _MAX_SEATS - 1))),
        "Who takes the first turn: drawn at random, or a seat.",
    ),
    Option(
        "holdings_visibility",
        "hidden",
        Choice(("hidden", "open")),
        "Whether pesos, VP and goods stand behind screens until the end, or are shown to all.",
    ),
    Option(
        "citizen_order",
        None,
        Either((Null(), Permutation(CITIZENS))),
        "The citizens of stops 1 to 9; null shuffles them.",
    ),
    Option(
        "building_order",
        None,
        Either((Null(), Permutation(BUILDING_IDS))),
        "The buildings of spaces 1 to 12, three under each flower; null shuffles them.",
    ),
    Option(
        "turn_limit",
        _TURN_LIMIT,
        Integer(0, _HIGHEST_TURN_LIMIT),
        "The game ends after so many turns of all players together,"
        f" at most {_HIGHEST_TURN_LIMIT:,}; 0 never ends it so."
        " The bounds on decisions and events hold for the default.",
    ),
)

_FINISHED = Finished()
_DECISIONS = decisions(play.PHASES, _MAX_SEATS)


class SantiagoDeCuba(Ruleset[State]):
    """Drive the car, visit citizens and buildings, load the ship."""

    info: ClassVar = RulesetInfo(
        id="santiago_de_cuba",
        version="1.0.0",
        plays=("1.0.0",),
        title=EDITION.tables["name"],
        designer=EDITION.tables["designer"],
        year=EDITION.tables["year"],
        min_seats=_MIN_SEATS,
        max_seats=_MAX_SEATS,
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    data: ClassVar = EDITION
    labels: ClassVar = Labels(load_labels(__package__))
    move_types: ClassVar = moves.MOVE_TYPES
    effect_types: ClassVar = (
        "buildings_shuffled",
        "citizens_shuffled",
        "start_player_drawn",
        "demand_rolled",
        "demand_set",
        "demand_reduced",
        "car_driven",
        "value_marker_moved",
        "ship_departed",
        "ship_arrived",
        "citizen_deactivated",
        "citizen_reactivated",
        "goods_taken",
        "goods_paid",
        "pesos_taken",
        "pesos_paid",
        "vp_gained",
        "vp_paid",
        "tribute_given",
        "tribute_skipped",
        "alonso_declined",
        "building_claimed",
        "pawn_moved",
        "pawn_stayed",
        "building_used",
        "building_skipped",
        "goods_loaded",
        "loading_passed",
        "loading_round_ended",
        "owner_bonus_paid",
        "turn_ended",
        "game_ended",
    )
    error_codes: ClassVar = errors.CODES
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=errors.GAME_OVER,
        unknown=errors.UNKNOWN_ACTION,
        malformed=errors.MALFORMED_PARAMETERS,
        phase=errors.WRONG_PHASE,
        seat=errors.NOT_YOUR_DECISION,
        order=("over", "unknown", "malformed", "phase", "seat"),
    )

    # Setting up

    def parse_options(self, seats: int, given: Mapping[str, object]) -> JsonObject:
        options = super().parse_options(seats, given)
        start = options["start_player"]
        if start != "random" and start >= seats:
            raise BadOptions("start_player", f"there is no seat {start} among {seats}")
        return options

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State(
            seats,
            options["turn_limit"],
            open_holdings=options["holdings_visibility"] == "open",
        )
        state.buildings = building_layout(options["building_order"] or ())
        state.citizens = citizen_layout(options["citizen_order"] or ())
        if options["start_player"] != "random":
            state.start_player = options["start_player"]
        play.continue_setup(state)
        return state

    # Playing

    def turn(self, state: State) -> Turn:
        decisions = _DECISIONS.get(state.phase)
        if decisions:
            return decisions[state.decider]
        return chance.pending(state) or _FINISHED

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return moves.MOVES_IN[state.phase]

    def is_asked(self, state: State, seat: int) -> bool:
        return seat == state.decider and seat >= 0

    def default_move(self, state: State, seat: int) -> Move[State]:
        return defaults.default_move(state, self.legal_moves(state, seat))

    def chance(self, state: State, event: Chanced, log: EffectLog | None) -> None:
        chance.apply(state, event.picks, log)

    # Copies and codecs

    def copy(self, state: State) -> State:
        return state.copy()

    def to_json(self, state: State) -> JsonObject:
        return state.to_json()

    def to_bytes(self, state: State) -> bytes:
        return encode_known(state.to_json(written))

    def from_json(self, data: JsonObject) -> State:
        return State.from_json(data)

    # What each viewer knows

    def view(self, state: State, viewer: int | None) -> JsonObject:
        return views.view(state, viewer)

    def information(self, state: State, seat: int) -> JsonObject:
        return views.information(state, seat)

    def determinize(self, information: JsonObject, rng: Random) -> State:
        return views.determinize(information)

    # Ending and judging

    def result(self, state: State) -> Result:
        return scoring.result(state)

    def heuristic(self, state: State, seat: int) -> float:
        return heuristic.evaluate(state, seat)

    def violations(self, state: State) -> list[str]:
        return invariants.violations(state)

    def draw_board(self, view: JsonObject, language: str) -> str:
        return board.draw(view, self.labels, language)
