"""``lonja bot new``: a bot in each language passes the check as it is."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest

from service.cli.bot.new import COMPILE, LANGUAGES
from tests.running import ROOT
from tests.service.cli.conftest import Lonja

KITS = resources.files("service.cli.bot").joinpath("kits")
NEEDS_CC = pytest.mark.skipif(shutil.which("cc") is None, reason="cc is not on the PATH")
IN = [pytest.param(each, marks=[NEEDS_CC] if each in COMPILE else []) for each in LANGUAGES]
MOST_LINES = 36


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder that everybody may read, and the Node.js of the tests on the PATH."""
    monkeypatch.setenv("PATH", f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.chdir(folder)
        yield Path(folder)


def written(lonja: Lonja, language: str) -> None:
    """Write the bot ``mine``, and compile it if that is to be done."""
    done = lonja("bot", "new", "mine", "--lang", language)
    assert done.exit_code == 0
    if language in COMPILE:
        assert COMPILE[language] in done.stdout
        subprocess.run(COMPILE[language].split(), cwd="mine", check=True)


@pytest.mark.parametrize("language", IN)
def test_a_new_bot_passes_the_check(lonja: Lonja, language: str) -> None:
    written(lonja, language)
    done = lonja("bot", "check", "mine", "--ruleset", "ragusa", "--ruleset", "sealed", "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["hello"]["name"] == "mine"
    assert {*report["checks"].values()} == {True}


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH")
@pytest.mark.parametrize("language", [each for each in IN if each.values != ("javascript",)])
def test_a_new_bot_passes_the_check_in_a_sandbox(lonja: Lonja, language: str) -> None:
    """Node.js of the tests is not among the system's programs, which alone are in sight there."""
    written(lonja, language)
    done = lonja("bot", "check", "mine", "--ruleset", "sealed", "--sandbox")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_short_and_says_how_to_go_on(language: str) -> None:
    texts = {file.name: file.read_text() for file in KITS.joinpath(language).iterdir()}
    (program,) = (name for name in texts if name.startswith("bot.") and ".toml" not in name)
    assert len(texts[program].splitlines()) <= MOST_LINES
    assert COMPILE.get(language, "") in texts["README.md.txt"]
    assert f"`{program.removesuffix('.txt')}`" in texts["README.md.txt"]


@NEEDS_CC
def test_the_kit_in_c_reads_any_json(lonja: Lonja, place: Path) -> None:
    """Also with spaces, quotes, and brackets within texts."""
    written(lonja, "c")
    question = {
        "view": {'a"legal': ['"}]\\', "[{\\"], "empty": {}, "none": None, "less": -1.5},
        "legal": [{"type": "x", "text": "],["}, {"n": [1, [2]]}, {}],
        "seed": "00000005" + 56 * "0",
        "id": 7,
    }
    forms = ((",", ":"), (" , ", " : "))
    lines = [json.dumps({"question": question}, separators=form) + "\n" for form in forms]
    done = subprocess.run(
        [place / "mine/bot"], input="".join(lines), capture_output=True, text=True, check=True
    )
    assert done.stdout == 2 * '{"answer":{"id":7,"move":2}}\n'


def test_a_name_must_be_free_and_a_name(lonja: Lonja) -> None:
    written(lonja, "python")
    for name, sentence in (
        ("mine", "there already"), ("a/b", "is no name for a bot"), (".x", "is no name for a bot"),
    ):  # fmt: skip
        done = lonja("bot", "new", name)
        assert done.exit_code == 2
        assert sentence in " ".join(done.stderr.split())
