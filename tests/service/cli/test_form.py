"""The common form of all commands, future ones included: a test for each rule.

Each test collects all violations of its rule, so that one run shows everything.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from service.cli import main, parameters
from service.cli.common import INTERRUPTED
from tests.running import ROOT
from tests.service.cli.conftest import Lonja

COLUMNS = 80


class Place(NamedTuple):
    """A command or a group of commands, with its path."""

    path: Sequence[str]
    command: click.Command
    context: click.Context

    @property
    def name(self) -> str:
        return " ".join(self.path[1:])

    @property
    def options(self) -> list[click.Option]:
        found = [one for one in self.command.params if isinstance(one, click.Option)]
        return [one for one in found if not one.hidden]


def walk(
    command: click.Command, path: Sequence[str], parent: click.Context | None
) -> Iterator[Place]:
    context = click.Context(command, parent, path[-1], terminal_width=COLUMNS)
    yield Place(path, command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from walk(found, [*path, name], context)


def long(option: click.Option) -> str:
    """Return the option's name with two dashes; there may be a second one that turns it off."""
    (name,) = (one for one in option.opts if one.startswith("--"))
    return name


def default(option: click.Option) -> Any:
    return option.to_info_dict()["default"]


TREE = [*walk(main, ["lonja"], None)]
COMMANDS = [place for place in TREE if not isinstance(place.command, click.Group)]
BY_NAME: dict[str, list[tuple[Place, click.Option]]] = {}
for _place in COMMANDS:
    for _option in _place.options:
        BY_NAME.setdefault(long(_option), []).append((_place, _option))


# Help texts


def test_help_reads_well() -> None:
    """The help begins with a sentence, and fits into 80 columns."""
    wrong = []
    for place in TREE:
        told = place.command.help or ""
        first = told.partition("\n\n")[0]
        wide = max(map(len, place.command.get_help(place.context).splitlines())) > COLUMNS
        if wide or not re.match(r"[A-Z].*[.:]\Z", first, re.DOTALL):
            wrong.append((place.name, first))
    assert wrong == []


def test_lists_of_commands_have_a_whole_sentence_for_each() -> None:
    wrong = [
        (place.name, about)
        for place in TREE
        if not re.fullmatch(r"[A-Z].*\.", about := place.command.get_short_help_str(75))
    ]
    assert wrong == []


def test_every_option_is_explained() -> None:
    wrong = [
        (place.name, long(option), option.help)
        for place in COMMANDS
        for option in place.options
        if not re.match(r"[A-Z].*\.\Z", option.help or "")
    ]
    assert wrong == []


def test_every_value_has_a_name() -> None:
    """The placeholder of a value names its kind, in capitals."""
    wrong = []
    for place in COMMANDS:
        arguments = [one for one in place.command.params if isinstance(one, click.Argument)]
        for parameter in [*arguments, *place.options]:
            shown = parameter.make_metavar(place.context)
            is_flag = isinstance(parameter, click.Option) and parameter.is_flag
            if not is_flag and not re.fullmatch(r"\[?[A-Z_=]+\]?(\.\.\.)?|\[[a-z_|-]+\]", shown):
                wrong.append((place.name, parameter.name, shown))
            if shown in ("INTEGER", "FLOAT") or (shown == "TEXT" and not parameter.metavar):
                wrong.append((place.name, parameter.name, shown))
    assert wrong == []


def test_every_default_is_told() -> None:
    wrong = [
        (place.name, long(option))
        for place in COMMANDS
        for option in place.options
        if default(option) not in (None, False, ()) and not option.show_default
    ]
    assert wrong == []


# Options with one name have one meaning

_OWN_WORDS = {
    "--bot": "who plays, or who judges",
    "--check": "a backup, or a document",
    "--format": "what is played, or listed",
    "--games": "how many are played, or are added",
    "--key": "for a service, or for the one whose log is read",
    "--lang": "of texts about games, or of a program",
    "--log": "whose promise is judged, or which proves a record",
    "--log-key": "an audit always needs it, and one of two things that `verify` does",
    "--name": "of a player, or of a tournament",
    "--output": "which files",
    "--public-key": "the one by which records must be signed, or those that may have signed",
    "--reason": "of an act of an admin, or for the end of a tournament",
    "--receipt": "what a record must fit, or which opens a pseudonym",
    "--ruleset": "what is played, listed or shown",
    "--seat": "one's own, or whose view",
    "--seconds": "whether a game has a clock besides",
    "--seats": "what holds without it",
    "--url": "a service, or one node of it",
}
"""Options whose help differs between commands, with the reason."""
_OWN_DEFAULTS = {
    "--bot": "whoever answers at once plays, and whoever tries moves out judges",
    "--check": "a backup is checked, unless one says no",
    "--games": "a tournament's format has a number of its own",
    "--lang": "who begins with a program may well begin in Python",
    "--reason": "a tournament is cancelled without one",
    "--seat": "one plays the first seat, and looks on as nobody",
    "--seconds": "a check of a bot is as strict as a tournament",
}


