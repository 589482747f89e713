"""Goes through a finished game: a row for each event that changes it, then what they come to."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise

from rules.kernel.canonical import JsonObject, derive
from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Event
from rules.kernel.record.game import ABORTED, ENDED, Game
from service.games.analyses import STEPS
from workers import bots
from workers.analysis.decisions import AGAIN, WORLDS, Analyst
from workers.analysis.futures import Futures, horizon
from workers.analysis.measured import Measured, measured, total

VERSION = 1
"""Raised when the same game gives other figures."""


def analyse(
    game_id: str,
    events: Sequence[Event],
    registry: Registry,
    holder: JsonObject,
    on_row: Callable[[], object],
) -> JsonObject:
    """Analyse a game that is over, and has started, at once; ``on_row`` is called after each row.

    Raises as ``rows``.
    """
    found = []
    for row in rows(game_id, events, registry, holder):
        found.append(row)
        on_row()
    return conclude(events, registry, holder, found)


def rows(
    game_id: str,
    events: Sequence[Event],
    registry: Registry,
    holder: JsonObject,
    done: int = 0,
) -> Iterator[JsonObject]:
    """Yield the rows of a game that is over, but for the first ``done``, which are known already.

    ``events`` are all of the game, ``holder`` names the bot as a seat's would. A row is ``{"seq",
    "leads"}``, by future and seat, and with a move that somebody chose its ``decision``.

    Raises:
        UnknownRulesetError, UnknownBotError: the rules or the bot are not installed.
        Unsound: an event cannot be applied.

    """
    choose = bots.find(holder["bot"], holder["version"])
    key = key_of(events, holder)
    analyst = Analyst(choose, holder["settings"], key)
    game = Game(game_id, registry)
    futures: Futures | None = None
    number = 0
    for event in events:
        is_new = event.kind in STEPS and number >= done
        decision = _judge(analyst, game, event) if is_new else None
        game.take(event)
        number += event.kind in STEPS
        if is_new:
            futures = futures or Futures(game.ruleset, key, horizon(holder["settings"]))
            leads = futures.result if event.kind == ENDED else futures.leads
            row: JsonObject = {"seq": event.seq, "leads": leads(game.state)}
            yield row if decision is None else {**row, "decision": decision}


def key_of(events: Sequence[Event], holder: JsonObject) -> bytes:
    """Return what decides all guesses and luck: the hash that ended the game, and the bot."""
    end = next(event.hash for event in events if event.kind in (ENDED, ABORTED))
    return derive(end, "analysis", VERSION, holder)


def _judge(analyst: Analyst, game: Game, event: Event) -> JsonObject | None:
    """Judge the move of an event; what the rules played for a seat is nobody's choice."""
    if event.kind != "moved":
        return None
    move = game.ruleset.recorded_move(event.body["move"].value)
    return analyst.judge(game, event.by["seat"], move)


def conclude(
    events: Sequence[Event], registry: Registry, holder: JsonObject, rows: Sequence[JsonObject]
) -> JsonObject:
    """Return the analysis that all rows of a game make (docs/bots.md, "Analysis").

    Raises:
        UnknownBotError: the bot is not installed.

    """
    drawn = {event.seq for event in events if event.kind == "chanced"}
    seats = range(len(rows[0]["leads"][0]))
    before = [rows[0], *rows]
    draws = [
        {"seq": row["seq"], "luck": [_moved(old, row, seat).to_json() for seat in seats]}
        for old, row in zip(before, rows, strict=False)
        if row["seq"] in drawn
    ]
    decisions = [
        {"seq": row["seq"], **row["decision"], "costly": _cost(row["decision"]).is_cost}
        for row in rows
        if "decision" in row
    ]
    luck = _luck(rows, drawn)
    return {
        "analysis": VERSION,
        **_code(events, registry, holder),
        "settings": holder["settings"],
        "futures": len(rows[0]["leads"]),
        "worlds": [WORLDS, AGAIN],
        "expected": [
            {"seq": row["seq"], "leads": [_lead(row, seat).to_json() for seat in seats]}
            for row in rows
        ],
        "decisions": decisions,
        "draws": draws,
        "seats": [
            {
                "seat": seat,
                "luck": luck[seat].to_json(),
                "cost": total([_cost(d) for d in decisions if d["seat"] == seat]).to_json(),
                "costly": _costliest(decisions, seat),
            }
            for seat in seats
        ],
    }


def _code(events: Sequence[Event], registry: Registry, holder: JsonObject) -> JsonObject:
    ruleset = events[0].body["game"].value["ruleset"]
    name, version = holder["bot"], holder["version"]
    digest = bots.code_digest(registry, ruleset, name, version)
    return {"bot": name, "version": version, "digest": digest}


def _costliest(decisions: Sequence[JsonObject], seat: int) -> list[int]:
    """Return the events whose moves cost a seat something, the costliest first."""
    found = [one for one in decisions if one["seat"] == seat and one["costly"]]
    return [one["seq"] for one in sorted(found, key=lambda one: (-one["cost"], one["seq"]))]


def _cost(decision: JsonObject) -> Measured:
    return Measured(decision["cost"], decision["error"])


def _lead(row: JsonObject, seat: int) -> Measured:
    return measured([leads[seat] for leads in row["leads"]])


def _moved(old: JsonObject, new: JsonObject, seat: int) -> Measured:
    """Return how far an event moved what a seat comes to, in the same futures before and after."""
    return measured(_differences(old, new, seat))


def _differences(old: JsonObject, new: JsonObject, seat: int) -> list[int]:
    pairs = zip(old["leads"], new["leads"], strict=True)
    return [after[seat] - before[seat] for before, after in pairs]


def _luck(rows: Sequence[JsonObject], drawn: Collection[int]) -> list[Measured]:
    """Return what all draws together did to each seat.

    They are added up in each future: one future is the same at each draw, so what is measured at
    one is not independent of what is measured at the next.
    """
    seats = range(len(rows[0]["leads"][0]))
    sums = [[0] * len(rows[0]["leads"]) for _ in seats]
    for old, new in pairwise(rows):
        if new["seq"] in drawn:
            for seat in seats:
                for future, moved in enumerate(_differences(old, new, seat)):
                    sums[seat][future] += moved
    return [measured(values) for values in sums]
