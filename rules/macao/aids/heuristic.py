"""How good a state looks for each seat.

Everything is counted in thousandths of a PP. The numbers are experience, not rules.
"""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from operator import mul
from typing import NamedTuple

from rules.kernel.contract import Seat, all_seats
from rules.macao import cards, data, moves, phases, play, scoring
from rules.macao.cards import CardId, Convert, EndGame, Gain
from rules.macao.data import cubes
from rules.macao.state import State
from rules.macao.tables import TABLES, QuarterId, SpaceId

_PP = 1000
_COIN = 1300
_MANY_COINS = 8
_COIN_OF_MANY = 500
_CUBE = 600
_CHOSEN_CUBE = 720
_JOKER = 3500
_LAST_JOKER = 1050
"""What a joker counts in the last round."""
_WALL_SPACE = 250
_WALL_PLACE = 400
_STEP = 450
_FREE_STEP = 360
_REACH = 3
"""How many steps a ship makes in a round."""
_NEAREST, _CARGO, _LATE_CARGO = 900, 700, 400
"""What the first tile aboard counts, in thousandths, and the others, before the last two rounds."""
_BEST = 360
"""What the best affordable thing counts, in thousandths: keep the cubes for it."""
_JOKER_QUARTER, _QUARTER, _LATE_QUARTER, _NEIGHBOUR = 3500, 2000, 500, 2000
_EMPTY_SECTOR = (6000, 3000, 1500, 700, 300, 0)
"""What it costs to have no cubes for the next round, the one after, and so on."""
_SECTOR_CUBES = (1000, 900, 800, 700, 600, 500)
"""What each further cube of one sector is worth; more are worth nothing."""
_WAITING = 98
"""What counts of cubes that come a round later, in percent."""
_AFFORDABLE = 500
"""What an affordable card counts, in thousandths: less than an active one."""
_ON_THE_WAY = 850
"""How likely a card is activated if cubes for it are on the windrose, in thousandths."""
_SOME_TIME, _AT_MOST = 120, 800
"""How likely another is, with each round that is left, in thousandths."""
_HARD_CUBE, _HARD_COLOUR, _EASY_AT_LEAST = 120, 100, 200
"""How much less likely it is by what it costs, in thousandths."""
_CROWD = 900
"""What counts of the next best card of a tableau, in thousandths."""
_USED = 800
"""How often a card is used if it can be, in thousandths."""

_EVENT_RATES = (300, 300, 300, 500, 350, 1200, 200, 500)
"""How often a turn has each event that triggers (``cards.EVENTS``), in thousandths."""
_RULE_VALUES = {
    **dict.fromkeys(("stack_top", "wall_extra_cost"), 200),
    "optional_draft": 250,
    **dict.fromkeys(("claim_wild", "dark_quarter_any_cube", "joker_multiplier"), 300),
    **dict.fromkeys(("remote_delivery", cards.DELIVERY), 300),
    **dict.fromkeys(("claim_discount", "steps_per_cube"), 500),
    **dict.fromkeys(("claims_per_round", "tribute_discount"), 600),
    "tributes_per_round": 700,
}
"""What a changed rule is worth in a turn."""
_KEPT = 4096
"""How many of each kind of piece of a seat are remembered: few change with a move."""
_GROWTH = 300
"""How much the metric of an end-of-game card grows in a turn, in thousandths."""


def heuristic(state: State) -> list[int]:
    """Return what each seat has and is about to get."""
    seats = all_seats(state.seats)
    if state.phase == phases.FINISHED:
        return [_PP * scoring.total(state, seat) for seat in seats]
    acting = state.phase == phases.ACTIONS
    left = data.ROUNDS - state.round
    to_come, queue = left + (not acting), state.queue
    slots = _next_slots(state) if any(map(any, state.goods)) else ()
    looks = []
    for seat in seats:
        turns = left + (not acting or seat in queue)  # including the present one
        look = _standing(state, seat, turns) + _windrose(state.windrose[seat], to_come)
        if turns:
            look += (
                _wall(state, seat) + _cargo(state, seat, turns, slots) + _plans(state, seat, turns)
            )
        looks.append(look + _coins(state, seat, turns))
    return looks


def _acts(state: State, seat: Seat) -> bool:
    """Whether ``seat`` has the turn to which ``claims``, ``tributes`` and ``used_cards`` belong."""
    return state.phase == phases.ACTIONS and state.decider == seat


