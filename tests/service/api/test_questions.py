"""Whole questions on a player's stream: a program can decide without further requests."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import orjson
import pytest
from lonja_client import NUMBERS, Question, Table

from rules.kernel.numbering.choice import Choice
from rules.kernel.numbering.numbers import Numbers
from service.ledger import notices
from service.runtime import Runtime
from tests.running import wait_for
from tests.service.api.people import House, Person, data, problem
from tests.service.api.test_notices import DAY, Message, message, messages, opened
from tests.service.api.test_stream import Reader, streaming

pytestmark = pytest.mark.usefixtures("following")
ASKED = "/v1/players/me/stream?questions=true"
Policy = Callable[[Sequence[int], Sequence[int]], int]
UNTIMED: Any = {"table": {"visibility": "unlisted"}}


def asked(reader: Reader) -> Message:
    """Return the next open decision; skip all other messages."""
    while (found := message(reader)).kind != "asked" or found.get("question", found) is None:
        pass
    return found


def answer(who: Person, question: Any, index: int = 0, **more: Any) -> Any:
    body = {"seat": question["seat"], "index": index, "expected_version": question["version"]}
    key = f"{question['game']}-{question['seat']}-{question['version']}"
    url = f"/v1/games/{question['game']}/moves"
    return who.post(url, {**body, **more}, Idempotency_Key=key)


def test_a_program_plays_all_its_games_by_one_stream_and_one_request_a_move(house: House) -> None:
    """It needs no other request and no memory: a question has the data of `getState` etc."""
    ana = house.player("Ana", kind="bot")
    urls = [house.table(ana, ana, **UNTIMED), house.table(ana, ana, clock=DAY)]
    ended, answered = 0, dict.fromkeys(urls, 0)
    with streaming(ana, f"{ASKED}&include=words&lang=es") as stream:
        opened(stream)
        while ended < len(urls):
            told = message(stream)
            ended += told.kind == "ended"
            if told.kind != "asked" or told["question"] is None:
                continue
            question = told["question"]
            url = f"/v1/games/{question['game']}"
            if not answered[url]:
                legal = data(ana.get(f"{url}/legal_moves?seat={question['seat']}&lang=es"))
                assert question["legal"] == legal["moves"]
                assert question["words"] == legal["labels"]
                state = data(ana.get(f"{url}/state?seat={question['seat']}"))
                assert {"ruleset": "sealed", **question["view"]} == state["state"]
                assert question["version"] == state["version"]
                assert question["head"] == data(ana.get(f"{url}/head"))["hash"]
                assert (question["limit"] == {}) == (url == urls[0])
                assert question["limit"].get("wall_ms", 1) in range(1, 86_400_001)
            assert answer(ana, question).status_code == 201
            answered[url] += 1
    assert min(answered.values()) > 4


def test_a_question_has_what_happened_since_the_last_answer(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    url = house.table(ana, bea, table={"title": "Beware", "visibility": "unlisted"})
    with streaming(ana, ASKED) as stream, streaming(bea, ASKED) as other:
        first = asked(stream)["question"]
        assert {event["kind"] for event in first["since"]} == {"chanced"}
        assert "Beware" not in orjson.dumps(first).decode(), "nobody else's text"
        answer(ana, first)
        bids = [asked(stream)["question"], asked(other)["question"]]
        answer(ana, bids[0], 2)
        assert answer(bea, bids[1], 1).status_code == 201
        told = asked(other)["question"]
    log = data(bea.get(f"{url}/events?seat=1&limit=1000"))["events"]
    begun = told["since"][0]["seq"]
    assert begun == bids[1]["version"] + 2, "her own bid is the first"
    fields = ("seq", "kind", "by", "at", "body")
    assert told["since"] == [
        {name: event[name] for name in fields} for event in log if event["seq"] >= begun
    ]


def test_an_open_question_comes_again_whatever_was_cut(house: House) -> None:
    """With `Last-Event-ID`, without it, and beside its notice: once on each connection."""
    ana, bea = house.player("Ana"), house.player("Bea")
    with streaming(ana, ASKED) as stream:
        begin = opened(stream)
        house.table(ana, bea, **UNTIMED)
        first = asked(stream)
    with streaming(ana, ASKED, Last_Event_ID=first.id) as stream:
        again = message(stream)
        assert again["question"] == first["question"]
        assert again.id == first.id, "whoever resumes there misses nothing"
        assert answer(ana, first["question"]).status_code == 201
        bid = asked(stream)
    with streaming(ana, f"{ASKED}&after={begin}") as stream:
        found = messages(stream, 3)
    assert [told.kind for told in found] == ["asked", "started", "asked"]
    assert found[0]["question"] == bid["question"]
    assert (found[2]["decision"], found[2]["question"]) == (first["decision"], None), "it is over"
    late = answer(ana, first["question"], 1)
    problem(late, 422, "idempotency_key_reused")
    assert answer(ana, first["question"]).headers["Idempotent-Replayed"] == "true"


def test_a_seat_that_takes_back_is_asked_again(house: House) -> None:
    """The question is that of before, in all that a program or a learner gets."""
    ana, bea = house.player("Ana"), house.player("Bea")
    url = house.table(ana, bea, take_back=True, **UNTIMED)
    with streaming(ana, f"{ASKED}&include=words,{','.join(NUMBERS)}") as stream:
        first = asked(stream)["question"]
        assert answer(ana, first).status_code == 201
        second = asked(stream)["question"]
        assert second["decision"] > first["decision"]
        body = {"seat": 0, "to": first["version"]}
        assert ana.post(f"{url}/take_backs", body).status_code == 201
        again = asked(stream)["question"]
        head = data(ana.get(f"{url}/head"))["hash"]
        now = {"version": second["version"] + 1, "head": head, "since": again["since"]}
        assert again == {**first, **now}
        assert [event["kind"] for event in again["since"]] == ["undone"]
        problem(answer(ana, second), 409, "stale_version")
        assert answer(ana, again, 1).status_code == 201, "it is no repetition of the first"


def test_a_question_goes_on_after_a_suspension(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    game_id = house.table(ana, bea, clock=DAY).rpartition("/")[2]
    runtime.ledger.change(game_id, lambda batch: batch.suspend({"admin": "ana"}))
    with streaming(ana, ASKED) as stream:
        opened(stream)
        runtime.ledger.change(game_id, lambda batch: batch.resume({"admin": "ana"}))
        told = message(stream)
        assert told["decision"] == told["question"]["decision"]
        assert answer(ana, told["question"]).status_code == 201


def last_word(numbers: Numbers, question: Any, choice: Choice) -> Policy:
    """Return a policy that says the last possible word, and is asked with a learner's numbers."""

    def policy(observation: Sequence[int], mask: Sequence[int]) -> int:
        assert [*observation] == numbers.observation(question["view"], choice).tolist()
        assert [*mask] == numbers.mask(choice).tolist()
        word = max(choice.words)
        choice.say(word)
        return word

    return policy


