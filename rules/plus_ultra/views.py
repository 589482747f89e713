"""What each viewer is shown, and what a seat with a perfect memory knows.

Hidden are the character set aside, the pack from all but who picks from it, drafted characters
before they are revealed, bids before all are in, and the estates of others. No view repeats what a
seat has seen of packs; ``information`` has it, because it follows from the picks.
"""

from collections.abc import Iterable
from itertools import chain

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Random, Seat, all_seats, by_seat
from rules.plus_ultra import data, fields
from rules.plus_ultra.play import GAME_OVER
from rules.plus_ultra.state import DRAFT, TERCIO_BIDS, State

Ids = list[str]


def view(state: State, viewer: Seat | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    public = state.public_json()
    picking = state.phase == DRAFT and viewer == state.decider
    shown = (
        "start_order", "ducat_supply", "merchant_market_slot", "phase", "turn", "round",
        "end_reason", "peer_order", "pending_order", "bank", "crown", "market", "surplus",
        "church", "rows", "pile", "bull_supply", "rosette_supply", "magellan_supply",
        "magellan_completed", "estate_stack", "estates_used", "war_level", "war", "picks",
    )  # fmt: skip
    return {
        "viewer": viewer,
        **{name: public[name] for name in shown},
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
        "players": [_player(state, seat, viewer) for seat in all_seats(state.seats)],
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


def _player(state: State, seat: Seat, viewer: Seat | None) -> JsonObject:
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
        "estates": _shown_estates(state, seat, viewer),
        "characters": _shown_characters(state, seat, viewer),
        "characters_used": fields.CHARACTERS.write(state.used[seat]),
        "common_used": bool(state.common_used[seat]),
        "bull_used": bool(state.bull_used[seat]),
    }


def _shown_estates(state: State, seat: Seat, viewer: Seat | None) -> object:
    own = seat == viewer or state.phase == GAME_OVER
    return fields.ESTATES.write(state.estates[seat]) if own else None


def _shown_characters(state: State, seat: Seat, viewer: Seat | None) -> object:
    """Characters in the order in which they were drafted; None before they are revealed."""
    if state.phase == DRAFT and seat != viewer:
        return None
    return fields.CHARACTERS.write(state.characters[seat])


def information(state: State, seat: Seat) -> JsonObject:
    """Return all that ``seat`` can have learnt."""
    everybody = all_seats(state.seats)
    return {
        "seat": seat,
        "state": state.public_json(),
        "characters": [_shown_characters(state, other, seat) for other in everybody],
        "packs": [fields.CHARACTERS.write(pack) for pack in state.seen_packs(seat)],
        "estates": [_shown_estates(state, other, seat) for other in everybody],
        "estate_counts": [len(owned) for owned in state.estates],
        "committed": _committed(state),
        "own_bid": state.bids[seat],
    }


def determinize(known: JsonObject, rng: Random) -> State:
    """Return some state with this information: what is hidden is dealt out at random."""
    characters, set_aside, pack = _guess_characters(known, rng)
    return State.from_json(
        {
            **known["state"],
            "characters": characters,
            "set_aside": set_aside,
            "pack": pack,
            "bids": _guess_bids(known, rng),
            "estates": _guess_estates(known, rng),
        }
    )


def _guess_characters(known: JsonObject, rng: Random) -> tuple[list[list[str]], str | None, Ids]:
    """Characters by seat in the order of their picks, the one set aside, and the pack."""
    public, seat, packs = known["state"], known["seat"], known["packs"]
    seats, order, picks = public["seats"], public["peer_order"], public["picks"]
    held = [own or [] for own in known["characters"]]
    if not (picks or packs or public["phase"] == DRAFT):
        return held, None, []
    if public["phase"] != DRAFT:
        left = [c for c in data.CHARACTERS if not any(c in own for own in held)]
        aside = _pick(_without(left, *packs[0]), rng)
        return held, aside, _without(left, aside)
    place = order.index(seat)
    taken = dict(zip(range(place, picks, seats), held[seat], strict=True))
    # What went before the first pack: the character set aside, and the picks until then.
    before = _without(data.CHARACTERS, *packs[0] if packs else ())
    aside = _pick(before, rng)
    before = _without(before, aside)
    rest = packs[0] if packs else before
    for number in range(picks):
        if number not in taken:
            if packs and number < place:
                source = before
            elif len(packs) == data.PICKS_EACH and number < place + seats:
                source = _without(rest, *packs[1])
            else:
                source = rest
            taken[number] = _pick(source, rng)
        before, rest = _without(before, taken[number]), _without(rest, taken[number])
    hands = [[taken[n] for n in range(order.index(s), picks, seats)] for s in all_seats(seats)]
    return hands, aside, _without(data.CHARACTERS, aside, *taken.values())


def _guess_bids(known: JsonObject, rng: Random) -> list[int]:
    """Bids: 0 for a seat without an active tercio, anything for the others."""
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
    """Estates of others, from those that the seat has not seen."""
    shown = [own for own in known["estates"] if own is not None]
    left = _without(data.ESTATES, *known["state"]["estates_used"], *chain(*shown))
    guess = []
    for own, count in zip(known["estates"], known["estate_counts"], strict=True):
        dealt = own or [left.pop(rng.randrange(len(left))) for _ in range(count)]
        guess.append(sorted(dealt, key=data.ESTATES.index))
    return guess


def _pick(items: Ids, rng: Random) -> str:
    return items[rng.randrange(len(items))]


def _without(items: Iterable[str], *gone: str) -> Ids:
    return [item for item in items if item not in gone]
