"""The shapes of copies of events, which can be checked without rules (docs/format.md, "Events").

Each kind of event has its parts, each part has its audience and fields, and each field has its
type. If a copy does not fit, the record is refused before other checks, so other checks can rely on
the shapes. From the first event with an unknown part on (``UnknownParts``), nothing counts as
missing.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from rules.kernel.canonical import FORMAT, JsonObject, encode_known
from rules.kernel.contract.effects import NONE, PUBLIC, seat_audience
from rules.kernel.contract.errors import shown
from rules.kernel.contract.seats import all_seats
from rules.kernel.proof.causers import Causer
from rules.kernel.proof.damage import MOST_AFTER, SOUND, is_lost
from rules.kernel.proof.newer import UnknownParts, is_name
from rules.kernel.proof.shape import (
    BIGGEST,
    AnyOf,
    Fields,
    ListOf,
    Note,
    OneOf,
    Shape,
    anything,
    are_digests,
    count,
    digest,
    digests,
    frame,
    hexadecimal,
    increment,
    integer,
    name,
    nothing,
    positive,
    seat,
    seconds,
    some_object,
    text,
)
from rules.kernel.proof.verdicts import Failures
from rules.kernel.record.batch import (
    BEACON_WITHHELD,
    BLOCK_ABANDONED,
    BOT_FAILURES,
    CANCELLED,
    FAULTS,
    MISSING,
    MOST_THOUGHTS,
    REVEAL_SECONDS,
    TOURNAMENT_CANCELLED,
    WITHHELD,
    visibilities_of,
)
from rules.kernel.record.beacons import BEACON, BEACON_DRAWN, LATE
from rules.kernel.record.bots import CPU, SHORT
from rules.kernel.record.budgets import GRACE
from rules.kernel.record.events import OPENABLE
from rules.kernel.record.game import (
    BLOCK,
    DAMAGED,
    ENDED_BY_OPERATOR,
    EVERYBODY,
    HINTS,
    SEATS,
    TAKE_BACK,
)
from rules.kernel.record.instants import is_instant
from rules.kernel.record.signatures import KEY, KEY_CHANGED, REQUIRED, SIGNATURES

MOST_SEATS = 12
MOST_SIDES = 2 * MOST_SEATS
"""Maximum number of sides: seats and automata."""
MOST_IN_BATCH = 10_000
"""Maximum number of events in a batch; a batch is checked as a whole, and no request causes
more.
"""

_instant = Shape(lambda v, _seats: is_instant(v), "a point in time")
_COPY = Fields(
    seq=positive,
    kind=text,
    by=frame,
    at=_instant,
    last=positive,
    parts=digests,
    state_proof=digest,
    hash=digest,
    body=frame,
    audiences=frame,
    nonces=digests,
)


# Values

_SEATS = Shape(lambda v, _seats: type(v) is int and 0 < v <= MOST_SEATS, "a number of seats")
_holder = AnyOf(Fields(player=name), Fields(bot=name, version=name, settings=some_object))
CHANCE = Fields(scope=name, commitment=digest)
"""The shape of the commitment to a game's luck."""
_yes = Shape(lambda v, _seats: v is True, "true")
_for_each = Fields({GRACE: positive}, decision_seconds=seconds)
_for_all = Fields(
    {GRACE: positive, "decision_seconds": seconds},
    budget_seconds=seconds,
    increment_seconds=increment,
)
CLOCK = AnyOf(_for_each, _for_all)
"""The shape of a clock: a time for each decision of a seat, or a budget for all of them."""
_chain = Fields(chain=digest, scheme=name, public_key=hexadecimal, period=positive, genesis=count)
_game = Fields(
    {TAKE_BACK: _yes, HINTS: _yes, SIGNATURES: OneOf(REQUIRED)},
    format=OneOf(FORMAT),
    ruleset=name,
    rules_version=name,
    rules_digest=digest,
    data=Fields({"tables": some_object}, edition=name, digest=digest),
    options=some_object,
    seats=_SEATS,
    chance=CHANCE,
    clock=AnyOf(nothing, _for_each, _for_all),
    entropy=Fields(
        {"beacon": _chain, "late": OneOf(*LATE)}, mode=OneOf(*REVEAL_SECONDS), seconds=seconds
    ),
    visibility=OneOf(EVERYBODY, BLOCK, SEATS),
)
_thoughts = Fields(
    bot=name, version=name, digest=digest, settings=digest, budget=count, nodes=count,
    thoughts=some_object,
)  # fmt: skip
_short_thoughts = Fields({"digest": digest, CPU: count}, nodes=count, thoughts=some_object)
_thoughts_of_a_program = Shape(
    lambda v, seats: some_object.fits(v, seats) and len(encode_known(v)) <= MOST_THOUGHTS,
    f"an object of at most {MOST_THOUGHTS} bytes",
)
_failed_code = Fields({CPU: count}, bot=name, version=name, digest=AnyOf(nothing, digest))
_move = Shape(
    lambda v, seats: some_object.fits(v, seats) and name.fits(v.get("type"), seats),
    "a move with its type",
)
_is_sig = re.compile(r"[0-9a-f]{128}").fullmatch
_sig = Shape(lambda v, _seats: type(v) is str and _is_sig(v) is not None, "128 hexadecimal digits")
_draw = Fields(label=name, n=positive, sizes=ListOf(positive))
_standing = Fields(side=name, rank=positive, score=integer, breakdown=some_object)
_opening = Fields(seq=positive, part=OneOf(*OPENABLE), value=anything, nonce=digest)
_aborted = Fields(
    {"sound": SOUND},
    reason=OneOf(
        CANCELLED,
        TOURNAMENT_CANCELLED,
        BLOCK_ABANDONED,
        WITHHELD,
        BEACON_WITHHELD,
        DAMAGED,
        ENDED_BY_OPERATOR,
    ),
    withheld_by=Shape(
        lambda v, seats: ListOf(seat).fits(v, seats) and v == sorted(set(v)), "seats in order"
    ),
)


