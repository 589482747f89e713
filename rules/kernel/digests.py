"""Digests over the files on which play depends; records contain these digests.

A digest says with which code a game was played, and nothing else: whether code may continue a game
depends only on the version of the rules.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from rules.kernel.canonical import digest, encode

DECIDE = {
    "canonical.py": "the bytes that draws and the seeds of bots are made of",
    "contract/chance.py": "the draws",
    "contract/edition.py": "the tables that a game is played with",
    "contract/effects.py": "what an event opens, and who sees it",
    "contract/errors.py": "how a move is refused",
    "contract/fields.py": "the values that options and moves may have",
    "contract/move.py": "how a recorded move is read",
    "contract/phases.py": "the moves of a phase",
    "contract/pieces.py": "the bytes of a state that its proof is made of",
    "contract/ruleset.py": "which moves are legal, and in which order they are checked",
    "contract/seats.py": "in which order seats follow each other",
    "contract/state.py": "who is asked, and what copies share",
    "record/batch.py": "who may do what at a table, and what follows by itself",
    "record/beacons.py": "which round of a beacon decides the luck",
    "record/bots.py": "what is recorded of how a bot decided",
    "record/budgets.py": "what is left of somebody's time",
    "record/clocks.py": "when somebody's time is up",
    "record/events.py": "what each viewer is told of an event",
    "record/game.py": "who is asked, and what is sealed",
    "record/instants.py": "what clocks count",
    "record/secrets.py": "the seeds of bots, and what entropy was committed to",
    "record/signatures.py": "who signs, and what",
    "toolbox/layout.py": "how a state stands in JSON",
    "toolbox/packed.py": "what a pile holds",
    "toolbox/pile.py": "the card that a pick takes",
    "toolbox/rows.py": "the tables that an installation adds",
    "toolbox/standings.py": "the ranking",
    "toolbox/unseen.py": "who is shown a hand, and how it may lie for others",
}
"""The modules of the kernel on which play depends, with what each module decides. The file
``tests/test_digests.py`` lists the other modules.
"""

AIDS = "aids/"
"""The folder of a game's package on which play does not depend: labels, drawings, heuristics and
invariants.
"""

Files = list[tuple[str, str]]
"""Paths and the hex SHA-256 of their files, in the order of the paths."""


@cache
def rules_digest(package: str) -> str:
    """Return the hex digest over all files on which play under the rules of ``package`` depends.

    These are the files with code and data of the package that are not in its folder ``aids/``, and
    the modules of the kernel that ``DECIDE`` lists.
    """
    own = hashed(file for file in _code(package) if not file[0].startswith(AIDS))
    return digest(encode([own, _kernel()])).hex()


@cache
def package_digest(package: str) -> str:
    """Return the hex digest over all code and data of the rules of ``package``, labels included."""
    return digest(encode([hashed(_code(package)), _kernel()])).hex()


@cache
def heuristic_digest(package: str) -> str:
    """Return the hex digest over the code and data of the heuristic of ``package``."""
    return digest(encode(hashed(file for file in _code(package) if _is_heuristic(file[0])))).hex()


def files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files in ``folder`` and all folders below it, with their paths."""
    for entry in folder.iterdir():
        path = above + entry.name
        if entry.is_dir():
            yield from files(entry, f"{path}/")
        else:
            yield path, entry


def hashed(found: Iterable[tuple[str, Traversable]]) -> Files:
    """Return the hashes of the files ``found``."""
    return sorted((path, digest(file.read_bytes()).hex()) for path, file in found)


@cache
def _kernel() -> Files:
    kernel = resources.files("rules.kernel")
    return hashed((name, kernel.joinpath(name)) for name in DECIDE)


@cache
def _code(package: str) -> Sequence[tuple[str, Traversable]]:
    """Return the files of a package with code and data, with their paths."""
    everything = files(resources.files(package))
    return [(path, file) for path, file in everything if path.endswith((".py", ".json"))]


def _is_heuristic(path: str) -> bool:
    parts = path.removeprefix(AIDS).split("/")
    return path.startswith(AIDS) and any(part.startswith("heuristic") for part in parts)
