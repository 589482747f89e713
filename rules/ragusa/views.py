"""What each viewer is shown, and what a seat with a perfect memory knows.

Hidden are the bonus cards of other players: what they were offered, what they saw at the palace,
and, until they are scored, what they kept. Everything else lies open or has not been drawn yet.
"""

from collections.abc import Sequence

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Random
from rules.ragusa import automata
from rules.ragusa.data import (
    BONUS_CARDS,
    BONUS_DEALT,
    COLOURS,
    COMMODITIES,
    NONE,
    PALACE_DRAW,
    PATRICIANS,
    PRICES,
    RESOURCES,
    SHIPS,
)
from rules.ragusa.grid import HEXES, PATRICIAN_SPACES, SPACES, WALLS
from rules.ragusa.play import CHOOSE_BONUS, GAME_OVER, bonus_deck_size, is_solo
from rules.ragusa.state import SOURCES, State

Cards = list[str]


def view(state: State, viewer: int | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    return {
        "viewer": viewer,
        "two_player_neutral_houses": state.neutral,
        "solo": is_solo(state),
        "phase": state.phase,
        "asked": asked(state),
        "active": state.id(state.active),
        "start_player": state.id(state.start_player),
        "end_reason": state.end_reason,
        "last_space": _id(SPACES, state.last_space),
        "pending_hexes": [HEXES[hex_] for hex_ in state.pending],
        "current_hex": _id(HEXES, state.hex),
        "activation_queue": [
            {"space": SPACES[space], "owner": state.id(state.house_at[space])}
            for space in state.queue
        ],
        "houses": {SPACES[s]: state.id(o) for s, o in enumerate(state.house_at) if o != NONE},
        "towers": {SPACES[s]: state.id(o) for s, o in enumerate(state.tower_at) if o != NONE},
        "walls": [WALLS[wall] for wall, built in enumerate(state.walls) if built],
        "market": {
            commodity: {"index": index, "price": PRICES[index]}
            for commodity, index in zip(COMMODITIES, state.market, strict=True)
        },
        "ship_row": [SHIPS[ship] for ship in state.row],
        "ship_deck": {"cards": len(state.ships_left), "top_back": state.top_back_json()},
        "bonus_deck": bonus_deck_size(state),
        "palace_draws": [
            {"side": state.id(side), "cards": _own(cards, side, viewer)}
            for side, cards in state.draws
        ],
        "patricians": [_patrician(state, card) for card in state.patricians],
        "sides": [_side(state, side, viewer) for side in range(state.sides)],
    }


def asked(state: State) -> list[int]:
    """The seats that have a decision to answer."""
    if state.phase == CHOOSE_BONUS:
        return [seat for seat in range(state.seats) if not state.kept[seat]]
    return [] if state.decider == NONE else [state.decider]


def _own(cards: Sequence[int], side: int, viewer: int | None) -> Cards | None:
    """The cards that a side was shown: what it laid back nobody else sees, even at the end."""
    return [BONUS_CARDS[card] for card in cards] if side == viewer else None


def _patrician(state: State, card: int) -> JsonObject:
    return {
        "card": PATRICIANS[card],
        "owner": state.id(automata.owner(state, card)),
        "spaces": [SPACES[space] for space in PATRICIAN_SPACES[card]],
    }


def _side(state: State, side: int, viewer: int | None) -> JsonObject:
    sees = side == viewer or state.phase == GAME_OVER
    kept = [_id(BONUS_CARDS, card) for card in state.kept[side]]
    open_cards = len(kept) if sees else int(is_solo(state) and side == 0)  # R42
    return {
        "side": state.id(side),
        "color": COLOURS[side],
        "access": dict(zip(RESOURCES, state.access[side], strict=True)),
        "stock": dict(zip(COMMODITIES, state.stock[side], strict=True)),
        "houses_left": state.houses_left[side],
        "forfeited": state.forfeited[side],
        "towers_left": state.towers_left[side],
        "ships": [SHIPS[ship] for ship in state.ships[side]],
        "vp": {**dict(zip(SOURCES, state.vp[side], strict=True)), "total": sum(state.vp[side])},
        "bonus_cards": kept[:open_cards] + [None] * (len(kept) - open_cards),
        "offered": _own(state.offered[side], side, viewer),
    }


def _id(ids: tuple[str, ...], index: int) -> str | None:
    return None if index == NONE else ids[index]


def information(state: State, seat: int) -> JsonObject:
    """Return all that ``seat`` can have learnt: the state, without the cards that it never saw.

    What it drew, kept and laid back it remembers; so the order of the deck's bottom follows.
    """
    known = state.to_json()
    if state.phase == GAME_OVER:
        return {"seat": seat, "state": known}
    del known["bonus_deck"]
    for side in range(state.seats):
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
    known = information["state"]
    if known["phase"] == GAME_OVER:
        return State.from_json(known)
    guess = _Guess(information["seat"], known, rng)
    guess.deal()
    guess.visit_palace()
    return State.from_json(
        {
            **known,
            "sides": guess.sides,
            "palace_draws": guess.draws,
            "bonus_deck": {"rest": guess.rest, "bottom": guess.bottom},
        }
    )


class _Guess:
    """One way in which the bonus cards can lie, for all that ``seat`` knows."""

    def __init__(self, seat: int, known: JsonObject, rng: Random) -> None:
        self.seat = seat
        self.rng = rng
        self.phase = known["phase"]
        self.sides = [{**side, "kept": side["kept"][:]} for side in known["sides"]]
        self.draws = [{**draw, "cards": draw["cards"][:]} for draw in known["palace_draws"]]
        self.others = [s for s in range(known["seats"]) if s != seat and self.sides[s]["offered"]]
        seen = [c for draw in self.draws if draw["side"] == seat for c in draw["cards"]]
        self.seen = list(dict.fromkeys(seen))  # R53: it may draw again what it laid back
        """What the seat saw at the palace: nobody has kept that from the deal."""
        self.rest: list[str] = []
        self.bottom: list[str] = []

    def _take(self, cards: list[str]) -> str:
        return cards.pop(self.rng.randrange(len(cards)))

    def deal(self) -> None:
        """Guess what the others were offered and kept then; the rest is the deck."""
        own = self.sides[self.seat]
        pool = [c for c in BONUS_CARDS if c not in own["offered"] and c not in self.seen]
        first = {other: self._take(pool) for other in self.others}
        pool += [card for card in self.seen if card not in own["offered"]]
        for other in self.others:
            offered = [first[other], *(self._take(pool) for _ in range(BONUS_DEALT - 1))]
            self.sides[other]["offered"] = sorted(offered, key=BONUS_CARDS.index)
            if self.sides[other]["kept"]:
                self.sides[other]["kept"][0] = first[other]
        gone = [*own["kept"][:1], *first.values()]
        if self.phase == CHOOSE_BONUS or not own["kept"]:
            gone = [card for side in self.sides for card in side["offered"]]
        self.rest = [card for card in BONUS_CARDS if card not in gone]

    def visit_palace(self) -> None:
        """Guess what the others saw at the palace and kept; what is left over is the deck."""
        laid_back, unseen = self._laid_back(), len(self.rest)
        self.rest = [card for card in self.rest if card not in self.seen]
        for number, draw in enumerate(self.draws):
            side, count = draw["side"], len(draw["cards"])
            known = [self.bottom.pop(0) for _ in range(count - unseen)]  # R53
            unseen -= count - len(known)
            if side in self.others:
                known += [laid_back[number]] if number in laid_back else []
                new = [self._take(self.rest) for _ in range(count - len(known))]
                draw["cards"] = new + known
            place = 1 + sum(earlier["side"] == side for earlier in self.draws[:number])
            if count and place < len(self.sides[side]["kept"]):
                self._keep(side, place, draw["cards"], laid_back.get(number))

    def _keep(self, side: int, place: int, cards: list[str], laid_back: str | None) -> None:
        kept = self.sides[side]["kept"]
        if side in self.others:
            kept[place] = self._take([card for card in cards if card != laid_back])
        self.bottom += [card for card in cards if card != kept[place]]

    def _laid_back(self) -> dict[int, str]:
        """By draw: the card that was laid under the deck and that the seat itself drew later."""
        unseen, lying = len(self.rest), list[int]()
        found = dict[int, str | None]()
        for number, draw in enumerate(self.draws):
            for card in draw["cards"]:
                if unseen:
                    unseen -= 1
                else:
                    found[lying.pop(0)] = card
            if len(draw["cards"]) == PALACE_DRAW:
                lying.append(number)
        return {number: card for number, card in found.items() if card is not None}
