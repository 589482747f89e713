"""The effects of cards: their types, and what all active cards of a player do together.

A card is a row of data; no code of the rules names a card. There are five types of effect:

``gain_now``   gains once, when the card is activated
``convert``    pays something for something else, by ``use_card``
``trigger``    gains automatically at each event of its owner
``modify``     changes a rule
``end_game``   scores when the game is over
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, NewType

from rules.macao import data
from rules.macao.data import cubes

CardId = NewType("CardId", str)

ACTIVATED = "card_activated"
HAPPENINGS = ("quarter_claimed", "goods_delivered", "ship_step", "disc_overtaken", "tribute_paid")
EVENTS = (*data.KINDS, *HAPPENINGS)
"""The events that trigger effects, numbered in this order. The name of a kind of card stands for
the event that another card of this kind is activated.
"""
QUARTER_CLAIMED, GOODS_DELIVERED, SHIP_STEP, DISC_OVERTAKEN, TRIBUTE_PAID = map(
    data.Event, range(len(data.KINDS), len(EVENTS))
)


class Gain(NamedTuple):
    """A gain; ``cubes`` is a pile, ``cubes_any`` a number of cubes of chosen colours."""

    coins: int = 0
    prestige: int = 0
    cubes: int = 0
    cubes_any: int = 0
    wall: int = 0
    ship_steps: int = 0


class Convert(NamedTuple):
    """A use of a card: pay ``coins`` and ``cubes`` for a gain."""

    once_per_round: bool
    coins: int
    cubes: int
    pays: int | None
    """The number of cubes to pay whose colours the player chooses; None if there is no choice."""
    gain: Gain
    only_wall: bool
    """Whether the only gain is spaces on the wall."""

    def gains(self, bank: int) -> int | None:
        """Return the number of cubes of chosen colours that the bank gives (R35).

        Return None if the player has no cubes to choose.
        """
        number = self.gain.cubes_any
        return min(number, cubes.total(bank)) if number else None


class Trigger(NamedTuple):
    """A gain that a player gets each time that one of the ``events`` happens."""

    events: tuple[data.Event, ...]
    gain: Gain


class Modify(NamedTuple):
    """A change of a rule: its new value, and the good if it is a rule for one good."""

    rule: str
    value: int
    good: data.Good


METRICS = (
    "activated_offices", "activated_buildings", "activated_persons", "activated_cards", "card_sets",
    "quarters_owned", "dark_quarters_owned", "longest_chain", "coins", "goods_delivered",
    "distinct_goods_delivered", "wall_spaces", "punishments", "tableau_cards", "jokers_held",
)  # fmt: skip
"""The metrics of cards that score at the end; ``scoring`` counts them."""


class EndGame(NamedTuple):
    """A score at the end: ``floor(metric / divisor) * prestige``, up to ``max_prestige``."""

    metric: str
    divisor: int
    prestige: int
    max_prestige: int | None


class Card(NamedTuple):
    """A card; ``cost`` is a pile, and ``gold`` and ``prestige`` are its tribute numbers."""

    id: CardId
    kind: data.Kind
    cost: int
    gold: int
    prestige: int
    gains_now: tuple[Gain, ...]
    convert: Convert | None
    triggers: tuple[Trigger, ...]
    modifies: tuple[Modify, ...]
    end_games: tuple[EndGame, ...]
    text: Mapping[str, str]
    """The card's text, by language."""


class Powers(NamedTuple):
    """What all active cards of a player do together: the rules as they are for this player.

    ``triggers`` are the gains at each event, each with its card, and ``converts`` are the usable
    cards; both are in the order of activation (R31).
    """

    claims_per_round: int = data.CLAIMS_PER_ROUND
    claim_discount: int = 0
    claim_wild: int = 0
    dark_quarter_any_cube: int = 0
    joker_multiplier: int = 1
    remote_delivery: int = 0
    steps_per_cube: int = 1
    wall_extra_cost: int = data.WALL_EXTRA_COST
    stack_top: int = 0
    optional_draft: int = 0
    tributes_per_round: int = data.TRIBUTES_PER_ROUND
    tribute_discount: int = 0
    delivery_multiplier: tuple[int, ...] = (1,) * len(data.GOODS)
    triggers: tuple[tuple[tuple[CardId, Gain], ...], ...] = ((),) * len(EVENTS)
    converts: tuple[tuple[CardId, Convert], ...] = ()


NO_POWERS = Powers()
DELIVERY = "delivery_multiplier"
"""The only rule that has a value for each good."""
RULES = tuple(field for field in Powers._fields if field not in ("triggers", "converts"))


def with_card(powers: Powers, card: Card) -> Powers:
    """Add one active card. If two cards change one rule, the later one counts."""
    for rule, value, good in card.modifies:
        new: Any = value
        if rule == DELIVERY:
            by_good = powers.delivery_multiplier
            new = (*by_good[:good], value, *by_good[good + 1 :])
        powers = powers._replace(**{rule: new})
    triggers = list(powers.triggers)
    for events, gain in card.triggers:
        for event in events:
            triggers[event] += ((card.id, gain),)
    converts = powers.converts + (((card.id, card.convert),) if card.convert else ())
    return powers._replace(triggers=tuple(triggers), converts=converts)
