"""The ruleset: what the catalogue says, and which part answers which question."""

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.chance import Random
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.errors import BadOptions
from rules.kernel.contract.fields import Flag
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.phases import decisions, moves_in
from rules.kernel.contract.ruleset import (
    Chanced,
    Decision,
    Finished,
    GeneralChecks,
    Option,
    Result,
    Ruleset,
    RulesetInfo,
    Turn,
)
from rules.kernel.toolbox.pieces import written
from rules.ragusa import chance, defaults, errors, moves, play, scoring, views
from rules.ragusa.aids import board, heuristic, invariants
from rules.ragusa.data import EDITION, HOUSES, MAX_SEATS, MIN_SEATS, ROUNDS
from rules.ragusa.map import ACTIVATES, CITY, CORNERS, GAINS, PRODUCTION
from rules.ragusa.state import State

_CORNERS = len(CORNERS[CITY[0]])
_ACTIVATIONS = _CORNERS * (_CORNERS + 1) // 2
"""How often the houses of one hex can act: the k-th house there wakes k houses."""
_WINDOWS = _CORNERS * (_CORNERS - 1) // 2
"""How many of these are houses that stood there before: they alone open a window."""
_EXCHANGES = sum(gains.count(0) for gains in GAINS) // 2
"""All fish there is, two at a time."""
_PLACEMENTS = max(seats * houses for seats, houses in HOUSES.items())
_MAX_DECISIONS = (
    MAX_SEATS  # choose a bonus card
    + _PLACEMENTS
    + sum(map(len, ACTIVATES))  # choose a hex
    + len(PRODUCTION) * _WINDOWS  # decline to exchange
    + 4 * _ACTIVATIONS  # mason, architect, market, dock
    + _CORNERS  # keep a card at the palace
    + _EXCHANGES
    + MAX_SEATS  # decline the final exchange
)
_MAX_EVENTS = (
    _MAX_DECISIONS
    + 3  # set-up
    + _ACTIVATIONS  # ships that arrive
    + _CORNERS  # palace
    + 2 * ROUNDS  # turns of the automata
    + 1  # their bonus cards
    + MAX_SEATS  # resignations
)

_OPTIONS = (
    Option(
        "two_player_neutral_houses",
        False,  # noqa: FBT003 - the option's default
        Flag(),
        "With two players only: six neutral houses block spaces of the city, drawn at random.",
    ),
)

_FINISHED = Finished()
_DECISIONS = decisions(play.PHASES, MAX_SEATS)
_MOVES = moves_in(play.PHASES, moves.MOVE_TYPES)


@cache
def _choosing(seats: tuple[int, ...]) -> Decision:
    return Decision(play.CHOOSE_BONUS, seats)


class Ragusa(Ruleset[State]):
    """Build houses, and let the city act for all that stand there."""

    info: ClassVar = RulesetInfo(
        id="ragusa",
        version="1.0.0",
        plays=("1.0.0",),
        title=EDITION.tables["name"],
        designer=EDITION.tables["designer"],
        year=EDITION.tables["year"],
        min_seats=MIN_SEATS,
        max_seats=MAX_SEATS,
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    data: ClassVar = EDITION
    labels: ClassVar = Labels(load_labels(__package__))
    move_types: ClassVar = moves.MOVE_TYPES
    effect_types: ClassVar = (
        "ship_arrived",
        "top_back_seen",
        "price_moved",
        "bonus_offered",
        "start_player_drawn",
        "neutral_house_placed",
        "patricians_dealt",
        "bonus_chosen",
        "bonus_deck_reshuffled",
        "patrician_used",
        "house_placed",
        "access_gained",
        "fish_exchanged",
        "hex_activated",
        "house_idle",
        "commodities_produced",
        "fish_scored",
        "wall_built",
        "tower_built",
        "ship_bought",
        "commodity_sold",
        "bonus_seen",
        "bonus_kept",
        "declined",
        "house_forfeited",
        "turn_ended",
        "bonus_revealed",
        "chain_scored",
        "cathedral_sold",
        "bonus_scored",
        "game_ended",
    )
    error_codes: ClassVar = errors.CODES
    hidden_errors: ClassVar = (errors.UNKNOWN_BONUS_CARD,)
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=errors.GAME_OVER,
        unknown=errors.UNKNOWN_ACTION,
        malformed=errors.MALFORMED_PARAMETERS,
        phase=errors.WRONG_PHASE,
        seat=errors.NOT_YOUR_DECISION,
        order=("over", "unknown", "malformed", "seat", "phase"),
    )

    # Setting up

    def parse_options(self, seats: int, given: Mapping[str, object]) -> JsonObject:
        options = super().parse_options(seats, given)
        if options["two_player_neutral_houses"] and seats != 2:
            raise BadOptions(
                "two_player_neutral_houses", f"neutral houses are for two players, not {seats}"
            )
        return options

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State(seats, neutral=options["two_player_neutral_houses"])
        play.set_up(state)
        return state

    # Playing

    def turn(self, state: State) -> Turn:
        if state.decider >= 0:
            return _DECISIONS[state.phase][state.decider]
        if state.phase == play.CHOOSE_BONUS:
            return _choosing(tuple(views.asked(state)))
        return chance.pending(state) or _FINISHED

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return _MOVES[state.phase]

    def is_asked(self, state: State, seat: int) -> bool:
        if state.phase == play.CHOOSE_BONUS:
            return 0 <= seat < state.seats and not state.kept[seat]
        return seat == state.decider and seat >= 0

    def default_move(self, state: State, seat: int) -> Move[State]:
        return defaults.default_move(self.legal_moves(state, seat))

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
        return views.determinize(information, rng)

    # Ending and judging

    def result(self, state: State) -> Result:
        return scoring.result(state)

    def heuristic(self, state: State, seat: int) -> float:
        return heuristic.evaluate(state, seat)

    def violations(self, state: State) -> list[str]:
        return invariants.violations(state)

    def draw_board(self, view: JsonObject, language: str) -> str:
        return board.draw(view, self.labels, language)
