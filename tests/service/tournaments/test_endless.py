"""Endless tournaments: who is paired, how parts follow each other, and who is better than whom."""

import dataclasses
import random
from collections import Counter
from itertools import combinations
from math import exp
from typing import Any

import pytest

from service.tournaments import parts
from service.tournaments.figures.ladder import LadderFigures
from service.tournaments.figures.ratings import Comparisons, Pair, ratings
from service.tournaments.formats import format_of
from service.tournaments.formats.endless import (
    HOUSE_AHEAD,
    PROVISIONAL,
    experience,
)
from service.tournaments.plan import BadPlanError, Plan, PlayerEntry
from service.tournaments.report import report
from service.tournaments.tournament import Block, GameOutcome, Tournament
from tests.service.tournaments.held import Held, all_equal, by_number, hold, plan, result

STRENGTHS = (0.0, 0.6, 1.2, 1.2)


def endless(bots: int, players: int = 0, owners: int = 0, seats: int = 3, **more: Any) -> Plan:
    """Return a plan with ``players`` after the bots, of ``owners`` in turn."""
    wanted = plan(bots, "endless", seats, **more)
    entered = [player(number, number % (owners or players or 1)) for number in range(players)]
    return dataclasses.replace(wanted, entries=(*wanted.entries, *entered), places=64)


def player(number: int, owner: int, version: str = "1") -> PlayerEntry:
    return PlayerEntry(f"p{number}@{version}", "player", f"p-{number}", f"o-{owner}", version, None)


def newest(held: Held) -> tuple[int, ...]:
    return held.tournament.blocks[len(held.tournament.blocks)].lineup


def offer(held: Held, *entries: int) -> list[tuple[int, ...]]:
    """Record that players are available; return the line-ups that follow."""
    before = len(held.tournament.blocks)
    held.do("available", {"entries": list(entries)})
    blocks = held.tournament.blocks
    return [blocks[number].lineup for number in range(before + 1, len(blocks) + 1)]


def test_bots_of_the_service_play_until_each_has_its_games_and_then_wait_for_players() -> None:
    held = Held(endless(4, 1, house_games=60))
    tournament = held.play(by_number)
    assert tournament.status == "running", "nobody else has come, and nothing is over"
    assert min(experience(tournament).games[:4]) >= 60
    assert {entry for block in tournament.blocks.values() for entry in block.lineup} == {0, 1, 2, 3}
    blocks = len(tournament.blocks)
    ((first, *others),) = [sorted(lineup, reverse=True) for lineup in offer(held, 4)]
    assert first == 4
    assert len(others) == 2
    held.play(by_number)
    assert len(tournament.blocks) == blocks + 1, "a player is paired once each time it is present"


def test_a_full_part_ends_and_leads_to_the_next_one() -> None:
    held = Held(endless(4, 2, games=60, house_games=30))
    held.play(by_number)
    while held.tournament.status == "running":
        offer(held, 4, 5)
        held.play(by_number)
        if held.tournament.status == "running" and 5 in held.tournament.entries_left():
            block = held.tournament.settled()
            held.do("withdrawn", {"entry": 5, "block": block})
            held.play(by_number)
            while held.tournament.status == "running":
                offer(held, 4)
                held.play(by_number)
    tournament = held.tournament
    assert (tournament.status, tournament.reason) == ("ended", "full")
    assert tournament.games_counted() == 60
    found, part = parts.next_plan(tournament)
    assert [entry.name for entry in found.entries] == ["e0", "e1", "e2", "e3", "p0@1"]
    assert part.number == 2
    assert part.games == [*experience(tournament).games[:5]]
    name = parts.next_id(tournament)
    assert name is not None
    assert parts.is_sound(part, found, name)
    assert not parts.is_sound(part, found, tournament.id)
    assert not parts.is_sound(part._replace(number=1), found, name)
    assert not parts.is_sound(part._replace(pairs=part.pairs[::-1]), found, name)


