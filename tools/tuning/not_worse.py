"""``python -m tools.tuning.not_worse``: tests whether ``greedy`` is no worse than ``greedy@1``.

It counts as no worse if the sequential test at 1 % decides that it beats more than 48 % of its
opponents.
"""

import time
from typing import Any

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.ruleset import Ruleset
from service.catalogue.bots import BOTS
from service.tournaments.figures.sequential import BETTER
from tools.tuning import blocks
from tools.tuning.blocks import REGISTRY, Block, Player
from workers import bots

CLAIM = 0.48, 0.0
"""The claim of the test: today's ``greedy`` beats more than this share of its opponents."""
VERSIONS = BOTS["greedy"].version, "1"


class Match:
    """The match of today's ``greedy`` against ``greedy@1`` in one ruleset, so far."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self.ruleset = ruleset
        self.file = blocks.FOLDER / f"{ruleset.info.id}-greedy-1.ndjson"
        head, *rest = blocks.read(self.file) or [{}]
        self.head: JsonObject = head
        self.blocks: list[Block] = [line["block"] for line in rest]

    def code(self) -> JsonObject:
        """Return the players and their code, which are the first line of the file."""
        ruleset = self.ruleset.info.id
        digests = [bots.code_digest(REGISTRY, ruleset, "greedy", version) for version in VERSIONS]
        return {"ruleset": ruleset, "versions": [*VERSIONS], "code": digests}

    def play_on(self, seconds: float) -> None:
        """Continue until the match is decided, or the time is over.

        Raises:
            click.ClickException: the match was begun with other code.
        """
        if not self.head:
            self.head = self.code()
            blocks.note(self.file, self.head)
        if self.head != self.code() and not self.is_over:
            raise click.ClickException(f"{self.file}: other code played it; delete it")
        own, others = (Player(bots.find("greedy", each), self.ruleset) for each in VERSIONS)
        until = time.monotonic() + seconds
        while not self.is_over and time.monotonic() < until:
            played = blocks.play_block("versions", len(self.blocks), own, others, blocks.points)
            self.blocks.append(played)
            blocks.note(self.file, {"block": played})

    @property
    def is_over(self) -> bool:
        return blocks.is_over(self.blocks, *CLAIM)


HEAD = ("game", "blocks", "points", "95 %", "test at 1 %")


def cells(match: Match) -> tuple[str, ...]:
    """Return a row of the table, with the columns of ``HEAD``."""
    verdict = blocks.test_of(match.blocks, *CLAIM).verdict
    told = {None: "open", BETTER: "not worse"}.get(verdict, "worse")
    return match.ruleset.info.id, *blocks.figures(match.blocks, match.ruleset.info.id), told


def table() -> list[tuple[str, ...]]:
    """Return a row for every game that was played."""
    return [cells(match) for match in map(Match, REGISTRY) if match.head]


@click.command()
@click.argument("names", nargs=-1, metavar="[RULESET]…")
@click.option("--seconds", default=float("inf"), help="How long to play at a game this time.")
def main(names: tuple[str, ...], seconds: float) -> None:
    """Play these games, or all, and print the table."""
    for ruleset in map(REGISTRY.find, names) if names else REGISTRY:
        match = Match(ruleset)
        match.play_on(seconds)
        click.echo(" | ".join(cells(match)))


if __name__ == "__main__":
    main()
