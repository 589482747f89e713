"""The kit on a page of another origin, under the policy of its guide: `docs/api/embed.md`."""

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from functools import partial
from html import escape
from pathlib import Path

import brotli  # type: ignore[import-untyped]  # has no types
import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from rules.registry import PACKAGES
from service.version import VERSION
from tests.campaigns import Figure
from tests.client.conftest import Service
from tests.client.embedding import SERVICE, Guest, block
from tests.client.positions import Tables
from tests.client.robots import Keys, Pointer, Robot, play_to_the_end
from tests.client.test_take_back import plays
from tests.client.visitors import pieces, places
from tests.faults.people import Client
from tests.running import wait_for
from tests.signing import SeatKey
from tools.kit import NODE, PACKAGE, build

GAMES = [package.removeprefix("rules.") for package in PACKAGES]
LIMIT = 41_200
"""Maximum compressed bytes that every page with the kit loads."""
IMPORTED = re.compile(r'(?:from|import)"\./([\w.-]+\.js)"')
"""What a built file imports at once."""
HEARD = """() => {
    window.heard = [];
    const game = document.querySelector('lonja-game');
    for (const type of ['turn', 'move', 'receipt', 'left', 'over', 'error'])
        game.addEventListener(type, ({detail}) => heard.push([type, detail]));
}"""


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    build(folder / "kit")
    return folder


def opened(port: int, ruleset: str, **more: object) -> tuple[Client, str]:
    """Open a table against bots; return its player and its id."""
    player = Client(port).player()
    summary = player.get(f"/v1/rulesets/{ruleset}")
    bots = [{"holder": "bot", "bot": "random"}] * max(1, summary["min_seats"] - 1)
    seats = [{"holder": "me"}, *bots]
    return player, str(player.post("/v1/games", {"ruleset": ruleset, "seats": seats, **more})["id"])


def pages(service: str, game: str, tag: str | None = None) -> dict[str, str]:
    """Return the guide's page and its script, for a game of a service."""
    html = block("html").replace(SERVICE, service).replace('game="GAME"', f'game="{game}"')
    if tag is not None:
        before, _, rest = html.partition("<lonja-game ")
        html = before + tag + rest.partition("</lonja-game>")[2]
        html = html.replace('<script type="module" src="night.js"></script>', "")
    return {"/": html, "/night.js": block("js")}


def play(guest: Guest, robot: Robot, player: Client, game: str) -> int:
    guest.player, guest.table = player, game
    made = player.post(f"/v1/games/{game}/seats/0/keys", {"name": "page"})
    guest.page.goto(f"{guest.origin}/#key={made['key']}")
    guest.page.evaluate(HEARD)
    moves = play_to_the_end(guest, robot)
    heard = guest.page.evaluate("heard.map(([type]) => type)")
    assert heard.count("receipt") == moves
    assert heard.count("turn") in {moves - 1, moves}, "the first may have come before"
    assert heard.count("over") == 1
    assert "error" not in heard
    return moves


@pytest.mark.parametrize(
    "visibility", [pytest.param("public", marks=pytest.mark.campaign("embed")), "private"]
)
def test_a_game_of_data_on_a_page_of_another_origin(
    browser: Browser, service: Service, kit: Path, visibility: str
) -> None:
    """The page has a key for the seat, which expires with the game; no request of it is refused."""
    table = {"visibility": visibility}
    player, game = opened(service.port, "pig", options={"target": 20}, table=table)
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        play(guest, Keys(guest, 1), player, game)
        expect(guest.page.get_by_role("status").last).to_contain_text("seat:0")
        assert not [url for url in guest.asked if "/renderer" in url], "it is code of the service"
        shown = guest.page.locator("lonja-game .ranks")
        scores = [row["text"] for row in player.get(f"/v1/games/{game}")["standings"]]
        for score in scores:
            expect(shown).to_contain_text(score.split()[0])


