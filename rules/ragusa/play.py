"""The sequence of play: the phases, and the automatic steps between them.

Moves (``moves``) and draws (``chance``) call these functions; none of them waits for an answer. In
a turn, a side places a house, gets the resources of the land hexes, and then activates the city
hexes round the house one after the other. In each city hex, every house acts, clockwise from the
new one.
"""

from collections.abc import Callable

from rules.kernel.contract import EffectLog, Phase, Seat, all_seats, by_seat, clockwise, next_seat
from rules.ragusa import automata, data, effects, grid, scoring
from rules.ragusa.data import FISH, NONE, Card, Commodity, Resource, Ship, Side, Slot
from rules.ragusa.grid import Hex, Space, Wall
from rules.ragusa.state import FROM_DOCK, FROM_FISH, FROM_SHIPS, FROM_WALLS, State

# Phases

DEAL_SHIPS = "deal_ships"
DEAL_BONUS = "deal_bonus"
DRAW_START_PLAYER = "draw_start_player"
PLACE_NEUTRAL = "place_neutral"
DEAL_PATRICIANS = "deal_patricians"
CHOOSE_BONUS = "choose_bonus"
AUTOMATON_TURN = "automaton_turn"
PLACE_HOUSE = "place_house"
CHOOSE_HEX = "choose_hex"
PRODUCTION_EXCHANGE = "production_exchange"
BUILD_WALL = "build_wall"
BUILD_TOWER = "build_tower"
BUY_SHIP = "buy_ship"
DRAW_SHIP = "draw_ship"
SELL_COMMODITY = "sell_commodity"
DRAW_BONUS = "draw_bonus"
KEEP_BONUS = "keep_bonus"
FINAL_EXCHANGE = "final_exchange"
REVEAL_BONUS = "reveal_bonus"
GAME_OVER = "game_over"


_NEXT_TURN = (PLACE_HOUSE, AUTOMATON_TURN, FINAL_EXCHANGE, REVEAL_BONUS, GAME_OVER)
_NEXT_HOUSE = (PRODUCTION_EXCHANGE, BUILD_WALL, BUILD_TOWER, BUY_SHIP, DRAW_SHIP, SELL_COMMODITY)
_GO_ON = (*_NEXT_HOUSE, CHOOSE_HEX, DRAW_BONUS, *_NEXT_TURN)

PHASES = {
    # Set-up.
    DEAL_SHIPS: Phase("nature", (), (DEAL_BONUS,)),
    DEAL_BONUS: Phase("nature", (), (DRAW_START_PLAYER, DEAL_PATRICIANS)),
    DRAW_START_PLAYER: Phase("nature", (), (PLACE_NEUTRAL, CHOOSE_BONUS)),
    PLACE_NEUTRAL: Phase("nature", (), (CHOOSE_BONUS,)),
    DEAL_PATRICIANS: Phase("nature", (), (AUTOMATON_TURN,)),
    CHOOSE_BONUS: Phase(
        "every player who has not chosen", ("choose_bonus",), (CHOOSE_BONUS, PLACE_HOUSE)
    ),
    # A turn: place a house; activate its city hexes.
    AUTOMATON_TURN: Phase("nature", (), _GO_ON),
    PLACE_HOUSE: Phase(
        "whose turn it is",
        ("place_house", "exchange_fish", "forfeit_house"),
        (PLACE_HOUSE, *_GO_ON),
    ),
    CHOOSE_HEX: Phase("whose turn it is", ("activate_hex", "exchange_fish"), _GO_ON),
    # A hex: its houses act, clockwise.
    PRODUCTION_EXCHANGE: Phase(
        "the owner of the house, if it is not his turn", ("exchange_fish", "decline"), _GO_ON
    ),
    BUILD_WALL: Phase("the owner of the house", ("build_wall",), _GO_ON),
    BUILD_TOWER: Phase("the owner of the house", ("build_tower",), _GO_ON),
    BUY_SHIP: Phase("the owner of the house", ("buy_ship", "decline"), _GO_ON),
    DRAW_SHIP: Phase("nature", (), _GO_ON),
    SELL_COMMODITY: Phase("the owner of the house", ("sell_commodity", "decline"), _GO_ON),
    DRAW_BONUS: Phase("nature", (), (KEEP_BONUS, *_GO_ON)),
    KEEP_BONUS: Phase("whose turn it is", ("keep_bonus",), _GO_ON),
    # The end.
    FINAL_EXCHANGE: Phase(
        "every player in turn who can exchange",
        ("exchange_fish", "decline"),
        (FINAL_EXCHANGE, REVEAL_BONUS, GAME_OVER),
    ),
    REVEAL_BONUS: Phase("nature", (), (GAME_OVER,)),
    GAME_OVER: Phase("nobody", (), ()),
}


