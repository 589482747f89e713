"""The page brings entropy by itself, and a closed tab aborts no game."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, Route, expect

from service.cli import main
from tests.client.conftest import Service
from tests.client.services import EXTRA
from tests.client.test_play import open_table
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import wait_for
from tests.service.verifier.programs import codes, reports

KEPT = "Object.keys(localStorage).filter(name => name.startsWith('lonja:entropy:')).length"
HELD = "async commitment => localStorage['lonja:entropy:' + commitment] !== undefined"
OPENING, REVEAL = "**/v1/games", "**/entropy"


def opening(page: Page, handle: Callable[[Route, Json], None]) -> None:
    """Call a handler for each request that opens a table, with the body of the request."""

    def asked(route: Route) -> None:
        if route.request.method == "POST":
            handle(route, json.loads(route.request.post_data or ""))
        else:
            route.continue_()

    page.route(OPENING, asked)


def kept(page: Page) -> int:
    """Return the number of commitments whose entropy this browser still has."""
    found: int = page.evaluate(KEPT)
    return found


def notes(service: Service, game: str, folder: Path) -> tuple[str, set[str]]:
    """Return `lonja verify`'s notes on a game's record, and the codes of the other verifier."""
    record = folder / "game.ndjson"
    url = f"http://127.0.0.1:{service.port}"
    command = CliRunner(env=EXTRA)
    done = command.invoke(main, ["export", game, "--url", url, "--output", str(record)])
    assert done.exit_code == 0, done.output
    done = command.invoke(main, ["verify", str(record)])
    assert done.exit_code == 0, done.output
    return done.output, codes(reports(folder, [record.read_bytes()])[0])


def test_a_game_of_play_now_has_luck_that_nobody_chose(
    visitor: Visitor, service: Service, tmp_path: Path
) -> None:
    """The page stores the bytes before it sends the commitment, so a lost answer loses nothing."""
    page, sent = visitor.page, list[Json]()

    def lose_the_first_answer(route: Route, body: Json) -> None:
        sent.append(body)
        assert page.evaluate(HELD, body["seats"][0]["entropy_commitment"])
        if len(sent) == 1:
            route.fetch()
            route.abort("aborted")
        else:
            route.continue_()

    opening(page, lose_the_first_answer)
    open_table(visitor, "Pig")
    visitor.wait()
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert len(visitor.client().get("/v1/games?player=me")["games"]) == 1
    expect(page.locator("[data-entropy=given]")).to_contain_text("was given by Guest")
    assert kept(page) == 0  # the commitment is revealed, so the page deletes the bytes
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.locator(".table")).to_have_attribute("data-status", "ended")
    told, findings = notes(service, visitor.game, tmp_path)
    assert f"Entropy was given by seat 0 (player {visitor.client().id})." in told
    assert "could have chosen" not in told
    assert "entropy_given" in findings
    assert "no_entropy" not in findings

    page.unroute(OPENING)
    first = visitor.game
    page.get_by_role("button", name="Play again").click()
    page.wait_for_function("first => !location.pathname.endsWith(first)", arg=first)
    visitor.wait()
    again = visitor.client().get(f"/v1/games/{visitor.game}")
    assert again["table"]["rematch_of"] == first
    assert again["seats"][1]["entropy"]["revealed"]


@pytest.mark.parametrize("stays", ["reloaded", "elsewhere", "closed"])
def test_who_leaves_before_the_reveal_comes_back_or_not(
    browser: Browser, service: Service, stays: str
) -> None:
    """The page reveals after a reload, and in any other room; else the game starts without it."""
    with Visitor.at(browser, service.port) as ana:
        page, closes = ana.page, stays == "closed"
        seconds = 1 if closes else 60
        opening(page, lambda route, body: route.continue_(
            post_data=json.dumps({**body, "entropy_seconds": seconds})
        ))  # fmt: skip
        page.route(REVEAL, lambda route: route.abort("aborted") if closes else None)
        ana.go("/")
        card = page.get_by_role("listitem").filter(has_text="Pig")
        with page.expect_request(REVEAL):
            card.get_by_role("button", name="Play now").click()
        client = ana.client()
        (game,) = client.get("/v1/games?player=me")["games"]
        if closes:
            page.close()
        else:
            assert game["status"] == "closed"
            assert kept(page) == 1
            page.unroute_all(behavior="ignoreErrors")
            ana.go("/rules" if stays == "elsewhere" else f"/games/{game['id']}")

        def started() -> bool:
            return bool(client.get(f"/v1/games/{game['id']}")["status"] == "running")

        wait_for(started)
        seat = client.get(f"/v1/games/{game['id']}")["seats"][0]["entropy"]
        assert (seat["revealed"] is None) == closes
        if closes:
            with Visitor.at(browser, service.port) as other:  # as on another device
                other.sit(client)
                other.go(f"/games/{game['id']}")
                other.wait()
                expect(other.page.locator("[data-entropy=given]")).to_contain_text(
                    "not given in time"
                )


def test_two_tabs_and_a_guest_who_withholds(browser: Browser, service: Service) -> None:
    guest = Client(service.port).player("Bea")
    with Visitor.at(browser, service.port, locale="es-ES") as ana:
        page = ana.page
        opening(page, lambda route, body: route.continue_(
            post_data=json.dumps({**body, "entropy_seconds": 5})
        ))  # fmt: skip
        ana.go("/lobby#pig")
        form = page.locator("form.form").filter(has=page.locator(".seats-form"))
        form.locator(".seats-form select").nth(1).select_option("open")
        form.get_by_label("Se pueden pedir pistas a un bot").check()
        form.locator("button[type=submit]").click()
        page.wait_for_selector("[data-entropy=brought]")
        second = page.context.new_page()
        second.goto(page.url)
        second.wait_for_selector("[data-entropy=brought]")
        url = f"/v1/games/{ana.game}"
        assert guest.get(url)["hints"], "as the form says, and the guest sees before sitting down"
        assert guest.ask("PUT", f"{url}/seats/1", {"entropy_commitment": "00" * 32}).status == 200
        for tab in (page, second):
            expect(tab.locator("[data-entropy=revealed]")).to_contain_text("ha aportado entropía")
            expect(tab.locator("[data-entropy=awaited]")).to_contain_text("se espera su entropía")
        for tab in (page, second):
            tab.wait_for_selector(".board-sheet")
            expect(tab.locator("[data-entropy=given]")).to_contain_text(
                "no la aportaron a tiempo: Bea"
            )
        assert [seat["entropy"]["revealed"] is None for seat in guest.get(url)["seats"]] == [
            False,
            True,
        ]