def _coins(state: State, seat: Seat, turns: int) -> int:
    coins = state.coins[seat]
    if turns > 1:
        if coins <= _MANY_COINS:
            return _COIN * coins
        return _COIN * _MANY_COINS + _COIN_OF_MANY * (coins - _MANY_COINS)
    bought = state.tributes if _acts(state, seat) else 0
    if not turns or bought >= state.powers[seat].tributes_per_round:
        return 0
    cost = play.price(state, seat) or 1  # the last purchase
    return _USED * state.tribute_prestige * min(coins, cost) // cost


def _wall(state: State, seat: Seat) -> int:
    order = state.wall_order
    behind = state.seats - 1 - order.index(seat) if order else 0
    return _WALL_SPACE * state.disc[seat] + _WALL_PLACE * behind


def _cargo(state: State, seat: Seat, turns: int, slots: Sequence[int]) -> int:
    """What the goods aboard promise: the nearest tile in full, the others in part."""
    aboard = state.goods[seat]
    if not any(aboard):
        return 0
    far, reach = _to_ports(state.edition)[state.ship[seat]], turns * _REACH
    times = state.powers[seat].delivery_multiplier
    best = total = 0
    for good, tiles in enumerate(aboard):
        if tiles and (distance := far[good]) <= reach:
            value = _PP * slots[good] * times[good] - _STEP * distance  # R22
            if value > 0:
                total += tiles * value
                best = max(best, value)
    share = _CARGO if turns > 2 else _LATE_CARGO
    return (best * _NEAREST + (total - best) * share) // 1000


def _next_slots(state: State) -> Sequence[int]:
    """PP of the best free slot of each good's port, 0 if all are filled (R21)."""
    filled = map(sum, zip(*state.delivered, strict=True))
    return [slots[n] for slots, n in zip(_slots(state.edition), filled, strict=True)]


@cache
def _slots(edition: str) -> Sequence[Sequence[int]]:
    """PP of the slots of each good's port, and of none."""
    spaces, ports = TABLES[edition].spaces, TABLES[edition].ports
    return [(*spaces[port].slots, 0) for port in ports]


@cache
def _to_ports(edition: str) -> Mapping[SpaceId, Sequence[int]]:
    """Steps from all spaces of the sea to the port of each good."""
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
    """What a card costs, how likely that is to be paid some time, and what it is worth.

    ``now`` is what it brings when it is activated, the penalty that it avoids included, and
    ``each_turn`` what it brings after that.
    """

    cost: int
    easy: int
    now: int
    each_turn: int
    end_games: tuple[EndGame, ...]


