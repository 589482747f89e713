"""``lonja simulate``: random play that checks the rules."""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject, encode
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.effects import EffectLog
from rules.kernel.contract.ruleset import Chanced, Decision, Finished, Moved, Ruleset, Turn
from service.cli import common, console

SHOWN = 20
"""How many violations are told in words."""


@dataclass
class SimulationTally:
    """What many games came to."""

    games: int = 0
    decisions: int = 0
    events: int = 0
    longest: int = 0
    violations: list[str] = field(default_factory=list)
    end_reasons: dict[str, int] = field(default_factory=dict)
    wanted: int = 0


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

    In the first game of each number of seats, words, codecs, default moves and guesses are checked
    too. The exit code is 1 if anything was violated, and 130 if you stopped it before its end.
    """
    rules = common.find_ruleset(common.load_registry(), ruleset)
    info = rules.info
    numbers = range(info.min_seats, info.max_seats + 1) if seats is None else (seats,)
    chosen = {number: common.parse_options(rules, number, options) for number in numbers}
    tally = SimulationTally(violations=[*_broken_table(rules)], wanted=games)
    began = time.perf_counter()
    with suppress(KeyboardInterrupt), console.progress() as progress:
        for number in progress.track(range(games), description=f"Playing {info.id}"):
            seated = numbers[number % len(numbers)]
            closely = number < len(numbers)
            play_one(rules, seated, chosen[seated], f"{seed}/{number}", tally, closely=closely)
    seconds = time.perf_counter() - began
    _tell(rules, tally, seed, seconds, as_json=as_json)
    if tally.violations:
        sys.exit(1)
    if tally.games < games:
        sys.exit(common.INTERRUPTED)


def play_one(
    ruleset: Ruleset[Any],
    seats: int,
    options: JsonObject,
    seed: str,
    tally: SimulationTally,
    *,
    closely: bool = False,
) -> None:
    """Play one random game and add it to ``tally``; ``seed`` names it in what was violated."""
    where = f"game {seed} with {seats} seats"
    before = tally.events
    try:
        rng = random.Random(seed)  # noqa: S311 - play
        _play(ruleset, seats, options, rng, tally, where, closely=closely)
    except Exception as error:  # noqa: BLE001 - rules must not raise, whatever they raise
        tally.violations.append(f"{where}: {type(error).__name__}: {error}")
    tally.games += 1
    tally.longest = max(tally.longest, tally.events - before)


def _play(
    ruleset: Ruleset[Any],
    seats: int,
    options: JsonObject,
    rng: random.Random,
    tally: SimulationTally,
    where: str,
    *,
    closely: bool,
) -> None:
    state = ruleset.initial(seats, options)
    nature = uniform(rng)
    limit = tally.decisions + ruleset.info.max_decisions
    while True:
        for broken in ruleset.violations(state):
            tally.violations.append(f"{where}, event {tally.events}: {broken}")
        turn = ruleset.turn(state)
        if closely:
            for broken in _broken_laws(ruleset, state, turn):
                tally.violations.append(f"{where}, event {tally.events}: {broken}")
        log = EffectLog() if closely else None
        if isinstance(turn, Finished):
            reason = ruleset.result(state).reason
            tally.end_reasons[reason] = tally.end_reasons.get(reason, 0) + 1
            return
        if isinstance(turn, Chance):
            ruleset.reduce(state, Chanced(turn.label, turn.n, nature(turn)), log)
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
            ruleset.reduce(state, Moved(seat, legal[rng.randrange(len(legal))]), log)
            tally.decisions += 1
        for effect in log.effects if log else ():
            _say(ruleset, f"effect.{effect.type}", effect.data)
        tally.events += 1


def _broken_table(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Look for names in the table of phases that name nothing."""
    types = {type_.type for type_ in ruleset.move_types}
    for name, phase in ruleset.phases.items():
        for move in sorted({*phase.moves} - types):
            yield f"phase {name}: there is no move {move!r}"
        for after in sorted({*phase.leads_to} - ruleset.phases.keys()):
            yield f"phase {name}: there is no phase {after!r}"


def _broken_laws(ruleset: Ruleset[Any], state: Any, turn: Turn) -> Iterator[str]:
    """Look at what a position must keep besides its invariants; whatever it raises is told too."""
    written = ruleset.to_bytes(state)
    if ruleset.to_bytes(ruleset.from_json(orjson.loads(written))) != written:
        yield "the state's JSON is read back as another state"
    if not isinstance(turn, Decision):
        return
    _say(ruleset, f"decision.{turn.name}", {})
    for seat in turn.seats:
        if not (legal := ruleset.legal_moves(state, seat)):
            continue  # which is told when it is to move
        ruleset.check(state, seat, ruleset.default_move(state, seat))
        for move in legal:
            _say(ruleset, *move.label_in(state, seat))
        known = ruleset.information(state, seat)
        guess = ruleset.determinize(known, random.Random(0))  # noqa: S311 - a guess
        if encode(ruleset.information(guess, seat)) != encode(known):
            yield f"seat {seat} knows another thing in a guess than in the game"


def _say(ruleset: Ruleset[Any], key: str, data: JsonObject) -> None:
    for language in ruleset.labels.tables:
        ruleset.labels.text(key, language, **data)


def _tell(
    ruleset: Ruleset[Any], tally: SimulationTally, seed: int, seconds: float, *, as_json: bool
) -> None:
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
    console.say(
        f"{tally.games} games of {ruleset.info.id} {ruleset.info.version}:"
        f" {tally.decisions} decisions, {rate} a second; the longest game has"
        f" {tally.longest} events."
    )
    for reason, count in sorted(tally.end_reasons.items()):
        console.say(f"  {count} ended by {reason}")
    for violation in tally.violations[:SHOWN]:
        console.say(f"VIOLATION {violation}", err=True)
    console.say(
        f"{len(tally.violations)} violations." if tally.violations else "No invariant was violated."
    )
    if tally.games < tally.wanted:
        console.say(
            f"You stopped it after {tally.games} of {tally.wanted} games; the same command plays"
            " the same games again from the first.",
            err=True,
        )
