"""The sequence of play: the consequences of moves and draws, and automatic steps."""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import EffectLog, Seat, all_seats, shuffled
from rules.macao import cards, data, effects, phases, scoring
from rules.macao.cards import CardId, Gain, Powers
from rules.macao.data import Colour, Event, Good, cubes
from rules.macao.state import State

# Set-up


def lay_discs(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Stack the discs on the first space of the wall; the first player's disc is on top (R6)."""
    state.wall_order = shuffled(all_seats(state.seats), picks)
    state.wait(phases.SHUFFLE_GOODS)
    effects.WALL_ORDER_SHUFFLED.tell(log, seats=state.wall_order)


def lay_goods(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Put a goods tile on every light quarter."""
    tiles = shuffled(data.GOODS_TILES, picks)
    state.tiles.update(zip(state.tables.light, tiles, strict=True))
    state.wait(phases.SHUFFLE_OFFICES)
    effects.GOODS_SHUFFLED.tell(log, goods=tiles)


def lay_offices(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Lay out the pairs of offices for all rounds."""
    state.offices = tuple(shuffled(state.tables.offices, picks))
    state.wait(phases.REVEAL_INITIAL)
    effects.OFFICES_SHUFFLED.tell(log, cards=state.offices)


def show_initial(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Show the cards of the initial draft."""
    state.display = _deal(state, picks)
    effects.CARDS_REVEALED.tell(log, cards=state.display)
    state.ask_all(phases.INITIAL_DRAFT, state.wall_order[::-1])  # R8


# The draft


def reveal(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Show the round's offices and the drawn cards, add up the tribute, and remove some cards."""
    state.turn_order = state.wall_order[:]  # R7
    first = data.OFFICES_PER_ROUND * (state.round - 1)
    shown = [*state.offices[first : first + data.OFFICES_PER_ROUND], *_deal(state, picks)]
    deck = state.tables.cards
    state.tribute_gold = sum([deck[card].gold for card in shown])
    state.tribute_prestige = sum([deck[card].prestige for card in shown])
    if log:
        effects.ROUND_STARTED.tell(log, round=state.round, seats=state.turn_order)
        effects.CARDS_REVEALED.tell(log, cards=shown)
        effects.TRIBUTE_SET.tell(log, gold=state.tribute_gold, prestige=state.tribute_prestige)
    left = len(shown) - data.REMOVED_PER_ROUND[state.seats]
    state.display = shown[:left]
    _discard(state, shown[left:], log)  # R9
    state.ask_all(phases.DRAFT, state.turn_order)


def next_drafter(state: State, seat: Seat, log: EffectLog | None) -> None:
    """Ask the next player to draft; after the last one, discard the remaining cards."""
    state.answered(seat)
    if state.queue:
        return
    left, state.display = state.display, []
    _discard(state, left, log)
    if state.phase == phases.INITIAL_DRAFT:
        state.ask_all(phases.INITIAL_CUBES, state.wall_order)
    else:
        state.wait(phases.ROLL_DICE)


def _deal(state: State, picks: Sequence[int]) -> list[CardId]:
    return [state.deck.pop(pick) for pick in picks]


def _discard(state: State, left: list[CardId], log: EffectLog | None) -> None:
    state.discard += left
    if log and left:
        effects.CARDS_DISCARDED.tell(log, cards=left)


def punish(state: State, seat: Seat, cause: str, log: EffectLog | None) -> None:
    """Turn over a marker of ``seat`` as a punishment.

    The punishment counts even if no marker is left to turn over (R5).
    """
    state.punishments[seat] += 1
    if log:
        effects.PUNISHMENT_TAKEN.tell(log, seat=seat, cause=cause)


# Dice and windroses


def die_value(state: State, colour: Colour) -> int:
    """Return the count of a die, which is capped in late rounds (R14)."""
    return min(state.dice[colour], data.DIE_CAPS[state.round - 1])


def roll(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Show the dice, and ask all players to choose two of them."""
    state.dice = [pick + 1 for pick in picks]
    if log:
        faces: JsonObject = dict(zip(data.COLOURS, state.dice, strict=True))
        effects.DICE_ROLLED.tell(log, **faces)
        if data.DIE_CAPS[state.round - 1] < data.FACES:
            effects.DICE_CAPPED.tell(log, cap=data.DIE_CAPS[state.round - 1])
    state.ask_all(phases.CHOOSE_DICE, state.turn_order)


def put_dice(state: State, seat: Seat, pair: int, log: EffectLog | None) -> None:
    """Put the cubes of two dice on the sectors of their numbers, as many as each die shows."""
    for colour in cubes.kinds(pair):
        value = die_value(state, colour)
        number = put_cubes(state, seat, colour, value, value)
        if log:
            effects.CUBES_PLACED.tell(log, seat=seat, color=colour, count=number, sector=value)


def put_cubes(state: State, seat: Seat, colour: Colour, sector: int, wanted: int) -> int:
    """Put cubes on a sector, as many as the bank has (R3); return their number."""
    number = min(wanted, cubes.count(state.bank, colour))
    pile = number * cubes.one[colour]
    state.bank -= pile
    state.windrose[seat] = added(state.windrose[seat], sector - 1, pile)
    return number


def added(counts: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """Return ``counts`` with ``number`` added to one of them."""
    changed = [*counts]
    changed[place] += number
    return tuple(changed)


def rotate(state: State, log: EffectLog | None) -> None:
    """Turn all windroses; the cubes of the first sector become this round's supply."""
    for seat in state.turn_order:
        arrow, *others = state.windrose[seat]
        state.supply[seat] = arrow
        state.windrose[seat] = (*others, 0)
        if not arrow:  # R15
            punish(state, seat, effects.EMPTY_ARROW, log)
        elif log:
            effects.WINDROSE_ROTATED.tell(log, seat=seat, colors=arrow)
    state.ask_all(phases.ACTIONS, state.turn_order)


# Paying and gaining


def pay(state: State, seat: Seat, pile: int, log: EffectLog | None) -> None:
    """Put cubes from the supply of ``seat`` back into the bank."""
    state.supply[seat] -= pile
    state.bank += pile
    if log and pile:
        effects.CUBES_PAID.tell(log, seat=seat, colors=pile)


def give(state: State, seat: Seat, gain: Gain, log: EffectLog | None, chosen: int = 0) -> None:
    """Give ``seat`` a gain; ``chosen`` are the cubes of the colours that the seat chose."""
    if gain.coins:
        state.coins[seat] += gain.coins  # R4
        effects.COINS_GAINED.tell(log, seat=seat, amount=gain.coins)
    if gain.prestige:
        score(state, seat, gain.prestige, log)
    if gain.cubes or chosen:
        pile = cubes.common(gain.cubes + chosen, state.bank)  # R35
        state.bank -= pile
        state.supply[seat] += pile
        if log and pile:
            effects.CUBES_GAINED.tell(log, seat=seat, colors=pile)
    if gain.ship_steps:
        state.free_steps += gain.ship_steps
        effects.SHIP_STEPS_GAINED.tell(log, seat=seat, amount=gain.ship_steps)
    for _ in range(gain.wall):  # R26
        move_disc(state, seat, log)


def score(state: State, seat: Seat, prestige: int, log: EffectLog | None) -> None:
    """Give ``seat`` prestige points."""
    state.prestige[seat] += prestige  # R44
    effects.PRESTIGE_GAINED.tell(log, seat=seat, amount=prestige)


def trigger(
    state: State, seat: Seat, powers: Powers, event: Event, log: EffectLog | None, times: int = 1
) -> None:
    """Give ``seat`` the gains of its cards at an event, in the order of activation (R31)."""
    for card, gain in powers.triggers[event]:
        if log and times:
            effects.CARD_TRIGGERED.tell(log, seat=seat, card=card)
        for _ in range(times):
            give(state, seat, gain, log)


# The city and the wall


def markers_left(state: State, seat: Seat) -> int:
    """Return a seat's markers that are neither on quarters nor turned over (R5)."""
    return max(0, data.MARKERS - state.claimed[seat].bit_count() - state.punishments[seat])


def move_disc(state: State, seat: Seat, log: EffectLog | None) -> None:
    """Move a disc one space along the wall; on the last space nothing happens (R28)."""
    if state.disc[seat] == data.LAST_SPACE:
        return
    space = state.disc[seat] = state.disc[seat] + 1
    disc, order = state.disc, state.wall_order
    ahead = order[: order.index(seat)]
    stack = [other for other in ahead if disc[other] == space]
    if state.powers[seat].stack_top:
        above = 0  # R29
    elif space == data.LAST_SPACE:
        above = len(stack)  # on the last space, discs stand in the order of arrival
    else:
        above = 1 if stack and state.powers[stack[0]].stack_top else 0  # R29
    place = sum([disc[other] > space for other in ahead]) + above
    order.remove(seat)
    order.insert(place, seat)
    effects.DISC_MOVED.tell(log, seat=seat, space=space)
    overtaken = [other for other in ahead[place:] if disc[other] < data.LAST_SPACE]  # R30
    if overtaken:
        effects.DISCS_OVERTAKEN.tell(log, seat=seat, seats=overtaken)
        trigger(state, seat, state.powers[seat], cards.DISC_OVERTAKEN, log, len(overtaken))


def lift(state: State, seat: Seat, log: EffectLog | None) -> None:
    """Put a disc on top of its stack; this does not count as overtaking (R29, R30)."""
    order, space = state.wall_order, state.disc[seat]
    place = sum(other_space > space for other_space in state.disc)
    order.remove(seat)
    order.insert(place, seat)
    effects.DISC_LIFTED.tell(log, seat=seat, space=space)


# The sea and the tribute


def delivery_prestige(state: State, seat: Seat, good: Good) -> int:
    """Return the PP that ``seat`` gets for delivering ``good``.

    These are the points of the port's best free slot, multiplied by the factor of the seat's cards.
    """
    points = state.tables.spaces[state.tables.ports[good]].slots[slots_filled(state, good)]  # R21
    return points * state.powers[seat].delivery_multiplier[good]  # R22


def slots_filled(state: State, good: Good) -> int:
    """Return the number of tiles at a good's port."""
    return sum([delivered[good] for delivered in state.delivered])


def price(state: State, seat: Seat) -> int:
    """Return the price in coins that ``seat`` pays for one purchase of prestige (R36)."""
    return max(0, state.tribute_gold - state.powers[seat].tribute_discount)


# The end of a turn, a round and the game


def end_turn(state: State, seat: Seat, log: EffectLog | None) -> None:
    """Give back all unspent cubes and steps, and go on to the next player's turn."""
    unspent = state.supply[seat]
    pay(state, seat, unspent, None)
    state.claims = state.tributes = 0
    state.wall_advanced = state.wall_open = False
    state.free_steps = 0  # R24
    state.used_cards = []
    if log and unspent:
        effects.CUBES_RETURNED.tell(log, seat=seat, colors=unspent)
    if log:
        effects.TURN_ENDED.tell(log, seat=seat)
    state.answered(seat)
    if not state.queue:
        _end_round(state, log)


def _end_round(state: State, log: EffectLog | None) -> None:
    effects.ROUND_ENDED.tell(log, round=state.round)
    state.dice = []
    if state.round < data.ROUNDS:
        state.round += 1
        state.wait(phases.REVEAL_CARDS)
        return
    state.wait(phases.FINISHED)
    totals = [scoring.total(state, seat) for seat in all_seats(state.seats)]
    effects.GAME_SCORED.tell(log, totals=totals)
