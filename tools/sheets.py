"""Takes pictures of every game's table as people see it, and lays them out to be looked at.

    python -m tools.sheets                                           # all, into dist/sheets
    python -m tools.sheets --game macao manila --size 390x844        # only these
    python -m tools.sheets --theme contrast --language es --moment end

A sheet shows a game at one size of the screen: its beginning, middle and end below each other, in
each language and each theme beside each other. The pictures of a sheet lie beside it in a folder,
at full size. One player holds all seats, so that the table shows who is asked what.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from rules.kernel.contract.registry import Registry
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.client.looks import COLOURS, LANGUAGES
from tests.conftest import browser_path
from tests.faults.people import Client
from tests.running import ROOT
from tests.scripted import Script
from tools.pictures import choose, service

FOLDER = ROOT / "dist" / "sheets"
SIZES = {
    "1280x800": (1280, 800), "1024x700": (1024, 700), "768x1024": (768, 1024),
    "390x844": (390, 844), "360x640": (360, 640), "740x360": (740, 360),
}  # fmt: skip
PHONE = 600
"""The smaller side of a screen, in pixels, below which it is touched."""
THEMES = ("light", "dark", "contrast")
MOMENTS = {"beginning": 0.1, "middle": 0.5, "end": 1.0}
"""The part of a game's events that has happened at each moment."""
SETTLED = 600
"""Milliseconds after which what is loaded after the board is there, too."""
PATIENCE = 300_000
"""Milliseconds within which even a busy machine draws a board."""
THUMBNAIL = 420
"""The width of a picture on a sheet, in pixels."""
SHEET = """<!doctype html><meta charset="utf-8"><title>{title}</title><style>
body {{ margin: 12px; font: 13px sans-serif; background: #fff; color: #000; }}
main {{ display: grid; grid-template-columns: repeat({columns}, {width}px); gap: 8px; }}
figure {{ margin: 0; }} img {{ width: 100%; border: 1px solid #888; }}
</style><h1>{title}</h1><main>{figures}</main>"""


class Picture(NamedTuple):
    """A picture of a sheet: its moment, theme and language."""

    moment: str
    theme: str
    language: str

    def __str__(self) -> str:
        return f"{self.moment}-{self.theme}-{self.language}"


class Selection(NamedTuple):
    """Which pictures a sheet has; by default all."""

    moments: Sequence[str] = (*MOMENTS,)
    themes: Sequence[str] = THEMES
    languages: Sequence[str] = (*LANGUAGES,)

    def pictures(self) -> list[Picture]:
        """Return the pictures of a sheet, row by row."""
        return [Picture(*each) for each in product(*self)]


ALL = Selection()


def lay_out(title: str, folder: Path, selection: Selection) -> str:
    """Return the sheet of the pictures in ``folder``, as a page beside that folder."""
    figures = "".join(
        f"<figure><img src='{folder.name}/{one}.png'><figcaption>{one}</figcaption></figure>"
        for one in selection.pictures()
    )
    columns = len(selection.themes) * len(selection.languages)
    return SHEET.format(title=title, columns=columns, width=THUMBNAIL, figures=figures)


def games_of(registry: Registry, store: Store, ruleset: str, player: str) -> dict[str, Game]:
    """Store a game of ``greedy`` with the most seats at each moment, all held by a player."""
    seats = registry.find(ruleset).info.max_seats
    found, events = {}, 0
    for moment, part in sorted(MOMENTS.items(), key=lambda one: -one[1]):
        holder = {"player": player}
        script = Script(registry, ruleset, seats, 1, choose, holder, name=f"sheet {moment}")
        found[moment] = script.store(store, int(part * events) if events else None)
        events = events or found[moment].version
    return found


def draw(
    rulesets: Sequence[str], sizes: Sequence[str], folder: Path, selection: Selection = ALL
) -> None:
    """Draw the sheets of games at sizes. Raises RuntimeError if there is no Chromium."""
    program = browser_path()
    if program is None:
        raise RuntimeError("install chromium: the pictures are taken in it")
    registry = Registry(PACKAGES)
    with (
        tempfile.TemporaryDirectory() as place,
        RedisServer(Path(place) / "redis") as redis,
        service(Path(place), redis.url) as url,
        sync_playwright() as playwright,
    ):
        player = Client(int(url.rpartition(":")[2])).player("Ana")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for ruleset in rulesets:
            games = games_of(registry, Store(make_client(redis.url)), ruleset, player.id)
            for size in sizes:
                _draw_sheet(
                    browser, url, player, games, folder / f"{ruleset}-{size}", size, selection
                )
        browser.close()


def _draw_sheet(
    browser: Browser,
    url: str,
    player: Client,
    games: dict[str, Game],
    folder: Path,
    size: str,
    selection: Selection,
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    width, height = SIZES[size]
    touched = min(width, height) < PHONE
    identity = json.dumps(json.dumps({"id": player.id, "name": "Ana", "key": player.key}))
    for theme, language in product(selection.themes, selection.languages):
        look: dict[str, Any] = {
            "viewport": {"width": width, "height": height}, "locale": LANGUAGES[language],
            "has_touch": touched, "is_mobile": touched, **COLOURS[theme],
        }  # fmt: skip
        context = browser.new_context(**look)
        context.add_init_script(f"localStorage['lonja:identity'] = {identity}")
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        for moment in selection.moments:
            game = games[moment]
            page.goto(f"{url}/games/{game.id}")
            page.wait_for_selector(f".table[data-shown='{game.version}'] .board-sheet [data-place]")
            page.wait_for_timeout(SETTLED)
            picture = page.screenshot(animations="disabled")
            (folder / f"{Picture(moment, theme, language)}.png").write_bytes(picture)
        context.close()
    sheet = folder.with_suffix(".html")
    sheet.write_text(lay_out(folder.name, folder, selection), encoding="utf-8")
    columns = len(selection.themes) * len(selection.languages)
    page = browser.new_page(viewport={"width": columns * (THUMBNAIL + 8) + 24, "height": 900})
    page.goto(sheet.as_uri())
    page.screenshot(path=folder.with_suffix(".png"), full_page=True)
    page.close()
    print(f"{folder.with_suffix('.png')}", flush=True)


def main() -> None:
    """Draw what the command line asks for."""
    rulesets = [package.removeprefix("rules.") for package in PACKAGES]
    choices = {
        "game": rulesets, "size": [*SIZES],
        "theme": [*THEMES], "language": [*LANGUAGES], "moment": [*MOMENTS],
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="python -m tools.sheets", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    for name, values in choices.items():
        parser.add_argument(f"--{name}", nargs="+", choices=values, default=values)
    asked = parser.parse_args()
    selection = Selection(asked.moment, asked.theme, asked.language)
    draw(asked.game, asked.size, FOLDER, selection)


if __name__ == "__main__":
    main()
