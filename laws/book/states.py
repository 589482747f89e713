"""Laws of states: codecs, copies, queries that change nothing, replays, bounds, results."""

import gc
import random
from collections.abc import Callable
from typing import Any

import orjson

from laws.games import (
    RulesEvent,
    SampleGame,
    Spot,
    Subject,
    play_out,
    sampled,
    state_bytes,
)
from laws.law import Breach, Scope, law
from rules.kernel.canonical import encode
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.ruleset import ChanceEvent, Decision, GameOver, MoveEvent
from rules.kernel.contract.scores import scores_now
from rules.kernel.contract.seats import all_seats
from rules.kernel.toolbox.standings import ranks

STATE = "2. The state"
CATALOGUE = "5. The catalogue, options and draws"
END = "7. The end, and judgement"
SCRAMBLED = "scrambled"
PLAIN = (int, str, list, tuple, dict)
"""Types of fields whose values are compared, to find out which field was lost."""
LOGGED = "the state is changed inside `if log:`: change it outside"
STORED = "what a move does follows from what its JSON lacks: declare it as a parameter"
OUTSIDE = (
    "what an event does follows from no event: draw by the declared draws alone, and keep nothing"
    " of a game in a module or class, where all games share it"
)
UNWRITTEN = (
    "to_json forgets a field of the state, or from_json reads it as another: write all of it"
)
INTERRUPTIONS = 3
"""Number of times that another game is played between two events of a game."""


@law(Scope.POSITION, STATE, "a field is missing in the JSON, or its JSON is not canonical")
def states_read_back(spot: Spot) -> None:
    """A state that is read back from JSON has equal bytes, and waits for the same seats or draw."""
    ruleset, data = spot.ruleset, spot.ruleset.to_json(spot.state)
    written = encode(data)
    for told, read in (("", data), (" sorted by its keys", orjson.loads(written))):
        again = ruleset.from_json(read)
        if encode(ruleset.to_json(again)) != written:
            raise Breach(f"the state's JSON{told} is read back as another state")
        if ruleset.turn(again) != ruleset.turn(spot.state):
            raise Breach(f"the state that is read back{told} waits for {ruleset.turn(again)}")


@law(
    Scope.POSITION, STATE, "to_json forgets a field, or from_json reads another: write it as it is"
)
def states_look_alike(spot: Spot) -> None:
    """A state that was read back has the same views and effects for everybody."""
    ruleset, true = spot.ruleset, spot.state
    read = ruleset.from_json(orjson.loads(spot.bytes()))
    for viewer in spot.table.viewers:
        if ruleset.view(read, viewer) != ruleset.view(true, viewer):
            raise Breach("the state that was read back is seen otherwise")
    for seat in all_seats(spot.table.seats):
        if ruleset.information(read, seat) != ruleset.information(true, seat):
            raise Breach(f"seat {seat} knows otherwise in the state that was read back")
    if ruleset.heuristic(read) != ruleset.heuristic(true):
        raise Breach("the state that was read back looks otherwise to bots")


@law(Scope.POSITION, STATE, "to_json forgets a field that decides how the game goes on: write it")
def states_are_whole(spot: Spot) -> None:
    """A state that is read back from JSON plays on exactly as the original state does."""
    ruleset = spot.ruleset
    true, read = spot.copy(), ruleset.from_json(orjson.loads(spot.bytes()))
    rng = random.Random(spot.where)
    for _ in range(40):
        turn = ruleset.turn(true)
        if ruleset.turn(read) != turn:
            raise Breach(f"it waits for {ruleset.turn(read)}, and not for {turn}")
        if isinstance(turn, GameOver):
            if ruleset.result(read).to_json() != ruleset.result(true).to_json():
                raise Breach("it ends with another result")
            return
        event: RulesEvent
        if isinstance(turn, Decision):
            seat = rng.choice(turn.seats)
            legal = ruleset.legal_moves(true, seat)
            if list(ruleset.legal_moves(read, seat)) != list(legal):
                raise Breach(f"seat {seat} has other moves in the state that was read back")
            event = MoveEvent(seat, rng.choice(legal))
        else:
            event = ChanceEvent(turn.label, turn.n, tuple(rng.randrange(s) for s in turn.sizes))
        ruleset.reduce(true, event)
        ruleset.reduce(read, event)
        if state_bytes(ruleset, true) != state_bytes(ruleset, read):
            raise Breach("played on, the state that was read back becomes another one")


