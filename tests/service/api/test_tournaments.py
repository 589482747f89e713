"""Tournaments through HTTP: hold one, watch it, read every figure of it."""

import csv
import io
import os
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from rules.kernel.secrets import entropy_commitment
from service.ledger.keys import game_key
from service.runtime import Runtime
from service.tournaments.report import SAMPLES
from service.tournaments.reports import FINAL
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.test_stream import streaming
from workers import process

BODY: Json = {
    "name": "Spring cup",
    "ruleset": "sealed",
    "seats": 2,
    "entries": [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}],
    "format": {"type": "round_robin", "games": 12},
    "seed": "spring",
}


@pytest.fixture
def host(house: House) -> Person:
    return house.player("Host")


def opened(host: Person, **more: Any) -> Json:
    answer = host.post("/v1/tournaments", {**BODY, **more})
    assert answer.status_code == 201, answer.text
    return data(answer)


def url_of(tournament: Json) -> str:
    return f"/v1/tournaments/{tournament['id']}"


def finish(runtime: Runtime, tournament: Json) -> None:
    matches = process.make(runtime).matches
    while not runtime.director.find(tournament["id"]).over:
        matches.play(tournament["id"])


def test_a_tournament_is_held_and_its_table_read(
    house: House, host: Person, runtime: Runtime
) -> None:
    answer = host.post("/v1/tournaments", BODY)
    made = data(answer)
    assert answer.headers["Location"] == url_of(made)
    assert (made["status"], made["games"]) == ("running", {"played": 0, "planned": 12})
    assert made["plan"]["entries"][1]["name"] == "random-1"
    finish(runtime, made)
    ended = data(house.visitor.get(url_of(made)))
    assert (ended["status"], ended["reason"]) == ("ended", "completed")
    assert ended["games"] == {"played": 12, "planned": 12}
    report = data(house.visitor.get(f"{url_of(made)}/report"))
    assert report["table"][0]["entry"] == "greedy"
    assert report["samples"] > 0
    assert report["table"][0]["points_band"] is not None


def test_bands_come_when_a_worker_has_made_them(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host)
    finish(runtime, made)
    runtime.redis.delete(game_key(made["id"], FINAL))  # a worker that dies may leave it undone
    runtime.queue_redis.delete(runtime.jobs.tournaments.key)
    url = f"{url_of(made)}/report"
    early = house.visitor.get(url)
    assert (data(early)["status"], data(early)["samples"]) == ("ended", 0)
    assert data(early)["table"][0]["points_band"] is None
    assert runtime.jobs.tournaments.count == 1  # whoever looks has them made
    house.visitor.get(url)
    assert runtime.jobs.tournaments.count == 1
    process.make(runtime).matches.play(made["id"])
    late = house.visitor.get(url, If_None_Match=early.headers["ETag"])
    assert data(late)["samples"] == SAMPLES
    assert data(late)["table"][0]["points_band"] is not None
    assert data(late)["table"][0]["rating"] == data(early)["table"][0]["rating"]


