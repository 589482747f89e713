"""The sequence of play: the phases, and what happens between them by itself.

Moves (``moves``) and draws (``chance``) call these procedures; none of them asks anybody. A turn
places a house, gains what the land gives, then activates the city hexes round the house one after
the other; in each, every house acts, clockwise from the new one.
"""

from collections.abc import Callable, Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import EffectLog, seat_audience
from rules.kernel.contract.phases import Phase
from rules.ragusa import automata, scoring
from rules.ragusa.data import (
    BACKS,
    BONUS_CARDS,
    COMMODITIES,
    COMMODITY_MAX,
    FISH,
    FISH_PER_EXCHANGE,
    FISH_PER_VP,
    GRAPES,
    NONE,
    OLIVES,
    PRICES,
    RESOURCE_MAX,
    RESOURCES,
    SHIP_BACKS,
    SHIP_PRICES,
    SHIP_STARS,
    SHIPS,
    SILVER_ORE,
    SLOT_FALLS,
    STONE,
    TRACK_END,
    WOOD,
)
from rules.ragusa.grid import (
    ACTIVATES,
    ARCHITECT,
    AUTOMATON_HEX_ORDER,
    CLOCKWISE,
    DOCK,
    FISH_LEFT,
    FISHMONGER,
    GAINS,
    GIVES_WOOD,
    HEXES,
    MARKET,
    MASON,
    PALACE,
    PRODUCTION,
    REACTIVATES,
    SOLO_HOUSES,
    SPACES,
    SPECIAL,
    TRADES,
    WALLS,
)
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


def ask(state: State, phase: str, side: int) -> None:
    """Put the question of ``phase`` to ``side``; NONE: to all that have not answered."""
    state.phase = phase
    state.decider = side


def wait_for_nature(state: State, phase: str) -> None:
    """Wait for the draw of ``phase``."""
    state.phase = phase
    state.decider = NONE


# Set-up


def set_up(state: State) -> None:
    """Start the draws; in solo mode the first houses stand already."""
    if is_solo(state):
        for side, spaces in enumerate(SOLO_HOUSES):
            for space in spaces:
                state.houses_left[side] -= 1
                state.settle(side, space)
                gain_access(state, side, space, None)
    continue_setup(state)


def is_solo(state: State) -> bool:
    """Whether automata play against one human."""
    return state.seats == 1


def _setup_draws(state: State) -> tuple[str, ...]:
    if is_solo(state):
        return (DEAL_SHIPS, DEAL_BONUS, DEAL_PATRICIANS)
    if state.neutral:
        return (DEAL_SHIPS, DEAL_BONUS, DRAW_START_PLAYER, PLACE_NEUTRAL)
    return (DEAL_SHIPS, DEAL_BONUS, DRAW_START_PLAYER)


def continue_setup(state: State) -> None:
    """Go on to the next draw; after the last, choose bonus cards, or let the first bot play."""
    draws = _setup_draws(state)
    done = draws.index(state.phase) + 1 if state.phase else 0
    if done < len(draws):
        wait_for_nature(state, draws[done])
    elif is_solo(state):
        state.start_player = 1
        start_turn(state, state.start_player)
    else:
        ask(state, CHOOSE_BONUS, NONE)


def bonus_chosen(state: State, log: EffectLog | None) -> None:
    """When all have chosen, put the discards into the deck, and start the first turn."""
    seats = range(state.seats)
    if not all(state.kept):
        return
    discarded = [c for s in seats for c in state.offered[s] if c not in state.kept[s]]
    state.pile.rest = sorted(state.pile.rest + discarded)
    if log:
        log.add("bonus_deck_reshuffled", cards=len(state.pile))
    start_turn(state, state.start_player)


# Turns


def start_turn(state: State, side: int) -> None:
    """Let a side place a house."""
    state.active = side
    state.last_space = NONE
    if state.is_automaton(side):
        wait_for_nature(state, AUTOMATON_TURN)
    else:
        ask(state, PLACE_HOUSE, side)