@law(
    Scope.POSITION,
    STATE,
    "to_bytes and to_json disagree: pass rarely changing parts to piece in to_json",
)
def states_have_the_bytes_of_their_json(spot: Spot) -> None:
    """``to_bytes`` returns the canonical bytes of ``to_json``."""
    if spot.ruleset.to_bytes(spot.state) != spot.bytes():
        raise Breach("to_bytes is not what to_json says")


@law(Scope.POSITION, STATE, "a list was handed on instead of copied")
def copies_and_codecs_share_nothing(spot: Spot) -> None:
    """A copy shares no mutable object with its original, and a state shares none with its JSON."""
    ruleset, before, data = spot.ruleset, spot.bytes(), spot.ruleset.to_json(spot.state)
    copy, read = spot.copy(), ruleset.from_json(data)
    for name, other in (("copy", copy), ("from_json", read)):
        if state_bytes(ruleset, other) != before:
            raise Breach(f"{name} makes another state")
        shared = mutable_parts(spot.state).keys() & mutable_parts(other).keys()
        if shared:
            raise Breach(f"{name} shares {[mutable_parts(other)[key] for key in shared]}")
    if mutable_parts(data).keys() & mutable_parts(read).keys():
        raise Breach("from_json keeps parts of its JSON")
    play_out(ruleset, copy)
    if spot.bytes() != before:
        raise Breach("playing on with a copy changed the original")
    play_out(ruleset, read)
    if encode(data) != before:
        raise Breach("playing on changed the JSON that was read")
    scramble(data)
    if spot.bytes() != before:
        raise Breach("to_json gives parts of the state away")


@law(Scope.EVERY_POSITION, STATE, "a list was handed on instead of copied", games=6)
def copies_are_complete(spot: Spot) -> None:
    """A copy equals its state and shares nothing with it, at every position of a game."""
    ruleset, copy = spot.ruleset, spot.copy()
    if state_bytes(ruleset, copy) != spot.bytes():
        raise Breach("a copy is another state")
    kept = mutable_parts(copy)
    shared = [value for key, value in mutable_parts(spot.state).items() if key in kept]
    if shared:
        raise Breach(f"a copy shares {_fields_with(spot.state, kept) or shared}")


def _fields_with(state: Any, parts: dict[int, Any]) -> str:
    """Return the names of the fields of ``state`` that contain one of the objects in ``parts``."""
    names = getattr(type(state), "__dataclass_fields__", ())
    return ", ".join(
        name for name in names if mutable_parts(getattr(state, name)).keys() & parts.keys()
    )


@law(Scope.POSITION, STATE, "a list was handed on instead of copied")
def playing_on_leaves_copies_alone(spot: Spot) -> None:
    """A copy does not change while its original plays on."""
    original = spot.copy()
    copy = spot.ruleset.copy(original)
    play_out(spot.ruleset, original)
    if state_bytes(spot.ruleset, copy) != spot.bytes():
        raise Breach("playing on with the original changed its copy")


@law(
    Scope.POSITION,
    "4. Moves",
    "the order of moves follows from the state alone: do not iterate over sets",
)
def equal_states_list_equal_moves(spot: Spot) -> None:
    """Equal states list the same moves in the same order."""
    ruleset, state = spot.ruleset, spot.state
    again = (spot.copy(), ruleset.from_json(ruleset.to_json(state)), state)
    for seat in all_seats(spot.table.seats):
        listed = list(ruleset.legal_moves(state, seat))
        for other in again:
            if list(ruleset.legal_moves(other, seat)) != listed:
                raise Breach(f"seat {seat} has other moves, or in another order, in an equal state")


@law(Scope.POSITION, STATE, "only reduce may change a state: copy the parts of an answer")
def questions_change_nothing(spot: Spot) -> None:
    """Queries do not change a state, and return the same if they are repeated."""
    before = spot.written or spot.bytes()
    for name in questions(spot):
        fresh = Spot(spot.game, spot.ruleset.from_json(orjson.loads(before)), spot.number)
        ask = questions(fresh)[name]
        answer = ask()
        if fresh.bytes() != before:
            raise Breach(f"{name} changes the state")
        if ask() != answer:
            raise Breach(f"{name} answers differently when asked again")
        scramble(answer)
        if fresh.bytes() != before:
            raise Breach(f"{name} gives parts of the state away")