def test_the_table_comes_as_csv_too(house: House, host: Person, runtime: Runtime) -> None:
    made = opened(host)
    finish(runtime, made)
    answer = house.visitor.get(f"{url_of(made)}/report", Accept="text/csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    table = data(house.visitor.get(f"{url_of(made)}/report"))["table"]
    assert [row["entry"] for row in rows] == [row["entry"] for row in table]
    assert float(rows[0]["rating_mu"]) == table[0]["rating"]["mu"]


def test_plots_are_pictures_that_fetch_nothing(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host, entries=[{"bot": "greedy", "name": "<script>&"}, {"bot": "random"}])
    for _ in range(2):  # before the first game, and after the last
        for name in ("ratings.svg", "ranks.svg"):
            answer = house.visitor.get(f"{url_of(made)}/{name}")
            assert answer.mimetype == "image/svg+xml"
            root = ET.fromstring(answer.text)
            assert "<script>&" in "".join(root.itertext())
            assert not re.search(r"(href|src|url\()", answer.text)
        finish(runtime, made)


def test_reads_are_answered_304_as_long_as_nothing_happens(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host)
    paths = ("", "/report", "/ratings.svg", "/ranks.svg")
    tags = [house.visitor.get(url_of(made) + path).headers["ETag"] for path in paths]
    assert len(set(tags)) == len(tags)
    for path, tag in zip(paths, tags, strict=True):
        same = house.visitor.get(url_of(made) + path, If_None_Match=tag)
        assert (same.status_code, same.data) == (304, b"")
    finish(runtime, made)
    for path, tag in zip(paths, tags, strict=True):
        assert house.visitor.get(url_of(made) + path, If_None_Match=tag).status_code == 200


def test_the_same_request_with_the_same_key_is_one_tournament(host: Person) -> None:
    first = host.post("/v1/tournaments", BODY, Idempotency_Key="k")
    again = host.post("/v1/tournaments", BODY, Idempotency_Key="k")
    assert data(first)["id"] == data(again)["id"]
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = host.post("/v1/tournaments", {**BODY, "name": "Other"}, Idempotency_Key="k")
    problem(other, 422, "idempotency_key_reused")


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"ruleset": "chess"}, "bad_tournament", "ruleset"),
        ({"seats": 9}, "bad_tournament", "seats"),
        ({"entries": [{"bot": "deep"}, {"bot": "random"}]}, "bad_tournament", "entries.0.bot"),
        ({"entries": [{"bot": "random"}]}, "bad_tournament", "entries"),
        ({"format": {"type": "lottery"}}, "bad_tournament", "format.type"),
        ({"format": {"type": "swiss", "rounds": 0}}, "bad_tournament", "format.rounds"),
        ({"options": {"speed": 9}}, "bad_tournament", "options.speed"),
        ({"entries": []}, "invalid_body", "entries"),
        ({"entries": "greedy"}, "invalid_body", "entries"),
        ({"format": "swiss"}, "invalid_body", "format"),
        ({"seats": "2"}, "invalid_body", "seats"),
        ({"rated": "yes"}, "invalid_body", "rated"),
        ({"points": "goals"}, "invalid_body", "points"),
        ({"rotations": 1}, "invalid_body", "rotations"),
        ({"tie_breaks": ["luck"]}, "invalid_body", "tie_breaks.0"),
        ({"failures": {"then": "shout"}}, "invalid_body", "failures.then"),
        ({"failures": {"seconds": 0}}, "invalid_body", "failures.seconds"),
        ({"name": ""}, "invalid_body", "name"),
        ({"seed": ""}, "invalid_body", "seed"),
        ({"prize": 5}, "invalid_body", "prize"),
    ],
)
def test_bad_input_is_refused_by_the_name_of_its_field(
    host: Person, house: House, more: Json, code: str, field: str
) -> None:
    answer = host.post("/v1/tournaments", {**BODY, **more})
    assert [error["field"] for error in problem(answer, 422, code)["errors"]] == [field]
    assert data(house.visitor.get("/v1/tournaments"))["tournaments"] == []


def test_who_may_do_what(house: House, host: Person) -> None:
    problem(house.visitor.post("/v1/tournaments", BODY), 401, "key_required")
    made = opened(host)
    stranger = house.player("Eve")
    for verb, body in (("pause", None), ("resume", None), ("cancel", {}), ("extend", {"games": 2})):
        url = f"{url_of(made)}/{verb}"
        problem(house.visitor.post(url, body), 401, "key_required")
        problem(stranger.post(url, body), 403, "not_your_tournament")
    assert data(house.visitor.get(url_of(made)))["version"] == made["version"]


