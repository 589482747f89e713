"""Runs every command of the page about a first bot, and puts the page's function into the bot."""

import re
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.faults.processes import free_port
from tests.running import ROOT
from tests.tours import bare_environment, blocks_of, expect_shown, run, serving, set_up

PAGE = ROOT / "docs/first_bot.md"
EDIT = r"""```sh
python3 - <<'END'
import re
text = open("mine/bot.py").read()
new = '''CHOOSE'''
old = re.search(r"def choose.*?(?=\n\n\n)", text, re.DOTALL)[0]
open("mine/bot.py", "w").write(text.replace(old, new))
END
```
"""


@pytest.mark.campaign("tours")
@pytest.mark.timeout(900)
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bwrap is not on the PATH")
def test_every_command_works_and_shows_what_it_says(redis_binary: Path | None) -> None:
    text = PAGE.read_text(encoding="utf-8")
    whole = re.sub(r"```python\n(def choose.*?)```\n", edited, text, flags=re.DOTALL)
    assert whole != text
    found, port = blocks_of(whole), free_port()
    environment = {**bare_environment(redis_binary), "LONJA_LADDERS": "ragusa=2"}
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        Path(place).chmod(0o755)  # the sandbox of root is another user's
        folder = set_up(Path(place))
        with serving(folder, environment, port):
            outputs = run(found, folder, environment, port, seconds=800)
    expect_shown(found, outputs)


def edited(block: re.Match[str]) -> str:
    """Return commands that do with the function what its reader does in an editor."""
    return EDIT.replace("CHOOSE", block[1])
