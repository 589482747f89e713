"""The interface for authors of games; ``ruleset`` has the contract itself.

The other modules define moves and their parameters, draws, effects, refusals, labels and tables. No
module here depends on a particular game, or on how a game is recorded and verified.
"""

from rules.kernel.contract.chance import (
    Chance,
    Draw,
    Random,
    fits,
    scripted,
    shuffle_picks,
    shuffle_sizes,
    shuffled,
    uniform,
)
from rules.kernel.contract.drawing import Drawing, Part, Span
from rules.kernel.contract.edition import BadEditionError, Edition
from rules.kernel.contract.effects import NONE as NOBODY_SEES
from rules.kernel.contract.effects import PUBLIC, EffectLog, Effects, EffectType, seat_audience
from rules.kernel.contract.errors import (
    BadOptions,
    ErrorCode,
    IllegalMove,
    MaybeRefusal,
    Refusal,
    shown,
)
from rules.kernel.contract.fields import (
    BadValue,
    Choice,
    EditionId,
    Either,
    Field,
    Flag,
    Index,
    Integer,
    ListOf,
    Maybe,
    Optional,
    Permutation,
    PlaceNumber,
    WrongType,
)
from rules.kernel.contract.labels import Labels, load_labels
from rules.kernel.contract.move import Move, moves_of, param
from rules.kernel.contract.phases import Phase
from rules.kernel.contract.pieces import Piece, plain
from rules.kernel.contract.ruleset import (
    FINISHED,
    ChanceEvent,
    Decision,
    GeneralChecks,
    MoveEvent,
    Option,
    ResignationEvent,
    Result,
    Ruleset,
    RulesetInfo,
    Standing,
    Turn,
)
from rules.kernel.contract.scores import Scores, Tie
from rules.kernel.contract.seats import NOBODY, Seat, all_seats, by_seat, clockwise, next_seat
from rules.kernel.contract.state import GameState

__all__ = [
    "FINISHED",
    "NOBODY",
    "NOBODY_SEES",
    "PUBLIC",
    "BadEditionError",
    "BadOptions",
    "BadValue",
    "Chance",
    "ChanceEvent",
    "Choice",
    "Decision",
    "Draw",
    "Drawing",
    "Edition",
    "EditionId",
    "EffectLog",
    "EffectType",
    "Effects",
    "Either",
    "ErrorCode",
    "Field",
    "Flag",
    "GameState",
    "GeneralChecks",
    "IllegalMove",
    "Index",
    "Integer",
    "Labels",
    "ListOf",
    "Maybe",
    "MaybeRefusal",
    "Move",
    "MoveEvent",
    "Option",
    "Optional",
    "Part",
    "Permutation",
    "Phase",
    "Piece",
    "PlaceNumber",
    "Random",
    "Refusal",
    "ResignationEvent",
    "Result",
    "Ruleset",
    "RulesetInfo",
    "Scores",
    "Seat",
    "Span",
    "Standing",
    "Tie",
    "Turn",
    "WrongType",
    "all_seats",
    "by_seat",
    "clockwise",
    "fits",
    "load_labels",
    "moves_of",
    "next_seat",
    "param",
    "plain",
    "scripted",
    "seat_audience",
    "shown",
    "shuffle_picks",
    "shuffle_sizes",
    "shuffled",
    "uniform",
]
