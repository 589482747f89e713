"""Print a digest of all that some seeded games show: the same under every ``PYTHONHASHSEED``.

``test_hash_seeds`` runs it as ``python -m tests.contract.digests`` in two processes. One game
of each table is enough: golden replays have the same bytes in processes that hash as they like.
"""

from rules.kernel.canonical import encode
from rules.kernel.contract.ruleset import Finished
from rules.kernel.contract.seats import all_seats
from tests.contract.golden import state_digest
from tests.contract.tables import SEEDS, TABLES, positions, reduced, spots


def main() -> None:
    for table in TABLES:
        ruleset = table.ruleset
        for spot, event in positions(table, SEEDS[0]):
            legal = [
                [move.to_json() for move in ruleset.legal_moves(spot.state, seat)]
                for seat in all_seats(table.seats)
            ]
            turn = ruleset.turn(spot.state)
            effects = [] if event is None else reduced(ruleset, spot.state, event)[1]
            print(spot.where, state_digest(ruleset, spot.state), turn, legal, effects)  # noqa: T201 - a command
            if isinstance(turn, Finished):
                print(encode(ruleset.result(spot.state).to_json()))  # noqa: T201 - a command
        for spot in spots(table, SEEDS[0]):
            views = [ruleset.view(spot.state, viewer) for viewer in table.viewers]
            known = [ruleset.information(spot.state, seat) for seat in all_seats(table.seats)]
            print(spot.where, views, known, ruleset.draw(views[0], "es", 80))  # noqa: T201 - a command
            print(ruleset.heuristic(spot.state))  # noqa: T201 - a command


if __name__ == "__main__":
    main()
