"""The figures in RULES.md are those of the tables."""

import re
from pathlib import Path

from rules.ragusa import RULESET
from rules.ragusa.data import EDITION

RULES = (Path(__file__).parents[3] / "rules/ragusa/RULES.md").read_text()
TABLES = EDITION.tables


def _paid(cost: dict[str, int]) -> str:
    return ", ".join(f"{units} {commodity}" for commodity, units in cost.items()) or "nothing"


def test_the_track_has_its_values_and_its_start() -> None:
    track = TABLES["market_track"]
    values = [str(value) for value in track["values"]]
    values[track["start_index"]] = f"**{values[track['start_index']]}**"
    assert f"\n{', '.join(values)} VP.\n" in RULES


def test_slots_and_ships_have_their_prices_and_stars() -> None:
    for slot in TABLES["market_slots"]:
        assert f"| {slot['slot']} | {_paid(slot['cost'])} | {slot['market_down']} |" in RULES
        assert slot["market_down_steps"] == 1
    ships = [(s["good"], s["stars"], _paid(s["extra_cost"])) for s in TABLES["ships"]]
    for good, stars, extra in set(ships):
        number = ships.count((good, stars, extra))
        assert f"| {good} | {number} | {stars} | {extra} |" in RULES


def test_bonus_cards_have_their_values() -> None:
    words = RULESET.labels.tables["en"]
    for card in TABLES["bonus_cards"]:
        quoted, _, value = words[f"card_worth.{card['id']}"].removesuffix(")").partition(" (")
        name = words[f"card.{card['id']}"]
        assert quoted == words[f"the_card.{card['id']}"] == f'"{name}"'
        assert f"| {name} | {re.sub('points?', 'VP', value)}" in RULES
        assert re.match(rf"{card['vp']} points? per ", value)


def test_the_solo_game_says_how_each_side_begins() -> None:
    solo = TABLES["solo"]
    for side, name in (("human", "you"), ("bot_a", "Bot A"), ("bot_b", "Bot B")):
        access = ", ".join(
            f"{units} {resource.replace('_', ' ')}"
            for resource, units in solo["starting_resources"][side].items()
            if units
        )
        houses = ", ".join(solo["starting_houses"][side])
        assert f"| {name} | {houses} | {access} |" in RULES
