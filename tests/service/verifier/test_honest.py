"""Both verifiers accept all honest records, and report the same."""

from pathlib import Path

import pytest

from rules.kernel.proof.verdicts import NOT_WHOLLY, PROVED
from service.cli.verifying import VerifyOptions, verify_file, verify_game
from tests.service.cli import records
from tests.service.verifier import cups
from tests.service.verifier.honest import BLOCKS, COURSES, EVENTFUL, SHAPES, SIGNED, honest
from tests.service.verifier.programs import codes, lines_of, reports, standing, text_of

ALL = [pytest.mark.campaign("forgeries"), pytest.mark.timeout(0)]
SAME = {PROVED: "sound", NOT_WHOLLY: "open"}


def few() -> list[str]:
    """Return a minimum of shapes with all events before each of the ends."""
    seen: set[tuple[str, object]] = set()
    found = []
    for course in [*EVENTFUL, *COURSES, *SIGNED]:
        pairs = {(course.end, part) for part in enumerate(course)} - seen
        if course.possible and pairs:
            found.append(str(course))
            seen |= pairs
    assert {*map(str, SIGNED)} <= {*found}
    return [*found, *BLOCKS]


@pytest.mark.parametrize("names", [few(), pytest.param([*SHAPES], marks=ALL)], ids=["few", "all"])
def test_whatever_an_honest_service_writes(names: list[str], tmp_path: Path) -> None:
    made = {name + seen: r for name in names for seen, r in honest(name).items()}
    told = reports(tmp_path, map(text_of, made.values()))
    for (name, record), theirs in zip(made.items(), told, strict=True):
        ours = verify_game(record, VerifyOptions(), records.REGISTRY)
        assert ours.ok, (name, [check.failures for check in ours.checks])
        assert codes(theirs, "failure") == set(), (name, theirs["findings"])
        assert standing(theirs) == SAME[ours.verdict], (name, ours.missing, theirs["findings"])
        stands = (theirs["version"], theirs["status"], theirs["id"], theirs["kind"])
        assert stands == (ours.version, ours.status, ours.game_id, ours.kind), name


@pytest.mark.parametrize(
    "courses", [cups.FEW, pytest.param([*cups.COURSES], marks=ALL)], ids=["few", "all"]
)
def test_whatever_an_honest_service_writes_of_tournaments(
    courses: list[cups.Course], tmp_path: Path
) -> None:
    made = {course: cups.held(course).record() for course in courses}
    told = reports(tmp_path, map(lines_of, made.values()))
    for (course, (header, *_lines)), theirs in zip(made.items(), told, strict=True):
        outcome = verify_file(theirs["file"], VerifyOptions(), records.REGISTRY)
        ours = outcome.report
        assert ours is not None, (course, outcome.error)
        assert ours.ok, (course, [check.failures for check in ours.checks])
        assert codes(theirs, "failure") == set(), (course, theirs["findings"])
        assert standing(theirs) == SAME[ours.verdict], (course, ours.missing, theirs["findings"])
        stands = (theirs["version"], theirs["status"], theirs["id"], theirs["kind"])
        assert stands == (ours.version, ours.status, ours.game_id, ours.kind), course
        assert stands == (header["version"], header["status"], cups.ID, "tournament"), course
