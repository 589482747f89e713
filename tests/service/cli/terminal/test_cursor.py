"""The cursor on the map and in the list, repeating the last answer, and small screens."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.terminal.app import TerminalApp
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.places import BoardPlaces, Point, points
from service.cli.terminal.table_screen import TableScreen
from service.cli.terminal.tables import LocalTable

REGISTRY = Registry(PACKAGES)
RULESETS = [ruleset.info.id for ruleset in REGISTRY]
ME = Seat(0)
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def asked(ruleset: str, question: str, least: int = 1) -> LocalTable:
    """Return a table with this question and at least so many choices."""
    chosen = random.Random(question)
    info = REGISTRY.find(ruleset).info
    bots = [BOTS["random"].holder(REGISTRY.find(ruleset))] * (info.max_seats - 1)
    holders: list[Any] = [{"player": "you"}, *bots]
    for seed in range(20):
        table = local.start(REGISTRY, ruleset, holders, {}, str(seed))
        game = table.game
        while not game.over:
            seat = min(game.asked)
            moves = game.ruleset.legal_moves(game.state, seat)
            if (seat, game.question) == (ME, question) and len(moves) >= least:
                return LocalTable(table, ME, "en")
            move = chosen.choice(moves).to_json()
            table.change(lambda batch, s=seat, m=move: batch.move(s, m, {"seat": s}))  # type: ignore[misc]
    raise AssertionError(question)


Test = Callable[[TableScreen, Pilot[None]], Awaitable[None]]


def at(table: LocalTable, test: Test, size: tuple[int, int] = (80, 24)) -> None:
    """Run a test on the screen of a table."""

    async def run() -> None:
        screen = TableScreen(table, None)
        async with TerminalApp(screen).run_test(size=size) as pilot:
            await pilot.pause()
            await test(screen, pilot)
            table.close()

    asyncio.run(run())


def shown(screen: TableScreen) -> str:
    strips = screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def cursor(screen: TableScreen) -> Point | None:
    """The place of the cursor on the board."""
    lines = screen.query_one("#part", DrawingView).lines
    for number, spans in enumerate(lines):
        column = 0
        for span in spans:
            if span.place and "cursor" in span.style:
                return Point(column + len(span.text) / 2, number)
            column += len(span.text)
    return None


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_the_arrow_keys_go_from_place_to_place(size: tuple[int, int]) -> None:
    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        await pilot.press("down")
        for key in ["right", "down", "left", "up", "right"] * 3:
            before = cursor(screen)
            assert before is not None
            await pilot.press(key)
            after = cursor(screen)
            assert after is not None
            across, down = DIRECTIONS[key]
            ahead = (after.column - before.column) * across + (after.line - before.line) * down
            assert ahead > 0 or after == before, (key, before, after)
            option = screen._option
            assert option is not None
            assert option.label in shown(screen)
            assert "[" in shown(screen)

    at(asked("ragusa", "build_tower", 12), test, size)


def test_enter_plays_what_is_under_the_cursor() -> None:
    table = asked("santiago_de_cuba", "drive_car", 4)

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        await pilot.press("down", "right")
        option = screen._option
        assert option is not None
        assert option.move is not None
        assert screen._choosing is not None
        wanted = screen._choosing.legal.moves[option.move]
        await pilot.press("enter")
        while screen._busy:
            await pilot.pause()
        moved = [event for event in table._local.events if event.kind == "moved"]
        assert wanted in [event.body["move"].value for event in moved]
        assert "•" in shown(screen)  # changes are marked

    at(table, test)


def test_a_click_on_the_map_goes_there_and_a_second_one_picks() -> None:
    table = asked("santiago_de_cuba", "drive_car", 4)

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        pane = screen.query_one("#part", DrawingView)
        place = next(iter(screen._reach[1]))
        where = points(pane.lines)[place]
        offset = (int(where.column) + 1, where.line)
        await pilot.click("#part", offset=offset)
        assert screen._at == 1
        before = table.game.version
        await pilot.click("#part", offset=offset)
        while screen._busy:
            await pilot.pause()
        assert table.game.version > before

    at(table, test)


def test_what_one_answered_before_is_picked_again() -> None:
    table = asked("manila", "placement", 5)

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        await pilot.press("=")
        assert "You have not made a move here" in shown(screen)
        await pilot.press("escape")
        assert screen._choosing is not None
        move = screen._choosing.legal.moves[0]
        screen._answers["placement"] = move
        screen._choosing = None
        screen._show()
        await pilot.press("=")
        option = screen._option
        assert option is not None
        assert option.move == 0
        await pilot.press("escape")
        assert len(screen._options) > 1

    at(table, test)


def test_a_terminal_that_is_too_small_says_what_it_needs() -> None:
    table = asked("manila", "placement", 5)

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        for size in ((59, 24), (80, 19), (40, 12)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            told = " ".join(shown(screen).split())
            columns, lines = size
            assert "needs a window of 60 columns and 20 lines" in told
            assert f"this one has {columns} and {lines}" in told
            before = table.game.version
            await pilot.press("down", "enter")
            assert table.game.version == before
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert screen._position.asked in shown(screen)

    at(table, test)


@pytest.mark.parametrize(
    ("size", "language"), [((60, 20), "es"), ((100, 30), "en"), ((120, 30), "es")]
)
def test_hints_are_whole_at_every_width(size: tuple[int, int], language: str) -> None:
    table = asked("ragusa", "place_house", 5)
    table.language = language

    async def test(screen: TableScreen, pilot: Pilot[None]) -> None:
        told = " ".join(shown(screen).replace("│", " ").split())
        assert screen.say("type_here") in told
        for pane in screen.query(DrawingView):
            for spans in pane.lines if pane.display else ():
                assert sum(len(span.text) for span in spans) <= pane.size.width
        await pilot.press("enter")
        said = screen.query_one("#preview", DrawingView)
        text = " ".join("".join(span.text for span in spans).strip() for spans in said.lines)
        assert text == screen.say("pick_first")
        assert said.size.height >= len(said.lines)

    at(table, test, size)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_places_that_moves_mean_stand_in_the_drawing(ruleset: str) -> None:
    rules = REGISTRY.find(ruleset)
    places = BoardPlaces(rules)
    chosen = random.Random(ruleset)
    bots = [BOTS["random"].holder(rules)] * rules.info.max_seats
    table = local.start(REGISTRY, ruleset, [*bots], {}, "3")
    game, drawn = table.game, set[str]()
    for _ in range(80):
        seat = min(game.asked)
        view = rules.view(game.state, seat)
        moves = rules.legal_moves(game.state, seat)
        there = {place for move in moves for place in places.of(move.to_json(), view)}
        drawing = rules.draw(view, "en", 78)
        stands = {place for part in drawing.parts for place in points(part.lines)}
        drawn |= there & stands
        move = chosen.choice(moves).to_json()
        table.change(lambda batch, s=seat, m=move: batch.move(s, m, {"seat": s}))  # type: ignore[misc]
    assert len(drawn) > 12, drawn