@law(
    Scope.POSITION, "6. What each viewer knows", "views and information are JSON: ids and integers"
)
def what_is_shown_is_canonical(spot: Spot) -> None:
    """Views and information are canonical JSON."""
    for viewer in spot.table.viewers:
        encode(spot.ruleset.view(spot.state, viewer))
    for seat in all_seats(spot.table.seats):
        encode(spot.ruleset.information(spot.state, seat))


@law(
    Scope.GAME,
    "3. The sequence of play",
    "state is changed inside `if log:`, follows from what the JSON of a move or of the state lacks,"
    " or lies in a module or class, where all games share it",
    version=2,
)
def replay_equals_play(game: SampleGame) -> None:
    """Whenever the events of a game are played again, the states are the same.

    It makes no difference whether there is a log, whether the events come from a store, and whether
    other games are played in between.
    """
    ruleset, table = game.ruleset, game.table
    silent, logged, read, beside, again = (table.initial() for _ in range(5))
    interrupted = _interrupted(game)
    for number, event in enumerate(game.events):
        if number in interrupted:
            play_out(ruleset, table.initial(), number)
        ruleset.reduce(beside, event)
        ruleset.reduce(silent, event)
        ruleset.reduce(logged, event, EffectLog())
        recorded = event
        if isinstance(event, MoveEvent):
            recorded = MoveEvent(event.seat, ruleset.recorded_move(event.move.to_json()))
        ruleset.reduce(read, stored(recorded))
        ruleset.reduce(again, event)
        after = state_bytes(ruleset, silent)
        if state_bytes(ruleset, beside) != after:
            told = "the next event does another thing when it happens again, beside another game"
            raise Breach(told, number, advice=OUTSIDE)
        if state_bytes(ruleset, logged) != after:
            raise Breach("a log makes a difference to the next event", number, advice=LOGGED)
        if state_bytes(ruleset, read) != after:
            raise Breach(
                "the next event does another thing when it comes from a store",
                number,
                advice=STORED,
            )
        if state_bytes(ruleset, again) != after:
            told = "the next event does another thing in a state that was read back"
            raise _lost(game, number) or Breach(told, number, advice=UNWRITTEN)
        if number % 8 == 0:
            again = ruleset.from_json(ruleset.to_json(again))


def _lost(game: SampleGame, last: int) -> Breach | None:
    """Return a Breach that names the fields that a state loses when it is written and read back.

    It examines the positions of the game up to number ``last``, and reports the first one that
    loses a field.
    """
    for spot in game.positions():
        read = game.ruleset.from_json(game.ruleset.to_json(spot.state))
        told = [
            f"{name} was {value!r}, and is {getattr(read, name)!r}"
            for name in getattr(type(spot.state), "__dataclass_fields__", ())
            if isinstance(value := getattr(spot.state, name), PLAIN)
            and value != getattr(read, name)
        ]
        if told:
            return Breach(f"read back, {'; '.join(told)}", spot.number, advice=UNWRITTEN)
        if spot.number == last:
            break
    return None


def _interrupted(game: SampleGame) -> set[int]:
    """Choose a few events of a game, and return their numbers.

    Just before each of these events, another game is played.
    """
    numbers = [n for n, event in enumerate(game.events) if isinstance(event, ChanceEvent)]
    rng = random.Random(f"{game} interrupted")
    return {*sampled(numbers or range(len(game.events)), INTERRUPTIONS, rng)}


@law(Scope.GAME, CATALOGUE, "raise max_decisions or max_events in RulesetInfo, or end the game")
def games_keep_their_bounds(game: SampleGame) -> None:
    """With default options, a game has at most the decisions and events that the catalogue says."""
    if not game.table.default:
        return
    info = game.ruleset.info
    decisions = sum(isinstance(event, MoveEvent) for event in game.events)
    if decisions > info.max_decisions:
        raise Breach(f"it has {decisions} decisions, more than {info.max_decisions}")
    if len(game.events) > info.max_events:
        raise Breach(f"it has {len(game.events)} events, more than {info.max_events}")


@law(Scope.POSITION, END, "heuristic answers an int for each seat, in thousandths of a point")
def heuristics_are_integers(spot: Spot) -> None:
    """``heuristic`` returns one integer for each seat; ``look`` returns the integer of one seat."""
    values = spot.ruleset.heuristic(spot.state)
    if [type(value) for value in values] != [int] * spot.table.seats:
        raise Breach(f"the heuristic is {values}, not an integer for each of the seats")
    if max(map(abs, values)) >= 10**9:
        raise Breach(f"the heuristic is {values}, in thousandths of a point")
    seen = [spot.ruleset.look(spot.state, seat) for seat in all_seats(spot.table.seats)]
    if seen != values:
        raise Breach(f"one seat alone looks otherwise ({seen}) than among all ({values})")


