"""Mutants: faults that are put into a ruleset, to test whether laws and tests notice them.

A mutant changes the instance of a ruleset in this process, or the classes of its moves, so that all
modules that import the ruleset see the fault. A mutant is *unfit* for a ruleset that lacks what the
fault needs.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from laws.games import move_pool, sample_game
from laws.tables import default_tables
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance
from rules.kernel.contract.effects import NONE, PUBLIC, EffectLog, seat_audience
from rules.kernel.contract.errors import IllegalMove
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.move import Move
from rules.kernel.contract.ruleset import ChanceEvent, Decision, MoveEvent, Ruleset
from rules.kernel.contract.seats import Seat

Rules = Any
"""A ruleset whose methods can be replaced."""


class UnfitRulesetError(Exception):
    """The ruleset lacks what the fault needs; the message names it."""


@dataclass(frozen=True)
class Mutant:
    """A named fault; ``put`` puts it into a ruleset, or raises UnfitRulesetError."""

    name: str
    put: Callable[[Rules], None]

    @property
    def says(self) -> str:
        """The description of the fault, in a sentence."""
        return " ".join((self.put.__doc__ or "").split())


MUTANTS: dict[str, Mutant] = {}
"""All mutants, by name."""


def mutant(put: Callable[[Rules], None]) -> Callable[[Rules], None]:
    """Register a mutant by the name of its function."""
    MUTANTS[put.__name__] = Mutant(put.__name__, put)
    return put


def _hash(ruleset: Rules, state: Any) -> int:
    """Return a number that depends on everything in a state, including its hidden parts."""
    written: bytes = ruleset.to_bytes(state)
    return sum(written) % 97


def _own(ruleset: Rules, *names: str) -> Any:
    """Return the methods that a ruleset has before a mutant replaces them."""
    found = [getattr(ruleset, name) for name in names]
    return found[0] if len(found) == 1 else found


def _need_secrets(ruleset: Rules) -> None:
    if not (any(t.secret for t in ruleset.move_types) or any(_hidden_draws(ruleset))):
        raise UnfitRulesetError("nothing is hidden in this game")


def _hidden_draws(ruleset: Rules) -> Iterator[Chance]:
    for turn in _turns(ruleset):
        if isinstance(turn, Chance) and turn.audience != PUBLIC:
            yield turn


def _turns(ruleset: Rules) -> Iterator[Any]:
    for spot in sample_game(default_tables(ruleset)[-1], 1).positions():
        yield ruleset.turn(spot.state)


def _need_draws(ruleset: Rules) -> None:
    if not any(isinstance(turn, Chance) for turn in _turns(ruleset)):
        raise UnfitRulesetError("nothing is drawn in this game")


def _first_list(value: Any) -> Any:
    """Return the first list within ``value`` that has at least two items; None if there is none."""
    if isinstance(value, list):
        if len(value) > 1 and not isinstance(value[0], list | dict):
            return value
        return next((found for item in value if (found := _first_list(item))), None)
    if isinstance(value, dict):
        return next((found for item in value.values() if (found := _first_list(item))), None)
    return None


def _mutable_list(state: Any) -> Any:
    """Return the first list of a state that has at least two items, so that a mutant can change it.

    The list is the value of one of the state's fields.

    Raises UnfitRulesetError: there is no such list.
    """
    fields = state.values() if isinstance(state, dict) else _fields(state)
    found = next((value for value in fields if isinstance(value, list) and len(value) > 1), None)
    if found is None:
        raise UnfitRulesetError("a state has no list")
    return found


def _fields(state: Any) -> Iterator[Any]:
    for name in getattr(type(state), "__dataclass_fields__", ()):
        yield getattr(state, name)


# Views


@mutant
def secret_in_a_view(ruleset: Rules) -> None:
    """Something hidden determines a number that everybody's view shows."""
    _need_secrets(ruleset)
    view = _own(ruleset, "view")

    def leaking(state: Any, viewer: Seat | None) -> JsonObject:
        shown: JsonObject = view(state, viewer)
        for name, value in shown.items():
            if type(value) is int and name != "viewer":
                return {**shown, name: value + _hash(ruleset, state) % 2}
        return {**shown, "more": _hash(ruleset, state)}

    ruleset.view = leaking