# Set-up


def set_up(state: State) -> None:
    """Begin with the first draw; in solo mode, the first houses stand already."""
    if state.is_solo:
        for side, spaces in by_seat(grid.SOLO_HOUSES):
            for space in spaces:
                state.houses_left[side] -= 1
                state.settle(side, space)
                gain_access(state, side, space, None)
    continue_setup(state)


def continue_setup(state: State) -> None:
    """Go on to the next draw; then ask for bonus cards, or let an automaton begin."""
    draws = [DEAL_SHIPS, DEAL_BONUS, DEAL_PATRICIANS if state.is_solo else DRAW_START_PLAYER]
    if state.neutral:
        draws.append(PLACE_NEUTRAL)
    done = draws.index(state.phase) + 1 if state.phase else 0
    if done < len(draws):
        state.wait(draws[done])
    elif state.is_solo:
        state.start_player = Side(1)
        start_turn(state, state.start_player)
    else:
        state.wait(CHOOSE_BONUS)


def choosing(state: State) -> tuple[Seat, ...]:
    """Return the seats that still have to choose a bonus card.

    Outside the phase in which bonus cards are chosen, there are none.
    """
    if state.phase != CHOOSE_BONUS:
        return ()
    return tuple([seat for seat in all_seats(state.seats) if not state.kept[seat]])


def start(state: State, log: EffectLog | None) -> None:
    """Put the rejected bonus cards into the deck, and begin the first turn."""
    dealt = zip(state.offered, state.kept, strict=True)
    discarded = [card for offered, kept in dealt for card in offered if card not in kept]
    state.pile.rest = sorted(state.pile.rest + discarded)
    effects.BONUS_DECK_RESHUFFLED.tell(log, cards=len(state.pile))
    start_turn(state, state.start_player)


# Turns


def start_turn(state: State, side: Side) -> None:
    """Let a side place a house."""
    state.active = side
    state.last_space = NONE
    if state.is_automaton(side):
        state.wait(AUTOMATON_TURN)
    else:
        state.ask(PLACE_HOUSE, side)


def end_turn(state: State, log: EffectLog | None) -> None:
    """Begin the turn of the next player or automaton clockwise that has a house left.

    If nobody has a house left, the final exchanges and the scoring follow.
    """
    if log:
        effects.TURN_ENDED.tell(log, side=state.id(state.active))
    for side in clockwise(next_seat(state.active, state.sides), state.sides):
        if state.houses_left[side]:
            start_turn(state, side)
            return
    state.active = state.last_space = NONE
    state.final_queue = clockwise(state.start_player, state.sides)
    continue_final(state, log)


# Placing a house


def reserved(state: State) -> list[Space]:
    """Return the spaces that the Patrician cards in play reserve for the automata (R47)."""
    return [space for card in state.patricians for space in grid.PATRICIAN_SPACES[card]]


def shortage(state: State, side: Side, space: Space) -> tuple[list[tuple[Resource, int]], int]:
    """Return the resources that a house lacks, and the fish left after exchanges (R3).

    The shortage is a list of pairs (resource, units). A refusal names the first pair. What the
    house itself gains is taken into account.
    """
    access, houses, short = state.access[side], state.houses_round[side], []
    fish = access[FISH] + grid.SEAS[space]
    if fish > data.RESOURCE_MAX:  # noqa: PLR1730 - min() takes a tenth of random play's time
        fish = data.RESOURCE_MAX
    for resource, brought, hexes in grid.NEEDS[space]:
        most = 0
        for hex_ in hexes:
            if houses[hex_] > most:  # noqa: PLR1730 - as above
                most = houses[hex_]
        units = most + 1 - brought - access[resource]
        if units > 0:
            short.append((resource, units))
            fish -= data.FISH_PER_EXCHANGE * units
    return short, fish