_OWN_FORMS = {
    "--check": _OWN_DEFAULTS["--check"],
    "--key": "the host of a log gets no key that belongs to another service",
}


def differing(form: Any, allowed: Mapping[str, str]) -> dict[str, set[Any]]:
    """Return the options for which ``form`` differs between commands."""
    forms = {name: {form(option) for _, option in BY_NAME[name]} for name in BY_NAME}
    return {name: found for name, found in forms.items() if len(found) > 1 and name not in allowed}


def test_an_option_has_one_form() -> None:
    def form(option: click.Option) -> Any:
        return option.metavar, option.envvar, option.is_flag, tuple(sorted(option.opts))

    assert differing(form, _OWN_FORMS) == {}


def test_an_option_has_one_meaning() -> None:
    assert differing(lambda option: option.help, _OWN_WORDS) == {}


def test_an_option_has_one_default() -> None:
    assert differing(lambda option: str(default(option)), _OWN_DEFAULTS) == {}


def test_a_letter_has_one_meaning() -> None:
    letters: dict[str, set[str]] = {}
    for name, found in BY_NAME.items():
        for _, option in found:
            for one in option.opts:
                if not one.startswith("--"):
                    letters.setdefault(one, set()).add(name)
    assert {letter: names for letter, names in letters.items() if len(names) > 1} == {}


# Input and output

_NO_JSON = {
    "archive export": "writes a record, and tells so",
    "bot new": "writes a bot",
    "completion": "prints a script",
    "export": "writes a record, and tells so",
    "guide": "prints a guide",
    "log build": "runs until it is stopped",
    "log prove": "writes a record, and tells so",
    "new": "writes a package",
    "openapi": "prints a document",
    "play": "is for people; programs play over HTTP",
    "replay": "tells a game in words; its record is there for programs",
    "sender": "runs until it is stopped",
    "serve": "runs until it is stopped",
    "store path": "prints a path",
    "tournament export": "writes a record, and tells so",
    "web": "runs until it is stopped",
    "witness run": "runs until it is stopped",
    "worker": "runs until it is stopped",
}
"""Commands without ``--json``, and why."""


def test_what_is_reported_is_there_for_programs() -> None:
    without = {place.name for place in COMMANDS if "--json" not in map(long, place.options)}
    assert without == {*_NO_JSON}


def test_files_may_be_the_standard_input_or_output() -> None:
    wrong = [
        (place.name, parameter.name)
        for place in COMMANDS
        for parameter in place.command.params
        if isinstance(parameter.type, click.Path)
        and parameter.type.file_okay
        and (place.name, parameter.name) != ("bot run", "key_file")  # is made if it is missing
        and (not parameter.type.allow_dash or parameter.type.dir_okay)
    ]
    assert wrong == []


def test_choices_are_answered_with_the_nearest() -> None:
    wrong = [
        (place.name, parameter.name)
        for place in COMMANDS
        for parameter in place.command.params
        if isinstance(parameter.type, click.Choice)
        and not isinstance(parameter.type, parameters.NearestChoice)
    ]
    assert wrong == []


def test_a_bad_value_is_named(lonja: Lonja) -> None:
    """The error is one sentence after the usage, and the exit code is 2."""
    refusing = (click.types.IntParamType, click.Choice)
    wrong = []
    for name, found in BY_NAME.items():
        place, option = found[-1]
        if isinstance(option.type, refusing) and not option.is_flag:
            result = lonja(*place.path[1:], name, "no~such")
            told = result.stderr.partition("Error: ")[2].strip()
            whole = "no~such" in told and name in told and told.endswith((".", "?"))
            if result.exit_code != 2 or not whole or "\n" in told:
                wrong.append((place.name, name, told))
    assert wrong == []


def test_what_is_mistyped_is_answered_with_the_nearest(lonja: Lonja) -> None:
    wrong = []
    for place in TREE:
        if isinstance(place.command, click.Group):
            names = place.command.list_commands(place.context)
        else:
            names = [*map(long, place.options)]
        for name in sorted(names, key=len)[-1:]:
            result = lonja(*place.path[1:], f"{name[:-1]}~")
            told = result.stderr.partition("Error: ")[2]
            if result.exit_code != 2 or "Did you mean" not in told or repr(name) not in told:
                wrong.append((place.name, name, told))
    assert wrong == []


def test_exit_codes_stand_in_one_table() -> None:
    """No command's help has an exit code that the table lacks."""
    page = (ROOT / "docs/terminal.md").read_text(encoding="utf-8")
    codes = [int(code) for code in re.findall(r"^\| (\d+) \| .+ \|$", page, re.MULTILINE)]
    assert codes == [0, 1, 2, 3, INTERRUPTED]
    wrong = []
    for place in TREE:
        told = " ".join((place.command.help or "").split())
        for sentence in re.findall(r"[^.]*exit code[^.]*", told):
            own = {int(code) for code in re.findall(r"\b\d+\b", sentence)}
            wrong += [(place.name, code) for code in own - {*codes}]
    assert wrong == []