@mutant
def secret_in_a_spectators_view(ruleset: Rules) -> None:
    """Spectators see something that only one seat may see."""
    _need_secrets(ruleset)
    view = _own(ruleset, "view")
    ruleset.view = lambda state, viewer: {
        **view(state, 0 if viewer is None else viewer),
        "viewer": viewer,
    }


@mutant
def view_of_another_seat(ruleset: Rules) -> None:
    """The last seat gets the first seat's view."""
    _need_secrets(ruleset)
    view = _own(ruleset, "view")
    ruleset.view = lambda state, viewer: (
        {**view(state, 0), "viewer": viewer} if viewer == 1 else view(state, viewer)
    )


@mutant
def secret_in_the_order_of_a_list(ruleset: Rules) -> None:
    """The order of a list in the view follows the order in which hidden cards came."""
    _need_secrets(ruleset)
    view = _own(ruleset, "view")

    def ordered(state: Any, viewer: Seat | None) -> JsonObject:
        shown: JsonObject = view(state, viewer)
        if (found := _first_list(shown)) and _hash(ruleset, state) % 2:
            found.reverse()
        return shown

    ruleset.view = ordered


@mutant
def view_that_differs_by_nothing(ruleset: Rules) -> None:
    """The view differs each time it is requested, though nothing has happened."""
    view, asked = _own(ruleset, "view"), [0]

    def differing(state: Any, viewer: Seat | None) -> JsonObject:
        shown: JsonObject = view(state, viewer)
        asked[0] += 1
        if found := _first_list(shown):
            found.insert(0, found.pop(asked[0] % len(found)))
        return shown

    ruleset.view = differing


@mutant
def view_that_shares(ruleset: Rules) -> None:
    """The view contains a list of the state itself instead of a copy."""
    view = _own(ruleset, "view")
    state = default_tables(ruleset)[0].initial()
    shown, kept = view(state, None), _mutable_list(state)
    names = [name for name, value in shown.items() if value == kept]
    if not names:
        raise UnfitRulesetError("no list of the state is shown as it is")
    ruleset.view = lambda state, viewer: {**view(state, viewer), names[0]: _mutable_list(state)}


@mutant
def field_that_the_schema_lacks(ruleset: Rules) -> None:
    """The view has a member that its schema does not describe."""
    view = _own(ruleset, "view")
    ruleset.view = lambda state, viewer: {**view(state, viewer), "undescribed": 1}


# Information


@mutant
def secret_in_information(ruleset: Rules) -> None:
    """A seat's information has something that the seat was never shown."""
    _need_secrets(ruleset)
    information, guess = _own(ruleset, "information", "determinize")
    ruleset.information = lambda state, seat: {
        **information(state, seat),
        "state": ruleset.to_json(state),
    }
    ruleset.determinize = lambda known, rng: (
        ruleset.from_json(known["state"]) if "state" in known else guess(known, rng)
    )


@mutant
def information_that_forgets(ruleset: Rules) -> None:
    """A seat's information has only what spectators see, and the number of the seat."""
    _need_secrets(ruleset)
    information, view = _own(ruleset, "information", "view")

    def forgetting(state: Any, seat: Seat) -> JsonObject:
        known: JsonObject = information(state, seat)
        public = view(state, None)
        return {
            name: public.get(name, value) if name != "viewer" else value
            for name, value in known.items()
        }

    ruleset.information = forgetting


@mutant
def guess_that_ignores_what_is_known(ruleset: Rules) -> None:
    """``determinize`` returns the first state of a game, whatever the information says."""
    ruleset.determinize = lambda _known, _rng: default_tables(ruleset)[0].initial()


@mutant
def guess_that_relies_on_the_order_of_keys(ruleset: Rules) -> None:
    """``determinize`` relies on the order of the keys in the information."""
    information, guess = _own(ruleset, "information", "determinize")
    names = [*information(default_tables(ruleset)[0].initial(), Seat(0))]
    if names == sorted(names):
        raise UnfitRulesetError("the information is in the order of its keys")
    ruleset.determinize = lambda known, rng: guess(
        dict(zip(names, known.values(), strict=False)), rng
    )


