"""A view drawn for the terminal, at most 100 columns wide."""

from collections.abc import Iterator

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import Labels
from rules.kernel.toolbox.boards import Words, columns, wrapped
from rules.plus_ultra import data

_WIDTH = 14


def draw_board(view: JsonObject, labels: Labels, language: str) -> str:
    """Return the whole table: turn, New World, market and church, war, players."""
    words = Words(labels, language)
    parts = (_heading, _new_world, _goods, _court, _players, _own)
    drawn = ["\n".join(map(wrapped, part(view, words))) for part in parts]
    return "\n\n".join(filter(None, drawn))


def _heading(view: JsonObject, words: Words) -> Iterator[str]:
    where = words("board.turn", turn=view["turn"], turns=data.TURNS)
    if view["round"]:
        where += f" · {words('board.round', round=view['round'])}"
    if view["end_reason"]:
        where += f" · {words('reason.' + view['end_reason'])}"
    elif view["decider"] is not None:
        decision = words(f"decision.{view['phase']}")
        where += f" · {words('seat.' + str(view['decider']))}: {decision}"
    yield where
    if view["peer_order"]:
        yield words("board.order", order=view["peer_order"], pending=view["pending_order"])


def _new_world(view: JsonObject, words: Words) -> Iterator[str]:
    yield words("board.new_world", pile=view["pile"])
    for number, (row, settlement) in enumerate(
        zip(view["rows"], view["settlements"], strict=True), 1
    ):
        tile = words(f"tile.{row or 'none'}")
        beside = ""
        if settlement:
            free = settlement["size"] - len(settlement["houses"])
            houses = [words(f"seat.{seat}") for seat in settlement["houses"]] + ["·"] * free
            beside = f"{words('board.settlement', size=settlement['size'])}: {' '.join(houses)}"
        yield f"  {number}  {tile:{_WIDTH}}{beside}".rstrip()


def _goods(view: JsonObject, words: Words) -> Iterator[str]:
    market = [words(f"tile.{good}") for good in view["market"]]
    market += ["·"] * (data.MARKET_SLOTS - len(market))
    church = [words(f"tile.{good}") if good else "·" for good in view["church"]]
    top = [words(f"tile.{good}") for good in reversed(view["surplus"])]
    yield f"{words('board.church'):{_WIDTH}}{_cells(church)}".rstrip()
    yield f"{words('board.market'):{_WIDTH}}{_cells(market)}".rstrip()
    yield f"{words('board.surplus'):{_WIDTH}}{', '.join(top[:5])}{' …' if len(top) > 5 else ''}"


def _court(view: JsonObject, words: Words) -> Iterator[str]:
    yield words("board.crown", crown=view["crown"], cap=data.CROWN_CAP, bank=view["bank"])
    spaces = [words(f"seat.{seat}") for seat in view["war"]]
    spaces += ["·"] * (view["war_level"] - len(spaces))
    yield f"{words('board.war'):{_WIDTH}}{' '.join(spaces)}".rstrip()
    yield words(
        "board.supplies",
        bulls=view["bull_supply"],
        rosettes=view["rosette_supply"],
        magellan=view["magellan_supply"],
        estates=view["estate_stack"],
    )
    if view["common_taken"]:
        yield words("board.taken", spaces=view["common_taken"])


_COLUMNS = {
    "pg": "{pg}",
    "ducats": "{ducats}",
    "tercios": "{tercios[active]}/{tercios[tired]}",
    "houses": "{houses[reserve]}",
    "rosettes": "{rosettes[ready]}/{rosettes[used]}",
    "bulls": "{bulls}",
    "sea_trade": "{sea_trade}",
    "magellan": "{magellan}",
    "natives": "{natives}",
    "estates": "{estate_count}",
}


def _players(view: JsonObject, words: Words) -> Iterator[str]:
    heads = [words(f"board.{column}") for column in _COLUMNS]
    widths = [max(len(head), 4) + 2 for head in heads]
    yield " " * _WIDTH + columns(heads, widths)
    for player in view["players"]:
        mark = ">" if player["seat"] == view["decider"] else " "
        cells = [cell.format(**player) for cell in _COLUMNS.values()]
        name = f"{mark} {words('seat.' + str(player['seat']))}"
        yield f"{name:{_WIDTH}}" + columns(cells, widths)


def _own(view: JsonObject, words: Words) -> Iterator[str]:
    """Characters, as far as they are known, and the viewer's estates."""
    for player in view["players"]:
        name = words("seat." + str(player["seat"]))
        if player["characters"]:
            used = player["characters_used"]
            shown = [
                f"{words('character.' + c)}{' ✓' if c in used else ''}"
                for c in player["characters"]
            ]
            yield f"{name}: {', '.join(shown)}"
        if player["estates"]:
            yield f"{name}: {words('board.owned', estates=player['estates'])}"
    if view["pack"]:
        yield words("board.pack", characters=view["pack"])


def _cells(cells: list[str]) -> str:
    return "".join(f"{cell:{_WIDTH}}" for cell in cells)
