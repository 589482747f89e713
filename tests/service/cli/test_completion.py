"""Completion of words with the Tab key in real shells."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from service.cli import main
from service.cli.shells import SHELLS, VARIABLE
from tests.service.cli.conftest import Lonja
from tests.service.cli.terminal.screens import LONJA, PATIENCE

TAB, TO_BEGIN, TO_END = "\t", "\x01", "\x05"
INSTALLED: Mapping[str, str] = {
    "bash": 'eval "$(lonja completion bash)"',
    "zsh": 'autoload -Uz compinit && compinit -D -u && eval "$(lonja completion zsh)"',
    "fish": "lonja completion fish | source",
}
"""The lines of `lonja completion --help`; zsh needs its own completion first."""
WORDS = {
    "lonja play santi": "lonja play santiago_de_cuba",
    "lonja simul": "lonja simulate",
    "lonja play macao --shade=li": "lonja play macao --shade=light",
    "lonja verify a_rec": "lonja verify a_record.ndjson",
}
has = {shell: shutil.which(shell) is not None for shell in SHELLS}


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    (tmp_path / "a_record.ndjson").touch()
    usual = {name: value for name, value in os.environ.items() if not name.startswith("LONJA_")}
    path = f"{LONJA.parent}{os.pathsep}{os.environ['PATH']}"
    return {**usual, "PATH": path, "TERM": "dumb", "HOME": str(tmp_path), "PS1": "$ "}


def test_bash_completes_words(environment: Mapping[str, str], tmp_path: Path) -> None:
    shell = pexpect.spawn(
        "bash", ["--noprofile", "--norc", "-i"], env={**environment}, cwd=tmp_path,
        dimensions=(24, 200), timeout=PATIENCE, encoding="utf-8",
    )  # fmt: skip
    try:
        shell.sendline("bind 'set enable-bracketed-paste off'; bind 'set bell-style none'")
        shell.sendline(f"{INSTALLED['bash']}; echo rea''dy")
        shell.expect_exact("ready\r\n")
        for number, (typed, completed) in enumerate(WORDS.items()):
            # Bash reads the keys after Tab only after the completion.
            shell.send(f"{typed}{TAB}{TO_END}' '#{number}'{TO_BEGIN}echo '\r")
            shell.expect(rf"\n(lonja [^\r\n]*?) *#{number}\r")
            assert isinstance(shell.match, re.Match)
            assert shell.match[1] == completed
    finally:
        shell.close(force=True)


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shell != "bash"])
def test_other_shells_are_answered(
    environment: Mapping[str, str], tmp_path: Path, shell: str
) -> None:
    """Installed shells read their scripts; the completions have the form for each shell."""
    if has[shell]:
        asked = [shell, "-c", INSTALLED[shell]]
        done = subprocess.run(
            asked, env={**environment}, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
    answer = answered(shell, "lonja play santi", {"zsh": "2", "fish": "santi"}[shell])
    assert re.fullmatch(r"plain[,\n]santiago_de_cuba[\t\n]Santiago de Cuba\n", answer)


def answered(shell: str, typed: str, at: str, **environment: str) -> str:
    """Return the completions of a line's last word, in the form for a shell's script."""
    asks = {VARIABLE: f"{shell}_complete", "COMP_WORDS": typed, "COMP_CWORD": at, **environment}
    done = CliRunner().invoke(main, [], env=asks, prog_name="lonja")
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(lonja: Lonja, shell: str) -> None:
    told = lonja("completion", shell)
    assert told.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in told.stdout
    assert INSTALLED[shell].rpartition("&& ")[2] in lonja("completion", "--help").stdout


def test_the_help_names_the_line(lonja: Lonja) -> None:
    assert INSTALLED["bash"] in " ".join(lonja("--help").stdout.split())


def test_what_cannot_be_completed_is_left_alone() -> None:
    """Unusable settings print no error into the input line."""
    bad = "no.such.rules"
    assert answered("bash", "lonja play mac", "2", LONJA_EXTRA_RULESETS=bad) == "\n"
