"""Laws of secrecy: positions in which a seat has the same information must look the same to it.

``determinize`` makes such positions, called twins, which the seat cannot distinguish from the true
one. Everything that the seat is shown must be the same in all of them, now and after every event
that the seat sees completely.
"""

import random
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import orjson

from laws.games import (
    RulesEvent,
    SampleGame,
    Spot,
    move_pool,
    play,
    possible,
    reduced,
    sampled,
    shown,
)
from laws.law import Breach, Scope, law
from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE, PUBLIC, Effect, can_see
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import (
    ChanceEvent,
    Decision,
    GameOver,
    MoveEvent,
    ResignationEvent,
    Ruleset,
)
from rules.kernel.contract.seats import Seat, all_seats

KNOWN = "6. What each viewer knows"
TELLS = "something hidden reaches a view, a list of moves, a refusal or an effect: take it out"
WAITING, PHASE = "the turn", "the phase"
WAITS = (
    "who is asked, the phase, or the sizes of a draw follow from something hidden: have them follow"
    " from what everybody knows"
)
DEFAULT = "default_move follows from what its seat does not know: choose by what it knows"
OPENS = (
    "what is opened follows from what the seat does not know: have the state remember what it was"
    " shown, and open what is still sealed"
)
TOO_WIDE = (
    "is that told too widely? then narrow the audience of the effect, or take it out of the view;"
    " if the seat may know it, information lacks it: have the state remember it"
)
PLACES = 4
"""Maximum number of differences between two views that a message names."""
TWINS = 3
"""Number of twins that are made for a seat at a position."""


@law(Scope.POSITION, KNOWN, "determinize must keep everything that the information says")
def a_guess_keeps_the_information(spot: Spot) -> None:
    """The information of a guessed state equals the information from which the state was guessed.

    In other words, ``information(determinize(i)) == i`` for the information ``i`` of each seat.
    """
    for seat in all_seats(spot.table.seats):
        information = encode(spot.ruleset.information(spot.state, seat))
        for twin in twins(spot, seat):
            again = encode(spot.ruleset.information(twin, seat))
            if again != information:
                raise Breach(
                    f"in a guess, seat {seat} knows otherwise: {_difference(information, again)}"
                )


@law(Scope.POSITION, KNOWN, "determinize makes a position that play can lead to")
def a_guess_is_a_sensible_position(spot: Spot) -> None:
    """A guess breaks no invariant, reads back from its JSON, and can be played to an end."""
    ruleset = spot.ruleset
    for seat in all_seats(spot.table.seats):
        for twin in twins(spot, seat):
            if broken := ruleset.violations(twin):
                raise Breach(f"as seat {seat} guesses: {broken}")
            if encode(ruleset.to_json(ruleset.from_json(ruleset.to_json(twin)))) != encode(
                ruleset.to_json(twin)
            ):
                raise Breach(f"what seat {seat} guesses is read back as another state")
        for event in play(ruleset, twin, random.Random(spot.where)):
            if isinstance(event, MoveEvent):
                ruleset.check(twin, event.seat, event.move)
        if broken := ruleset.violations(twin):
            raise Breach(f"played on as seat {seat} guesses: {broken}")
        ruleset.result(twin)


@law(Scope.POSITION, KNOWN, TELLS)
def a_guess_looks_the_same(spot: Spot) -> None:
    """Turns, views, moves and refusals are equal in a guess and in the true position."""
    ruleset, state = spot.ruleset, spot.state
    foreign = sampled(move_pool(ruleset), 20, random.Random(spot.where))
    for seat in all_seats(spot.table.seats):
        legal = ruleset.legal_moves(state, seat)
        tried = [*foreign, *(move.to_json() for move in legal)]
        can_tell = f"seat {seat} can tell the truth from a guess by"
        for twin in twins(spot, seat):
            if told_by := _told_by(ruleset, state, twin, seat):
                advice = WAITS if told_by in (WAITING, PHASE) else ""
                raise Breach(f"{can_tell} {told_by}", advice=advice)
            if written(ruleset.legal_moves(twin, seat)) != written(legal):
                raise Breach(f"{can_tell} its legal moves")
            labels = [[m.label_in(s, seat) for m in legal] for s in (state, twin)]
            if labels[0] != labels[1]:
                raise Breach(f"{can_tell} their labels")
            for data in tried:
                told = [outcome(ruleset, s, seat, data) for s in (state, twin)]
                if told[0] != told[1]:
                    raise Breach(f"{can_tell} the answers to {data}: {told[0]} and {told[1]}")
            if legal:
                moves = [ruleset.default_move(s, seat) for s in (state, twin)]
                if moves[0] != moves[1]:
                    raise Breach(f"{can_tell} the default move", advice=DEFAULT)