@law(Scope.POSITION, END, "rank with rules.kernel.toolbox.standings.ranks; automata come last")
def results_rank_every_side(spot: Spot) -> None:
    """The result of a finished game has a rank for each seat, then a rank for each automaton.

    Ranks are competition ranks, such as 1, 2, 2, 4. A better score never has a worse rank. In the
    end, ``score_now`` returns the scores of the result.
    """
    ruleset, seats = spot.ruleset, spot.table.seats
    if not isinstance(ruleset.turn(spot.state), GameOver):
        return
    result = ruleset.result(spot.state)
    if result.reason not in ruleset.end_reasons:
        raise Breach(f"{result.reason!r} is none of the end_reasons")
    encode(result.to_json())
    sides = [standing.side for standing in result.standings]
    automata = sides[seats:]
    if sides[:seats] != [f"seat:{seat}" for seat in all_seats(seats)]:
        raise Breach(f"the first sides are not the seats in their order: {sides}")
    if len({*automata}) < len(automata) or not all(s.startswith("automaton:") for s in automata):
        raise Breach(f"what follows the seats are not automata with names of their own: {sides}")
    places = [standing.rank for standing in result.standings]
    if places != ranks([-rank for rank in places]):
        raise Breach(f"{places} are no competition ranks, such as 1, 2, 2, 4")
    scores = [s.score for s in sorted(result.standings, key=lambda standing: standing.rank)]
    if scores != sorted(scores, reverse=True):
        raise Breach(f"a better score ranks behind a worse one: {scores}")
    if not all(type(score) is int for score in scores):
        raise Breach(f"scores are integers, not {scores}")
    now = scores_now(ruleset, spot.state, len(sides))
    told = [standing.score for standing in result.standings]
    if now is not None and now != told:
        raise Breach(f"score_now returns {now}, and the result has {told}")


@law(
    Scope.EVERY_POSITION,
    END,
    "a rule breaks an invariant, or the method violations is too strict",
    games=36,
)
def invariants_hold(spot: Spot) -> None:
    """No event of a game breaks an invariant."""
    if broken := spot.ruleset.violations(spot.state):
        raise Breach("; ".join(broken))


@law(Scope.RULESET, CATALOGUE, "correct RulesetInfo")
def the_catalogue_is_sound(subject: Subject) -> None:
    """``RulesetInfo`` has titles in both languages, and plausible limits for seats and events.

    The ruleset has effect types, error codes and end reasons, and each of their names occurs once.
    """
    ruleset, info = subject.ruleset, subject.ruleset.info
    if info.version not in info.plays:
        raise Breach(f"plays has {info.plays}, and not {info.version}")
    if set(info.title) != {"en", "es"}:
        raise Breach(f"the title is in {[*info.title]}")
    if not 1 <= info.min_seats <= info.max_seats:
        raise Breach(f"there are {info.min_seats} to {info.max_seats} seats")
    if not 0 < info.max_decisions <= info.max_events:
        raise Breach(f"{info.max_decisions} decisions are no bound below {info.max_events} events")
    for names in (ruleset.effect_types, ruleset.error_codes, ruleset.end_reasons):
        if not names or len(set(names)) < len(names):
            raise Breach(f"names have to be there, and to come once: {names}")
    encode(ruleset.data.tables)


@law(Scope.GAME, "3. The sequence of play", "put a question to a seat: state.ask(phase, seat)")
def somebody_is_asked(game: SampleGame) -> None:
    """In every game, some seat has a decision before the game ends."""
    ruleset = game.ruleset
    if not any(isinstance(ruleset.turn(spot.state), Decision) for spot in game.positions()):
        raise Breach("nobody is ever asked")


@law(
    Scope.GAME,
    "3. The sequence of play",
    "skip seats that have nothing to do, and end the game by state.wait(phase); rules raise only"
    " the errors of the contract",
    version=2,
    games=36,
)
def games_can_be_played(game: SampleGame) -> None:
    """With any legal moves and draws, a game goes on until it ends."""
    if game.broken:
        raise Breach(game.broken, origin=game.origin, advice=game.advice)


