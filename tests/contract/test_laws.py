"""Every ruleset keeps every law, as ``lonja check`` checks it (``laws``)."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

import pytest

from laws.book import LAWS
from laws.games import SEEDS, Subject, random_game
from laws.judging import Failure, Piece, judge, judge_game, pieces
from laws.law import Law, Scope
from laws.tables import Table
from rules.kernel.contract.published import board, rules_text
from rules.kernel.contract.ruleset import Ruleset
from tests.contract import golden
from tests.contract.tables import RULESETS, TABLES

CAMPAIGN = 10_000
CHUNK = 500
"""Number of games in one test of the campaign, so that no test is long."""
FIRST = (*SEEDS, max(SEEDS) + 1, 16)
"""The seeds with which the groups of games begin: each of SEEDS alone, then the games of the laws
that examine many, in two groups.
"""
OF_RULESETS = [law for law in LAWS.values() if law.scope is Scope.RULESET]
OF_GAMES = [law for law in LAWS.values() if law.scope is not Scope.RULESET]
IN_MANY_GAMES = [law for law in OF_GAMES if law.games]


@cache
def subject(ruleset: Ruleset[Any]) -> Subject:
    """Return a ruleset with its golden replays, which contain rare events."""
    return Subject(ruleset, replays=tuple(golden.load(f).game for f in golden.paths(ruleset)))


def told(failures: list[Failure]) -> str:
    return "\n".join(
        f"{failure.law}: {failure.told}\n  ({failure.game}, event {failure.number})"
        for failure in failures
    )


@pytest.mark.parametrize("law", OF_RULESETS, ids=str)
def test_a_ruleset_keeps_the_law(ruleset: Ruleset[Any], law: Law) -> None:
    failures = judge(subject(ruleset), Piece((law,)))
    assert not failures, told(failures)


def by_game(ruleset: Ruleset[Any]) -> Iterator[tuple[str, list[Piece]]]:
    """Yield separately each game that most laws examine, and together those that few examine."""
    played = pieces(subject(ruleset), OF_GAMES)
    for name, some in groupby(
        played, lambda p: f"{p.table}-{max(n for n in FIRST if n <= p.seed)}"
    ):
        yield name, [*some]


GAMES = dict(each for ruleset in RULESETS for each in by_game(ruleset))
AGAIN = {
    f"{table}-{seed}"
    for number, table in enumerate(TABLES)
    for seed in FIRST
    if not table.default or seed not in (SEEDS[number % len(SEEDS)], max(SEEDS) + 1)
}
"""Games that need not be played again: another seed tries the same table, or a table without
options has as many seats."""


@pytest.mark.parametrize("name", [name for name in GAMES if name not in AGAIN])
def test_random_games_keep_the_laws(name: str) -> None:
    keep_the_laws(GAMES[name])


@pytest.mark.campaign("laws")
@pytest.mark.parametrize("name", [name for name in GAMES if name in AGAIN])
def test_more_games_keep_the_laws(name: str) -> None:
    keep_the_laws(GAMES[name])


def keep_the_laws(played: list[Piece]) -> None:
    for piece in played:
        assert piece.table
        failures = judge(subject(piece.table.ruleset), piece)
        assert not failures, told(failures)


@pytest.mark.parametrize("file", golden.FILES, ids=golden.named)
def test_golden_replays_keep_the_laws(file: Any) -> None:
    failures = judge_game(golden.load(file).game, [LAWS["invariants_hold"]])
    assert not failures, told(failures)


def test_rulesets_of_the_project_have_boards_and_rules(ruleset: Ruleset[Any]) -> None:
    """Rulesets of others may lack both."""
    assert board(ruleset)
    assert rules_text(ruleset, "en")


@pytest.mark.campaign("playouts")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("chunk", range(CAMPAIGN // CHUNK))
def test_invariants_hold_in_ten_thousand_games(table: Table, chunk: int) -> None:
    first = 1 + chunk * CHUNK
    for seed in range(first, first + CHUNK):
        failures = judge_game(random_game(table, seed), IN_MANY_GAMES[-1:])
        assert not failures, told(failures)


def test_every_law_says_what_to_do() -> None:
    guide = (golden.FOLDER.parents[1] / "docs" / "games.md").read_text()
    for law in LAWS.values():
        assert f"\n## {law.section}\n" in guide, law
        assert law.says.endswith("."), law
        assert law.advice, law
