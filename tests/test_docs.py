"""The documentation names only existing things, and its tables and example fit the code."""

import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from laws.book import LAWS
from laws.games import Subject
from laws.judging import judge, pieces
from rules.kernel.contract import published
from rules.kernel.contract.labels import Labels
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.record.game import Game
from rules.registry import PACKAGES
from service import settings
from service.api.schemas.tournaments import TournamentRequestSchema
from service.cli import main
from service.problems import MEMBERS, Problem
from service.tournaments.tournament import Tournament
from tests import stored_keys
from tests.service.api.document import MESSAGES
from tools.docs import COMMAND, PAGES, ROOT, TABLES, plots
from tools.docs import tables as tables_of

CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = re.DOTALL | re.MULTILINE
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PATH = re.compile(
    r"(laws|rules|service|workers|tests|docs|tools|\.ci)/[\w./*-]*\Z|[A-Za-z][\w-]*\.(md|toml|yaml)\Z"
)
DOTTED = re.compile(r"(laws|rules|service|workers|tests|tools)(\.\w+)+\Z")
OPERATION = re.compile(r"(GET|POST|PUT|DELETE) (/[^\s?…]*)(\?\S*)?\Z")
NAMED_KEY = re.compile(
    r"""(?:meta|game|shard|player)_key\((?:[^"()\n]*(?:\([^()\n]*\))?, )?f?"([a-z_0-9:]+)"""
)
"""A call with the name of a key in the store, or its beginning."""
MAKE = re.compile(r"^([a-z-]+):", re.MULTILINE)
PREFIXES = ("", "docs/", "deploy/", "rules/santiago_de_cuba/")
OTHER_VARIABLES = {"LONJA_KEY", "LONJA_TEST_PYTHONS", "LONJA_TEST_REDIS"}
"""Variables that are no settings: commands of the client, and tests, read them."""

pages = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def quoted(page: Path) -> Iterator[str]:
    """Yield the texts between backticks in a page's prose."""
    for found in CODE.finditer(prose(page)):
        yield found[1].strip()


@pages
def test_tables_are_the_codes(page: Path) -> None:
    for name, table in tables_of(page):
        assert table == TABLES[name](), f"{name} is out of date: run `{COMMAND}`"


def test_every_table_is_shown() -> None:
    assert sorted(name for page in PAGES for name, _ in tables_of(page)) == sorted(TABLES)


def test_plots_are_of_their_data() -> None:
    for path, drawn in plots().items():
        assert path.read_text(encoding="utf-8") == drawn, f"it is out of date: run `{COMMAND}`"


# The reference: facts of the code, found in other ways than by the tables' generator


def test_every_setting_is_in_one_group() -> None:
    grouped = [name for names in settings.GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(row.field for row in settings.describe())


def test_every_metric_is_on_its_page() -> None:
    page = (ROOT / "docs/metrics.md").read_text(encoding="utf-8")
    made = re.compile(r'\b(Counter|Gauge|Histogram|\w*[Ff]amily|_\w+)\(\s*"(lonja_\w+)"')
    found = [
        (name, kind)
        for folder in ("service", "workers")
        for path in (ROOT / folder).rglob("*.py")
        for kind, name in made.findall(path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 50
    for name, kind in found:
        assert re.search(rf"^\| `{name}(_total)?` \|", page, re.MULTILINE), (name, kind)


def test_every_name_of_a_key_is_in_the_table_of_keys() -> None:
    """Whoever adds a key to the store has to say what it grows with, and who trims it."""
    table = stored_keys.table()
    names = {
        found[1].rstrip(":")
        for folder in ("service", "workers")
        for path in (ROOT / folder).rglob("*.py")
        for found in NAMED_KEY.finditer(path.read_text())
    }
    assert len(names) > 80
    assert sorted(name for name in names if not re.search(rf":{name}\b", table)) == []


def test_every_kind_of_event_and_message_is_on_its_page() -> None:
    page = (ROOT / "docs/events.md").read_text(encoding="utf-8")
    folded = [*Game._FOLD, *Tournament._FOLD]
    sent = [*MESSAGES["components"]["messages"].values()]
    for kind in [*folded, *(message["name"] for message in sent)]:
        assert f"\n| `{kind}` |" in page, kind
    for kind in {*folded} - {"created", "ended"}:
        assert f"`{kind}`" in (ROOT / "docs/format.md").read_text() + (
            ROOT / "docs/tournaments.md"
        ).read_text(encoding="utf-8"), kind


def test_every_command_is_on_its_page_with_its_options() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^#+ `(lonja[ \w-]*)`\n(.*?)(?=^#|\Z)", page, FLAGS))

    def look(command: click.Command, path: str) -> None:
        shown = [each for each in command.params if isinstance(each, click.Option)]
        for option in shown:
            for spelt in () if option.hidden else option.opts:
                assert f"{spelt} " in parts[path].replace("`", " ").replace(",", " "), (path, spelt)
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), name)
                assert found is not None
                look(found, f"{path} {name}")

    for name in main.list_commands(click.Context(main)):
        found = main.get_command(click.Context(main), name)
        assert found is not None
        look(found, f"lonja {name}")


def test_a_command_that_exits_with_1_says_when() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    for path in (ROOT / "service/cli").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"sys\.exit\(1|1 if |EXIT_CODES\[", text) and "@click.command" in text:
            name = re.findall(r'@click\.command\(\s*"([\w-]+)"', text)
            assert name, path
            part = page.partition(f" {name[0]}`\n")[2].partition("\n#")[0]
            assert "exit code" in part, path


