"""How long a page takes to show a board, and another position of a long game, in a real browser.

Each figure is compared with that of a plain page of text, loaded from the same service in the same
browser.
"""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import click
import orjson
from playwright.sync_api import Browser, Page, sync_playwright

from rules.kernel.contract.registry import Registry
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.redis.client import make_client
from service.redis.server import RedisServer
from tests.client.visitors import QUICK
from tests.conftest import browser_path
from tests.faults.processes import free_port, serve
from tests.scripted import Script, stalling
from tools.bench.measure import Row, at_most

SLOWED = 4
"""Factor by which the browser's processor is slowed down, to be as slow as a visitor's device."""
EVENTS = 500
LONG = "santiago_de_cuba"
"""The ruleset of which very long games can be made."""
MIDDLE = 60
"""Number of events after which many pieces are on the board."""
ROUNDS = 5
JUMPS = 40
TEXT = "/docs/problems"
DRAWN = """version => new Promise(resolve => {
    const table = document.querySelector('.table');
    const look = () => table.dataset.shown === String(version)
        && requestAnimationFrame(() => setTimeout(resolve));
    new MutationObserver(look).observe(table, {attributeFilter: ['data-shown']});
    look();
})"""
"""A script that waits until an event is drawn, without a task of its own before."""
TASKS, TASK = "disabled-by-default-devtools.timeline", "RunTask"
"""The category and the name of the tasks of a thread in a trace of Chromium."""

TIMED = """what => new Promise(resolve => {
    const began = what.jump === undefined ? 0 : performance.now();
    const isThere = () => what.jump === undefined || !what.board
        ? document.querySelector(what.board ? '.board-sheet [data-place]' : 'h1')
        : document.querySelector(`.table[data-shown="${what.jump}"] .board-sheet [data-place]`);
    const look = () => isThere()
        ? setTimeout(() => resolve(performance.now() - began))
        : requestAnimationFrame(look);
    if (what.jump !== undefined) location.hash = `#v=${what.jump}`;
    requestAnimationFrame(look);
})"""
"""A script that returns the milliseconds from the request of the page, or from the jump, until the
drawing is complete."""


def measure(registry: Registry) -> Iterator[Row]:
    """Yield rows for the first board, for jumps, and for the drawing of an event."""
    with tempfile.TemporaryDirectory() as folder, _running(Path(folder)) as (store, url, browser):
        yield from _first_board(registry, store, url, browser)
        yield from _jumps(registry, store, url, browser)
        yield _drawn_events(registry, store, url, browser)