def test_what_hosts_do(host: Person, runtime: Runtime) -> None:
    made = opened(host)
    url = url_of(made)
    problem(host.post(f"{url}/resume"), 409, "tournament_not_paused")
    assert data(host.post(f"{url}/pause"))["status"] == "paused"
    problem(host.post(f"{url}/pause"), 409, "tournament_not_running")
    assert data(host.post(f"{url}/resume"))["status"] == "running"
    assert data(host.post(f"{url}/extend", {"games": 6}))["games"]["planned"] == 18
    problem(host.post(f"{url}/extend", {"games": 0}), 422, "invalid_body")
    assert data(host.post(f"{url}/cancel", {"reason": "rain"}))["reason"] == "rain"
    problem(host.post(f"{url}/cancel", {}), 409, "tournament_over")
    problem(host.post(f"{url}/extend", {"games": 6}), 409, "tournament_over")
    swiss = opened(host, format={"type": "swiss", "rounds": 2})
    problem(host.post(f"{url_of(swiss)}/extend", {"games": 6}), 409, "fixed_length")


@pytest.mark.parametrize("path", ["", "/report", "/events", "/games", "/head", "/stream"])
@pytest.mark.parametrize("name", ["t07-mfrggzdfmztwq2lknnwg", "g07-mfrggzdfmztwq2lknnwg", "x"])
def test_there_is_no_such_tournament(house: House, path: str, name: str) -> None:
    answer = house.visitor.get(f"/v1/tournaments/{name}{path}")
    problem(answer, 404, "unknown_tournament")


def test_entropy_is_awaited_and_checked(host: Person) -> None:
    entropy = os.urandom(32)
    committed = entropy_commitment(None, 0, entropy).hex()
    entries = [{"bot": "random", "entropy_commitment": committed}, {"bot": "random"}]
    made = opened(host, entries=entries)
    assert made["status"] == "open"
    url = f"{url_of(made)}/entropy"
    wrong = host.post(url, {"entry": 0, "entropy": "00" * 32})
    problem(wrong, 422, "entropy_mismatch")
    problem(host.post(url, {"entry": 1, "entropy": "00" * 32}), 409, "no_entropy_expected")
    started = host.post(url, {"entry": 0, "entropy": entropy.hex()})
    assert data(started)["status"] == "running"