@pages
def test_files_exist(page: Path) -> None:
    for text in quoted(page):
        if PATH.match(text):
            assert any([*ROOT.glob(prefix + text)] for prefix in PREFIXES), text


@pages
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(prose(page)):
        if "://" not in target:
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            assert file.exists(), target
            if anchor:
                heads = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in [re.sub(r"[^\w-]", "", h.lower().replace(" ", "-")) for h in heads]


@pages
def test_dotted_names_exist(page: Path) -> None:
    for text in quoted(page):
        for name in [text, *text.split()]:
            if DOTTED.match(name):
                assert resolve(name) is not None, name


def resolve(name: str) -> object:
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AssertionError(f"there is no module {name}")


@pages
def test_commands_and_variables_exist(page: Path) -> None:
    targets = MAKE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    variables = {row.name for row in settings.describe()} | OTHER_VARIABLES
    for text in quoted(page):
        words = text.removeprefix(".venv/bin/").split()
        if words[:1] == ["make"] and len(words) > 1:
            assert next(word for word in words[1:] if "=" not in word) in targets, text
        if words[:1] == ["lonja"] and len(words) > 1:
            assert words[1] in main.list_commands(None), text  # type: ignore[arg-type]  # unused
        for variable in re.findall(r"LONJA_[A-Z_]+", text):
            assert variable in variables, text
    for block in SHELL.findall(page.read_text(encoding="utf-8")):
        for command in re.findall(r"(?:^|/|\s)lonja (\w+)", block):
            assert command in main.list_commands(None), block  # type: ignore[arg-type]  # unused


@pages
def test_commands_have_the_options_that_are_shown(page: Path) -> None:
    for block in SHELL.findall(page.read_text(encoding="utf-8")):
        for words in invocations(block):
            command: click.Command = main
            context = click.Context(main)
            while isinstance(command, click.Group):
                name = words.pop(0)
                found = command.get_command(context, name)
                assert found is not None, (block, name)
                command = found
            command.make_parser(click.Context(command)).parse_args(words)


def invocations(block: str) -> Iterator[list[str]]:
    """Yield the arguments of each call of ``lonja`` that needs no shell to parse."""
    for line in block.replace("\\\n", " ").splitlines():
        for part in re.split(r"\||&&|;|\d?> |<", line):
            try:
                words = shlex.split(part, comments=True)
            except ValueError:  # a quoted text continues in the next line
                continue
            words = [word for word in words if not re.match(r"\w+=", word)]
            if words and words[0].rpartition("/")[2] == "lonja":
                yield words[1:]