def test_a_decision_that_is_open_once_more_is_a_new_turn(
    browser: Browser, service: Service, kit: Path
) -> None:
    """After the seat has taken back its move; the page hears of both turns."""
    ana, bea = (Client(service.port).player(name) for name in ("Ana", "Bea"))
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = {"ruleset": "santiago_de_cuba", "seats": seats, "take_back": True}
    game = str(ana.post("/v1/games", table)["id"])
    path = f"/v1/games/{game}"
    assert bea.ask("PUT", f"{path}/seats/1").status == 200
    while ana.get(path)["decisions"][0]["seat"] == 1:
        plays(bea, path)
    key = ana.post(f"{path}/seats/0/keys", {"name": "page"})["key"]
    (decision,) = ana.get(path)["decisions"]
    told = "heard.filter(([type]) => type === 'turn').map(([, {decision}]) => decision.id)"

    def heard(count: int) -> bool:
        """Whether the decision came so often.

        Its first turn may come before or after the page listens, and the decision that is open
        between move and take-back may be told or not.
        """
        return int(guest.page.evaluate(told).count(decision["id"])) >= count

    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        guest.page.goto(f"{guest.origin}/#key={key}")
        expect(guest.page.locator("lonja-game [data-target]").first).to_be_visible()
        guest.page.evaluate(HEARD)
        for count in (1, 2):
            plays(ana, path)
            to = ana.get(f"{path}/state?seat=0")["ways_back"][-1]
            ana.post(f"{path}/take_backs", {"seat": 0, "to": to})
            wait_for(partial(heard, count))


def alone(port: int, visibility: str) -> tuple[Client, str]:
    """Open a table at which one player has all three seats; return the player and its id."""
    player = Client(port).player()
    seats = [{"holder": "me"}] * 3
    asked = {"ruleset": "pig", "seats": seats, "options": {"target": 20}}
    made = player.post("/v1/games", {**asked, "table": {"visibility": visibility}})
    return player, str(made["id"])


def move_on(player: Client, game: str) -> None:
    """Play a move for a seat that has not resigned; the service moves for the others."""

    def asked() -> list[int]:
        found = player.get(f"/v1/games/{game}")["decisions"]
        return [decision["seat"] for decision in found if decision["seat"] > 0]

    wait_for(lambda: bool(asked()))
    (seat,) = asked()
    legal = player.get(f"/v1/games/{game}/legal_moves?seat={seat}")
    move = {"seat": seat, "move": legal["moves"][0]}
    player.post(f"/v1/games/{game}/moves", {**move, "expected_version": legal["version"]})


def sit_by_key(guest: Guest, player: Client, game: str) -> Locator:
    """Open the page with a key for the first seat; return the element when its board is there."""
    guest.player, guest.table = player, game
    made = player.post(f"/v1/games/{game}/seats/0/keys", {"name": "page"})
    guest.page.goto(f"{guest.origin}/#key={made['key']}")
    guest.page.evaluate(HEARD)
    element = guest.page.locator("lonja-game")
    expect(element.locator("[data-seat='0'] [data-target]")).not_to_have_count(0)
    return element


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_seat_that_resigns_elsewhere_looks_on_if_anybody_may(
    browser: Browser, service: Service, kit: Path, visibility: str
) -> None:
    """The key of the seat expires then; the page sends no request with it, so none is refused."""
    player, game = alone(service.port, visibility)
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        with guest.page.expect_response(re.compile("/stream[?]")):  # it may come too late
            element = sit_by_key(guest, player, game)
        version = player.post(f"/v1/games/{game}/resignations", {"seat": 0})["version"]
        reason, sentence = LEFT[visibility]
        expect(element.get_by_role("status")).to_have_text(sentence)
        expect(element.locator("[data-target]")).to_have_count(0)
        assert guest.page.evaluate("heard.filter(([type]) => type === 'left')") == [
            ["left", {"reason": reason}]
        ]
        move_on(player, game)
        if visibility == "public":
            guest.check_board()
            expect(element.locator("[data-seat=spectator]")).to_be_attached()
        else:
            last = element.locator(f"[data-shown='{version}'][data-newest='{version}']")
            expect(last.locator(".board")).to_be_visible()


LEFT: dict[str, tuple[str, str | re.Pattern[str]]] = {
    "public": ("resigned", "This seat has resigned. You look on."),
    "private": ("closed", re.compile("^This game is private, .* the last position that was seen")),
}