def test_the_next_part_goes_on_with_what_is_known() -> None:
    """The ratings of two parts are those of one tournament with all of their games."""
    first = hold(endless(4, games=120, house_games=1000), by_number)
    found, part = parts.next_plan(first)
    second = Tournament("t07-mfrggzdfmztwq2lknnwg")
    second.plan, second.part = found, part
    rated = {row["entry"]: row["rating"] for row in report(first, samples=0)["table"]}
    again = {row["entry"]: row["rating"] for row in report(second, samples=0)["table"]}
    assert again == rated
    assert rated["e0"] == 0.0, "the first bot is the anchor"
    told = report(second, samples=0)["ladder"]["entries"]
    assert [one["games"] for one in told] == part.games
    assert [one["winning"] for one in told] == [None] * 4, "no game of this part is played"


def test_provisional_players_meet_bots_of_the_service_alone() -> None:
    held = Held(endless(4, 4, house_games=30))
    held.play(by_number)
    rounds = PROVISIONAL // 3
    for _ in range(rounds):
        for lineup in offer(held, 4, 5, 6, 7):
            assert sum(entry > 3 for entry in lineup) == 1
        held.play(by_number)
    met = [lineup for _ in range(8) for lineup in _round(held, 4, 5, 6, 7)]
    assert any(sum(entry > 3 for entry in lineup) > 1 for lineup in met)


def _round(held: Held, *entries: int) -> list[tuple[int, ...]]:
    found = offer(held, *entries)
    held.play(by_number)
    return found


def test_entries_of_one_owner_never_meet() -> None:
    held = Held(endless(4, 4, 2, house_games=30))
    held.play(by_number)
    met: Counter[frozenset[int]] = Counter()
    for _ in range(PROVISIONAL):
        for lineup in _round(held, 4, 5, 6, 7):
            met.update(map(frozenset, combinations(lineup, 2)))
    assert {frozenset((4, 6)), frozenset((5, 7))}.isdisjoint(met)
    assert any(pair <= {4, 5, 6, 7} for pair in met)


def test_who_waits_longest_and_is_known_least_is_paired_first() -> None:
    held = Held(endless(4, 3, house_games=30, seats=2))
    held.play(by_number)
    for _ in range(8):
        _round(held, 4)
    assert 5 in offer(held, 4, 5)[0], "less is known of it, and it has waited longer"


def test_strong_players_meet_strong_ones() -> None:
    """From a game of equals, more is learned than from one whose winner is known."""
    held = Held(endless(4, 1, house_games=120, seats=2))
    held.play(by_number)
    met = Counter(entry for _ in range(40) for entry in sum(_round(held, 4), ()) if entry != 4)
    assert met[3] > met[0], met


def test_the_table_is_ordered_by_ratings() -> None:
    held = Held(endless(3, 2, house_games=30))
    held.play(by_number)
    held.do("withdrawn", {"entry": 0, "block": held.tournament.settled()})
    places = format_of(held.tournament.plan).places(held.tournament)
    assert places == [[1], [2], [3, 4], [0]], "who is new comes after all, and who is out last"