def _who(*kinds: str) -> Shape:
    return AnyOf(*[Fields(**{kind: name}) for kind in kinds])


def _the_service(*reasons: str) -> Shape:
    return Fields(service=OneOf(*reasons))


def _is_mover(value: Any, seats: int) -> bool:
    """Whether a value names a seat, and perhaps its bot or player."""
    if type(value) is not dict or not seat.fits(value.get("seat"), seats):
        return False
    named = value.get("bot", value.get("player"))
    return len(value) == 1 or (len(value) == 2 and name.fits(named, seats))


_mover = Shape(_is_mover, "a seat, with its bot or player")
_asker = Fields({"player": name}, seat=seat)
_rules = _the_service("rules")


# Shapes of events


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a body: its shape, its possible audiences, and whether it is required."""

    value: Shape
    audience: str = PUBLIC
    needed: bool = True


_MOVER, _ANYBODY = "mover", "anybody"
"""Audiences that the rules may choose besides everybody: the moving seat; any seat, or nobody."""
_MOVE = _Part(_move, _MOVER)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of event: its causer, its parts, and which of the parts it must have."""

    by: Causer
    parts: Mapping[str, _Part]
    needed: frozenset[str]


_OF_ANY_KIND = ("code", "opens")
_CODE = _Part(Fields(rules_digest=digest), needed=False)
_OPENS = _Part(ListOf(_opening), needed=False)
_SALT = _Part(Fields(salt_secret=digest))


def _kind(by: Shape, *, opens: bool = False, coded: bool = True, **parts: _Part) -> _Kind:
    if coded:
        parts["code"] = _CODE
    if opens:
        parts["opens"] = _OPENS
    return _Kind(Causer(by), parts, frozenset(name for name, part in parts.items() if part.needed))


