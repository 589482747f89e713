"""The shapes of a tournament's events (docs/tournaments.md, "The stream")."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.effects import PUBLIC
from rules.kernel.contract.errors import shown
from rules.kernel.contract.ruleset import Option
from rules.kernel.proof.causers import Causer
from rules.kernel.proof.newer import UnknownParts, is_name
from rules.kernel.proof.shape import (
    AnyOf,
    Fields,
    ListOf,
    Note,
    OneOf,
    Pattern,
    Shape,
    anything,
    count,
    digest,
    increment,
    integer,
    name,
    nothing,
    positive,
    seconds,
    some_object,
    text,
)
from rules.kernel.proof.shapes import CLOCK
from rules.kernel.record.batch import BLOCK_ABANDONED
from rules.kernel.record.game import DAMAGED
from service.catalogue.engines import MAX_SETTING
from service.tournaments.course import COMPLETED, TOO_FEW_ENTRIES
from service.tournaments.figures.sequential import BETTER, NOT_BETTER
from service.tournaments.formats import FORMATS
from service.tournaments.plan import (
    AFTER_FAILURE,
    BOT,
    MAX_ENTRIES,
    MAX_GAMES,
    MAX_SEATS,
    OF_GAME,
    PLAYER,
    POINTS,
    ROTATIONS,
    TIE_BREAKS,
)
from service.tournaments.tournament import FULL, STOP_REASONS


class _Format(Shape):
    """The shape of a tournament's format: ``{"type", …options}``."""

    def __init__(self) -> None:
        self._type = OneOf(*FORMATS)
        self._fields = {
            name: Fields(
                {o.name: _option(o) for o in made.options if o.name in _ADDED},
                type=self._type,
                **{o.name: _option(o) for o in made.options if o.name not in _ADDED},
            )
            for name, made in FORMATS.items()
        }
        super().__init__(self._accepts, "a format with its options")

    def _accepts(self, value: Any, seats: int) -> bool:
        if not some_object.fits(value, seats) or type(value.get("type")) is not str:
            return False
        fields = self._fields.get(value["type"])
        return fields is not None and fields.fits(value, seats)

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        if not some_object.fits(value, seats) or type(value.get("type")) is not str:
            return self._otherwise(value)
        fields = self._fields.get(value["type"])
        if fields is not None:
            return fields.wrong(value, seats, path, note)
        return self._type.wrong(value["type"], seats, f"{path}.type", note)


def _option(option: Option) -> Shape:
    return Shape(lambda value, _seats: option.kind.accepts(value), "what the option takes")


_ADDED = ("claim_percent",)
"""Options of formats that plans of 0.2.0 do not have."""


def _between(least: int, most: int) -> Shape:
    return Shape(lambda v, _seats: type(v) is int and least <= v <= most, f"from {least} to {most}")


_flag = Shape(lambda v, _seats: type(v) is bool, "true or false")
_reason = Pattern(r"failed [1-9]\d{0,15} times", "failed N times")
_setting = _between(1, MAX_SETTING)
_settings = Shape(
    lambda v, seats: some_object.fits(v, seats) and all(_setting.fits(x, 0) for x in v.values()),
    f"an object of numbers from 1 to {MAX_SETTING}",
)
_failure = Shape(
    lambda v, seats: (
        type(v) is list
        and len(v) == 3
        and all(shape.fits(x, seats) for shape, x in zip((count, positive, text), v, strict=True))
    ),
    "[seat, decision, reason]",
)

_TABLES = Fields(edition=name, digest=digest)
_BOT = Fields(bot=name, version=name, digest=digest)
_KIND = OneOf(BOT, PLAYER)
_BOT_ENTRY = Fields(
    name=name,
    kind=_KIND,
    bot=name,
    version=name,
    settings=_settings,
    entropy_commitment=AnyOf(nothing, digest),
)
_PLAYER_ENTRY = Fields(
    name=name,
    kind=_KIND,
    player=name,
    owner=name,
    version=text,
    entropy_commitment=AnyOf(nothing, digest),
)


class _Entry(Shape):
    """The shape of an entry, which depends on its kind."""

    def __init__(self) -> None:
        super().__init__(lambda v, seats: self._of(v).fits(v, seats), "an entry")

    def wrong(self, value: Any, seats: int, path: str = "", note: Note | None = None) -> str:
        return self._of(value).wrong(value, seats, path, note)

    def _of(self, value: Any) -> Shape:
        is_player = type(value) is dict and value.get("kind") == PLAYER
        return _PLAYER_ENTRY if is_player else _BOT_ENTRY


_POLICY = {"then": OneOf(*AFTER_FAILURE), "disqualify_after": count}
PLAN = Fields(
    {"luck": OneOf(OF_GAME), "clock": CLOCK, "places": _between(2, MAX_ENTRIES)},
    name=name,
    ruleset=name,
    rules_version=name,
    rules_digest=digest,
    tables=AnyOf(nothing, _TABLES),
    options=some_object,
    seats=_between(2, MAX_SEATS),
    entries=ListOf(_Entry(), MAX_ENTRIES),
    format=_Format(),
    rotations=OneOf(*ROTATIONS),
    points=OneOf(*POINTS),
    tie_breaks=ListOf(OneOf(*TIE_BREAKS), MAX_ENTRIES),
    failures=AnyOf(
        Fields(**_POLICY, seconds=seconds),
        Fields(**_POLICY, processor_seconds=seconds),
        Fields(
            **_POLICY,
            processor_seconds=seconds,
            budget_seconds=seconds,
            increment_seconds=increment,
        ),
    ),
    rated=_flag,
)
_RESULT = Fields(
    version=positive,
    head=digest,
    ranks=ListOf(positive, MAX_SEATS),
    scores=ListOf(integer, MAX_SEATS),
    failures=ListOf(_failure),
    cpu_us=ListOf(count, MAX_SEATS),
)
_STOP = Fields(reason=text, after_block=count, seed=digest)
_END = Fields(
    reason=OneOf(COMPLETED, TOO_FEW_ENTRIES, BETTER, NOT_BETTER, FULL),
    after_block=count,
    seed=digest,
)
_SALT = Fields(salt_secret=digest)
CHANCE = Fields(scope=name, commitment=digest)
"""The shape of a tournament's commitments to its chance."""

