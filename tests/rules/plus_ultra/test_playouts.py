"""Random games: the phases follow their table, the tree of moves is pinned."""

import random
from itertools import pairwise

from rules.kernel.contract.chance import Chance, uniform
from rules.kernel.contract.ruleset import Chanced, Finished, Moved
from rules.plus_ultra import RULESET
from rules.plus_ultra.play import PHASES


def phases(seed: int, seats: int) -> list[str]:
    rng = random.Random(seed)
    nature = uniform(rng)
    state = RULESET.initial(seats, RULESET.parse_options(seats, {}))
    met = [state.phase]
    while not isinstance(turn := RULESET.turn(state), Finished):
        if isinstance(turn, Chance):
            RULESET.reduce(state, Chanced(turn.label, turn.n, nature(turn)))
        else:
            seat = rng.choice(turn.seats)
            RULESET.reduce(state, Moved(seat, rng.choice(RULESET.legal_moves(state, seat))))
        met.append(state.phase)
    return met


def test_the_phase_table_is_what_is_played() -> None:
    followed = {
        pair for seats in (2, 3, 4) for seed in range(60) for pair in pairwise(phases(seed, seats))
    }
    table = {(phase, after) for phase, row in PHASES.items() for after in row.leads_to}
    assert followed <= table
    rare = {
        ("draft", "activation"),  # nobody has an active tercio
        ("buy_bulls", "activation"),
        ("reactivate_tercios", "reactivate_tercios"),
        ("first_row", "roll_war"),
        ("first_row", "reactivate_tercios"),
        ("conquistador_natives", "conquistador_natives"),  # an estate is used there
        ("conquistador_settlement", "conquistador_settlement"),
    }
    assert table - followed <= rare


def test_seven_turns_are_played() -> None:
    for seats in (2, 3, 4):
        assert phases(1, seats).count("set_aside_character") == 7