def _told_by(ruleset: Ruleset[Any], state: Any, twin: Any, seat: Seat) -> str:
    if ruleset.turn(twin) != ruleset.turn(state):
        return WAITING
    if ruleset.moves_now(twin) != ruleset.moves_now(state):
        return PHASE
    for viewer in (seat, None):
        views = [encode(ruleset.view(s, viewer)) for s in (state, twin)]
        if views[0] != views[1]:
            return f"the view of {_named(viewer)}: {_difference(*views)}"
    return ""


@law(Scope.POSITION, KNOWN, TELLS)
def others_are_refused_alike(spot: Spot) -> None:
    """Trying a move for another seat reveals nothing hidden."""
    ruleset = spot.ruleset
    tried = sampled(move_pool(ruleset), 10, random.Random(spot.where))
    for seat in all_seats(spot.table.seats):
        for twin in () if ruleset.is_asked(spot.state, seat) else twins(spot, seat):
            for data in tried:
                told = [outcome(ruleset, s, seat, data) for s in (spot.state, twin)]
                if told[0] != told[1]:
                    raise Breach(f"seat {seat} can tell by the answers to {data}: {told}")


@law(Scope.POSITION, KNOWN, TELLS)
def what_happens_looks_the_same(spot: Spot) -> None:
    """In positions that look the same to a seat, an event that it sees completely looks the same.

    A pick is a number that a draw chose, such as the index of a card in a pile. If a seat sees a
    pick, the seat must know what the pick stands for. In a hidden pile the seat does not know which
    card has the index. So nobody may see a pick from a hidden pile; an effect shows the seat which
    card it drew.
    """
    ruleset, rng = spot.ruleset, random.Random(spot.where)
    for seat in all_seats(spot.table.seats):
        events = visible_next(spot, seat, rng)
        for twin in twins(spot, seat):
            for event in events:
                if possible(ruleset, twin, event):
                    _looks_the_same(ruleset, spot.state, twin, event, seat)


def _looks_the_same(
    ruleset: Ruleset[Any], state: Any, twin: Any, event: RulesEvent, seat: Seat
) -> None:
    can_tell = f"seat {seat} can tell the truth from a guess after {shown(event)} by"
    if labelled(state, event) != labelled(twin, event):
        raise Breach(f"{can_tell} its label")
    after, effects, opened = reduced(ruleset, state, event)
    after2, effects2, opened2 = reduced(ruleset, twin, event)
    over = isinstance(ruleset.turn(after), GameOver)
    if over != isinstance(ruleset.turn(after2), GameOver):
        raise Breach(f"{can_tell} the end of the game")
    if opened2 != opened:
        raise Breach(f"{can_tell} what it opens", advice=OPENS)
    if opened or over:
        return
    if seen(effects2, seat) != seen(effects, seat):
        raise Breach(f"{can_tell} its effects: {seen(effects, seat)} and {seen(effects2, seat)}")
    known = [encode(ruleset.information(s, seat)) for s in (after, after2)]
    if known[0] != known[1]:
        raise Breach(f"{can_tell} its information: {_difference(*known)}")


@law(Scope.POSITION, KNOWN, TELLS)
def what_is_sealed_shows_nowhere(spot: Spot) -> None:
    """A sealed part looks the same to viewers outside of its audience, whatever its value is.

    Spectators learn nothing about a sealed part. A seat may later see a consequence of it (for
    example, the pack that is passed on). If the audience of a draw is nobody, only effects may show
    what was drawn.
    """
    ruleset = spot.ruleset
    for audience, events in hidden_next(spot, random.Random(spot.where)):
        for viewer in spot.table.viewers:
            if can_see(viewer, audience):
                continue
            told = [learnt(ruleset, spot.state, event, viewer) for event in events]
            private_draw = isinstance(events[0], ChanceEvent) and audience != NONE
            closed = [one for one in told if not one[3]]
            if leak := _leak(closed, viewer, by_effects=audience == NONE, alone=private_draw):
                among = [shown(event) for event in events]
                raise Breach(f"{_named(viewer)} can tell among {among} {leak}")


