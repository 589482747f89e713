"""``lonja bot check``: does a bot do what every bot must do?"""

import dataclasses
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import orjson

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from service.cli import common, completing, console, parameters
from service.cli.bot.programs import SANDBOX_MODULE, BotProgram, program
from service.cli.bot.sample import SampleQuestion, SampleTable, sample
from service.cli.common import Failure
from service.process import logs
from service.tournaments.plan import MOVE_SECONDS

CHECKS_MODULE = "workers.engines.checks"
"""Imported by name, because the service never imports its workers."""


@click.command("check", short_help="Check that a bot does what every bot must do.")
@click.argument("bot")
@click.option(
    "--ruleset",
    "rulesets",
    multiple=True,
    metavar="RULESET",
    shell_complete=completing.rulesets,
    help="Ask about this game alone; may be given several times.",
)
@parameters.seats_option("without it, all that the bot says it plays")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=float(MOVE_SECONDS),
    show_default=True,
    metavar="S",
    help="The processor time for a decision, and for the hello.",
)
@parameters.seed_option
@click.option(
    "--sandbox",
    "in_sandbox",
    is_flag=True,
    help="Run it in the sandbox that strangers' engines have in a service; needs FOLDER.",
)
@parameters.output_option("A file to write the messages to that show a fault.")
@parameters.json_option
def command(
    bot: str,
    rulesets: Sequence[str],
    seats: int | None,
    seconds: float,
    seed: str | None,
    output: Path | None,
    *,
    in_sandbox: bool,
    as_json: bool,
) -> None:
    """Ask a bot some hundred questions, and report the first thing that it does wrong.

    The bot is a program that reads and writes lines of JSON (docs/engines.md): a command line, or a
    folder with a file bot.toml. The questions are taken from random games: one of each kind, in
    each game and with each number of seats that its hello says it plays.

    A fault is reported with the check's name, a sentence, and the messages that show it: the
    smallest question that was found, as lines of JSON. Whoever feeds them to the bot sees the same.

    The exit code is 1 if the bot does something wrong, 2 if it cannot be checked, and 130 after an
    interruption.
    """
    if as_json and output is not None and common.is_stdout(output):
        raise Failure("Choose one of --json and --output -: both write to the standard output.")
    found = program(bot)
    if in_sandbox and found.engine is None:
        raise Failure("--sandbox needs the bot's folder: nothing else is in sight there.")
    logs.configure(dataclasses.replace(common.load_settings(), log_level="error"))
    try:
        report = examine(
            found, rulesets, seats, seconds, seed or common.new_seed(), in_sandbox=in_sandbox
        )
    except KeyboardInterrupt:
        console.say("You stopped it; nothing is said of the bot.", err=True)
        sys.exit(common.INTERRUPTED)
    if output is not None and report["fault"] is not None:
        common.write_record(output, report["fault"]["messages"])
    if as_json:
        click.echo(orjson.dumps(report))
    else:
        _tell(report, output)
    sys.exit(report["fault"] is not None)


def examine(
    found: BotProgram,
    rulesets: Sequence[str],
    seats: int | None,
    seconds: float,
    seed: str,
    *,
    in_sandbox: bool,
) -> JsonObject:
    """Return the report on a bot, as JSON: the checks that passed, and the first fault.

    Raises Failure: the bot cannot be started or checked.
    """
    checks, registry = import_module(CHECKS_MODULE), common.load_registry()
    start = found.start_in_sandbox if in_sandbox else found.start
    examination = checks.Examination(start, seconds, registry)
    began, hello, fault = time.monotonic(), {}, None
    passed: list[str] = []
    questions: list[SampleQuestion] = []
    try:
        if in_sandbox and found.engine is not None:
            import_module(SANDBOX_MODULE).probe(found.engine.folder, found.engine.limits)
        hello = examination.hello()
        passed.append(checks.HELLO)
        tables = _tables(registry, hello, rulesets, seats)
        questions += _sample(registry, tables, seed, hello.get("wants", ()))
        _run(examination, checks, questions, passed, is_deterministic=hello.get("deterministic"))
    except checks.EngineFaultError as error:
        fault = {"check": error.check, "message": str(error), "messages": error.messages}
    except (checks.TooBusyError, import_module(SANDBOX_MODULE).SandboxError) as error:
        raise Failure(f"{found.named} cannot be checked: {error}.") from None
    except OSError as error:
        raise Failure(f"{found.named} cannot be started: {error.strerror}.") from None
    finally:
        examination.close()
    return {
        "bot": found.named,
        "hello": hello,
        "sandbox": in_sandbox,
        "seed": seed,
        "questions": len(questions),
        "seconds": round(time.monotonic() - began, 3),
        "checks": {
            name: True if name in passed else False if fault and fault["check"] == name else None
            for name in checks.CHECKS
        },
        "fault": fault,
    }


