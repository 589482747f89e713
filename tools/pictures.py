"""Draws the README's pictures of the page and of the terminal from the product itself.

    python -m tools.pictures          # draws docs/pictures, as `make pictures` does
    python -m tools.pictures FOLDER   # draws them elsewhere

The page is a real one in Chromium, and the command starts a service for it; the terminal shows the
program that ``lonja play`` runs. Both show fixed games of the bot ``greedy``.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Literal

from playwright.sync_api import ViewportSize, sync_playwright

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.kernel.record.batch import Batch
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.terminal.app import TerminalApp
from service.cli.terminal.table_screen import TableScreen
from service.cli.terminal.tables import LocalTable
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.conftest import browser_path
from tests.faults.processes import free_port, serve
from tests.running import ROOT
from tests.scripted import Script
from workers.bots import bot, greedy

FOLDER = ROOT / "docs/pictures"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAGE = ("ragusa", 4, 150)
"""The ruleset of the page's game, its number of seats, and the version that the page shows."""
TERMINAL = ("santiago_de_cuba", 3, 60)
"""The ruleset of the terminal's game, its number of seats, and the version that is shown."""
SCREEN: ViewportSize = {"width": 1280, "height": 800}
COLUMNS, ROWS = 100, 30
SALT = bytes(32)
ALONE = {f"LONJA_{kind}_WORKERS": "0" for kind in ("BOT", "HEAVY", "TOURNAMENT")}
"""Settings with which no bot goes on with the game."""


def draw(folder: Path) -> None:
    """Draw all pictures into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    registry = Registry(PACKAGES)
    (folder / "terminal.svg").write_text(asyncio.run(terminal(registry)), encoding="utf-8")
    for theme, picture in pages(registry).items():
        (folder / f"table-{theme}.png").write_bytes(picture)


def pages(registry: Registry) -> dict[str, bytes]:
    """Return PNGs of a game's page, by theme. Raises RuntimeError if there is no Chromium."""
    program = browser_path()
    if program is None:
        raise RuntimeError("install chromium: the pictures of the page are taken in it")
    ruleset, seats, version = PAGE
    with (
        tempfile.TemporaryDirectory() as folder,
        RedisServer(Path(folder) / "redis") as redis,
        service(Path(folder), redis.url) as url,
        sync_playwright() as playwright,
    ):
        bots = BOTS["greedy"].holder(registry.find(ruleset))
        script = Script(registry, ruleset, seats, 1, choose, name="picture", seated=bots)
        game = script.store(Store(make_client(redis.url)), version)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        pictures: dict[str, bytes] = {}
        for theme in THEMES:
            page = browser.new_page(viewport=SCREEN, color_scheme=theme, locale="en-GB")
            page.goto(f"{url}/games/{game.id}")
            page.wait_for_selector(f".table[data-shown='{game.version}'] .board-sheet [data-place]")
            pictures[theme] = page.screenshot(animations="disabled")
        browser.close()
        return pictures


@contextmanager
def service(folder: Path, redis_url: str) -> Iterator[str]:
    port = free_port()
    with serve(folder / "service", port, "--no-exhibition", REDIS_URL=redis_url, **ALONE):
        yield f"http://127.0.0.1:{port}"


SETTLED_SECONDS = 0.5
"""A terminal that has not changed for so long is drawn."""


async def terminal(registry: Registry) -> str:
    """Return the SVG of a table in the terminal, at a decision of the first seat."""
    ruleset, seats, version = TERMINAL
    rules = registry.find(ruleset)
    holders: list[JsonObject] = [{"player": "you"}, *[BOTS["greedy"].holder(rules)] * (seats - 1)]
    table = local.start(registry, ruleset, holders, rules.parse_options(seats, {}), "picture")
    while table.game.version < version or Seat(0) not in table.game.asked:
        seat = min(table.game.asked)
        move = choose(table.game, seat)
        table.change(partial(play, seat=seat, move=move))
    screen = TableScreen(LocalTable(table, Seat(0), "en"), None)
    async with TerminalApp(screen, shade="dark").run_test(size=(COLUMNS, ROWS)) as pilot:
        shown = ""
        # On a busy machine, it takes several pauses until all is drawn.
        while shown != (now := pilot.app.export_screenshot(title="lonja play")):
            shown = now
            await pilot.pause(SETTLED_SECONDS)
        return shown


def play(batch: Batch, seat: Seat, move: JsonObject) -> None:
    batch.move(seat, move, {"seat": seat})


def choose(game: Game, seat: Seat) -> JsonObject:
    """Return the move of the bot ``greedy``."""
    return bot.question(greedy.choose, game, seat, BOTS["greedy"].settings, SALT)().move.to_json()


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
