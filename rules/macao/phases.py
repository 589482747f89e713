"""The phases of the game: who decides, which question is open, and which phases may follow."""

from rules.kernel.contract import Phase

SHUFFLE_WALL = "shuffle_wall"
SHUFFLE_GOODS = "shuffle_goods"
SHUFFLE_OFFICES = "shuffle_offices"
REVEAL_INITIAL = "reveal_initial_cards"
INITIAL_DRAFT = "initial_draft"
INITIAL_CUBES = "initial_cubes"
REVEAL_CARDS = "reveal_cards"
DRAFT = "draft"
DRAFT_OVERFLOW = "draft_overflow"
ROLL_DICE = "roll_dice"
CHOOSE_DICE = "choose_dice"
ACTIONS = "actions"
FINISHED = "finished"

_IN_TURN = "every player in turn order"
_ACTIONS = (
    "activate_card", "claim_quarter", "advance_wall", "advance_wall_extra", "move_ship",
    "deliver_goods", "buy_prestige", "use_card", "use_joker", "end_turn",
)  # fmt: skip

PHASES = {
    # Set-up
    SHUFFLE_WALL: Phase("nature", (), (SHUFFLE_GOODS,)),
    SHUFFLE_GOODS: Phase("nature", (), (SHUFFLE_OFFICES,)),
    SHUFFLE_OFFICES: Phase("nature", (), (REVEAL_INITIAL,)),
    REVEAL_INITIAL: Phase("nature", (), (INITIAL_DRAFT,)),
    INITIAL_DRAFT: Phase(
        "every player, last on the wall first", ("draft_card",), (INITIAL_DRAFT, INITIAL_CUBES)
    ),  # R8
    INITIAL_CUBES: Phase(
        "every player in wall order", ("choose_start_cubes",), (INITIAL_CUBES, REVEAL_CARDS)
    ),
    # A round: draft a card, choose two dice, turn the windrose, take a turn.
    REVEAL_CARDS: Phase("nature", (), (DRAFT,)),
    DRAFT: Phase(_IN_TURN, ("draft_card", "skip_draft"), (DRAFT, DRAFT_OVERFLOW, ROLL_DICE)),
    DRAFT_OVERFLOW: Phase(
        "whoever has just drafted a sixth card", ("discard_tableau_card",), (DRAFT, ROLL_DICE)
    ),
    ROLL_DICE: Phase("nature", (), (CHOOSE_DICE,)),
    CHOOSE_DICE: Phase(
        "every player in turn order, or all at the same time",
        ("choose_dice", "choose_dice_secretly"),
        (CHOOSE_DICE, ACTIONS),
    ),
    ACTIONS: Phase(_IN_TURN, _ACTIONS, (ACTIONS, REVEAL_CARDS, FINISHED)),
    FINISHED: Phase("nobody", (), ()),
}

BEFORE_REVEAL = tuple(PHASES)[: list(PHASES).index(REVEAL_CARDS) + 1]
"""The phases of a round before its offices are laid out."""