_PAIR = Shape(
    lambda v, seats: type(v) is list and len(v) == 4 and all(count.fits(x, seats) for x in v),
    "two entries, and how often each was ahead",
)
_PART = Fields(
    number=positive,
    before=AnyOf(nothing, Fields(tournament_id=name, version=positive, head=digest)),
    standing=Fields(games=ListOf(count, MAX_ENTRIES), pairs=ListOf(_PAIR)),
)

_host = Causer(Fields(player=name))
_service = Causer(Fields(service=OneOf("tournaments")))


class _Kind(NamedTuple):
    """A kind of event.

    ``by`` is the kind of actor that causes the event. ``parts`` has the parts that the event must
    have. ``may`` has the parts that the event may have. All parts are public.
    """

    by: Causer
    parts: Mapping[str, Shape] = {}
    may: Mapping[str, Shape] = {}


TOURNAMENT_KINDS: Mapping[str, _Kind] = {
    "created": _Kind(_host, {"created": Fields({"part": _PART}, plan=PLAN, chance=CHANCE)}),
    "available": _Kind(_service, {"available": Fields(entries=ListOf(count, MAX_ENTRIES))}),
    "entropy_revealed": _Kind(_host, {"entropy_revealed": Fields(entry=count, entropy=digest)}),
    "entered": _Kind(
        _host,
        {
            "entered": Fields(
                entry=_Entry(), validation=Fields(game_id=name, version=positive, head=digest)
            )
        },
    ),
    "entries_closed": _Kind(_host),
    "started": _Kind(_service),
    "code_declared": _Kind(
        _service, {"code_declared": Fields(rules_digest=digest, bots=ListOf(_BOT, MAX_ENTRIES))}
    ),
    "paired": _Kind(
        _service,
        {
            "paired": Fields(
                round=positive,
                first_block=positive,
                lineups=ListOf(ListOf(count, MAX_SEATS)),
                byes=ListOf(count, MAX_ENTRIES),
            )
        },
    ),
    "block_ended": _Kind(_service, {"block_ended": Fields(block=positive, games=ListOf(_RESULT))}),
    "block_abandoned": _Kind(
        _service,
        {
            "block_abandoned": Fields(
                {"seat": count, "decision": positive},
                **{"try": positive},
                block=positive,
                rotation=count,
                reason=OneOf(*STOP_REASONS, DAMAGED),
                games=ListOf(AnyOf(nothing, Fields(version=positive, head=digest))),
            )
        },
    ),
    "disqualified": _Kind(
        _service, {"disqualified": Fields(entry=count, block=positive, reason=_reason)}
    ),
    "withdrawn": _Kind(_host, {"withdrawn": Fields(entry=count, block=count)}),
    "paused": _Kind(
        Causer(AnyOf(Fields(player=text), Fields(service=OneOf("tournaments")))),
        may={"paused": Fields(reason=OneOf(BLOCK_ABANDONED), block=positive)},
    ),
    "resumed": _Kind(_host),
    "extended": _Kind(_host, {"extended": Fields(games=_between(1, MAX_GAMES))}),
    "ended": _Kind(_service, {"ended": _END, "salt": _SALT}),
    "cancelled": _Kind(_host, {"cancelled": _STOP, "salt": _SALT}),
}
"""The known kinds of events of a tournament; another kind may be of a later release."""


def misfits(number: int, copy: JsonObject, newer: UnknownParts) -> str:
    """Return the fault in the parts of an event's copy, "" if there is none.

    Unknown parts are added to ``newer``.
    """
    if copy["kind"] not in TOURNAMENT_KINDS:
        return "" if newer.since else f"there is no kind {shown(copy['kind'])}"
    wrong = _look(copy, None)
    if not wrong:
        return ""
    return _look(copy, partial(newer.note, number)) or ("" if newer.since else wrong)


def is_known(copy: JsonObject) -> bool:
    """Whether an event has all fields that its kind needs, and no unknown field."""
    return copy["kind"] in TOURNAMENT_KINDS and not _look(copy, None)


def _look(copy: JsonObject, note: Note | None) -> str:
    kind = TOURNAMENT_KINDS[copy["kind"]]
    if not kind.by.fits(copy["by"], 0) and (wrong := kind.by.wrong(copy["by"], 0, "$.by", note)):
        return f"by{wrong}"
    body, parts = copy["body"], copy["parts"]
    if any(audience != PUBLIC for audience in copy["audiences"].values()):
        return "all of a tournament is public"
    needed = kind.parts.keys() | (kind.may.keys() & parts.keys())
    if note is None and not needed == parts.keys() == body.keys():
        return f"{copy['kind']} has and shows the parts {sorted(kind.parts)}, and no others"
    for part, value in body.items():
        shape = kind.parts.get(part) or kind.may.get(part)
        if shape is None:
            if not is_name(part) or not anything.fits(value, 0):
                return f"{copy['kind']} has no part {shown(part)}"
            if note is not None:
                note(f"$.parts.{part}", part)
        elif not shape.fits(value, 0) and (wrong := shape.wrong(value, 0, f"$.body.{part}", note)):
            return f"{part}{wrong}"
    return ""
