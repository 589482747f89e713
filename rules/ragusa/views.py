"""What each viewer is shown, and what a seat with a perfect memory knows.

Hidden are the bonus cards of other players: what they were offered, what they saw at the palace,
and, until they are scored, what they kept. Everything else lies open or has not been drawn yet.
"""

from bisect import insort

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, Random, Seat, all_seats, by_seat
from rules.ragusa import automata, data, grid, play
from rules.ragusa.data import NONE, Card, Patrician, Side
from rules.ragusa.state import State

# What of a state's JSON everybody is shown as it is

_BOARD = ("two_player_neutral_houses", "houses", "towers", "walls", "ship_row", "end_reason")
_TURN = ("phase", "active", "start_player", "last_space", "pending_hexes", "current_hex")
_ALL_CARDS = data.CARD.values()
_NO_CARDS: list[Card] = []
_SIDE = ("access", "stock", "houses_left", "forfeited", "towers_left", "ships")


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    known = state.to_json()
    return {
        **{name: known[name] for name in (*_BOARD, *_TURN)},
        "viewer": viewer,
        "solo": state.is_solo,
        "asked": [*play.choosing(state)] if state.decider == NOBODY else [state.decider],
        "activation_queue": [
            {"space": space, "owner": known["houses"][space]} for space in known["activation_queue"]
        ],
        "market": {
            commodity: {"index": index, "price": data.PRICES[index]}
            for commodity, index in known["market"].items()
        },
        "ship_deck": {"cards": len(state.ships_left), "top_back": known["top_back"]},
        "bonus_deck": play.bonus_deck_size(state),
        "palace_draws": [
            # nobody else sees what it laid back, even at the end
            {"side": draw["side"], "cards": draw["cards"] if draw["side"] == viewer else None}
            for draw in known["palace_draws"]
        ],
        "patricians": [_patrician(state, card) for card in state.patricians],
        "sides": [_side(state, side, row, viewer) for side, row in by_seat(known["sides"])],
    }


def _patrician(state: State, card: Patrician) -> JsonObject:
    return {
        "card": data.PATRICIANS[card],
        "owner": state.id(automata.owner(state, card)),
        "spaces": [grid.SPACES[space] for space in grid.PATRICIAN_SPACES[card]],
    }


def _side(state: State, side: Side, known: JsonObject, viewer: Seat | None) -> JsonObject:
    sees, kept = side == viewer or state.phase == play.GAME_OVER, known["kept"]
    open_cards = len(kept) if sees else int(state.is_solo and side == 0)  # R42
    return {
        **{name: known[name] for name in _SIDE},
        "side": state.id(side),
        "color": data.COLOURS[side],
        "vp": {**known["vp"], "total": sum(state.vp[side])},
        "bonus_cards": kept[:open_cards] + [None] * (len(kept) - open_cards),
        "offered": known["offered"] if side == viewer else None,
    }


def information(state: State, seat: Seat) -> JsonObject:
    """Return all that ``seat`` can have learnt: the state, without the cards that it never saw.

    It remembers what it drew, kept and laid back, and so the order of the deck's bottom.
    """
    known = state.to_json()
    if state.phase == play.GAME_OVER:
        return {"seat": seat, "state": known}
    del known["bonus_deck"]
    for side in all_seats(state.seats):
        if side != seat:
            hidden = known["sides"][side]
            hidden["offered"] = [None] * len(hidden["offered"])
            hidden["kept"] = [None] * len(hidden["kept"])
    for draw in known["palace_draws"]:
        if draw["side"] != seat:
            draw["cards"] = [None] * len(draw["cards"])
    return {"seat": seat, "state": known}


def determinize(information: JsonObject, rng: Random) -> State:
    """Return a state with this information: the cards that it never saw are dealt at random."""
    state = State.from_json(information["state"])
    if state.phase == play.GAME_OVER:
        return state
    guess = _Guess(information["seat"], state, rng)
    guess.deal()
    guess.visit_palace()
    return state


class _Guess:
    """One way in which the bonus cards can lie, for all that ``seat`` knows."""

    def __init__(self, seat: Seat, state: State, rng: Random) -> None:
        self.seat, self.state, self.rng = seat, state, rng
        self.others = [
            s for s, dealt in by_seat(state.offered[: state.seats]) if s != seat and dealt
        ]
        drawn = [card for side, cards in state.draws if side == seat for card in cards]
        self.seen = [*dict.fromkeys(drawn)]  # R53: it may draw again what it laid back
        """What the seat saw at the palace: nobody has kept that from the deal."""

    def deal(self) -> None:
        """Guess what the others were offered and kept then; the rest is the deck."""
        offered, kept, pick = self.state.offered, self.state.kept, self.rng.randrange
        own, seen = offered[self.seat], self.seen
        pool = _without({*own, *seen})
        first = {other: pool.pop(pick(len(pool))) for other in self.others}
        pool += [card for card in seen if card not in own]
        for other, card in first.items():
            dealt = [card]
            for _ in range(1, data.BONUS_DEALT):
                insort(dealt, pool.pop(pick(len(pool))))
            offered[other] = tuple(dealt)
            if kept[other]:
                kept[other][0] = card
        gone = {*kept[self.seat][:1], *first.values()}
        if self.state.phase == play.CHOOSE_BONUS or not kept[self.seat]:
            gone = {card for dealt in offered for card in dealt}
        self.state.pile.rest = _without(gone)

    def visit_palace(self) -> None:
        """Guess what the others saw at the palace and kept; what is left over is the deck."""
        state, pile, pick = self.state, self.state.pile, self.rng.randrange
        laid_back, unseen = self._laid_back(), len(pile.rest)
        if self.seen:
            pile.rest = [card for card in pile.rest if card not in self.seen]
        rest, places = pile.rest, [0] * state.sides
        for number, (side, shown) in enumerate(state.draws):
            cards, count, known = shown, len(shown), _NO_CARDS
            if count > unseen:  # R53
                known = [pile.bottom.pop(0) for _ in range(count - unseen)]
            unseen -= count - len(known)
            is_guess = side in self.others
            if is_guess:
                if number in laid_back:
                    known = [*known, laid_back[number]]
                drawn = [rest.pop(pick(len(rest))) for _ in range(count - len(known))]
                cards = (*drawn, *known)
                state.draws[number] = side, cards
            kept, place = state.kept[side], places[side] + 1
            places[side] = place
            if count and place < len(kept):
                if is_guess:
                    may_keep = cards
                    if number in laid_back:
                        may_keep = tuple([card for card in cards if card != laid_back[number]])
                    kept[place] = may_keep[pick(len(may_keep))]
                pile.bottom += [card for card in cards if card != kept[place]]

    def _laid_back(self) -> dict[int, Card]:
        """By draw: the card that was laid under the deck and that the seat itself drew later."""
        unseen = len(self.state.pile.rest)
        if data.PALACE_DRAW * len(self.state.draws) <= unseen:
            return {}
        lying, found = list[int](), dict[int, Card]()
        for number, (_side, cards) in enumerate(self.state.draws):
            for card in cards:
                if unseen:
                    unseen -= 1
                else:
                    found[lying.pop(0)] = card
            if len(cards) == data.PALACE_DRAW:
                lying.append(number)
        return {number: card for number, card in found.items() if card != NONE}


def _without(gone: set[Card]) -> list[Card]:
    """Return all bonus cards but these."""
    cards = [*_ALL_CARDS]
    for card in gone:
        cards.remove(card)
    return cards
