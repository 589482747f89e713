"""Evaluates a state for each seat (``Ruleset.heuristic``).

All values are in thousandths of a PP; the weights are in ``heuristic_weights``.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import getitem, mul
from typing import NamedTuple

from rules.kernel.contract import Seat, all_seats
from rules.macao import cards, data, moves, phases, play, scoring
from rules.macao.aids.heuristic_weights import WEIGHTS, Weights
from rules.macao.cards import CardId, Convert, EndGame, Gain
from rules.macao.data import cubes
from rules.macao.state import State
from rules.macao.tables import TABLES, QuarterId, SpaceId

_PP = 1000
_MANY_COINS = 8
_FEW_TURNS = 3
_REACH = 3
"""Estimated number of spaces that a ship moves in a round."""
_RULE_VALUES = {
    **dict.fromkeys(("stack_top", "wall_extra_cost"), 200),
    "optional_draft": 250,
    **dict.fromkeys(("claim_wild", "dark_quarter_any_cube", "joker_multiplier"), 300),
    **dict.fromkeys(("remote_delivery", cards.DELIVERY), 300),
    **dict.fromkeys(("claim_discount", "steps_per_cube"), 500),
    **dict.fromkeys(("claims_per_round", "tribute_discount"), 600),
    "tributes_per_round": 700,
}
"""For each rule that a card can change, the value of that change in each turn."""
_KEPT = 4096
"""Size of the caches for a seat's property; a move changes little of it."""
_WEIGHED = 16
"""Number of sets of weights for which the values that depend only on the weights are cached."""


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return the value of each seat's property and prospects."""
    return _looks(state, all_seats(state.seats), w)


def look(state: State, seat: Seat, w: Weights = WEIGHTS) -> int:
    """Return the value of the property and prospects of ``seat``, as ``heuristic`` does."""
    return _looks(state, (seat,), w)[0]


def _looks(state: State, seats: Sequence[Seat], w: Weights) -> list[int]:
    if state.phase == phases.FINISHED:
        return [_PP * scoring.total(state, seat) for seat in seats]
    acting = state.phase == phases.ACTIONS
    left = data.ROUNDS - state.round
    to_come, queue = left + (not acting), state.queue
    slots = _next_slots(state) if any(map(any, state.goods)) else ()
    edition, order, disc, last = state.edition, state.wall_order, state.disc, state.seats - 1
    looks = []
    for seat in seats:
        turns = left + (not acting or seat in queue)  # turns left, with the current one
        look = _standing(state, seat, turns, w) + _windrose(state.windrose[seat], to_come, w)
        if turns:
            behind = last - order.index(seat) if order else 0
            look += w.wall_space * disc[seat] + w.wall_place * behind
            look += _plans(state, seat, turns, w)
            if any(aboard := state.goods[seat]):
                times = state.powers[seat].delivery_multiplier
                look += _cargo(edition, aboard, state.ship[seat], times, turns, slots, w)
        looks.append(look + _coins(state, seat, turns, w))
    return looks


def _acts(state: State, seat: Seat) -> bool:
    """Whether it is the turn of ``seat``.

    If so, ``claims`` and ``used_cards`` in the state belong to ``seat``.
    """
    return state.phase == phases.ACTIONS and state.decider == seat


def _coins(state: State, seat: Seat, turns: int, w: Weights) -> int:
    coins = state.coins[seat]
    if turns > 1:
        coin = w.coin + w.coin_each_turn * (turns - _FEW_TURNS)
        if coins <= _MANY_COINS:
            return coin * coins
        return coin * _MANY_COINS + w.coin_of_many * (coins - _MANY_COINS)
    bought = state.tributes if _acts(state, seat) else 0
    if not turns or bought >= state.powers[seat].tributes_per_round:
        return 0
    cost = play.price(state, seat) or 1  # the cost of the last purchase
    return w.last_purchase * state.tribute_prestige * min(coins, cost) // cost


@lru_cache(maxsize=_KEPT)
def _cargo(
    edition: str,
    aboard: tuple[int, ...],
    ship: SpaceId,
    times: tuple[int, ...],
    turns: int,
    slots: tuple[int, ...],
    w: Weights,
) -> int:
    """Return the value of the goods aboard a ship.

    The tile that is delivered first counts most. The other tiles count for a smaller share of their
    value.
    """
    far, reach = _to_ports(edition)[ship], turns * _REACH
    best = total = 0
    for good, tiles in enumerate(aboard):
        if tiles and (distance := far[good]) <= reach:
            value = _PP * slots[good] * times[good] - w.step * distance  # R22
            if value > 0:
                total += tiles * value
                best = max(best, value)
    share = w.cargo if turns > 2 else w.late_cargo
    return (best * w.nearest + (total - best) * share) // 1000


