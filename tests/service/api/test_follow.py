"""Playing with one stream: events come with their effects, the state and the legal moves."""

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest

from service.ledger.ledger import FoldedGame, Moment
from service.live import streams
from service.live.frames import StreamView
from service.live.frames import told as one_told
from tests.service.api.people import House, Json, Person, asked, data, play_on, problem
from tests.service.api.test_stream import streaming

ALL = "effects,words,state,legal_moves,groups"
"""All values of ``include`` but ``patch``, which is a shorter form of ``state``."""
EYES = ("0", "1", "spectator")


def table(house: House, ruleset: str, seats: int = 2) -> tuple[str, list[Person]]:
    people = [house.player() for _ in range(seats)]
    return house.table(*people, ruleset=ruleset), people


def eyes_of(house: House, people: list[Person], eyes: str) -> Person:
    return house.visitor if eyes == "spectator" else people[int(eyes)]


def version_of(url: str, someone: Person) -> int:
    version: int = data(someone.get(url))["version"]
    return version


def alone(person: Person, url: str, eyes: str, seq: int, moves: Any, groups: Any) -> Json:
    """Return an event with its additions, each read by a request of its own."""
    (event,) = data(person.get(f"{url}/events?seat={eyes}&after={seq - 1}&limit=1"))["events"]
    log = data(person.get(f"{url}/log?seat={eyes}&after={seq - 1}&limit=1"))["effects"]
    return {
        **event,
        "effects": log,
        "words": [effect["text"] for effect in log],
        "state": data(person.get(f"{url}/state?seat={eyes}&at={seq}")),
        "legal_moves": moves,
        "groups": groups,
    }


@pytest.mark.parametrize("ruleset", ["sealed", "ragusa", "plus_ultra"])
def test_what_comes_with_an_event_is_what_requests_of_their_own_answer(
    house: House, ruleset: str
) -> None:
    url, people = table(house, ruleset)
    start = version_of(url, people[0])
    rng = random.Random(ruleset)
    with (
        streaming(people[0], f"{url}/stream?after={start}&include={ALL}") as one,
        streaming(people[1], f"{url}/stream?after={start}&include={ALL}") as other,
        streaming(house.visitor, f"{url}/stream?after={start}&include={ALL}") as nobody,
    ):
        streams = dict(zip(EYES, (one, other, nobody), strict=True))
        for _ in range(8):
            mover = rng.choice(asked(url, house.visitor))
            moves = people[mover].legal(url, mover)["moves"]
            before = version_of(url, house.visitor)
            assert people[mover].move(url, mover, rng.choice(moves)).status_code == 201
            newest = version_of(url, house.visitor)
            for eyes, stream in streams.items():
                person = eyes_of(house, people, eyes)
                told = [stream.event() for _ in range(newest - before)]
                page = data(person.get(f"{url}/events?seat={eyes}&after={before}&include={ALL}"))
                assert told == page["events"]
                for frame in told:
                    # no request returns the legal moves of an older version
                    possible, groups = frame["legal_moves"], frame["groups"]
                    if frame["seq"] == newest and eyes == "spectator":
                        possible = groups = None
                    elif frame["seq"] == newest:
                        possible = person.legal(url, int(eyes))
                        groups = data(person.get(f"{url}/legal_moves?group=true"))["groups"]
                    assert frame == alone(person, url, eyes, frame["seq"], possible, groups)


