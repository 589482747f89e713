"""How good a state looked for a seat to ``greedy@1``.

Everything is counted in pesos at the end of the game. The odds of the punts are exact; the other
numbers are experience, not rules.
"""

from functools import cache
from typing import NamedTuple

from rules.kernel.contract import NOBODY, Seat, all_seats
from rules.manila import data, play
from rules.manila.data import NONE, Ware
from rules.manila.scoring import fortune
from rules.manila.state import UNDECIDED, State

_FINALS = (
    (18.0, 13.0, 9.0, 4.0, 0.0),
    (23.0, 23.0, 18.0, 12.0, 5.0),
    (25.0, 25.0, 25.0, 20.5, 10.0),
    (27.0, 27.0, 27.0, 27.0, 20.0),
    (30.0, 30.0, 30.0, 30.0, 30.0),
)
"""What a share is worth in the end, by the steps of its own ware and of the highest one now."""
_OFFICE = 6.0
"""What the harbour master gains by placing first and choosing where the punts start."""
_STEERING = 0.3
"""How much likelier a ware arrives if the harbour master wants it to."""
_UNLOADED = 0.4
"""How likely a ware arrives before it is known whether it is loaded."""
_PLACEMENT = 2.0
"""What a future placement is worth."""
_JOINED_PER_ROUND = 0.4
"""How many others board a punt in each future placement round."""
_PIRATES_TO_COME = 0.4
"""How likely somebody takes the pirate boat in a future placement round."""
_TO_PORT = 0.5
"""How likely the captain sends a plundered punt to a port."""
_NUDGE = 1 / len(data.FACES)
"""How much likelier a punt arrives if it is a space further on before the last roll."""
_LIQUIDITY = 0.01
"""What a peso of funds is worth besides itself: with none, one can place next to nothing."""
_DITHERING = 50.0
"""Discourages needless loans and redemptions: what is due is borrowed anyway."""


class Odds(NamedTuple):
    """How likely a punt arrives, and how likely it ends on the last space."""

    arrives: float
    strands: float


@cache
def odds(rolls: int, position: int) -> Odds:
    """The odds of a punt with so many rolls to come, without the pilots."""
    if not rolls or position == data.ARRIVED:
        return Odds(float(position == data.ARRIVED), float(position == data.LAST_SPACE))
    ends = [odds(rolls - 1, min(position + face, data.ARRIVED)) for face in data.FACES]
    arrives, strands = (sum(chances) / len(data.FACES) for chances in zip(*ends, strict=True))
    return Odds(arrives, strands)


_NOWHERE = Odds(0.0, 0.0)


def look(state: State, seat: Seat) -> float:
    """What ``seat`` has and may expect, less what the others have and may expect on average."""
    seats = all_seats(state.seats)
    if state.phase == play.GAME_OVER:
        return float(fortune(state, seat) - max(fortune(state, s) for s in seats if s != seat))
    worths = _worths(state)
    mine = worths.pop(seat)
    if state.decider == seat and state.finance != UNDECIDED:
        mine -= _DITHERING
    return mine - sum(worths) / len(worths)


def _worths(state: State) -> list[float]:
    """What every seat is worth."""
    if state.step == NONE:
        arrives = [_UNLOADED * (ware != state.left_out) for ware in data.ALL_WARES]
        worths = [0.0] * state.seats
        _add_office(state, worths)
    else:
        voyage = _Voyage(state)
        arrives = voyage.docks
        worths = voyage.expected_income()
    finals = [_final(state.market, arrives, ware) for ware in data.ALL_WARES]
    for seat in all_seats(state.seats):
        shares = state.shares(seat)
        worths[seat] += (
            state.cash[seat]
            - data.PENALTY * state.pledged[seat]
            + _LIQUIDITY * play.funds(state, seat)
            + sum(shares[ware] * finals[ware] for ware in data.ALL_WARES)
        )
    return worths


def _final(market: list[int], arrives: list[float], ware: Ware) -> float:
    """What a share may be expected to be worth in the end, given how likely wares arrive."""
    top, step = max(market), market[ware]
    keeps = 1.0  # how likely no other ware raises the top of the market
    for other in data.ALL_WARES:
        if other != ware and market[other] == top:
            keeps *= 1 - arrives[other]
    risen, same = _FINALS[step + 1], _FINALS[step]
    if_it_comes = keeps * risen[max(top, step + 1)] + (1 - keeps) * risen[top + 1]
    if_not = keeps * same[top] + (1 - keeps) * same[top + 1]
    return arrives[ware] * if_it_comes + (1 - arrives[ware]) * if_not


def _rise(state: State, ware: Ware) -> float:
    """What a share gains if its ware arrives and no other does."""
    top, step = max(state.market), state.market[ware]
    return _FINALS[step + 1][max(top, step + 1)] - _FINALS[step][top]


def _add_office(state: State, worths: list[float]) -> None:
    """Credit the office to the harbour master, or to who would be for what he has bid."""
    auction = state.phase == play.AUCTION
    holder, due = (state.high_bidder, state.high) if auction else (state.harbour_master, 0)
    if holder != NOBODY:
        shares = state.shares(holder)
        gains = [shares[ware] * _rise(state, ware) for ware in play.loaded(state)]
        worths[holder] += _OFFICE + _STEERING * sum(sorted(gains)[-2:]) - due