def place_house(state: State, side: Side, space: Space, log: EffectLog | None) -> None:
    """Place a house, take its gains, exchange fish for what it lacks; then activate city hexes."""
    short = [] if state.is_automaton(side) else shortage(state, side, space)[0]
    state.houses_left[side] -= 1
    state.settle(side, space)
    state.last_space = space
    if log:
        effects.HOUSE_PLACED.tell(log, side=state.id(side), space=space)
    gain_access(state, side, space, log)
    for resource, units in short:
        exchange_fish(state, side, resource, units, log)
    state.pending = list(grid.ACTIVATES[space])
    continue_turn(state, log)


def gain_access(state: State, side: Side, space: Space, log: EffectLog | None) -> None:
    """Give a house's owner the resources of its rural and sea hexes, at once (R5, R13)."""
    access = state.access[side]
    for resource in grid.GAINS[space]:
        if access[resource] < data.RESOURCE_MAX:
            access[resource] += 1
            if log:
                effects.ACCESS_GAINED.tell(log, side=state.id(side), resource=resource)


def can_exchange(state: State, side: Side) -> bool:
    """Whether ``side`` has enough fish for an exchange, and a resource that is below its limit."""
    access = state.access[side]
    return access[FISH] >= data.FISH_PER_EXCHANGE and min(access[FISH + 1 :]) < data.RESOURCE_MAX


def exchange_fish(
    state: State, side: Side, resource: Resource, units: int, log: EffectLog | None
) -> None:
    """Turn access to fish into access to another resource, for good (R1)."""
    fish, name = data.FISH_PER_EXCHANGE * units, state.id(side)
    state.access[side][FISH] -= fish
    state.access[side][resource] += units
    effects.FISH_EXCHANGED.tell(log, side=name, fish=fish, resource=resource, units=units)


# Activating city hexes


def continue_turn(state: State, log: EffectLog | None) -> None:
    """Let houses and hexes act until a decision is needed, or the turn is over."""
    while _houses_act(state, log):
        state.hex = NONE  # R11
        state.closed = []
        if not state.pending:
            end_turn(state, log)
            return
        if state.is_automaton(state.active):
            activate_hex(state, min(state.pending, key=grid.AUTOMATON_HEX_ORDER.index), log)
        elif len(state.pending) == 1 and not can_exchange(state, state.active):
            activate_hex(state, state.pending[0], log)
        else:
            state.ask(CHOOSE_HEX, state.active)
            return


def _houses_act(state: State, log: EffectLog | None) -> bool:
    """Let the queued houses act; return False if one of them waits for an answer."""
    while state.queue:
        space = state.queue[0]
        state.phase = ""
        _ACTS[state.hex](state, space, state.house_at[space], log)
        if state.phase:
            return False
        del state.queue[0]
    return True


def activate_hex(state: State, hex_: Hex, log: EffectLog | None) -> None:
    """Queue the houses of a pending hex, so that they are activated.

    If the hex reactivates its earlier houses (R14), all its houses are queued, clockwise from the
    new house. Otherwise only the new house is queued.
    """
    state.pending.remove(hex_)
    state.hex = hex_
    if grid.REACTIVATES[hex_]:  # R14
        house_at = state.house_at
        state.queue = [s for s in grid.CLOCKWISE[hex_][state.last_space] if house_at[s] >= 0]
    else:
        state.queue = [state.last_space]
    if log:
        effects.HEX_ACTIVATED.tell(log, side=state.id(state.active), hex=hex_)


def house_done(state: State, log: EffectLog | None) -> None:
    """Remove the first house from the queue, and go on."""
    del state.queue[0]
    continue_turn(state, log)


