"""Views, and the information of a seat that remembers everything.

The bonus cards of other players are hidden: the cards offered at the start, the cards seen at the
palace, and the cards kept, until these are scored. Everything else is open or has not been drawn
yet.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import NOBODY, Random, Seat, all_seats, by_seat
from rules.kernel.toolbox.unseen import dealt, drawn
from rules.ragusa import automata, data, grid, play
from rules.ragusa.data import NONE, Card, Patrician, Side
from rules.ragusa.state import State

# The public members of a state's JSON

_BOARD = ("two_player_neutral_houses", "houses", "towers", "walls", "ship_row", "end_reason")
_TURN = ("phase", "active", "start_player", "last_space", "pending_hexes", "current_hex")
_ALL_CARDS = data.CARD.values()
_SIDE = ("access", "stock", "houses_left", "forfeited", "towers_left", "ships")


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the view of ``viewer``."""
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
            # Other players never see the cards that a side has put back, even at the end.
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
    kept = known["kept"]
    if side == viewer or state.phase == play.GAME_OVER:
        # sorted, because others do not know in which order they were kept
        cards = sorted(kept, key=data.CARDS.index)
    else:
        cards = kept[: state.is_solo and side == 0]  # R42
    return {
        **{name: known[name] for name in _SIDE},
        "side": state.id(side),
        "color": data.COLOURS[side],
        "vp": {**known["vp"], "total": sum(state.vp[side])},
        "bonus_cards": cards + [None] * (len(kept) - len(cards)),
        "offered": known["offered"] if side == viewer else None,
    }


def information(state: State, seat: Seat) -> JsonObject:
    """Return the information of ``seat``: the state, without cards that it never saw.

    It contains the cards that the seat drew, kept and put back. So the seat knows a part of the
    order of the deck's bottom. If one seat puts a card back and another draws it (R53), both seats
    know that card.
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
    draws = known["palace_draws"]
    own = {card for draw in draws if draw["side"] == seat for card in draw["cards"]}
    for draw in draws:
        if draw["side"] != seat:
            met = [card for card in draw["cards"] if card in own]
            draw["cards"] = met + [None] * (len(draw["cards"]) - len(met))
    return {"seat": seat, "state": known}


def determinize(information: JsonObject, rng: Random) -> State:
    """Return a state with this information, in which unseen cards are dealt at random."""
    state = State.from_json({"bonus_deck": {"rest": [], "bottom": []}, **information["state"]})
    if state.phase != play.GAME_OVER:
        _deal(state, information["seat"], rng)
        _draw_at_palace(state, rng)
    return state


def _deal(state: State, seat: Seat, rng: Random) -> None:
    """Guess the cards that others were offered and kept; the remaining cards are the deck."""
    offered, kept = state.offered, state.kept
    own, others = offered[seat], [s for s in all_seats(state.seats) if s != seat and offered[s]]
    drawn_by_it = [card for side, cards in state.draws if side == seat for card in cards]
    # each card once, because a seat may draw a card again that it put back (R53)
    seen = [*dict.fromkeys(drawn_by_it)]
    pool, nothing = _without({*own, *seen}), [None] * len(others)
    # no other player kept a card that this seat saw at the palace
    firsts = dealt(nothing, [1] * len(others), pool, rng)
    pool += [card for card in seen if card not in own]
    laid_back = dealt(nothing, [data.BONUS_DEALT - 1] * len(others), pool, rng)
    for other, (first,), rest in zip(others, firsts, laid_back, strict=True):
        offered[other] = tuple(sorted([first, *rest]))
        if kept[other]:
            kept[other][0] = first
    if state.phase == play.CHOOSE_BONUS or not kept[seat]:
        gone = {card for cards in offered for card in cards}
    else:
        gone = {kept[seat][0], *(first for (first,) in firsts)}
    state.pile.rest = _without(gone)


def _draw_at_palace(state: State, rng: Random) -> None:
    """Guess which cards others saw at the palace and kept; the remaining cards are the deck."""
    places = [0] * state.sides
    draws = [tuple([None if card == NONE else card for card in cards]) for _, cards in state.draws]
    rest, bottom = state.pile.rest, state.pile.bottom
    for number, (cards, may_keep) in enumerate(drawn(rest, draws, rng, bottom=bottom)):
        side, _ = state.draws[number]
        state.draws[number] = side, cards
        places[side] += 1
        kept, place = state.kept[side], places[side]
        if cards and place < len(kept):
            if kept[place] == NONE:
                kept[place] = may_keep[rng.randrange(len(may_keep))]
            bottom += [card for card in cards if card != kept[place]]


def _without(gone: set[Card]) -> list[Card]:
    """Return all bonus cards except ``gone``."""
    cards = [*_ALL_CARDS]
    for card in gone:
        cards.remove(card)
    return cards
