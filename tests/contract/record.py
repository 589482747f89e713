"""Records the golden replays that a ruleset lacks, and the decisions of bots.

    python -m tests.contract.record [--again] RULESET…

There is a replay for each end reason, ``<reason>.json``, and one for each effect or move that
neither another replay nor the random games of the contract suite show, ``effect_<type>.json`` or
``move_<type>.json``; ``effect_<type>_<field>.json`` shows a field that may be null. It plays games
over every table of the suite, some with resignations and some with seats that choose the worst or
the best move. It keeps the game that shows the most, and of several such the shortest. Each version
of a bot has its decisions in ``bots/<name>@<version>``.

``--again`` records again the results of the recorded games, and the bots' decisions: use it only
with a new version of the rules. The games stay the same; delete a file to record another game.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from laws.games import RulesEvent, Subject
from laws.tables import Table
from rules.kernel.contract.effects import Effect, EffectLog, EffectType
from rules.kernel.contract.fields import Optional
from rules.kernel.contract.ruleset import MoveEvent, Ruleset
from service.catalogue.bots import BOTS
from tests.contract import decisions, golden
from tests.contract.tables import REGISTRY
from workers import bots


class Played(NamedTuple):
    """A finished game with the effects, their fields that are not null, and the moves in it."""

    table: Table
    events: tuple[RulesEvent, ...]
    reason: str
    effects: frozenset[str]
    moves: frozenset[str]

    @property
    def names(self) -> set[str]:
        """The names of the files for which this game could be used, besides its end reason's."""
        return {*map(_effect, self.effects), *map(_move, self.moves)}

    @property
    def rating(self) -> tuple[int, int]:
        return -len(self.effects | self.moves), len(self.events)


def games(ruleset: Ruleset[Any]) -> Iterator[Played]:
    for game in Subject(ruleset).unlike_games():
        yield _played(game.table, game.events)


def _played(table: Table, events: tuple[RulesEvent, ...]) -> Played:
    ruleset, state, log = table.ruleset, table.initial(), EffectLog()
    for event in events:
        ruleset.reduce(state, event, log)
    effects = frozenset(name for effect in log.effects for name in _shown(effect))
    moves = frozenset(event.move.type for event in events if isinstance(event, MoveEvent))
    return Played(table, events, ruleset.result(state).reason, effects, moves)


def _shown(effect: Effect) -> Iterator[str]:
    yield effect.type
    yield from (f"{effect.type}_{name}" for name, value in effect.data.items() if value is not None)


def _showable(effect: EffectType[...]) -> Iterator[str]:
    yield effect.type
    for name, kind in effect.fields.items():
        if kind.accepts(None) or isinstance(kind, Optional):
            yield f"{effect.type}_{name}"


def _wanted(ruleset: Ruleset[Any]) -> set[str]:
    """Return the names of the missing files."""
    there = tuple(golden.load(file).game for file in golden.paths(ruleset))
    games = Subject(ruleset, replays=there).games()
    shown = {name for game in games for name in _played(game.table, game.events).names}
    effects = (name for effect in ruleset.effects for name in _showable(effect))
    rare = {*map(_effect, effects), *(_move(m.type) for m in ruleset.move_types)}
    names = {*ruleset.end_reasons, *(rare - shown)}
    return {name for name in names if not golden.path(ruleset, name).exists()}


def _effect(type_: str) -> str:
    return f"effect_{type_}"


def _move(type_: str) -> str:
    return f"move_{type_}"


def write_replays(ruleset: Ruleset[Any], *, again: bool) -> None:
    for file in golden.paths(ruleset) if again else ():
        game = golden.load(file).game
        file.write_bytes(golden.dump(game.table, game.events))
    wanted = _wanted(ruleset)
    best: dict[str, Played] = {}
    for found in games(ruleset) if wanted else ():
        for name in {found.reason, *found.names} & wanted:
            if name not in best or found.rating < best[name].rating:
                best[name] = found
    for name, found in sorted(best.items()):
        _write(golden.path(ruleset, name), golden.dump(found.table, found.events))
        print(f"{len(found.events)} events at {found.table}")  # noqa: T201 - a command
    for name in sorted(wanted - best.keys()):
        print(f"{ruleset.info.id}: no game found for {name}")  # noqa: T201 - a command


def write_decisions(ruleset: Ruleset[Any], *, again: bool) -> None:
    for name, version in sorted(bots.FUNCTIONS):
        file = decisions.path(ruleset, name, version)
        if not file.exists():
            _write(file, decisions.dump(ruleset, BOTS[name]))
        elif again:
            _write(file, decisions.dump(ruleset, decisions.load(file)[1]))


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    print(file.relative_to(golden.FOLDER))  # noqa: T201 - a command


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.contract.record")
    parser.add_argument(
        "--again",
        action="store_true",
        help="write anew what the recorded games lead to, and what bots decide",
    )
    parser.add_argument("rulesets", nargs="+", metavar="RULESET")
    arguments = parser.parse_args()
    for name in arguments.rulesets:
        ruleset = REGISTRY.find(name)
        write_replays(ruleset, again=arguments.again)
        write_decisions(ruleset, again=arguments.again)


if __name__ == "__main__":
    main()