def _tables(
    registry: Registry, hello: JsonObject, rulesets: Sequence[str], seats: int | None
) -> list[SampleTable]:
    """Return the tables to ask about: what the bot says it plays, as far as it was chosen."""
    for name in rulesets:
        common.find_ruleset(registry, name)
    plays = hello.get("rulesets", [ruleset.info.id for ruleset in registry])
    chosen = [ruleset for ruleset in registry if ruleset.info.id in (rulesets or plays)]
    tables = [
        SampleTable(ruleset, number)
        for ruleset in chosen
        for number in range(ruleset.info.min_seats, ruleset.info.max_seats + 1)
        if (number == seats if seats is not None else number in hello.get("seats", (number,)))
    ]
    if not tables:
        raise Failure(
            "There is nothing to ask: no game that the bot plays, and that you chose, has this"
            " number of seats."
        )
    return tables


def _sample(
    registry: Registry, tables: Sequence[SampleTable], seed: str, wants: Sequence[str]
) -> Iterator[SampleQuestion]:
    with console.progress() as progress:
        for table in progress.track(tables, description="Playing random games"):
            yield from sample(registry, table, seed, wants)


def _run(
    examination: Any,
    checks: Any,
    questions: Sequence[SampleQuestion],
    passed: list[str],
    *,
    is_deterministic: bool | None,
) -> None:
    """Carry out all checks after the hello; add the names of those that are passed."""
    _follow("Asking", examination.answers(questions), len(questions))
    passed += [checks.TIME, checks.CRASH, checks.OUTPUT, checks.ANSWER, checks.LEGAL]
    last = {(each.body["ruleset"], each.body["seats"]): each for each in questions}
    _follow("Killing", examination.restart(list(last.values())), len(last))
    passed.append(checks.RESTART)
    smallest = min(questions, key=lambda each: len(orjson.dumps(each.body)))
    for name, check in (
        (checks.CUT, examination.cut),
        (checks.RETRY, examination.retry),
        (checks.UNKNOWN, examination.unknown),
    ):
        check(smallest)
        passed.append(name)
    if is_deterministic:
        _follow("Asking again", examination.deterministic(questions), len(questions))
        passed.append(checks.DETERMINISTIC)
    examination.end()
    passed.append(checks.END)


def _follow(told: str, steps: Iterable[None], number: int) -> None:
    """Take all steps and show their progress."""
    pulse = console.Pulse(told, number)
    with console.progress() as progress:
        for _ in progress.track(steps, description=told, total=number):
            pulse.beat()


def _tell(report: JsonObject, output: Path | None) -> None:
    err = output is not None and common.is_stdout(output)
    checks = import_module(CHECKS_MODULE)
    for name, passed in report["checks"].items():
        state = {True: "passed", False: "FAILED", None: "not checked"}[passed]
        console.say(f"{name}: {state}: {checks.CHECKS[name]}", err=err)
    fault = report["fault"]
    if fault is None:
        console.say(
            f"Nothing is wrong: {report['questions']} questions, {report['seconds']:g} s.", err=err
        )
        return
    console.say(fault["message"], err=err)
    console.say(f"`--seed {report['seed']}` asks the same questions again.", err=err)
    if output is not None:
        console.say(f"To see it again, feed the bot the lines of {output}.", err=err)
        return
    console.say("To see it again, feed the bot these lines:")
    for message in fault["messages"]:
        click.echo(orjson.dumps(message))
