"""The headers of a game's events: enough to follow the hashes, and nothing of the parts."""

from hashlib import sha256

from rules.kernel.canonical import encode
from tests.service.api.people import House, Json, Person, data, play_on, problem

FIELDS = ("seq", "kind", "by", "at", "last", "parts", "state_proof")


def headers(who: Person, url: str, query: str = "limit=1000") -> Json:
    return data(who.get(f"{url}/headers?{query}"))


def chained(game_id: str, found: list[Json]) -> str:
    """Return the hash to which the headers lead, by the definition of the format."""
    before = sha256(encode(["lonja/2", "genesis", game_id])).digest()
    for header in found:
        before = sha256(before + encode({name: header[name] for name in FIELDS})).digest()
        assert header["hash"] == before.hex()
    return before.hex()


def test_headers_lead_to_the_signed_head_while_the_game_is_played_and_after_it(
    house: House,
) -> None:
    people = [house.player("Ana"), house.player("Bea")]
    url = house.table(*people)
    game_id = url.rpartition("/")[2]
    kept = data(people[0].get(f"{url}/head"))
    found = headers(house.visitor, url)
    assert chained(game_id, found["events"]) == kept["hash"]
    play_on(url, people)
    found = headers(house.visitor, url)
    assert found["events"][kept["seq"] - 1]["hash"] == kept["hash"]
    assert chained(game_id, found["events"]) == data(house.visitor.get(f"{url}/head"))["hash"]
    assert (len(found["events"]), found["next_after"]) == (found["version"], None)


def test_headers_have_no_part_and_are_the_same_for_all(house: House) -> None:
    people = [house.player("Ana"), house.player("Bea")]
    url = house.table(*people)
    data(people[0].move(url, 0))
    found = [headers(who, url) for who in (*people, house.visitor)]
    assert found[0] == found[1] == found[2]
    assert all(header.keys() == {*FIELDS, "hash"} for header in found[0]["events"])
    events = data(house.visitor.get(f"{url}/events"))["events"]
    assert found[0]["events"] == [
        {name: event[name] for name in (*FIELDS, "hash")} for event in events
    ]


def test_pages_of_headers_have_together_what_one_has(house: House) -> None:
    people = [house.player("Ana"), house.player("Bea")]
    url = house.table(*people)
    play_on(url, people)
    whole, pages = headers(house.visitor, url), []
    after: int | None = 0
    while after is not None:
        answer = house.visitor.get(f"{url}/headers?after={after}&limit=5")
        page = data(answer)
        assert (page["next_after"] is None) == ("Link" not in answer.headers)
        pages += page["events"]
        after = page["next_after"]
    assert pages == whole["events"]
    assert headers(house.visitor, url, f"after={whole['version']}")["events"] == []
    problem(house.visitor.get(f"{url}/headers?limit=1001"), 422, "invalid_query")


def test_only_who_may_read_a_private_game_reads_its_headers(house: House) -> None:
    ana = house.player("Ana")
    seats = [{"holder": "me"}, {"holder": "open"}]
    body = {"ruleset": "sealed", "seats": seats, "table": {"visibility": "private"}}
    url = ana.post("/v1/games", body).headers["Location"]
    problem(house.visitor.get(f"{url}/headers"), 404, "unknown_game")
    problem(house.player("Eve").get(f"{url}/headers"), 404, "unknown_game")
    assert headers(ana, url)["events"]
