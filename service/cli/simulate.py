"""``lonja simulate``: random games that check the rules."""

import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import click
import orjson

from laws.book import LAWS
from laws.games import RulesEvent, SampleGame, Subject, runaway
from laws.judging import hold, judge_game
from laws.tables import Table
from rules.kernel.canonical import JsonObject
from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import ChanceEvent, GameOver, MoveEvent, Ruleset
from service.cli import common, console, parameters

CLOSELY = 100
"""One game in so many is checked closely, and so is the first of each number of seats."""
OF_GAMES = (
    "states_read_back", "states_look_alike", "states_are_whole", "replay_equals_play",
    "states_have_the_bytes_of_their_json", "the_default_move_is_legal", "records_verify",
    "legal_moves_are_accepted", "a_guess_keeps_the_information", "a_guess_is_a_sensible_position",
)  # fmt: skip
OF_RULESETS = (
    "phases_name_what_there_is", "what_is_said_can_be_read", "effects_are_what_they_are_declared",
)  # fmt: skip
"""The names of the laws for closely checked games, and of those for the whole ruleset."""
SHOWN = 20
"""Maximum number of violations that are printed."""


@dataclass
class SimulationTally:
    """The totals of many games."""

    games: int = 0
    decisions: int = 0
    events: int = 0
    longest: int = 0
    violations: list[str] = field(default_factory=list)
    end_reasons: dict[str, int] = field(default_factory=dict)
    wanted: int = 0
    seconds: float = 0.0
    """The time of play, without close checks."""
    close_games: list[SampleGame] = field(default_factory=list)


@click.command("simulate", short_help="Play many random games and check the rules.")
@parameters.ruleset_argument
@click.option(
    "--games",
    type=click.IntRange(1, 10_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="The number of games.",
)
@parameters.seed_option
@parameters.seats_option("without it, all allowed numbers in turn")
@parameters.rules_option
@parameters.json_option
def command(
    ruleset: str,
    games: int,
    seed: str | None,
    seats: int | None,
    options: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Play GAMES random games of RULESET and check its invariants after every event.

    The first game of each number of seats, and every hundredth game, are checked closely. A close
    check encodes and decodes all data again. It verifies the record that each seat gets during the
    game. It also checks the labels, the default moves and the positions that bots guess. `lonja
    check` is stricter. The exit code is 1 if anything was violated, and 130 after an interruption.
    """
    seed = seed or common.new_seed()
    rules = common.find_ruleset(common.load_registry(), ruleset)
    info = rules.info
    numbers = range(info.min_seats, info.max_seats + 1) if seats is None else (seats,)
    chosen = {number: common.parse_options(rules, number, options) for number in numbers}
    tally = SimulationTally(wanted=games)
    with suppress(KeyboardInterrupt), console.progress() as progress:
        for number in progress.track(range(games), description=f"Playing {info.id}"):
            seated = numbers[number % len(numbers)]
            closely = number < len(numbers) or number % CLOSELY == 0
            play_one(rules, seated, chosen[seated], f"{seed}/{number}", tally, closely=closely)
        tally.violations += _broken_words(rules, tally)
    _tell(rules, tally, seed, as_json=as_json)
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
    """Play one random game and add it to ``tally``; ``seed`` identifies it in violations.

    If ``closely``, it is also replayed from its bytes, recorded, and checked against laws.
    """
    where = f"game {seed} with {seats} seats"
    before, began = tally.events, time.perf_counter()
    events: list[RulesEvent] = []
    try:
        rng = random.Random(seed)  # noqa: S311 - play
        _play(ruleset, seats, options, rng, tally, where, events)
    except Exception as error:  # noqa: BLE001 - rules must not raise, whatever they raise
        tally.violations.append(f"{where}: {type(error).__name__}: {error}")
    tally.seconds += time.perf_counter() - began
    tally.games += 1
    tally.longest = max(tally.longest, tally.events - before)
    if closely:
        game = SampleGame(Table(ruleset, seats, options, where), tuple(events), where)
        tally.close_games.append(game)
        for broken in judge_game(game, [LAWS[name] for name in OF_GAMES]):
            told = f"{where}, event {broken.number}: {broken.law}: {broken.told}"
            tally.violations.append(told)


def _play(
    ruleset: Ruleset[Any],
    seats: int,
    options: JsonObject,
    rng: random.Random,
    tally: SimulationTally,
    where: str,
    events: list[RulesEvent],
) -> None:
    state = ruleset.initial(seats, options)
    nature = uniform(rng)
    default = options == ruleset.parse_options(seats, {})  # max_decisions holds only for these
    most = ruleset.info.max_decisions if default else runaway(ruleset)
    limit = tally.decisions + most
    while True:
        for broken in ruleset.violations(state):
            tally.violations.append(f"{where}, event {tally.events}: {broken}")
        turn = ruleset.turn(state)
        event: RulesEvent
        if isinstance(turn, GameOver):
            reason = ruleset.result(state).reason
            tally.end_reasons[reason] = tally.end_reasons.get(reason, 0) + 1
            return
        if isinstance(turn, Chance):
            event = ChanceEvent(turn.label, turn.n, nature(turn))
        else:
            seat = turn.seats[rng.randrange(len(turn.seats))]
            legal = ruleset.legal_moves(state, seat)
            if not legal:
                tally.violations.append(f"{where}: seat {seat} is asked and has no legal move")
                return
            if tally.decisions == limit:
                tally.violations.append(f"{where}: no end after {most} decisions")
                return
            event = MoveEvent(seat, legal[rng.randrange(len(legal))])
            tally.decisions += 1
        ruleset.reduce(state, event)
        events.append(event)
        tally.events += 1


def _broken_words(ruleset: Ruleset[Any], tally: SimulationTally) -> Iterator[str]:
    """Yield a text for each law in OF_RULESETS that the closely checked games violate."""
    subject = Subject(ruleset, seeds=(), replays=tuple(tally.close_games))
    for name in OF_RULESETS:
        if broken := hold(LAWS[name], subject):
            yield f"{broken.law}: {broken.told}"


def _tell(ruleset: Ruleset[Any], tally: SimulationTally, seed: str, *, as_json: bool) -> None:
    rate = round(tally.decisions / max(tally.seconds, 1e-9))
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
                    "seconds": round(tally.seconds, 3),
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
    console.say(f"Their seed: {seed} (`--seed {seed}` plays them again).")
    if tally.games < tally.wanted:
        console.say(
            f"You stopped it after {tally.games} of {tally.wanted} games; with this seed the same"
            " command plays the same games again from the first.",
            err=True,
        )