@pytest.mark.parametrize(("visibility", "act"), [("private", "end"), ("public", "resign")])
def test_a_stream_that_was_cut_when_its_key_ended(
    browser: Browser, service: Service, kit: Path, visibility: str, act: str
) -> None:
    player, game = alone(service.port, visibility)
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        guest.page.route("**/stream?*", lambda route: route.abort())
        element = sit_by_key(guest, player, game)
        expect(element.get_by_role("status")).to_contain_text("The connection is cut.")
        shown = element.locator(".table").get_attribute("data-shown")
        for seat in (0,) if act == "resign" else (0, 1, 2):
            player.post(f"/v1/games/{game}/resignations", {"seat": seat})
        if act == "end":
            wait_for(lambda: player.get(f"/v1/games/{game}")["status"] == "ended")
        guest.page.unroute("**/stream?*")
        expect(element.get_by_role("status")).to_have_text(LEFT[visibility][1])
        expect(element.get_by_role("alert")).to_have_count(0)
        expect(element.locator("[data-target]")).to_have_count(0)
        if visibility == "public":
            move_on(player, game)
            guest.check_board()
        else:
            expect(element.locator(f"[data-shown='{shown}'] .board")).to_be_visible()
        # The browser reports the interrupted stream, and the refusals after it.
        assert all(re.search("ERR_FAILED|40[134]", fault) for fault in guest.faults), guest.faults
        guest.faults.clear()


def test_a_key_that_is_deleted_is_named(browser: Browser, service: Service, kit: Path) -> None:
    player, game = alone(service.port, "private")
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        element = sit_by_key(guest, player, game)
        (key,) = (k for k in player.get("/v1/players/me/keys")["keys"] if k["scope"] == "seat")
        assert player.ask("DELETE", f"/v1/players/me/keys/{key['id']}").status < 300
        expect(element.get_by_role("alert")).to_contain_text("key")
        told = guest.page.evaluate("heard.filter(([type]) => type === 'error')")
        assert [detail["code"] for _, detail in told] == ["unknown_key"]
        guest.faults.clear()


STILL = (
    '<lonja-board ruleset="santiago_de_cuba" state="STATE" lang="es" theme="dark"></lonja-board>'
)
SHOWN = """() => {
    const root = document.querySelector('lonja-board').shadowRoot;
    const all = (what, name) => [...root.querySelectorAll(what)].map(name);
    return {
        places: all('[data-place]', ({dataset: {place, mat}}) =>
            mat === undefined ? `place:${place}` : `mat:${mat}:${place}`),
        pieces: all('[data-piece]', ({dataset}) => dataset.piece),
        targets: all('[data-target]', ({dataset}) => dataset.target),
    };
}"""


def test_a_still_board_asks_nobody(
    browser: Browser, service: Service, kit: Path, tables: Tables
) -> None:
    found = tables["santiago_de_cuba"]
    state = found.ana.get(f"/v1{found.path}/state")
    told = pages("", "", STILL.replace("STATE", escape(json.dumps(state))))
    with Guest.of(browser, service.port, kit, told) as guest:
        guest.page.goto(guest.origin)
        guest.page.locator("lonja-board .mats").wait_for()
        shown = guest.page.evaluate(SHOWN)
        board = found.ana.get("/v1/rulesets/santiago_de_cuba/board")
        view = state["state"]
        assert Counter(shown["places"]) == Counter(places(board, view))
        assert Counter(shown["pieces"]) == Counter(pieces(board, view))
        assert shown["targets"] == [], "nothing is to be chosen"
        expect(guest.page.locator("lonja-board [data-theme=dark][lang=es]")).to_have_count(1)
        expect(guest.page.get_by_role("heading", name="Tablero")).to_be_attached()
        guest.page.locator("lonja-board").evaluate("board => { board.names = ['Luz', 'Sol'] }")
        expect(guest.page.get_by_role("heading", name="Luz")).to_be_visible()
        assert [url for url in guest.asked if url.startswith(guest.url)] == []


