"""Nobody learns what is hidden from it: equal information means that nothing differs for that seat.

``determinize`` makes the twins: positions that the seat cannot tell from the true one. Whatever it
is shown has to be the same in all of them, now and after every event that it sees whole.
"""

import random
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE, PUBLIC, Effect, can_see
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved, Resigned, Ruleset
from rules.kernel.contract.seats import Seat, all_seats
from tests.contract.tables import (
    RulesEvent,
    Spot,
    Table,
    default_tables,
    move_pool,
    play,
    positions,
    reduced,
    sampled,
    spots,
)

TWINS = 3
"""How many positions that it cannot tell apart are made for a seat at a spot."""


def twins(spot: Spot, seat: Seat) -> list[Any]:
    ruleset = spot.ruleset
    information = encode(ruleset.information(spot.state, seat))
    return [
        ruleset.determinize(orjson.loads(information), random.Random(f"{spot.where} {seat} {n}"))
        for n in range(TWINS)
    ]


def outcome(ruleset: Ruleset[Any], state: Any, seat: Seat, data: JsonObject) -> Any:
    """Return what ``seat`` is told when it tries a move."""
    try:
        return ruleset.read_move(state, seat, data)
    except IllegalMove as error:
        return error.code, error.message, encode(error.details)


def seen(effects: list[Effect], viewer: Seat | None) -> list[Effect]:
    return [effect for effect in effects if can_see(viewer, effect.audience)]


def written(moves: Any) -> list[bytes]:
    return [encode(move.to_json()) for move in moves]


def labelled(state: Any, event: RulesEvent) -> Any:
    """Return what a log says of a move before it happens."""
    return event.move.label_in(state, event.seat) if isinstance(event, Moved) else None


def test_a_guess_keeps_the_information(table: Table, seed: int) -> None:
    for spot in spots(table, seed):
        for seat in all_seats(table.seats):
            information = encode(spot.ruleset.information(spot.state, seat))
            for twin in twins(spot, seat):
                again = encode(spot.ruleset.information(twin, seat))
                assert again == information, f"{spot.where}: seat {seat}"


