"""The pairings of every format: fair, complete, and independent of the order of finishing."""

import dataclasses
import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.figures.tally import scores
from service.tournaments.formats import FORMATS, OPTIONS, format_of
from service.tournaments.formats.format import MAX_LINEUPS
from service.tournaments.plan import ALL, CYCLIC, POINTS, BadPlanError
from service.tournaments.tournament import ENDED, RUNNING, Block, Tournament
from tests.service.tournaments.held import (
    Held,
    all_equal,
    by_number,
    hold,
    plan,
    result,
)

FORMATS_FOR_MANY = [name for name in FORMATS if name != "compare"]


def seats_of(tournament: Tournament) -> Counter[tuple[int, int]]:
    """Count the games of each entry on each seat."""
    return Counter(
        (entry, seat)
        for outcome in tournament.outcomes()
        for seat, entry in enumerate(outcome.seating)
    )


def games_of(tournament: Tournament) -> list[int]:
    return [score.games for score in scores(tournament)]


def test_a_block_seats_its_lineup_in_rotation_or_in_every_order() -> None:
    block = Block(1, 1, (4, 7, 2))
    assert block.seatings(CYCLIC) == [(4, 7, 2), (7, 2, 4), (2, 4, 7)]
    assert sorted(block.seatings(ALL)) == sorted(itertools.permutations((4, 7, 2)))


def test_a_block_of_equals_seats_nobody_twice_in_the_same_way() -> None:
    assert sorted(Block(1, 1, (0, 1, 1)).seatings(ALL)) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]


@pytest.mark.parametrize("rotations", [CYCLIC, ALL])
def test_everybody_sits_on_every_seat_equally_often(rotations: str) -> None:
    tournament = hold(plan(4, "round_robin", games=120, rotations=rotations), by_number)
    assert len(set(seats_of(tournament).values())) == 1


def test_round_robin_has_every_lineup_equally_often() -> None:
    tournament = hold(plan(5, "round_robin", games=10 * 3 * 4), by_number)
    met = Counter(tuple(sorted(block.lineup)) for block in tournament.blocks.values())
    assert set(met) == set(itertools.combinations(range(5), 3))
    assert set(met.values()) == {4}
    assert tournament.status == ENDED


def test_the_last_block_is_whole() -> None:
    tournament = hold(plan(3, "round_robin", games=100), by_number)
    assert sum(1 for _ in tournament.outcomes()) == 102


def test_in_a_gauntlet_the_first_entry_meets_every_lineup_of_the_others() -> None:
    tournament = hold(plan(5, "gauntlet", games=6 * 3), by_number)
    lineups = {tuple(sorted(block.lineup)) for block in tournament.blocks.values()}
    assert lineups == {(0, *rest) for rest in itertools.combinations(range(1, 5), 2)}


@pytest.mark.parametrize("entries", [6, 7, 8, 9, 13])
def test_swiss_gives_everybody_a_table_or_a_bye_each_round(entries: int) -> None:
    tournament = hold(plan(entries, "swiss", rounds=4), by_number)
    for number in range(1, 5):
        playing = [e for b in tournament.blocks.values() if b.round == number for e in b.lineup]
        assert sorted([*playing, *tournament.byes[number - 1]]) == list(range(entries))
        assert len(tournament.byes[number - 1]) == entries % 3
    byes = Counter(entry for out in tournament.byes for entry in out)
    assert max(byes.values(), default=0) - min(byes[e] for e in range(entries)) <= 1


def test_swiss_puts_those_together_who_stand_alike() -> None:
    held = Held(plan(9, "swiss", rounds=2))
    held.play(by_number, most=3)
    winners = {min(block.lineup) for block in held.tournament.blocks.values() if block.round == 1}
    second = [set(b.lineup) for b in held.tournament.blocks.values() if b.round == 2]
    assert winners in second