# Chance


@mutant
def unseeded_draw(ruleset: Rules) -> None:
    """The result of a draw follows from a random number that is not recorded."""
    _need_draws(ruleset)
    reduce, wild = _own(ruleset, "reduce"), random.SystemRandom()

    def drawing(state: Any, event: Any, log: EffectLog | None = None) -> None:
        if isinstance(event, ChanceEvent):
            sizes = ruleset.turn(state).sizes
            picks = [wild.randrange(size) for size in sizes]
            event = ChanceEvent(event.label, event.n, picks)
        reduce(state, event, log)

    ruleset.reduce = drawing


@mutant
def label_that_comes_again(ruleset: Rules) -> None:
    """Every draw has the number 1 (``n``), as if it were the first draw with its label."""
    turn = _own(ruleset, "turn")
    if all(found.n == 1 for found in _turns(ruleset) if isinstance(found, Chance)):
        raise UnfitRulesetError("no label is drawn twice")

    def again(state: Any) -> Any:
        found = turn(state)
        return replace(found, n=1) if isinstance(found, Chance) else found

    ruleset.turn = again


@mutant
def draw_that_everybody_sees(ruleset: Rules) -> None:
    """The audience of a draw is too wide."""
    if not any(_hidden_draws(ruleset)):
        raise UnfitRulesetError("all draws are public")
    turn = _own(ruleset, "turn")

    def public(state: Any) -> Any:
        found = turn(state)
        return replace(found, audience=PUBLIC) if isinstance(found, Chance) else found

    ruleset.turn = public


@mutant
def draw_that_another_seat_sees(ruleset: Rules) -> None:
    """A draw is shown to the wrong seat."""
    if not any(_hidden_draws(ruleset)):
        raise UnfitRulesetError("all draws are public")
    turn = _own(ruleset, "turn")

    def other(state: Any) -> Any:
        found = turn(state)
        if not isinstance(found, Chance) or found.audience == PUBLIC:
            return found
        audience = seat_audience(Seat(1 if found.audience == seat_audience(Seat(0)) else 0))
        return replace(found, audience=audience)

    ruleset.turn = other


# Moves and refusals


def _secret_type(ruleset: Rules) -> type[Move[Any]]:
    types: tuple[type[Move[Any]], ...] = ruleset.move_types
    for type_ in types:
        if type_.secret:
            return type_
    raise UnfitRulesetError("no move is secret")


@mutant
def secret_move_that_everybody_sees(ruleset: Rules) -> None:
    """The audience of a move is too wide: it is not secret."""
    _secret_type(ruleset).secret = False