def test_a_policy_chooses_by_the_numbers_that_learners_have(house: House, runtime: Runtime) -> None:
    """It is asked for one word after the other, as in an environment of ``lonja_learning``."""
    ruleset: Any = runtime.ledger.registry.find("sealed")
    numbers = Numbers(ruleset, ruleset.data)
    ana = house.player("Ana", kind="bot")
    house.table(ana, ana, **UNTIMED)
    asked_for = 0
    with streaming(ana, f"{ASKED}&include={','.join(NUMBERS)}") as stream:
        for _ in range(12):
            question = asked(stream)["question"]
            legal = [ruleset.recorded_move(move) for move in question["legal"]]
            choice = numbers.choice(legal)
            put = Question(cast("Table", None), question)
            assert legal[put.choose(last_word(numbers, question, choice))] == choice.move
            asked_for += len(legal) > 1
            if len(legal) > 1:
                with pytest.raises(ValueError, match="the mask forbids the action 0"):
                    put.choose(lambda _observation, _mask: 0)
            assert answer(ana, question, legal.index(choice.move)).status_code == 201
    assert asked_for > 6


def test_what_is_not_asked_for_costs_nothing(house: House, runtime: Runtime) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    house.table(ana, bea)
    with streaming(ana, "/v1/players/me/stream") as stream:
        opened(stream)
        house.table(ana, bea)
        assert "question" not in asked(stream)
    wait_for(lambda: len(notices.kept(runtime.redis, ana.id)) == 2)
    assert b"question" not in b"".join(told.body for told in notices.kept(runtime.redis, ana.id))


def test_an_index_is_a_legal_move_and_stands_alone(house: House) -> None:
    ana, bea = house.player("Ana"), house.player("Bea")
    url = house.table(ana, bea)
    listed = ana.legal(url, 0)
    body = {"seat": 0, "expected_version": listed["version"]}
    for wrong, field in (
        ({}, "move"),
        ({"index": 0, "move": listed["moves"][0]}, "index"),
        ({"index": len(listed["moves"])}, "index"),
        ({"index": -1}, "index"),
        ({"index": True}, "index"),
    ):
        for path in ("moves", "preview"):
            told = problem(ana.post(f"{url}/{path}", {**body, **wrong}), 422, "invalid_body")
            assert [error["field"] for error in told["errors"]] == [field], wrong
    previews = [
        data(ana.post(f"{url}/preview", {**body, **chosen}))
        for chosen in ({"index": 1}, {"move": listed["moves"][1]})
    ]
    assert previews[0] == previews[1]
    assert ana.post(f"{url}/moves", {**body, "index": 1}).status_code == 201
    problem(ana.post(f"{url}/moves", {**body, "index": 0}), 409, "stale_version")
    at_version = data(ana.get(f"{url}/events?after={listed['version']}&limit=1"))["events"]
    assert at_version[0]["body"]["move"] == listed["moves"][1]
