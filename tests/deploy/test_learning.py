"""Learners install one package that contains the rules and does not clash with others."""

import subprocess
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path

from tests.deploy import installed
from tests.running import ROOT

LEARN = """
import sys
import rules, service, workers  # the project's own
from lonja_learning import Game, bot, game

assert "gymnasium" not in sys.modules, "a bot starts without it"

for ruleset in ("macao", "manila", "plus_ultra", "ragusa", "santiago_de_cuba"):
    opponents = {"seat_0": "greedy:nodes=50", "seat_1": "random"}
    env = game(ruleset).parallel_env(max_cycles=20, opponents=opponents)
    seen, _ = env.reset(seed=7)
    while env.agents:
        played = {one: env.action_space(one).sample(seen[one]["action_mask"]) for one in env.agents}
        seen, *_ = env.step(played)
    print(ruleset)
own = {"rules", "service", "workers"}
print(*sorted(name for name in sys.modules if name.partition(".")[0] in own))
"""


def test_a_project_with_packages_of_the_same_names_learns(
    learning_wheel: Path, tmp_path: Path
) -> None:
    """The project's own packages are imported; no package of Lonja is beside them."""
    for name in ("rules", "service", "workers"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    (tmp_path / "learn.py").write_text(LEARN)
    python = installed.install(learning_wheel, tmp_path / "venv").with_name("python")
    learnt = subprocess.run(
        [python, "learn.py"], cwd=tmp_path, env=installed.bare(), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert learnt.returncode == 0, learnt.stderr
    *played, loaded = learnt.stdout.splitlines()
    assert len(played) == 5
    assert loaded == "rules service workers"


def test_the_wheel_has_one_typed_package_and_says_what_it_needs(
    wheel: Path, learning_wheel: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(learning_wheel) as packed, zipfile.ZipFile(wheel) as whole:
        names = {*packed.namelist()}
        assert not names & {*whole.namelist()}
        assert not [name for name in whole.namelist() if name.startswith("learning/")]
        packed.extractall(tmp_path)
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"lonja_learning"}
    assert {"lonja_learning/py.typed", "lonja_learning/rules/ragusa/ruleset.py"} <= names
    assert "lonja_learning/bots/lookahead.py" in names
    (about,) = tmp_path.glob("*.dist-info")
    told = PathDistribution(about)
    needed = [each for each in told.requires or () if "extra" not in each]
    assert sorted(needed) == ["orjson<4,>=3.13", "pettingzoo<2,>=1.27"]
    assert told.version == wheel.name.split("-")[1], "released together"


def test_each_project_has_the_licence() -> None:
    licences = {path.read_bytes() for path in (ROOT / "LICENSE", ROOT / "learning/LICENSE")}
    assert len(licences) == 1
