"""The ruleset: what the catalogue says, and which part answers which question."""

from typing import ClassVar

from rules.kernel.canonical import JsonObject, encode_known
from rules.kernel.contract.chance import Random
from rules.kernel.contract.edition import Edition
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.fields import Flag, Installed
from rules.kernel.contract.labels import LANGUAGES, Labels, load_labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.phases import decisions
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
from rules.macao import chance, defaults, errors, moves, play, scoring, views
from rules.macao.aids import board, heuristic, invariants
from rules.macao.data import (
    DIE_CAPS,
    EDITION,
    GOODS,
    GOODS_COPIES,
    JOKER_TILES,
    LAST_SPACE,
    MAX_SEATS,
    MIN_SEATS,
    ROUNDS,
)
from rules.macao.state import State
from rules.macao.tables import EDITIONS, OFFERED, TABLES, install

# How long a game can be. Everything but "end turn" uses something up.

_WINDROSE_CUBES = 3 + 2 * sum(cap for cap in DIE_CAPS)
"""At most: the set-up's, and twice the cap each round."""
_USES_PER_SEAT = sum(range(2, ROUNDS + 2))
"""Of cards once a round: a seat has drafted at most r + 1 cards in round r."""
_CUBES_PER_SEAT = _WINDROSE_CUBES + 2 * _USES_PER_SEAT
"""A use brings at most two cubes."""
_CARD_CUBES = 2 * 4 + 2 * JOKER_TILES
"""What two cards give when they are activated, and the jokers, at most."""
_FREE_STEPS = ROUNDS * (4 + 1)
"""What two cards give; besides, one card gives a step for each cube that is paid for a step."""
_PER_SEAT = (
    (1 + ROUNDS)  # drafts, or skips
    + ROUNDS  # overflows
    + 1  # start cubes
    + ROUNDS  # dice
    + (1 + ROUNDS)  # activations
    + LAST_SPACE  # spaces of the wall
    + 2 * ROUNDS  # purchases
    + _USES_PER_SEAT
    + 2 * _CUBES_PER_SEAT  # ship steps, or unlimited uses, for at least half a cube each
    + ROUNDS  # ends of turns
)
_MAX_DECISIONS = (
    MAX_SEATS * _PER_SEAT
    + (GOODS_COPIES * len(GOODS) + JOKER_TILES)  # claims
    + GOODS_COPIES * len(GOODS)  # deliveries
    + JOKER_TILES
    + 2 * _CARD_CUBES
    + _FREE_STEPS
)
_MAX_EVENTS = _MAX_DECISIONS + 4 + 2 * ROUNDS + MAX_SEATS
"""Besides the moves: four draws in the set-up, two each round, a resignation of each seat."""

_OPTIONS = (
    Option(
        "simultaneous_dice",
        False,  # noqa: FBT003 - an option's default
        Flag(),
        "Whether all choose their dice at the same time, unseen by the others until all have.",
    ),
    Option(
        "data",
        EDITION.id,
        Installed(EDITIONS, OFFERED),
        "The edition of cards, quarters and sea that is played."
        " The bounds on decisions and events hold for the default.",
    ),
)

_FINISHED = Finished()
_DECISIONS = decisions(play.PHASES, MAX_SEATS)
_MOVES = {
    simultaneous: {
        phase: tuple(
            type_ for type_ in moves.MOVE_TYPES if type_.type in row.moves and type_ is not without
        )
        for phase, row in play.PHASES.items()
    }
    for simultaneous, without in ((False, moves.ChooseDiceSecretly), (True, moves.ChooseDice))
}
"""The types of move of each phase, in the usual order of choosing dice and in the other."""


def _labels() -> Labels:
    """The words of the rules, and the names that the tables have."""
    words = load_labels(__package__)
    for language in LANGUAGES:
        for kind, table in (("cube", "colors"), ("good", "goods"), ("tile", "goods")):
            for row in EDITION.tables[table]:
                words[language][f"{kind}.{row['id']}"] = row["name"][language]
        words[language].update(TABLES[EDITION.id].names[language])
    return Labels(words)


class Macao(Ruleset[State]):
    """Draft cards, choose dice, spend what the windrose brings."""

    info: ClassVar = RulesetInfo(
        id="macao",
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
    labels: ClassVar = _labels()
    move_types: ClassVar = moves.MOVE_TYPES
    result_effects: ClassVar = ("game_scored",)
    effect_types: ClassVar = (
        "wall_order_shuffled",
        "goods_shuffled",
        "offices_shuffled",
        "round_started",
        "cards_revealed",
        "tribute_set",
        "cards_discarded",
        "card_drafted",
        "draft_skipped",
        "punishment_taken",
        "tableau_card_discarded",
        "start_cubes_chosen",
        "dice_rolled",
        "dice_capped",
        "dice_sealed",
        "cubes_placed",
        "windrose_rotated",
        "cubes_paid",
        "cubes_returned",
        "cubes_gained",
        "coins_paid",
        "coins_gained",
        "prestige_gained",
        "ship_steps_gained",
        "card_triggered",
        "card_activated",
        "card_used",
        "joker_used",
        "quarter_claimed",
        "disc_moved",
        "discs_overtaken",
        "disc_lifted",
        "ship_moved",
        "goods_delivered",
        "prestige_bought",
        "turn_ended",
        "round_ended",
        "game_scored",
    )
    error_codes: ClassVar = errors.CODES
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=errors.GAME_FINISHED,
        unknown=errors.WRONG_PHASE,  # a move that does not exist belongs to no phase
        malformed=errors.MALFORMED_ACTION,
        phase=errors.WRONG_PHASE,
        seat=errors.NOT_YOUR_TURN,
        order=("over", "unknown", "phase", "seat", "malformed"),
    )

    # Setting up

    def edition(self, options: JsonObject) -> Edition:
        return EDITIONS[options["data"]]

    def editions(self) -> list[Edition]:
        return [edition for id_, edition in EDITIONS.items() if id_ in OFFERED]

    def install(self, tables: object, *, offer: bool = True) -> None:
        names = install(tables, offer=offer).names
        words = self.labels.tables
        self.labels.tables = {
            language: {**words[language], **names[language]} for language in words
        }

    def initial(self, seats: int, options: JsonObject) -> State:
        state = State(seats, simultaneous=options["simultaneous_dice"], edition=options["data"])
        state.phase = play.SHUFFLE_WALL
        return state

    # Playing

    def turn(self, state: State) -> Turn:
        if not state.queue:
            return chance.pending(state) or _FINISHED
        if state.simultaneous and state.phase == play.CHOOSE_DICE:
            return Decision(state.phase, tuple(sorted(state.queue)))
        return _DECISIONS[state.phase][state.queue[0]]

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        return _MOVES[state.simultaneous][state.phase]

    def is_asked(self, state: State, seat: int) -> bool:
        if state.simultaneous and state.phase == play.CHOOSE_DICE:
            return seat in state.queue
        return bool(state.queue) and state.queue[0] == seat

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


RULESET = Macao()
