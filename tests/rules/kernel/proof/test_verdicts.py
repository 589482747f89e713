"""The failures that a report keeps."""

from rules.kernel.proof.verdicts import MOST_TOLD, Failures


def test_not_all_that_failed_is_told_without_end() -> None:
    failures = Failures("x" * 1_000 for _ in range(10_000))
    assert sum(map(len, failures)) <= MOST_TOLD
    failures += ["y" * 1_000]
    assert "y" * 1_000 not in failures
    assert len(Failures(["z" * 2 * MOST_TOLD])[0]) == MOST_TOLD


def test_what_there_is_room_for_is_told() -> None:
    first = "x" * (MOST_TOLD - 1)
    assert Failures([first, "y", "z"]) == [first, "y"]