def test_a_stream_goes_on_with_the_same_messages(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, people = table(house, "ragusa")
    play_on(url, people, at_most=12)
    version = version_of(url, people[0])
    monkeypatch.setattr(streams, "_LARGE_PAGE", 3)
    path = f"{url}/stream?include={ALL}"
    with streaming(people[0], path) as stream:
        told = [stream.event() for _ in range(version)]
    assert version > 2 * streams._MOMENTS
    for last in (0, 5, version - streams._MOMENTS, version - 2):
        with streaming(people[0], path, Last_Event_ID=str(last)) as stream:
            assert [stream.event() for _ in range(last, version)] == told[last:]
    with streaming(people[0], f"{path}&last=2") as stream:
        assert [stream.event() for _ in range(2)] == told[-2:]


def test_what_was_possible_then_stays(house: House) -> None:
    url, people = table(house, "ragusa")
    possible: dict[tuple[int, int], Json] = {}
    for _ in range(8):
        for seat in (0, 1):
            listed = people[seat].legal(url, seat)
            possible[listed["version"], seat] = listed
        mover = asked(url, house.visitor)[0]
        people[mover].move(url, mover)
    found = {
        seat: data(people[seat].get(f"{url}/events?include=legal_moves"))["events"]
        for seat in (0, 1)
    }
    for (at, seat), listed in possible.items():
        assert found[seat][at - 1]["legal_moves"] == listed
    assert any(listed["moves"] for listed in possible.values())


def test_moves_come_in_groups_to_choose_from(house: House) -> None:
    url, people = table(house, "manila", seats=3)
    seat = asked(url, house.visitor)[0]
    flat = people[seat].legal(url, seat)
    assert "groups" not in flat
    path = f"{url}/legal_moves?group=true"
    listed = data(people[seat].get(path, Accept_Language="es"))
    assert listed["moves"] == flat["moves"]
    bid, *others = listed["groups"]
    most = max(move.get("amount", 0) for move in flat["moves"])
    assert bid["choices"] == {
        "field": "amount",
        "label": "Pesos, como mucho los que tienes",
        "choices": [{"min": 1, "max": most, "step": 1}],
        "then": None,
    }
    assert (bid["label"], bid["count"]) == ("Pujar", most)
    assert [group["rank"] for group in others] == [*range(2, len(others) + 2)]
    none = next(group for group in others if group["type"] == "pass_auction")
    assert (none["choices"], none["help"]) == (None, "No pujes más en esta subasta.")
    problem(people[seat].get(f"{url}/legal_moves?group=yes"), 422, "invalid_query")
    assert data(people[seat - 1].get(path))["groups"] == []


def patched(document: Any, operations: list[Json]) -> Any:
    """Apply a JSON Patch (RFC 6902)."""
    whole = {"": copy.deepcopy(document)}
    for operation in operations:
        names: list[str] = ["", *operation["path"].split("/")[1:]]
        last = names.pop()
        place: Any = whole
        for name in names:
            place = place[_key(place, name)]
        key = _key(place, last)
        if operation["op"] == "remove":
            del place[key]
        elif operation["op"] == "add" and isinstance(place, list):
            place.insert(key, operation["value"])
        else:
            assert operation["op"] == "add" or isinstance(place, list) or key in place, operation
            place[key] = operation["value"]
    return whole[""]


def _key(place: Any, name: str) -> Any:
    if isinstance(place, list):
        return len(place) if name == "-" else int(name)
    return name.replace("~1", "/").replace("~0", "~")


@pytest.mark.parametrize("ruleset", ["sealed", "ragusa", "santiago_de_cuba"])
def test_patches_make_one_state_of_another(house: House, ruleset: str) -> None:
    url, people = table(house, ruleset)
    play_on(url, people, at_most=24)
    whole = people[0].get(f"{url}/events?include=state&limit=50")
    small = people[0].get(f"{url}/events?include=patch&limit=50")
    state = None
    for event, change in zip(data(whole)["events"], data(small)["events"], strict=True):
        state = patched(state, change["patch"])
        assert state == event["state"]
    later = data(people[0].get(f"{url}/events?include=patch&after=20&limit=5"))["events"]
    assert later == data(small)["events"][20:25]
    assert len(small.data) < len(whole.data)


def test_a_message_is_made_once_for_all_who_look_alike(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, people = table(house, "ragusa")
    made: list[int | None] = []

    def told(moment: Moment, table: FoldedGame, look: StreamView) -> Json:
        made.append(look.viewer)
        return one_told(moment, table, look)

    monkeypatch.setattr(streams, "told", told)
    path = f"{url}/stream?include=state,effects&last=0"
    with (
        streaming(house.visitor, path) as one,
        streaming(house.visitor, path) as other,
        streaming(people[0], f"{path}&seat=0") as own,
    ):
        before = version_of(url, people[0])
        people[0].move(url, 0)
        new = version_of(url, people[0]) - before
        first, second = ([stream.event() for _ in range(new)] for stream in (one, other))
        assert first == second
        assert [own.event()["state"]["seat"] for _ in range(new)] == [0] * new
    assert sorted(made, key=str) == sorted([None] * new + [0] * new, key=str)


def test_words_are_in_the_language_of_whoever_looks(house: House) -> None:
    url, people = table(house, "ragusa")
    people[0].move(url, 0)
    path = f"{url}/events?include=words"
    texts = [
        [word for event in data(people[0].get(path, Accept_Language=tongue))["events"]
         for word in event["words"]]
        for tongue in ("en", "es")
    ]  # fmt: skip
    assert "Purple has chosen a bonus card" in texts[0]
    assert "Morado ha elegido una carta de bonificación" in texts[1]
    with streaming(people[0], f"{url}/stream?include=words", Accept_Language="es") as stream:
        streamed: list[str] = []
        while len(streamed) < len(texts[1]):
            streamed += stream.event()["words"]
    assert streamed == texts[1]


def test_pages_shrink_with_what_they_hold(house: House) -> None:
    url, people = table(house, "santiago_de_cuba")
    play_on(url, people, at_most=50)
    path = f"{url}/events?limit=1000&include="
    small, large = (data(people[0].get(path + what)) for what in ("effects,words", "state"))
    assert len(small["events"]) == version_of(url, people[0]) > 50
    assert len(large["events"]) == large["next_after"] == 50


def test_a_page_is_tagged_by_what_it_comes_with(house: House) -> None:
    url, people = table(house, "ragusa")
    tags = [
        people[0].get(f"{url}/events{query}", Accept_Language=tongue).headers["ETag"]
        for query in ("", "?include=state", "?include=words", "?include=words,state")
        for tongue in ("en", "es")
    ]
    assert len({*tags}) == 1 + 3 * 2, "events alone are in no language"
    again = people[0].get(f"{url}/events?include=state,words", If_None_Match=tags[-2])
    assert again.status_code == 304
    lines = people[0].get(f"{url}/events?include=state&format=ndjson").text.splitlines()
    assert len(lines) == version_of(url, people[0])


def test_what_is_unknown_is_named(house: House) -> None:
    url, people = table(house, "sealed")
    for path in ("events", "stream"):
        found = problem(people[0].get(f"{url}/{path}?include=state,hand"), 422, "invalid_query")
        assert found["errors"][0]["field"] == "include"
        assert found["errors"][0]["value"] == "hand"
        assert "effects, words, state" in found["errors"][0]["message"]


class Counted:
    """A front end of a seat, which counts its requests and the bytes of the answers."""

    def __init__(self, url: str, person: Person) -> None:
        self.url, self.person = url, person
        self.requests = self.bytes = self.moves = 0

    def get(self, path: str) -> Json:
        answer = self.person.get(self.url + path)
        self.requests, self.bytes = self.requests + 1, self.bytes + len(answer.data)
        return data(answer)

    def play(self, listed: Json) -> int:
        """Play the first legal move; return the version after it."""
        move, version = listed["moves"][0], listed["version"]
        body = {"seat": 0, "move": move, "expected_version": version}
        answer = self.person.post(f"{self.url}/moves", body)
        self.requests, self.bytes = self.requests + 1, self.bytes + len(answer.data)
        self.moves += 1
        after: int = data(answer)["version"]
        return after


MOVES = 22


def plays(client: Counted, people: list[Person], listed: Callable[[], Json]) -> int:
    """Make the first deciding seat move; return the new version, as the client knows it."""
    first = asked(client.url, people[1])[0]
    if people[first] is client.person:
        return client.play(listed())
    assert people[first].move(client.url, first).status_code == 201
    return version_of(client.url, people[1])


def by_requests(url: str, people: list[Person], person: Person) -> Counted:
    """Draw each move from the log, the state and the legal moves, with a request for each."""
    client = Counted(url, person)
    seen = client.get("/state")["version"]
    for _ in range(MOVES):
        plays(client, people, lambda: client.get("/legal_moves"))
        client.get(f"/log?after={seen}")
        seen = client.get("/state")["version"]
    return client


def by_one_stream(url: str, people: list[Person], person: Person) -> Counted:
    """Draw each move from the messages of the stream."""
    client = Counted(url, person)
    after = client.get("/state")["version"] - 1
    path = f"{url}/stream?after={after}&include=words,patch,legal_moves"
    with streaming(person, path) as stream:
        newest = stream.event()
        for _ in range(MOVES):
            version = plays(client, people, lambda: newest["legal_moves"])  # noqa: B023 - at once
            while newest["seq"] < version:
                newest = stream.event()
        client.requests, client.bytes = client.requests + 1, client.bytes + stream.bytes
    return client


@pytest.mark.parametrize("looks_on", [True, False])
def test_a_game_costs_one_stream_and_a_request_a_move(house: House, *, looks_on: bool) -> None:
    """A front end opens one stream for everything, and sends one request for each own move."""
    clients = []
    for way in (by_requests, by_one_stream):
        url, people = table(house, "ragusa")
        clients.append(way(url, people, house.visitor if looks_on else people[0]))
    before, after = clients
    assert before.requests == 1 + 2 * MOVES + 2 * before.moves
    assert after.requests == 2 + after.moves
    assert (after.moves == 0) == looks_on
    assert after.bytes < before.bytes, (before.bytes, after.bytes)
