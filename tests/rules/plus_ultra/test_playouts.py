"""Random games: the phases follow their table, and the number of move sequences is fixed."""

from rules.plus_ultra import RULESET
from rules.plus_ultra.play import PHASES
from tests.rules.playing import never_followed, random_phases


def test_the_phase_table_is_what_is_played() -> None:
    games = [random_phases(RULESET, seed, seats) for seats in (2, 3, 4) for seed in range(60)]
    rare = {
        ("draft", "activation"),  # nobody has an active tercio
        ("buy_bulls", "activation"),
        ("reactivate_tercios", "reactivate_tercios"),
        ("first_row", "roll_war"),
        ("first_row", "reactivate_tercios"),
        ("conquistador_natives", "conquistador_natives"),  # an estate is used in this step
        ("conquistador_settlement", "conquistador_settlement"),
    }
    assert never_followed(PHASES, games) <= rare


def test_seven_turns_are_played() -> None:
    for seats in (2, 3, 4):
        assert random_phases(RULESET, 1, seats).count("set_aside_character") == 7
