"""Law of processes: no game depends on the order of sets, or on the hash seed of the process.

``python -m laws.book.processes PACKAGE`` plays some seeded games of a package and prints them. The
law runs this command with two values of ``PYTHONHASHSEED``.
"""

import os
import subprocess
import sys
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path

from laws.games import Subject, sample_game, spots
from laws.law import Breach, Scope, law
from laws.mutants import put_into
from laws.tables import tables_of
from rules.kernel.canonical import encode
from rules.kernel.contract.published import package_of
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import GameOver
from rules.kernel.contract.seats import all_seats

SECONDS = 300


@law(Scope.RULESET, "2. The state", "do not iterate over sets, and use no random source but draws")
def processes_agree(subject: Subject) -> None:
    """Processes with different hash seeds play the same games."""
    package = package_of(subject.ruleset)
    first, second = (_played(package, subject.mutant, seed) for seed in ("1", "2"))
    for one, other in zip_longest(first, second):
        if one != other:
            raise Breach(f"in one process: {one}; in another: {other}")


def _played(package: str, mutant: str, hash_seed: str) -> list[str]:
    """Run this module in a process, and return the lines that the process prints.

    The process also finds packages in its working folder.
    """
    environment = {
        **os.environ,
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path),
    }
    command = [sys.executable, "-P", "-m", "laws.book.processes", package, *filter(None, [mutant])]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    if done.returncode:
        raise Breach(f"in a process of its own, the package fails: {done.stderr.strip()[-500:]}")
    return done.stdout.splitlines()


def main() -> None:
    """Print one game of each table of a package."""
    (ruleset,) = Registry((sys.argv[1],))
    for name in sys.argv[2:]:
        put_into(ruleset, name)
    for table in tables_of(ruleset):
        seats = all_seats(table.seats)
        game = sample_game(table, 1)
        for spot in game.positions():
            turn = ruleset.turn(spot.state)
            legal = [[m.to_json() for m in ruleset.legal_moves(spot.state, seat)] for seat in seats]
            _tell(spot.where, sha256(spot.bytes()).hexdigest(), turn, legal)
            if isinstance(turn, GameOver):
                _tell(encode(ruleset.result(spot.state).to_json()))
        for spot in spots(game):
            views = [ruleset.view(spot.state, viewer) for viewer in table.viewers]
            known = [ruleset.information(spot.state, seat) for seat in seats]
            _tell(spot.where, views, known, ruleset.draw(views[0], "es", 80))
            _tell(ruleset.heuristic(spot.state))


def _tell(*what: object) -> None:
    print(*what)  # noqa: T201 - read by the process that runs the law


if __name__ == "__main__":
    main()