def _leak(told: "list[ViewerSide]", viewer: Seat | None, *, by_effects: bool, alone: bool) -> str:
    """Describe how ``viewer`` can tell apart events that should look equal to it.

    ``told`` has one item for each of these events: what ``viewer`` knows after it. Return "" if
    ``viewer`` cannot tell the events apart.

    If ``by_effects``, the effects of the events may differ, and the viewer may learn what its
    effects show. If ``alone``, a seat's view and effects must be the same for all events, as they
    must be for a spectator.
    """
    alike = {repr(effects): (view, known) for view, known, effects, _ in told}
    same = {(view, repr(effects)): known for view, known, effects, _ in told}
    for view, known, effects, _opened in told:
        if by_effects and alike[repr(effects)] != (view, known):
            return "and no effect tells it"
        if known != same[view, repr(effects)]:
            return "by its information, which nothing showed it"
        if not by_effects and (viewer is None or alone):
            if view != told[0][0]:
                return f"by the view: {_difference(view, told[0][0])}"
            if effects != told[0][2]:
                return "by the effects"
            if known != told[0][1]:
                return "by its information"
    return ""


@law(Scope.POSITION, KNOWN, "information lacks what the seat was shown: have the state remember it")
def what_is_told_is_remembered(spot: Spot) -> None:
    """A seat's information keeps everything that the seat was shown of sealed parts."""
    ruleset = spot.ruleset
    for audience, events in hidden_next(spot, random.Random(spot.where)):
        for viewer in all_seats(spot.table.seats):
            if can_see(viewer, audience):
                continue
            told = [learnt(ruleset, spot.state, event, viewer) for event in events]
            by_memory = {remembered: (view, effects) for view, remembered, effects, _ in told}
            for view, remembered, effects, opened in told:
                other = by_memory[remembered]
                if not opened and other != (view, effects):
                    among = [shown(event) for event in events]
                    by = _shown_by(other, view, effects)
                    told_by = f"seat {viewer} can tell among {among} by {by}"
                    raise Breach(f"{told_by}, and would forget it", advice=TOO_WIDE)


def _shown_by(other: tuple[bytes, list[Effect]], view: bytes, effects: list[Effect]) -> str:
    """Return the first difference that a viewer sees between two events: in view or effects."""
    if other[0] != view:
        return f"the view: {_difference(other[0], view)}"
    for one, two in zip_longest(other[1], effects):
        if one != two:
            effect = one or two
            return f"the effect {effect.type}, which is told to {effect.audience}"
    return "its effects"


@law(Scope.POSITION, KNOWN, "information lacks what was opened: have the state remember it")
def what_is_opened_is_remembered(spot: Spot) -> None:
    """Every seat's information keeps the revealed parts as long as they can affect the game."""
    ruleset = spot.ruleset
    for _audience, events in hidden_next(spot, random.Random(spot.where)):
        afters = [(event, *reduced(ruleset, spot.state, event)) for event in events]
        opened = [(e, after) for e, after, _, keys in afters if _opens(e, keys)]
        for seat in all_seats(spot.table.seats):
            met: dict[bytes, tuple[bytes, RulesEvent]] = {}
            for event, after in opened:
                if isinstance(ruleset.turn(after), GameOver):
                    continue
                led_to = encode(ruleset.to_json(after))
                known = encode(ruleset.information(after, seat))
                other, first = met.setdefault(known, (led_to, event))
                if other != led_to:
                    raise Breach(f"seat {seat} forgets whether {shown(first)}, or {shown(event)}")


def _opens(event: RulesEvent, keys: list[tuple[str, str, int]]) -> bool:
    """Whether the effects of an event open the part that the event itself sealed."""
    if isinstance(event, MoveEvent):
        return ("move", event.move.type, event.seat) in keys
    return isinstance(event, ChanceEvent) and ("picks", event.label, event.n) in keys


@law(Scope.GAME, KNOWN, "open only what a secret move or a hidden draw sealed, and once")
def only_what_is_sealed_is_opened(game: SampleGame) -> None:
    """The rules reveal only sealed parts, and each part once."""
    ruleset = game.ruleset
    sealed: set[tuple[str, str, int]] = set()
    for spot in game.positions():
        event = spot.next
        if event is None:
            break
        if isinstance(event, MoveEvent) and event.move.secret:
            sealed.add(("move", event.move.type, event.seat))
        turn = ruleset.turn(spot.state)
        if isinstance(turn, Chance) and turn.audience != PUBLIC:
            sealed.add(("picks", turn.label, turn.n))
        for key in reduced(ruleset, spot.state, event)[2]:
            if key not in sealed:
                raise Breach(f"the next event opens {key}, which is not sealed", spot.number)
            # All sealed parts with the same key are revealed together, for example all drafts of a
            # seat.
            sealed.remove(key)


# Indistinguishable positions, and possible next events


def twins(spot: Spot, seat: Seat, numbers: range = range(TWINS)) -> list[Any]:
    """Return the guesses with these numbers from a seat's information.

    The information is first written as canonical bytes. Each guess reads it from these bytes.
    """
    ruleset = spot.ruleset
    information = encode(ruleset.information(spot.state, seat))
    return [
        ruleset.determinize(orjson.loads(information), random.Random(f"{spot.where} {seat} {n}"))
        for n in numbers
    ]


