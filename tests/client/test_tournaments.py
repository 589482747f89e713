"""Tournaments on the page, for hosts and for spectators."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.client.conftest import Service
from tests.client.test_axe import judge
from tests.client.test_records import checked, proved, saved
from tests.client.visitors import Visitor
from tests.faults.people import Client, Json
from tests.running import wait_for

SEATS: Json = {"ruleset": "pig", "seats": 2, "options": {"target": 20}}
BOTS = [{"bot": "greedy"}, {"bot": "random"}, {"bot": "random"}]


def hold(client: Client, **more: Any) -> Json:
    return client.post("/v1/tournaments", {**SEATS, "entries": BOTS, **more})


def be(visitor: Visitor, name: str) -> Client:
    """Log the visitor in as an existing player; return the player's client."""
    client = Client(visitor.port).player(name)
    known = json.dumps({"id": client.id, "name": name, "key": client.key})
    visitor.page.add_init_script(f"localStorage['lonja:identity'] = {json.dumps(known)}")
    return client


@pytest.fixture(scope="module")
def ended(service: Service) -> Json:
    """The report of a finished tournament, with bands."""
    client = Client(service.port).player("Eva")
    made = hold(client, format={"type": "round_robin", "games": 24})
    path = f"/v1/tournaments/{made['id']}/report"
    wait_for(lambda: client.get(path)["samples"], seconds=90)
    return client.get(path)


