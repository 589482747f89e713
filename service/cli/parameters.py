"""Parameters of several commands: one name has one form and one meaning everywhere."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.labels import LANGUAGES
from service.cli import completing
from service.cli.common import did_you_mean, preferred_language
from service.outbound import bucket_urls
from service.text import BadTextError, clean

MAX_NAME = 100
MAX_REASON = 200


class NearestChoice(click.Choice[str]):
    """One of several words; a mistyped one is answered with the nearest."""

    def __init__(self, choices: Iterable[str]) -> None:
        super().__init__([*choices])

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the refusal of ``value``."""
        refused = super().get_invalid_choice_message(value, ctx)
        return f"{refused}{did_you_mean(str(value), self.choices)}"


class Line(click.ParamType[str]):
    """A line that others see, with at most ``most`` characters."""

    name = "text"

    def __init__(self, most: int) -> None:
        self._most = most

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            text = clean(value)
        except BadTextError as error:
            self.fail(f"{value!r:.80} cannot be noted: {error}.", param, ctx)
        if len(text) > self._most:
            self.fail(f"1 to {self._most} characters, unlike {value!r:.80}.", param, ctx)
        return text


class PlaceOfPacks(click.Path):
    """A folder of packs, or the URL of a bucket of them."""

    def __init__(self) -> None:
        super().__init__(file_okay=False)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if not bucket_urls.is_url(str(value)):
            return super().convert(value, param, ctx)
        try:
            return bucket_urls.checked(str(value))
        except bucket_urls.BucketUrlError as error:
            self.fail(f"The URL cannot be used: {error}.", param, ctx)


class TakesType(click.ParamType[JsonObject]):
    """A ruleset and its numbers of seats, such as ``RULESET=3-5`` or ``RULESET=1,2``."""

    name = "takes"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> JsonObject:
        ruleset, sign, told = str(value).partition("=")
        numbers: list[int] = []
        for part in told.split(","):
            first, dash, last = part.partition("-")
            if not first.isdecimal() or (dash and not last.isdecimal()):
                self.fail(f"{value!r} is not RULESET=SEATS, such as RULESET=3-5", param, ctx)
            numbers += range(int(first), int(last or first) + 1)
        if not sign or not ruleset or not numbers:
            self.fail(f"{value!r} is not RULESET=SEATS, such as RULESET=3-5", param, ctx)
        return {"ruleset": ruleset, "seats": numbers}


def input_file(*, exists: bool = False) -> click.Path:
    """Return the type of a file to read; ``-`` is the standard input."""
    return click.Path(exists=exists, dir_okay=False, allow_dash=True, path_type=Path)


OUTPUT_FILE = click.Path(dir_okay=False, allow_dash=True, path_type=Path)
"""The type of a file to write; ``-`` is the standard output."""


def output_option(text: str, **settings: Any) -> Callable[[Any], Any]:
    """Return the option ``--output``. ``text`` is its help: it says what is written."""
    return click.option("-o", "--output", type=OUTPUT_FILE, metavar="FILE", help=text, **settings)


files_argument = click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, shell_complete=completing.files
)
recorded_argument = click.argument("game", shell_complete=completing.files)
ruleset_argument = click.argument("ruleset", shell_complete=completing.rulesets)
port_option = click.option(
    "--port",
    type=click.IntRange(1, 65_535),
    default=8000,
    envvar="PORT",
    show_default=True,
    metavar="PORT",
    help="The port to listen on.",
)
language_option = click.option(
    "--lang",
    "language",
    type=NearestChoice(LANGUAGES),
    default=preferred_language,
    show_default="by LC_ALL, LC_MESSAGES or LANG",
    help="The language of texts about games.",
)


def limit_option(most: int) -> Callable[[Any], Any]:
    """Return the option ``--limit`` of a list, which accepts numbers from 1 to ``most``."""
    return click.option(
        "--limit",
        type=click.IntRange(1, most),
        default=20,
        show_default=True,
        metavar="N",
        help="The maximum number of rows.",
    )


rules_option = click.option(
    "-O",
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=completing.rules_options,
    help="An option of the ruleset; may be given several times.",
)


def seats_option(otherwise: str) -> Callable[[Any], Any]:
    """Return the option ``--seats``.

    ``otherwise`` becomes a part of its help: what happens if the option is not given.
    """
    return click.option(
        "--seats", type=int, metavar="N", help=f"The number of seats of a game; {otherwise}."
    )


seed_option = click.option(
    "--seed",
    metavar="SEED",
    help="The source of luck: equal seeds give equal luck. Without it, a new seed is drawn.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
url_option = click.option(
    "--url", metavar="URL", help="A running service; without it, the one on this machine."
)
service_option = click.option("--url", metavar="URL", required=True, help="A running service.")
key_option = click.option(
    "--key",
    envvar="LONJA_KEY",
    show_envvar=True,
    metavar="KEY",
    help="Your player key, with --url.",
)
plain_option = click.option(
    "--plain", "in_lines", is_flag=True, help="Print plain lines, for pipes and screen readers."
)
shade_option = click.option(
    "--shade",
    type=NearestChoice(("auto", "dark", "light")),
    default="auto",
    show_default=True,
    help="The colours: for a dark or a light background, or by the terminal's COLORFGBG (auto).",
)
seen_as_option = click.option(
    "--seat", type=int, metavar="N", help="See a running game as this seat, not as a spectator."
)
by_option = click.option(
    "--by", type=Line(MAX_NAME), required=True, metavar="NAME", help="Your name, which is recorded."
)
reason_option = click.option(
    "--reason",
    type=Line(MAX_REASON),
    required=True,
    metavar="TEXT",
    help="The reason, for the journal.",
)


def clock_options(command: Any) -> Any:
    """Add the options of a clock, of whose values ``clock_of`` makes the clock."""
    return _with_seconds(command, _CLOCK)


def budget_options(command: Any) -> Any:
    """Add the options of a bot's budget of processor time; ``clock_of`` takes their values, too."""
    return _with_seconds(command, _BUDGET)


def _with_seconds(command: Any, options: Sequence[tuple[str, int, str]]) -> Any:
    for name, least, text in reversed(options):
        option = click.option(f"--{name}", type=click.IntRange(least), metavar="S", help=text)
        command = option(command)
    return command


_CLOCK = (
    ("decision", 1, "The clock of new games: the seconds for each decision."),
    ("budget", 1, "The clock of new games: the seconds of a seat for all of its decisions."),
    ("increment", 0, "The seconds that each answer adds to the budget of a seat."),
)
_BUDGET = _CLOCK[1:]


def clock_of(decision: int | None, budget: int | None, increment: int | None) -> JsonObject:
    """Return the fields of a clock that were given. Raises click.UsageError."""
    if increment is not None and budget is None:
        raise click.UsageError("--increment is for a --budget: name both.")
    given = {"decision": decision, "budget": budget, "increment": increment}
    return {f"{name}_seconds": value for name, value in given.items() if value is not None}