def test_the_list_is_newest_first_and_pages(host: Person, house: House) -> None:
    made = [opened(host, name=f"cup {number}")["id"] for number in range(5)]
    seen: list[str] = []
    cursor = ""
    while True:
        page = data(house.visitor.get(f"/v1/tournaments?limit=2{cursor}"))
        seen += [tournament["id"] for tournament in page["tournaments"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert seen == made[::-1]
    altered = house.visitor.get("/v1/tournaments?cursor=c29tZQ")
    problem(altered, 422, "invalid_cursor")


def test_games_are_listed_by_block_and_stay_out_of_the_list_of_tables(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host)
    before = data(house.visitor.get(f"{url_of(made)}/games?limit=3"))
    assert [game["result"] for game in before["games"]] == [None] * 3
    finish(runtime, made)
    games: list[Json] = []
    after: int | None = 0
    while after is not None:
        page = data(house.visitor.get(f"{url_of(made)}/games?after={after}&limit=5"))
        games += page["games"]
        after = page["next_after"]
    assert [(g["block"], g["rotation"]) for g in games] == [
        (block, rotation) for block in range(1, 7) for rotation in range(2)
    ]
    for game in games:
        assert game["counts"]
        seats = data(house.visitor.get(f"/v1/games/{game['id']}"))["seats"]
        assert [seat["bot"] for seat in seats] == [n.partition("-")[0] for n in game["seating"]]
        assert data(house.visitor.get(f"/v1/games/{game['id']}/log"))["effects"]
    assert data(house.visitor.get("/v1/games"))["games"] == []


class TestSealedGames:
    """What shares its luck with a game that is being played is shown to nobody."""

    @pytest.fixture
    def sealed_game(self, host: Person, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> str:
        """Return the id of a game that is over, in a block that is not."""
        made = opened(host)
        matches = process.make(runtime).matches

        def die(*_args: Any) -> None:
            raise RuntimeError("the worker is gone")

        monkeypatch.setattr(runtime.director, "record_block", die)
        monkeypatch.setattr("workers.matches.Match.result", die)
        with pytest.raises(RuntimeError):
            matches.play(made["id"])
        tournament = runtime.director.find(made["id"])
        name = tournament.game_ids(tournament.blocks[1])[0]
        assert runtime.ledger.game_at(name, None).over
        return name

    @pytest.mark.parametrize("path", ["/state", "/events", "/log", "/stream", "/events?seat=0"])
    def test_tell_nothing(self, house: House, host: Person, sealed_game: str, path: str) -> None:
        for person in (house.visitor, host):
            answer = person.get(f"/v1/games/{sealed_game}{path}")
            problem(answer, 409, "game_sealed")

    def test_show_no_result_and_no_question(self, house: House, sealed_game: str) -> None:
        game = data(house.visitor.get(f"/v1/games/{sealed_game}"))
        assert (game["result"], game["decisions"]) == (None, [])


def test_a_stream_tells_every_event_and_ends(house: House, host: Person, runtime: Runtime) -> None:
    made = opened(host)
    finish(runtime, made)
    events = data(house.visitor.get(f"{url_of(made)}/events?limit=1000"))["events"]
    with streaming(house.visitor, f"{url_of(made)}/stream") as stream:
        assert [stream.event() for _ in events] == events
        assert stream.message() == f'event: end\ndata: {{"version":{len(events)}}}'
    with streaming(house.visitor, f"{url_of(made)}/stream?after=3") as stream:
        assert stream.event()["seq"] == 4
    with streaming(house.visitor, f"{url_of(made)}/stream", Last_Event_ID="5") as stream:
        assert stream.event()["seq"] == 6


def test_events_come_in_pages_and_the_head_is_signed(house: House, host: Person) -> None:
    made = opened(host)
    first = data(house.visitor.get(f"{url_of(made)}/events?limit=2"))
    assert ([e["seq"] for e in first["events"]], first["next_after"]) == ([1, 2], 2)
    rest = data(house.visitor.get(f"{url_of(made)}/events?after=2"))
    assert rest["next_after"] is None
    head = data(house.visitor.get(f"{url_of(made)}/head"))
    assert (head["seq"], head["hash"]) == (made["version"], made["head"])
    assert rest["events"][-1]["hash"] == made["head"]


def test_formats_are_described(house: House) -> None:
    formats = data(house.visitor.get("/v1/tournament_formats"))["formats"]
    assert {f["type"] for f in formats} == {
        "round_robin", "gauntlet", "swiss", "knockout", "ladder", "compare",
    }  # fmt: skip
    assert all(f["description"] and f["options"] for f in formats)


def test_ratings_are_over_all_rated_tournaments(
    house: House, host: Person, runtime: Runtime
) -> None:
    def ratings() -> Json:
        return data(house.visitor.get("/v1/rulesets/sealed/ratings"))

    assert ratings() == {"ruleset": "sealed", "tournaments": 0, "ratings": []}
    finish(runtime, opened(host, rated=False))
    assert ratings()["tournaments"] == 0
    first = opened(host, seed="a")
    assert ratings()["tournaments"] == 0
    finish(runtime, first)
    one = ratings()
    assert one["tournaments"] == 1
    assert [(r["bot"], r["games"]) for r in one["ratings"]] == [("greedy@1", 8), ("random@1", 16)]
    finish(runtime, opened(host, seed="b"))
    two = ratings()
    assert two["tournaments"] == 2
    assert two["ratings"][0]["sigma"] < one["ratings"][0]["sigma"]
    problem(house.visitor.get("/v1/rulesets/chess/ratings"), 404, "unknown_ruleset")


def test_the_page_is_there_and_fetches_nothing_from_elsewhere(house: House) -> None:
    for path in ("/tournaments", "/tournaments/t07-mfrggzdfmztwq2lknnwg"):
        with house.visitor.get(path) as page:
            assert page.mimetype == "text/html"
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            for name in re.findall(r'(?:src|href)="/(static/[^"]+)"', page.get_data(as_text=True)):
                with house.visitor.get(f"/{name}") as file:
                    assert file.status_code == 200
                    assert "http" not in file.get_data(as_text=True)
