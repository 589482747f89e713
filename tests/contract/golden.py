"""Golden replays: whole games with the state and result they lead to, one for each end reason.

They pin what the rules do to the byte. A change of the rules that changes a golden replay is a new
version of the rules, never a patch.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from rules.kernel.canonical import JsonObject, digest
from rules.kernel.ruleset import Chanced, Moved, Resigned, Ruleset
from tests.contract.tables import REGISTRY, RulesEvent, Spot, Table, state_bytes

FOLDER = Path(__file__).parent.parent / "golden"


@dataclass(frozen=True)
class Golden:
    """One recorded game; ``events`` are as in the file."""

    name: str
    table: Table
    version: str
    events: list[JsonObject]
    state: str
    result: JsonObject

    def positions(self) -> Iterator[tuple[Spot, RulesEvent | None]]:
        """Replay: each position and the event that follows, None at the end."""
        state = self.table.initial()
        for number, data in enumerate(self.events):
            event = read(self.table.ruleset, data)
            yield Spot(self.table, state, f"{self.name}, event {number}"), event
            self.table.ruleset.reduce(state, event)
        yield Spot(self.table, state, f"{self.name}, at the end"), None


def paths(ruleset: Ruleset[Any]) -> list[Path]:
    return sorted((FOLDER / ruleset.info.id).glob("*.json"))


def path(ruleset: Ruleset[Any], reason: str) -> Path:
    return FOLDER / ruleset.info.id / f"{reason}.json"


def load(file: Path) -> Golden:
    data = orjson.loads(file.read_bytes())
    ruleset = REGISTRY.find(data["ruleset"], data["version"])
    name = f"{file.parent.name}/{file.name}"
    table = Table(ruleset, data["seats"], data["options"], name)
    return Golden(
        name, table, data["version"], data["events"], data["state_digest"], data["result"]
    )


def dump(table: Table, events: tuple[RulesEvent, ...]) -> bytes:
    """Write a finished game: one event a line, so that a difference can be read."""
    ruleset = table.ruleset
    state = table.initial()
    for event in events:
        ruleset.reduce(state, event)
    head = {
        "ruleset": ruleset.info.id,
        "version": ruleset.info.version,
        "seats": table.seats,
        "options": table.options,
        "result": ruleset.result(state).to_json(),
        "state_digest": state_digest(ruleset, state),
    }
    lines = [f"{_json(name)}:{_json(value)}" for name, value in head.items()]
    rows = ",\n".join(_json(written(event)) for event in events)
    return ("{" + ",\n".join([*lines, f'"events":[\n{rows}\n]']) + "}\n").encode()


def state_digest(ruleset: Ruleset[Any], state: Any) -> str:
    return digest(state_bytes(ruleset, state)).hex()


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()


def written(event: RulesEvent) -> JsonObject:
    if isinstance(event, Moved):
        return {"seat": event.seat, "move": event.move.to_json()}
    if isinstance(event, Chanced):
        return {"label": event.label, "n": event.n, "picks": list(event.picks)}
    return {"resigned": event.seat}


def read(ruleset: Ruleset[Any], data: JsonObject) -> RulesEvent:
    if "move" in data:
        return Moved(data["seat"], ruleset.recorded_move(data["move"]))
    if "label" in data:
        return Chanced(data["label"], data["n"], data["picks"])
    return Resigned(data["resigned"])
