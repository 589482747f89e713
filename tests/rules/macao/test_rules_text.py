"""The maps in RULES.md are those of the published edition."""

from pathlib import Path

from rules.macao import RULESET
from rules.macao.data import EDITION

RULES = (Path(__file__).parents[3] / "rules/macao/RULES.md").read_text().splitlines()
COLOURS = RULESET.labels.tables["en"]
SPACES = {space["id"]: space for space in EDITION.tables["sea_spaces"]}


def test_every_quarter_says_its_cost_and_what_it_borders_on() -> None:
    for quarter in EDITION.tables["quarters"]:
        dark = ", dark" if quarter["shade"] == "dark" else ""
        cost = ", ".join(
            f"{n} {COLOURS[f'cube.{colour}']}" for colour, n in quarter["cost"].items()
        )
        borders = ", ".join(_number(other) for other in quarter["adjacent"])
        assert f"| {_number(quarter['id'])}{dark} | {cost} | {borders} |" in RULES


def test_every_space_of_the_sea_says_what_it_is_next_to() -> None:
    wanted = {port["id"]: port["good"] for port in EDITION.tables["ports"]}
    goods = {good["id"]: good["name"]["en"].lower() for good in EDITION.tables["goods"]}
    for id_, space in SPACES.items():
        beside = ", ".join(_place(other) for other in space["adjacent"])
        name = {"dock": "Macao, the dock", "sea": f"Sea space {_place(id_)}"}.get(
            space["type"], f"{_place(id_)}, which wants {goods.get(wanted.get(id_))}"
        )
        assert f"| {name} | {beside} |" in RULES


def _number(id_: str) -> str:
    return str(int(id_[1:]))


def _place(id_: str) -> str:
    kind = SPACES[id_]["type"]
    if kind == "dock":
        return "Macao"
    return _number(id_) if kind == "sea" else str(SPACES[id_]["name"]["en"])