def end_turn(state: State, log: EffectLog | None) -> None:
    """Pass the turn clockwise to the next side with a house left; without one, the game ends."""
    if log:
        log.add("turn_ended", side=state.id(state.active))
    for side in _clockwise(state, state.active + 1):
        if state.houses_left[side]:
            start_turn(state, side)
            return
    state.active = NONE
    state.last_space = NONE
    state.final_queue = _clockwise(state, state.start_player)
    continue_final(state, log)


def _clockwise(state: State, first: int) -> list[int]:
    return [(first + i) % state.sides for i in range(state.sides)]


# Placing a house


def legal_spaces(state: State, side: int) -> Iterator[int]:
    """Every space on which ``side`` may build, in order: what ``shortage`` and R8 leave."""
    access, wood_short, stone_short = (
        state.access[side],
        state.wood_short[side],
        state.stone_short[side],
    )
    fish, wood, stone = access[:3]
    first = is_first_house(state, side)
    poor = not any(state.stock[side])
    for space in state.free:
        missing = wood_short[space] - wood
        missing = max(missing, 0)
        if stone_short[space] > stone:
            missing += stone_short[space] - stone
        for resource in SPECIAL[space]:
            if not access[resource]:
                missing += 1
        if (
            missing * FISH_PER_EXCHANGE + FISH_LEFT[space] <= min(fish + _SEAS[space], RESOURCE_MAX)
            and not (poor and TRADES[space])
            and (GIVES_WOOD[space] or not first)
        ):
            yield space


_SEAS = tuple(gains.count(FISH) for gains in GAINS)


def is_first_house(state: State, side: int) -> bool:
    """Whether ``side`` has no house on the board."""
    return side not in state.house_at


def shortage(state: State, side: int, space: int) -> list[tuple[int, int]]:
    """What a house there needs and ``side`` will not have: pairs of resource and units.

    They come in the order in which they are refused. What the house itself brings counts.
    """
    access = state.access[side]
    short = [
        (WOOD, state.wood_short[side][space] - access[WOOD]),
        (STONE, state.stone_short[side][space] - access[STONE]),
        *((resource, 1 - access[resource]) for resource in (GRAPES, OLIVES, SILVER_ORE)
          if resource in SPECIAL[space]),
    ]  # fmt: skip
    return [(resource, units) for resource, units in short if units > 0]


def fish_after(state: State, side: int, space: int, short: list[tuple[int, int]]) -> int:
    """Fish left after the house brought its own and all that is short was exchanged (R3)."""
    fish = min(state.access[side][FISH] + _SEAS[space], RESOURCE_MAX)
    return fish - FISH_PER_EXCHANGE * sum(units for _resource, units in short)


def place_house(state: State, side: int, space: int, log: EffectLog | None) -> None:
    """Place a house, gain what the land gives, exchange what is short; then the city acts."""
    short = [] if state.is_automaton(side) else shortage(state, side, space)
    state.houses_left[side] -= 1
    state.settle(side, space)
    state.last_space = space
    if log:
        log.add("house_placed", side=state.id(side), space=SPACES[space])
    gain_access(state, side, space, log)
    for resource, units in short:
        exchange_fish(state, side, resource, units, log)
    state.pending = list(ACTIVATES[space])
    continue_turn(state, log)


def forfeit_house(state: State, side: int, log: EffectLog | None) -> None:
    """Take a house out of the game; the turn is over (R36)."""
    state.houses_left[side] -= 1
    state.forfeited[side] += 1
    if log:
        log.add("house_forfeited", side=state.id(side))
    end_turn(state, log)


def gain_access(state: State, side: int, space: int, log: EffectLog | None) -> None:
    """Give a house's owner the resources of its rural and sea hexes, at once (R5, R13)."""
    access = state.access[side]
    for resource in GAINS[space]:
        if access[resource] < RESOURCE_MAX:
            access[resource] += 1
            if log:
                log.add("access_gained", side=state.id(side), resource=RESOURCES[resource])


