"""Evaluates a state for each seat (``Ruleset.heuristic``).

Values are in thousandths of a peso at the end of the game. Chances are integers, and ``SURE``
stands for a certain event. The odds of the punts are exact; the other numbers are estimates, not
numbers of the rules, and most of them are in ``heuristic_weights``.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from rules.kernel.contract import NOBODY, Seat, all_seats
from rules.manila import data, play
from rules.manila.aids.heuristic_weights import WEIGHTS, Weights
from rules.manila.data import NONE, Ware
from rules.manila.scoring import fortune
from rules.manila.state import UNDECIDED, State

_PESO = 1000
SURE = 21_600
"""The chance of a certain event: a hundred times the number of rolls of three dice."""
_FINALS = (
    (18_000, 13_000, 9_000, 4_000, 0),
    (23_000, 23_000, 18_000, 12_000, 5_000),
    (25_000, 25_000, 25_000, 20_500, 10_000),
    (27_000, 27_000, 27_000, 27_000, 20_000),
    (30_000, 30_000, 30_000, 30_000, 30_000),
)
"""The expected final value of a share, by the step of its ware and of the highest ware."""
_NUDGES = {data.PILOT_SMALL: 1, data.PILOT_BIG: 2}
"""For each pilot, the number of faces of a die with which a punt arrives at the last roll only with
his help.
"""


class Odds(NamedTuple):
    """The chances that a punt arrives, and that it ends on the last space."""

    arrives: int
    strands: int


@cache
def odds(rolls: int, position: int) -> Odds:
    """Return the odds of a punt with ``rolls`` rolls left, without the pilots."""
    if not rolls or position == data.ARRIVED:
        return Odds(SURE * (position == data.ARRIVED), SURE * (position == data.LAST_SPACE))
    ends = [odds(rolls - 1, min(position + face, data.ARRIVED)) for face in data.FACES]
    arrives, strands = (sum(chances) // len(data.FACES) for chances in zip(*ends, strict=True))
    return Odds(arrives, strands)


_ODDS = tuple(
    tuple(odds(rolls, position) for position in range(data.ARRIVED + 1))
    for rolls in range(data.MOVEMENTS + 1)
)
_NOWHERE = Odds(0, 0)
_TO_COME = {
    seats: tuple(
        (schedule[at:].count(data.MOVEMENT_ROUND), schedule[at:].count(data.PLACEMENT_ROUND))
        for at in range(1, len(schedule) + 1)
    )
    for seats, schedule in data.SCHEDULES.items()
}
"""The numbers of movement and placement rounds after each round of the voyage."""
_ROLL_NEXT = (play.SMALL_PILOT, play.BIG_PILOT, play.MOVEMENT)
_PORTS, _SHIPYARDS = (tuple(data.BERTH_SPACES[berth]) for berth in data.BERTHS)
_PORT_PAYS, _SHIPYARD_PAYS = (data.PAYOUTS[berth] for berth in data.BERTHS)


def heuristic(state: State, w: Weights = WEIGHTS) -> list[int]:
    """Return each seat's property and expectations, less the average of the others."""
    seats = state.seats
    if state.phase == play.GAME_OVER:
        worths = [_PESO * fortune(state, seat) for seat in all_seats(seats)]
        *_, second, first = sorted(worths)
        return [worth - (second if worth == first else first) for worth in worths]
    worths = _worths(state, w)
    total, others = sum(worths), seats - 1
    leads = [(seats * worth - total) // others for worth in worths]
    if state.finance != UNDECIDED and state.decider != NOBODY:
        leads[state.decider] -= w.dithering
    return leads


def _worths(state: State, w: Weights) -> list[int]:
    """Return the value of every seat's property and expectations."""
    voyage = None if state.step == NONE else _Voyage(state, w)
    arrives = voyage.docks if voyage else _unloaded(state.left_out, w.unloaded)
    a, b, c, d = _finals(tuple(state.market), tuple(arrives), w.share)
    worths = [
        _PESO * (cash - data.PENALTY * pledged)
        + w.liquidity * (cash + data.LOAN * free)
        + (dealt[0] + bought[0]) * a
        + (dealt[1] + bought[1]) * b
        + (dealt[2] + bought[2]) * c
        + (dealt[3] + bought[3]) * d
        for cash, pledged, free, dealt, bought in zip(
            state.cash, state.pledged, state.free, state.dealt, state.bought, strict=True
        )
    ]
    if voyage:
        voyage.add_income(worths)
    else:
        _add_office(state, worths, w)
    return worths


@cache
def _unloaded(left_out: Ware, percent: int) -> Sequence[int]:
    """Return the chance of each ware to arrive in a voyage that has not begun."""
    return tuple(0 if ware == left_out else SURE * percent // 100 for ware in data.ALL_WARES)


@cache
def _ends(percent: int) -> Sequence[Sequence[int]]:
    """Return the values of ``_FINALS``, each multiplied by ``percent`` / 100.

    ``_FINALS`` has the expected final values of a share. ``percent`` says how much of them counts.
    """
    return [[percent * final // 100 for final in finals] for finals in _FINALS]


@lru_cache(maxsize=4096)  # cached, because few moves change the market or the punts
def _finals(market: tuple[int, ...], arrives: tuple[int, ...], percent: int) -> Sequence[int]:
    """Return the expected final value of a share of each ware, by the wares' chances to arrive."""
    top, ends = max(market), _ends(percent)
    finals = []
    for ware, step in enumerate(market):
        keeps = SURE  # after the loop: the chance that no other ware raises the market's top
        for other, at in enumerate(market):
            if at == top and other != ware:
                keeps = keeps * (SURE - arrives[other]) // SURE
        risen, same = ends[step + 1], ends[step]
        if_it_comes = _between(keeps, risen[max(top, step + 1)], risen[top + 1])
        if_not = _between(keeps, same[top], same[top + 1])
        finals.append(_between(arrives[ware], if_it_comes, if_not))
    return tuple(finals)


def _between(chance: int, one: int, other: int) -> int:
    """Return the expected value: ``one`` has the probability ``chance``, ``other`` has the rest."""
    return other + (one - other) * chance // SURE


def _rise(market: Sequence[int], ware: Ware) -> int:
    """Return how much a share rises if its ware arrives and no other does."""
    top, step = max(market), market[ware]
    return _FINALS[step + 1][max(top, step + 1)] - _FINALS[step][top]


def _add_office(state: State, worths: list[int], w: Weights) -> None:
    """Add the office's value for its holder, or for the highest bidder, less the bid."""
    auction = state.phase == play.AUCTION
    holder, due = (state.high_bidder, state.high) if auction else (state.harbour_master, 0)
    if holder != NOBODY:
        shares = state.shares(holder)
        gains = [shares[ware] * _rise(state.market, ware) for ware in play.loaded(state)]
        best_two = sum(sorted(gains)[-2:])
        worths[holder] += w.office + w.steering * best_two // 100 - _PESO * due


class _Voyage:
    """The expected income from this voyage; ``docks`` has each ware's chance to reach a port."""

    __slots__ = ("docks", "odds", "plunder", "rolls", "rounds", "state", "w")

    def __init__(self, state: State, w: Weights) -> None:
        self.state = state
        self.w = w
        rolls, self.rounds = _TO_COME[state.seats][state.step]
        self.rolls = rolls + (state.phase in _ROLL_NEXT)
        self.plunder = 100 if state.crews[data.PIRATE] else w.plunder[self.rounds]
        self.odds = [_NOWHERE] * len(data.WARES)
        self.docks = [0] * len(data.WARES)
        to_port = 100 - self.plunder * (100 - w.to_port) // 100
        table = _ODDS[self.rolls]
        for ware in state.at_sea:
            arrives, strands = self.odds[ware] = table[state.position[ware]]
            self.docks[ware] = arrives + strands * to_port // 100
        for ware in state.docked:
            self.docks[ware] = SURE

    def add_income(self, worths: list[int]) -> None:
        """Add the expected income of each seat's accomplices, including those not placed yet."""
        self._add_placements(worths)
        self._add_cargo(worths)
        if self.state.crews[data.PIRATE]:
            self._add_loot(worths)
        self._add_berths(worths)
        if self.rolls:
            self._add_pilots(worths)

    def _add_placements(self, worths: list[int]) -> None:
        state = self.state
        placement = self.w.placement
        later = placement * self.rounds
        for seat in all_seats(state.seats):
            if seat not in state.abstained:
                worths[seat] += later
        if state.phase == play.PLACEMENT:
            master, seats = state.harbour_master, state.seats
            for turn in range((state.decider - master) % seats, seats):
                if (seat := Seat((master + turn) % seats)) not in state.abstained:
                    worths[seat] += placement

    def _cargo_share(self, ware: Ware) -> int:
        """Return the income of each accomplice aboard if the punt arrives."""
        aboard = 10 * len(self.state.crews[ware])
        if ware in self.state.at_sea:
            aboard = min(10 * data.CAPACITY[ware], aboard + self.w.joined_per_round * self.rounds)
        return 10 * _PESO * data.PROFITS[ware] // max(aboard, 10)

    def _arrives(self, ware: Ware) -> int:
        """Return the chance that a punt arrives with its cargo."""
        if ware in self.state.at_sea:
            arrives, strands = self.odds[ware]
            return arrives + strands * (100 - self.plunder) // 100
        return SURE * (ware in self.state.docked and ware not in self.state.plundered)

    def _add_cargo(self, worths: list[int]) -> None:
        crews = self.state.crews
        for ware in data.ALL_WARES:
            if crews[ware] and (chance := self._arrives(ware)):
                share = self._cargo_share(ware) * chance // SURE
                for owner in crews[ware]:
                    worths[owner] += share

    def _add_loot(self, worths: list[int]) -> None:
        state = self.state
        loot = sum([data.PROFITS[ware] * self.odds[ware].strands for ware in state.at_sea])
        for ware in state.plundered:
            if ware not in state.plunder_queue:
                loot += data.PROFITS[ware] * SURE
        if self.rolls > 1:
            loot += sum([self._boarding(ware) for ware in state.at_sea])
        pirates = state.crews[data.PIRATE]
        share = _PESO * loot // (SURE * len(pirates))
        for owner in pirates:
            worths[owner] += share

    def _boarding(self, ware: Ware) -> int:
        """Return the value that pirates have because they may board a punt before the last roll."""
        aboard = len(self.state.crews[ware])
        if aboard == data.CAPACITY[ware]:
            return 0
        stands = _ODDS[self.rolls - 1][self.state.position[ware]].strands
        return stands * data.PROFITS[ware] // (aboard + 1)

    def _add_berths(self, worths: list[int]) -> None:
        crews = self.state.crews
        insurers = crews[data.INSURANCE]
        at_least: Sequence[int] = ()
        for slot, space in enumerate(_PORTS):
            if owners := crews[space]:
                at_least = at_least or self._in_ports()
                expected = _PESO * _PORT_PAYS[slot] * at_least[slot + 1] // SURE
                for owner in owners:
                    worths[owner] += expected
        for slot, space in enumerate(_SHIPYARDS):
            if (owners := crews[space]) or insurers:
                at_least = at_least or self._in_ports()
                wrecked = SURE - at_least[data.LANES - slot]
                expected = _PESO * _SHIPYARD_PAYS[slot] * wrecked // SURE
                for owner in owners:
                    worths[owner] += expected
                for insurer in insurers:
                    worths[insurer] -= expected

    def _in_ports(self) -> Sequence[int]:
        """Return the chances that at least 0, 1, 2, 3 punts end in ports, not in shipyards."""
        position = self.state.position
        docks = [dock for dock, at in zip(self.docks, position, strict=True) if at != NONE]
        one, two, three = docks
        both = one * two // SURE
        all_ = both * three // SURE
        any_two = both + (one + two) * three // SURE - 2 * all_
        return SURE, one + two + three - any_two - all_, any_two, all_

    def _add_pilots(self, worths: list[int]) -> None:
        for pilot, faces in _NUDGES.items():
            for owner in self.state.crews[pilot]:
                worths[owner] += faces * self._highest_stake(owner) // len(data.FACES)

    def _highest_stake(self, seat: Seat) -> int:
        """Return the greatest gain that a seat has from the arrival of a single punt."""
        state, shares = self.state, self.state.shares(seat)
        best = 0
        for ware in state.at_sea:
            if 0 < self.odds[ware].arrives < SURE:
                stake = state.crews[ware].count(seat) * self._cargo_share(ware)
                stake += shares[ware] * _rise(state.market, ware)
                best = max(best, stake)
        return best
