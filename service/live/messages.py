"""The messages of live streams (server-sent events): all of them are written here.

A message is checked when it is written. It must have all members that its form requires, and each
member must be of the form's type. A message that many streams send is written once. The check does
not look into states, patches and similar values. These values are checked when the API puts them
into its other answers.
"""

from collections.abc import Container, Mapping
from types import MappingProxyType, NoneType, UnionType
from typing import (
    Any,
    Literal,
    NewType,
    NotRequired,
    TypedDict,
    get_args,
    get_origin,
    get_type_hints,
)

import orjson

from rules.kernel.canonical import JsonObject
from service.ledger import notices
from service.ledger.notices import ASKED, DecisionNotice, StoredNotice

MESSAGE, END, REWOUND, DISPLACED, REVOKED = "message", "end", "rewound", "displaced", "revoked"
"""Types of messages: an event (the default of server-sent events), or a stream's last message."""
RESYNC = "resync"
READ = "/v1/games?player=me&asked=true"
"""The endpoint at which a client lists the games that wait for the player."""

Written = NewType("Written", bytes)
"""Bytes that a stream sends: whole messages, or nothing. Only this module creates them."""

NOTHING = Written(b"")
RETRY = Written(b"retry: 2000\n\n")
KEEP_ALIVE = Written(b": keep-alive\n\n")


class UnfitMessageError(ValueError):
    """A message does not match its form.

    The text says which member is missing or wrong.
    """


class EventCopy(TypedDict):
    """An event as one viewer may see it, with the additions that were requested."""

    seq: int
    kind: str
    by: JsonObject
    at: str
    last: int
    parts: JsonObject
    state_proof: str
    hash: str
    body: JsonObject
    audiences: JsonObject
    nonces: JsonObject
    effects: NotRequired[list[JsonObject]]
    words: NotRequired[list[str]]
    state: NotRequired[JsonObject]
    patch: NotRequired[list[JsonObject]]
    legal_moves: NotRequired[JsonObject | None]
    groups: NotRequired[list[JsonObject] | None]


class StreamPlace(TypedDict):
    """The position of a stream: the version of its game or tournament."""

    version: int


class Resync(TypedDict):
    """The address at which to read what the missed messages said."""

    read: str


class AskedQuestion(DecisionNotice):
    """A notice that a seat has a decision, with the question.

    The question is None if it cannot be answered at present.
    """

    question: NotRequired[JsonObject | None]


class NoMembers(TypedDict):
    """An object without members."""


class Form:
    """The form of a message's data: its members, and the types of their values."""

    def __init__(self, declared: type, without: Container[str] = ()) -> None:
        """Build the form from the TypedDict ``declared``, leaving out the members ``without``.

        The type of each member is a JSON type or a Literal of strings.
        """
        hints = get_type_hints(declared)
        self.members = {name: hints[name] for name in hints if name not in without}
        self.required = [*filter(vars(declared)["__required_keys__"].__contains__, self.members)]
        self._types = {name: _types(hint) for name, hint in self.members.items()}
        self._texts = {
            name: get_args(hint)
            for name, hint in self.members.items()
            if get_origin(hint) is Literal
        }
        self._usual = [self._types[name][0] for name in self.required]

    def need(self, data: Mapping[str, object]) -> None:
        """Raise UnfitMessageError unless ``data`` has this form.

        ``data`` may also have members that the form does not name.
        """
        usual = [*map(type, map(data.get, self.required))] == self._usual
        if usual and len(data) == len(self.required) and not self._texts:
            return  # as most messages; the checks below cost three times as much
        for name, types in self._types.items():
            if name not in data:
                if name in self.required:
                    raise UnfitMessageError(f"there is no {name}")
            elif type(data[name]) not in types:
                raise UnfitMessageError(f"{name} is {data[name]!r:.200}")
        for name, texts in self._texts.items():
            if data[name] not in texts:
                raise UnfitMessageError(f"{name} is {data[name]!r:.200}")


def _types(hint: Any) -> tuple[type, ...]:
    """Return the types of the values that a hint allows."""
    if isinstance(hint, UnionType):
        return tuple(type_ for one in get_args(hint) for type_ in _types(one))
    if get_origin(hint) is Literal:
        return (str,)
    return (get_origin(hint) or (NoneType if hint is None else hint),)


_PLACE, _NOTHING = Form(StreamPlace), Form(NoMembers)
EVENTS: Mapping[str, Form] = MappingProxyType(
    {MESSAGE: Form(EventCopy), **dict.fromkeys((END, REWOUND, DISPLACED, REVOKED), _PLACE)}
)
"""The messages of a game's or tournament's stream."""
_STORED = {kind: Form(body) for kind, body in notices.BODIES.items()}
NOTICES: Mapping[str, Form] = MappingProxyType(
    {
        **_STORED,
        ASKED: Form(AskedQuestion),
        RESYNC: Form(Resync),
        **dict.fromkeys((DISPLACED, REVOKED), _NOTHING),
    }
)
"""The messages of a player's stream."""


def event(copy: JsonObject) -> Written:
    """Return the message of an event. Raises UnfitMessageError.

    ``copy`` is the event as the viewer may see it. It includes the additions that the viewer asked
    for.
    """
    EVENTS[MESSAGE].need(copy)
    return Written(b"id: %d\ndata: %s\n\n" % (copy["seq"], orjson.dumps(copy)))


def closing(kind: str, version: int) -> Written:
    """Return the last message of a game's or tournament's stream. Raises UnfitMessageError."""
    return _written(EVENTS, kind, StreamPlace(version=version))


def notice(stored: StoredNotice) -> Written:
    """Return the message of a notice. Raises UnfitMessageError."""
    return _written(NOTICES, stored.kind, read(stored), stored.id)


def asked(body: JsonObject, place: str) -> Written:
    """Return the message of a decision with its question. Raises UnfitMessageError."""
    return _written(NOTICES, ASKED, body, place)


def resync(place: str) -> Written:
    """Return the message that tells a client to read its games again.

    The stream goes on after ``place``.
    """
    return _written(NOTICES, RESYNC, Resync(read=READ), place)


def last_notice(kind: str) -> Written:
    """Return the last message of a player's stream. Raises UnfitMessageError."""
    return _written(NOTICES, kind, NoMembers())


def joined(*messages: Written) -> Written:
    """Join several messages into one, to be sent at once."""
    return Written(b"".join(messages))


def read(stored: StoredNotice) -> JsonObject:
    """Return the body of a stored notice.

    Raises:
        UnfitMessageError: the body does not have the form of the notice's kind; another release may
            have written it.

    """
    form = _STORED.get(stored.kind)
    try:
        body: Any = orjson.loads(stored.body)
    except orjson.JSONDecodeError as error:
        raise UnfitMessageError(str(error)) from None
    if form is None:
        raise UnfitMessageError(f"no notice is a {stored.kind!r}")
    if type(body) is not dict:
        raise UnfitMessageError(f"a notice is {body!r:.200}")
    form.need(body)
    return body


def _written(
    forms: Mapping[str, Form], kind: str, data: Mapping[str, object], id_: str = ""
) -> Written:
    if kind not in forms:
        raise UnfitMessageError(f"no message is a {kind!r}")
    forms[kind].need(data)
    place = f"id: {id_}\n" if id_ else ""
    return Written(f"{place}event: {kind}\n".encode() + b"data: " + orjson.dumps(data) + b"\n\n")
