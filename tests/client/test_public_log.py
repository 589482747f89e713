"""The room of the public log: what it shows of a real log, and what it notices."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import lonja_client
import pytest
from playwright.sync_api import Browser, expect

from tests.client.looks import SOME, Look
from tests.client.test_axe import judge
from tests.client.visitors import Visitor
from tests.faults.people import Client
from tests.service.cli.audited import Place, place_in

ME = {"holder": "me"}
REPLACED = "NOT the log"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, redis_binary: Path | None) -> Iterator[Place]:
    with place_in(tmp_path_factory.mktemp("logged"), redis_binary) as found:
        for _ in range(150):  # more entries than a bundle has
            found.play(found.open(), 1)
        found.build()
        yield found


@pytest.fixture
def visitor(browser: Browser, place: Place) -> Iterator[Visitor]:
    port = urlsplit(place.url).port
    assert port is not None
    with Visitor.at(browser, port, locale="en-GB") as found:
        yield found


def rows(visitor: Visitor, section: str) -> list[str]:
    found = visitor.page.locator(f"section[aria-labelledby={section}] tbody tr")
    found.first.wait_for()
    return found.all_inner_texts()


def test_it_shows_the_log_and_ones_own_games(visitor: Visitor, place: Place) -> None:
    with lonja_client.Client(place.url) as anybody, anybody.sign_up("Ana") as ana:
        public = ana.open("sealed", [ME, ME]).id
        private = ana.open("sealed", [ME, ME], table={"visibility": "private"}).id
        place.build()
        visitor.come_as(Client(visitor.port, str(ana.key), ana.player_id))
    visitor.go("/log")
    (own,) = [row for row in rows(visitor, "yours") if public in row]
    assert "up to event" in own
    (hidden,) = [row for row in rows(visitor, "yours") if private in row]
    assert "pseudonym" in hidden
    newest = rows(visitor, "newest")
    assert len(newest) == 20
    assert any(public in row for row in newest)
    assert not any(private in row for row in newest)
    assert "Nobody but the operator" in visitor.page.locator("main").inner_text()
    status = visitor.page.locator(".public-log [role=status]")
    expect(status).to_contain_text("has not seen the log before")
    # It grows across the end of a bundle.
    for _ in range(110):
        place.play(place.open(), 1)
    place.build()
    visitor.go("/log")
    expect(status).to_contain_text("It begins with all")


def test_a_log_that_was_replaced_is_noticed(
    visitor: Visitor, place: Place, tmp_path: Path, redis_binary: Path | None
) -> None:
    copy = place.copy(tmp_path / "copy")
    visitor.go("/log")
    rows(visitor, "newest")
    place.play(place.open(), 1)
    place.build()
    honest = tmp_path / "honest"
    shutil.copytree(place.log, honest)
    visitor.go("/log")
    rows(visitor, "newest")
    with place_in(copy, redis_binary, serves=False) as fork:
        for _ in range(3):
            fork.play(fork.open(), 1)
        fork.build()
    alert = visitor.page.locator(".public-log [role=alert]")
    try:
        shutil.rmtree(place.log)
        shutil.copytree(fork.log, place.log)
        visitor.go("/log")
        expect(alert).to_contain_text(REPLACED)
        judge(visitor.page, "/log, replaced")
    finally:
        shutil.rmtree(place.log)
        shutil.copytree(honest, place.log)
    visitor.go("/log")  # what was seen first still counts
    expect(visitor.page.locator(".public-log [role=status]")).to_contain_text("It has the")


@pytest.mark.parametrize("look", SOME, ids=str)
def test_axe_finds_nothing(browser: Browser, place: Place, look: Look) -> None:
    port = urlsplit(place.url).port
    assert port is not None
    with Visitor.at(browser, port, **look.context) as visitor:
        visitor.go("/log")
        rows(visitor, "newest")
        judge(visitor.page, look)
        wider = "document.documentElement.scrollWidth - innerWidth"
        assert visitor.page.evaluate(wider) <= 0


def test_a_service_may_have_none(browser: Browser, place: Place) -> None:
    port = urlsplit(place.url).port
    assert port is not None
    checkpoint = place.log / "public/checkpoint"
    kept = checkpoint.read_bytes()
    checkpoint.unlink()
    try:
        with Visitor.at(browser, port, locale="es-ES") as visitor:
            visitor.go("/log")
            expect(visitor.page.locator("main")).to_contain_text("no lleva un registro público")
            visitor.faults.clear()  # the browser tells that there is no such file
    finally:
        checkpoint.write_bytes(kept)
