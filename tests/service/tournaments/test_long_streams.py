"""Long streams of tournaments: a process keeps only the data that the report needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from service.records.game_file import written
from tests.service.cli.long_records import PEAK
from tests.service.tournaments.held import Held, by_number, plan

FEW, MANY = 6_000, 24_000

MEASURED = """
import sys
from rules.kernel.proof.newer import UnknownParts
from rules.kernel.proof.verify import verify_stream
from service.records import game_file
from service.tournaments.record.course_checks import Course
from service.tournaments.tournament import KINDS
from tests.service.tournaments.held import ID

game_file.KEPT_BYTES = 500_000
with open(sys.argv[1], "rb") as file:
    copies = game_file.copies_in(game_file.RecordLines(file))
newer = UnknownParts(ID)
checks = [*verify_stream(ID, copies, KINDS, newer), Course(ID, newer).check(copies)]
print(all(check.ok for check in checks))
"""


@pytest.mark.campaign("long")
@pytest.mark.timeout(600)
def test_a_game_of_a_tournament_leaves_less_than_a_kilobyte(tmp_path: Path) -> None:
    peaks = []
    for games in (FEW, MANY):
        held = Held(plan(3, "round_robin", games=games))
        held.play(by_number)
        path = tmp_path / f"{games}"
        with path.open("wb") as file:
            file.writelines(map(written, held.copies()))
        said = subprocess.run(
            [sys.executable, "-c", MEASURED + PEAK, path],
            check=True,
            capture_output=True,
            text=True,
        )
        sound, peak = said.stdout.split()
        assert sound == "True"
        peaks.append(int(peak))
    assert peaks[1] - peaks[0] < MANY - FEW  # KiB
