"""What each viewer is shown, and what a seat with a perfect memory knows.

Hidden are the character set aside, the pack but from who picks from it, drafted characters before
they are revealed, bids before all are in, and the estates of others. What a seat has seen of packs
follows from the picks, so ``information`` tells it although no view repeats it.
"""

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Random
from rules.plus_ultra.data import (
    ALL_CHARACTERS,
    CHARACTER,
    CHARACTERS,
    COLOURS,
    COMMON,
    ESTATE,
    ESTATES,
    KINDS,
    NONE,
    PICKS_EACH,
)
from rules.plus_ultra.play import GAME_OVER
from rules.plus_ultra.state import (
    DRAFT,
    FORFEIT,
    TERCIO_BIDS,
    State,
    character_ids,
    estate_ids,
)


def view(state: State, viewer: int | None) -> JsonObject:
    """Return all that is drawn for ``viewer``, and nothing else."""
    public = state.public_json()
    picking = state.phase == DRAFT and viewer == state.decider
    shown = (
        "start_order", "ducat_supply", "merchant_market_slot", "phase", "turn", "round",
        "end_reason", "peer_order", "pending_order", "bank", "crown", "market", "surplus",
        "church", "rows", "pile", "bull_supply", "rosette_supply", "magellan_supply",
        "magellan_completed", "estates_used", "war_level", "war",
    )  # fmt: skip
    return {
        "viewer": viewer,
        **{name: public[name] for name in shown},
        "decider": _known(state.decider),
        "unseen_tiles": dict(zip(KINDS, state.unseen, strict=True)),
        "box": dict(zip(KINDS, state.box, strict=True)),
        "settlements": [
            {"size": size, "houses": owners[:]} if size else None
            for size, owners in zip(state.sizes, state.houses, strict=True)
        ],
        "about_space": None if state.row == NONE else state.row + 1,
        "still_to_answer": state.queue[:],
        "estate_stack": state.estate_stack,
        "common_taken": [COMMON[i] for i, taken in enumerate(state.common_taken) if taken],
        "activation": _activation(state),
        "pack": character_ids(state.pack) if picking else None,
        "picks": state.picks,
        "committed": _committed(state),
        "own_bid": _own_bid(state, viewer),
        "players": [_player(state, seat, viewer) for seat in range(state.seats)],
    }


def _known(index: int) -> int | None:
    return None if index == NONE else index


def _activation(state: State) -> JsonObject | None:
    if not state.round:
        return None
    return {
        "seat": state.peer_order[state.place],
        "acted": state.acted != NONE,
        "forfeited": state.acted == FORFEIT,
        "character": None if state.current == NONE else CHARACTERS[state.current],
    }


def _committed(state: State) -> list[int]:
    if state.phase != TERCIO_BIDS:
        return []
    return [s for s, bid in enumerate(state.bids) if bid != NONE and state.active[s]]


def _own_bid(state: State, viewer: int | None) -> int | None:
    return None if viewer is None else _known(state.bids[viewer])


def _player(state: State, seat: int, viewer: int | None) -> JsonObject:
    return {
        "seat": seat,
        "color": COLOURS[seat],
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
        "characters_used": character_ids(state.used[seat]),
        "common_used": bool(state.common_used[seat]),
        "bull_used": bool(state.bull_used[seat]),
    }


def _shown_estates(state: State, seat: int, viewer: int | None) -> list[str] | None:
    own = seat == viewer or state.phase == GAME_OVER
    return estate_ids(state.estates[seat]) if own else None


def _shown_characters(state: State, seat: int, viewer: int | None) -> list[str] | None:
    """Characters in the order in which they were drafted; None before they are revealed."""
    if state.phase == DRAFT and seat != viewer:
        return None
    return character_ids(state.characters[seat])


def information(state: State, seat: int) -> JsonObject:
    """Return all that ``seat`` can have learnt."""
    everybody = range(state.seats)
    over = state.phase == GAME_OVER
    return {
        "seat": seat,
        "state": state.public_json(),
        "characters": [_shown_characters(state, other, seat) for other in everybody],
        "packs": [character_ids(pack) for pack in state.seen_packs(seat)],
        "estates": [_shown_estates(state, other, seat) for other in everybody],
        "estate_counts": [len(owned) for owned in state.estates],
        "committed": _committed(state) if not over else [],
        "own_bid": state.bids[seat],
    }


