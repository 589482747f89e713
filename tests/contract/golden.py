"""Golden replays: whole games with their last state and result, one for each end reason.

They record every byte of the states, and a digest of the rules' answers to each query.
A change of the rules that changes a golden replay is a new version of the rules, never a patch.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from laws.games import RulesEvent, SampleGame, Spot, state_bytes, written
from laws.tables import Table
from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.contract.ruleset import (
    ChanceEvent,
    Decision,
    MoveEvent,
    ResignationEvent,
    Ruleset,
)
from rules.kernel.contract.seats import all_seats
from tests.contract.tables import REGISTRY, RULESETS
from workers.bots.bot import BotRandom

FOLDER = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True)
class Golden:
    """A recorded game, with its last state and result."""

    game: SampleGame
    version: str
    state: str
    result: JsonObject
    answers: dict[str, str]


def _legal_moves(spot: Spot) -> Iterator[object]:
    for seat in all_seats(spot.table.seats):
        yield [move.to_json() for move in spot.ruleset.legal_moves(spot.state, seat)]


def _default_moves(spot: Spot) -> Iterator[object]:
    turn = spot.ruleset.turn(spot.state)
    for seat in turn.seats if isinstance(turn, Decision) else ():
        yield spot.ruleset.default_move(spot.state, seat).to_json()


def _views(spot: Spot) -> Iterator[object]:
    for viewer in spot.table.viewers:
        yield spot.ruleset.view(spot.state, viewer)


def _information(spot: Spot) -> Iterator[JsonObject]:
    for seat in all_seats(spot.table.seats):
        yield spot.ruleset.information(spot.state, seat)


def _guesses(spot: Spot) -> Iterator[object]:
    for seat, information in enumerate(_information(spot)):
        guess = spot.ruleset.determinize(information, BotRandom(seat))
        yield spot.ruleset.to_json(guess)


QUESTIONS: dict[str, Callable[[Spot], Iterator[object]]] = {
    "legal_moves": _legal_moves,
    "default_move": _default_moves,
    "view": _views,
    "information": _information,
    "determinize": _guesses,
}
"""The queries of the rules at every position, for every seat or viewer."""


class Answers:
    """Digests of the rules' answers in one game."""

    def __init__(self) -> None:
        self._hashes = {question: sha256() for question in QUESTIONS}

    def ask(self, spot: Spot) -> None:
        for question, answers in QUESTIONS.items():
            for answer in answers(spot):
                self._hashes[question].update(encode(answer) + b"\n")

    def digests(self) -> dict[str, str]:
        return {question: found.hexdigest() for question, found in self._hashes.items()}


def paths(ruleset: Ruleset[Any]) -> list[Path]:
    return sorted((FOLDER / ruleset.info.id).glob("*.json"))


def path(ruleset: Ruleset[Any], reason: str) -> Path:
    return FOLDER / ruleset.info.id / f"{reason}.json"


def load(file: Path) -> Golden:
    data = orjson.loads(file.read_bytes())
    ruleset = REGISTRY.find(data["ruleset"], data["version"])
    name = named(file)
    table = Table(ruleset, data["seats"], data["options"], name)
    game = SampleGame(table, tuple(read(ruleset, event) for event in data["events"]), name)
    return Golden(game, data["version"], data["state_digest"], data["result"], data["answers"])


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.name}"


def dump(table: Table, events: tuple[RulesEvent, ...]) -> bytes:
    """Write a finished game, one event a line, so that people can read a difference."""
    ruleset, answers = table.ruleset, Answers()
    for spot in SampleGame(table, events, "").positions():
        answers.ask(spot)
    state = spot.state
    head = {
        "ruleset": ruleset.info.id,
        "version": ruleset.info.version,
        "seats": table.seats,
        "options": table.options,
        "result": ruleset.result(state).to_json(),
        "state_digest": state_digest(ruleset, state),
        "answers": answers.digests(),
    }
    lines = [f"{_json(name)}:{_json(value)}" for name, value in head.items()]
    rows = ",\n".join(_json(written(event)) for event in events)
    return ("{" + ",\n".join([*lines, f'"events":[\n{rows}\n]']) + "}\n").encode()


def state_digest(ruleset: Ruleset[Any], state: Any) -> str:
    return digest(state_bytes(ruleset, state)).hex()


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def read(ruleset: Ruleset[Any], data: JsonObject) -> RulesEvent:
    if "move" in data:
        return MoveEvent(data["seat"], ruleset.recorded_move(data["move"]))
    if "label" in data:
        return ChanceEvent(data["label"], data["n"], data["picks"])
    return ResignationEvent(data["resigned"])


FILES = [file for ruleset in RULESETS for file in paths(ruleset)]
