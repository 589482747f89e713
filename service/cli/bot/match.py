"""``lonja bot match``: bots against bots, on one's own machine."""

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from rules.kernel.canonical import JsonObject
from service.cli import common, completing, console, parameters
from service.cli.bot.entrants import Entrants, game_of, prepare
from service.cli.common import Failure
from service.cli.tournament import outputs
from service.cli.tournament.progress import Progress
from service.cli.tournament.run import local_host, pairs, tell, workers_option
from service.tournaments.plan import MAX_NAME, MOVE_SECONDS

HINT = "Ctrl-C ends the match, and tells what was played."
GAMES = 100


@click.command("match", short_help="Let bots play against each other on this machine.")
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="The number of games, rounded up to whole blocks.",
)
@click.option(
    "--ruleset",
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="The game to play; without it, the first that all bots play.",
)
@parameters.seats_option("without it, as few as the ruleset allows, but two at least")
@click.option(
    "--clock",
    type=click.IntRange(min=1),
    metavar="S",
    help=f"The processor time for a move: {MOVE_SECONDS}, or with a --budget as much as is left.",
)
@parameters.budget_options
@parameters.rules_option
@parameters.seed_option
@workers_option
@outputs.output_option
@parameters.json_option
def command(
    bots: Sequence[str],
    games: int,
    ruleset: str | None,
    seats: int | None,
    clock: int | None,
    budget: int | None,
    increment: int | None,
    options: tuple[str, ...],
    seed: str | None,
    workers: int | None,
    outputs_: tuple[Path, ...],
    *,
    as_json: bool,
) -> None:
    """Play games between bots, as a tournament does: with its clocks, luck, statistics and report.

    A BOT is the folder of a bot with its file bot.toml (`lonja bot new`), the command line of a
    program ("python3 bot.py"), or a bot of `lonja bots`, also with settings: greedy:nodes=500. Two
    bots are compared: the first plays on one seat, and
    copies of the second on the others, until it is clear which is better. More bots play each other
    in turn. If there are fewer bots than seats, the last one holds several.

    Each folder is copied, and runs in a sandbox: a new one for each game and seat. So a bot can
    carry nothing from game to game, and the games of a block have equal luck. A command line runs
    outside the sandbox, in the present folder and with your rights; then each game has luck of its
    own, so the bands may be wider. A bot that fails resigns the game; after three failures it is
    out.

    The store of the match is removed at its end. The exit code is 0 if the match was played to its
    end, 1 if it was not, and 130 after an interruption.
    """
    outputs.need_one_output(outputs_, as_json=as_json)
    if len(bots) < 2:
        raise Failure("A match needs two bots.")
    failures = parameters.clock_of(None, budget, increment)
    if clock is not None:
        failures["processor_seconds"] = clock
    with TemporaryDirectory(prefix="lonja-match-") as folder:
        entrants = prepare(Path(folder), bots)
        game = game_of(entrants, ruleset)
        asked = {
            "name": " and ".join(entry["bot"] for entry in entrants.entries)[:MAX_NAME],
            "ruleset": game,
            "entries": entrants.entries,
            "options": pairs(options),
            "format": {"type": "compare", "games": games},
            "failures": failures,
            **({} if seats is None else {"seats": seats}),
        }
        if len(bots) > 2:
            asked["format"] = {"type": "round_robin", "games": games}
            asked["entries"] = _filled(entrants, game, seats)
        is_ended = _play(entrants, asked, seed, workers, outputs_, as_json=as_json)
    sys.exit(not is_ended)


def _filled(entrants: Entrants, game: str, seats: int | None) -> list[JsonObject]:
    """Return the entries, with the last one several times if there are fewer than seats."""
    ruleset = common.find_ruleset(common.registry_of(entrants.settings), game)
    needed = max(2, ruleset.info.min_seats) if seats is None else seats
    entries = entrants.entries
    return [*entries, *[entries[-1]] * (needed - len(entries))]


def _play(
    entrants: Entrants,
    asked: JsonObject,
    seed: str | None,
    workers: int | None,
    outputs_: tuple[Path, ...],
    *,
    as_json: bool,
) -> bool:
    """Hold the match, and tell how it went; return whether it was played to its end."""
    with local_host(entrants.settings, workers, entrants.environment) as (host, children):
        match = host.create(asked, seed)["id"]
        console.say(f"The match has {asked['format']['games']} games at most.", err=True)
        if entrants.programs:
            named = " and ".join(entrants.programs)
            console.say(
                f"{named} runs without a sandbox, so each game has luck of its own.", err=True
            )
        with Progress(host, match, HINT) as progress:
            seen = children.run_until(progress.look, progress.clear)
            progress.clear()
        found = host.report(match, wait=seen)
        tell(host, found, outputs_, None, as_json=as_json)
    if not seen:
        console.say("You ended it before its end.", err=True)
        sys.exit(common.INTERRUPTED)
    return bool(found["status"] == "ended")
