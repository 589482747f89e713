"""The parts of an event that everybody may see, by version."""

from rules.kernel.record.events import Access


def test_everything_is_open_from_the_version_on_that_opens_the_salt() -> None:
    access = Access(over=9)
    assert [access.sees(None, 3, "bot", "none", version) for version in (8, 9, 10)] == [
        False, True, True,
    ]  # fmt: skip


def test_a_part_is_open_from_the_version_on_that_opens_it() -> None:
    access = Access()
    access.open(3, "move", 5)
    assert [access.sees(None, 3, "move", "none", version) for version in (4, 5, 6)] == [
        False, True, True,
    ]  # fmt: skip
    assert not access.sees(None, 3, "bot", "none", 6)
    assert not access.sees(None, 4, "move", "none", 6)