def _next_slots(state: State) -> tuple[int, ...]:
    """Return the PP of the best free slot of each good's port; 0 if all slots are filled (R21)."""
    filled = map(sum, zip(*state.delivered, strict=True))
    return tuple(map(getitem, _slots(state.edition), filled))


@cache
def _slots(edition: str) -> Sequence[Sequence[int]]:
    """Return the PP of the slots of each good's port, followed by 0."""
    spaces, ports = TABLES[edition].spaces, TABLES[edition].ports
    return [(*spaces[port].slots, 0) for port in ports]


@cache
def _to_ports(edition: str) -> Mapping[SpaceId, Sequence[int]]:
    """Return the number of steps from each space of the sea to the port of each good."""
    spaces, ports = TABLES[edition].spaces, TABLES[edition].ports
    distances = {}
    for start in spaces:
        steps = {start: 0}
        for space in (frontier := [start]):
            for to in spaces[space].adjacent:
                if to not in steps:
                    steps[to] = steps[space] + 1
                    frontier.append(to)
        distances[start] = tuple([steps.get(port, len(spaces)) for port in ports])
    return distances


# Cards


class _Card(NamedTuple):
    """A card's cost, how easy it is to pay (in thousandths), and its values.

    ``now`` is the value of its activation, including the penalty that is avoided; ``each_turn`` is
    its value in each later turn. ``end_games`` are its effects at the end of the game.
    """

    cost: int
    easy: int
    now: int
    each_turn: int
    end_games: tuple[EndGame, ...]