def test_a_guess_is_a_sensible_position(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    for spot in spots(table, seed):
        for seat in all_seats(table.seats):
            for twin in twins(spot, seat):
                where = f"{spot.where}: as seat {seat} guesses"
                assert ruleset.violations(twin) == [], where
                again = ruleset.from_json(ruleset.to_json(twin))
                assert encode(ruleset.to_json(again)) == encode(ruleset.to_json(twin)), where
            for event in play(ruleset, twin, random.Random(spot.where)):
                if isinstance(event, Moved):
                    ruleset.check(twin, event.seat, event.move)
            assert ruleset.violations(twin) == [], f"{spot.where}: played on as {seat} guesses"
            ruleset.result(twin)


def test_a_guess_looks_the_same_to_its_seat(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    for spot in spots(table, seed):
        state = spot.state
        rng = random.Random(spot.where)
        foreign = sampled(move_pool(ruleset), 20, rng)
        for seat in all_seats(table.seats):
            where = f"{spot.where}: seat {seat} can tell"
            legal = ruleset.legal_moves(state, seat)
            tried = [*foreign, *(move.to_json() for move in legal)]
            for twin in twins(spot, seat):
                assert ruleset.turn(twin) == ruleset.turn(state), f"{where} by the turn"
                assert ruleset.moves_now(twin) == ruleset.moves_now(state), f"{where} by the phase"
                for viewer in (seat, None):
                    views = [encode(ruleset.view(s, viewer)) for s in (state, twin)]
                    assert views[0] == views[1], f"{where} by the view of {viewer}"
                listed = written(ruleset.legal_moves(twin, seat))
                assert listed == written(legal), f"{where} by its legal moves"
                labels = [[m.label_in(s, seat) for m in legal] for s in (state, twin)]
                assert labels[0] == labels[1], f"{where} by their labels"
                for data in tried:
                    told = [outcome(ruleset, s, seat, data) for s in (state, twin)]
                    assert told[0] == told[1], f"{where} by the answer to {data}"
                if legal:
                    moves = [ruleset.default_move(s, seat) for s in (state, twin)]
                    assert moves[0] == moves[1], f"{where} by the default move"


def test_others_are_refused_alike(table: Table, seed: int) -> None:
    """Trying a move for somebody else's seat tells nothing either."""
    ruleset = table.ruleset
    for spot in spots(table, seed):
        for seat in all_seats(table.seats):
            if not ruleset.is_asked(spot.state, seat):
                for twin in twins(spot, seat):
                    for data in sampled(move_pool(ruleset), 10, random.Random(spot.where)):
                        told = [outcome(ruleset, s, seat, data) for s in (spot.state, twin)]
                        assert told[0] == told[1], f"{spot.where}: seat {seat}: {data}"


def visible_next(spot: Spot, seat: Seat, rng: random.Random) -> list[RulesEvent]:
    """Return some events that may follow and of which ``seat`` sees every part."""
    ruleset, turn = spot.ruleset, spot.ruleset.turn(spot.state)
    if isinstance(turn, Chance):
        if not can_see(seat, turn.audience):
            return []
        draws = [tuple(rng.randrange(size) for size in turn.sizes) for _ in range(4)]
        return [Chanced(turn.label, turn.n, draw) for draw in draws]
    if isinstance(turn, Finished):
        return []
    events: list[RulesEvent] = [Resigned(seat)]
    for mover in turn.seats:
        moves = [m for m in ruleset.legal_moves(spot.state, mover) if mover == seat or not m.secret]
        events += [Moved(mover, move) for move in sampled(moves, 5, rng)]
    return events


def test_what_it_sees_happen_looks_the_same(table: Table, seed: int) -> None:
    """An event that a seat sees whole does the same for it in both positions.

    A pick that it sees must not mean another thing by what it does not know: the pick from a pile
    whose rest is hidden from it belongs to nobody, and an effect tells it the card.
    """
    ruleset = table.ruleset
    for spot in spots(table, seed):
        rng = random.Random(spot.where)
        for seat in all_seats(table.seats):
            events = visible_next(spot, seat, rng)
            for twin in twins(spot, seat):
                for event in events:
                    if not possible(ruleset, twin, event):
                        continue
                    where = f"{spot.where}: seat {seat} can tell after {shown(event)}"
                    labels = [labelled(s, event) for s in (spot.state, twin)]
                    assert labels[0] == labels[1], f"{where} by its label"
                    after, effects, opened = reduced(ruleset, spot.state, event)
                    after2, effects2, opened2 = reduced(ruleset, twin, event)
                    over = isinstance(ruleset.turn(after), Finished)
                    assert over == isinstance(ruleset.turn(after2), Finished), where
                    assert opened2 == opened, f"{where} by what it opens"
                    if opened or over:
                        continue
                    assert seen(effects2, seat) == seen(effects, seat), f"{where} by its effects"
                    known = [encode(ruleset.information(s, seat)) for s in (after, after2)]
                    assert known[0] == known[1], f"{where} by its information"


def possible(ruleset: Ruleset[Any], state: Any, event: RulesEvent) -> bool:
    return not isinstance(event, Moved) or event.move in ruleset.legal_moves(state, event.seat)


def shown(event: RulesEvent) -> str:
    if isinstance(event, Moved):
        return f"seat {event.seat} plays {event.move}"
    return f"{type(event).__name__} {[getattr(event, name) for name in event.__slots__]}"


def hidden_next(spot: Spot, rng: random.Random) -> list[tuple[str, list[RulesEvent]]]:
    """Return groups of events that may follow and differ only in what their audience sees."""
    ruleset, turn = spot.ruleset, spot.ruleset.turn(spot.state)
    if isinstance(turn, Chance) and turn.audience != PUBLIC:
        picks = [tuple(rng.randrange(size) for size in turn.sizes) for _ in range(6)]
        return [(turn.audience, [Chanced(turn.label, turn.n, draw) for draw in picks])]
    groups: list[tuple[str, list[RulesEvent]]] = []
    for mover in turn.seats if isinstance(turn, Decision) else ():
        by_type: dict[type[Move[Any]], list[RulesEvent]] = {}
        for move in ruleset.legal_moves(spot.state, mover):
            if move.secret:
                by_type.setdefault(type(move), []).append(Moved(mover, move))
        groups += [(f"seat:{mover}", sampled(moves, 6, rng)) for moves in by_type.values()]
    return groups


def test_what_is_sealed_shows_nowhere(table: Table, seed: int) -> None:
    """Whatever a sealed part holds, who is not in its audience sees the same.

    Spectators learn nothing of it. A seat may come to see its consequence (the pack that is passed
    on), and a draw that belongs to nobody may be told in effects, and in no other way. Whatever a
    seat is told, its information remembers.
    """
    ruleset = table.ruleset
    for spot in spots(table, seed):
        for audience, events in hidden_next(spot, random.Random(spot.where)):
            for viewer in table.viewers:
                if can_see(viewer, audience):
                    continue
                where = f"{spot.where}: {viewer} can tell among {[shown(e) for e in events]}"
                told = [learnt(ruleset, spot.state, event, viewer) for event in events]
                private_draw = isinstance(events[0], Chanced) and audience != NONE
                by_effects = {
                    repr(effects): (view, known)
                    for view, known, effects, opened in told
                    if not opened
                }
                for view, remembered, effects, opened in told:
                    if opened:
                        continue
                    if audience == NONE:
                        told_alike = by_effects[repr(effects)]
                        assert told_alike == (view, remembered), f"{where}, and no effect tells it"
                    elif viewer is None or private_draw:
                        assert view == told[0][0], f"{where} by the view"
                        assert effects == told[0][2], f"{where} by the effects"
                        assert remembered == told[0][1], f"{where} by its information"
                by_memory = {remembered: (view, effects) for view, remembered, effects, _ in told}
                for view, remembered, effects, opened in told:
                    if not opened and viewer is not None:
                        same = by_memory[remembered]
                        assert same == (view, effects), f"{where}, and would forget it"


def learnt(
    ruleset: Ruleset[Any], state: Any, event: RulesEvent, viewer: Seat | None
) -> tuple[bytes, bytes, list[Effect], bool]:
    """Return view, information and effects after an event, and whether it opened anything."""
    after, effects, opened = reduced(ruleset, state, event)
    remembered = b"" if viewer is None else encode(ruleset.information(after, viewer))
    over = isinstance(ruleset.turn(after), Finished)
    view = encode(ruleset.view(after, viewer))
    return view, remembered, seen(effects, viewer), bool(opened) or over


def test_nothing_that_a_seat_saw_alone_is_forgotten(table: Table, seed: int) -> None:
    """Perfect recall: two pasts that a seat could tell apart stay apart while they matter.

    From one position, what the seat alone sees goes two ways; then the same follows in both. If its
    information is equal again, nothing may be left of the difference.
    """
    ruleset = table.ruleset
    for spot, happened in positions(table, seed):
        rng = random.Random(f"{spot.where} recall")
        for audience, events in hidden_next(spot, rng):
            if happened is None or type(events[0]) is not type(happened):
                continue
            for seat in all_seats(table.seats):
                if can_see(seat, audience) or audience == NONE:
                    for event in sampled(events, 3, rng):
                        where = f"{spot.where}: seat {seat} forgets that {shown(event)}"
                        pasts = [reduced(ruleset, spot.state, e)[0] for e in (happened, event)]
                        keep_apart(ruleset, pasts, seat, random.Random(where), where)


def keep_apart(
    ruleset: Ruleset[Any], states: list[Any], seat: Seat, rng: random.Random, where: str
) -> None:
    def information() -> set[bytes]:
        return {encode(ruleset.information(state, seat)) for state in states}

    if len(information()) == 1:
        return
    for event in play(ruleset, ruleset.copy(states[0]), rng):
        if ruleset.turn(states[0]) != ruleset.turn(states[1]):
            return
        if not possible(ruleset, states[1], event):
            return
        for state in states:
            ruleset.reduce(state, event)
        if any(isinstance(ruleset.turn(state), Finished) for state in states):
            return
        if len(information()) == 1:
            differing = {encode(ruleset.to_json(state)) for state in states}
            assert len(differing) == 1, f"{where} after {shown(event)}"
            return


def test_only_what_is_sealed_is_opened(table: Table, seed: int) -> None:
    ruleset = table.ruleset
    sealed: set[tuple[str, str, int]] = set()
    for spot, event in positions(table, seed):
        if event is None:
            break
        if isinstance(event, Moved) and event.move.secret:
            sealed.add(("move", event.move.type, event.seat))
        if isinstance(event, Chanced):
            turn = ruleset.turn(spot.state)
            assert isinstance(turn, Chance), spot.where
            if turn.audience != PUBLIC:
                sealed.add(("picks", turn.label, turn.n))
        _after, _effects, opened = reduced(ruleset, spot.state, event)
        for key in opened:
            assert key in sealed, f"{spot.where}: {key} is not sealed"
            sealed.remove(key)  # all of that name: a seat's drafts are opened together


def test_hidden_things_are_really_hidden() -> None:
    """The checks above bite: in ``sealed``, guesses differ from the truth and from each other."""
    tables = [t for t in default_tables() if t.ruleset.info.id == "sealed"]
    differing = 0
    for table in tables:
        for spot in spots(table, 1)[:-1]:
            for seat in all_seats(table.seats):
                states = [encode(table.ruleset.to_json(t)) for t in twins(spot, seat)]
                differing += len({spot.bytes(), *states}) > 1
    assert differing > 20
