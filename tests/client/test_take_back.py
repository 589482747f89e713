"""On the page, somebody takes back the last move: by a button, by a key; the log says so."""

from playwright.sync_api import expect

from tests.client.visitors import Visitor
from tests.faults.people import Client, Json


def plays(somebody: Client, path: str) -> int:
    """Play the first legal move of the seat that is asked; return the version before it."""
    game = somebody.get(path)
    (decision,) = game["decisions"]
    body: Json = {"seat": decision["seat"], "index": 0, "expected_version": game["version"]}
    somebody.post(f"{path}/moves", body)
    return int(game["version"])


def test_the_last_move_is_taken_back(visitor: Visitor) -> None:
    ana, bea = (Client(visitor.port).player(name) for name in ("Ana", "Bea"))
    seats = [{"holder": "me"}, {"holder": "open"}]
    table = {"ruleset": "santiago_de_cuba", "seats": seats, "take_back": True}
    game = ana.post("/v1/games", table)["id"]
    path = f"/v1/games/{game}"
    assert bea.ask("PUT", f"{path}/seats/1").status == 200
    while ana.get(path)["decisions"][0]["seat"] == 1:
        plays(bea, path)
    visitor.come_as(ana)
    visitor.go(f"/games/{game}")
    page = visitor.page
    button = page.get_by_role("button", name="Take back the last move")
    expect(page.locator("[data-target]").first).to_be_visible()
    expect(button).to_have_count(0)
    before = plays(ana, path)
    button.click()
    expect(page.locator(f".table[data-shown='{before + 2}']")).to_be_visible()
    expect(button).to_have_count(0)
    said = page.locator(f".log [data-seq='{before + 2}']")
    expect(said).to_contain_text(f"Ana takes back: all is again as after event {before}")
    expect(page.locator(f".log [data-seq='{before + 1}'] s").first).to_be_visible()
    assert ana.get(f"{path}/state")["state"] == ana.get(f"{path}/state?at={before}")["state"]

    again = plays(ana, path)
    expect(button).to_be_visible()
    page.keyboard.press("u")
    expect(page.locator(f".table[data-shown='{again + 2}']")).to_be_visible()
    page.reload()
    expect(page.locator(f".log [data-seq='{before + 2}']")).to_contain_text("takes back")
    expect(page.locator(f".log [data-seq='{again + 1}'] s").first).to_be_visible()