GAME_KINDS: Mapping[str, _Kind] = {
    "created": _kind(_who("player", "tournament"), coded=False, game=_Part(_game)),
    "seated": _kind(
        _who("player", "tournament"),
        seat=_Part(
            Fields(
                {"brought": positive, SHORT: _yes, KEY: digest},
                seat=seat,
                holder=_holder,
                entropy_commitment=AnyOf(nothing, digest),
            )
        ),
    ),
    "left": _kind(_who("player", "tournament"), seat=_Part(Fields(seat=seat))),
    "closed": _kind(_rules),
    "entropy_revealed": _kind(_holder, entropy=_Part(Fields(seat=seat, entropy=digest))),
    BEACON_DRAWN: _kind(
        _the_service("beacon"), beacon=_Part(Fields(round=positive, signature=hexadecimal))
    ),
    "started": _kind(_the_service("rules", "clock")),
    "moved": _kind(
        _mover,
        opens=True,
        move=_MOVE,
        client=_Part(Fields(expected_head=digest), needed=False),
        bot=_Part(AnyOf(_short_thoughts, _thoughts), NONE, needed=False),
        thoughts=_Part(_thoughts_of_a_program, NONE, needed=False),
        signature=_Part(Fields(decision=positive, sig=_sig), _MOVER, needed=False),
    ),
    "defaulted": _kind(
        Fields(seat=seat, service=OneOf("resigned", "timed_out", "bot_failed")),
        opens=True,
        move=_MOVE,
    ),
    "chanced": _kind(_rules, opens=True, draw=_Part(_draw), picks=_Part(ListOf(count), _ANYBODY)),
    "timed_out": _kind(
        _the_service("clock"),
        time_out=_Part(Fields({"fault": OneOf(*FAULTS)}, seat=seat, decision=positive)),
    ),
    "bot_failed": _kind(
        _the_service("bots"),
        failure=_Part(Fields(seat=seat, decision=positive, cause=OneOf(*BOT_FAILURES))),
        error=_Part(text, NONE),
        bot=_Part(_failed_code, NONE),
    ),
    "resigned": _kind(_mover, opens=True),
    "undone": _kind(_mover, undo=_Part(Fields(to=positive))),
    "hinted": _kind(_asker, hint=_Part(Fields(decision=positive))),
    KEY_CHANGED: _kind(
        Fields(player=name),
        key=_Part(Fields(seat=seat, key=digest, sig=AnyOf(nothing, _sig))),
    ),
    "suspended": _kind(_who("admin")),
    "resumed": _kind(_who("admin")),
    "interrupted": _kind(
        _the_service("clock"), interruption=_Part(Fields(**{"from": _instant}, to=_instant))
    ),
    "aborted": _kind(
        AnyOf(_the_service("clock"), _who("player", "tournament", "admin")),
        aborted=_Part(_aborted),
        salt=_SALT,
    ),
    "ended": _kind(
        _rules,
        result=_Part(Fields(reason=name, standings=ListOf(_standing, MOST_SIDES))),
        salt=_SALT,
    ),
    "chance_revealed": _kind(_rules, chance=_Part(Fields(scope=name, chance_seed=digest))),
}
"""The known kinds of events; another kind may be of a later release."""


# Checks


class Frames:
    """Checks the members that events of all streams have, and notes unknown parts.

    ``first`` has the number of the first event of each kind among ``kinds``.
    """

    def __init__(self, kinds: Collection[str], newer: UnknownParts) -> None:
        self.first: dict[str, int] = {}
        self._kinds = kinds
        self._newer = newer

    def wrong(self, number: int, copy: JsonObject) -> Sequence[str]:
        """Return a sentence for each reason why ``copy`` cannot be event ``number``."""
        if not _is_framed(copy):
            note = partial(self._newer.note, number)
            whole = type(copy) is dict and copy.keys() >= _COPY.needed.keys()
            lenient = note if whole else None
            wrong = "" if _COPY.fits(copy, 0) else _COPY.wrong(copy, 0, "$", lenient)
            if wrong or not _is_framed({name: copy[name] for name in _NAMES}):
                return [
                    f"event {number}{wrong or ': its parts, their proofs and audiences differ'}"
                ]
        kind = copy["kind"]
        if kind in self._kinds:
            self.first.setdefault(kind, number)
        elif is_name(kind):
            self._newer.note(number, "$.kind", kind)
        else:
            return [f"event {number}: unknown kind {shown(kind)}"]
        if copy["last"] - copy["seq"] >= MOST_IN_BATCH:
            return [f"event {number}: a batch of more than {MOST_IN_BATCH} events"]
        if len(copy["body"]) < len(copy["parts"]) and not self._newer.since:
            hidden = sorted(copy["parts"].keys() - copy["body"].keys())
            public = [part for part in hidden if copy["audiences"][part] == PUBLIC]
            return [f"event {number}: {part} is public, and is left out" for part in public]
        return ()


def _is_framed(copy: Any) -> bool:
    """Whether a copy has all its members, of the right types and with matching names of parts.

    ``parts`` and ``audiences`` have the same names. ``body`` and ``nonces`` have the same names,
    and ``parts`` has all of these names, too.

    This function checks the same as ``_COPY``. It is faster because it checks all hashes at once,
    and every event is checked.
    """
    if type(copy) is not dict or len(copy) != len(_NAMES):
        return False
    try:
        seq, kind, by, at, last, parts, proof, hash_, body, audiences, nonces = _fields(copy)
    except KeyError:
        return False
    return (
        type(seq) is type(last) is int
        and 0 < seq < BIGGEST
        and 0 < last < BIGGEST
        and type(parts) is type(body) is type(nonces) is type(by) is type(audiences) is dict
        and type(kind) is str
        and is_instant(at)
        and are_digests([proof, hash_, *parts.values(), *nonces.values()])
        and parts.keys() == audiences.keys()
        and nonces.keys() == body.keys() <= parts.keys()
    )


