"""How good a state looked for a seat to ``greedy@1``.

Everything is counted in PP. The numbers are experience, not rules.
"""

from functools import cache

from rules.kernel.contract import Seat
from rules.macao import cards, data, moves, phases, play, scoring
from rules.macao.cards import CardId, Convert, Gain
from rules.macao.data import cubes
from rules.macao.state import State
from rules.macao.tables import TABLES, SpaceId

_COIN = 1.3
_MANY_COINS = 8
_COIN_OF_MANY = 0.5
_CUBE = 0.6
_JOKER = 3.5
_WALL_SPACE = 0.25
_WALL_PLACE = 0.4
_STEP = 0.45
_BEST = 0.36
"""What the best affordable thing counts: keep the cubes for it."""
_EMPTY_SECTOR = (6.0, 3.0, 1.5, 0.7, 0.3)
"""What it costs to have no cubes for the next round, the one after, and so on."""
_SECTOR_CUBES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""What each further cube of one sector is worth; more are worth nothing."""
_AFFORDABLE = 0.5
"""What an affordable card counts: less than an active one."""
_ON_THE_WAY = 0.85
"""How likely a card is activated if cubes for it are on the windrose."""
_USED = 0.8
"""How often a card is used if it can be."""

_EVENT_RATES = (0.3, 0.3, 0.3, 0.5, 0.35, 1.2, 0.2, 0.5)
"""How often a turn has each event that triggers (``cards.EVENTS``)."""
_RULE_VALUES = {
    **dict.fromkeys(("stack_top", "wall_extra_cost"), 0.2),
    "optional_draft": 0.25,
    **dict.fromkeys(("claim_wild", "dark_quarter_any_cube", "joker_multiplier"), 0.3),
    **dict.fromkeys(("remote_delivery", cards.DELIVERY), 0.3),
    **dict.fromkeys(("claim_discount", "steps_per_cube"), 0.5),
    **dict.fromkeys(("claims_per_round", "tribute_discount"), 0.6),
    "tributes_per_round": 0.7,
}
"""What a changed rule is worth in a turn."""
_GROWTH = 0.3
"""How much the metric of an end-of-game card grows in a turn."""


def look(state: State, seat: Seat) -> float:
    """What ``seat`` has and is about to get."""
    score = float(scoring.total(state, seat))
    if state.phase == phases.FINISHED:
        return score
    acted = state.phase == phases.ACTIONS and seat not in state.queue
    turns = data.ROUNDS - state.round + (not acted)  # including the present one
    return (
        score
        + _coins(state, seat, turns)
        + _JOKER * state.jokers[seat] * (1 if turns > 1 else 0.3)
        + _wall(state, seat, turns)
        + _cargo(state, seat, turns)
        + _active(state, seat, turns)
        + _plans(state, seat, turns)
        + _windrose(state, seat)
    )


def _acts(state: State, seat: Seat) -> bool:
    """Whether ``seat`` has the turn to which ``claims``, ``tributes`` and ``used_cards`` belong."""
    return state.phase == phases.ACTIONS and state.decider == seat


def _coins(state: State, seat: Seat, turns: int) -> float:
    coins = state.coins[seat]
    if turns > 1:
        return _COIN * min(coins, _MANY_COINS) + _COIN_OF_MANY * max(coins - _MANY_COINS, 0)
    bought = state.tributes if _acts(state, seat) else 0
    if not turns or bought >= state.powers[seat].tributes_per_round:
        return 0.0
    cost = play.price(state, seat) or 1  # the last purchase
    return _USED * state.tribute_prestige * min(1.0, coins / cost)


def _wall(state: State, seat: Seat, turns: int) -> float:
    if not turns:
        return 0.0
    behind = state.seats - 1 - state.wall_order.index(seat) if state.wall_order else 0
    return _WALL_SPACE * state.disc[seat] + _WALL_PLACE * behind


def _cargo(state: State, seat: Seat, turns: int) -> float:
    """What the goods aboard promise: the nearest tile in full, the others in part."""
    aboard = state.goods[seat]
    if not any(aboard) or not turns:
        return 0.0
    far = _distances(state.edition)[state.ship[seat]]
    hopes = []
    for good, tiles in zip(data.ALL_GOODS, aboard, strict=True):
        distance = far[state.tables.ports[good]]
        if tiles and distance <= turns * 3:
            value = play.delivery_prestige(state, seat, good) - _STEP * distance
            hopes += [max(value, 0.0)] * tiles
    hopes.sort(reverse=True)
    share = 0.7 if turns > 2 else 0.4
    return sum(hopes[:1]) * 0.9 + sum(hopes[1:]) * share


@cache
def _distances(edition: str) -> dict[SpaceId, dict[SpaceId, int]]:
    """Steps between all spaces of the sea."""
    spaces = TABLES[edition].spaces
    distances = {}
    for start in spaces:
        steps = {start: 0}
        for space in (frontier := [start]):
            for to in spaces[space].adjacent:
                if to not in steps:
                    steps[to] = steps[space] + 1
                    frontier.append(to)
        distances[start] = dict.fromkeys(spaces, len(spaces)) | steps
    return distances


# Cards


@cache
def _card_worth(edition: str, id_: CardId) -> tuple[float, float]:
    """What a card is worth when it is activated, and for each turn after that."""
    card = TABLES[edition].cards[id_]
    each_turn = _convert_worth(card.convert) if card.convert else 0.0
    for trigger in card.triggers:
        each_turn += _gain_worth(trigger.gain) * sum(_EVENT_RATES[e] for e in trigger.events)
    each_turn += sum(_RULE_VALUES[modify.rule] for modify in card.modifies)
    each_turn += sum(_GROWTH * e.prestige / e.divisor for e in card.end_games)
    return sum(map(_gain_worth, card.gains_now)), each_turn


def _gain_worth(gain: Gain) -> float:
    return (
        _COIN * gain.coins
        + gain.prestige
        + _CUBE * (cubes.total(gain.cubes) + 1.2 * gain.cubes_any)
        + 2 * _WALL_SPACE * gain.wall
        + 0.8 * _STEP * gain.ship_steps
    )


def _convert_worth(convert: Convert) -> float:
    cost = _COIN * convert.coins + _CUBE * (cubes.total(convert.cubes) + (convert.pays or 0))
    uses = 1.0 if convert.once_per_round else 1.5
    return _USED * uses * max(0.0, _gain_worth(convert.gain) - cost)


def _active(state: State, seat: Seat, turns: int) -> float:
    """What active cards bring in the turns to come; end-of-game cards count in full already."""
    value = 0.0
    used = state.used_cards if _acts(state, seat) else []
    for card in state.activated[seat]:
        times = turns - 1 if card in used else turns
        value += _card_worth(state.edition, card)[1] * times
    return value


def _card_value(state: State, seat: Seat, card: CardId, turns: int) -> float:
    """What activating a card of the tableau is worth, with the penalty that it avoids."""
    at_once, each_turn = _card_worth(state.edition, card)
    end_games = state.tables.cards[card].end_games
    now = sum([scoring.worth(state, seat, effect) for effect in end_games])
    return at_once + each_turn * turns + now - data.TABLEAU_PRESTIGE


def _plans(state: State, seat: Seat, turns: int) -> float:
    """What the cards of the tableau promise, and what the supply can pay for at once."""
    if not turns:
        return 0.0
    deck, supply, rose = state.tables.cards, state.supply[seat], state.windrose[seat]
    acting = state.phase == phases.ACTIONS and seat in state.queue
    best = promised = 0.0
    crowd = 1.0
    plans = []
    for card in state.tableau[seat]:
        cost = deck[card].cost
        value = _card_value(state, seat, card, turns)
        if acting and cubes.covers(supply, cost):
            best = max(best, value)
            plans.append(_AFFORDABLE * value)
        elif any(cubes.covers(pile, cost) for pile in rose):
            plans.append(_ON_THE_WAY * _card_value(state, seat, card, turns - 1))
        else:
            hard = 0.12 * cubes.total(cost) + 0.1 * len(cubes.kinds(cost))
            chance = min(0.8, 0.12 * turns) * max(0.2, 1.0 - hard)
            plans.append(chance * value)
    for plan in sorted(plans, reverse=True):
        promised += plan * crowd
        crowd *= 0.9
    if acting:
        best = max(best, _best_claim(state, seat, turns))
    return promised + _BEST * best


def _best_claim(state: State, seat: Seat, turns: int) -> float:
    """The value of the best quarter that the supply pays for."""
    claimed = state.claims if _acts(state, seat) else 0
    allowed = state.powers[seat].claims_per_round
    if claimed >= allowed or not play.markers_left(state, seat):
        return 0.0
    quarters, supply = state.tables.quarters, state.supply[seat]
    bare = 2.0 if turns > 3 else 0.5
    return max(
        [
            (3.5 if state.tiles[move.quarter] == data.JOKER else bare)
            + (2.0 if state.claimed[seat] & quarters[move.quarter].adjacent else 0.0)
            for move, payment in moves.claims(state, seat).items()
            if state.owner[move.quarter] is None and cubes.covers(supply, payment)
        ],
        default=0.0,
    )


def _windrose(state: State, seat: Seat) -> float:
    """What the cubes on the way are worth, and the rounds without any."""
    value = 0.0
    turned = state.phase == phases.ACTIONS
    rounds = min(data.ROUNDS - state.round + (not turned), len(state.windrose[seat]))
    for sector in range(rounds):
        pile = state.windrose[seat][sector]
        if pile:
            value += sum(_SECTOR_CUBES[: cubes.total(pile)]) * (0.98**sector)
        elif sector < len(_EMPTY_SECTOR):
            value -= _EMPTY_SECTOR[sector]
    return value
