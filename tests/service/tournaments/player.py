"""A process that plays a tournament with the present code on the disk; see test_pinned."""

import os
import sys
from pathlib import Path

import orjson

from service import settings
from service.records import tournament_file
from service.runtime import open_runtime
from service.tournaments import requests
from service.tournaments.plan import TournamentRequest
from service.tournaments.record import export
from tests.running import patient_matches
from tests.service.tournaments.conftest import HOST, SMALL


def main(name: str, blocks: int, output: str) -> None:
    """Play some blocks of the tournament ``name`` (or of a ``new`` one), and print its state."""
    runtime = open_runtime(settings.load(os.environ), announce=False)
    director = runtime.director
    if name == "new":
        asked = {**SMALL, "format": {"type": "round_robin", "games": 16}}
        plan = requests.plan_of(TournamentRequest.of(asked), runtime.registry, runtime.bots)
        name = director.create(plan, HOST, seed="s").tournament.id
    matches = patient_matches(runtime)
    for _ in range(blocks):
        matches._play_on(name)
    tournament = director.find(name)
    if output:
        tournament_file.write(Path(output), export.lines(runtime, tournament))
    sys.stdout.buffer.write(orjson.dumps(requests.summary(tournament, runtime.redis)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
