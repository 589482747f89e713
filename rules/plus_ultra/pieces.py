"""What the rules do with pieces again and again: gains, payments, houses, bulls, supplies.

Nothing here checks anything (see ``checks``) or goes on with the sequence of play.
"""

from rules.kernel.effects import EffectLog
from rules.plus_ultra.data import (
    CROWN_CAP,
    MAGELLAN_PG,
    NONE,
    RESOURCES,
    SEA_TRADE_LENGTH,
    SPACES,
    TILES,
)
from rules.plus_ultra.state import State

# Ducats and PG


def gain(state: State, seat: int, amount: int, cause: str, log: EffectLog | None) -> None:
    """Give ``seat`` ducats from the bank, as many as it has."""
    if state.limited:  # R2
        amount = min(amount, state.bank)
        state.bank -= amount
    state.ducats[seat] += amount
    if log:
        log.add("ducats_gained", seat=seat, amount=amount, cause=cause)


def pay(state: State, seat: int, amount: int, log: EffectLog | None) -> None:
    """Take ducats from ``seat`` into the bank."""
    state.ducats[seat] -= amount
    if state.limited:
        state.bank += amount
    if log:
        log.add("ducats_paid", seat=seat, amount=amount)


def crown_share(state: State) -> int:
    """How much of a price of 1 own ducat and 1 of the crown a player has to pay."""
    return 1 if state.crown else 2  # R11


def pay_crown_share(state: State, seat: int, log: EffectLog | None) -> None:
    """Pay 1 own ducat and 1 of the crown, or 2 own ones if the crown has none."""
    pay(state, seat, crown_share(state), log)
    if state.crown:
        state.crown -= 1
        if state.limited:
            state.bank += 1
        if log:
            log.add("crown_paid", amount=1, crown=state.crown)


def crown_add(state: State, amount: int, log: EffectLog | None) -> None:
    """Move ducats from the bank to the crown; what it cannot hold goes round the peers."""
    if state.limited:
        amount = min(amount, state.bank)  # R55
        state.bank -= amount
    state.crown += amount
    excess = max(state.crown - CROWN_CAP, 0)
    state.crown -= excess
    if log:
        log.add("crown_gained", amount=amount - excess, crown=state.crown)
    for number in range(excess):  # R12
        seat = state.order[number % state.seats]
        state.ducats[seat] += 1
        if log:
            log.add("ducats_gained", seat=seat, amount=1, cause="crown_full")


def gain_pg(state: State, seat: int, amount: int, cause: str, log: EffectLog | None) -> None:
    """Give ``seat`` PG."""
    state.pg[seat] += amount
    if log:
        log.add("pg_gained", seat=seat, amount=amount, cause=cause)


def lose_pg(state: State, seat: int, amount: int, cause: str, log: EffectLog | None) -> None:
    """Take PG from ``seat``; they may fall below 0."""
    state.pg[seat] -= amount  # R13
    if log:
        log.add("pg_lost", seat=seat, amount=amount, cause=cause)


# The New World


def discard(state: State, tile: int) -> None:
    """Take a tile out of the game."""
    state.box[tile] += 1  # R45


def place_settlement(state: State, tile: int, log: EffectLog | None) -> None:
    """Put a settlement into the first free space."""
    if len(state.settlements) == SPACES:
        discard(state, tile)
        return
    state.settlements.append(tile)
    state.houses.append([])
    if log:
        log.add("settlement_placed", space=len(state.settlements), tile=TILES[tile])


def place_house(state: State, seat: int, space: int, log: EffectLog | None) -> None:
    """Build a house from the reserve of ``seat``."""
    state.reserve[seat] -= 1
    state.houses[space].append(seat)
    if log:
        log.add("house_placed", seat=seat, space=space + 1)


def capture_natives(state: State, seat: int, row: int, log: EffectLog | None) -> None:
    """Take the natives of a row."""
    state.natives[seat] += 1
    state.rows[row] = NONE
    if log:
        log.add("natives_captured", seat=seat, row=row + 1)


def advance_trade(state: State, seat: int, steps: int, log: EffectLog | None) -> None:
    """Move on the sea trade track; steps beyond its end are lost."""
    state.sea_trade[seat] = min(state.sea_trade[seat] + steps, SEA_TRADE_LENGTH)  # R51
    if log:
        log.add("sea_trade_advanced", seat=seat, position=state.sea_trade[seat])


# Tercios, houses, rosettes, bulls


def tire(state: State, seat: int, log: EffectLog | None) -> None:
    """Make an active tercio tired."""
    state.active[seat] -= 1
    state.tired[seat] += 1
    if log:
        log.add("tercio_tired", seat=seat)


def gain_tercio(state: State, seat: int, kind: str, log: EffectLog | None) -> None:
    """Recruit a tercio, ``active`` or ``tired``."""
    state.tercio_supply[seat] -= 1
    (state.active if kind == "active" else state.tired)[seat] += 1
    if log:
        log.add("tercio_recruited", seat=seat, state=kind)


def gain_house(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a house from the own supply into the reserve."""
    state.house_supply[seat] -= 1
    state.reserve[seat] += 1
    if log:
        log.add("house_gained", seat=seat)


def gain_rosette(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a rosette, ready."""
    state.rosette_supply -= 1
    state.rosettes_ready[seat] += 1
    if log:
        log.add("rosette_gained", seat=seat)


def gain_bull(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a bull from the supply."""
    state.bull_supply -= 1
    state.bulls[seat] += 1
    if log:
        log.add("bull_gained", seat=seat)


def use_bull(state: State, seat: int, log: EffectLog | None) -> None:
    """Spend the one bull of this turn; it goes back to the supply at once."""
    state.bulls[seat] -= 1
    state.bull_supply += 1  # R27
    state.bull_used[seat] = 1  # R26
    if log:
        log.add("bull_used", seat=seat)


def gain_magellan(state: State, seat: int, log: EffectLog | None) -> None:
    """Take a Magellan card; with the last one the voyage is completed and all holders score."""
    state.magellan_supply -= 1
    state.magellan[seat] += 1
    if log:
        log.add("magellan_gained", seat=seat, left=state.magellan_supply)
    if state.magellan_supply == 0:  # R21
        for holder in state.order:
            if state.magellan[holder]:
                gain_pg(state, holder, MAGELLAN_PG * state.magellan[holder], "magellan", log)


def gain_resource(
    state: State, seat: int, estate: int, kind: str | None, log: EffectLog | None
) -> None:
    """Give what an estate is discarded for; ``kind`` is the state of the tercio."""
    resource, amount = RESOURCES[estate]
    match resource:
        case "ducats":
            gain(state, seat, amount, "estate", log)
        case "sea_trade":
            advance_trade(state, seat, amount, log)
        case "house":
            gain_house(state, seat, log)
        case "rosette":
            gain_rosette(state, seat, log)
        case "bull":
            gain_bull(state, seat, log)
        case "tercio":
            gain_tercio(state, seat, kind or "active", log)


# The order of the peers


def move_pending(state: State, seat: int, steps: int, log: EffectLog | None) -> None:
    """Move ``seat`` towards place 1 of the next turn's order."""
    place = state.pending.index(seat)
    state.pending.remove(seat)
    state.pending.insert(place - steps, seat)  # R33
    if log:
        log.add("pending_order_changed", order=state.pending[:])
