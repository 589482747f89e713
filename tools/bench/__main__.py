"""`make bench`: every figure that docs/numbers.md quotes, as a table and as JSON."""

import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import orjson

from rules.kernel.contract.registry import Registry
from rules.registry import PACKAGES
from service.ledger.store import Store
from service.process.garbage import collect_less
from service.redis.client import make_client
from service.redis.server import RedisServer
from tools.bench import (
    archive,
    auditing,
    backups,
    bridge,
    course,
    fairness,
    growth,
    heuristics,
    learning,
    moves,
    notices,
    pages,
    publishing,
    questions,
    random_play,
    rebuild,
    reports,
    thinking,
    tournaments,
    verifying,
    watching,
)
from tools.bench.measure import Row

RULESET = "santiago_de_cuba"
RANDOM_PLAY = {
    "santiago_de_cuba": 0.2,
    "macao": 0.064,
    "manila": 0.098,
    "plus_ultra": 0.054,
    "ragusa": 0.032,
}
"""Required speed of random play in each game, as a share of the reference's moves a second."""


def measure() -> Iterator[Row]:
    """Yield each row as it is measured."""
    registry = Registry(PACKAGES)
    for ruleset in registry:
        yield random_play.measure(ruleset, RANDOM_PLAY[ruleset.info.id])
    yield from heuristics.measure(list(registry))
    yield from thinking.measure(list(registry))
    yield from learning.measure(list(registry))
    yield from verifying.measure(registry)
    collect_less()  # from here on, the garbage collector works as in a web process
    with tempfile.TemporaryDirectory() as folder, RedisServer(Path(folder), "everysec") as server:
        redis = make_client(server.url)
        store = Store(redis)
        yield rebuild.measure(store, registry, RULESET)
        yield growth.late_moves(store, registry, RULESET)
    yield growth.many_games(registry, RULESET)
    yield from growth.game_bytes(registry)
    yield from moves.measure(registry, RULESET, "always")
    yield from moves.measure(registry, RULESET, "everysec")
    yield from notices.measure(registry, RULESET)
    yield from publishing.measure(registry, RULESET)
    yield questions.measure(registry)
    yield from bridge.measure(registry, "macao")
    yield from watching.measure(registry, RULESET)
    yield from backups.measure(registry, RULESET)
    yield from archive.measure(registry, RULESET)
    yield from auditing.measure()
    yield from course.measure()
    yield from reports.measure()
    yield from tournaments.measure(list(registry))
    yield from fairness.measure()
    yield from pages.measure(registry)


@click.command()
@click.option("--output", type=click.Path(path_type=Path), default=Path("var/bench.json"))
def main(output: Path) -> None:
    """Measure everything; takes about a quarter of an hour on two cores."""
    rows = []
    for row in measure():
        rows.append(row)
        mark = "" if not row.bound else "kept" if row.kept else "MISSED"
        click.echo(f"{row.value:12,.2f}   {row.bound or 'no bound':18} {mark:6}   {row.name}")
    report = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rows": [row._asdict() for row in rows],
    }
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    click.echo(f"The figures of every round are in {output}.")
    sys.exit(not all(row.kept for row in rows))


if __name__ == "__main__":
    main()