class _Voyage:
    """What a voyage under way will bring; ``docks`` says how likely each ware reaches a port."""

    def __init__(self, state: State) -> None:
        self.state = state
        schedule = data.SCHEDULES[state.seats]
        begun = play.rounds_begun(state, data.MOVEMENT_ROUND)
        to_roll = state.phase in (play.SMALL_PILOT, play.BIG_PILOT, play.MOVEMENT)
        self.rolls = data.MOVEMENTS - begun + to_roll
        self.rounds = schedule[state.step + 1 :].count(data.PLACEMENT_ROUND)
        pirates = state.crews[data.PIRATE]
        self.plunder = 1.0 if pirates else 1 - (1 - _PIRATES_TO_COME) ** self.rounds
        self.odds = [
            odds(self.rolls, state.position[w]) if w in state.at_sea else _NOWHERE
            for w in data.ALL_WARES
        ]
        self.docks = [self._docks(ware) for ware in data.ALL_WARES]

    def _docks(self, ware: Ware) -> float:
        if ware not in self.state.at_sea:
            return float(ware in self.state.docked)
        arrives, strands = self.odds[ware]
        return arrives + strands * (1 - self.plunder + self.plunder * _TO_PORT)

    def expected_income(self) -> list[float]:
        """What each seat may expect of its accomplices, and of those it will still place."""
        income = [0.0] * self.state.seats
        self._add_placements(income)
        self._add_cargo(income)
        self._add_loot(income)
        self._add_berths(income)
        self._add_pilots(income)
        return income

    def _add_placements(self, income: list[float]) -> None:
        state, seats = self.state, all_seats(self.state.seats)
        from_master = [(seat - state.harbour_master) % state.seats for seat in seats]
        placing = state.phase == play.PLACEMENT
        for seat in seats:
            if seat not in state.abstained:
                now = placing and from_master[seat] >= from_master[state.decider]
                income[seat] += _PLACEMENT * (self.rounds + now)

    def _cargo_share(self, ware: Ware) -> float:
        """What each accomplice aboard gets if the punt arrives."""
        aboard: float = len(self.state.crews[ware])
        if ware in self.state.at_sea:
            aboard = min(data.CAPACITY[ware], aboard + _JOINED_PER_ROUND * self.rounds)
        return data.PROFITS[ware] / max(aboard, 1)

    def _arrives(self, ware: Ware) -> float:
        """How likely a punt arrives with its cargo."""
        if ware not in self.state.at_sea:
            return float(ware in self.state.docked and ware not in self.state.plundered)
        arrives, strands = self.odds[ware]
        return arrives + strands * (1 - self.plunder)

    def _add_cargo(self, income: list[float]) -> None:
        for ware in data.ALL_WARES:
            if crew := self.state.crews[ware]:
                share = self._arrives(ware) * self._cargo_share(ware)
                for owner in crew:
                    income[owner] += share

    def _add_loot(self, income: list[float]) -> None:
        state = self.state
        pirates = state.crews[data.PIRATE]
        if not pirates:
            return
        loot = sum(data.PROFITS[ware] * self.odds[ware].strands for ware in data.ALL_WARES)
        taken = [ware for ware in state.plundered if ware not in state.plunder_queue]
        loot += sum(data.PROFITS[ware] for ware in taken)
        share = loot / len(pirates)
        if self.rolls > 1:
            share += sum(self._boarding(ware) for ware in data.ALL_WARES) / len(pirates)
        for owner in pirates:
            income[owner] += share

    def _boarding(self, ware: Ware) -> float:
        """What the chance to board a punt before the last roll is worth."""
        aboard = len(self.state.crews[ware])
        if ware not in self.state.at_sea or aboard == data.CAPACITY[ware]:
            return 0.0
        stands = odds(self.rolls - 1, self.state.position[ware]).strands
        return stands * data.PROFITS[ware] / (aboard + 1)

    def _add_berths(self, income: list[float]) -> None:
        state = self.state
        chances = self._docked_chances()
        ports, shipyards = (data.BERTH_SPACES[berth] for berth in data.BERTHS)
        for slot, payout in enumerate(data.PAYOUTS[data.PORT]):
            for owner in state.crews[ports[slot]]:
                income[owner] += payout * sum(chances[slot + 1 :])
        for slot, payout in enumerate(data.PAYOUTS[data.SHIPYARD]):
            expected = payout * sum(chances[: data.LANES - slot])
            for owner in state.crews[shipyards[slot]]:
                income[owner] += expected
            for insurer in state.crews[data.INSURANCE]:
                income[insurer] -= expected

    def _docked_chances(self) -> list[float]:
        """How likely so many punts end in ports; the others end in shipyards."""
        chances = [1.0]
        for ware in data.ALL_WARES:
            if self.state.position[ware] != NONE:
                dock = self.docks[ware]
                chances = [
                    stays * (1 - dock) + comes * dock
                    for stays, comes in zip([*chances, 0.0], [0.0, *chances], strict=True)
                ]
        return chances

    def _add_pilots(self, income: list[float]) -> None:
        for pilot, spaces in ((data.PILOT_SMALL, 1), (data.PILOT_BIG, 2)):
            for owner in self.state.crews[pilot]:
                if self.rolls:
                    income[owner] += _NUDGE * spaces * self._highest_stake(owner)

    def _highest_stake(self, seat: Seat) -> float:
        """How much more a seat has if a punt arrives than if it does not."""
        state, shares = self.state, self.state.shares(seat)
        best = 0.0
        for ware in state.at_sea:
            if 0 < self.odds[ware].arrives < 1:
                stake = state.crews[ware].count(seat) * self._cargo_share(ware)
                stake += shares[ware] * _rise(state, ware)
                best = max(best, stake)
        return best
