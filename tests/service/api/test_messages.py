"""Every message of a stream or a webhook has a component, and fits its schema."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from jsonschema_rs import ValidationError

from rules.kernel.canonical import JsonObject
from service.api.openapi import to_yaml
from service.api.schemas.streams import NOTICES, STREAMED, WEBHOOKS, component_of
from service.ledger.notices import StoredNotice
from service.webhooks import messages
from service.webhooks.records import EVENTS
from tests.service.api.document import MADE, MESSAGES, need_fit
from tests.service.api.people import House, data, play_on
from tests.service.api.test_stream import streaming

ALL = "effects,words,state,patch,legal_moves,groups"


@pytest.mark.parametrize(("ruleset", "moves"), [("sealed", 1_000), ("ragusa", 15)])
def test_a_whole_game_is_told_as_described(house: House, ruleset: str, moves: int) -> None:
    people = [house.player(), house.player()]
    url = house.table(*people, ruleset=ruleset)
    play_on(url, people, at_most=moves)
    game = data(house.visitor.get(url))
    last = "end" if game["status"] == "ended" else str(game["version"])
    for eyes in ("seat=0&", "spectator=true&"):
        kinds: list[str] = []
        with streaming(people[0], f"{url}/stream?{eyes}include={ALL}") as stream:
            while last not in kinds[-2:]:
                lines = dict(line.split(": ", 1) for line in stream.message().splitlines())
                if "data" in lines:
                    kind = lines.get("event", "message")
                    loaded = {"event": kind, "data": orjson.loads(lines["data"])}
                    loaded |= {"id": int(lines["id"])} if "id" in lines else {}
                    assert not STREAMED[kind]().validate(loaded)
                    kinds += [kind, lines.get("id", kind)]
        assert ("end" in kinds) == (ruleset == "sealed")


def test_what_is_no_message_is_refused() -> None:
    event = STREAMED["message"].example
    for wrong in (
        {**event, "event": "massage"},
        {**event, "id": "7"},
        {key: value for key, value in event.items() if key != "id"},
        {**event, "data": {**event["data"], "words": "Yellow takes 2 rum"}},
    ):
        with pytest.raises(ValidationError):
            need_fit("StreamMessage", wrong)


def test_unions_have_every_message() -> None:
    unions = {"StreamMessage": STREAMED, "NoticeMessage": NOTICES}
    for name, of in unions.items():
        mapping = MADE["components"]["schemas"][name]["discriminator"]["mapping"]
        assert {*mapping} == {*of}
    assert {*STREAMED} == {"message", "end", "rewound", "displaced", "revoked"}
    assert {*NOTICES} == {*EVENTS, "resync", "displaced", "revoked"}
    assert {*WEBHOOKS} == {*EVENTS, "resync", "ping"}


@pytest.mark.parametrize("kind", EVENTS)
def test_a_webhook_sends_what_the_stream_tells(kind: str) -> None:
    notice = NOTICES[kind].example
    sent = messages.told("w-1", StoredNotice("1-0", kind, orjson.dumps(notice["data"])))
    body = orjson.loads(sent.body)
    need_fit(component_of(WEBHOOKS[kind]), body, is_sent=True)
    assert not WEBHOOKS[kind]().validate(body)
    assert {**body["data"], "at": body["timestamp"]} == notice["data"]


def test_what_only_webhooks_send_is_described() -> None:
    at = "2026-11-20T21:29:00.123Z"
    for sent in (messages.resync("w-1", "1-0", at), messages.ping("w-1", "n-1", at)):
        need_fit(component_of(WEBHOOKS[sent.type]), orjson.loads(sent.body), is_sent=True)


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for value in part:
            yield from references(value)


def test_every_reference_of_the_description_leads_somewhere() -> None:
    found = {*references(MESSAGES)}
    assert len(found) > 20
    for reference in found:
        file, _, place = reference.partition("#/")
        assert file in ("", "openapi.yaml")
        at: JsonObject = MADE if file else MESSAGES
        for name in place.split("/"):
            at = at[name.replace("~1", "/")]


def test_each_address_is_a_path_of_the_api() -> None:
    for channel in MESSAGES["channels"].values():
        assert channel["address"] is None or channel["address"] in MADE["paths"]
        for name in channel.get("parameters", ()):
            assert f"{{{name}}}" in channel["address"]


def test_it_is_served_beside_the_other_one(house: House) -> None:
    answer = house.visitor.get("/asyncapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert answer.text == to_yaml(MESSAGES)


def test_a_ticket_binds_the_language(house: House) -> None:
    """A page cannot choose the language header of an ``EventSource``."""
    people = [house.player(), house.player()]
    url = house.table(*people, ruleset="ragusa")
    people[0].move(url, 0)
    version = data(house.visitor.get(url))["version"]
    path = f"{url}/stream?after={version - 1}&include=words&seat=0"

    def words(query: str, **headers: str) -> list[str]:
        with streaming(house.visitor if query else people[0], path + query, **headers) as stream:
            found: list[str] = stream.event()["words"]
            return found

    def ticket(query: str = "", **headers: str) -> str:
        made = people[0].post(f"/v1/stream_tickets{query}", **headers)
        return f"&ticket={data(made)['ticket']}"

    en, es = words("", Accept_Language="en"), words("", Accept_Language="es")
    assert en != es
    assert words(ticket(Accept_Language="es")) == es
    assert words(ticket("?lang=es"), Accept_Language="en") == es
    assert words(ticket("?lang=es") + "&lang=en") == en
    assert words(ticket(), Accept_Language="es") == es, "where none was asked for, none is bound"
    for name in ("state", "log", "events"):
        answers = [
            people[0].get(f"{url}/{name}?lang={lang}", Accept_Language="en").status_code
            for lang in ("es", "de")
        ]
        assert answers == [200, 422]
    log = data(people[0].get(f"{url}/log?after={version - 1}&lang=es"))["effects"]
    assert [effect["text"] for effect in log if effect["text"]] == es
