"""The digests of rules and of bots that an edit of each file changes.

The tests edit every file of every game, of the kernel and of the bots once, in a copy.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules import registry
from rules.kernel.contract.registry import Registry
from rules.kernel.digests import DECIDE
from tests.test_borders import imported, parsed
from workers import bots

ROOT = Path(__file__).parents[1]
PACKAGES = {
    name.replace(".", "/"): name.rpartition(".")[2]
    for name in (*registry.PACKAGES, "tests.pig", "tests.sealed")
}
BOT_OF_THE_PAST = "workers/bots/archive/greedy_1/bot.py"
EVALUATIONS = "workers/bots/archive/greedy_1/evaluations/{}.py"
"""The path of the evaluation of game states that ``greedy@1`` used, by ruleset."""
BOT_FILES = {
    "workers/bots/bot.py": [
        "random@1",
        "greedy@1",
        "greedy@2",
        "lookahead@1",
        "search@1",
        "crashing@1",
        "thinker@1",
    ],
    "workers/bots/random_bot.py": ["random@1"],
    "workers/bots/greedy.py": ["greedy@2"],
    BOT_OF_THE_PAST: ["greedy@1"],
    "workers/bots/lookahead.py": ["lookahead@1"],
    "workers/bots/search.py": ["search@1"],
    "workers/bots/worlds.py": ["lookahead@1", "search@1"],
    "tests/bots/crashing.py": ["crashing@1"],
    "thinker/__init__.py": ["thinker@1"],
    "thinker/search.py": ["thinker@1"],
    "thinker/weights/late.bin": ["thinker@1"],
}
BOTS = BOT_FILES["workers/bots/bot.py"]
"""The bots of the project without ``search-deep``, which is ``search`` with another budget; and two
installed bots, one in a module and one in a package."""
NO_BOTS = ("__init__.py",)
THINKER = '''"""A bot in a package of its own."""
from service.catalogue.bots import BotOffer
from workers.bots.random_bot import choose
BOT = BotOffer("thinker", "1")
'''
HELP = {
    "__init__.py": "says what to read first",
    "contract/__init__.py": "says what the room holds",
    "contract/drawing.py": "what drawings are made of",
    "contract/generic.py": "drawings",
    "contract/bindings.py": "says what boards show",
    "contract/choices.py": "shows legal moves in groups",
    "contract/labels.py": "words",
    "contract/preview.py": "tries moves on guesses",
    "contract/published.py": "drawings, and rules in words",
    "contract/refusals.py": "tells why something cannot be chosen",
    "contract/registry.py": "finds rulesets",
    "contract/schemas.py": "describes what is shown and told",
    "contract/scores.py": "tells results",
    "digests.py": "says which code it was",
    "numbering/__init__.py": "says what the room holds",
    "numbering/choice.py": "numbers for learners",
    "numbering/flat.py": "numbers for learners",
    "numbering/numbers.py": "numbers for learners",
    "numbering/words.py": "numbers for learners",
    "proof/__init__.py": "says what the room holds",
    "proof/causers.py": "checks what was played",
    "proof/damage.py": "tells what counts of a damaged game",
    "proof/newer.py": "says what a check does not know",
    "proof/outline.py": "checks what was played",
    "proof/reenact.py": "checks what was played",
    "proof/remarks.py": "says what a check cannot show",
    "proof/shape.py": "checks what was played",
    "proof/shapes.py": "checks what was played",
    "proof/steps.py": "checks what was played",
    "proof/verdicts.py": "says what a check found",
    "proof/verify.py": "checks what was played",
    "record/__init__.py": "says what the room holds",
    "record/entropy.py": "checks what was played",
    "record/requests.py": "says what was asked, for receipts",
    "record/snapshot.py": "a cache of what was played",
    "toolbox/__init__.py": "says what the room holds",
    "toolbox/drawing.py": "drawings",
}
"""The modules of the kernel that decide nothing, each with its purpose."""
NEW = [
    "rules/macao/more/tables.json",
    "rules/macao/more.py",
    "rules/macao/more.md",
    "rules/macao/__pycache__/moves.cpython-311.pyc",
    "rules/macao/aids/more/heuristic.py",
    "rules/macao/aids/heuristic_late.py",
    "rules/macao/aids/heuristic/weights.json",
    "rules/macao/aids/more/eu.json",
    "rules/macao/more/aids/labels.json",
]
"""Files that do not exist yet."""
EDITS = """
import json, sys
from pathlib import Path
from rules.kernel import digests
from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from workers import bots

