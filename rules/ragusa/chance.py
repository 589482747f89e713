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

Nothing is drawn before somebody sees it, so only the bonus cards of players are hidden. A pick of
such a card is a position among remaining cards that no player knows completely, so it would reveal
which cards are gone: nobody sees the pick, and an effect shows the cards to their seat. In solo
mode the card dealt to the human lies face up, and that draw is public.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from rules.kernel.contract import NOBODY_SEES, PUBLIC, Chance, Draw, EffectLog, seat_audience
from rules.kernel.contract.seats import Seat, all_seats
from rules.ragusa import automata, data, effects, grid, play
from rules.ragusa.data import NEUTRAL, NONE
from rules.ragusa.state import State

T = TypeVar("T", bound=int)


def _sizes(first: int, count: int) -> tuple[int, ...]:
    """Return the number of choices at each of ``count`` successive draws.

    The first draw has ``first`` choices, and each further draw has one less.
    """
    return tuple(range(first, first - count, -1))


def _drawn(left: Iterable[T], picks: Sequence[int]) -> list[T]:
    """Pick things one after the other, and return them sorted.

    ``picks`` are indices into the things that are still left. No thing is put back.
    """
    left = list(left)
    return sorted([left.pop(pick) for pick in picks])


# Set-up


_SHIPS = Chance("setup/ships", 1, _sizes(len(data.SHIPS), data.SLOTS + 1))


def _deal_ships(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    *row, top = picks
    for pick in row:
        play.ship_arrives(state, state.ships_left[pick], log)
    play.show_top_back(state, state.ships_left[top], log)
    play.continue_setup(state)


def _bonus_cards(state: State) -> Chance:
    count = 1 if state.is_solo else state.seats * data.BONUS_DEALT
    audience = PUBLIC if state.is_solo else NOBODY_SEES
    return Chance("setup/bonus_cards", 1, _sizes(len(data.CARDS), count), audience)


def _deal_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    cards = [state.pile.draw(pick) for pick in picks]
    each = len(cards) // state.seats
    for seat in all_seats(state.seats):
        state.offered[seat] = tuple(sorted(cards[each * seat : each * (seat + 1)]))
        if log:
            audience = PUBLIC if state.is_solo else seat_audience(seat)
            effects.BONUS_OFFERED.tell(log, audience, side=seat, cards=state.offered[seat])
    if state.is_solo:
        state.kept = [cards, [NONE], [NONE]]
    play.continue_setup(state)


def _draw_start_player(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    (state.start_player,) = map(Seat, picks)
    effects.START_PLAYER_DRAWN.tell(log, side=state.start_player)
    play.continue_setup(state)


_NEUTRAL = Chance("setup/neutral_houses", 1, _sizes(len(grid.CITY_SPACES), data.NEUTRAL_HOUSES))


def _place_neutral(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    for space in _drawn(grid.CITY_SPACES, picks):
        state.settle(NEUTRAL, space)
        effects.NEUTRAL_HOUSE_PLACED.tell(log, space=space)
    play.continue_setup(state)


_PATRICIANS = Chance("setup/patricians", 1, _sizes(len(data.PATRICIANS), data.PATRICIANS_USED))


def _deal_patricians(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    state.patricians = _drawn(data.PATRICIAN.values(), picks)
    effects.PATRICIANS_DEALT.tell(log, cards=state.patricians)
    play.continue_setup(state)


# Play


def _next_ship(state: State) -> Chance:
    left = len(state.ships_left)
    bought = len(data.SHIPS) - left - data.SLOTS + 1
    sizes = (len(_top_ships(state)), left - 1) if left > 1 else (1,)
    return Chance("ships/next", bought, sizes)


def _top_ships(state: State) -> list[data.Ship]:
    """Return the ships that may be the top card, given its back."""
    return [ship for ship in state.ships_left if data.SHIP_BACKS[ship] == state.top_back]


def _draw_ship(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    face, *backs = picks
    play.ship_arrives(state, _top_ships(state)[face], log)
    state.top_back = NONE
    for back in backs:
        play.show_top_back(state, state.ships_left[back], log)
    play.house_done(state, log)


def _palace(state: State) -> Chance:
    rest, count = len(state.pile.rest), min(data.PALACE_DRAW, play.bonus_deck_size(state))
    sizes = tuple(max(rest - i, 1) for i in range(count))  # R53
    return Chance("palace/cards", len(state.draws) + 1, sizes, NOBODY_SEES)


def _draw_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    seat, cards = state.active, tuple([state.pile.draw(pick) for pick in picks])
    state.draws.append((seat, cards))
    effects.BONUS_SEEN.tell(log, seat_audience(seat), side=seat, cards=cards)
    if len(cards) == 1:
        play.keep_bonus(state, seat, cards[0], log)
        play.house_done(state, log)
    else:
        state.ask(play.KEEP_BONUS, seat)


# Solo mode


def _automaton_turn(state: State) -> Chance:
    side = state.active
    hand, unused = automata.open_cards(state, side), automata.used_cards(state, NONE)
    slots = len(hand) + data.PATRICIANS_EACH - len(automata.used_cards(state, side))
    turn = data.ROUNDS - state.houses_left[side] + 1
    return Chance(f"patrician/{state.id(side)}", turn, (slots, max(len(unused), 1)))


def _place_automaton_house(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    side = state.active
    hand, unused = automata.open_cards(state, side), automata.used_cards(state, NONE)
    card = hand[picks[0]] if picks[0] < len(hand) else unused[picks[1]]
    effects.PATRICIAN_USED.tell(log, side=state.id(side), card=card)
    play.place_house(state, side, automata.next_space(state, card), log)


def _reveal(state: State) -> Chance:
    unseen = sum(cards.count(NONE) for cards in state.kept)
    return Chance("reveal/bonus_cards", 1, _sizes(len(state.pile.rest), unseen))


def _reveal_bonus(state: State, picks: Sequence[int], log: EffectLog | None) -> None:
    cards = iter([state.pile.draw(pick) for pick in picks])
    state.kept = [[next(cards) if c == NONE else c for c in kept] for kept in state.kept]
    play.finish(state, log)


# The draw of each phase, and its effect

DRAWS = {
    play.DEAL_SHIPS: Draw(lambda _: _SHIPS, _deal_ships),
    play.DEAL_BONUS: Draw(_bonus_cards, _deal_bonus),
    play.DRAW_START_PLAYER: Draw(
        lambda state: Chance("setup/start_player", 1, (state.seats,)), _draw_start_player
    ),
    play.PLACE_NEUTRAL: Draw(lambda _: _NEUTRAL, _place_neutral),
    play.DEAL_PATRICIANS: Draw(lambda _: _PATRICIANS, _deal_patricians),
    play.AUTOMATON_TURN: Draw(_automaton_turn, _place_automaton_house),
    play.DRAW_SHIP: Draw(_next_ship, _draw_ship),
    play.DRAW_BONUS: Draw(_palace, _draw_bonus),
    play.REVEAL_BONUS: Draw(_reveal, _reveal_bonus),
}