def can_exchange(state: State, side: int) -> bool:
    """Whether ``side`` has the fish for an exchange, and a resource that is not at its limit."""
    access = state.access[side]
    return access[FISH] >= FISH_PER_EXCHANGE and min(access[FISH + 1 :]) < RESOURCE_MAX


def exchange_fish(
    state: State, side: int, resource: int, units: int, log: EffectLog | None
) -> None:
    """Turn access to fish into access to another resource, for good (R1)."""
    state.access[side][FISH] -= FISH_PER_EXCHANGE * units
    state.access[side][resource] += units
    if log:
        log.add(
            "fish_exchanged",
            side=state.id(side),
            fish=FISH_PER_EXCHANGE * units,
            resource=RESOURCES[resource],
            units=units,
        )


# Activating city hexes


def continue_turn(state: State, log: EffectLog | None) -> None:
    """Let houses and hexes act until somebody has to decide; then the turn is over."""
    while _houses_act(state, log):
        state.hex = NONE  # R11
        state.closed = []
        if not state.pending:
            end_turn(state, log)
            return
        if state.is_automaton(state.active):
            activate_hex(state, min(state.pending, key=AUTOMATON_HEX_ORDER.index), log)
        elif len(state.pending) == 1 and not can_exchange(state, state.active):
            activate_hex(state, state.pending[0], log)
        else:
            ask(state, CHOOSE_HEX, state.active)
            return


def _houses_act(state: State, log: EffectLog | None) -> bool:
    """Let the queued houses act; return whether all have, or one waits for an answer."""
    while state.queue:
        space = state.queue[0]
        if not _ACTS[state.hex](state, space, state.house_at[space], log):
            return False
        del state.queue[0]
    return True


def activate_hex(state: State, hex_: int, log: EffectLog | None) -> None:
    """Queue the houses of a pending hex: all of them clockwise from the new one, or that alone."""
    state.pending.remove(hex_)
    state.hex = hex_
    if REACTIVATES[hex_]:  # R14
        house_at = state.house_at
        state.queue = [s for s in CLOCKWISE[hex_][state.last_space] if house_at[s] >= 0]
    else:
        state.queue = [state.last_space]
    if log:
        log.add("hex_activated", side=state.id(state.active), hex=HEXES[hex_])


def house_done(state: State, log: EffectLog | None) -> None:
    """Go on after the house at the head of the queue."""
    del state.queue[0]
    continue_turn(state, log)


Act = Callable[[State, int, int, EffectLog | None], bool]
"""What a house on a space does for its owner; whether it is done (or waits for an answer)."""


