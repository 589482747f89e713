"""Tournaments over HTTP: creating, watching, and reading every figure."""

import csv
import io
import os
import random
import re
from math import sqrt
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree as ET

import pytest
from redis import Redis

from rules.kernel.record.secrets import entropy_commitment
from service.ledger import store
from service.ledger.store import REPORT
from service.redis.keys import game_key
from service.runtime import Runtime, open_runtime
from service.tournaments import requests
from service.tournaments.figures.bands import SAMPLES
from service.tournaments.plan import TournamentRequest
from service.turns.queue import TOURNAMENTS
from tests.running import forget_jobs, patient_matches
from tests.service.api.people import House, Json, Person, data, problem
from tests.service.api.test_stream import streaming
from tests.service.tournaments import recorded
from workers import bots, process

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
    asked = {name: value for name, value in {**BODY, **more}.items() if value is not None}
    answer = host.post("/v1/tournaments", asked)
    assert answer.status_code == 201, answer.text
    return data(answer)


def url_of(tournament: Json) -> str:
    return f"/v1/tournaments/{tournament['id']}"


def finish(runtime: Runtime, tournament: Json) -> None:
    matches = patient_matches(runtime)
    while runtime.reports.final(runtime.director.find(tournament["id"])) is None:
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
    assert report["seats"][0]["band"] is not None


def test_bands_come_when_a_worker_has_made_them(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host)
    finish(runtime, made)
    runtime.redis.delete(game_key(made["id"], REPORT))  # as if a worker had died
    forget_jobs(runtime)
    url = f"{url_of(made)}/report"
    early = house.visitor.get(url)
    assert (data(early)["status"], data(early)["samples"]) == ("ended", 0)
    assert data(early)["seats"][0]["band"] is None
    assert runtime.jobs.waiting(TOURNAMENTS) == 1  # a read queues the missing report
    house.visitor.get(url)
    assert runtime.jobs.waiting(TOURNAMENTS) == 1
    matches = process.make(runtime).matches
    matches.seconds = 0.0
    assert matches.play(made["id"])  # the bands are still to be drawn
    without = data(house.visitor.get(url))
    assert without["samples"] == 0
    assert without["table"][0]["points_band"] is without["seats"][0]["band"] is None
    finish(runtime, made)
    late = house.visitor.get(url, If_None_Match=early.headers["ETag"])
    assert data(late)["samples"] == SAMPLES
    assert data(late)["seats"][0]["band"] is not None
    assert data(late)["table"][0]["rating"] == without["table"][0]["rating"] is not None