def few_bots(known: int) -> Held:
    """Return a ladder of three seats where one bot is left, and ``known`` players have met it."""
    held = Held(endless(3, known + 1, house_games=1))
    held.play(by_number)
    for _ in range(PROVISIONAL // 3):
        for entry in range(3, 3 + known):
            _round(held, entry)
    for entry in (1, 2):
        held.do("withdrawn", {"entry": entry, "block": held.tournament.settled()})
    return held


def test_a_player_who_finds_no_table_keeps_no_others_from_playing() -> None:
    held = few_bots(known=3)
    ((first, *others),) = offer(held, 3, 4, 5, 6)
    assert 6 not in (first, *others), "it is provisional, and needs two bots of the service"


def test_players_are_paired_at_once_or_not_at_all() -> None:
    """Who is present now may be gone when a place at a table becomes free."""
    held = few_bots(known=1)
    assert not offer(held, 3, 4)
    held.do("entered", {"entry": player(7, 7)._asdict(), "validation": {}})
    assert not held.tournament.available
    assert not offer(held, 3)


def test_few_blocks_of_bots_are_open_at_once() -> None:
    tournament = Held(endless(5, house_games=10_000)).tournament
    assert len(tournament.open_blocks()) == HOUSE_AHEAD


def test_a_new_version_takes_the_place_of_the_old_one_as_a_new_entry() -> None:
    held = Held(endless(3, 1, house_games=30))
    held.play(by_number)
    offer(held, 3)
    held.do("entered", {"entry": player(0, 0, "2")._asdict(), "validation": {}})
    tournament = held.tournament
    assert tournament.disqualified[3].reason == "withdrawn"
    assert not tournament.open_blocks(), "its block does not count"
    assert not tournament.can_enter("p-0", "2")
    assert tournament.can_enter("p-0", "3")
    assert 4 in offer(held, 4)[0]
    held.play(by_number)
    entries = report(tournament, samples=0)["ladder"]["entries"]
    assert [one["provisional"] for one in entries] == [False] * 3 + [True] * 2
    assert entries[4]["games"] == 3, "it begins anew"


def test_blocks_that_have_ended_count_whoever_goes_out_afterwards() -> None:
    """Otherwise an owner could undo defeats, as long as an earlier block is open."""
    held = Held(endless(3, 1, house_games=1))
    held.play(by_number)
    tournament = held.tournament
    offer(held, 3)
    offer(held, 3)
    first, second = tournament.open_blocks()
    held.end(second, [result(by_number(second, s)) for s in second.seatings("cyclic")])
    games = tournament.games_counted()
    held.do("withdrawn", {"entry": 3, "block": tournament.settled()})
    assert tournament.is_void(first)
    assert not tournament.is_void(second)
    assert tournament.games_counted() == games == experience(tournament).games[0]
    assert tournament.settled() == second.number
    assert report(tournament, samples=0)["table"][3]["games"] == 3


def test_players_that_are_out_leave_their_places() -> None:
    held = Held(dataclasses.replace(endless(3, 2), places=5))
    tournament = held.tournament
    assert not tournament.takes_entries()
    assert tournament.takes_entries("p-0"), "a new version takes the place of the old one"
    held.do("withdrawn", {"entry": 0, "block": 0})
    assert not tournament.takes_entries(), "a bot of the service is in the next part, too"
    held.do("withdrawn", {"entry": 4, "block": 0})
    assert tournament.takes_entries()


def test_a_part_without_a_row_for_new_entries_is_full() -> None:
    held = Held(dataclasses.replace(endless(3, 1, house_games=1), places=6))
    tournament = held.tournament
    for version in range(2, 62):
        assert tournament.takes_entries("p-0")
        assert tournament.status == "running"
        held.do("entered", {"entry": player(0, 0, f"{version}")._asdict(), "validation": {}})
    assert not tournament.takes_entries("p-0")
    assert tournament.status == "running", "a block is open"
    held.play(by_number)
    assert (tournament.status, tournament.reason) == ("ended", "full")
    found, _part = parts.next_plan(tournament)
    assert [entry.name for entry in found.entries] == ["e0", "e1", "e2", "p0@61"]


@pytest.mark.parametrize("anew", [False, True])
def test_pairings_do_not_depend_on_when_the_tournament_was_folded(*, anew: bool) -> None:
    def play(*, forget: bool) -> dict[int, Block]:
        held = Held(endless(4, 3, house_games=60, failures={"disqualify_after": 2}))
        for number in range(30):
            held.play(by_number, most=2)
            if forget:
                held.tournament.kept.clear()
            if left := [e for e in (4, 5, 6) if e in held.tournament.entries_left()]:
                offer(held, *left)
            if number == 12:
                block = held.tournament.open_blocks()[0]
                failed = [[0, 5, "boom"]]
                games = [result(by_number(block, s), failed) for s in block.seatings("cyclic")]
                held.end(block, games)
        return held.tournament.blocks

    assert play(forget=anew) == play(forget=False)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"entries": 2}, "entries"),
        ({"rated": True}, "rated"),
    ],
)
def test_a_plan_that_cannot_be_endless_is_refused(change: dict[str, Any], field: str) -> None:
    wanted = endless(3)
    if "entries" in change:
        wanted = dataclasses.replace(wanted, entries=wanted.entries[:2])
    else:
        wanted = dataclasses.replace(wanted, rated=True)
    with pytest.raises(BadPlanError) as refused:
        format_of(wanted).check(wanted)
    assert refused.value.field == field


