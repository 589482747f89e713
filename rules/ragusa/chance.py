"""The draws of the game.

==========================  ==============================  ============================  ========
in the rulebook             drawn here                      label, occurrence             audience
==========================  ==============================  ============================  ========
ship_deck_shuffled          first of all: the row, and the  ``setup/ships`` 1             public
                            back of the top card
                            after the k-th purchase: the    ``ships/next`` k              public
                            face of the top card, and the
                            next back
bonus_deck_shuffled         next: what is dealt             ``setup/bonus_cards`` 1       none
bonus_deck_reshuffled       not at all: the deck has no
                            order
                            the k-th house at the palace:   ``palace/cards`` k            none
                            its cards
start_player_drawn          next, but in solo               ``setup/start_player`` 1      public
neutral_houses_drawn        next, by option                 ``setup/neutral_houses`` 1    public
patrician_deck_shuffled     in solo: the six cards in play  ``setup/patricians`` 1        public
patrician_hand_shuffled     a bot's k-th turn: a card of    ``patrician/bot_a`` k,        public
                            its hand with a space left, or  ``patrician/bot_b`` k
                            one that nobody has used yet
(bots' bonus cards)         when they are revealed          ``reveal/bonus_cards`` 1      public
==========================  ==============================  ============================  ========

Nothing is drawn before somebody sees it, so only the bonus cards of players are hidden. They are
picked from a rest that no player knows whole: such a pick would tell by its position what is gone,
so it belongs to nobody, and an effect shows the cards to their seat. In solo the card dealt to the
human lies face up, and that draw is public.
"""

from collections.abc import Callable, Sequence

from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE as NOBODY
from rules.kernel.contract.effects import PUBLIC, EffectLog, seat_audience
from rules.ragusa import automata, play
from rules.ragusa.data import (
    AUTOMATA,
    BONUS_CARDS,
    BONUS_DEALT,
    MAX_SEATS,
    NEUTRAL,
    NEUTRAL_HOUSES,
    NONE,
    PALACE_DRAW,
    PATRICIANS,
    PATRICIANS_EACH,
    PATRICIANS_USED,
    SHIP_BACKS,
    SHIPS,
    SLOTS,
)
from rules.ragusa.grid import CITY_SPACES, SPACES
from rules.ragusa.state import State


def _sizes(first: int, count: int) -> tuple[int, ...]:
    """Sizes of a draw of ``count`` things, one after the other, from ``first``."""
    return tuple(range(first, first - count, -1))


_SHIPS = Chance("setup/ships", 1, _sizes(len(SHIPS), SLOTS + 1))
_BONUS = (
    Chance("setup/bonus_cards", 1, _sizes(len(BONUS_CARDS), 1), PUBLIC),
    *(
        Chance("setup/bonus_cards", 1, _sizes(len(BONUS_CARDS), seats * BONUS_DEALT), NOBODY)
        for seats in range(2, MAX_SEATS + 1)
    ),
)
_START_PLAYERS = tuple(
    Chance("setup/start_player", 1, (seats,)) for seats in range(1, MAX_SEATS + 1)
)
_NEUTRAL = Chance("setup/neutral_houses", 1, _sizes(len(CITY_SPACES), NEUTRAL_HOUSES))
_PATRICIANS = Chance("setup/patricians", 1, _sizes(len(PATRICIANS), PATRICIANS_USED))


def pending(state: State) -> Chance | None:
    """Return the draw that the state waits for, if it waits for one."""
    draw = _DRAWS.get(state.phase)
    return draw.asks(state) if draw else None


