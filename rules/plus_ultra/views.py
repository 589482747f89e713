"""Views, and the information of a seat that remembers everything.

These are hidden: the character set aside, the pack (except from the seat that picks), drafted
characters before they are revealed, bids before all have bid, and the estates of others. A view
does not have the packs that the seat saw earlier; ``information`` has them, derived from the picks.
"""

from itertools import chain
from typing import Any

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Random, Seat, all_seats, by_seat
from rules.kernel.toolbox.unseen import dealt, drawn, shown
from rules.plus_ultra import data, fields
from rules.plus_ultra.play import GAME_OVER
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

Ids = list[str]


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return the view of ``viewer``."""
    public = state.public_json()
    picking = state.phase == DRAFT and viewer == state.decider
    as_they_are = (
        "start_order", "ducat_supply", "merchant_market_slot", "phase", "turn", "round",
        "end_reason", "peer_order", "pending_order", "bank", "crown", "market", "surplus",
        "church", "rows", "pile", "bull_supply", "rosette_supply", "magellan_supply",
        "magellan_completed", "estate_stack", "estates_used", "war_level", "war", "picks",
    )  # fmt: skip
    return {
        "viewer": viewer,
        **{name: public[name] for name in as_they_are},
        "decider": _known(state.decider),
        "unseen_tiles": dict(zip(data.KINDS, state.unseen, strict=True)),
        "box": dict(zip(data.KINDS, state.box, strict=True)),
        "settlements": [
            {"size": size, "houses": owners[:]} if size else None
            for size, owners in zip(state.sizes, state.houses, strict=True)
        ],
        "about_space": None if state.row == data.NO_ROW else state.row + 1,
        "still_to_answer": state.queue[:],
        "common_taken": [data.COMMON[i] for i, taken in enumerate(state.common_taken) if taken],
        "activation": _activation(state),
        "pack": fields.CHARACTERS.write(state.pack) if picking else None,
        "committed": _committed(state),
        "own_bid": None if viewer is None else _known(state.bids[viewer]),
        "players": [
            _player(state, seat, *own)
            for seat, own in by_seat(
                zip(_estates(state, viewer), _characters(state, viewer), strict=True)
            )
        ],
    }


def _known(index: int) -> int | None:
    return None if index < 0 else index


def _activation(state: State) -> JsonObject | None:
    if not state.round:
        return None
    return {
        "seat": state.peer,
        "acted": state.acted != data.NO_CHARACTER,
        "forfeited": state.acted == data.FORFEIT,
        "character": fields.NO_CHARACTER.write(state.current),
    }


def _committed(state: State) -> list[Seat]:
    if state.phase != TERCIO_BIDS:
        return []
    return [s for s, bid in by_seat(state.bids) if bid != data.NONE and state.active[s]]


def _player(state: State, seat: Seat, estates: object, characters: object) -> JsonObject:
    return {
        "seat": seat,
        "color": data.COLOURS[seat],
        "pg": state.pg[seat],
        "ducats": state.ducats[seat],
        "tercios": {
            "active": state.active[seat],
            "tired": state.tired[seat],
            "in_war": state.war.count(seat),
            "supply": state.supply[seat],
        },
        "houses": {"reserve": state.reserve[seat], "supply": state.house_supply[seat]},
        "rosettes": {"ready": state.rosettes_ready[seat], "used": state.rosettes_used[seat]},
        "bulls": state.bulls[seat],
        "sea_trade": state.trade[seat],
        "magellan": state.magellan[seat],
        "natives": state.natives[seat],
        "estate_count": len(state.estates[seat]),
        "estates": estates,
        "characters": characters,
        "characters_used": fields.CHARACTERS.write(state.used[seat]),
        "common_used": bool(state.common_used[seat]),
        "bull_used": bool(state.bull_used[seat]),
    }


def _estates(state: State, viewer: Seat | None) -> list[Any]:
    """Return the estates by seat, as far as ``viewer`` sees them."""
    opened = state.phase == GAME_OVER
    return shown(map(fields.ESTATES.write, state.estates), viewer, opened=opened)


def _characters(state: State, viewer: Seat | None) -> list[Any]:
    """Return each seat's characters in the order in which the seat picked them.

    This order is revealed together with the characters.
    """
    opened = state.phase != DRAFT
    return shown(map(fields.CHARACTERS.write, state.characters), viewer, opened=opened)


def information(state: State, seat: Seat) -> JsonObject:
    """Return the information of ``seat``."""
    return {
        "seat": seat,
        "state": state.public_json(),
        "characters": _characters(state, seat),
        "packs": [fields.CHARACTERS.write(pack) for pack in state.seen_packs(seat)],
        "estates": _estates(state, seat),
        "estate_counts": [len(owned) for owned in state.estates],
        "committed": _committed(state),
        "own_bid": state.bids[seat],
    }


def determinize(known: JsonObject, rng: Random) -> State:
    """Return a state with this information, in which hidden cards are dealt at random."""
    draft = _guess_draft(known, rng)
    bids, estates = _guess_bids(known, rng), _guess_estates(known, rng)
    return State.from_json({**known["state"], **draft, "bids": bids, "estates": estates})


def _guess_draft(known: JsonObject, rng: Random) -> JsonObject:
    """Guess the draft: one character is set aside first, then all seats pick in turn."""
    public, packs, held = known["state"], known["packs"], known["characters"]
    seats, order = public["seats"], public["peer_order"]
    if not packs and public["phase"] != DRAFT:
        return {"characters": held, "set_aside": None, "pack": []}
    picks = [(order[number % seats], number // seats) for number in range(public["picks"])]
    taken = [(held[seat][place] if held[seat] else None,) for seat, place in picks]
    first, pack = 1 + order.index(known["seat"]), [*data.CHARACTERS]
    seen = {first + number * seats: cards for number, cards in enumerate(packs)}
    aside, *picked = [card for (card,), _ in drawn(pack, [(None,), *taken], rng, seen=seen)]
    hands = [picked[order.index(seat) :: seats] for seat in all_seats(seats)]
    return {"characters": hands, "set_aside": aside, "pack": pack}


def _guess_bids(known: JsonObject, rng: Random) -> list[int]:
    """Guess the bids: 0 for a seat without an active tercio, any possible number for the others."""
    public, seat = known["state"], known["seat"]
    bids = [data.NONE] * public["seats"]
    if public["phase"] == TERCIO_BIDS:
        for other, player in by_seat(public["players"]):
            if not player["active"]:
                bids[other] = 0
            elif other in known["committed"]:
                bids[other] = rng.randrange(player["active"] + 1)
        bids[seat] = known["own_bid"]
    return bids


def _guess_estates(known: JsonObject, rng: Random) -> list[Ids]:
    """Guess the estates of others, from those that the seat has not seen."""
    seen = {*known["state"]["estates_used"], *chain(*filter(None, known["estates"]))}
    left = [estate for estate in data.ESTATES if estate not in seen]
    hands = dealt(known["estates"], known["estate_counts"], left, rng)
    return [sorted(hand, key=data.ESTATES.index) for hand in hands]
