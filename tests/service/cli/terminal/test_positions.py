"""Positions of every game on the screen: all of a drawing is there, whole, with what is asked."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.contract.drawing import Drawing, text_of, width
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.terminal.app import TerminalApp
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.rows import BOARD, FEW, LEAST, SAID
from service.cli.terminal.table_screen import FOOT, TABS, Choices, TableScreen
from service.cli.terminal.tables import LocalTable
from tests.service.cli.terminal.screens import SIZES, stands

REGISTRY = Registry(PACKAGES)
RULESETS = [ruleset.info.id for ruleset in REGISTRY]
ME = Seat(0)
FEWEST_ROWS = 6
"""Of the board at 80x24: in Macao the goods of four players may take nine lines of the screen."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_of_twenty_positions_can_be_seen(ruleset: str) -> None:
    number = RULESETS.index(ruleset)
    asyncio.run(look(ruleset, 17, "80x24", ("es", "en")[number % 2]))
    asyncio.run(look(ruleset, 3, "200x60", ("en", "es")[number % 2]))


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_of_five_hundred_positions_can_be_seen(ruleset: str, size: str, language: str) -> None:
    asyncio.run(look(ruleset, 500, size, language))


async def look(ruleset: str, count: int, size: str, language: str) -> None:
    """Look at positions of random games, with any number of seats."""
    found = positions(ruleset, count, language)
    screen = TableScreen(next(found), None)
    async with TerminalApp(screen).run_test(size=SIZES[size]) as pilot:
        await pilot.pause()
        for table in found:
            screen._table, screen._choosing = table, None
            screen._show()
            await pilot.pause()
            all_is_there(screen, seen(screen))


def positions(ruleset: str, count: int, language: str) -> Iterator[LocalTable]:
    """Yield tables at which one is asked, and play on by chance: first one more than ``count``."""
    chosen = random.Random(f"{ruleset} {count} {language}")
    info = REGISTRY.find(ruleset).info
    yielded = -1
    while True:
        seats = chosen.randint(info.min_seats, info.max_seats)
        holders: list[Any] = [
            {"player": "you"},
            *[BOTS["random"].holder(REGISTRY.find(ruleset))] * (seats - 1),
        ]
        options = REGISTRY.find(ruleset).parse_options(seats, {})
        game = local.start(REGISTRY, ruleset, holders, options, str(chosen.random()))
        while not game.game.over:
            if ME in game.game.asked and chosen.random() < 0.15:
                yield LocalTable(game, ME, language)
                yielded += 1
                if yielded == count:
                    return
            seat = chosen.choice(sorted(game.game.asked))
            moves = game.game.ruleset.legal_moves(game.game.state, seat)
            move = chosen.choice(moves).to_json()
            game.change(lambda batch, s=seat, m=move: batch.move(s, m, {"seat": s}))  # type: ignore[misc]


def seen(screen: TableScreen) -> Drawing:
    view = screen.view
    assert view is not None
    return screen.ruleset.draw(view, screen.language, screen.size.width - 2)


def shown(screen: TableScreen) -> list[str]:
    strips = screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


def all_is_there(screen: TableScreen, drawing: Drawing) -> None:
    lines = shown(screen)
    said = "\n".join(lines)
    assert stands(drawing.heading, lines), said
    assert stands(drawing.players, lines), said
    position = screen._position
    asked = " ".join(
        text_of(line).strip() for line in screen.query_one("#asked", DrawingView).lines
    )
    assert position.asked in asked
    assert position.asked.split()[-1] in said
    for pane in screen.query(DrawingView):
        if not pane.display:
            continue
        widest = max(map(width, pane.lines), default=0)
        assert widest <= pane.size.width, (pane.id, widest, pane.size.width)
        if pane.id not in ("part", "log"):
            assert len(pane.lines) <= pane.size.height, (pane.id, said)
    above = len(drawing.players) + len(screen.query_one("#asked", DrawingView).lines)
    room = screen.size.height - above - TABS - FOOT - SAID - FEW
    assert min(BOARD, room) >= FEWEST_ROWS, said
    own = [len(part.lines) for part in drawing.parts if not part.reference]
    drawn = sum(own) + 2 * (len(own) - 1)  # the lines that it leaves are the choices'
    assert screen.query_one("#part").size.height >= min(BOARD, room, max(LEAST, drawn)), said
    choices = screen.query_one(Choices)
    assert choices.size.height >= min(3, choices.option_count), said
    assert choices.virtual_size.height == choices.option_count, said  # none is wrapped
    assert choices.option_count > 0
    every_part(screen)


def every_part(screen: TableScreen) -> None:
    """Each line of each part of the board comes to be seen by the keys that scroll."""
    pane = screen.query_one("#part", DrawingView)
    for number in range(len(seen(screen).parts)):
        screen.action_go_part(number)
        wanted = [text_of(line) for line in pane.lines]
        found = dict[int, str]()
        while True:
            top = round(pane.scroll_y)
            rows = range(min(pane.size.height, len(wanted) - top))
            found |= {top + row: pane.render_line(row).text.rstrip() for row in rows}
            screen.action_scroll_board(1, page=True)
            if round(pane.scroll_y) == top:
                break
        assert [found.get(row) for row in range(len(wanted))] == wanted