@law(Scope.RULESET, "3. The sequence of play", "PHASES names moves by type and phases by name")
def phases_name_what_there_is(subject: Subject) -> None:
    """The table of phases names existing moves and phases."""
    ruleset = subject.ruleset
    types = {type_.type for type_ in ruleset.move_types}
    for name, phase in ruleset.phases.items():
        for move in sorted({*phase.moves} - types):
            raise Breach(f"phase {name}: there is no move {move!r}")
        for after in sorted({*phase.leads_to} - ruleset.phases.keys()):
            raise Breach(f"phase {name}: there is no phase {after!r}")


@law(
    Scope.EVERY_POSITION,
    "3. The sequence of play",
    "list the phase in leads_to, or ask for another one",
)
def phases_lead_where_they_say(spot: Spot) -> None:
    """A phase is followed only by phases that the table of phases lists for it."""
    ruleset, event = spot.ruleset, spot.next
    if not ruleset.phases or event is None or type(event).__name__ == "ResignationEvent":
        return
    before, after = spot.state.phase, spot.copy()
    ruleset.reduce(after, event)
    if before in ruleset.phases and after.phase not in {before, *ruleset.phases[before].leads_to}:
        raise Breach(f"phase {before} leads to {after.phase!r}, which is not among its leads_to")


# Queries


def scramble(value: Any) -> None:
    """Change everything mutable in a JSON value, in place."""
    if isinstance(value, dict):
        for item in value.values():
            scramble(item)
        value[SCRAMBLED] = 1
    elif isinstance(value, list):
        for item in value:
            scramble(item)
        value.append(SCRAMBLED)


def mutable_parts(value: Any) -> dict[int, Any]:
    """Return the lists, dicts, sets and other mutable objects within ``value``, by ``id()``."""
    found: dict[int, Any] = {}
    queue = [value]
    while queue:
        item = queue.pop()
        if isinstance(item, type | Callable) or id(item) in found:
            continue
        if isinstance(item, tuple | frozenset):
            queue += item
        elif not isinstance(item, str | bytes | int | float | None):
            found[id(item)] = item
            queue += gc.get_referents(item)
    return found


class _LeastChoice:
    """A random source that always returns the least number."""

    def randrange(self, stop: int, /) -> int:
        return 0


def questions(spot: Spot) -> dict[str, Callable[[], Any]]:
    """Return all queries of a state; none of them may change it."""
    ruleset, state, table = spot.ruleset, spot.state, spot.table
    seats = all_seats(table.seats)
    asked = [seat for seat in seats if ruleset.is_asked(state, seat)]

    def check() -> None:
        for seat in asked:
            for move in ruleset.legal_moves(state, seat):
                ruleset.check(state, seat, move)
                ruleset.read_move(state, seat, move.to_json())

    def determinize() -> list[Any]:
        answers = []
        for seat in seats:
            information = ruleset.information(state, seat)
            before = encode(information)
            answers.append(ruleset.to_json(ruleset.determinize(information, _LeastChoice())))
            if encode(information) != before:
                raise Breach("determinize changes the information that it is given")
        return answers

    found: dict[str, Callable[[], Any]] = {
        "turn": lambda: ruleset.turn(state),
        "moves_now": lambda: ruleset.moves_now(state),
        "legal_moves": lambda: [ruleset.legal_moves(state, seat) for seat in seats],
        "check": check,
        "default_move": lambda: [ruleset.default_move(state, seat) for seat in asked],
        "copy": lambda: play_out(ruleset, ruleset.copy(state)) and None,
        "to_json": lambda: ruleset.to_json(state),
        "view": lambda: [ruleset.view(state, viewer) for viewer in table.viewers],
        "information": lambda: [ruleset.information(state, seat) for seat in seats],
        "determinize": determinize,
        "heuristic": lambda: ruleset.heuristic(state),
        "look": lambda: [ruleset.look(state, seat) for seat in seats],
        "violations": lambda: ruleset.violations(state),
        "draw": lambda: ruleset.draw(ruleset.view(state, None), "en", 80),
    }
    if isinstance(ruleset.turn(state), GameOver):
        found["result"] = lambda: ruleset.result(state).to_json()
    return found


def stored(event: RulesEvent) -> RulesEvent:
    """Return the event as it comes back from a store."""
    if isinstance(event, ChanceEvent):
        return ChanceEvent(event.label, event.n, list(event.picks))
    return event
