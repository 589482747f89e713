"""Records of earlier code keep their verdicts for ever, in both verifiers.

The files in ``kept`` were written by 0.2.0 and 79008f59: a finished game of each ruleset, with a
time-out, a failure and a resignation; games of Ragusa in every state; tournaments. 6ccb870e, on the
way to 0.3.0, wrote a finished game of each ruleset, and a running one, that have what is new in the
format: moves that were taken back, a suspension, entropy that a player brought to drawn seats, and
a start by the clock.
"""

from collections import Counter
from pathlib import Path

from rules.kernel.proof.verdicts import NOT_WHOLLY, PROVED
from rules.kernel.record.batch import CLOCK
from service.cli.verifying import VerifyOptions, load, verify_file
from service.records import game_file
from tests.service.verifier.programs import codes, reports, standing

FILES = sorted((Path(__file__).parent / "kept").glob("*.ndjson.gz"))
GOES_ON = {"closed", "lobby", "running", "running-seat-1", "suspended"}
MOST_BYTES = 1_500_000
"""Maximum size of all kept wheels, because everybody who clones the project copies them."""


def test_what_was_recorded_keeps_its_verdict(tmp_path: Path) -> None:
    expected = {file.name: NOT_WHOLLY if state(file) in GOES_ON else PROVED for file in FILES}
    registry = load(bots=False)
    ours = {file.name: verify_file(str(file), VerifyOptions(), registry).verdict for file in FILES}
    assert ours == expected
    theirs = reports(tmp_path, [file.read_bytes() for file in FILES])
    for file, their in zip(FILES, theirs, strict=True):
        assert codes(their, "failure", "newer", "unreadable") == set(), file.name
        proved = expected[file.name] == PROVED
        assert standing(their) == ("sound" if proved else "open"), (file.name, their["findings"])


def state(file: Path) -> str:
    """Return the state of a game, or ``cup-FORMAT`` for a tournament."""
    return file.name.partition("-")[2].removesuffix(".ndjson.gz")


def test_each_state_is_kept_in_little_room() -> None:
    states: dict[str, set[str]] = {"0.2.0": set(), "79008f59": set(), "6ccb870e": set()}
    for file in FILES:
        states[file.name.partition("-")[0]].add(state(file))
    since_0_2_0 = {"suspended", "ended-by-operator"}
    assert states["0.2.0"] == states["79008f59"] - since_0_2_0
    assert states["6ccb870e"] == {
        state for state in states["0.2.0"] if state.endswith("ended") or state.startswith("running")
    }


def test_what_is_new_in_the_format_is_among_it() -> None:
    """Each record of 6ccb870e has it, so that a later release cannot lose how to read it."""
    for file in (each for each in FILES if each.name.startswith("6ccb870e")):
        record = game_file.read(file)
        by_kind = Counter(event["kind"] for event in record.copies)
        assert by_kind["undone"] >= 8, file.name
        assert by_kind["suspended"] == by_kind["resumed"] == 1
        (started,) = [event for event in record.copies if event["kind"] == "started"]
        assert started["by"] == CLOCK
        seats = [e["body"]["seat"] for e in record.copies if e["kind"] == "seated"]
        assert any("brought" in seat for seat in seats)
    assert sum(file.stat().st_size for file in FILES) < MOST_BYTES
