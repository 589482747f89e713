"""The names of all cards of a game have room wherever cards are, in both languages.

No game brings each card to each place. But a drawing is a function of the view: here it gets views
that are made up, and is as large as at a table.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.seats import Seat
from tests.campaigns import left_to
from tests.client.embedding import host
from tests.client.one_screen import REGISTRY, SCREENS, decisions
from tests.client.services import Service
from tests.client.test_embed import kit
from tests.client.visitors import Visitor
from tests.scripted import Script

__all__ = ["kit"]

CARDS = {"macao": "card", "plus_ultra": "character"}
"""The type of the pieces that are cards, by ruleset; it is the prefix of their labels, too."""
PLACES = {
    "macao": {"display": 6, "players/tableau": 5, "players/activated": 2},
    "plus_ultra": {"pack": 1, "players/characters": 1, "players/characters_used": 1},
}
"""The number of cards on each kind of places of a view, or of each player's.

Cards of which there are more are smaller. Active cards of Macao then have no room for a long name.
"""
SIZES = [*SCREENS, (1366, 768)]
SMALLEST, LONG = (1024, 700), 8
"""A size at which the cards that Macao's players have taken are 48 pixels wide, and the number of
letters of a word that is wider than that in the smallest letters."""
PAGE = """<!doctype html><script type="module" src="kit/lonja-kit.js"></script>
<lonja-board ruleset="{}" lang="{}"></lonja-board>"""
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
WIDTHS = """() => ['.board-sheet', '.mat-sheet'].map(
    sheet => document.querySelector(sheet).getScreenCTM().a
        * document.querySelector(sheet).viewBox.baseVal.width)"""
"""Tell how many pixels the drawings of the board and of the viewer's mat are wide."""
UNNAMED = """async ([[board, mat], views, type, names]) => {
    const element = document.querySelector('lonja-board');
    await customElements.whenDefined('lonja-board');
    element.style.width = '1400px'; // a narrower one has a phone's layout
    const root = element.shadowRoot;
    const sizes = new CSSStyleSheet();
    sizes.replaceSync(`
        .stage > .sheet { width: ${board}px }
        .mats .sheet { width: ${mat}px }
        :is(.board-sheet, .mat-sheet) { width: 100%; height: auto; max-height: none }`);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sizes];
    const drawn = async () => {
        for (let time = 0; time < 2; time++)
            await new Promise(tell => requestAnimationFrame(() => setTimeout(tell)));
    };
    const seen = new Set();
    const unnamed = new Set();
    for (const view of views) {
        element.state = view;
        do await drawn(); while (!root.querySelector('.board-sheet'));
        for (const card of root.querySelectorAll(`[data-piece^='${type}:']`)) {
            const name = names[card.dataset.piece.split(':')[1]];
            const place = card.closest('.mat-sheet') ? 'mat' : 'board';
            const texts = [...card.querySelectorAll('text:not(.large *)')];
            if (texts.length === 0) continue; // its picture stands for it
            const said = texts
                .filter(text => !text.matches('.unfit')
                    && text.checkVisibility({visibilityProperty: true}))
                .map(text => text.textContent).join(' ').replace(/\\s+/g, ' ');
            seen.add(`${place}: ${name}`);
            if (!said.includes(name)) unnamed.add(`${place}: ${name}: ${said}`);
        }
    }
    return [seen.size, [...unnamed]];
}"""
"""Draw views, and tell how many names were looked for on boards and on mats, and which cards do not
show theirs whole."""


@pytest.mark.parametrize("size", left_to("screens", SIZES, (1280, 800)))
@pytest.mark.parametrize("language", left_to("screens", LANGUAGES, "es"))
@pytest.mark.parametrize("ruleset", CARDS)
def test_each_card_shows_its_whole_name(
    browser: Browser,
    service: Service,
    kit: Path,
    ruleset: str,
    language: str,
    size: tuple[int, int],
) -> None:
    window = {"width": size[0], "height": size[1]}
    with Visitor.at(browser, service.port, viewport=window) as visitor:
        next(decisions(visitor, service, ruleset))
        widths = visitor.page.evaluate(WIDTHS)
    card = CARDS[ruleset]
    words = REGISTRY.find(ruleset).labels.tables[language]
    names = {
        key.removeprefix(f"{card}."): name
        for key, name in words.items()
        if key.startswith(f"{card}.")
    }
    views = [*made_up(ruleset, [*names])]
    with host(kit, {"/": PAGE.format(ruleset, language)}, POLICY) as url:
        page = browser.new_page(viewport={"width": 1500, "height": 900})
        page.goto(url)
        seen, unnamed = page.evaluate(UNNAMED, [widths, views, card, names])
        page.close()
    if size == SMALLEST:
        unnamed = [each for each in unnamed if not is_begun(each)]
    assert unnamed == []
    assert seen == 2 * len(names)


def is_begun(told: str) -> bool:
    """Whether a card on a mat shows the beginning of a name that has a long word."""
    place, name, said = told.split(": ", 2)
    return place == "mat" and max(map(len, name.split())) >= LONG and name[:4] in said


def made_up(ruleset: str, cards: Sequence[str]) -> Iterator[JsonObject]:
    """Yield views at the most seats, which have each card on each kind of places."""
    seats = REGISTRY.find(ruleset).info.max_seats
    opening = Script(REGISTRY, ruleset, seats, 1).opening().game
    written = encode(opening.ruleset.view(opening.state, Seat(0)))
    places = PLACES[ruleset]
    fewest = min(count * (seats if "/" in place else 1) for place, count in places.items())
    for first in range(0, len(cards), fewest):
        view: JsonObject = json.loads(written)
        rest = iter([*cards[first:], *cards[:first]])
        for place, count in places.items():
            *of_players, key = place.split("/")
            for owner in view["players"] if of_players else [view]:
                owner[key] = [*islice(rest, count)]
        yield view
