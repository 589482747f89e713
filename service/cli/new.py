"""``lonja new``: writes the package of a new game."""

import keyword
import re
import sys
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from rules.kernel.contract.labels import UNWRITTEN
from rules.kernel.contract.published import package_of
from rules.kernel.contract.ruleset import Ruleset
from service.cli import console, deriving
from service.cli.common import Failure, load_registry

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
FILES = {
    "game.py.txt": "{name}/__init__.py",
    "data.json.txt": "{name}/data.json",
    "RULES.md.txt": "{name}/RULES.md",
    "RULES.es.md.txt": "{name}/RULES.es.md",
    "test_game.py.txt": "test_{name}.py",
    "pyproject.toml.txt": "pyproject.toml",
    "labels.json.txt": "{name}/aids/labels.json",
}
"""The files in ``blank``, and the path to which each is written."""
NO_WORDS = '{"en": {}, "es": {}}\n'


@click.command("new", short_help="Write the package of a small game, to begin your own with.")
@click.argument("name")
@click.option(
    "--fill",
    is_flag=True,
    help="Add missing labels, and missing entries of the view's schema, to your package.",
)
def command(name: str, *, fill: bool) -> None:
    """Write a package called NAME into a folder of that name: a game of dice and sealed bids.

    The game keeps all laws (`lonja check NAME` in that folder). Change it into your own, with the
    guide that `lonja guide` prints. Its words (aids/labels.json) and the schema of its view
    (aids/view.json) are derived from docstrings, fields and random games. Replace them by your own.
    To add entries for new code, repeat the command with --fill in the same folder: existing entries
    stay.
    """
    if not NAME.match(name):
        raise Failure(f"{name!r} is no name for a package: small letters, digits and _ alone.")
    if fill:
        _fill(Path.cwd(), name)
        return
    folder = Path(name)
    if folder.exists():
        raise Failure(f"{folder} is there already; choose another name.")
    if taken := _taken_by(name):
        raise Failure(f"{name} is {taken}; choose another name.")
    _write(folder, name)
    _fill(folder, name)
    console.say(f"{folder} has a game that keeps all laws. Go on there: `cd {folder}`, then")
    console.say(f"  lonja check {name}            holds it to the laws")
    console.say(f"  lonja new {name} --fill       adds words for what you add to the code")
    console.say(f"  pytest                        runs test_{name}.py")
    console.say("  lonja guide                   how a game is written, step by step")
    console.say(
        f"  pip install -e .              and LONJA_EXTRA_RULESETS={name} lonja play {name}"
    )


def _taken_by(name: str) -> str | None:
    """Return the kind of thing that has this name already; None if a package can have it."""
    if keyword.iskeyword(name):
        return "a keyword of Python"
    if name in sys.stdlib_module_names:
        return "a module of Python's standard library"
    if name in {ruleset.info.id for ruleset in load_registry()}:
        return "an installed ruleset"
    if find_spec(name) is not None:
        return "an installed package"
    return None


def _write(folder: Path, name: str) -> None:
    title = name.replace("_", " ").title()
    blank = resources.files("service.cli").joinpath("blank")
    (folder / name / "aids").mkdir(parents=True)
    for source, target in FILES.items():
        text = blank.joinpath(source).read_text(encoding="utf-8")
        shown = title.replace(" ", "") if source.endswith(".py.txt") else title
        written = text.replace("{name}", name).replace("{Name}", shown)
        (folder / target.replace("{name}", name)).write_text(written, encoding="utf-8")


def _fill(folder: Path, name: str) -> None:
    """Add the missing words and schema entries to a package. Raises Failure."""
    package = folder / name
    labels = package / "aids" / "labels.json"
    if not package.is_dir():
        raise Failure(f"There is no package {name} in {folder}.")
    if not labels.exists():
        labels.parent.mkdir(exist_ok=True)
        labels.write_text(NO_WORDS, encoding="utf-8")
    sys.path.insert(0, str(folder.resolve()))
    try:
        ruleset: Any = import_module(name).RULESET
    except Exception as error:
        raise Failure(f"{package} cannot be run: {type(error).__name__}: {error}") from error
    finally:
        del sys.path[0]
        for module in [each for each in sys.modules if each.partition(".")[0] == name]:
            # The next import must read the words that were just written.
            del sys.modules[module]
    if not isinstance(ruleset, Ruleset) or package_of(ruleset) != name:
        raise Failure(f"{package} has no RULESET of its own.")
    filled = deriving.fill(ruleset, package)
    told = ", ".join(f"{count} to {file}" for file, count in filled.added.items() if count)
    console.say(f"Added {told}." if told else f"{package} lacks no word.")
    if filled.unwritten:
        mark = UNWRITTEN.strip()
        console.say(f"{filled.unwritten} words of es are to be translated, and begin with {mark}")
    if filled.unused:
        console.say(f"Nothing needs these words: {', '.join(filled.unused)}.")
