"""``lonja simulate``: random play that checks the rules."""

import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import Chanced, Finished, Moved, Ruleset
from service.cli import common, console

SHOWN = 20
"""How many violations are told in words."""


@dataclass
class Tally:
    """What many games came to."""

    games: int = 0
    decisions: int = 0
    events: int = 0
    longest: int = 0
    violations: list[str] = field(default_factory=list)
    end_reasons: dict[str, int] = field(default_factory=dict)


@click.command("simulate", short_help="Play many random games and check the rules.")
@common.ruleset_argument
@click.option("--games", type=click.IntRange(1, 10_000_000), default=100, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Equal seeds, equal games.")
@click.option("--seats", type=int, help="How many seats; without it, every number in turn.")
@common.rules_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for programs.")
def command(
    ruleset: str,
    games: int,
    seed: int,
    seats: int | None,
    options: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Play GAMES random games of RULESET and check its invariants after every event.

    The exit code is 1 if anything was violated.
    """
    rules = common.find_ruleset(common.load_registry(), ruleset)
    info = rules.info
    numbers = range(info.min_seats, info.max_seats + 1) if seats is None else (seats,)
    chosen = {number: common.parse_options(rules, number, options) for number in numbers}
    tally = Tally()
    began = time.perf_counter()
    with console.progress() as progress:
        for number in progress.track(range(games), description=f"Playing {info.id}"):
            seated = numbers[number % len(numbers)]
            play_one(rules, seated, chosen[seated], f"{seed}/{number}", tally)
    seconds = time.perf_counter() - began
    _tell(rules, tally, seed, seconds, as_json=as_json)
    if tally.violations:
        sys.exit(1)


def play_one(
    ruleset: Ruleset[Any], seats: int, options: JsonObject, seed: str, tally: Tally
) -> None:
    """Play one random game and add it to ``tally``; ``seed`` names it in what was violated."""
    where = f"game {seed} with {seats} seats"
    tally.games += 1
    before = tally.events
    try:
        _play(ruleset, seats, options, random.Random(seed), tally, where)  # noqa: S311 - play
    except Exception as error:  # noqa: BLE001 - rules must not raise, whatever they raise
        tally.violations.append(f"{where}: {type(error).__name__}: {error}")
    tally.longest = max(tally.longest, tally.events - before)


def _play(
    ruleset: Ruleset[Any],
    seats: int,
    options: JsonObject,
    rng: random.Random,
    tally: Tally,
    where: str,
) -> None:
    state = ruleset.initial(seats, options)
    nature = uniform(rng)
    limit = tally.decisions + ruleset.info.max_decisions
    while True:
        for broken in ruleset.violations(state):
            tally.violations.append(f"{where}, event {tally.events}: {broken}")
        turn = ruleset.turn(state)
        if isinstance(turn, Finished):
            reason = ruleset.result(state).reason
            tally.end_reasons[reason] = tally.end_reasons.get(reason, 0) + 1
            return
        if isinstance(turn, Chance):
            ruleset.reduce(state, Chanced(turn.label, turn.n, nature(turn)))
        else:
            seat = turn.seats[rng.randrange(len(turn.seats))]
            legal = ruleset.legal_moves(state, seat)
            if not legal:
                tally.violations.append(f"{where}: seat {seat} is asked and has no legal move")
                return
            if tally.decisions == limit:
                tally.violations.append(
                    f"{where}: no end after {ruleset.info.max_decisions} decisions"
                )
                return
            ruleset.reduce(state, Moved(seat, legal[rng.randrange(len(legal))]))
            tally.decisions += 1
        tally.events += 1


def _tell(ruleset: Ruleset[Any], tally: Tally, seed: int, seconds: float, *, as_json: bool) -> None:
    rate = round(tally.decisions / seconds)
    if as_json:
        click.echo(
            orjson.dumps(
                {
                    "ruleset": ruleset.info.id,
                    "rules_version": ruleset.info.version,
                    "seed": seed,
                    "games": tally.games,
                    "decisions": tally.decisions,
                    "events": tally.events,
                    "longest_game_events": tally.longest,
                    "seconds": round(seconds, 3),
                    "decisions_per_second": rate,
                    "end_reasons": tally.end_reasons,
                    "violations": len(tally.violations),
                    "violation_details": tally.violations[:SHOWN],
                }
            )
        )
        return
    click.echo(
        f"{tally.games} games of {ruleset.info.id} {ruleset.info.version}:"
        f" {tally.decisions} decisions, {rate} a second; the longest game has"
        f" {tally.longest} events."
    )
    for reason, count in sorted(tally.end_reasons.items()):
        click.echo(f"  {count} ended by {reason}")
    for violation in tally.violations[:SHOWN]:
        click.echo(f"VIOLATION {violation}", err=True)
    click.echo(
        f"{len(tally.violations)} violations." if tally.violations else "No invariant was violated."
    )