class TestOfAnySize:
    """Reads cost the same for any number of games, because requests make no report."""

    PATHS = (
        "", "/report", "/ratings.svg", "/ranks.svg", "/games?limit=30", "/games?after=60&limit=30",
        "/events?limit=30", "/head",
    )  # fmt: skip

    @pytest.fixture
    def cold(self, house: House, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> House:
        """Return a service that can neither fold a tournament nor make a report."""

        def refuse(*_arguments: Any, **_more: Any) -> None:
            raise AssertionError("a request folds a tournament, or makes a report of it")

        monkeypatch.setattr(runtime.director, "find", refuse)
        monkeypatch.setattr(runtime.director._tournaments, "load", refuse)
        monkeypatch.setattr(runtime.reports, "catch_up", refuse)
        return house

    def asked(self, runtime: Runtime, house: House, path: str) -> tuple[int, int]:
        """Return the number of events, and of bytes, that one answer reads from the store."""
        streams = house.visitor.get("/healthz")
        assert streams.status_code == 200
        redis, read = runtime.ledger.store.redis, []
        with pytest.MonkeyPatch.context() as patched:
            entries = store.stored_entries

            def counted(reply: Any) -> Any:
                found = entries(reply)
                read.append(len(found))
                return found

            patched.setattr(store, "stored_entries", counted)
            before = _sent(redis)
            answer = house.visitor.get(path)
            assert answer.status_code == 200, answer.text
            if "/stream" in path:
                next(iter(answer.response))
            answer.close()
            return sum(read), _sent(redis) - before

    def test_as_many_events_are_read_for_an_answer(self, cold: House, runtime: Runtime) -> None:
        worker = open_runtime(runtime.settings, announce=False)
        made = recorded.opened(worker, games=600)
        few = recorded.play(worker, made, most=40)
        worker.reports.catch_up(few)
        url = f"/v1/tournaments/{made.id}"
        paths = ["/v1/tournaments", *(url + path for path in self.PATHS)]
        live = f"{url}/stream?after="
        early = [self.asked(runtime, cold, path) for path in [*paths, f"{live}{few.version}"]]
        many = recorded.play(worker, few, most=140)
        worker.reports.catch_up(many)
        paths.append(f"{live}{many.version}")
        late = [self.asked(runtime, cold, path) for path in paths]
        for path, (few_events, few_bytes), (events, size) in zip(paths, early, late, strict=True):
            assert events <= few_events, path
            assert size <= 1.5 * few_bytes + 2_000, path
        report = data(cold.visitor.get(f"{url}/report"))
        assert report["as_of"] == {"version": many.version, "at": many.at}
        assert report["table"][0]["points"] == report["table"][0]["games"] == 540

    def test_a_page_of_events_is_short_if_each_block_has_many_games(
        self, cold: House, runtime: Runtime
    ) -> None:
        asked = {
            "ruleset": "manila",
            "seats": 5,
            "rotations": "all",
            "entries": [{"bot": "random"}] * 5,
            "format": {"type": "round_robin", "games": 3_600},
        }
        worker = open_runtime(runtime.settings, announce=False)
        made = recorded.play(
            worker,
            recorded.opened(
                worker, requests.plan_of(TournamentRequest.of(asked), worker.registry, worker.bots)
            ),
        )
        seqs: list[int] = []
        after: int | None = 0
        while after is not None:
            answer = cold.visitor.get(f"/v1/tournaments/{made.id}/events?after={after}&limit=1000")
            assert len(answer.data) < 600_000
            page = data(answer)
            seqs += [event["seq"] for event in page["events"]]
            after = page["next_after"]
            assert after in (None, seqs[-1])
        assert seqs == [*range(1, made.version + 1)]

    def test_before_a_worker_kept_a_report_there_is_an_empty_one(
        self, cold: House, host: Person, runtime: Runtime
    ) -> None:
        made = opened(host)
        report = data(cold.visitor.get(f"{url_of(made)}/report"))
        assert report["as_of"] == {"version": 0, "at": None}
        assert [row["games"] for row in report["table"]] == [0, 0, 0]
        assert (report["version"], report["games"]) == (made["version"], made["games"])

    def test_the_figures_may_be_older_than_how_it_stands(
        self, cold: House, host: Person, runtime: Runtime
    ) -> None:
        worker = open_runtime(runtime.settings, announce=False)
        kept = recorded.play(worker, recorded.opened(worker), most=2)
        worker.reports.catch_up(kept)
        now = recorded.play(worker, kept, most=1)
        answer = cold.visitor.get(f"/v1/tournaments/{now.id}/report")
        report = data(answer)
        assert (report["version"], report["games"]["played"]) == (now.version, 9)
        assert (report["as_of"]["version"], report["table"][0]["games"]) == (kept.version, 6)
        assert answer.last_modified is not None
        plot = cold.visitor.get(f"/v1/tournaments/{now.id}/ratings.svg")
        assert plot.last_modified == answer.last_modified

    def test_what_is_kept_may_be_lost_and_a_worker_makes_it_again(
        self, cold: House, runtime: Runtime
    ) -> None:
        worker = open_runtime(runtime.settings, announce=False)
        played = recorded.play(worker, recorded.opened(worker), most=6)
        worker.director.pause(played.id, recorded.HOST)
        worker.reports.catch_up(worker.director.find(played.id))  # it contains the leaders
        url = f"/v1/tournaments/{played.id}"
        paths = [url, f"{url}/games", f"{url}/rounds", f"{url}/head", "/v1/tournaments"]
        before = [data(cold.visitor.get(path)) for path in paths]
        runtime.redis.delete(game_key(played.id, "kept"))
        forget_jobs(runtime)
        first = data(cold.visitor.get(url))
        assert (first["version"], first["plan"]) == (1, before[0]["plan"])
        assert runtime.jobs.waiting(TOURNAMENTS) == 1
        process.make(worker).matches.play(played.id)
        assert [data(cold.visitor.get(path)) for path in paths] == before


def _sent(redis: Redis) -> int:
    """Return the number of bytes that the server has sent so far."""
    found: Any = redis.info("stats")
    return int(found["total_net_output_bytes"])


def test_the_table_comes_as_csv_too(house: House, host: Person, runtime: Runtime) -> None:
    made = opened(host)
    finish(runtime, made)
    answer = house.visitor.get(f"{url_of(made)}/report", Accept="text/csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    table = data(house.visitor.get(f"{url_of(made)}/report"))["table"]
    assert [row["entry"] for row in rows] == [row["entry"] for row in table]
    assert float(rows[0]["rating"]) == table[0]["rating"]
    assert float(rows[0]["elo"]) == table[0]["elo"]


def test_the_games_come_as_csv_too_a_row_for_each_seat(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host)
    url = f"{url_of(made)}/games"
    unplayed = house.visitor.get(url, Accept="text/csv")
    assert unplayed.text.splitlines() == [
        "block,rotation,game,counts,seat,entry,bot,rank,score,points,failures"
    ]
    finish(runtime, made)
    answer = house.visitor.get(f"{url}?limit=500", Accept="text/csv")
    assert answer.mimetype == "text/csv"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 12 * 2
    table = data(house.visitor.get(f"{url_of(made)}/report"))["table"]
    for row in table:
        own = [game for game in rows if game["entry"] == row["entry"]]
        assert len(own) == row["games"]
        assert sum(float(game["points"]) for game in own) == row["points"]
        assert {game["bot"] for game in own} == {row["bot"]}
    second = house.visitor.get(f"{url}?after=1&limit=1", Accept="text/csv")
    assert second.text.splitlines()[1:] == answer.text.splitlines()[3:5]


def test_no_spreadsheet_computes_a_name(house: House, host: Person, runtime: Runtime) -> None:
    names = {f"{begin}HYPERLINK(1)" for begin in ("=", "+", "-", "@", "\uff1d")}
    made = opened(host, entries=[{"bot": "random", "name": name} for name in sorted(names)])
    finish(runtime, made)
    assert {entry["name"] for entry in made["plan"]["entries"]} == names
    for part in ("report", "games?limit=500"):
        answer = house.visitor.get(f"{url_of(made)}/{part}", Accept="text/csv")
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert {row["entry"] for row in rows} == {f"'{name}" for name in names}
        assert {row["bot"] for row in rows} == {"random@1"}


def test_names_are_what_everybody_can_read(host: Person) -> None:
    spoofed = "greedy\u202e"
    for asked in (
        {"name": spoofed},
        {"name": " "},
        {"entries": [{"bot": "random", "name": spoofed}, {"bot": "random"}]},
    ):
        problem(host.post("/v1/tournaments", {**BODY, **asked}), 422, "invalid_body")
    made = opened(host, name=" Spring \u00a0 cup ")
    assert made["name"] == "Spring cup"
    refused = host.post(f"{url_of(made)}/cancel", {"reason": "\u200b"})
    (error,) = problem(refused, 422, "invalid_body")["errors"]
    assert (error["field"], error["value"]) == ("reason", "\u200b")
    assert "U+200B (ZERO WIDTH SPACE)" in error["message"]


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
        ({"luck": "mine"}, "invalid_body", "luck"),
        ({"tie_breaks": ["luck"]}, "invalid_body", "tie_breaks.0"),
        ({"failures": {"then": "shout"}}, "invalid_body", "failures.then"),
        ({"failures": {"seconds": 0}}, "invalid_body", "failures.seconds"),
        ({"name": ""}, "invalid_body", "name"),
        ({"seed": ""}, "invalid_body", "seed"),
        ({"rated": True}, "bad_tournament", "seed"),
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
    out = data(host.post(f"{url}/withdraw", {"entry": 2}))
    name = out["plan"]["entries"][2]["name"]
    assert out["disqualified"] == [{"entry": name, "after_block": 0, "reason": "withdrawn"}]
    for entry in (2, 3):
        problem(host.post(f"{url}/withdraw", {"entry": entry}), 409, "entry_not_playing")
    assert data(host.post(f"{url}/cancel", {"reason": "rain"}))["reason"] == "rain"
    problem(host.post(f"{url}/cancel", {}), 409, "tournament_over")
    problem(host.post(f"{url}/extend", {"games": 6}), 409, "tournament_over")
    swiss = opened(host, format={"type": "swiss", "rounds": 2})
    problem(host.post(f"{url_of(swiss)}/extend", {"games": 6}), 409, "fixed_length")


@pytest.mark.parametrize(
    ("verb", "body", "other"),
    [
        ("extend", {"games": 6}, {"games": 8}),
        ("pause", None, None),
        ("cancel", {"reason": "rain"}, {"reason": "snow"}),
    ],
)
def test_a_repeated_request_is_answered_with_what_it_did(
    host: Person, verb: str, body: Json | None, other: Json | None
) -> None:
    made = opened(host)
    url = url_of(made)
    first = host.post(f"{url}/{verb}", body, Idempotency_Key="k")
    assert "Idempotent-Replayed" not in first.headers
    if verb != "cancel":
        host.post(f"{url}/extend", {"games": 2})
    again = host.post(f"{url}/{verb}", body, Idempotency_Key="k")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert data(again) == data(first)
    changed = host.post(f"{url}/{verb}", other, Idempotency_Key="k")
    if other is not None:
        problem(changed, 422, "idempotency_key_reused")
    reused = host.post(f"{url}/resume", None, Idempotency_Key="k")
    problem(reused, 422, "idempotency_key_reused")


def test_revealing_entropy_twice_is_answered_twice(host: Person) -> None:
    committed = entropy_commitment(None, 0, bytes(32)).hex()
    entries = [{"bot": "random", "entropy_commitment": committed}, {"bot": "random"}]
    url = f"{url_of(opened(host, entries=entries))}/entropy"
    body = {"entry": 0, "entropy": "00" * 32}
    first = host.post(url, body, Idempotency_Key="k")
    assert data(host.post(url, body, Idempotency_Key="k")) == data(first)
    problem(host.post(url, body), 409, "no_entropy_expected")


def test_what_a_tournament_waits_for_is_told(
    house: House, host: Person, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = opened(host)
    tags = [house.visitor.get(url_of(made) + path).headers["ETag"] for path in ("", "/report")]
    matches = patient_matches(runtime)
    with monkeypatch.context() as patched:
        patched.delitem(bots.FUNCTIONS, ("greedy", "2"))
        matches.play(made["id"])
    for path, tag in zip(("", "/report"), tags, strict=True):
        told = house.visitor.get(url_of(made) + path, If_None_Match=tag)
        assert data(told)["waits_for"] == "there is no bot greedy@2"
    matches.play(made["id"])
    assert data(house.visitor.get(url_of(made)))["waits_for"] is None


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


def test_the_list_finds_what_goes_on_of_a_ruleset_and_of_a_host(host: Person, house: House) -> None:
    stays = opened(host)
    for number in range(3):
        cancelled = opened(host, name=f"cup {number}")
        host.post(f"{url_of(cancelled)}/cancel", {})
    other = house.player("Other")
    theirs = opened(other)

    def found(query: str, by: Person = house.visitor) -> list[str]:
        seen, cursor = [], ""
        while True:
            page = data(by.get(f"/v1/tournaments?limit=1&{query}{cursor}"))
            seen += [tournament["id"] for tournament in page["tournaments"]]
            if page["next_cursor"] is None:
                return seen
            cursor = f"&cursor={page['next_cursor']}"

    assert found("over=false") == [theirs["id"], stays["id"]]
    assert len(found("over=true")) == 3
    assert found("over=false&host=me", host) == [stays["id"]]
    assert found(f"host={other.id}") == [theirs["id"]]
    assert found("ruleset=sealed&over=false") == found("over=false")
    assert found("ruleset=macao") == []
    ladder = opened(host, format={"type": "endless"}, places=8)
    assert found("format=endless&over=false") == [ladder["id"]]
    assert theirs["id"] in found("format=round_robin")
    problem(house.visitor.get("/v1/tournaments?format=cup"), 422, "invalid_query")
    first = data(house.visitor.get("/v1/tournaments?limit=1&over=true"))["next_cursor"]
    problem(house.visitor.get(f"/v1/tournaments?over=false&cursor={first}"), 422, "invalid_cursor")
    problem(house.visitor.get("/v1/tournaments?over=yes"), 422, "invalid_query")
    problem(house.visitor.get("/v1/tournaments?host=me"), 401, "key_required")


@pytest.mark.parametrize(
    ("wanted", "games"),
    [
        ({"type": "round_robin", "games": 11}, 12),
        ({"type": "gauntlet", "games": 4}, 4),
        ({"type": "swiss", "rounds": 3}, 6),
        ({"type": "knockout", "blocks": 2}, 8),
    ],
)
def test_what_a_tournament_comes_to_is_told_before_it_is_held(
    house: House, host: Person, wanted: Json, games: int
) -> None:
    asked = {**BODY, "format": wanted}
    told = data(house.visitor.post("/v1/tournaments/preview", asked))
    assert (told["games"], told["games_per_block"]) == (games, 2)
    assert data(house.visitor.get("/v1/tournaments"))["tournaments"] == []
    made = data(host.post("/v1/tournaments", asked))
    assert told["plan"] == made["plan"]
    assert made["games"]["planned"] == games


def test_what_a_tournament_costs_is_estimated(house: House) -> None:
    """Twice as many games cost twice as much; a band half as wide needs four times as many."""
    few, many = (
        data(
            house.visitor.post(
                "/v1/tournaments/preview",
                {
                    **BODY,
                    "ruleset": "santiago_de_cuba",
                    "format": {"type": "round_robin", "games": games},
                },
            )
        )["estimate"]
        for games in (200, 400)
    )
    for cost in ("processor_seconds", "stored_bytes"):
        assert many[cost] == pytest.approx(2 * few[cost], rel=0.02)
    assert few["seconds"] == pytest.approx(few["processor_seconds"] / few["workers"], rel=0.02)
    assert few["unmeasured"] == []
    assert many["band"] == pytest.approx(few["band"] / sqrt(2), rel=0.01)
    needed = {one["band"]: one["games"] for one in few["games_for_bands"]}
    assert needed[0.05] == pytest.approx(4 * needed[0.1], rel=0.02)
    assert few["band"] == pytest.approx(0.1 * sqrt(needed[0.1] / 200), rel=0.02)


def test_costs_of_a_game_that_nobody_measured_are_unknown(house: House) -> None:
    found = data(house.visitor.post("/v1/tournaments/preview", BODY))["estimate"]
    unknown = ("processor_seconds", "seconds", "stored_bytes")
    assert [found[cost] for cost in unknown] == [None] * 3
    assert found["unmeasured"] == ["greedy", "random-1", "random-2"]
    assert 0 < found["band"] < 1


def test_a_preview_refuses_what_could_not_be_held(house: House) -> None:
    asked = {**BODY, "seats": 9}
    told = problem(house.visitor.post("/v1/tournaments/preview", asked), 422, "bad_tournament")
    assert told["errors"][0]["field"] == "seats"


def test_rounds_tell_who_met_whom_and_what_came_of_it(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host, format={"type": "knockout", "blocks": 2})
    url = f"{url_of(made)}/rounds"
    first = data(house.visitor.get(url))
    assert first["games_per_block"] == 2
    (only,) = first["rounds"]
    assert len(only["byes"]) == 1
    assert only["tables"][0]["games"] == {"played": 0, "planned": 4}
    finish(runtime, made)
    opening, last = data(house.visitor.get(url))["rounds"]
    (table,) = last["tables"]
    assert opening["byes"][0] in [entry["entry"] for entry in table["entries"]]
    assert sum(entry["points"] for entry in table["entries"]) == 4
    report = data(house.visitor.get(f"{url_of(made)}/report"))
    won = {entry["entry"]: entry["points"] for entry in table["entries"]}
    assert won[report["table"][0]["entry"]] == max(won.values())
    after = (table["first_block"] - 1) * 2
    games = data(house.visitor.get(f"{url_of(made)}/games?after={after}&limit=4"))["games"]
    assert {game["block"] for game in games} == {table["first_block"], table["last_block"]}

    page = data(house.visitor.get(f"{url}?limit=1"))
    assert (page["rounds"], page["next_after"]) == ([opening], 1)
    page = data(house.visitor.get(f"{url}?limit=1&after=1"))
    assert (page["rounds"], page["next_after"]) == ([last], None)
    assert data(house.visitor.get(f"{url}?after=2"))["rounds"] == []
    game = data(house.visitor.get(f"/v1/games/{games[0]['id']}"))
    assert game["tournament"] == made["id"]


def test_rounds_that_an_older_release_paired_come_as_soon_as_a_worker_has_looked(
    house: House, host: Person, runtime: Runtime
) -> None:
    made = opened(host, format={"type": "swiss", "rounds": 2})
    finish(runtime, made)
    url = f"{url_of(made)}/rounds"
    before = data(house.visitor.get(url))["rounds"]
    assert len(before) == 2
    runtime.redis.hdel(game_key(made["id"], "kept"), "paired:1", "paired:2")
    forget_jobs(runtime)
    assert data(house.visitor.get(url))["rounds"] == []
    assert runtime.jobs.waiting(TOURNAMENTS) == 1
    patient_matches(runtime).play(made["id"])
    assert data(house.visitor.get(url))["rounds"] == before


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
    """Games that share their luck with a game in progress are shown to nobody."""

    @pytest.fixture
    def sealed_game(self, host: Person, runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> str:
        """Return the id of a finished game in an unfinished block."""
        made = opened(host)
        matches = patient_matches(runtime)

        def die(*_args: Any) -> None:
            raise RuntimeError("the worker is gone")

        monkeypatch.setattr(runtime.director, "record_block", die)
        monkeypatch.setattr("workers.match.Match.result", die)
        with pytest.raises(RuntimeError):
            matches.play(made["id"])
        tournament = runtime.director.find(made["id"])
        name = tournament.game_ids(tournament.blocks[1])[0]
        assert runtime.ledger.game_at(name, None).over
        return name

    @pytest.mark.parametrize(
        "path", ["/state", "/events", "/log", "/stream", "/events?seat=0", "/analysis"]
    )
    def test_tell_nothing(self, house: House, host: Person, sealed_game: str, path: str) -> None:
        for person in (house.visitor, host):
            answer = person.get(f"/v1/games/{sealed_game}{path}")
            problem(answer, 409, "game_sealed")

    def test_are_not_analysed(self, host: Person, sealed_game: str) -> None:
        problem(host.post(f"/v1/games/{sealed_game}/analysis"), 409, "game_sealed")

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


def test_who_holds_too_many_is_told_when_to_come_back(
    host: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.admission.TOURNAMENTS_PER_PLAYER", 1)
    opened(host)
    refused = host.post("/v1/tournaments", BODY)
    problem(refused, 429, "too_many_tournaments")
    assert int(refused.headers["Retry-After"]) > 0


def test_formats_are_described(house: House) -> None:
    formats = data(house.visitor.get("/v1/tournament_formats"))["formats"]
    assert {f["type"] for f in formats} == {
        "round_robin", "gauntlet", "swiss", "knockout", "ladder", "compare", "endless",
    }  # fmt: skip
    assert all(f["description"] and f["options"] for f in formats)


def test_ratings_are_over_all_rated_tournaments(
    house: House, host: Person, runtime: Runtime
) -> None:
    def ratings() -> Json:
        return data(house.visitor.get(f"/v1/rulesets/sealed/ratings?host={host.id}"))

    nothing: Json = {
        "ruleset": "sealed",
        "field": None,
        "anchor": None,
        "ratings": [],
        "fields": [],
    }
    assert ratings() == {**nothing, "host": host.id}
    finish(runtime, opened(host, seed=None, rated=False))
    finish(runtime, opened(host, seed="a"))
    assert ratings()["field"] is None
    lucky = random.Random(1).randbytes  # greedy leads in the games played so far
    with patch("secrets.token_bytes", lucky):
        first = opened(host, seed=None)
    assert ratings()["field"] is None
    finish(runtime, first)
    one = ratings()
    assert one["field"]["tournaments"] == 1
    assert one["fields"] == [one["field"]]
    assert [(r["bot"], r["games"]) for r in one["ratings"]] == [("greedy@2", 8), ("random@1", 16)]
    with patch("secrets.token_bytes", lucky):
        finish(runtime, opened(host, seed=None, rated=True))
    two = ratings()
    assert two["field"]["tournaments"] == 2
    assert [row["games"] for row in two["ratings"]] == [16, 32]
    assert two["ratings"][0]["elo"] == 1500
    assert data(host.get("/v1/rulesets/sealed/ratings?host=me&seats=2")) == two
    assert data(house.visitor.get("/v1/rulesets/sealed/ratings")) == {**nothing, "host": None}
    problem(house.visitor.get("/v1/rulesets/chess/ratings"), 404, "unknown_ruleset")


def test_the_page_is_there_and_fetches_nothing_from_elsewhere(house: House) -> None:
    for path in ("/tournaments", "/tournaments/t07-mfrggzdfmztwq2lknnwg"):
        with house.visitor.get(path) as page:
            assert page.mimetype == "text/html"
            assert "default-src 'none'" in page.headers["Content-Security-Policy"]
            for name in re.findall(r'(?:src|href)="/(static/[^"]+)"', page.get_data(as_text=True)):
                with house.visitor.get(f"/{name}") as file:
                    assert file.status_code == 200
                    hosts = re.findall(r"https?://[^/\"'`]+", file.get_data(as_text=True))
                    assert {*hosts} <= {"http://www.w3.org"}, "names of XML, and no address"


def test_nothing_comes_after_the_newest_event(house: House, host: Person, runtime: Runtime) -> None:
    made = opened(host, format={"type": "round_robin", "games": 6})
    for over in (False, True):
        if over:
            finish(runtime, made)
        version = data(house.visitor.get(url_of(made)))["version"]
        for after in (version + 1, version + 10**14):
            page = data(house.visitor.get(f"{url_of(made)}/events?after={after}"))
            assert (page["version"], page["events"], page["next_after"]) == (version, [], None)
            url = f"{url_of(made)}/stream"
            for query, headers in ((f"?after={after}", {}), ("", {"Last_Event_ID": str(after)})):
                with streaming(house.visitor, url + query, **headers) as stream:
                    assert stream.message().startswith("retry: ")
                    assert stream.message() == f'event: rewound\ndata: {{"version":{version}}}'
