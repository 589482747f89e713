"""``lonja bot new``: writes a bot to begin with."""

import re
from importlib import resources
from pathlib import Path

import click

from service.catalogue.engines import NAME
from service.cli import console, parameters
from service.cli.common import Failure

COMPILE = {"c": "cc -O2 -Wall -o bot bot.c"}
"""The command that compiles a kit, by language; it runs in the kit's folder."""
SUFFIX = ".txt"
"""The suffix of the kits' files, so that they do not count as code of the service."""
LANGUAGES = ("python", "javascript", "c")
"""The languages of the kits, which are the folders of ``kits``."""


@click.command("new", short_help="Write a small bot, to begin your own with.")
@click.argument("name")
@click.option(
    "--lang",
    "language",
    type=parameters.NearestChoice(LANGUAGES),
    default=LANGUAGES[0],
    show_default=True,
    help="The bot's language.",
)
def command(name: str, language: str) -> None:
    """Write a bot called NAME into a folder of that name: some 30 lines that play at random.

    The bot passes `lonja bot check NAME` as it is, in C after it was compiled. Change its function
    `choose` into your own. Its README.md says how to go on.
    """
    if not re.fullmatch(NAME, name) or name.startswith("."):
        raise Failure(f"{name!r} is no name for a bot: 1 to 40 letters, digits, dots and dashes.")
    folder = Path(name)
    if folder.exists():
        raise Failure(f"{folder} is there already; choose another name.")
    folder.mkdir()
    for file in resources.files("service.cli.bot").joinpath("kits", language).iterdir():
        text = file.read_text(encoding="utf-8").replace("{name}", name)
        (folder / file.name.removesuffix(SUFFIX)).write_text(text, encoding="utf-8")
    console.say(f"{folder} has a bot that plays at random. Go on with:")
    if language in COMPILE:
        console.say(f"  (cd {name} && {COMPILE[language]})")
    console.say(f"  lonja bot check {name}    checks that it does what every bot must do")
    console.say(f"  less {name}/README.md     says what comes next")