def test_in_swiss_a_bye_is_worth_half_of_a_round() -> None:
    """Of seven entries in pairs, the one with the first bye is between winners and losers."""
    held = Held(plan(7, "swiss", seats=2, rounds=2))
    tournament = held.play(by_number, most=3)
    first = [block.lineup for block in tournament.blocks.values() if block.round == 1]
    second = [set(block.lineup) for block in tournament.blocks.values() if block.round == 2]
    (sat_out,) = tournament.byes[0]
    (met,) = next(table - {sat_out} for table in second if sat_out in table)
    assert met in {min(lineup) for lineup in first}


def test_swiss_keeps_those_apart_who_met_if_it_can() -> None:
    tournament = hold(plan(9, "swiss", rounds=2), all_equal)
    pairs = [
        pair
        for block in tournament.blocks.values()
        for pair in itertools.combinations(sorted(block.lineup), 2)
    ]
    assert max(Counter(pairs).values()) == 1


def test_swiss_finds_the_best_and_the_worst() -> None:
    places = format_of(plan(9, "swiss")).places(hold(plan(9, "swiss", rounds=6), by_number))
    assert places[0] == [0]
    assert places[-1] == [8]


@pytest.mark.parametrize(("entries", "seats"), [(3, 3), (4, 3), (7, 3), (9, 3), (16, 2), (23, 4)])
@pytest.mark.parametrize("blocks", [1, 2])
def test_the_best_wins_a_knockout_of_any_size(entries: int, seats: int, blocks: int) -> None:
    wanted = plan(entries, "knockout", seats, blocks=blocks)
    tournament = hold(wanted, by_number)
    knockout = format_of(wanted)
    assert tournament.status == ENDED
    assert len(tournament.blocks) == knockout.total_blocks(tournament)
    places = knockout.places(tournament)
    assert places[0] == [0]
    assert sorted(entry for group in places for entry in group) == list(range(entries))


def test_the_winner_of_each_table_goes_on_and_the_best_of_the_others_fill_up() -> None:
    held = Held(plan(9, "knockout"))
    tournament = held.play(by_number, most=3)
    first = [b.lineup for b in tournament.blocks.values() if b.round == 1]
    winners = {min(lineup) for lineup in first}
    last = [set(b.lineup) for b in tournament.blocks.values() if b.round == 2]
    assert last == [winners]

    held = Held(plan(6, "knockout"))
    tournament = held.play(by_number, most=2)
    first = [b.lineup for b in tournament.blocks.values() if b.round == 1]
    (last_lineup,) = [b.lineup for b in tournament.blocks.values() if b.round == 2]
    assert {min(lineup) for lineup in first} < set(last_lineup)


def test_the_first_of_the_draw_have_the_byes_of_a_knockout() -> None:
    tournament = Held(plan(8, "knockout")).tournament
    playing = {entry for block in tournament.blocks.values() for entry in block.lineup}
    assert len(tournament.byes[0]) == 2
    assert playing.isdisjoint(tournament.byes[0])


@pytest.mark.parametrize("entries", [3, 4, 5, 6, 7, 10])
def test_a_ladder_comes_into_order(entries: int) -> None:
    def by_number_backwards(block: Block, seating: tuple[int, ...]) -> list[int]:
        return [len(seating) + 1 - rank for rank in by_number(block, seating)]

    wanted = plan(entries, "ladder", rounds=3 * entries)
    tournament = hold(wanted, by_number_backwards)
    assert format_of(wanted).places(tournament) == [[e] for e in reversed(range(entries))]


def test_on_a_ladder_who_is_equal_stays() -> None:
    wanted = plan(7, "ladder", rounds=6)
    places = format_of(wanted).places(hold(wanted, all_equal))
    assert places == [[entry] for entry in range(7)]


def test_compare_seats_one_a_among_copies_of_b_and_stops_when_it_knows() -> None:
    wanted = plan(2, "compare", 4, games=4000)
    tournament = hold(wanted, by_number)
    assert tournament.reason == "better"
    assert sum(1 for _ in tournament.outcomes()) < 100
    for outcome in tournament.outcomes():
        assert sorted(outcome.seating) == [0, 1, 1, 1]
    assert {o.seating.index(0) for o in tournament.outcomes()} == {0, 1, 2, 3}