def _skip(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    if log:
        log.add("house_idle", side=state.id(owner), space=SPACES[space], hex=HEXES[state.hex])
    return True


def _produce(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    resource, commodity = PRODUCTION[state.hex]
    access, stock = state.access[owner], state.stock[owner]
    if (  # R51
        access[FISH] >= FISH_PER_EXCHANGE
        and owner != state.active
        and owner not in state.closed
        and not state.is_automaton(owner)
        and access[resource] < RESOURCE_MAX
        and stock[commodity] < COMMODITY_MAX
    ):
        ask(state, PRODUCTION_EXCHANGE, owner)
        return False
    amount = min(access[resource], COMMODITY_MAX - stock[commodity])  # R6
    stock[commodity] += amount
    if owner not in state.closed:
        state.closed.append(owner)
    if log:
        log.add(
            "commodities_produced",
            side=state.id(owner),
            space=SPACES[space],
            commodity=COMMODITIES[commodity],
            amount=amount,
        )
    return True


def _sell_fish(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    vp = state.access[owner][FISH] // FISH_PER_VP  # R9
    state.vp[owner][FROM_FISH] += vp
    if log:
        log.add("fish_scored", side=state.id(owner), space=SPACES[space], vp=vp)
    return True


def _mason(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    if all(state.walls):  # R18
        return _skip(state, space, owner, log)
    if state.is_automaton(owner):
        build_wall(state, owner, automata.wall(state, owner), log)
        return True
    ask(state, BUILD_WALL, owner)
    return False


def _architect(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    if not state.towers_left[owner] or NONE not in state.tower_at:  # R19
        return _skip(state, space, owner, log)
    if state.is_automaton(owner):
        build_tower(state, owner, automata.tower(state, owner), log)
        return True
    ask(state, BUILD_TOWER, owner)
    return False


def _market(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    slots = affordable(state, owner)
    if not slots:  # R23
        return _skip(state, space, owner, log)
    if state.is_automaton(owner):
        return buy_ship(state, owner, automata.slot(state, slots), log)
    ask(state, BUY_SHIP, owner)
    return False


def _dock(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    if not any(state.stock[owner]):  # R23
        return _skip(state, space, owner, log)
    if state.is_automaton(owner):
        sell(state, owner, automata.commodity(state, owner), log)
        return True
    ask(state, SELL_COMMODITY, owner)
    return False


def _palace(state: State, space: int, owner: int, log: EffectLog | None) -> bool:
    if not bonus_deck_size(state):  # R16
        return _skip(state, space, owner, log)
    if state.is_automaton(owner):  # its cards are drawn when they are revealed
        state.draws.append((owner, ()))
        keep_bonus(state, owner, NONE, log)
        return True
    wait_for_nature(state, DRAW_BONUS)  # R15
    return False


_ACTS: dict[int, Act] = {
    **dict.fromkeys(PRODUCTION, _produce),
    FISHMONGER: _sell_fish,
    MASON: _mason,
    ARCHITECT: _architect,
    MARKET: _market,
    DOCK: _dock,
    PALACE: _palace,
}


# What houses do


def build_wall(state: State, side: int, wall: int, log: EffectLog | None) -> None:
    """Build a wall; its builder scores it and the own pieces at its ends."""
    vp = scoring.wall_vp(state, side, wall)
    state.walls[wall] = 1
    state.vp[side][FROM_WALLS] += vp
    if log:
        log.add("wall_built", side=state.id(side), wall=WALLS[wall], vp=vp)


def build_tower(state: State, side: int, space: int, log: EffectLog | None) -> None:
    """Build a tower of one's own colour."""
    state.towers_left[side] -= 1
    state.tower_at[space] = side
    if log:
        log.add("tower_built", side=state.id(side), space=SPACES[space])


def affordable(state: State, side: int) -> list[int]:
    """The slots (from 0) whose ships ``side`` can pay for."""
    wine, oil, silver = state.stock[side]
    return [
        slot
        for slot, ship in enumerate(state.row)
        if (price := SHIP_PRICES[ship][slot])[0] <= wine and price[1] <= oil and price[2] <= silver
    ]


def buy_ship(state: State, side: int, slot: int, log: EffectLog | None) -> bool:
    """Pay for a ship and score it; return whether that is all: the next comes from the deck."""
    ship = state.row.pop(slot)  # R24: the others slide to the left
    price = SHIP_PRICES[ship][slot]
    stock = state.stock[side]
    for commodity, amount in enumerate(price):
        stock[commodity] -= amount
    state.vp[side][FROM_SHIPS] += SHIP_STARS[ship]
    state.ships[side].append(ship)
    if log:
        paid: JsonObject = dict(zip(COMMODITIES, price, strict=True))
        log.add(
            "ship_bought",
            side=state.id(side),
            ship=SHIPS[ship],
            slot=slot + 1,
            **paid,
            price=scoring.units(price),
            vp=SHIP_STARS[ship],
        )
    commodity, steps = SLOT_FALLS[slot]
    move_price(state, commodity, -steps, log)  # R25, R26
    if not state.ships_left:  # R28
        return True
    wait_for_nature(state, DRAW_SHIP)
    return False


def move_price(state: State, commodity: int, steps: int, log: EffectLog | None) -> None:
    """Move a marker on the market track; steps beyond its ends are lost."""
    before = state.market[commodity]
    state.market[commodity] = after = min(max(before + steps, 0), TRACK_END)
    if log and after != before:
        log.add(
            "price_moved",
            commodity=COMMODITIES[commodity],
            index=after,
            steps=after - before,
            price=PRICES[after],
        )


def ship_arrives(state: State, ship: int, log: EffectLog | None) -> None:
    """Move the price that the ship's back shows; lay it at the right end of the row."""
    state.ships_left.remove(ship)
    commodity, arrows = BACKS[SHIP_BACKS[ship]]
    move_price(state, commodity, arrows, log)
    state.row.append(ship)
    if log:
        log.add("ship_arrived", ship=SHIPS[ship], slot=len(state.row))


def show_top_back(state: State, ship: int, log: EffectLog | None) -> None:
    """The deck's new top card has the back of ``ship``; which of these it is stays open."""
    state.top_back = SHIP_BACKS[ship]
    if log:
        commodity, arrows = BACKS[state.top_back]
        log.add("top_back_seen", commodity=COMMODITIES[commodity], arrows=arrows)


def sell(state: State, side: int, commodity: int, log: EffectLog | None) -> None:
    """Sell one unit at its present price, which does not change (R29)."""
    vp = PRICES[state.market[commodity]]
    state.stock[side][commodity] -= 1
    state.vp[side][FROM_DOCK] += vp
    if log:
        log.add("commodity_sold", side=state.id(side), commodity=COMMODITIES[commodity], vp=vp)


def bonus_deck_size(state: State) -> int:
    """How many cards lie there: those that automata keep are only drawn when revealed."""
    return len(state.pile) - sum(cards.count(NONE) for cards in state.kept)


def bonus_drawn(state: State, cards: tuple[int, ...], log: EffectLog | None) -> None:
    """Show the palace's cards to the active player; of two, one goes back."""
    seat = state.active
    state.draws.append((seat, cards))
    if log:
        shown = [BONUS_CARDS[card] for card in cards]
        log.add("bonus_seen", seat_audience(seat), side=seat, cards=shown)
    if len(cards) == 1:
        keep_bonus(state, seat, cards[0], log)
        house_done(state, log)
    else:
        ask(state, KEEP_BONUS, seat)


def keep_bonus(state: State, side: int, card: int, log: EffectLog | None) -> None:
    """Keep a card of the last draw, and lay the other under the deck."""
    _side, cards = state.draws[-1]
    for other in cards:
        if other != card:
            state.pile.put_under(other)
    state.kept[side].append(card)
    if log:
        log.add("bonus_kept", side=state.id(side), deck=bonus_deck_size(state))


# The end


def continue_final(state: State, log: EffectLog | None) -> None:
    """Ask the next player who can still exchange fish; after the last, score."""
    queue = state.final_queue
    while queue and (state.is_automaton(queue[0]) or not can_exchange(state, queue[0])):
        del queue[0]
    if queue:
        ask(state, FINAL_EXCHANGE, queue[0])
    elif is_solo(state):
        wait_for_nature(state, REVEAL_BONUS)
    else:
        finish(state, log)


def finish(state: State, log: EffectLog | None) -> None:
    """Score everything that is scored at the end (R31)."""
    for side in range(state.sides):
        if log:
            kept = [BONUS_CARDS[card] for card in state.kept[side]]
            log.add("bonus_revealed", side=state.id(side), cards=kept)
    for side in range(state.sides):
        scoring.score_side(state, side, log)
    state.end_reason = scoring.HOUSES_PLACED
    ask(state, GAME_OVER, NONE)
    if log:
        log.add("game_ended", reason=state.end_reason)
