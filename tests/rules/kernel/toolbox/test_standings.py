"""The ranks of results."""

from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.contract.ruleset import Result, Standing
from rules.kernel.toolbox.standings import rank_resigned_last, ranks


def test_ties_share_a_rank_and_the_next_counts_them() -> None:
    assert ranks([7, 9, 7, 3]) == [2, 1, 2, 4]
    assert ranks([]) == []
    assert ranks([(1, 2), (1, 3)]) == [2, 1]


@given(st.lists(st.integers(0, 5), max_size=8))
def test_ranks_are_competition_ranks(scores: list[int]) -> None:
    for rank, score in zip(ranks(scores), scores, strict=True):
        assert rank == 1 + len([other for other in scores if other > score])


def result(*places: tuple[str, int]) -> Result:
    return Result("end", tuple(Standing(side, rank, 0, {}) for side, rank in places))


def test_who_resigned_ranks_behind_all_others() -> None:
    before = result(("seat:0", 1), ("seat:1", 2), ("seat:2", 2), ("automaton:house", 4))
    after = rank_resigned_last(before, [0, 2])
    assert [(s.side, s.rank) for s in after.standings] == [
        ("seat:0", 3),
        ("seat:1", 1),
        ("seat:2", 4),
        ("automaton:house", 2),
    ]
    assert rank_resigned_last(before, []) == before
    assert [s.rank for s in rank_resigned_last(before, [0, 1, 2]).standings] == [2, 3, 3, 1]
