"""A bot that answers questions needs no memory: after interruptions it continues."""

from itertools import islice

from lonja_client import ME, Client

from tests.faults.proxy import Network
from tests.lonja_client.conftest import Place

ANSWERS = 6
"""Number of answers of a bot before it is started again."""


def test_each_decision_is_answered_once_whatever_fails(place: Place) -> None:
    with (
        Client(place.url) as visitor,
        visitor.sign_up("Robbie", kind="bot") as robbie,
        Network(place.port) as network,
    ):
        tables = [robbie.open("pig", [ME, ME]) for _ in range(2)]
        answered = 0
        for _restart in range(2):
            with Client(f"http://127.0.0.1:{network.port}", robbie.key) as bot:
                for number, question in enumerate(islice(bot.questions(), ANSWERS)):
                    if number == 1:
                        network.lose_answer(f"POST /v1{question.table.path}/moves".encode())
                    if number == 3:
                        network.cut()
                    assert question.ruleset == "pig"
                    done = question.answer(0)
                    answered += done is not None
                    again = question.answer(0)
                    assert (again and again["version"]) == (done and done["version"])
                    if len(question.legal) > 1:
                        assert question.answer(1) is None
        moved = [
            (table.id, event["by"]["seat"])
            for table in tables
            for event in table.events()
            if event["kind"] == "moved"
        ]
    assert len(moved) == answered >= ANSWERS
    assert {game for game, _seat in moved} == {table.id for table in tables}
