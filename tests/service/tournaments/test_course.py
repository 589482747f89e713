"""Automatic events are found with one look at each block, however long a tournament is."""

import random

import pytest

from rules.kernel.contract.seats import all_seats
from rules.kernel.proof.newer import UnknownParts
from service.tournaments.course import Step, next_step
from service.tournaments.record.course_checks import Course
from service.tournaments.tournament import Block, Tournament
from tests.service.tournaments.held import ID, Held, all_equal, by_number, plan, result

BLOCKS = 250


def fail_at_first(held: Held) -> None:
    """Play all blocks; in the first block a bot fails once."""
    tournament = held.tournament
    while not tournament.over:
        block = tournament.open_blocks()[0]
        games = [result(all_equal(block, seating)) for seating in block.seatings("cyclic")]
        if block.number == 1:
            games[0] = games[0]._replace(failures=[[0, 1, "boom"]])
        held.end(block, games)


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which the number of each examined block is appended."""
    seen: list[int] = []
    seatings = Block.seatings

    def counting(self: Block, rotations: str) -> list[tuple[int, ...]]:
        seen.append(self.number)
        return seatings(self, rotations)

    monkeypatch.setattr(Block, "seatings", counting)
    return seen


@pytest.mark.parametrize(
    ("name", "entries", "options"),
    [
        ("round_robin", 3, {"games": 3 * BLOCKS}),
        ("compare", 2, {"games": 3 * BLOCKS, "margin_percent": 1}),
    ],
)
def test_a_failure_in_the_first_block_has_no_block_looked_at_again_and_again(
    looks: list[int], name: str, entries: int, options: dict[str, int]
) -> None:
    held = Held(plan(entries, name, **options))
    fail_at_first(held)
    assert len(held.tournament.results) == BLOCKS
    assert len(looks) <= 4 * BLOCKS
    looks.clear()
    checked = Course(ID, UnknownParts(ID)).check(held.copies())
    assert checked.failures == []
    assert len(looks) <= 4 * BLOCKS


def test_a_ladder_does_not_look_at_all_games_for_each_block(looks: list[int]) -> None:
    held = Held(plan(12, "ladder", rounds=20))
    held.play(by_number)
    rounds, blocks = held.tournament.rounds, len(held.tournament.blocks)
    assert len(looks) <= (rounds + 2) * blocks


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["round_robin", "swiss", "knockout", "ladder", "compare"])
def test_what_is_kept_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    """Blocks end in any order, bots fail, hosts pause: the result is as without the cache."""

    def checked(tournament: Tournament, secret: bytes) -> Step | None:
        fresh = tournament.fork()
        fresh.kept.clear()
        step = next_step(tournament, secret)
        assert step == next_step(fresh, secret)
        return step

    monkeypatch.setattr("tests.service.tournaments.held.next_step", checked)
    luck = random.Random(seed)
    held = Held(plan(2 if name == "compare" else 8, name, failures={"disqualify_after": 3}))
    tournament = held.tournament
    while blocks := tournament.open_blocks():
        if tournament.over:
            break
        if luck.random() < 0.2:
            held.do("resumed" if tournament.status == "paused" else "paused", {})
        block, games = luck.choice(blocks[:5]), []
        for seating in block.seatings("cyclic"):
            failures = [[seat, 1, "x"] for seat in all_seats(3) if luck.random() < 0.05]
            games.append(result(luck.choice((by_number, all_equal))(block, seating), failures))
        held.end(block, games)
        unplayed = [b for b in tournament.blocks.values() if b.number not in tournament.results]
        assert tournament.open_blocks() == [b for b in unplayed if not tournament.is_void(b)]
