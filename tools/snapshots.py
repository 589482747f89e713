"""Golden snapshots of the accessibility tree (roles and names) of each room and each game's table.

After an intended change, ``python -m tools.snapshots`` writes them again; read them as a screen
reader would speak them. What varies from run to run is masked.
"""

import re
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Route

from tests.client.looks import LANGUAGES
from tests.client.positions import Tables
from tests.client.services import Service, serving
from tests.client.test_axe import GAMES, ROOMS
from tests.client.visitors import Visitor
from tests.conftest import chromium
from tests.running import ROOT

FOLDER = ROOT / "tests/golden/pages"
LONG = ("/rules/ragusa", "/docs/games", "/docs/settings")
"""Pages without a snapshot because of their length; other tests check their text."""
LOADED = "text => [...document.querySelectorAll('p')].every((p) => p.textContent !== text)"
LOADING = {"en": "Loading…", "es": "Cargando…"}
MASKS = {r"/players/p-[a-z2-7]{16}": "/players/…"}


def path(name: str, language: str) -> Path:
    return FOLDER / f"{name}.{language}.yml"


def names() -> list[str]:
    """Return the names of all snapshots, without their language."""
    return [*(name_of(room) for room in ROOMS if room not in LONG), *GAMES]


def name_of(room: str) -> str:
    return "room_" + (re.sub(r"\W+", "_", room).strip("_") or "home")


def taken(browser: Browser, service: Service, tables: Tables, name: str, language: str) -> str:
    """Return the snapshot of a room, or of a game's table."""
    with Visitor.at(browser, service.port, locale=LANGUAGES[language]) as visitor:
        page = visitor.page
        if name in GAMES:
            visitor.sit(tables[name].ana)
            visitor.go(tables[name].path)
            visitor.wait()
            page.locator(".described > summary").click()
            # The question, and then the event.
            page.wait_for_selector("[data-announcer] p + p", state="attached")
        else:
            for listed in ("games", "tournaments"):
                page.route(f"**/v1/{listed}?*", partial(nothing, listed))
            visitor.go(next(room for room in ROOMS if name_of(room) == name))
            page.wait_for_load_state("networkidle")
        page.wait_for_function(LOADED, arg=LOADING[language])
        said = f"# {page.title()}\n{page.locator('body').aria_snapshot()}\n"
        visitor.faults.clear()  # A room with an unknown id reports a fault, which is right.
    for pattern, mask in MASKS.items():
        said = re.sub(pattern, mask, said)
    return said


def nothing(listed: str, route: Route) -> None:
    """Leave out other people's games, which vary from run to run."""
    route.fulfill(json={listed: [], "next_cursor": None})


def _write() -> Iterator[str]:
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.iterdir():
        file.unlink()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as service:
        tables = Tables(service)
        with chromium() as browser:
            for name in names():
                for language in LANGUAGES:
                    file = path(name, language)
                    file.write_text(taken(browser, service, tables, name, language))
                    yield file.name


if __name__ == "__main__":
    for written in _write():
        print(written)