FENCE_LINE = re.compile(r"^```.*$", re.MULTILINE)
CHECKS = {
    "README.md": {"sh": "test_readme.py", "python": "test_readme.py"},
    "CONTRIBUTING.md": {"": "a list of folders"},
    "deploy/README.md": {
        "sh": "tests/deploy/test_systemd.py, as root; names and options here",
        "": "tests/deploy/test_nftables.py",
    },
    "tests/README.md": {"sh": "tests/tools/test_coverage_map.py"},
    "docs/bots.md": {"sh": "names and options here; tests/tools/test_levels.py"},
    "docs/engines.md": {
        "json": "tests/workers/test_engines.py", "python": "tests/workers/test_engines.py",
        "toml": "tests/service/catalogue/test_engines.py",
        "sh": "names and options here; tests/service/cli/test_bot_check.py and others",
    },
    "docs/bot_cup.md": dict.fromkeys(("sh", "text"), "test_bot_cup.py"),
    "docs/first_bot.md": dict.fromkeys(("sh", "text", "python"), "test_first_bot.py"),
    "docs/format.md": {"": "definitions, which format_vectors.json has values of"},
    "docs/games.md": {
        "python": "test_the_example_game_keeps_the_laws", "json": "the same", "md": "the same",
        "py": "a method alone, to show its form", "sh": "names and options here",
    },
    "docs/laws.md": {"sh": "names and options here; tests/service/cli/test_check.py"},
    "docs/learning.md": {
        "sh": "tests/deploy/test_learning.py",
        "python": "test_environments.py, test_openspiel.py and test_training.py in tests/learning",
        "toml": "tests/learning/test_training.py",
    },
    "docs/proving.md": {"sh": "names and options here; tests/service/cli/test_audit.py"},
    "docs/operations.md": {
        "json": "tests/service/beacons/test_relays.py",
        "sh": "names and options here, for they need several hosts",
        "": "the form of an address, which tests/service/redis/test_sentinel.py reads",
    },
    "docs/terminal.md": {"sh": "test_tour.py", "text": "test_tour.py"},
    "docs/tour.md": {"sh": "test_tour.py", "text": "test_tour.py"},
    "docs/tournaments.md": {
        "sh": "names and options here; test_tour.py holds such a tournament",
        "toml": "test_the_plan_that_is_shown_can_be_held",
        "": "definitions, which format_vectors.json has values of",
    },
    "docs/api/table.md": {"json": "test_what_is_shown_of_a_board_is_a_part_of_one; tests/standard"},
    "docs/api/embed.md": {
        "html": "tests/client/test_embed.py", "js": "the same",
    },
    "docs/problems.md": {"json": "test_the_problem_that_is_shown_is_one"},
}  # fmt: skip
"""By page and language of a block, the test that runs or checks it."""
API_CHECKS = dict.fromkeys(("sh", "text", "python", "ts"), "test_api_pages.py")


@pages
def test_something_checks_every_block(page: Path) -> None:
    text, name = page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()
    languages = {fence.removeprefix("```") for fence in FENCE_LINE.findall(text)[::2]}
    known = CHECKS.get(name, {})
    if name.startswith("docs/api"):
        known = {**API_CHECKS, **known}
    assert languages <= known.keys()
    assert CHECKS.get(name, {}).keys() <= languages, "what is not shown needs no check"


@cache
def operations() -> set[tuple[str, str]]:
    """Return the method and the path of each operation, with empty braces."""
    document = yaml.load((ROOT / "openapi.yaml").read_bytes(), yaml.CSafeLoader)
    return {
        (method.upper(), re.sub(r"{\w+}", "{}", path))
        for path, item in document["paths"].items()
        for method in item
    }


@pages
def test_operations_exist(page: Path) -> None:
    for text in quoted(page):
        if found := OPERATION.match(text):
            assert (found[1], re.sub(r"{\w+}", "{}", found[2])) in operations(), text


# The examples of docs/api/


