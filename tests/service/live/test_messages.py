"""Messages of streams and webhooks are written in one place, in the form of their kind."""

import ast
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, cast, get_args, get_origin

import marshmallow as ma
import orjson
import pytest

from rules.kernel.canonical import JsonObject
from service.api.schemas import streams as described
from service.ledger.notices import BODIES, StoredNotice
from service.live import messages
from service.live.frames import INCLUDED
from service.live.messages import EVENTS, NOTICES, Form, UnfitMessageError
from service.webhooks import messages as webhooks
from tests.running import ROOT

COMPONENTS: list[tuple[str, Form, ma.Schema]] = [
    (f"{whose} {kind}", forms[kind], cast("ma.fields.Nested", schema().fields["data"]).schema)
    for whose, forms, schemas in (
        ("stream", EVENTS, described.STREAMED),
        ("notices", NOTICES, described.NOTICES),
        ("webhook", webhooks.FORMS, described.WEBHOOKS),
    )
    for kind, schema in schemas.items()
]
NAMES = [name for name, *_ in COMPONENTS]


@pytest.mark.parametrize(("form", "schema"), [told[1:] for told in COMPONENTS], ids=NAMES)
def test_a_form_is_that_of_its_component(form: Form, schema: ma.Schema) -> None:
    assert {*form.members} == {*schema.fields}
    optional = {name for name, field in schema.fields.items() if not field.required}
    assert {*form.members} - {*form.required} == optional
    for name, field in schema.fields.items():
        hint = form.members[name]
        hints = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kinds = {get_origin(kind) or kind for kind in hints}
        if get_origin(hint) is Literal:
            (allowed,) = (one for one in field.validators if isinstance(one, ma.validate.OneOf))
            assert {*get_args(hint)} == {*allowed.choices}
            continue
        assert (NoneType in kinds) == bool(field.allow_none), name
        assert kinds - {NoneType} == {TYPES[type(field)]}, name


TYPES: Mapping[type, type] = {
    ma.fields.String: str,
    ma.fields.Integer: int,
    ma.fields.List: list,
    ma.fields.Nested: dict,
    ma.fields.Raw: dict,
}


def test_a_stream_has_a_form_for_each_message_and_an_event_for_each_addition() -> None:
    for forms, schemas in (
        (EVENTS, described.STREAMED),
        (NOTICES, described.NOTICES),
        (webhooks.FORMS, described.WEBHOOKS),
    ):
        assert {*forms} == {*schemas}
    event = EVENTS["message"]
    assert {*event.members} - {*event.required} == {*INCLUDED}


def unfit(example: JsonObject, form: Form) -> Iterator[tuple[str, JsonObject]]:
    """Yield for each member: data without it, data with another value of it, and its name."""
    for name in form.required:
        yield name, {key: value for key, value in example.items() if key != name}
    for name in form.members:
        yield name, {**example, name: 1.5}


@pytest.mark.parametrize("kind", BODIES)
def test_no_stream_sends_a_notice_of_another_form(kind: str) -> None:
    """Neither does a webhook that has such a message."""
    example = described.NOTICES[kind].example["data"]
    stored = StoredNotice("1-0", kind, orjson.dumps(example))
    lines = dict(
        line.split(": ", 1) for line in messages.notice(stored).decode().splitlines() if line
    )
    assert (lines["event"], orjson.loads(lines["data"])) == (kind, example)
    bodies = [(name, orjson.dumps(body)) for name, body in unfit(example, Form(BODIES[kind]))]
    for told, body in [*bodies, ("a notice is", b"[]"), ("unexpected", b"{")]:
        refuse(stored._replace(body=body), told)
    refuse(stored._replace(kind="massage"), "massage")


def refuse(stored: StoredNotice, told: str) -> None:
    for write in (messages.notice, partial(webhooks.told, "w-1")):
        with pytest.raises(UnfitMessageError, match=told):
            write(stored)


def test_no_stream_sends_a_question_of_another_form() -> None:
    example = described.NOTICES["asked"].example["data"]
    assert b'"question":null' in bytes(messages.asked({**example, "question": None}, "1-0"))
    for told, body in unfit(example, NOTICES["asked"]):
        with pytest.raises(UnfitMessageError, match=told):
            messages.asked(body, "1-0")


def test_no_stream_sends_an_event_of_another_form() -> None:
    example = described.STREAMED["message"].example["data"]
    whole = {**example, "words": [], "patch": [], "legal_moves": None}
    assert orjson.loads(messages.event(whole).splitlines()[1].removeprefix(b"data: ")) == whole
    for name, copy in unfit(example, EVENTS["message"]):
        with pytest.raises(UnfitMessageError, match=name):
            messages.event(copy)


def test_no_last_message_is_of_another_kind() -> None:
    with pytest.raises(UnfitMessageError, match="asked"):
        messages.closing("asked", 7)
    with pytest.raises(UnfitMessageError, match="end"):
        messages.last_notice("end")
    version: Any = "7"
    with pytest.raises(UnfitMessageError, match="version"):
        messages.closing("end", version)


def test_nothing_else_writes_a_message() -> None:
    """A stream yields `Written` (mypy checks that), and a sender posts a `Message`; only one module
    makes each, and no other contains the text of a server-sent event.
    """
    made = {"Written": "service/live/messages.py", "Message": "service/webhooks/messages.py"}
    files = [file for folder in ("service", "workers") for file in (ROOT / folder).rglob("*.py")]
    found = {(name, where) for file in files for name, where in calls(file) if name in made}
    assert found == {*made.items()}
    for file in files:
        where = str(file.relative_to(ROOT))
        texts = [node.value for node in ast.walk(parsed(file)) if isinstance(node, ast.Constant)]
        begin = [text for text in texts if isinstance(text, str | bytes) and is_message(text)]
        assert not begin or where in {made["Written"], *READERS, *DESCRIPTIONS}, (where, begin)


READERS = {"service/cli/terminal/api.py"}
"""Modules that read messages of another service."""
DESCRIPTIONS = {"service/api/schemas/streams.py"}
"""Modules that contain messages as examples."""


def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def calls(file: Path) -> Iterator[tuple[str, str]]:
    """Yield each called name in the files, with the file."""
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, str(file.relative_to(ROOT))


def is_message(text: str | bytes) -> bool:
    """Whether a text contains a line of a server-sent event."""
    plain = text.decode(errors="replace") if isinstance(text, bytes) else text
    return any(line.startswith(("data: ", "event: ", "id: ")) for line in plain.splitlines())