@contextmanager
def _running(folder: Path) -> Iterator[tuple[Store, str, Browser]]:
    path, port = browser_path(), free_port()
    if path is None:
        raise RuntimeError("install chromium: pages are measured in it")
    with (
        RedisServer(folder / "redis") as redis,
        serve(folder / "service", port, "--no-exhibition", REDIS_URL=redis.url),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield Store(make_client(redis.url)), f"http://127.0.0.1:{port}", browser
        browser.close()


def _first_board(registry: Registry, store: Store, url: str, browser: Browser) -> Iterator[Row]:
    games = {
        ruleset.info.id: Script(registry, ruleset.info.id, ruleset.info.max_seats, 1, name="board")
        .store(store, MIDDLE)
        .id
        for ruleset in registry
    }
    text: list[float] = []
    found: dict[str, list[float]] = {ruleset: [] for ruleset in games}
    for _ in range(ROUNDS):
        text.append(_until_it_is_there(browser, url + TEXT, board=False))
        for ruleset, game in games.items():
            found[ruleset].append(_until_it_is_there(browser, f"{url}/games/{game}", board=True))
    seconds = {ruleset: median(each) / 1000 for ruleset, each in found.items()}
    slowest = max(seconds.values())
    yield at_most(
        "seconds until a new visitor sees the board, in Chromium with the processor slowed down"
        f" {SLOWED} times, in the slowest game", slowest, 1.0,
        seconds=seconds, text_seconds=median(text) / 1000,
    )  # fmt: skip
    yield at_most("the same against a page of text", 1000 * slowest / median(text), 4.0)


def _until_it_is_there(browser: Browser, address: str, *, board: bool) -> float:
    """Return the milliseconds until a new visitor sees the board."""
    with _visit(browser, SLOWED) as page:
        page.goto(address, wait_until="commit")
        took: float = page.evaluate(TIMED, {"board": board})
        return took


def _jumps(registry: Registry, store: Store, url: str, browser: Browser) -> Iterator[Row]:
    game = Script(registry, LONG, 4, 1, stalling, name="jumps").store(store, EVENTS)
    # Events far from each other, so that each jump needs a part of the game that has not been
    # loaded.
    seqs = [game.opening + n * 197 % (EVENTS - game.opening) for n in range(JUMPS)]
    found, slowed, text = (
        sorted(_jump(browser, f"{url}{path}", seqs, rate, board=board))
        for path, rate, board in (
            (f"/games/{game.id}", 1, True),
            (f"/games/{game.id}", SLOWED, True),
            (TEXT, 1, False),
        )
    )
    slow = len(seqs) * 95 // 100
    yield at_most(
        f"milliseconds to jump to another event in a game of {EVENTS} events, in Chromium, 95th"
        " percentile",
        found[slow], 100.0,
        median=median(found), slowest=found[-1],
        median_at_a_slower_processor=median(slowed), p95_at_a_slower_processor=slowed[slow],
    )  # fmt: skip
    yield at_most(
        "the same against a jump within a page of text, medians", median(found) / median(text), 5.0,
        text_ms=median(text), at_the_95th_percentile=found[slow] / text[slow],
    )  # fmt: skip


def _jump(
    browser: Browser, address: str, seqs: list[int], rate: int, *, board: bool
) -> list[float]:
    with _visit(browser, rate) as page:
        page.goto(address)
        page.evaluate(TIMED, {"board": board})
        page.wait_for_timeout(500)  # lets the page finish its other initial work
        return [page.evaluate(TIMED, {"board": board, "jump": seq}) for seq in seqs]


def _drawn_events(registry: Registry, store: Store, url: str, browser: Browser) -> Row:
    """Trace how long the main thread works when a new event of a watched game is drawn."""
    found: dict[str, float] = {}
    for ruleset in registry:
        name = ruleset.info.id
        steps = Script(registry, name, ruleset.info.max_seats, 1, name="drawn").steps(store)
        game = next(game for game in steps if game.version >= MIDDLE)
        with _visit(browser, 1) as page:
            page.add_init_script(f"localStorage['lonja:settings'] = '{json.dumps(QUICK)}'")
            page.goto(f"{url}/games/{game.id}")
            page.evaluate(TIMED, {"board": True})
            page.wait_for_timeout(500)  # lets the page finish its other initial work
            found[name] = median(_main_thread_ms(browser, page, steps) for _ in range(ROUNDS))
    return at_most(
        f"milliseconds of the main thread to draw a new event, without motion, by Chromium's trace,"
        f" median of {ROUNDS} in the slowest game",
        max(found.values()), 16.0, milliseconds=found,
    )  # fmt: skip


def _main_thread_ms(browser: Browser, page: Page, steps: Iterator[Game]) -> float:
    """Return the milliseconds that the tasks of the page's main thread take for the next move."""
    browser.start_tracing(page=page, categories=[TASKS])
    page.evaluate(DRAWN, next(steps).version)
    traced = orjson.loads(browser.stop_tracing())["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in traced
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    busy: dict[tuple[int, int], float] = dict.fromkeys(mains, 0.0)
    for event in traced:
        # Of the processor's time, so that a busy machine does not count; a task that goes on at the
        # end, such as that of the trace itself, has none.
        if event["name"] == TASK and "tdur" in event and (event["pid"], event["tid"]) in mains:
            busy[event["pid"], event["tid"]] += event["tdur"] / 1000
    return max(busy.values())


@contextmanager
def _visit(browser: Browser, rate: int) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    processor: Any = context.new_cdp_session(page)
    processor.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    yield page
    context.close()


if __name__ == "__main__":
    for row in measure(Registry(PACKAGES)):
        click.echo(f"{row.value:8.2f}   {row.bound:18} {row.name}   {row.detail}")