def determinize(known: JsonObject, rng: Random) -> State:
    """Return some state with this information: what is hidden is dealt out at random."""
    public = known["state"]
    characters, set_aside, pack = _guess_characters(known, rng)
    return State.from_json(
        {
            **public,
            "set_aside": None if set_aside == NONE else CHARACTERS[set_aside],
            "pack": character_ids(pack),
            "characters": [character_ids(held) for held in characters],
            "bids": _guess_bids(known, rng),
            "estates": [estate_ids(owned) for owned in _guess_estates(known, rng)],
        }
    )


def _guess_characters(known: JsonObject, rng: Random) -> tuple[list[list[int]], int, list[int]]:
    """Characters by seat in the order of their picks, the one set aside, and the pack."""
    public, seat = known["state"], known["seat"]
    seats, order, picks = public["seats"], public["peer_order"], public["picks"]
    packs = [[CHARACTER[id_] for id_ in pack] for pack in known["packs"]]
    held: list[list[int]] = [[CHARACTER[c] for c in own or ()] for own in known["characters"]]
    if not (picks or packs or public["phase"] == DRAFT):
        return held, NONE, []
    if public["phase"] != DRAFT:
        left = [c for c in ALL_CHARACTERS if not any(c in own for own in held)]
        aside = _pick([c for c in left if c not in packs[0]], rng)
        return held, aside, [c for c in left if c != aside]
    place = order.index(seat)
    own = held[seat]
    taken = [NONE] * picks
    for turn, character in enumerate(own):
        taken[place + turn * seats] = character
    # What went before the first pack: the character set aside, and the picks until then.
    before = [c for c in ALL_CHARACTERS if not packs or c not in packs[0]]
    aside = _pick(before, rng)
    before.remove(aside)
    rest = before if not packs else packs[0]
    for number in range(picks):
        if taken[number] != NONE:
            rest = [c for c in rest if c != taken[number]]
            continue
        if packs and number < place:
            source = before
        elif len(packs) == PICKS_EACH and number < place + seats:
            source = [c for c in rest if c not in packs[1]]
        else:
            source = rest
        taken[number] = _pick(source, rng)
        before = [c for c in before if c != taken[number]]
        rest = [c for c in rest if c != taken[number]]
    hands: list[list[int]] = [[] for _ in range(seats)]
    for number, character in enumerate(taken):
        hands[order[number % seats]].append(character)
    pack = [c for c in ALL_CHARACTERS if c != aside and c not in taken]
    return hands, aside, pack


def _guess_bids(known: JsonObject, rng: Random) -> list[int]:
    """Bids: those of who has no active tercio are 0, others may be anything."""
    public, seat = known["state"], known["seat"]
    bids = [NONE] * public["seats"]
    if public["phase"] == TERCIO_BIDS:
        for other, player in enumerate(public["players"]):
            if not player["active"]:
                bids[other] = 0
            elif other in known["committed"]:
                bids[other] = rng.randrange(player["active"] + 1)
        bids[seat] = known["own_bid"]
    return bids


def _guess_estates(known: JsonObject, rng: Random) -> list[list[int]]:
    """Estates of others, from those that the seat has not seen."""
    shown = [None if own is None else [ESTATE[e] for e in own] for own in known["estates"]]
    seen = {ESTATE[e] for e in known["state"]["estates_used"]}
    seen.update(estate for own in shown if own is not None for estate in own)
    left = [estate for estate in range(len(ESTATES)) if estate not in seen]
    guess = []
    for own, count in zip(shown, known["estate_counts"], strict=True):
        if own is None:
            own = sorted(left.pop(rng.randrange(len(left))) for _ in range(count))  # noqa: PLW2901
        guess.append(own)
    return guess


def _pick(items: list[int], rng: Random) -> int:
    return items[rng.randrange(len(items))]