_NAMES = tuple(_COPY.needed)
_fields = itemgetter(*_NAMES)


class ShapesResult(NamedTuple):
    """The result of checking the shapes of a game's events.

    ``wrong`` has a sentence for each faulty event, ``seats`` is the number of seats, and ``first``
    is the number of the first event of each known kind.
    """

    wrong: Failures
    seats: int
    first: Mapping[str, int]


def look_at(game_id: str, copies: Sequence[JsonObject], newer: UnknownParts) -> ShapesResult:
    """Check the shapes of a game's events, and note unknown parts.

    If some copies are not events at all, only that is reported, and no other fault.
    """
    unframed, wrong = Failures(), Failures()
    frames = Frames(GAME_KINDS, newer)
    seats = 0  # The first event says the number of seats.
    for number, copy in enumerate(copies, 1):
        if is_lost(copies, number):
            continue
        if found := frames.wrong(number, copy):
            unframed += found
        if unframed or (wrong and not seats):
            continue
        if what := _wrong_event(number, copy, seats, newer):
            wrong.append(f"event {number}{what}")
        elif not seats:
            seats = pinned_by(copy).get("seats", MOST_SEATS)
        newer.has_begun = newer.has_begun or copy["kind"] == "started"
    if not unframed and seats:
        wrong += _wrong_luck(game_id, copies[0], newer)
        wrong += _wrong_end(game_id, copies, frames.first, newer)
    return ShapesResult(unframed or wrong, seats, frames.first)


def pinned_by(created: JsonObject) -> JsonObject:
    """Return the value of ``created.game``, which is in the first event."""
    game = created["body"].get("game") if created["kind"] == "created" else None
    return game if type(game) is dict else {}


def is_known(copy: JsonObject, seats: int) -> bool:
    """Whether a copy has every part that its kind requires, all public ones, and no unknown one.

    ``_is_framed`` must be true for the copy.
    """
    return copy["kind"] in GAME_KINDS and not _look(copy, seats, None)


def _wrong_event(number: int, copy: JsonObject, seats: int, newer: UnknownParts) -> str | None:
    """Return the fault of a framed copy, and note its unknown parts."""
    if copy["kind"] not in GAME_KINDS:
        return None
    if not seats and copy["kind"] != "created":
        return f": a game begins with created, not {copy['kind']}"
    wrong = _look(copy, seats, None)
    if wrong is None:
        return None
    # Parts may be missing only if there is an unknown part, in this event or an earlier one.
    return _look(copy, seats, partial(newer.note, number)) or (None if newer.since else wrong)


def _look(copy: JsonObject, seats: int, note: Note | None) -> str | None:
    """Return the fault of a framed copy of a known kind: a bad field, or contradicting fields."""
    kind = GAME_KINDS[copy["kind"]]
    if not kind.by.fits(copy["by"], seats) and (
        wrong := kind.by.wrong(copy["by"], seats, "$.by", note)
    ):
        return f": by{wrong}"
    parts, audiences, body = kind.parts, copy["audiences"], copy["body"]
    if note is None and not kind.needed <= audiences.keys():
        missing = sorted(kind.needed - audiences.keys())
        return f": {copy['kind']} lacks its part {', '.join(missing)}"
    for part, audience in audiences.items():
        known = parts.get(part)
        if known is None:
            if note is None or part in _OF_ANY_KIND or not is_name(part):
                return f": {copy['kind']} has no part {shown(part)}"
            if part in body and not anything.fits(body[part], seats):
                return f": {part}{anything.wrong(body[part], seats)}"
            note(f"$.parts.{part}", part)
            continue
        hidden = audience != PUBLIC or known.audience == NONE
        if hidden and not _may_see(known.audience, audience, copy["by"], seats):
            return f": {part} is not for {shown(audience)}"
        if part not in body:
            if note is None and audience == PUBLIC:
                return f": {part} is public, and is left out"
        elif not known.value.fits(body[part], seats):
            wrong = known.value.wrong(body[part], seats, f"$.body.{part}", note)
            if wrong:
                return f": {part}{wrong}"
    return _wrong_between_fields(copy) if note is None else None