def test_a_tournament_is_saved_and_checked_in_place(
    visitor: Visitor, ended: Json, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, name = visitor.page, ended["id"]
    visitor.go(f"/tournaments/{name}")
    page.get_by_role("button", name="Check this tournament").click()
    verdict = page.locator("[data-checked]")
    expect(verdict).to_have_attribute("data-checked", "sound")
    command = f"lonja tournament export {name} --url {visitor.url} --output - | lonja verify -"
    expect(verdict.locator("code").first).to_have_text(command)
    judge(page, "a verdict")
    path = saved(page, "Save the record", tmp_path / "cup.ndjson")
    assert checked(page, visitor.url, path) == "sound"
    assert "Every check passed." in proved(path, monkeypatch)


def test_a_tournament_that_goes_on_is_open(visitor: Visitor, service: Service) -> None:
    owes = [{"bot": "greedy", "entropy_commitment": "ab" * 32}, {"bot": "random"}]
    eva = Client(service.port).player("Eva")
    made = hold(eva, entries=owes, format={"type": "round_robin", "games": 2})
    visitor.go(f"/tournaments/{made['id']}#check")
    verdict = visitor.page.locator("[data-checked]")
    expect(verdict).to_have_attribute("data-checked", "open")
    expect(verdict.locator("h3")).to_contain_text("Open: the tournament goes on")


def test_a_tournament_is_held_from_the_page_and_followed_to_its_end(visitor: Visitor) -> None:
    page = visitor.page
    visitor.go("/tournaments")
    page.locator("summary", has_text="Hold a tournament").click()
    form = page.locator("form.hold")
    form.locator("select").first.select_option("pig")
    form.get_by_role("button", name="Add an entry").click()
    form.get_by_label("Name in the table").nth(2).fill("late")
    form.get_by_label("Games, at least").fill("0")
    expect(form.get_by_role("alert")).to_contain_text("games")
    visitor.faults.clear()  # the preview was refused
    form.get_by_label("Games, at least").fill("11")
    expect(form.get_by_role("status")).to_contain_text("12 games: 6 blocks of 2")
    form.get_by_label("What others see").first.fill("<b>Spring</b> cup")
    form.get_by_role("button", name="Hold it").click()
    page.wait_for_url("**/tournaments/t*")
    expect(page.locator("h1")).to_have_text("<b>Spring</b> cup")  # a name is text, never HTML
    expect(page.locator(".cup")).to_have_attribute("data-status", "ended", timeout=60_000)
    expect(page.locator(".cup-head")).to_contain_text("12 of 12 games")
    entries = page.locator(".standings-grid tbody th")
    expect(entries.filter(has_text="late")).to_be_visible()
    streams = [url for url in visitor.asked if "/stream" in url]
    assert len(streams) <= 1, "one stream tells what has changed, however many boards there are"


def test_the_room_tells_what_the_report_does(visitor: Visitor, ended: Json) -> None:
    page = visitor.page
    visitor.go(f"/tournaments/{ended['id']}")
    page.wait_for_selector(".standings-grid")
    rows = page.locator(".standings-grid tbody tr").all_inner_texts()
    for row, shown in zip(ended["table"], rows, strict=True):
        assert row["entry"] in shown.split()
        figures = [float(figure) for figure in re.findall(r"\b\d\.\d{3}\b", shown)]
        assert figures == pytest.approx([row["points_per_game"], *row["points_band"]], abs=6e-4)
    first, second = (row["entry"] for row in ended["table"][:2])
    names = [entry["name"] for entry in ended["plan"]["entries"]]
    met = ended["cross_table"][names.index(first)][names.index(second)]
    cell = page.locator(".cross-grid tbody tr").first.locator("td").nth(1)
    expect(cell).to_have_text(f"{met['ahead']:g} / {met['games']}")
    expect(page.locator(".chart svg[role=img]")).to_have_count(4)
    chart = page.locator(".chart", has_text="How often each entry came")
    chart.locator("summary").click()
    for row in ended["table"]:
        counted = chart.get_by_role("row", name=row["entry"]).get_by_role("cell")
        assert counted.all_inner_texts() == [str(count) for count in row["ranks"]]

    expect(page.locator(".small-game [data-piece]").first).to_be_attached()
    assert 1 <= page.locator(".small-game").count() <= 4
    last = page.locator(".round[open]")
    last.locator(".games-of summary").first.click()
    last.locator(".game-list a").first.click()
    expect(page.locator(".table")).to_have_attribute("data-status", "ended")
    page.get_by_role("link", name="A game of a tournament").click()
    expect(page.locator(".cup")).to_have_attribute("data-status", "ended")


@pytest.mark.parametrize(
    ("language", "theme"),
    [
        ("en-GB", "light"),
        pytest.param("es-ES", "dark", marks=pytest.mark.campaign("client")),
    ],
)
def test_nothing_keeps_anybody_out(
    browser: Browser, service: Service, ended: Json, language: str, theme: str
) -> None:
    with Visitor.at(browser, service.port, locale=language, color_scheme=theme) as visitor:
        visitor.go(f"/tournaments/{ended['id']}")
        expect(visitor.page.locator(".small-game [data-piece]").first).to_be_attached()
        judge(visitor.page, visitor.page.url)
        visitor.go("/tournaments")
        visitor.page.locator("summary.button").click()
        visitor.page.wait_for_selector(".preview")
        judge(visitor.page, visitor.page.url)


def test_a_host_pauses_goes_on_and_cancels_and_nobody_else_can(
    browser: Browser, service: Service, visitor: Visitor
) -> None:
    host = be(visitor, "Ana")
    made = hold(host, name="Long", format={"type": "round_robin", "games": 90_000})
    page = visitor.page
    visitor.go(f"/tournaments/{made['id']}")
    cup = page.locator(".cup")
    expect(cup).to_have_attribute("data-status", "running")
    page.get_by_role("button", name="Pause").click()
    expect(cup).to_have_attribute("data-status", "paused")
    page.get_by_role("button", name="Go on").click()
    expect(cup).to_have_attribute("data-status", "running")
    with Visitor.at(browser, service.port) as stranger:
        stranger.go("/")
        stranger.page.get_by_role("link", name="Long").click()
        other = stranger.page.locator(".cup")
        expect(other).to_have_attribute("data-status", "running")
        assert stranger.page.get_by_role("button", name="Pause").count() == 0

        page.get_by_role("button", name="Cancel for good").click()
        page.get_by_label("Why").fill("a bot was broken")
        page.get_by_role("button", name="Yes, cancel it").click()
        for watched in (cup, other):  # the stream tells the other visitor
            expect(watched).to_have_attribute("data-status", "cancelled", timeout=30_000)
            expect(watched).to_contain_text("a bot was broken")
    assert page.get_by_role("button", name="Cancel for good").count() == 0
    visitor.go("/tournaments")
    page.get_by_role("button", name="Mine alone").click()
    expect(page.locator(".cups li")).to_have_count(1)
    expect(page.locator(".cups li")).to_contain_text("cancelled")


def test_a_knockout_has_a_bracket(browser: Browser, service: Service) -> None:
    client = Client(service.port).player("Bea")
    entries = [{"bot": "greedy"}, *[{"bot": "random"}] * 4]
    made = hold(client, entries=entries, format={"type": "knockout", "blocks": 2})
    path = f"/v1/tournaments/{made['id']}"
    wait_for(lambda: client.get(path)["status"] == "ended", seconds=60)
    last = client.get(path)["version"]

    def is_final() -> bool:
        report = client.get(f"{path}/report")
        return bool(report["samples"]) and report["as_of"]["version"] == last

    wait_for(is_final, seconds=60)  # until then, the leaders are those of an earlier report
    screen = {"width": 360, "height": 800}
    with Visitor.at(
        browser, service.port, locale="es-ES", color_scheme="dark", viewport=screen
    ) as visitor:
        page = visitor.page
        visitor.go(f"/tournaments/{made['id']}")
        won = page.locator(".bracket .pairing li", has=page.get_by_text("gana el torneo"))
        leaders = client.get(path)["leaders"]
        assert leaders
        expect(won).to_have_count(len(leaders))  # two entries with equal results both win
        for leader in leaders:
            named = won.filter(has_text=re.compile(rf"^{re.escape(leader)} ▸"))
            expect(named).to_have_count(1)
        rounds = client.get(f"{path}/rounds")["rounds"]
        expect(page.locator(".bracket > li")).to_have_count(len(rounds))
        expect(page.locator(".match")).to_have_count(
            sum(len(one["tables"]) + len(one["byes"]) for one in rounds)
        )
        expect(page.locator(".small-game [data-piece]").first).to_be_attached()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.set_viewport_size({"width": 1400, "height": 800})
        page.wait_for_function("document.documentElement.scrollWidth <= 1400")


def test_a_tournament_that_is_not_there(visitor: Visitor) -> None:
    visitor.go("/tournaments/t07-mfrggzdfmztwq2lknnwg")
    expect(visitor.page.get_by_role("alert")).to_contain_text("there is no tournament")
    visitor.faults.clear()


def test_a_players_page_has_games_and_ratings(visitor: Visitor) -> None:
    ana = Client(visitor.port).player("Ana")
    ben = Client(visitor.port, address="127.0.0.2").player("Ben")
    seats = [{"holder": "me"}, {"holder": "open"}]
    rated = ana.post("/v1/games", {"ruleset": "pig", "seats": seats, "table": {"rated": True}})
    hidden = ana.post(
        "/v1/games",
        {"ruleset": "pig", "seats": seats, "table": {"visibility": "unlisted", "title": "Secret"}},
    )
    game = f"/v1/games/{rated['id']}"
    assert ben.ask("PUT", f"{game}/seats/1", {}).status == 200
    for seat, player in enumerate((ana, ben)):  # default moves end the game
        player.post(f"{game}/resignations", {"seat": seat})
    wait_for(lambda: ana.get(game)["seats"][0].get("rating") is not None, seconds=60)

    page = visitor.page
    visitor.go(f"/players/{ben.id}")
    (rating,) = ben.get(f"/v1/players/{ben.id}")["ratings"]
    panel = page.locator(".rating")
    expect(panel).to_contain_text(f"{rating['rating']:.0f} ± {2 * round(rating['deviation'])}")
    panel.locator("summary").click()
    figures = panel.get_by_role("row").last
    expect(figures).to_contain_text(f"{rating['rating']:,.0f}")
    standings = ben.get(game)["result"]["standings"]
    rank = next(standing["rank"] for standing in standings if standing["side"] == "seat:1")
    expect(page.locator(".rows li")).to_contain_text(f"{rank}. of 2")
    judge(page, page.url)
    page.get_by_role("button", name="Games being played").click()
    expect(page.locator(".rows li")).to_have_count(0)
    visitor.go(f"/players/{ana.id}")
    expect(page.locator(".rows li")).to_have_count(1)  # the list contains no unlisted game
    assert hidden["id"] not in page.content()


def test_a_host_takes_an_entry_out(visitor: Visitor, service: Service) -> None:
    made = hold(be(visitor, "Ida"), luck="game", format={"type": "round_robin", "games": 5_000})
    page = visitor.page
    visitor.go(f"/tournaments/{made['id']}")
    expect(page.get_by_text("Each game has luck of its own")).to_be_visible()
    entries = page.get_by_label("An entry that plays no more")
    entries.select_option("random-2")
    page.get_by_role("button", name="Take it out").click()
    expect(page.get_by_text("random-2 was withdrawn")).to_be_visible()
    expect(entries.locator("option")).to_have_text(["greedy", "random-1"])
    expect(entries).to_have_value("0")
    page.get_by_role("button", name="Cancel for good").click()
    page.get_by_role("button", name="Yes, cancel it").click()