@pytest.fixture(scope="module")
def other_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit that contains only Macao."""
    folder = tmp_path_factory.mktemp("page")
    build(folder / "kit", ["rules.macao"])
    return folder


@pytest.mark.parametrize("runs", [False, True], ids=["by data", "by its code"])
def test_code_of_a_service_runs_only_if_the_tag_says_so(
    browser: Browser, service: Service, tables: Tables, other_kit: Path, *, runs: bool
) -> None:
    game, url = tables["ragusa"].game, f"http://127.0.0.1:{service.port}"
    told = pages(url, game)
    if runs:
        told["/"] = told["/"].replace("<lonja-game ", '<lonja-game renderer="service" ')
    scripts = "'self' blob:" if runs else "'self'"
    with Guest.of(browser, service.port, other_kit, told, scripts) as guest:
        guest.page.goto(guest.origin)
        guest.page.locator("lonja-game .mats").wait_for()
        drawn = guest.page.locator("lonja-game svg [class^=ragusa]")
        assert (drawn.count() > 0) == runs, "no other drawing has its own classes"
        ran = [request for request in guest.asked if "/renderer" in request]
        assert len(ran) == (1 if runs else 0)
        assert guest.page.locator("lonja-game [data-place]").count() > 100


def forged(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=f"globalThis.ran = true;\n{answer.text()}")


def test_code_of_a_service_that_is_not_what_its_digest_says_never_runs(
    browser: Browser, service: Service, tables: Tables, other_kit: Path
) -> None:
    url = f"http://127.0.0.1:{service.port}"
    told = pages(url, tables["ragusa"].game)
    told["/"] = told["/"].replace("<lonja-game ", '<lonja-game renderer="service" ')
    with Guest.of(browser, service.port, other_kit, told, "'self' blob:") as guest:
        guest.page.route("**/renderer?*", forged)
        guest.page.goto(guest.origin)
        alert = guest.page.locator("lonja-game").get_by_role("alert")
        expect(alert).to_contain_text("is not what its digest says")
        assert not guest.page.evaluate("'ran' in globalThis")
        guest.faults.clear()  # the script of the guide has logged a warning about it
        guest.page.unroute("**/renderer?*")
        alert.get_by_role("button").click()
        expect(guest.page.locator("lonja-game .mats")).to_be_visible()


def test_what_goes_wrong_is_shown_and_told(browser: Browser, service: Service, kit: Path) -> None:
    player, game = opened(service.port, "pig", options={"target": 20})
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        guest.page.goto(guest.origin)
        element = guest.page.locator("lonja-game")
        expect(element.get_by_text("Ana")).not_to_have_count(0)
        expect(element.locator("[data-target]")).to_have_count(0)
        guest.page.evaluate(HEARD)
        element.evaluate("game => { game.key = 'lk_nobody' }")
        expect(element.get_by_role("alert")).to_contain_text("key")
        told = guest.page.evaluate("heard.filter(([type]) => type === 'error')")
        assert [detail["code"] for _, detail in told] == ["unknown_key"]
        # The browser also reports answers with the status 401; there are no other errors.
        assert all("401" in fault or "unknown_key" in fault for fault in guest.faults)
        guest.faults.clear()
        element.evaluate("(game, key) => { game.key = key }", player.key)
        expect(element.locator("[data-target]")).not_to_have_count(0)
        element.evaluate("game => game.play(game.moves[0].move)")
        expect(element.get_by_role("log")).to_contain_text("Red rolls")
        refused = "game => game.play({type: 'fly'}).catch(error => String(error))"
        assert "cannot be played now" in element.evaluate(refused)
        element.evaluate("game => { game.lang = 'es' }")
        expect(element.get_by_role("heading", name="Tablero")).to_be_attached()


@pytest.mark.campaign("embed")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("robot", [Pointer, Keys])
@pytest.mark.parametrize("ruleset", GAMES)
def test_every_game_on_a_page_of_another_origin(
    browser: Browser,
    service: Service,
    kit: Path,
    ruleset: str,
    robot: type[Robot],
    record_property: Figure,
) -> None:
    player, game = opened(service.port, ruleset)
    url = f"http://127.0.0.1:{service.port}"
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        record_property("games", 1)
        record_property("moves", play(guest, robot(guest, 3), player, game))
        record_property("positions compared", guest.compared)


def test_the_package_has_what_it_says(kit: Path, tmp_path: Path) -> None:
    """npm packs every exported file, and no file that is not needed."""
    package = tmp_path / "js"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("dist"))
    shutil.copytree(kit / "kit", package / "dist")
    told = json.loads((package / "package.json").read_text())
    assert told["version"] == re.sub(r"\.dev(\d+)$", r"-dev.\1", VERSION)
    done = subprocess.run(
        [NODE.with_name("npm"), "pack", "--dry-run", "--json"],
        cwd=package,
        env={**os.environ, "PATH": f"{NODE.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    (packed,) = json.loads(done.stdout)
    names = {each["path"] for each in packed["files"]}
    exported = {file for each in told["exports"].values() for file in each.values()}
    assert {file.removeprefix("./") for file in exported} <= names
    games = {f"dist/games/{game}{part}.js" for game in GAMES for part in ("", ".documents")}
    own = {"LICENSE", "README.md", "check.d.ts", "index.d.ts", "package.json", "sign.d.ts"}
    scripts = {"dist/check.js", "dist/lonja-kit.js", "dist/licences.txt"}
    scripts |= {"dist/later.js", "dist/members.js", "dist/pace.js", "dist/why.js"}
    scripts |= {"dist/sign.js", "dist/signing.js"}
    shared = {name for name in names if re.fullmatch(r"dist/shared-\w+\.js", name)}
    assert names - shared == own | scripts | games
    loaded = "".join((package / name).read_text() for name in names if name.endswith(".js"))
    assert "/static/app/kit.js" in loaded, "code of a service gets the kit in place of its page's"
    assert "localStorage" not in loaded, "it keeps nothing in the pages of others"
    kit_alone = ["lonja-kit.js"]
    for name in kit_alone:  # not what only the checker loads, such as the curves of beacons
        imported = IMPORTED.findall((package / "dist" / name).read_text())
        kit_alone += [each for each in dict.fromkeys(imported) if each not in kit_alone]
    files = [package / "dist" / name for name in kit_alone]
    assert sum(len(brotli.compress(file.read_bytes())) for file in files) < LIMIT


BROUGHT = """async url => {
    const {SigningKey} = await import('/kit/sign.js');
    const game = document.createElement('lonja-game');
    game.setAttribute('service', url);
    document.querySelector('main').append(game);
    game.signingKey = await SigningKey.generate();
    return game.signingKey.public;
}"""
"""A script of a page that makes an element with a key; it returns the public part."""
KEPT = (
    "import('/kit/sign.js').then(({SigningKey}) => SigningKey.kept('ana')).then(key => key.public)"
)
SHOW = "(element, [game, key]) => { element.key = key; element.setAttribute('game', game); }"


def signed_game(player: Client, key: str) -> str:
    """Open a table at which the player signs with this key."""
    seats = [{"holder": "me", "signing_key": key}, {"holder": "bot", "bot": "random"}]
    form = {"ruleset": "pig", "options": {"target": 20}, "seats": seats, "signatures": "required"}
    return str(player.post("/v1/games", form)["id"])


@pytest.mark.parametrize("script", [BROUGHT, KEPT], ids=["brought by the page", "kept"])
def test_a_seat_signs_on_a_page_of_another_origin(
    browser: Browser, service: Service, kit: Path, script: str
) -> None:
    """A program opens the table with the public part of the page's key."""
    player = Client(service.port).player()
    url = f"http://127.0.0.1:{service.port}"
    tag = "" if script == BROUGHT else f'<lonja-game service="{url}"></lonja-game>'
    with Guest.of(browser, service.port, kit, pages(url, "", tag)) as guest:
        guest.page.goto(guest.origin)
        key = guest.page.evaluate(script, url)
        game = signed_game(player, key)
        made = player.post(f"/v1/games/{game}/seats/0/keys", {"name": "page"})["key"]
        guest.player, guest.table = player, game
        guest.page.locator("lonja-game").evaluate(SHOW, [game, made])
        play_to_the_end(guest, Keys(guest, 1))
        events = player.get(f"/v1/games/{game}/events?limit=1000")["events"]
        moved = [each for each in events if each["kind"] == "moved" and each["by"]["seat"] == 0]
        assert moved
        assert all("signature" in each["body"] for each in moved)


