"""The ruleset: its entry in the catalogue, its options and its default moves."""

from typing import Any, ClassVar

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import (
    Edition,
    EditionId,
    Flag,
    GeneralChecks,
    Labels,
    Move,
    Option,
    Ruleset,
    RulesetInfo,
    Seat,
    load_labels,
    moves_of,
)
from rules.macao import data, moves, phases, play, scoring, tables
from rules.macao.data import cubes
from rules.macao.errors import Error
from rules.macao.state import State

# The bounds on the length of a game. Every move except "end turn" uses up something that is
# limited.

_WINDROSE_CUBES = 3 + 2 * sum(data.DIE_CAPS)
"""Maximum number of cubes on a seat's windrose in a game: the cubes from the set-up, and the cubes
for two dice in each round."""
_USES_PER_SEAT = sum(range(2, data.ROUNDS + 2))
"""Maximum number of uses of a seat's cards: each card once in a round; in round r a seat has at
most r + 1 cards.
"""
_CUBES_PER_SEAT = _WINDROSE_CUBES + 2 * _USES_PER_SEAT
"""Maximum number of cubes that a seat gets: the cubes of the windrose, and two cubes for each use
of a card."""
_CARD_CUBES = 2 * 4 + 2 * data.JOKER_TILES
"""Maximum number of cubes from the activation of two cards, and from jokers."""
_FREE_STEPS = data.ROUNDS * (4 + 1)
"""Maximum number of free steps of a seat: two cards give them, and a third gives a free step for
each step that is paid with a cube.
"""
_PER_SEAT = 3 + 7 * data.ROUNDS + data.LAST_SPACE + _USES_PER_SEAT + 2 * _CUBES_PER_SEAT
"""Maximum number of a seat's decisions. In the set-up: a first card, its activation, and the start
cubes. In each round: a draft, a discard, dice, an activation, two purchases, and the end of the
turn. In the whole game: the spaces of the wall, uses of cards, and ship steps or uses without a
limit, each of which costs at least half a cube.
"""
_MAX_DECISIONS = (
    data.MAX_SEATS * _PER_SEAT
    + (data.GOODS_COPIES * len(data.GOODS) + data.JOKER_TILES)  # claims
    + data.GOODS_COPIES * len(data.GOODS)  # deliveries
    + data.JOKER_TILES
    + 2 * _CARD_CUBES
    + _FREE_STEPS
)
_MAX_EVENTS = _MAX_DECISIONS + 4 + 2 * data.ROUNDS + data.MAX_SEATS
"""Maximum number of events: the decisions, four draws in the set-up, two draws in each round, and a
resignation of each seat.
"""

_OPTIONS = (
    Option(
        "simultaneous_dice",
        False,  # noqa: FBT003 - an option's default
        Flag(),
        "Whether all choose their dice at the same time, unseen by the others until all have.",
    ),
    Option(
        "data",
        data.EDITION.id,
        EditionId(tables.EDITIONS, tables.OFFERED),
        "The edition of cards, quarters and sea that is played."
        " The bounds on decisions and events hold for the default.",
    ),
)


def _labels() -> Labels:
    """Return the labels of the rules, together with the names in the tables of all editions."""
    words = load_labels(__package__)
    for language, names in tables.TABLES[data.EDITION.id].names.items():
        for kind, table in (("cube", "colors"), ("good", "goods"), ("tile", "goods")):
            for row in data.EDITION.tables[table]:
                words[language].setdefault(f"{kind}.{row['id']}", row["name"][language])
        words[language] = {**names, **words[language]}
    return Labels(words)


class Macao(Ruleset[State], package=__package__):
    """Draft cards, choose dice, and spend the cubes that the windrose brings."""

    info: ClassVar = RulesetInfo.of(
        data.EDITION,
        id="macao",
        version="1.0.0",
        plays=("1.0.0",),
        max_decisions=_MAX_DECISIONS,
        max_events=_MAX_EVENTS,
        options=_OPTIONS,
    )
    labels: ClassVar = _labels()
    phases: ClassVar = phases.PHASES
    move_types: ClassVar = moves_of(moves)
    result_effects: ClassVar = ("game_scored",)
    end_reasons: ClassVar = scoring.END_REASONS
    general_checks: ClassVar = GeneralChecks(
        over=Error.GAME_FINISHED,
        unknown=Error.WRONG_PHASE,  # an unknown type of move belongs to no phase
        malformed=Error.MALFORMED_ACTION,
        seat=Error.NOT_YOUR_TURN,
        order=("over", "unknown", "phase", "seat", "malformed"),
        types=True,
    )

    def edition(self, options: JsonObject) -> Edition:
        return tables.EDITIONS[options["data"]]

    def editions(self) -> list[Edition]:
        return [edition for id_, edition in tables.EDITIONS.items() if id_ in tables.OFFERED]

    def install(self, given: object, *, offer: bool = True) -> None:
        names, words = tables.install(given, offer=offer).names, self.labels.tables
        self.labels.tables = {known: {**words[known], **names[known]} for known in words}

    def initial(self, seats: int, options: JsonObject) -> State:
        return State.start(seats, options["data"], simultaneous=options["simultaneous_dice"])

    def asked_together(self, state: State) -> tuple[Seat, ...]:
        return tuple(sorted(state.queue))

    def moves_now(self, state: State) -> tuple[type[Move[State]], ...]:
        if state.phase == phases.CHOOSE_DICE:
            return (moves.ChooseDiceSecretly if state.simultaneous_dice else moves.ChooseDice,)
        return self._moves_in[state.phase]

    def default_move(self, state: State, seat: Seat) -> Move[State]:
        """Return the move for a seat that does not answer (R50)."""

        def least(move: Any) -> int:
            if state.phase == phases.CHOOSE_DICE:
                return sum([play.die_value(state, colour) for colour in cubes.kinds(move.colors)])
            if state.phase == phases.DRAFT_OVERFLOW:
                return -cubes.total(state.tables.cards[move.card].cost)
            return 0

        legal = self.legal_moves(state, seat)
        ends = state.phase == phases.ACTIONS  # the last legal move ends the turn
        return legal[-1] if ends else min(legal, key=least)