@mutant
def secret_move_that_is_opened_at_once(ruleset: Rules) -> None:
    """A secret move is opened as soon as it is played."""
    secret, reduce = _secret_type(ruleset), _own(ruleset, "reduce")

    def opening(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        sealed = isinstance(event, MoveEvent) and type(event.move) is secret
        if log and sealed and not log.opened:
            log.open_move(event.seat, secret.type)

    ruleset.reduce = opening


@mutant
def move_that_shows_and_is_taken_back(ruleset: Rules) -> None:
    """A move that shows others something hidden does not say so, and can be taken back."""
    showing = [type_ for type_ in ruleset.move_types if type_.reveals]
    if not showing:
        raise UnfitRulesetError("no move shows others something hidden")
    for type_ in showing:
        type_.reveals = False


@mutant
def legal_move_that_is_missing(ruleset: Rules) -> None:
    """The last of several legal moves is not listed."""
    legal_moves = _own(ruleset, "legal_moves")

    def fewer(state: Any, seat: Seat) -> Sequence[Any]:
        legal = [*legal_moves(state, seat)]
        return legal[:-1] if len(legal) > 1 else legal

    ruleset.legal_moves = fewer


@mutant
def legal_move_that_comes_twice(ruleset: Rules) -> None:
    """A legal move is listed twice."""
    legal_moves = _own(ruleset, "legal_moves")
    ruleset.legal_moves = lambda state, seat: [
        *legal_moves(state, seat),
        *legal_moves(state, seat)[:1],
    ]


@mutant
def legal_moves_that_tell(ruleset: Rules) -> None:
    """Something hidden determines which moves are legal."""
    _need_secrets(ruleset)
    legal_moves = _own(ruleset, "legal_moves")

    def telling(state: Any, seat: Seat) -> Sequence[Any]:
        legal = [*legal_moves(state, seat)]
        return legal[:-1] if len(legal) > 1 and _hash(ruleset, state) % 2 else legal

    ruleset.legal_moves = telling


@mutant
def order_of_moves_that_depends_on_the_process(ruleset: Rules) -> None:
    """Legal moves are listed in the order of a set."""
    legal_moves = _own(ruleset, "legal_moves")
    ruleset.legal_moves = lambda state, seat: sorted(
        legal_moves(state, seat), key=lambda move: hash(str(move.to_json()))
    )


@mutant
def move_that_is_never_refused(ruleset: Rules) -> None:
    """The first type of move that can be refused is never refused."""
    for type_ in ruleset.move_types:
        if type_.refusal is not Move.refusal:
            type_.refusal = lambda _self, _state, _seat: None
            return
    raise UnfitRulesetError("no move is refused by a reason of its own")


@mutant
def move_that_is_refused_for_a_wrong_reason(ruleset: Rules) -> None:
    """All refusals have the code of the first."""
    read_move = _own(ruleset, "read_move")
    first = ruleset.error_codes[0]

    def reading(state: Any, seat: Seat, data: JsonObject) -> Any:
        try:
            return read_move(state, seat, data)
        except IllegalMove as error:
            raise IllegalMove(first, error.message, **error.details) from None

    ruleset.read_move = reading


@mutant
def refusal_without_a_code(ruleset: Rules) -> None:
    """A refusal has a code that is not declared."""
    read_move = _own(ruleset, "read_move")

    def reading(state: Any, seat: Seat, data: JsonObject) -> Any:
        try:
            return read_move(state, seat, data)
        except IllegalMove as error:
            raise IllegalMove("undeclared", error.message) from None

    ruleset.read_move = reading


@mutant
def refusal_that_tells(ruleset: Rules) -> None:
    """The sentence of a refusal names something hidden."""
    _need_secrets(ruleset)
    read_move = _own(ruleset, "read_move")

    def reading(state: Any, seat: Seat, data: JsonObject) -> Any:
        try:
            return read_move(state, seat, data)
        except IllegalMove as error:
            told = f"{error.message} ({_hash(ruleset, state)})"
            raise IllegalMove(error.code, told, **error.details) from None

    ruleset.read_move = reading


@mutant
def refusal_that_hides(ruleset: Rules) -> None:
    """Something hidden decides if a move is refused; ``hidden_errors`` lacks the refusal's code."""
    _need_secrets(ruleset)
    read_move, check = _own(ruleset, "read_move", "check")
    legal_moves, code = _own(ruleset, "legal_moves"), ruleset.error_codes[-1]

    def refused(state: Any, seat: Seat, move: Any) -> bool:
        legal = legal_moves(state, seat)
        return len(legal) > 1 and move == legal[-1] and _hash(ruleset, state) % 2 == 1

    def reading(state: Any, seat: Seat, data: JsonObject) -> Any:
        move = read_move(state, seat, data)
        if refused(state, seat, move):
            raise IllegalMove(code, "not now")
        return move

    def checking(state: Any, seat: Seat, move: Any) -> None:
        check(state, seat, move)
        if refused(state, seat, move):
            raise IllegalMove(code, "not now")

    ruleset.hidden_errors = ()
    ruleset.read_move, ruleset.check = reading, checking
    ruleset.legal_moves = lambda state, seat: [
        move for move in legal_moves(state, seat) if not refused(state, seat, move)
    ]


@mutant
def default_move_that_is_illegal(ruleset: Rules) -> None:
    """The default move is not always legal."""
    default_move, legal_moves = _own(ruleset, "default_move", "legal_moves")
    pool = [ruleset.recorded_move(data) for data in move_pool(ruleset)]

    def illegal(state: Any, seat: Seat) -> Any:
        legal = legal_moves(state, seat)
        return next((move for move in pool if move not in legal), default_move(state, seat))

    ruleset.default_move = illegal


@mutant
def default_move_that_tells(ruleset: Rules) -> None:
    """Something hidden determines the default move."""
    _need_secrets(ruleset)
    legal_moves = _own(ruleset, "legal_moves")

    def telling(state: Any, seat: Seat) -> Any:
        legal = legal_moves(state, seat)
        return legal[_hash(ruleset, state) % len(legal)]

    ruleset.default_move = telling


# States


@mutant
def field_that_is_forgotten(ruleset: Rules) -> None:
    """The JSON of a state has one field as it was at the start of the game."""
    to_json = _own(ruleset, "to_json")
    game = sample_game(default_tables(ruleset)[-1], 1)
    first = ruleset.to_json(game.table.initial())
    changed = [
        name
        for spot in game.positions()
        for name, value in ruleset.to_json(spot.state).items()
        if name not in ("phase", "decider") and value != first.get(name)
    ]
    if not changed:
        raise UnfitRulesetError("no field of a state changes")
    name = changed[0]

    def forgetting(state: Any, *piece: Any) -> JsonObject:
        return {**to_json(state, *piece), name: first[name]}

    ruleset.to_json = forgetting


@mutant
def json_that_shares(ruleset: Rules) -> None:
    """The JSON of a state contains a list of the state itself instead of a copy."""
    to_json = _own(ruleset, "to_json")
    state = default_tables(ruleset)[0].initial()
    kept = _mutable_list(state)
    names = [name for name, value in to_json(state).items() if value == kept]
    if not names:
        raise UnfitRulesetError("no list of the state is written as it is")
    ruleset.to_json = lambda state, *piece: {
        **to_json(state, *piece),
        names[0]: _mutable_list(state),
    }


@mutant
def copy_that_is_none(ruleset: Rules) -> None:
    """The copy of a state is the state itself."""
    ruleset.copy = lambda state: state


@mutant
def copy_that_shares(ruleset: Rules) -> None:
    """A copy shares a list with its state."""
    copy = _own(ruleset, "copy")
    _mutable_list(default_tables(ruleset)[0].initial())

    def sharing(state: Any) -> Any:
        new = copy(state)
        names = state if isinstance(state, dict) else type(state).__dataclass_fields__
        for name in names:
            value = state[name] if isinstance(state, dict) else getattr(state, name)
            if isinstance(value, list) and len(value) > 1:
                new.__setitem__(name, value) if isinstance(new, dict) else setattr(new, name, value)
                break
        return new

    ruleset.copy = sharing


@mutant
def memory_outside_the_state(ruleset: Rules) -> None:
    """The result of a move follows from the number of moves since the start, taken back or not."""
    initial, reduce = _own(ruleset, "initial", "reduce")
    made = [0]
    _mutable_list(default_tables(ruleset)[0].initial())

    def beginning(seats: int, options: JsonObject) -> Any:
        made[0] = 0
        return initial(seats, options)

    def remembering(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        if isinstance(event, MoveEvent):
            made[0] += 1
            found = _mutable_list(state)
            found.append(found.pop(made[0] % len(found)))

    ruleset.initial, ruleset.reduce = beginning, remembering


@mutant
def rule_that_depends_on_the_process(ruleset: Rules) -> None:
    """The result of a move follows from the order of a set, or from a hash."""
    reduce = _own(ruleset, "reduce")
    _mutable_list(default_tables(ruleset)[0].initial())

    def hashing(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        if isinstance(event, MoveEvent) and len({*map(hash, ("a", "b", "c"))}) == 3:
            least = min(("a", "b", "c"), key=hash)
            if least == "a":
                found = _mutable_list(state)
                found.append(found.pop(0))

    ruleset.reduce = hashing


@mutant
def rule_that_depends_on_the_log(ruleset: Rules) -> None:
    """A move changes the state only if there is a log of effects."""
    reduce = _own(ruleset, "reduce")
    _mutable_list(default_tables(ruleset)[0].initial())

    def logging(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        if log:
            found = _mutable_list(state)
            found.append(found.pop(0))

    ruleset.reduce = logging


@mutant
def question_that_changes_the_state(ruleset: Rules) -> None:
    """Asking for the view changes the state."""
    view = _own(ruleset, "view")
    _mutable_list(default_tables(ruleset)[0].initial())

    def changing(state: Any, viewer: Seat | None) -> JsonObject:
        shown: JsonObject = view(state, viewer)
        found = _mutable_list(state)
        found.append(found.pop(0))
        return shown

    ruleset.view = changing


# Effects, words, ends


@mutant
def effect_that_everybody_is_told(ruleset: Rules) -> None:
    """The audience of an effect is too wide."""
    reduce = _own(ruleset, "reduce")
    _need_effects(ruleset, lambda audience: audience.startswith("seat:"), "all effects are public")

    def public(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        if log:
            log.effects[:] = [effect._replace(audience=PUBLIC) for effect in log.effects]

    ruleset.reduce = public


@mutant
def effect_that_tells(ruleset: Rules) -> None:
    """Something hidden determines whether an effect is told."""
    _need_secrets(ruleset)
    reduce = _own(ruleset, "reduce")

    def telling(state: Any, event: Any, log: EffectLog | None = None) -> None:
        odd = _hash(ruleset, state) % 2 if log else 0
        reduce(state, event, log)
        if log and odd:
            del log.effects[-1:]

    ruleset.reduce = telling


@mutant
def effect_that_is_never_told(ruleset: Rules) -> None:
    """A declared effect is never told."""
    reduce, first = _own(ruleset, "reduce"), ruleset.effect_types[0]

    def silent(state: Any, event: Any, log: EffectLog | None = None) -> None:
        reduce(state, event, log)
        if log:
            log.effects[:] = [effect for effect in log.effects if effect.type != first]

    ruleset.reduce = silent


def _need_effects(ruleset: Rules, wanted: Callable[[str], bool], told: str) -> None:
    game = sample_game(default_tables(ruleset)[-1], 1)
    state, log = game.table.initial(), EffectLog()
    for event in game.events:
        ruleset.reduce(state, event, log)
    if not any(wanted(effect.audience) for effect in log.effects if effect.audience != NONE):
        raise UnfitRulesetError(told)


@mutant
def word_that_is_missing(ruleset: Rules) -> None:
    """A text is missing in one language."""
    tables = {language: {**words} for language, words in ruleset.labels.tables.items()}
    del tables["es"][f"error.{ruleset.error_codes[-1]}"]
    ruleset.labels = Labels(tables)


@mutant
def rank_that_is_wrong(ruleset: Rules) -> None:
    """The worst score ranks first."""
    result = _own(ruleset, "result")

    def reversed_(state: Any) -> Any:
        found = result(state)
        most = max(standing.rank for standing in found.standings)
        standings = tuple(s._replace(rank=most + 1 - s.rank) for s in found.standings)
        return found._replace(standings=standings)

    ruleset.result = reversed_


@mutant
def game_that_is_longer_than_it_says(ruleset: Rules) -> None:
    """A game has more events than its bound in the catalogue."""
    decisions = sum(isinstance(turn, Decision) for turn in _turns(ruleset))
    if decisions < 2:
        raise UnfitRulesetError("a game has one decision")
    ruleset.info = replace(ruleset.info, max_decisions=decisions // 2)


@mutant
def heuristic_of_floats(ruleset: Rules) -> None:
    """The heuristic is a float, not an integer."""
    heuristic = _own(ruleset, "heuristic")
    ruleset.heuristic = lambda state: [value / 7 for value in heuristic(state)]


def put_into(ruleset: Ruleset[Any], name: str) -> None:
    """Turn a ruleset into a mutant, and clear the cache of games played before.

    Raises:
        UnfitRulesetError: the ruleset lacks what the fault needs.
    """
    MUTANTS[name].put(ruleset)
    sample_game.cache_clear()
    move_pool.cache_clear()