def _idle(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    effects.HOUSE_IDLE.tell(log, side=state.id(owner), space=space, hex=state.hex)


def _produce(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    resource, commodity = grid.PRODUCTION[state.hex]
    access, stock = state.access[owner], state.stock[owner]
    if (  # R51
        access[FISH] >= data.FISH_PER_EXCHANGE
        and owner != state.active
        and owner not in state.closed
        and not state.is_automaton(owner)
        and access[resource] < data.RESOURCE_MAX
        and stock[commodity] < data.COMMODITY_MAX
    ):
        state.ask(PRODUCTION_EXCHANGE, owner)
        return
    made = min(access[resource], data.COMMODITY_MAX - stock[commodity])  # R6
    stock[commodity] += made
    if owner not in state.closed:
        state.closed.append(owner)
    if log:
        side = state.id(owner)
        effects.COMMODITIES_PRODUCED.tell(
            log, side=side, space=space, commodity=commodity, amount=made
        )


def _sell_fish(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    vp = state.access[owner][FISH] // data.FISH_PER_VP  # R9
    state.vp[owner][FROM_FISH] += vp
    effects.FISH_SCORED.tell(log, side=state.id(owner), space=space, vp=vp)


def _mason(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    if all(state.walls):  # R18
        _idle(state, space, owner, log)
    elif state.is_automaton(owner):
        build_wall(state, owner, automata.wall(state, owner), log)
    else:
        state.ask(BUILD_WALL, owner)


def _architect(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    if not state.towers_left[owner] or NONE not in state.tower_at:  # R19
        _idle(state, space, owner, log)
    elif state.is_automaton(owner):
        build_tower(state, owner, automata.tower(state, owner), log)
    else:
        state.ask(BUILD_TOWER, owner)


def _market(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    slots = affordable(state, owner)
    if not slots:  # R23
        _idle(state, space, owner, log)
    elif state.is_automaton(owner):
        buy_ship(state, owner, automata.slot(state, slots), log)
    else:
        state.ask(BUY_SHIP, owner)


def _dock(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    if not any(state.stock[owner]):  # R23
        _idle(state, space, owner, log)
    elif state.is_automaton(owner):
        sell(state, owner, automata.commodity(state, owner), log)
    else:
        state.ask(SELL_COMMODITY, owner)


def _palace(state: State, space: Space, owner: Side, log: EffectLog | None) -> None:
    if not bonus_deck_size(state):  # R16
        _idle(state, space, owner, log)
    elif state.is_automaton(owner):  # an automaton's cards are drawn when they are revealed
        state.draws.append((owner, ()))
        keep_bonus(state, owner, NONE, log)
    else:
        state.wait(DRAW_BONUS)  # R15


_ACTS: dict[Hex, Callable[[State, Space, Side, EffectLog | None], None]] = {
    **dict.fromkeys(grid.PRODUCTION, _produce),
    grid.FISHMONGER: _sell_fish,
    grid.MASON: _mason,
    grid.ARCHITECT: _architect,
    grid.MARKET: _market,
    grid.DOCK: _dock,
    grid.PALACE: _palace,
}
"""For each hex, the function that lets a house there act, at once or by asking its owner."""


# Actions of houses


def build_wall(state: State, side: Side, wall: Wall, log: EffectLog | None) -> None:
    """Build a wall; the builder scores the wall and his pieces at its ends."""
    vp = scoring.wall_vp(state, side, wall)
    state.walls = state.walls[:wall] + b"\1" + state.walls[wall + 1 :]
    state.vp[side][FROM_WALLS] += vp
    if log:
        effects.WALL_BUILT.tell(log, side=state.id(side), wall=wall, vp=vp)


def build_tower(state: State, side: Side, space: Space, log: EffectLog | None) -> None:
    """Build a tower in the colour of ``side``."""
    state.towers_left[side] -= 1
    state.fortify(side, space)
    if log:
        effects.TOWER_BUILT.tell(log, side=state.id(side), space=space)


def affordable(state: State, side: Side) -> list[Slot]:
    """Return the slots whose ships ``side`` can pay for."""
    wine, oil, silver = state.stock[side]
    return [
        slot
        for slot, ship in zip(data.ALL_SLOTS, state.row, strict=False)
        if (price := data.SHIP_PRICES[ship][slot])[0] <= wine
        and price[1] <= oil
        and price[2] <= silver
    ]


def buy_ship(state: State, side: Side, slot: Slot, log: EffectLog | None) -> None:
    """Pay for a ship and score it; the deck's top card takes its place in the row."""
    ship = state.row.pop(slot)  # R24: the other ships slide to the left
    price, vp = data.SHIP_PRICES[ship][slot], data.SHIP_STARS[ship]
    state.stock[side] = [a - b for a, b in zip(state.stock[side], price, strict=True)]
    state.vp[side][FROM_SHIPS] += vp
    state.ships[side] += (ship,)
    if log:
        name, paid, units = state.id(side), data.by_commodity(price), scoring.units(price)
        effects.SHIP_BOUGHT.tell(log, side=name, ship=ship, slot=slot, **paid, price=units, vp=vp)
    commodity, steps = data.SLOT_FALLS[slot]
    move_price(state, commodity, -steps, log)  # R25, R26
    if state.ships_left:  # R28
        state.wait(DRAW_SHIP)


def move_price(state: State, commodity: Commodity, steps: int, log: EffectLog | None) -> None:
    """Move a marker on the market track; steps beyond its ends are lost."""
    before = state.market[commodity]
    state.market[commodity] = after = min(max(before + steps, 0), data.TRACK_END)
    if log and after != before:
        steps, price = after - before, data.PRICES[after]
        effects.PRICE_MOVED.tell(log, commodity=commodity, index=after, steps=steps, price=price)


def ship_arrives(state: State, ship: Ship, log: EffectLog | None) -> None:
    """Move the price that the ship's back names; put the ship at the right end of the row."""
    state.ships_left.remove(ship)
    commodity, arrows = data.BACKS[data.SHIP_BACKS[ship]]
    move_price(state, commodity, arrows, log)
    state.row.append(ship)
    if log:
        effects.SHIP_ARRIVED.tell(log, ship=ship, slot=Slot(len(state.row) - 1))


def show_top_back(state: State, ship: Ship, log: EffectLog | None) -> None:
    """Show the back of the deck's new top card.

    ``ship`` may be any ship with the same back as the top card, because only the back is shown.
    """
    state.top_back = data.SHIP_BACKS[ship]
    if log:
        commodity, arrows = data.BACKS[state.top_back]
        effects.TOP_BACK_SEEN.tell(log, commodity=commodity, arrows=arrows)


def sell(state: State, side: Side, commodity: Commodity, log: EffectLog | None) -> None:
    """Sell one unit at its present price, which stays the same (R29)."""
    vp = data.PRICES[state.market[commodity]]
    state.stock[side][commodity] -= 1
    state.vp[side][FROM_DOCK] += vp
    effects.COMMODITY_SOLD.tell(log, side=state.id(side), commodity=commodity, vp=vp)


def bonus_deck_size(state: State) -> int:
    """Return the number of cards in the deck, without the automata's undrawn cards."""
    return len(state.pile) - sum(cards.count(NONE) for cards in state.kept)


def keep_bonus(state: State, side: Side, card: Card, log: EffectLog | None) -> None:
    """Keep one card of the last draw, and put the other card under the deck."""
    _side, cards = state.draws[-1]
    for other in cards:
        if other != card:
            state.pile.put_under(other)
    state.kept[side].append(card)
    if log:
        effects.BONUS_KEPT.tell(log, side=state.id(side), deck=bonus_deck_size(state))


# The end


def continue_final(state: State, log: EffectLog | None) -> None:
    """Ask the next player who can still exchange fish; after the last one, score."""
    queue = state.final_queue
    while queue and (state.is_automaton(queue[0]) or not can_exchange(state, queue[0])):
        del queue[0]
    if queue:
        state.ask(FINAL_EXCHANGE, queue[0])
    elif state.is_solo:
        state.wait(REVEAL_BONUS)
    else:
        finish(state, log)


def finish(state: State, log: EffectLog | None) -> None:
    """Score everything that counts at the end (R31)."""
    for side in all_seats(state.sides):
        effects.BONUS_REVEALED.tell(log, side=state.id(side), cards=sorted(state.kept[side]))
    for side in all_seats(state.sides):
        scoring.score_side(state, side, log)
    state.end_reason = scoring.HOUSES_PLACED
    state.wait(GAME_OVER)
    effects.GAME_ENDED.tell(log, reason=state.end_reason)
