"""Drawings for the terminal: no line is too long, and all players' points and goods are shown."""

import random
import re
from collections import Counter
from typing import Any

import pytest

from laws.book.drawings import WIDTHS, check_lines, drawn
from laws.games import Spot, random_game, spots
from laws.law import Breach
from laws.tables import Table, default_tables, tables_of
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.bindings import Node, nodes
from rules.kernel.contract.drawing import Drawing, Line, plain, text_of
from rules.kernel.contract.labels import LANGUAGES
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from tests.campaigns import Figure
from tests.contract.tables import RULESETS

SAMPLES = 20
CAMPAIGN = 500

SHOWN = {
    "macao": ("prestige", "coins", "jokers", "punishments", "markers_left", "supply/*", "goods/*"),
    "manila": ("cash", "funds", "pledged", "accomplices_in_hand"),
    "plus_ultra": (
        "pg", "ducats", "tercios/active", "tercios/tired", "houses/reserve", "rosettes/ready",
        "rosettes/used", "bulls", "sea_trade", "magellan", "natives", "estate_count",
    ),
    "ragusa": ("vp/total", "access/*", "stock/*", "houses_left", "towers_left"),
    "santiago_de_cuba": ("vp", "pesos", "goods/*", "markers_left"),
}  # fmt: skip
"""By ruleset: the members of the view with a player's points and goods, the points first."""
LISTED = {"pig": ("scores", "rolls"), "sealed": ("coins", "prizes")}
"""By ruleset without a drawing of its own: the members of the view that are lists by seat."""


def rows_by_owner(players: tuple[Line, ...]) -> list[list[Line]]:
    """Return the lines of each seat and automaton, which begin with a line in its style."""
    rows: list[list[Line]] = []
    for line in players:
        if any(span.style.startswith(("seat.", "side.")) for span in line):
            rows.append([])
        if rows:
            rows[-1].append(line)
    return rows


def held(ruleset: Ruleset[Any], view: JsonObject) -> list[list[int]]:
    """Return the visible points and goods of each player."""
    id_ = ruleset.info.id
    if id_ in LISTED:
        return [list(amounts) for amounts in zip(*(view[n] for n in LISTED[id_]), strict=True)]
    return [
        [node.value for path in SHOWN[id_] for node in nodes(Node(player), path)]
        for player in view["sides" if "sides" in view else "players"]
    ]


def check_players(spot: Spot, view: JsonObject, drawing: Drawing) -> None:
    """Check that the owner's lines show every visible number, and emphasise the points."""
    expected = held(spot.ruleset, view)
    rows = rows_by_owner(drawing.players)
    assert len(rows) >= len(expected), f"{spot.where}: {plain(drawing)}"
    for amounts, lines in zip(expected, rows, strict=False):
        said = " ".join(map(text_of, lines))
        numbers = Counter(map(int, re.findall(r"-?\d+", said)))
        wanted = Counter(amount for amount in amounts if amount)
        assert wanted <= numbers, f"{spot.where}: {amounts}, but {said!r}"
        if spot.ruleset.info.id in SHOWN:
            points = next(span.text for span in lines[0] if span.style == "strong")
            assert points in (str(amounts[0]), "?"), f"{spot.where}: {said!r}"


def check(spot: Spot, viewer: Seat | None) -> None:
    for language in LANGUAGES:
        for columns in WIDTHS:
            drawing = drawn(spot, viewer, language, columns)
            check_lines(drawing, columns)
            check_players(spot, spot.ruleset.view(spot.state, viewer), drawing)


def sampled(ruleset: Ruleset[Any], seed: int) -> list[tuple[Spot, Seat | None]]:
    """Return positions of games at several tables, each for one viewer."""
    rng = random.Random(f"drawings {ruleset.info.id} {seed}")
    tables = tables_of(ruleset)
    chosen = rng.sample(tables, min(len(tables), 5))
    each = -(-SAMPLES // len(chosen))
    found = [(spot, rng.choice(t.viewers)) for t in chosen for spot in met(t, seed, each, rng)]
    return found[:SAMPLES]


def met(table: Table, seed: int, count: int, rng: random.Random) -> list[Spot]:
    everything = spots(random_game(table, seed))
    return rng.sample(everything, min(count, len(everything)))


def test_everybody_is_there(ruleset: Ruleset[Any]) -> None:
    for spot, viewer in sampled(ruleset, 1):
        check(spot, viewer)


def test_a_compact_form_has_all_places() -> None:
    """A player on a low screen can go to each of them with the cursor."""
    ruleset = next(ruleset for ruleset in RULESETS if ruleset.info.id == "ragusa")
    drawing = drawn(spots(random_game(default_tables(ruleset)[0], 1))[3], Seat(0), "en", 78)
    at, part = next((n, part) for n, part in enumerate(drawing.parts) if part.compact)
    assert len(part.compact) < len(part.lines)
    parts = [*drawing.parts]
    parts[at] = part._replace(compact=part.compact[1:])
    with pytest.raises(Breach, match="lacks the places"):
        check_lines(drawing._replace(parts=tuple(parts)), 78)


def test_a_drawing_is_told_from_the_top(ruleset: Ruleset[Any]) -> None:
    """Plain text begins with the heading, ends with the players, and has no reference lines."""
    spot = spots(random_game(default_tables(ruleset)[0], 1))[3]
    drawing = drawn(spot, Seat(0), "en", 78)
    told = plain(drawing).splitlines()
    assert told[0] == text_of(drawing.heading[0])
    assert told[-1] == text_of(drawing.players[-1])
    shown = [part for part in drawing.parts if not part.reference]
    for part in drawing.parts:  # a single part needs no title
        assert (part.title in told) is (part in shown and len(shown) > 1), part.title


@pytest.mark.parametrize(
    ("language", "seat", "coins"), [("en", "Seat", "Coins"), ("es", "Asiento", "Monedas")]
)
def test_what_has_no_drawing_of_its_own_is_named_once(language: str, seat: str, coins: str) -> None:
    """It shows seats and members by their names, in few lines; references explain them."""
    ruleset = next(ruleset for ruleset in RULESETS if ruleset.info.id == "sealed")
    spot = spots(random_game(default_tables(ruleset)[-1], 1))[3]
    drawing = drawn(spot, Seat(0), language, 78)
    told = plain(drawing)
    assert len(told.splitlines()) <= 12  # on a screen of 24 lines the question has room, too
    assert told.count(coins) == 1  # as the headings of their columns
    assert re.search(rf"^{seat} 1 +6\b", told, re.MULTILINE)
    (meaning,) = [part for part in drawing.parts if part.reference]
    words = ruleset.labels.tables[language]
    assert any(words["shown.resigned"] in text_of(line) for line in meaning.lines)
    assert words["shown.resigned"] not in told


@pytest.mark.campaign("drawings")
@pytest.mark.parametrize("game", range(CAMPAIGN // SAMPLES))
def test_drawings_of_many_positions(
    ruleset: Ruleset[Any], game: int, record_property: Figure
) -> None:
    """Five hundred positions of each game."""
    found = sampled(ruleset, 100 + game)
    for spot, viewer in found:
        check(spot, viewer)
    record_property("positions", len(found))