def section(page: str, title: str) -> str:
    """Return a section of a page of docs/, by its heading of the second level."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_what_is_shown_of_a_board_is_a_part_of_one() -> None:
    whole = published.board(Registry(PACKAGES).find("santiago_de_cuba"))
    blocks = re.findall(r"^```json\n(.*?)^```$", section("api/table.md", "Drawing a board"), FLAGS)
    assert len(blocks) == 2
    for block in blocks:
        assert_part(json.loads(block), whole)


def assert_part(part: Any, whole: Any) -> None:
    for name, value in part.items():
        if isinstance(value, dict):
            assert_part(value, whole[name])
        else:
            assert whole[name] == value, name


def test_templates_read_as_the_page_says() -> None:
    words = {
        "good.rum": "rum", "good.sugar": "sugar cane", "good.none": "no goods",
        "bull.yes": "a bull", "seat.0": "Red", "seat.1": "Blue", "good.wood": "wood",
        "unit.cigars": "cigar|cigars", "unit.wood": "wood|wood",
        "list.and": "and", "list.and_i": "and",
    }  # fmt: skip
    row = re.compile(r"^\| `(.*[{\[].*?)` \| (.+?) \| (.+?) \|$", re.MULTILINE)
    rows = row.findall(section("api/table.md", "Words"))
    rows = [(t.replace("\\|", "|"), given, reads) for t, given, reads in rows]
    assert len(rows) == 12
    for template, shown, reads in rows:
        labels = Labels({"en": {**words, "key": template}})
        name = re.findall(r"{(\w+)", template)[0]
        given, _, beside = shown.partition(", with ")
        more = json.loads(f"{{{''.join(CODE.findall(beside))}}}")
        values = [json.loads(value) for value in CODE.findall(given)]
        texts = [labels.text("key", "en", **{name: value}, **more) for value in values]
        named = re.match(r"the label `([\w.]+)`", reads)
        told = words[named[1]] if named else "" if reads.startswith("nothing") else reads
        assert ", ".join(dict.fromkeys(texts)) == told, template
        say = program("api/board.md", "words.py")["say"]
        said = [say({**words, "key": template}, "key", **{name: v}, **more) for v in values]
        assert said == texts, template


def program(page: str, name: str) -> dict[str, Any]:
    """Run a program of a page of docs/, and return its names."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found: dict[str, Any] = {}
    exec(re.findall(rf"^```python\n# {name}\n(.*?)^```$", text, FLAGS)[0], found)
    return found


def test_the_problem_that_is_shown_is_one() -> None:
    page = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", page, FLAGS)
    shown = json.loads(block)
    code = shown["code"]
    known = {**Problem(code).to_json(), "request_id": shown["request_id"]}
    assert shown.keys() == {*known, *MEMBERS[code]}
    assert shown == {**shown, **known, "detail": shown["detail"]}


def test_the_plans_that_are_shown_can_be_held() -> None:
    page = (ROOT / "docs" / "tournaments.md").read_text(encoding="utf-8")
    cup, ladder = re.findall(r"^```toml\n(.*?)^```$", page, FLAGS)
    for block in (cup, ladder):
        TournamentRequestSchema().load(tomllib.loads(block))


# The example of docs/games.md


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ruleset[Any]]:
    """The package of the page's game, assembled from the page's blocks."""
    section = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    code = re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    data, labels, view, board, first = re.findall(
        r"^```json\n(.*?)^```$", section, re.DOTALL | re.MULTILINE
    )
    folder = tmp_path / "puja"
    (folder / "aids").mkdir(parents=True)
    (folder / "__init__.py").write_text("\n\n".join(code), encoding="utf-8")
    (folder / "data.json").write_text(data, encoding="utf-8")
    (folder / "aids" / "labels.json").write_text(labels, encoding="utf-8")
    (folder / "aids" / "view.json").write_text(view, encoding="utf-8")
    (folder / "aids" / "board.json").write_text(board, encoding="utf-8")
    (folder / "aids" / "first_game.json").write_text(first, encoding="utf-8")
    told = re.findall(r"^```md\n(.*?)^```$", section, FLAGS)
    for name, text in zip(("RULES.md", "RULES.es.md"), told, strict=True):
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    ruleset = Registry(("puja",)).find("puja")
    yield ruleset
    del sys.modules["puja"]


def test_the_example_game_keeps_the_laws(example: Ruleset[Any]) -> None:
    subject = Subject(example, seeds=(1,))
    broken = [f for p in pieces(subject, LAWS.values(), more=False) for f in judge(subject, p)]
    assert [f"{failure.law}: {failure.told}" for failure in broken] == []