@pytest.mark.parametrize("scope", ["seat", "player"])
def test_a_seat_whose_key_is_elsewhere_says_so_on_a_page_of_another_origin(
    browser: Browser, service: Service, kit: Path, scope: str
) -> None:
    """Only with a player's key is another one bound, after it is told what that means."""
    player = Client(service.port).player()
    url = f"http://127.0.0.1:{service.port}"
    game = signed_game(player, SeatKey.of(1).public)
    with Guest.of(browser, service.port, kit, pages(url, game)) as guest:
        guest.player, guest.table = player, game
        key = player.key
        if scope == "seat":
            key = player.post(f"/v1/games/{game}/seats/0/keys", {"name": "page"})["key"]
        guest.page.goto(f"{guest.origin}/#key={key}")
        told = guest.page.locator("lonja-game [data-key=elsewhere]")
        expect(told).to_contain_text("Another device or program has the key")
        if scope == "seat":
            expect(told).to_contain_text("A key for one seat cannot bind another signing key")
            expect(told.get_by_role("button")).to_have_count(0)
            return
        told.locator("summary").click()
        expect(told).to_contain_text("the service alone says who this is")
        told.get_by_role("button").click()
        expect(told).to_have_count(0)
        guest.wait()
        play_to_the_end(guest, Keys(guest, 1))