def outcome(ruleset: Ruleset[Any], state: Any, seat: Seat, data: JsonObject) -> Any:
    """Return the move that ``data`` describes, or the code, message and details of its refusal."""
    try:
        return ruleset.read_move(state, seat, data)
    except IllegalMove as error:
        return error.code, error.message, encode(error.details)


def seen(effects: list[Effect], viewer: Seat | None) -> list[Effect]:
    """Return the effects that a viewer sees."""
    return [effect for effect in effects if can_see(viewer, effect.audience)]


def written(moves: Any) -> list[bytes]:
    """Return the canonical bytes of moves."""
    return [encode(move.to_json()) for move in moves]


def labelled(state: Any, event: RulesEvent) -> Any:
    """Return the label that a move has in ``state``; None if the event is not a move.

    ``state`` is the state before the event.
    """
    return event.move.label_in(state, event.seat) if isinstance(event, MoveEvent) else None


def visible_next(spot: Spot, seat: Seat, rng: random.Random) -> list[RulesEvent]:
    """Return some events that may come next and that ``seat`` sees completely."""
    ruleset, turn = spot.ruleset, spot.ruleset.turn(spot.state)
    if isinstance(turn, Chance):
        if not can_see(seat, turn.audience):
            return []
        draws = [tuple(rng.randrange(size) for size in turn.sizes) for _ in range(4)]
        return [ChanceEvent(turn.label, turn.n, draw) for draw in draws]
    if isinstance(turn, GameOver):
        return []
    events: list[RulesEvent] = [ResignationEvent(seat)]
    for mover in turn.seats:
        moves = [m for m in ruleset.legal_moves(spot.state, mover) if mover == seat or not m.secret]
        events += [MoveEvent(mover, move) for move in sampled(moves, 5, rng)]
    return events


def hidden_next(spot: Spot, rng: random.Random) -> list[tuple[str, list[RulesEvent]]]:
    """Return groups of possible next events that differ only in what their audience sees."""
    ruleset, turn = spot.ruleset, spot.ruleset.turn(spot.state)
    if isinstance(turn, Chance) and turn.audience != PUBLIC:
        picks = [tuple(rng.randrange(size) for size in turn.sizes) for _ in range(6)]
        return [(turn.audience, [ChanceEvent(turn.label, turn.n, draw) for draw in picks])]
    groups: list[tuple[str, list[RulesEvent]]] = []
    for mover in turn.seats if isinstance(turn, Decision) else ():
        by_type: dict[type[Move[Any]], list[RulesEvent]] = {}
        for move in ruleset.legal_moves(spot.state, mover):
            if move.secret:
                by_type.setdefault(type(move), []).append(MoveEvent(mover, move))
        groups += [(f"seat:{mover}", sampled(moves, 6, rng)) for moves in by_type.values()]
    return groups


ViewerSide = tuple[bytes, bytes, list[Effect], bool]
"""A viewer's view and information after an event, and the effects that the viewer was told.
The last member is true if the event revealed parts or ended the game."""


def learnt(ruleset: Ruleset[Any], state: Any, event: RulesEvent, viewer: Seat | None) -> ViewerSide:
    """Return the ``ViewerSide`` of ``viewer`` after an event."""
    after, effects, opened = reduced(ruleset, state, event)
    remembered = b"" if viewer is None else encode(ruleset.information(after, viewer))
    over = isinstance(ruleset.turn(after), GameOver)
    view = encode(ruleset.view(after, viewer))
    return view, remembered, seen(effects, viewer), bool(opened) or over


def _named(viewer: Seat | None) -> str:
    return "a spectator" if viewer is None else f"seat {viewer}"


def _difference(one: bytes, other: bytes) -> str:
    """Return the paths at which two JSON values differ, with both values at each."""
    found = [*_differing(orjson.loads(one), orjson.loads(other), "")]
    more = f"; and {len(found) - PLACES} more" if len(found) > PLACES else ""
    return "; ".join(found[:PLACES]) + more


def _differing(one: Any, other: Any, where: str) -> Iterator[str]:
    pairs: list[tuple[str, Any, Any]] = []
    if isinstance(one, dict) and isinstance(other, dict):
        dot = "." if where else ""
        names = sorted({*one, *other})
        pairs = [(f"{where}{dot}{name}", one.get(name), other.get(name)) for name in names]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        both = enumerate(zip(one, other, strict=True))
        pairs = [(f"{where}[{number}]", *each) for number, each in both]
    elif one != other:
        yield f"{where} is {str(one)[:80]} and {str(other)[:80]}"
    for place, first, second in pairs:
        yield from _differing(first, second, place)