def apply(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    """Apply nature's answer to the pending draw."""
    _DRAWS[state.phase].does(state, picks, log)


# Set-up


def _deal_ships(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    *row, top = picks
    for pick in row:
        play.ship_arrives(state, state.ships_left[pick], log)
    play.show_top_back(state, state.ships_left[top], log)
    play.continue_setup(state)


def _deal_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    cards = [state.pile.draw(pick) for pick in picks]
    if play.is_solo(state):
        state.offered[0] = cards
        state.kept = [cards[:], [NONE], [NONE]]
    else:
        for seat in range(state.seats):
            state.offered[seat] = sorted(cards[BONUS_DEALT * seat : BONUS_DEALT * (seat + 1)])
    if log:
        for seat in range(state.seats):
            audience = PUBLIC if play.is_solo(state) else seat_audience(seat)
            offered = [BONUS_CARDS[card] for card in state.offered[seat]]
            log.add("bonus_offered", audience, side=seat, cards=offered)
    play.continue_setup(state)


def _draw_start_player(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    (state.start_player,) = picks
    if log:
        log.add("start_player_drawn", side=state.start_player)
    play.continue_setup(state)


def _place_neutral(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    left = list(CITY_SPACES)
    spaces = sorted(left.pop(pick) for pick in picks)
    for space in spaces:
        state.settle(NEUTRAL, space)
        if log:
            log.add("neutral_house_placed", space=SPACES[space])
    play.continue_setup(state)


def _deal_patricians(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    left = list(range(len(PATRICIANS)))
    state.reserve(sorted(left.pop(pick) for pick in picks))
    if log:
        log.add("patricians_dealt", cards=[PATRICIANS[card] for card in state.patricians])
    play.continue_setup(state)


# Play


def _next_ship(state: State) -> Chance:
    left = len(state.ships_left)
    bought = len(SHIPS) - left - SLOTS + 1
    sizes = (len(_top_ships(state)), left - 1) if left > 1 else (1,)
    return Chance("ships/next", bought, sizes)


def _top_ships(state: State) -> list[int]:
    """The ships that the top card can be, by its back."""
    return [ship for ship in state.ships_left if SHIP_BACKS[ship] == state.top_back]


def _draw_ship(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    face, *backs = picks
    play.ship_arrives(state, _top_ships(state)[face], log)
    state.top_back = NONE
    for back in backs:
        play.show_top_back(state, state.ships_left[back], log)
    play.house_done(state, log)


def _palace(state: State) -> Chance:
    rest, count = len(state.pile.rest), min(PALACE_DRAW, play.bonus_deck_size(state))
    sizes = tuple(max(rest - i, 1) for i in range(count))  # R53
    return Chance("palace/cards", len(state.draws) + 1, sizes, NOBODY)


def _draw_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    play.bonus_drawn(state, tuple([state.pile.draw(pick) for pick in picks]), log)


# Solo mode


def _automaton_turn(state: State) -> Chance:
    side = state.active
    hand, unused = automata.open_cards(state, side), automata.unused_cards(state)
    slots = len(hand) + PATRICIANS_EACH - len(automata.used_cards(state, side))
    name = AUTOMATA[side - state.seats]
    return Chance(
        f"patrician/{name}", automata.turn_number(state, side), (slots, max(len(unused), 1))
    )


def _place_automaton_house(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    side = state.active
    hand, unused = automata.open_cards(state, side), automata.unused_cards(state)
    card = hand[picks[0]] if picks[0] < len(hand) else unused[picks[1]]
    if log:
        log.add("patrician_used", side=state.id(side), card=PATRICIANS[card])
    play.place_house(state, side, automata.next_space(state, card), log)


def _reveal(state: State) -> Chance:
    unseen = sum(cards.count(NONE) for cards in state.kept)
    return Chance("reveal/bonus_cards", 1, _sizes(len(state.pile.rest), unseen))


def _reveal_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    answers = iter(picks)
    for cards in state.kept:
        for i, card in enumerate(cards):
            if card == NONE:
                cards[i] = state.pile.draw(next(answers))
    play.finish(state, log)


class _Draw:
    """What is drawn in a phase, and what the picks do."""

    def __init__(
        self,
        asks: Callable[[State], Chance],
        does: Callable[[State, Sequence[int], EffectLog | None], None],
    ) -> None:
        self.asks = asks
        self.does = does


_DRAWS = {
    play.DEAL_SHIPS: _Draw(lambda _: _SHIPS, _deal_ships),
    play.DEAL_BONUS: _Draw(lambda state: _BONUS[state.seats - 1], _deal_bonus),
    play.DRAW_START_PLAYER: _Draw(lambda s: _START_PLAYERS[s.seats - 1], _draw_start_player),
    play.PLACE_NEUTRAL: _Draw(lambda _: _NEUTRAL, _place_neutral),
    play.DEAL_PATRICIANS: _Draw(lambda _: _PATRICIANS, _deal_patricians),
    play.AUTOMATON_TURN: _Draw(_automaton_turn, _place_automaton_house),
    play.DRAW_SHIP: _Draw(_next_ship, _draw_ship),
    play.DRAW_BONUS: _Draw(_palace, _draw_bonus),
    play.REVEAL_BONUS: _Draw(_reveal, _reveal_bonus),
}
