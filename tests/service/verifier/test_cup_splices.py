"""Splices in tournaments: verifiers find values that are valid and signed, but misplaced.

`lonja verify` finds all in streams and games that do not make another honest record; the verifier
in TypeScript finds those that need neither pairings nor figures nor rules.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path

import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED, NEWER
from service.cli.verifying import UNREADABLE, VerifyOptions, verify_file
from service.records.game_file import Record
from service.tournaments.tournament import CANCELLED as CANCELLED_STATUS
from tests.service.cli import records
from tests.service.verifier import cups
from tests.service.verifier.cup_splices import (
    Forged,
    Original,
    batches_spliced,
    games_spliced,
    headers_spliced,
    stocks,
    streams_spliced,
    whole_games_spliced,
)
from tests.service.verifier.honest import BLOCKS
from tests.service.verifier.programs import lines_of, reports
from tests.service.verifier.splices import Game, Place
from tests.service.verifier.test_splices import THE_RULES, found_in

_PLAN = ("created", "body", "created", "plan")
FREE: Mapping[Place, str] = {
    (
        *_PLAN,
        "failures",
    ): "what counts as a failure, and how many are too many, where there are none",
    (*_PLAN, "name"): "what it is called",
    (*_PLAN, "entries", "*", "name"): "what they are called",
    (*_PLAN, "points"): "how points are counted, where nothing but the table follows from them",
    (*_PLAN, "rated"): "whether it counts elsewhere",
    (*_PLAN, "rules_digest"): "digests are only named",
    (*_PLAN, "tie_breaks"): "how the table is ordered, where nothing else follows from it",
    (
        "block_abandoned",
        "body",
        "block_abandoned",
        "games",
    ): "what is abandoned is not in the record",
    ("block_abandoned", "body", "block_abandoned", "reason"): "why a bot got no processor",
    ("block_ended", "body", "block_ended", "games", "*", "cpu_us"): "what a clock measured",
    ("cancelled", "body", "cancelled", "reason"): "in the host's words",
    ("code_declared", "body", "code_declared", "rules_digest"): "digests are only named",
    ("block_abandoned", "swapped"): "code is declared when it comes to play",
    ("entropy_revealed", "left out"): "it was cancelled before all had given theirs",
    ("entropy_revealed", "swapped"): "they come in any order",
    ("resumed", "swapped"): "code is declared when it comes to play",
    ("withdrawn", "swapped"): "code is declared when it comes to play",
}
"""Places where a value from another honest stream is possible too, with the reason."""

UNFINISHED: Mapping[Place, str] = {
    ("block_ended", "left out"): "it was paused before",
    ("block_ended", "swapped"): "it was paused before",
    ("code_declared", "body", "code_declared"): "nothing has been played by that code",
    ("created", "body", "created"): "the seed is not open, or nothing was played, that shows it",
    ("entropy_revealed", "body", "entropy_revealed"): "one more of the entries could have given",
    ("extended", "body", "extended", "games"): "the host asks for as many as it likes",
    **{
        ("extended", way): "the host asks when it likes" for way in ("left out", "twice", "swapped")
    },
    ("paired", "body", "paired"): "the seed is not open that shows whom it pairs",
}
"""Further such places in a running tournament: `paired` depends on a seed that is still secret."""

CANCELLED: Mapping[Place, str] = {
    (*_PLAN, "entries", "*", "settings"): "one of them has played nothing that counts",
    ("block_ended", "left out"): "it was cancelled before",
    ("block_ended", "swapped"): "it was cancelled in between",
    ("paused", "left out"): "it was cancelled while it ran",
}
"""Further such places in a cancelled tournament."""

UNPLAYED: Mapping[Place, str] = {
    _PLAN: "nothing was played by it",
    ("entropy_revealed", "body", "entropy_revealed"): "another of the entries could have given",
}
"""Further such places in a tournament of which no block counts."""

OF_TWO: Mapping[Place, str] = {(*_PLAN, "rotations"): "two seats have these orders either way"}

OF_GAMES: Mapping[Place, str] = {
    ("bot_failed", "body", "error"): "what a bot said when it failed",
    ("bot_failed", "body", "failure"): "why a bot failed: `lonja verify --bots` asks",
    ("created", "body", "game", "rules_digest"): "digests are only named",
    ("moved", "body", "bot"): "what a bot thought: `lonja verify --bots` thinks again",
}
"""Places where a value from another honest game of the tournament is possible too."""

THE_FIGURES: Mapping[Place, str] = {
    **{
        (kind, way): "whom it pairs, who is out and when it ends"
        for kind in (
            "block_ended",
            "block_abandoned",
            "code_declared",
            "extended",
            "paused",
            "resumed",
            "withdrawn",
        )
        for way in ("left out", "twice", "swapped")
    },
    (*_PLAN, "format"): "whom it pairs, and when it ends",
    (*_PLAN, "points"): "whom it pairs, and when it ends",
    (*_PLAN, "tie_breaks"): "whom it pairs",
    (*_PLAN, "failures"): "who is out when",
    _PLAN: "whom it pairs, who is out and when it ends",
    ("cancelled", "body", "cancelled"): "which blocks count",
    ("disqualified", "body", "disqualified"): "who is out when",
    ("ended", "body", "ended"): "when it ends, and why",
    ("extended", "body", "extended", "games"): "whom it pairs",
    ("header", "report"): "the figures",
    ("paired", "body", "paired"): "whom it pairs",
    ("withdrawn", "body", "withdrawn"): "who is out when",
}
"""Places that only a verifier which computes pairings and figures can check (docs/format.md)."""


@cache
def originals() -> Mapping[str, Original]:
    """Return tournaments with all possible events, those with fewer games first."""
    made = {str(course): Original.of(cups.held(course)) for course in cups.FEW}
    return dict(sorted(made.items(), key=lambda item: len(item[1].file.games)))


def tables() -> list[Game]:
    """Return games of blocks with more kinds of bots' failures than in the tournaments."""
    return [Game(records.record_of(made()), b"") for made in BLOCKS.values()]