registry = Registry((*PACKAGES, "tests.pig", "tests.sealed"))
bots.install(["tests.bots.crashing", "thinker"])

def found():
    for cached in (digests.rules_digest, digests.package_digest, digests.heuristic_digest,
                   digests._kernel, digests._code, bots._code_digest):
        cached.cache_clear()
    every = {}
    for ruleset in registry:
        every[ruleset.info.id] = registry.digest(ruleset.info.id)
        every[f"all of {ruleset.info.id}"] = registry.package_digest(ruleset.info.id)
        for bot in json.loads(sys.argv[1]):
            digest = bots.code_digest(registry, ruleset.info.id, *bot.split("@"))
            every[f"{bot} in {ruleset.info.id}"] = digest
    return every

before, changed = found(), {}
assert len(set(before.values())) == len(before)
for path in json.load(sys.stdin):
    file = Path(path)
    text = file.read_bytes() if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes((text or b"") + b"\\n")
    after = found()
    changed[path] = sorted(name for name in before if before[name] != after[name])
    file.unlink() if text is None else file.write_bytes(text)
assert found() == before
Path("rules/manila/moves/loans.py").rename("rules/manila/moves/moved.py")
changed["moved"] = sorted(name for name, digest in found().items() if digest != before[name])
print(json.dumps(changed))
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of all code that digests cover, and of neighbouring code."""
    for folder in ("rules", "workers", "tests/pig", "tests/sealed", "tests/bots"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "service").symlink_to(ROOT / "service")
    (tmp_path / "thinker" / "weights").mkdir(parents=True)
    (tmp_path / "thinker" / "__init__.py").write_text(THINKER)
    (tmp_path / "thinker" / "search.py").touch()
    (tmp_path / "thinker" / "weights" / "late.bin").touch()
    return tmp_path


def files(tree: Path) -> Iterator[str]:
    """Yield the files to edit: all code and data of the rules, the bots, and their neighbours."""
    for folder in ("rules", "workers", "tests", "thinker"):
        for path in sorted((tree / folder).rglob("*.*")):
            yield str(path.relative_to(tree))


def must_change(path: str) -> list[str]:
    """Return the digests that an edit of ``path`` must change."""
    for package, game in PACKAGES.items():
        if path.startswith(f"{package}/"):
            return sorted(_of_game(path.removeprefix(f"{package}/"), game))
    if path.startswith("rules/kernel/"):
        games = PACKAGES.values() if path.removeprefix("rules/kernel/") in DECIDE else ()
        every = [f"all of {game}" for game in games]
        return sorted([*games, *every, *(f"{bot} in {game}" for bot in BOTS for game in games)])
    past = [f"greedy@1 in {game}" for game in PACKAGES.values() if path == EVALUATIONS.format(game)]
    of_bots = [f"{b} in {game}" for b in BOT_FILES.get(path, ()) for game in PACKAGES.values()]
    return sorted([*past, *of_bots])


def _of_game(file: str, game: str) -> list[str]:
    bots = [f"{bot} in {game}" for bot in BOTS]
    if not file.endswith((".py", ".json")):
        return []
    if file.startswith("aids/heuristic") or file == "aids/more/heuristic.py":
        has_its_own = (ROOT / EVALUATIONS.format(game)).exists()
        return [f"all of {game}", *(b for b in bots if not (has_its_own and "greedy@1" in b))]
    if file.startswith("aids/"):
        return [f"all of {game}"]
    return [f"all of {game}", game, *bots]


def test_an_edit_changes_the_digests_of_what_it_decides_and_no_others(tree: Path) -> None:
    paths = [*files(tree), *NEW]
    assert len(paths) > 150
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", EDITS, json.dumps(BOTS)],
        input=json.dumps(paths), cwd=tree, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    changed = json.loads(done.stdout)
    assert changed.pop("moved") == must_change("rules/manila/moves/moved.py")
    assert changed == {path: must_change(path) for path in paths}


def test_of_every_module_of_the_kernel_it_is_said_whether_it_decides_play() -> None:
    modules = {str(p.relative_to(ROOT / "rules/kernel")) for p in _python("rules/kernel")}
    assert not DECIDE.keys() & HELP.keys()
    assert modules == DECIDE.keys() | HELP.keys(), (
        "say in rules/kernel/digests.py, or in HELP, what it does"
    )


def test_what_decides_play_imports_nothing_that_no_digest_covers() -> None:
    """In the contract, only modules of words decide nothing; ``test_borders`` checks aids."""
    rooms = {f"rules.kernel.{name.rpartition('/')[0]}".rstrip(".") for name in DECIDE}
    kernel = [f"rules.kernel.{name.removesuffix('.py').replace('/', '.')}" for name in DECIDE]
    shared = [*kernel, "rules.kernel.contract", "workers.bots.bot"]
    allowed = {ROOT / "rules" / "kernel" / name: shared for name in DECIDE}
    allowed |= {path: shared for path in _python("workers/bots") if path.name not in NO_BOTS}
    allowed[ROOT / BOT_OF_THE_PAST] = [*shared, "workers.bots.archive"]
    for package in registry.PACKAGES:
        past = ROOT / EVALUATIONS.format(package.rpartition(".")[2])
        allowed[past] = [*shared, package]
    with_worlds = [ROOT / f"{name.replace('.', '/')}.py" for name in bots.WITH_WORLDS]
    allowed |= {path: [*shared, "workers.bots.worlds"] for path in with_worlds}
    for package in registry.PACKAGES:
        files = [p for p in _python(package.replace(".", "/")) if p.parent.name != "aids"]
        allowed |= {path: [*shared, package] for path in files}
    for path, names in allowed.items():
        for name in imported(parsed(path)):
            if name.startswith(("rules.", "service.", "workers.")) and name not in rooms:
                covered = any(f"{name}.".startswith(f"{known}.") for known in names)
                assert covered, f"{path.relative_to(ROOT)} imports {name}"


def test_digests_are_made_as_the_format_says() -> None:
    """As in ``docs/format.md``, "Versions and digests", with only SHA-256 and a JSON writer."""
    package, kernel = ROOT / "rules" / "macao", ROOT / "rules" / "kernel"
    code = {str(p.relative_to(package)): p for p in package.rglob("*") if p.suffix in CODE}
    own = {name: path for name, path in code.items() if not name.startswith("aids/")}
    heuristic = {n: path for n, path in code.items() if n.startswith("aids/heuristic")}
    rules = _hex([_files(own), _files({name: kernel / name for name in DECIDE})])
    assert Registry(registry.PACKAGES).digest("macao") == rules
    bots_folder = ROOT / "workers" / "bots"
    bot, shared = _files({"": bots_folder / "greedy.py"}), _files({"": bots_folder / "bot.py"})
    of_bot = _hex([bot, shared, rules, _hex(_files(heuristic))])
    assert bots.code_digest(Registry(registry.PACKAGES), "macao", "greedy", "2") == of_bot
    past = _files({"": ROOT / BOT_OF_THE_PAST})
    evaluation = _files({"": ROOT / EVALUATIONS.format("macao")})
    of_bot = _hex([past, shared, rules, _hex(evaluation)])
    assert bots.code_digest(Registry(registry.PACKAGES), "macao", "greedy", "1") == of_bot


CODE = (".py", ".json")


def _files(paths: dict[str, Path]) -> list[list[str]]:
    return [[name, hashlib.sha256(paths[name].read_bytes()).hexdigest()] for name in sorted(paths)]


def _hex(value: object) -> str:
    return hashlib.sha256(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def _python(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))
