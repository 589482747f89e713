"""Paths outside of ``/v1``: the documents, the pages and the metrics."""

import base64
import gzip
import hashlib
import os
import re
import signal
import time

import pytest
import yaml
from flask import Flask
from redis import Redis

from service.api import openapi
from service.api.app import create_app
from service.redis.server import RedisServer
from service.runtime import Runtime, open_runtime
from service.settings import load
from service.upkeep import survey
from tests.faults.conftest import kill_redis
from tests.service.api.people import SCRAPER, House, Person, data, problem

DOCUMENTS = ("/openapi.json", "/openapi.yaml")
PAGES = ("/docs", "/tournaments", "/games/x", "/lobby", "/static/page.css")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_a_document_is_made_once_and_sent_when_it_is_news(
    house: House, runtime: Runtime, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = house.visitor.get(path, Accept_Encoding="br;q=0, gzip;q=0")
    assert first.status_code == 200
    assert "Content-Encoding" not in first.headers
    if path == "/openapi.json":
        other = House(create_app(runtime)).visitor.get(path)
        assert other.data == first.data, "all processes send the same"
        assert other.headers["ETag"] == first.headers["ETag"]
    monkeypatch.setattr(openapi, "_finish", None)
    monkeypatch.setattr(openapi, "to_yaml", None)
    assert house.visitor.get(path).data == first.data
    assert house.client.head(path).headers["Content-Length"] == str(len(first.data))
    small = house.visitor.get(path, Accept_Encoding="gzip")
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == first.data
    assert 5 * len(small.data) < len(first.data)
    assert first.headers["Vary"] == small.headers["Vary"] == "Accept-Encoding"
    assert first.headers["ETag"] != small.headers["ETag"], "a strong ETag stands for the bytes"
    for answer, coding in ((first, "identity"), (small, "gzip")):
        tag = answer.headers["ETag"]
        same = house.visitor.get(path, Accept_Encoding=coding, If_None_Match=tag)
        assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)


def test_the_yaml_is_the_same_without_libyaml(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    class Pure(openapi.Blocks, yaml.SafeDumper):
        pass

    found = openapi.of(app).value["components"]["schemas"]["Problem"]
    made = openapi.to_yaml(found)
    monkeypatch.setattr(openapi, "_Dumper", Pure)
    assert openapi.to_yaml(found) == made


def test_all_but_health_counts_against_the_limit(
    redis_server: RedisServer, redis_client: Redis
) -> None:
    paths = ["/openapi.json", *PAGES, "/metrics", "/", "/nothing"]
    environ = {"REDIS_URL": redis_server.url, "LONJA_RATE_LIMIT": f"{len(paths)} per minute"}
    house = House(create_app(open_runtime(load(environ))))
    for left, path in enumerate(reversed(paths)):
        answer = house.visitor.get(path)
        assert answer.status_code in {200, 404}
        assert answer.headers["RateLimit-Remaining"] == str(len(paths) - left - 1)
    for path in (*paths, "/openapi.yaml"):
        answer = house.visitor.get(path)
        problem(answer, 429, "rate_limited")
        assert "Retry-After" in answer.headers
    for health in ("/healthz", "/readyz"):
        assert data(house.visitor.get(health))["status"] == "ok"


def test_the_path_of_a_view_can_be_built(app: Flask) -> None:
    """No view builds one, so the functions that do are compiled only here."""
    urls = app.url_map.bind("")
    assert urls.build("guides.guide", {"name": "api/play"}) == "/docs/api/play"
    assert urls.build("guides.guide", {"name": "api", "a": "b"}) == "/docs/api?a=b"


def test_pages_and_metrics_need_no_redis(house: House, redis_server: RedisServer) -> None:
    kill_redis(redis_server)
    for path in ("/", "/openapi.json", *PAGES, "/metrics"):
        assert house.visitor.get(path, **SCRAPER).status_code == 200, path
    problem(house.visitor.get("/v1/rulesets"), 503, "store_unavailable")


def test_the_page_that_checks_records_may_load_nothing(house: House) -> None:
    page = house.visitor.get("/verify.html")
    assert page.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    (policy,) = re.findall('Content-Security-Policy" content="([^"]*)"', page.text)
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (inline,) = re.findall(f"<{tag}>(.*)</{tag}>", page.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert house.visitor.get("/static/verify.mjs").content_type.startswith("text/javascript")


def test_the_service_worker_is_asked_for_each_time_and_reaches_this_service_alone(
    house: House,
) -> None:
    worker = house.visitor.get("/worker.js")
    assert worker.headers["Cache-Control"] == "no-cache"
    assert worker.content_type.startswith("text/javascript")
    assert "default-src 'none'" in worker.headers["Content-Security-Policy"]
    assert "connect-src 'self'" in worker.headers["Content-Security-Policy"]
    page = house.visitor.get("/lobby")
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    (manifest,) = re.findall('rel="manifest" href="([^"]*)"', page.text)
    assert house.visitor.get(manifest).content_type.startswith("application/manifest+json")


def test_a_store_that_hangs_does_not_blind_who_scrapes(
    house: House, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(survey, "EVERY_SECONDS", 0.0)
    assert "lonja_store_up 1.0" in house.visitor.get("/metrics", **SCRAPER).text
    os.kill(redis_server.pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        answer = house.visitor.get("/metrics", **SCRAPER)
        assert time.monotonic() - began < 8  # Prometheus waits for ten seconds
        assert answer.status_code == 200
        assert "lonja_store_up 0.0" in answer.text
        assert "RateLimit-Limit" not in answer.headers
    finally:
        os.kill(redis_server.pid, signal.SIGCONT)


def test_metrics_are_for_those_who_have_the_token(house: House, redis_server: RedisServer) -> None:
    with_token = house.visitor.get("/metrics", **SCRAPER)
    assert with_token.status_code == 200
    assert "lonja_http_requests_total" in with_token.text
    for given in (
        "",
        "Bearer ",
        "Bearer for-the-scraper-alon",
        "Bearer é",
        SCRAPER["Authorization"][7:],
    ):
        answer = house.visitor.get("/metrics", Authorization=given)
        told = problem(answer, 401, "token_required")
        assert "lonja_" not in str(told["detail"])
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    problem(house.visitor.get("/metrics"), 401, "token_required")
    without = House(create_app(open_runtime(load({"REDIS_URL": redis_server.url}))))
    problem(without.visitor.get("/metrics"), 404, "not_found")
    problem(without.visitor.get("/metrics", Authorization="Bearer None"), 404, "not_found")


def test_no_answer_may_be_taken_for_something_else(house: House) -> None:
    ana = house.player()
    url = house.table(ana, house.player())
    body = {"ruleset": "sealed", "seats": 2, "entries": [{"bot": "greedy"}, {"bot": "random"}]}
    cup = ana.post("/v1/tournaments", {**body, "format": {"type": "round_robin", "games": 2}})
    cup_url = cup.headers["Location"]
    visited: list[tuple[Person, str]] = [
        (house.visitor, path)
        for path in (
            "/openapi.json",
            *PAGES,
            "/",
            "/metrics",
            "/nothing",
            "/healthz",
            "/v1/rulesets",
        )
    ]
    below = ("ratings.svg", "ranks.svg", "events", "report", "games")
    visited += [(ana, f"{cup_url}/{name}") for name in below]
    visited += [(ana, f"{url}/{name}") for name in ("state", "events", "log", "head", "moves")]
    for person, path in visited:
        with person.get(path) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff", path
            again = {"If_None_Match": answer.headers.get("ETag", "x")}
        with person.get(path, **again) as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff", path
    with ana.get(f"{url}/stream") as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