@lru_cache(maxsize=_WEIGHED)
def _deck(edition: str, w: Weights) -> Mapping[CardId, _Card]:
    deck = {}
    for id_, card in TABLES[edition].cards.items():
        each_turn = _convert_worth(card.convert, w) if card.convert else 0
        for trigger in card.triggers:
            rate = sum([w.event_rates[event] for event in trigger.events])
            each_turn += _gain_worth(trigger.gain, w) * rate // 1000
        rules = sum([_RULE_VALUES[modify.rule] for modify in card.modifies])
        each_turn += w.changed_rule * rules // 1000
        each_turn += sum([w.growth * e.prestige // e.divisor for e in card.end_games])
        hard = w.hard_cube * cubes.total(card.cost) + w.hard_colour * len(cubes.kinds(card.cost))
        now = sum([_gain_worth(gain, w) for gain in card.gains_now]) - _PP * data.TABLEAU_PRESTIGE
        easy = max(w.easy_at_least, 1000 - hard)
        deck[id_] = _Card(card.cost, easy, now, each_turn, card.end_games)
    return deck


def _gain_worth(gain: Gain, w: Weights) -> int:
    return (
        w.coin * gain.coins
        + _PP * gain.prestige
        + w.cube * cubes.total(gain.cubes)
        + w.chosen_cube * gain.cubes_any
        + 2 * w.wall_space * gain.wall
        + w.free_step * gain.ship_steps
    )


def _convert_worth(convert: Convert, w: Weights) -> int:
    cost = w.coin * convert.coins + w.cube * (cubes.total(convert.cubes) + (convert.pays or 0))
    uses = 2 if convert.once_per_round else 3
    return w.used * uses * max(0, _gain_worth(convert.gain, w) - cost) // 2000


@lru_cache(maxsize=_KEPT)
def _activated(
    edition: str, active: tuple[CardId, ...], w: Weights
) -> tuple[int, tuple[EndGame, ...]]:
    """Return the value of active cards in each turn, and their effects at the end of the game."""
    deck = _deck(edition, w)
    each_turn = sum([deck[card].each_turn for card in active])
    return each_turn, tuple([effect for card in active for effect in deck[card].end_games])


def _standing(state: State, seat: Seat, turns: int, w: Weights) -> int:
    """Return the value of the present score, and of active cards and jokers in later turns."""
    each_turn, end_games = _activated(state.edition, state.activated[seat], w)
    prestige = (
        state.prestige[seat]
        + data.CHAIN_PRESTIGE * scoring.longest_chain(state, seat)
        + data.PUNISHMENT_PRESTIGE * state.punishments[seat]
        + data.TABLEAU_PRESTIGE * len(state.tableau[seat])
    )
    for effect in end_games:
        prestige += scoring.worth(state, seat, effect)
    standing = _PP * prestige + each_turn * turns
    if state.used_cards and _acts(state, seat):
        deck = _deck(state.edition, w)
        standing -= sum([deck[card].each_turn for card in state.used_cards])
    return standing + (w.joker if turns > 1 else w.last_joker) * state.jokers[seat]


def _plans(state: State, seat: Seat, turns: int, w: Weights) -> int:
    """Return the value of the cards on the tableau, and of the best purchase with the supply."""
    acting = state.phase == phases.ACTIONS and seat in state.queue
    tableau, supply = state.tableau[seat], state.supply[seat] if acting else 0
    ends = [scoring.worth(state, seat, effect) for effect in _ends(state.edition, tableau)]
    promised, best = _promised(
        state.edition, tableau, tuple(ends), state.windrose[seat], supply, turns, w
    )
    if supply:
        best = max(best, _best_claim(state, seat, turns, w))
    return promised + w.best * best // 1000


@lru_cache(maxsize=_KEPT)
def _ends(edition: str, tableau: tuple[CardId, ...]) -> Sequence[EndGame]:
    """Return the end-of-game effects of the cards on a tableau, in the order of the cards."""
    deck = TABLES[edition].cards
    return [effect for card in tableau for effect in deck[card].end_games]


@lru_cache(maxsize=_KEPT)
def _promised(
    edition: str,
    tableau: tuple[CardId, ...],
    ends: tuple[int, ...],
    windrose: tuple[int, ...],
    supply: int,
    turns: int,
    w: Weights,
) -> tuple[int, int]:
    """Return two values: the value of a tableau, and the value of the best card to pay for now.

    Every card counts in the value of the tableau, also a card that the seat cannot pay for yet. The
    second value looks only at cards that ``supply`` can pay for. It is 0 if there is no such card.
    ``ends`` has one number for each effect in ``_ends(edition, tableau)``: the PP that the effect
    would give if the game ended now.
    """
    deck, guard = _deck(edition, w), cubes.guard
    some_time = min(w.at_most, w.some_time * turns)
    rose = [pile | guard for pile in windrose if pile]
    counted = iter(ends)
    best = 0
    plans = []
    for card in tableau:
        cost, easy, value, each_turn, end_games = deck[card]
        value += each_turn * turns
        for _ in end_games:
            value += _PP * next(counted)
        if (supply | guard) - cost & guard == guard:
            best = max(best, value)
            plans.append(w.affordable * value)
        elif any(pile - cost & guard == guard for pile in rose):
            plans.append(w.on_the_way * (value - each_turn))
        else:
            plans.append(some_time * easy * value // 1000)
    plans.sort(reverse=True)
    promised = sum(map(mul, plans, _crowds(w)))
    return promised // 1_000_000, best


@lru_cache(maxsize=_WEIGHED)
def _crowds(w: Weights) -> Sequence[int]:
    """Return factors for the values of a tableau's cards, the best card first, in thousandths."""
    return [1000 * w.crowd**place // 1000**place for place in range(data.TABLEAU + 1)]


def _best_claim(state: State, seat: Seat, turns: int, w: Weights) -> int:
    """Return the value of the best quarter that the supply can pay for."""
    powers, supply = state.powers[seat], state.supply[seat]
    claimed = state.claims if _acts(state, seat) else 0
    if not supply or claimed >= powers.claims_per_round or not play.markers_left(state, seat):
        return 0
    bare = w.quarter if turns > 3 else w.late_quarter
    own, owner, tiles = state.claimed[seat], state.owner, state.tiles
    key = powers.claim_discount, powers.claim_wild, powers.dark_quarter_any_cube
    best = 0
    for quarter, adjacent in _payable(state.edition, supply, *key):
        if owner[quarter] is None:
            value = w.joker_quarter if tiles[quarter] == data.JOKER else bare
            if own & adjacent:
                value += w.neighbour
            best = max(best, value)
    return best


@lru_cache(maxsize=_KEPT)
def _payable(
    edition: str, supply: int, discount: int, wild: int, any_cube: int
) -> Sequence[tuple[QuarterId, int]]:
    """Return the quarters that ``supply`` can pay for, each with the bits of its neighbours."""
    quarters = TABLES[edition].quarters
    claims = moves.claims_of(edition, discount, wild, any_cube)
    found = {move.quarter for move, pile in claims.items() if cubes.covers(supply, pile)}
    return [(id_, quarter.adjacent) for id_, quarter in quarters.items() if id_ in found]


@lru_cache(maxsize=_KEPT)
def _windrose(windrose: tuple[int, ...], rounds: int, w: Weights) -> int:
    """Return the value of the cubes for coming rounds, less the cost of rounds without cubes."""
    value = 0
    for pile, empty, worth in zip(windrose[:rounds], w.empty_sector, _sectors(w), strict=False):
        value += worth[min(cubes.total(pile), data.FACES)] if pile else -empty
    return value


@lru_cache(maxsize=_WEIGHED)
def _sectors(w: Weights) -> Sequence[Sequence[int]]:
    """Return for each sector the value of each number of cubes on it."""
    worths = [sum(w.sector_cubes[:count]) for count in range(data.FACES + 1)]
    return [
        [worth * w.waiting**sector // 100**sector for worth in worths]
        for sector in range(data.SECTORS)
    ]
