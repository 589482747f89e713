"""The drawn street is the route of the car."""

from pathlib import Path
from typing import Any

from laws.games import sample_game
from laws.tables import default_tables
from rules.kernel.contract.published import board
from rules.kernel.contract.ruleset import MoveEvent
from rules.santiago_de_cuba import RULESET, data
from rules.santiago_de_cuba.moves import DriveCar

BOARD: Any = board(RULESET)
STREET = BOARD["tracks"]["street"]["places"]


def test_the_car_drives_along_the_street() -> None:
    drives = 0
    for table in default_tables(RULESET):
        start = goes = None
        for spot in sample_game(table, 1).positions():
            event = spot.next
            car = f"stop_{spot.state.car}"
            if goes is not None:
                assert STREET[(STREET.index(start) + goes) % len(STREET)] == car
                drives += 1
            move = event.move if isinstance(event, MoveEvent) else None
            start, goes = car, move.steps if isinstance(move, DriveCar) else None
    assert drives > 50


def test_each_stop_leads_to_the_next() -> None:
    for number, stop in enumerate(STREET):
        following = STREET[(number + 1) % data.STOPS]
        assert BOARD["places"][stop]["neighbours"] == [following]


def test_sites_go_round_by_flower() -> None:
    sites = [key for key, place in BOARD["places"].items() if place["kind"] == "site"]
    assert sites == [*data.SPACES]
    for number, site in enumerate(sites):
        flower = data.FLOWERS[number // data.SPACES_PER_FLOWER]
        assert BOARD["places"][site]["says"]["flower"] == flower


def test_the_drawn_fares_are_those_of_the_rules() -> None:
    drawing = (Path(data.__file__).parent / "aids" / "town.tsx").read_text(encoding="utf-8")
    assert f"FREE_STOPS = {data.FREE_STEPS};" in drawing
    assert f"PESOS_A_STOP = {data.PESOS_PER_STEP};" in drawing