def why_free(forged: Forged) -> str | None:
    """Return the reason why a splice is no forgery, because an honest record may have it."""
    if forged.place[1:] == ("at",):
        return "no clock is proved: it lies between its neighbours, and near those of its games"
    if forged.in_game:
        return found_in(OF_GAMES, forged.place)
    tournament, games = forged.original.cup.tournament, forged.original.file.games
    tables = [
        FREE,
        UNFINISHED if not tournament.over else {},
        CANCELLED if tournament.status == CANCELLED_STATUS else {},
        UNPLAYED if not games else {},
        OF_TWO if tournament.plan.seats == 2 else {},
    ]
    found = (found_in(table, forged.place) for table in tables)
    if why := next(filter(None, found), None):
        return why
    if forged.place[0] == "code_declared" and played(games) <= declared_at_first(forged.lines):
        return "code is declared besides that plays nothing"
    return None


Code = tuple[str, str, str]


def played(games: Sequence[Record]) -> set[Code]:
    """Return the code that chose moves in games."""
    found = set()
    for copy in (copy for game in games for copy in game.copies):
        bot = copy["body"].get("bot", {})
        if "bot" in bot:
            found.add(code_of(bot))
        elif "digest" in bot:
            name, _, version = copy["by"]["bot"].rpartition("@")
            found.add((name, version, bot["digest"]))
    return found


def declared_at_first(lines: Sequence[JsonObject]) -> set[Code]:
    """Return the code that a stream declares before its first block ends."""
    stream = takewhile(lambda line: line.get("kind") != "block_ended", lines)
    bodies = (line["body"] for line in stream if line.get("kind") == "code_declared")
    return {code_of(bot) for body in bodies for bot in body["code_declared"]["bots"]}


def code_of(bot: JsonObject) -> Code:
    return bot["bot"], bot["version"], bot["digest"]


def test_what_does_not_belong_in_a_tournament(tmp_path: Path) -> None:
    made = originals()
    small = dict([*made.items()][:6])
    streams, games = stocks(made, tables())
    both_find(
        [
            *streams_spliced(made, streams, 1, once=True),
            *games_spliced(made, games, 1, once=True, kinds=("bot_failed", "resigned", "seated")),
            *batches_spliced(small),
            *whole_games_spliced(small),
            *headers_spliced(dict([*made.items()][:3])),
        ],
        tmp_path,
    )


@pytest.mark.campaign("splices")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [str(course) for course in cups.FEW])
def test_what_belongs_nowhere_in_a_tournament(
    name: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    made = originals()
    streams, games = stocks(made, tables())
    one = {name: made[name]}
    forged = [
        *streams_spliced(one, streams, 3, once=False),
        *games_spliced(one, games, 2, once=False),
        *batches_spliced(one),
        *whole_games_spliced(one, made),
        *headers_spliced(one, made),
    ]
    both_find(forged, tmp_path)
    record_property("splices", len(forged))


def both_find(forged: Sequence[Forged], folder: Path) -> None:
    """Fail unless both verifiers find the forgery."""
    told = reports(folder, (lines_of(each.lines) for each in forged))
    missed, accused = [], []
    for each, theirs in zip(forged, told, strict=True):
        free = why_free(each)
        left = free or found_in(THE_RULES if each.in_game else THE_FIGURES, each.place)
        if each.in_game and each.place[-1] == "opens":
            left = "what must open when"
        ours = verify_file(theirs["file"], VerifyOptions(), records.REGISTRY).verdict
        refused = (FAILED, UNREADABLE)
        if ours == theirs["verdict"] == NEWER:
            continue  # a name that is unknown in this place
        if ours not in refused and free is None:
            missed.append(("lonja verify", each.place, each.how))
        if theirs["verdict"] not in refused and left is None:
            missed.append(("verify.mjs", each.place, each.how))
        if theirs["verdict"] in refused and ours not in refused:
            accused.append((each.place, each.how, theirs["findings"]))
    assert missed == []
    assert accused == [], "`lonja verify` finds nothing there"
