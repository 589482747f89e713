"""Positions of every game on the screen: the complete drawing with the question."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import pytest

from rules.kernel.contract.drawing import Drawing, text_of, width
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from rules.registry import PACKAGES
from service.catalogue.bots import BOTS
from service.cli import local
from service.cli.terminal.app import TerminalApp
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.lists import entry
from service.cli.terminal.rows import LEAST
from service.cli.terminal.table_screen import TableScreen
from service.cli.terminal.tables import LocalTable
from tests.service.cli.terminal.screens import SIZES, stands
from tests.service.cli.terminal.sights import missing, turned_to, unseen

REGISTRY = Registry(PACKAGES)
RULESETS = [ruleset.info.id for ruleset in REGISTRY]
ME = Seat(0)
EACH = 20
"""The test of ``make test`` looks at one decision of so many; the campaign looks at all."""


@pytest.mark.parametrize(("number", "ruleset"), [*enumerate(RULESETS)])
def test_all_of_four_positions_can_be_seen(number: int, ruleset: str) -> None:
    """Each game on a screen of one size, in one language."""
    size = ("80x24", "60x20", "200x60")[number % 3]
    asyncio.run(look(ruleset, 4, size, LANGUAGES[number % 2]))


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_all_of_five_hundred_positions_can_be_seen(ruleset: str, size: str, language: str) -> None:
    asyncio.run(look(ruleset, 500, size, language))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_80x24_has_question_choices_and_board_of_a_decision(ruleset: str) -> None:
    for language in LANGUAGES:
        asyncio.run(look_at_all(ruleset, "80x24", language, "1", EACH))


@pytest.mark.campaign("terminal")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", ["1", "2"])
@pytest.mark.parametrize("size", ["80x24", "60x20"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_small_screens_have_every_decision(ruleset: str, size: str, seed: str) -> None:
    for language in LANGUAGES:
        asyncio.run(look_at_all(ruleset, size, language, seed, 1))


async def look_at_all(ruleset: str, size: str, language: str, seed: str, each: int) -> None:
    """Look at one of ``each`` decisions of a random game with the most seats, as who is asked."""
    found = decisions(ruleset, language, seed, each)
    screen = TableScreen(next(found), None)
    async with TerminalApp(screen).run_test(size=SIZES[size]) as pilot:
        for table in found:
            screen._table.close()
            screen._table, screen._choosing = table, None
            screen._show()
            await pilot.pause()
            has_all_at_once(screen)


def decisions(ruleset: str, language: str, seed: str, each: int) -> Iterator[LocalTable]:
    chosen = random.Random(seed)
    found = REGISTRY.find(ruleset)
    others = [BOTS["random"].holder(found)] * (found.info.max_seats - 1)
    options = found.parse_options(found.info.max_seats, {})
    local_game = local.start(REGISTRY, ruleset, [{"player": "you"}, *others], options, seed)
    game, count = local_game.game, 0
    while not game.over:
        seat = chosen.choice(sorted(game.asked))
        if count % each == 0:
            yield LocalTable(local_game, seat, language)
        count += 1
        move = chosen.choice(found.legal_moves(game.state, seat)).to_json()
        local_game.change(lambda batch, s=seat, m=move: batch.move(s, m, {"seat": s}))  # type: ignore[misc]


def has_all_at_once(screen: TableScreen) -> None:
    """Question and choices are on the screen, and at 24 lines the board, before any key."""
    said = "\n".join(shown(screen))
    asked, board, choices = (
        screen.query_one(f"#{name}", DrawingView) for name in ("asked", "part", "choices")
    )
    assert len(asked.lines) <= asked.size.height, said
    question = screen._position.asked
    assert question in " ".join(text_of(one).strip() for one in asked.lines), said
    listed, drawn = seen_places(choices), seen_places(board)
    unlisted = [n for n in range(len(screen._options)) if entry(n) not in listed]
    hidden = [
        screen._options[number].label
        for number in unlisted
        if drawn.isdisjoint(screen._reach[number])
    ]
    if cut := {entry(n) for n in range(len(screen._options))} & cut_places(choices):
        count = len(screen._options)
        assert screen.say("listed", shown=count - len(cut), count=count) in said, said
    low = screen.size.height < SIZES["80x24"][1]
    assert not hidden or low, said
    if screen.size.height >= SIZES["80x24"][1]:
        drawing = screen._drawing(screen.query_one("#board").size.width - 2)
        assert drawing is not None
        height = board.size.height
        assert len(drawing.parts[screen._part].within(height)) <= height, said


def seen_places(pane: DrawingView) -> set[str]:
    """Return the places in the lines of a pane that are on the screen."""
    top = round(pane.scroll_y)
    lines = pane.lines[top : top + pane.size.height]
    return {span.place for one in lines for span in one if span.place}


def cut_places(pane: DrawingView) -> set[str]:
    """Return the places of which a pane does not show all lines."""
    top = round(pane.scroll_y)
    lines = [*pane.lines[:top], *pane.lines[top + pane.size.height :]]
    return {span.place for one in lines for span in one if span.place}


async def look(ruleset: str, count: int, size: str, language: str) -> None:
    """Check positions of random games, with all numbers of seats."""
    found = positions(ruleset, count, language)
    screen = TableScreen(next(found), None)
    async with TerminalApp(screen).run_test(size=SIZES[size]) as pilot:
        await pilot.pause()
        for table in found:
            screen._table.close()
            screen._table, screen._choosing = table, None
            screen._show()
            await pilot.pause()
            all_is_there(screen, seen(screen))


def positions(ruleset: str, count: int, language: str) -> Iterator[LocalTable]:
    """Yield tables with a decision of the player, and play on at random between them."""
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
        if pane.id not in ("part", "log", "choices"):
            assert len(pane.lines) <= pane.size.height, (pane.id, said)
    table = screen._table
    assert isinstance(table, LocalTable)
    beside = screen.query_one("#board").size.width - 2
    drawing = screen.ruleset.draw(screen.view or {}, screen.language, beside)
    assert [*missing(table.game, ME, screen.language, drawing, lines)] == [], said
    assert screen.query_one("#part").size.height >= LEAST, said
    part = turned_to(drawing, lines)
    assert part is not None
    if screen.size.height >= SIZES["80x24"][1]:
        assert unseen(part, lines) == [], said
        has_all_at_once(screen)
    every_part(screen)


def every_part(screen: TableScreen) -> None:
    """Check that scrolling shows every line of every part of the board."""
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
