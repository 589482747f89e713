"""Goes through a finished game: makes a row for each event that changes it, and then the totals."""

from collections.abc import Callable, Iterator, Sequence

from rules.kernel.canonical import JsonObject, derive
from rules.kernel.contract.registry import Registry
from rules.kernel.record.events import Event
from rules.kernel.record.game import ABORTED, ENDED, Game, counting
from service.games.analyses import STEPS, steps_of
from workers import bots
from workers.analysis.decisions import AGAIN, WORLDS, Analyst
from workers.analysis.futures import Futures, horizon
from workers.analysis.measured import NOTHING, Estimate, measured, total
from workers.analysis.points import Scale, is_over, raw_leads, told

VERSION = 2
"""The version of the figures; raise it if they change. In version 1, leads were not scaled."""


def analyse(
    game_id: str,
    events: Sequence[Event],
    registry: Registry,
    holder: JsonObject,
    on_row: Callable[[], object],
) -> JsonObject:
    """Analyse a game that has started and is over; call ``on_row`` after each row.

    Raises the errors of ``rows``.
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
    """Yield the rows of a finished game after the first ``done`` rows.

    ``events`` are all events of the game. ``holder`` names the bot that analyses, just as a game
    names a bot that holds a seat. A row is ``{"seq", "leads", "over"}``: the raw leads by future
    and seat, and whether each future is over. If a seat has chosen the event's move, the row also
    has its ``decision``.

    Raises:
        UnknownRulesetError, UnknownBotError: the rules or the bot are not installed.
        UnsoundEventError: an event cannot be applied.
    """
    choose = bots.find(holder["bot"], holder["version"])
    key = key_of(events, holder)
    analyst = Analyst(choose, holder["settings"], key)
    game = Game(game_id, registry)
    futures: Futures | None = None
    number, steps = 0, steps_of(events)
    rows = {event.seq for event in counting(events) if event.kind in STEPS}
    for event in events:
        is_new = event.seq in rows and number >= done
        decision = _judge(analyst, game, event, (number, steps)) if is_new else None
        game.take(event)
        if event.seq in rows:
            number += 1
            futures = futures or Futures(game.ruleset, key, horizon(holder["settings"]), game.state)
            if is_new:
                row = _row(game, event, futures)
                yield row if decision is None else {**row, "decision": decision}


def _row(game: Game, event: Event, futures: Futures) -> JsonObject:
    reached = futures.reached(game.state)
    return {
        "seq": event.seq,
        "leads": [raw_leads(game.ruleset, position) for position in reached],
        "over": [is_over(position) for position in reached],
    }


def key_of(events: Sequence[Event], holder: JsonObject) -> bytes:
    """Return the key of all random choices; it follows from the game's last hash and the bot."""
    end = next(event.hash for event in events if event.kind in (ENDED, ABORTED))
    return derive(end, "analysis", VERSION, holder)


def _judge(analyst: Analyst, game: Game, event: Event, done: tuple[int, int]) -> JsonObject | None:
    """Judge the move of an event; return None for a move that the rules played for a seat."""
    if event.kind != "moved":
        return None
    move = game.ruleset.recorded_move(event.body["move"].value)
    scale = Scale(game.ruleset, len(game.seats), "analysis")
    return analyst.judge(game, event.by["seat"], move, scale.at(*done))


def conclude(
    events: Sequence[Event], registry: Registry, holder: JsonObject, rows: Sequence[JsonObject]
) -> JsonObject:
    """Return the analysis from all rows of a game (docs/bots.md, "Analysis").

    Raises:
        UnknownBotError: the bot is not installed.
    """
    drawn = {event.seq for event in events if event.kind == "chanced"}
    seats = range(len(rows[0]["leads"][0]))
    ruleset = registry.find(events[0].body["game"].value["ruleset"])
    scale = Scale(ruleset, len(seats), "analysis")
    scales = [scale.at(number, len(rows)) for number in range(1, 1 + len(rows))]
    draws = [
        {"seq": row["seq"], "moved": _moved(old, row, factor)}
        for old, row, factor in zip([rows[0], *rows], rows, scales, strict=False)
        if row["seq"] in drawn
    ]
    decisions = [
        {"seq": row["seq"], **row["decision"], "costly": _cost(row["decision"]).is_cost}
        for row in rows
        if "decision" in row
    ]
    luck = [_luck(draws, seat) for seat in seats]
    return {
        "analysis": VERSION,
        **_code(events, registry, holder),
        "settings": holder["settings"],
        "futures": len(rows[0]["leads"]),
        "worlds": [WORLDS, AGAIN],
        "lead_scale": [*scale.thirds],
        "expected": [
            {"seq": row["seq"], "leads": [each.to_json() for each in _means(_told(row, factor))]}
            for row, factor in zip(rows, scales, strict=True)
        ],
        "decisions": decisions,
        "draws": [
            {"seq": draw["seq"], "luck": [each.to_json() for each in _means(draw["moved"])]}
            for draw in draws
        ],
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
    """Return the numbers of the events with a seat's costly moves, the costliest first."""
    found = [one for one in decisions if one["seat"] == seat and one["costly"]]
    return [one["seq"] for one in sorted(found, key=lambda one: (-one["cost"], one["seq"]))]


def _cost(decision: JsonObject) -> Estimate:
    return Estimate(decision["cost"], decision["error"])


def _told(row: JsonObject, scale: int) -> list[list[int]]:
    """Return the leads of a row in thousandths of a point, by future and seat."""
    return [
        told(raw, scale, over=over) for raw, over in zip(row["leads"], row["over"], strict=True)
    ]


def _means(by_future: Sequence[Sequence[int]]) -> list[Estimate]:
    """Return the mean over all futures, by seat."""
    return [measured(values) for values in zip(*by_future, strict=True)]


def _moved(old: JsonObject, new: JsonObject, scale: int) -> list[list[int]]:
    """Return by how much an event changed each seat's lead in each future.

    The leads before and after the event are scaled by the same ``scale``.
    """
    pairs = zip(_told(old, scale), _told(new, scale), strict=True)
    return [[a - b for a, b in zip(after, before, strict=True)] for before, after in pairs]


def _luck(draws: Sequence[JsonObject], seat: int) -> Estimate:
    """Return the sum of the effects of all draws on a seat's lead.

    The effects are added up within each future, because the effects of different draws in one
    future are not independent.
    """
    by_future = zip(*[[moved[seat] for moved in draw["moved"]] for draw in draws], strict=True)
    return measured([sum(values) for values in by_future]) if draws else NOTHING