def _may_see(rule: str, audience: Any, by: JsonObject, seats: int) -> bool:
    """Whether the rule for a part of an event permits the part's audience in the record.

    ``rule`` is the audience of the part in ``GAME_KINDS``. ``by`` is the causer of the event, which
    may name the seat that moved. If the audience in the record is PUBLIC, this function is called
    only for parts that nobody may see.
    """
    if type(audience) is not str:
        return False
    if rule == _MOVER:
        return "seat" not in by or audience == seat_audience(by["seat"])
    if rule == _ANYBODY:
        return audience == NONE or audience in map(seat_audience, all_seats(seats))
    return rule == audience == NONE


def _wrong_between_fields(copy: JsonObject) -> str | None:
    """Return a sentence about fields of one event that contradict each other, if any do."""
    body = copy["body"]
    if copy["kind"] == "chanced" and "picks" in body:
        picks, sizes = body["picks"], body["draw"]["sizes"]
        fit = len(picks) == len(sizes) and all(p < s for p, s in zip(picks, sizes, strict=True))
        return None if fit else f": picks {shown(picks)} do not answer sizes {shown(sizes)}"
    if copy["kind"] == "bot_failed" and "bot" in body:
        nameless = body["bot"]["digest"] is None
        missing = body["failure"]["cause"] == MISSING
        return None if nameless == missing else ": only code that is missing has no digest"
    if copy["kind"] == "created" and "game" in body:
        terms = body["game"]["entropy"]
        told = {terms["mode"] == BEACON, "beacon" in terms, "late" in terms}
        return None if len(told) == 1 else ": only the mode beacon has a beacon, with what if late"
    if copy["kind"] == "aborted":
        damaged = body["aborted"]["reason"] == DAMAGED
        sound = "sound" in body["aborted"]
        return None if damaged == sound else ": only a damaged game names its last sound event"
    if "opens" in body and not body["opens"]:
        return ": it opens nothing"
    return None


def _wrong_luck(game_id: str, created: JsonObject, newer: UnknownParts) -> Iterator[str]:
    """Yield a sentence for each fault of the chance scope of a game.

    A game has its own chance scope, and so its own chance seed. Only a game that a tournament
    created may share the scope of other games. If it does, no move in it can be taken back,
    there are no hints, and nobody signs. The visibility of a game follows from its scope.
    """
    if newer.since == 1:
        return
    pinned = created["body"]["game"]
    scope = pinned["chance"]["scope"]
    if scope != game_id and "tournament" not in created["by"]:
        yield f"event 1: the chance scope {shown(scope)} is another's, and no tournament created it"
    elif scope != game_id and TAKE_BACK in pinned:
        yield "event 1: in a game whose luck is not its own, no move can be taken back"
    elif scope != game_id and HINTS in pinned:
        yield "event 1: in a game whose luck is not its own, nobody gets hints"
    elif scope != game_id and pinned["entropy"]["mode"] == BEACON:
        yield "event 1: a game whose luck is not its own has no beacon of its own"
    elif scope != game_id and SIGNATURES in pinned:
        yield "event 1: in a game whose luck is not its own, nobody signs"
    if pinned["visibility"] not in (wanted := visibilities_of(game_id, scope)):
        yield f"event 1: such a game is open to {wanted[0]}, not to {pinned['visibility']}"


def _wrong_end(
    game_id: str, copies: Sequence[JsonObject], first: Mapping[str, int], newer: UnknownParts
) -> Iterator[str]:
    """Yield a sentence for each fault of the events at the end of a game.

    Only ``chance_revealed`` may follow the event that ends the game, and it may not come earlier.
    ``first`` has the number of the first event of each kind.
    """
    end = min((first[kind] for kind in ("ended", "aborted") if kind in first), default=0)
    opened = first.get("chance_revealed", 0)
    if not end:
        if opened and not 0 < newer.since < opened:
            yield f"event {opened}: the luck is opened before the end"
        return
    ended = copies[end - 1]
    if newer.since and not is_known(ended, MOST_SEATS):
        return
    if (sound := ended["body"].get("aborted", {}).get("sound")) is not None:
        seq = sound["seq"]
        before = copies[seq - 1] if seq < ended["seq"] - 1 else {}
        if before.get("hash") != sound["hash"] or before.get("last") != seq:
            yield f"event {ended['seq']}: it is not event {seq} that is followed by a damaged one"
    if newer.since:
        return
    after = [copy["kind"] for copy in copies[end : end + MOST_AFTER]]
    own = copies[0]["body"]["game"]["chance"]["scope"] == game_id
    if own and (after != ["chance_revealed"] or ended["last"] != len(copies)):
        yield f"event {end}: the game is over, and its luck is not opened with it"
    if not own and (after not in ([], ["chance_revealed"]) or ended["last"] != end):
        yield f"event {end + 1}: {', '.join(after)} after the end"