def test_compare_finds_that_equals_are_not_better() -> None:
    tournament = hold(plan(2, "compare", games=3000, margin_percent=20), all_equal)
    assert tournament.reason == "not_better"


@pytest.mark.parametrize("points", POINTS)
def test_compare_shows_that_equals_get_what_is_less_than_fair(points: str) -> None:
    def equals(claim: int) -> str | None:
        asked = plan(2, "compare", 3, games=9000, claim_percent=claim, points=points)
        return hold(asked, all_equal).reason

    assert equals(40) == "better"
    assert equals(60) == "not_better"


def test_a_comparison_from_before_there_was_a_claim_goes_on_as_it_began() -> None:
    now = plan(2, "compare", games=3000)
    before = dataclasses.replace(
        now, format={k: v for k, v in now.format.items() if k != "claim_percent"}
    )
    assert hold(before, by_number).stopped_after == hold(now, by_number).stopped_after


def test_blocks_after_the_one_that_decided_do_not_count() -> None:
    held = Held(plan(2, "compare", 2, games=4000))
    tournament = held.tournament
    while not tournament.over:
        blocks = tournament.open_blocks()
        for block in [*blocks[1:3], blocks[0]]:  # two finish before the first block
            if held.tournament.status == RUNNING and block.number not in tournament.results:
                held.end(block, [result(by_number(block, s)) for s in block.seatings(CYCLIC)])
    assert tournament.stopped_after is not None
    assert max(outcome.block for outcome in tournament.outcomes()) == tournament.stopped_after
    forwards = hold(plan(2, "compare", 2, games=4000), by_number)
    assert forwards.stopped_after == tournament.stopped_after


@pytest.mark.parametrize("name", FORMATS_FOR_MANY)
@settings(max_examples=20, deadline=None)
@given(entries=st.integers(3, 8), shift=st.integers(0, 7))
def test_the_end_is_the_same_whoever_finishes_first(name: str, entries: int, shift: int) -> None:
    def ranks(block: Block, seating: tuple[int, ...]) -> list[int]:
        order = sorted(seating, key=lambda entry: (entry * 5 + block.number * shift) % entries)
        return [order.index(entry) + 1 for entry in seating]

    wanted = plan(entries, name)
    one, other = hold(wanted, ranks), hold(wanted, ranks, backwards=True)
    assert one.blocks == other.blocks
    assert list(one.outcomes()) == list(other.outcomes())
    assert format_of(wanted).places(one) == format_of(wanted).places(other)


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_draw_decides_seats_and_nothing_is_paired_beyond_the_plan(name: str) -> None:
    wanted = plan(2 if name == "compare" else 6, name)
    one, other = hold(wanted, by_number), hold(wanted, by_number, seed=bytes(32))
    assert [b.lineup for b in one.blocks.values()] != [b.lineup for b in other.blocks.values()]
    for tournament in (one, other):
        assert len(tournament.blocks) <= format_of(wanted).total_blocks(tournament)


def test_more_games_are_played_if_they_are_asked_for() -> None:
    held = Held(plan(3, "round_robin", games=30))
    held.play(by_number, most=5)
    held.do("extended", {"games": 30})
    tournament = held.play(by_number)
    assert sum(1 for _ in tournament.outcomes()) == 60