def test_the_anchor_is_a_bot_of_the_service() -> None:
    wanted = endless(3, 1)
    turned = dataclasses.replace(wanted, entries=wanted.entries[::-1])
    with pytest.raises(BadPlanError, match="anchor"):
        format_of(turned).check(turned)


# Figures


def played(rng: random.Random, blocks: int) -> list[list[GameOutcome]]:
    """Play blocks of three seats between entries of known strengths, by Luce's choice axiom."""
    found = []
    for number in range(blocks):
        lineup = tuple(rng.sample(range(4), 3))
        games = []
        for seating in Block(number, 1, lineup).seatings("cyclic"):
            order = sorted(
                seating, key=lambda e: rng.expovariate(1.0) / exp(STRENGTHS[e])
            )  # an exponential race: the first place goes by the strengths, and so do the others
            ranks = [order.index(entry) + 1 for entry in seating]
            games.append(GameOutcome(number, 0, seating, result(ranks)))
        found.append(games)
    return found


def ladder_of(blocks: list[list[GameOutcome]]) -> LadderFigures:
    compared = Comparisons()
    for block in blocks:
        compared.add(block)
    rated = [rating or 0.0 for rating in ratings(4, compared)]
    return LadderFigures([rating - rated[0] for rating in rated], compared, blocks)


def test_probabilities_and_bands_are_as_sure_as_they_say() -> None:
    """Equals are called better with 95 percent about once in 20 times, and bands hold."""
    rng = random.Random(7)
    ladders = [ladder_of(played(rng, 40)) for _ in range(120)]
    chances = [ladder.better()[2][3] or 0.0 for ladder in ladders]
    sure = sum(not 0.025 < chance < 0.975 for chance in chances)
    assert sure <= 14, "of 120 pairs of equals, 6 are expected"
    held = 0
    for ladder in ladders:
        band = ladder.bands()[1]
        assert band is not None
        held += band.low <= STRENGTHS[1] <= band.high
    assert held >= 106, "of 120 bands, 114 are expected"
    assert 1.0 <= sum(ladder.dispersion for ladder in ladders) / 120 < 2.0


def test_sets_hold_who_cannot_be_told_apart() -> None:
    ladder = ladder_of(played(random.Random(3), 300))
    assert [sorted(one) for one in ladder.sets()] == [[2, 3], [1], [0]]
    better = ladder.better()
    assert (better[2][1] or 0) > 0.99
    assert (better[2][3] or 0) + (better[3][2] or 0) == pytest.approx(1)
    assert better[1][1] is None
    few = ladder_of(played(random.Random(3), 3))
    assert [sorted(one) for one in few.sets()] == [[0, 1, 2, 3]]


def test_residuals_are_small_where_the_model_holds_and_show_where_it_does_not() -> None:
    ladder = ladder_of(played(random.Random(5), 300))
    assert max(abs(one.z) for one in ladder.misfits()) < 3
    assert max(abs(one.z) for one in ladder.winners() if one is not None) < 3
    in_turn = [Pair(0, 1, 90, 10), Pair(1, 2, 90, 10), Pair(0, 2, 10, 90)]
    rated = [rating or 0.0 for rating in ratings(3, in_turn)]
    beaten = LadderFigures(rated, in_turn, [])
    assert min(abs(one.z) for one in beaten.misfits()) > 5, "each beats the next one in a circle"


def test_first_places_are_compared_with_what_ratings_promise() -> None:
    """Who is always first or last has the ratings of equals, and wins more games than they say."""

    def first_or_last(block: Block, seating: tuple[int, ...]) -> list[int]:
        if 0 not in seating:
            return all_equal(block, seating)
        if block.number % 2:
            return [1 if entry == 0 else 2 for entry in seating]
        return [3 if entry == 0 else 1 for entry in seating]

    found = hold(endless(4, games=300, house_games=1000), first_or_last)
    told = report(found, samples=0)["ladder"]["entries"]
    assert told[0]["winning"]["z"] > 2, told