@cache
def _deck(edition: str) -> Mapping[CardId, _Card]:
    deck = {}
    for id_, card in TABLES[edition].cards.items():
        each_turn = _convert_worth(card.convert) if card.convert else 0
        for trigger in card.triggers:
            rate = sum([_EVENT_RATES[event] for event in trigger.events])
            each_turn += _gain_worth(trigger.gain) * rate // 1000
        each_turn += sum([_RULE_VALUES[modify.rule] for modify in card.modifies])
        each_turn += sum([_GROWTH * e.prestige // e.divisor for e in card.end_games])
        hard = _HARD_CUBE * cubes.total(card.cost) + _HARD_COLOUR * len(cubes.kinds(card.cost))
        now = sum(map(_gain_worth, card.gains_now)) - _PP * data.TABLEAU_PRESTIGE
        easy = max(_EASY_AT_LEAST, 1000 - hard)
        deck[id_] = _Card(card.cost, easy, now, each_turn, card.end_games)
    return deck


def _gain_worth(gain: Gain) -> int:
    return (
        _COIN * gain.coins
        + _PP * gain.prestige
        + _CUBE * cubes.total(gain.cubes)
        + _CHOSEN_CUBE * gain.cubes_any
        + 2 * _WALL_SPACE * gain.wall
        + _FREE_STEP * gain.ship_steps
    )


def _convert_worth(convert: Convert) -> int:
    cost = _COIN * convert.coins + _CUBE * (cubes.total(convert.cubes) + (convert.pays or 0))
    uses = 2 if convert.once_per_round else 3
    return _USED * uses * max(0, _gain_worth(convert.gain) - cost) // 2000


@lru_cache(maxsize=_KEPT)
def _activated(edition: str, active: tuple[CardId, ...]) -> tuple[int, tuple[EndGame, ...]]:
    """What active cards bring in each turn, and what they count at the end."""
    deck = _deck(edition)
    each_turn = sum([deck[card].each_turn for card in active])
    return each_turn, tuple([effect for card in active for effect in deck[card].end_games])


def _standing(state: State, seat: Seat, turns: int) -> int:
    """The score as it is, and what active cards and jokers bring in the turns to come."""
    each_turn, end_games = _activated(state.edition, state.activated[seat])
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
        deck = _deck(state.edition)
        standing -= sum([deck[card].each_turn for card in state.used_cards])
    return standing + (_JOKER if turns > 1 else _LAST_JOKER) * state.jokers[seat]


def _plans(state: State, seat: Seat, turns: int) -> int:
    """What the cards of the tableau promise, and what the supply can pay for at once."""
    acting = state.phase == phases.ACTIONS and seat in state.queue
    tableau, supply = state.tableau[seat], state.supply[seat] if acting else 0
    ends = [scoring.worth(state, seat, effect) for effect in _ends(state.edition, tableau)]
    promised, best = _promised(
        state.edition, tableau, tuple(ends), state.windrose[seat], supply, turns
    )
    if supply:
        best = max(best, _best_claim(state, seat, turns))
    return promised + _BEST * best // 1000


@lru_cache(maxsize=_KEPT)
def _ends(edition: str, tableau: tuple[CardId, ...]) -> Sequence[EndGame]:
    """What the cards of a tableau would count at the end, one after the other."""
    return [effect for card in tableau for effect in _deck(edition)[card].end_games]


@lru_cache(maxsize=_KEPT)
def _promised(
    edition: str,
    tableau: tuple[CardId, ...],
    ends: tuple[int, ...],
    windrose: tuple[int, ...],
    supply: int,
    turns: int,
) -> tuple[int, int]:
    """What a tableau promises, whose ``_ends`` are worth so much, and the best that can be paid."""
    deck, guard = _deck(edition), cubes.guard
    some_time = min(_AT_MOST, _SOME_TIME * turns)
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
            plans.append(_AFFORDABLE * value)
        elif any(pile - cost & guard == guard for pile in rose):
            plans.append(_ON_THE_WAY * (value - each_turn))
        else:
            plans.append(some_time * easy * value // 1000)
    plans.sort(reverse=True)
    promised = sum(map(mul, plans, _CROWDS))
    return promised // 1_000_000, best


_CROWDS = tuple(1000 * _CROWD**place // 1000**place for place in range(data.TABLEAU + 1))


def _best_claim(state: State, seat: Seat, turns: int) -> int:
    """The value of the best quarter that the supply pays for."""
    powers, supply = state.powers[seat], state.supply[seat]
    claimed = state.claims if _acts(state, seat) else 0
    if not supply or claimed >= powers.claims_per_round or not play.markers_left(state, seat):
        return 0
    bare = _QUARTER if turns > 3 else _LATE_QUARTER
    own, owner, tiles = state.claimed[seat], state.owner, state.tiles
    key = powers.claim_discount, powers.claim_wild, powers.dark_quarter_any_cube
    best = 0
    for quarter, adjacent in _payable(state.edition, supply, *key):
        if owner[quarter] is None:
            value = _JOKER_QUARTER if tiles[quarter] == data.JOKER else bare
            if own & adjacent:
                value += _NEIGHBOUR
            best = max(best, value)
    return best


@lru_cache(maxsize=_KEPT)
def _payable(
    edition: str, supply: int, discount: int, wild: int, any_cube: int
) -> Sequence[tuple[QuarterId, int]]:
    """The quarters that a supply pays for, each with the bits of its neighbours."""
    quarters = TABLES[edition].quarters
    claims = moves.claims_of(edition, discount, wild, any_cube)
    found = {move.quarter for move, pile in claims.items() if cubes.covers(supply, pile)}
    return [(id_, quarter.adjacent) for id_, quarter in quarters.items() if id_ in found]


@lru_cache(maxsize=_KEPT)
def _windrose(windrose: tuple[int, ...], rounds: int) -> int:
    """What the cubes on the way are worth, and the rounds without any, of those to come."""
    value = 0
    for pile, empty, worth in zip(windrose[:rounds], _EMPTY_SECTOR, _SECTORS, strict=False):
        value += worth[min(cubes.total(pile), len(_SECTOR_CUBES))] if pile else -empty
    return value


_SECTORS = tuple(
    tuple(
        sum(_SECTOR_CUBES[:count]) * _WAITING**sector // 100**sector
        for count in range(len(_SECTOR_CUBES) + 1)
    )
    for sector in range(data.SECTORS)
)
"""By sector, what so many cubes are worth there."""