class TestWhoFailsTooOften:
    """Disqualification follows from the blocks in their order."""

    @staticmethod
    def hold(name: str, entries: int, *, backwards: bool, **more: int) -> Tournament:
        policy = {"disqualify_after": 2}
        held = Held(plan(entries, name, failures=policy, **more))
        tournament = held.tournament
        while not tournament.over and (blocks := tournament.open_blocks()):
            block = blocks[-1 if backwards else 0]
            games = []
            for seating in block.seatings(CYCLIC):
                failures = [[seating.index(1), 5, "boom"]] if 1 in seating else []
                games.append(result(by_number(block, seating), failures))
            held.end(block, games)
        return tournament

    @pytest.mark.parametrize("backwards", [False, True])
    @pytest.mark.parametrize("name", FORMATS_FOR_MANY)
    def test_is_out_after_the_block_in_which_it_failed_for_the_last_time(
        self,
        name: str,
        backwards: bool,  # noqa: FBT001 - a parameter of the test
    ) -> None:
        tournament = self.hold(name, 6, backwards=backwards)
        (out,) = tournament.disqualified.values()
        assert (out.entry, out.reason) == (1, "failed 2 times")
        first = min(b.number for b in tournament.blocks.values() if 1 in b.lineup)
        assert out.block == first
        played = {outcome.block for outcome in tournament.outcomes() if 1 in outcome.seating}
        ended = {n for n in tournament.results if 1 in tournament.blocks[n].lineup}
        assert played == (ended if name == "endless" else {first})
        assert 1 in format_of(tournament.plan).places(tournament)[-1]

    def test_ends_the_tournament_if_too_few_are_left(self) -> None:
        tournament = self.hold("round_robin", 3, backwards=False)
        assert tournament.reason == "too_few_entries"
        assert {outcome.block for outcome in tournament.outcomes()} == {1}

    def test_ends_a_gauntlet_if_it_is_the_first_entry(self) -> None:
        held = Held(plan(5, "gauntlet", failures={"disqualify_after": 1}))
        block = held.tournament.blocks[1]
        held.end(block, [result([1, 2, 3], [[s.index(0), 1, "x"]]) for s in block.seatings(CYCLIC)])
        assert held.tournament.reason == "too_few_entries"

    def test_is_never_out_if_the_policy_says_so(self) -> None:
        held = Held(plan(3, "round_robin", failures={"disqualify_after": 0}))
        while not held.tournament.over:
            block = held.tournament.open_blocks()[0]
            held.end(block, [result([1, 2, 3], [[0, 1, "x"]]) for _ in range(3)])
        assert held.tournament.disqualified == {}
        assert held.tournament.reason == "completed"


class TestEntropy:
    def test_a_tournament_waits_for_all_entropy_and_mixes_it_in(self) -> None:
        wanted = plan(3, "round_robin")
        entries = tuple(e._replace(entropy_commitment="00" * 32) for e in wanted.entries[:2])
        with_entropy = dataclasses.replace(wanted, entries=(*entries, wanted.entries[2]))
        lineups = []
        for byte in ("11", "22"):
            held = Held(with_entropy)
            assert held.tournament.status == "open"
            held.do("entropy_revealed", {"entry": 0, "entropy": byte * 32})
            assert held.tournament.status == "open"
            held.do("entropy_revealed", {"entry": 1, "entropy": "33" * 32})
            assert held.tournament.status == "running"
            lineups.append([block.lineup for block in held.tournament.blocks.values()])
        assert lineups[0] != lineups[1]


class TestRefused:
    @pytest.mark.parametrize(
        ("entries", "name", "seats", "message"),
        [
            (2, "round_robin", 3, "3 seats need 3 entries"),
            (1, "gauntlet", 2, "2 seats need 2 entries"),
            (3, "compare", 3, "it takes two entries"),
            (40, "round_robin", 4, f"more than {MAX_LINEUPS}"),
            (64, "gauntlet", 4, f"more than {MAX_LINEUPS}"),
        ],
    )
    def test_entries_that_cannot_be_paired(
        self, entries: int, name: str, seats: int, message: str
    ) -> None:
        with pytest.raises(BadPlanError, match=message):
            plan(entries, name, seats)

    def test_an_option_that_the_format_does_not_have(self) -> None:
        with pytest.raises(BadPlanError, match="has no option"):
            plan(3, "swiss", format={"type": "swiss", "games": 4})

    @pytest.mark.parametrize("name", list(FORMATS))
    def test_options_have_defaults_that_their_kind_accepts(self, name: str) -> None:
        assert all(option.kind.accepts(option.default) for option in OPTIONS[name])


def test_points_add_up_to_the_same_in_every_game() -> None:
    tournament = hold(plan(4, "round_robin", games=12), by_number)
    assert sum(score.points for score in scores(tournament)) == Fraction(12 * 3, 2)
    assert sum(score.wins for score in scores(tournament)) == 12
