"""``lonja analyse``: a bot's analysis of a finished game."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.proof.verdicts import NotARecordError
from rules.kernel.proof.verify import status_of
from rules.kernel.record.events import Event, from_copy
from rules.kernel.record.game import UnsoundEventError
from service.catalogue.bots import BotOffer, installed
from service.cli import analysed, common, completing, console, parameters
from service.cli.inputs import as_path, file_exists
from service.cli.sources import StoredGame
from service.cli.verifying import VerifyOptions, verify_game
from service.games.analyses import DEFAULT_BOT, judges, steps_of
from service.process.terminal import printable
from service.records.game_file import RecordError, read

ANALYSIS_MODULE = "workers.analysis.course"
"""The module that analyses, imported by name: the service never imports its workers."""


@click.command("analyse", short_help="Show what moves cost, and who was lucky.")
@parameters.recorded_argument
@click.option(
    "--bot",
    default=DEFAULT_BOT,
    show_default=True,
    metavar="BOT",
    shell_complete=completing.bots,
    help="The bot that analyses: one that tries moves out.",
)
@parameters.json_option
@parameters.language_option
def command(game: str, bot: str, language: str, *, as_json: bool) -> None:
    """Analyse GAME with a bot; GAME is a file of `lonja export`, or the id of a game here.

    `-` is a record from the standard input.

    Each move is judged by what its seat knew. The output shows the move that the bot would have
    chosen, the expected lead after each of the two moves, and the cost of the move. The leads after
    each event, and the effects of draws on each seat, are computed with all cards open. A repeated
    analysis gives the same figures.

    A lead is a seat's points above the mean of the others. The number after ± is the standard
    error.
    """
    registry = common.load_registry()
    judge = _find_bot(bot)
    game_id, events, over = _open(game, registry)
    module = _analysis_module()
    if not over:
        raise common.Failure(f"{game_id} goes on: only a game that is over can be analysed.")
    steps = steps_of(events)
    if not steps:
        raise common.Failure(f"{game_id} has never started: there is nothing to analyse.")
    found = _analyse(module, game_id, events, registry, judge, steps)
    if as_json:
        click.echo(orjson.dumps({"game_id": game_id, **found}).decode())
        return
    for line in analysed.lines(game_id, events, registry, found, language):
        click.echo(printable(line))


def _find_bot(name: str) -> BotOffer:
    offers = judges(installed(common.load_settings()))
    if name not in offers:
        common.find_bot(name)  # raises if there is no such bot
        raise common.Failure(
            f"The bot {name!r} tries nothing out, so it cannot judge; these can:"
            f" {', '.join(offers)}."
        )
    return offers[name]


def _analysis_module() -> Any:
    common.bots_module()
    return import_module(ANALYSIS_MODULE)


def _open(game: str, registry: Registry) -> tuple[str, Sequence[Event], bool]:
    """Return a game's id, its events, and whether it is over. Raises Failure."""
    if file_exists(game):
        try:
            with as_path(game) as path:
                record = read(path)
            report = verify_game(record, VerifyOptions(), registry)
        except (RecordError, NotARecordError) as error:
            raise common.Failure(f"{game} is no record of a game: {error}.") from None
        failed = [check.name for check in report.checks if not check.ok]
        if failed:
            raise common.Failure(
                f"{game} is not what it claims to be, says `lonja verify`: {', '.join(failed)}."
            )
        if report.newer:
            named = "; ".join(report.newer.told())
            raise common.Failure(
                f"{game} is newer than this program: have it analysed by a release that knows"
                f" {named}."
            )
        over = status_of(record.copies) in ("ended", "aborted")
        return record.game_id, [*map(from_copy, record.copies)] if over else [], over
    stored = StoredGame(common.local_runtime(announce=False), game, None)
    return stored.game_id, [*stored.events()], stored.over


def _analyse(
    module: Any,
    game_id: str,
    events: Sequence[Event],
    registry: Registry,
    judge: BotOffer,
    steps: int,
) -> JsonObject:
    holder = judge.holder(common.find_ruleset(registry, events[0].body["game"].value["ruleset"]))
    try:
        with console.progress() as progress:
            task = progress.add_task(f"Analysing {game_id}", total=steps)
            found: JsonObject = module.analyse(
                game_id, events, registry, holder, lambda: progress.advance(task)
            )
    except (UnknownRulesetError, UnsoundEventError) as error:
        raise common.Failure(f"The game cannot be analysed: {error}.") from None
    return found
