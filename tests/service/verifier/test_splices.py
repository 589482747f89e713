"""Splices: verifiers find values that are valid and signed, but misplaced.

`lonja verify` finds all that do not make another honest record (``FREE``); the verifier in
TypeScript finds those that need no rules (``THE_RULES``), as docs/format.md says.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import FAILED, NEWER
from service.cli.verifying import VerifyOptions, verify_game
from tests.service.cli import records
from tests.service.verifier.honest import BLOCKS, INCIDENTS, STAGES, Course, held
from tests.service.verifier.programs import reports, text_of
from tests.service.verifier.splices import (
    Forged,
    Game,
    Place,
    Stock,
    batches_spliced,
    headers_spliced,
    values_spliced,
)

EVENTFUL = Course(incidents=tuple(INCIDENTS))
COURSES: Mapping[str, Course] = {
    "eventful": EVENTFUL,
    "people": Course("people", "by turns", 2, STAGES, ("time-out", "resignation")),
    "opening": Course("people", "at once", 2, end="is ended"),
    "withheld": Course("people", "at once", 2, ("closed",), end="withheld"),
    "called off": Course("mixed", "by turns", 0, ("lobby",), end="is called off"),
    "unfilled": Course("mixed", "by turns", 1, end="does not fill"),
    "suspended": Course("mixed", "full", end="is suspended and ended"),
    "damaged": Course("mixed", "full", end="is damaged"),
    "unreadable": Course("mixed", "full", end="is unreadable"),
    "cancelled": Course("bots", "full", end="cancelled"),
    "running": EVENTFUL._replace(giving=1, end="goes on"),
    "stands": Course(end="is suspended"),
    "signed": Course("mixed", "at once", 1, (), ("taking back", "time-out"), signs=True),
}

FREE: Mapping[Place, str] = {
    ("aborted", "by", "admin"): "any operator may end it",
    ("aborted", "by"): "any operator may end it",
    ("bot_failed", "body", "bot", "digest"): "no code is asked: `lonja verify --bots` does",
    ("bot_failed", "body", "failure"): "why a bot failed: `lonja verify --bots` asks",
    ("bot_failed", "swapped"): "two may answer at once, in any order",
    ("created", "body", "game", "clock"): "as whoever opened the table liked",
    ("created", "body", "game", "entropy"): "as whoever opened the table liked",
    ("created", "body", "game", "rules_digest"): "digests are only named",
    ("hinted", "left out"): "nobody can check whether a hint was given",
    ("interrupted", "body", "interruption"): "nobody can check when the service was away",
    ("interrupted", "left out"): "nobody can check whether the service was away",
    ("interrupted", "swapped"): "nobody can check when it was told",
    ("key_changed", "body", "key"): "a player may bind any key, signed or not",
    ("key_changed", "left out"): "whoever has the key signs again what follows",
    ("key_changed", "swapped"): "a player may bind a key at any time, and sign again what follows",
    ("key_changed", "twice"): "a player may bind the key that the seat has",
    ("left", "by"): "whoever opened the table may free a seat too",
    ("moved", "by"): "a player may be named or not",
    ("resigned", "by"): "a player may be named or not",
    ("resumed", "by"): "any operator may resume it",
    ("seated", "body", "seat"): "somebody who left again could have been another",
    ("seated", "by"): "whoever opened the table may seat others too",
    ("suspended", "by"): "any operator may suspend it",
    ("timed_out", "swapped"): "two may answer at once, in any order",
}
"""Places where a value from another honest record is possible too, with the reason."""

ANYTHING: Mapping[Place, str] = {
    ("bot_failed", "body", "error"): "what a bot said when it failed",
    ("moved", "body", "bot"): "what a bot thought: `lonja verify --bots` thinks again",
    (
        "seated",
        "body",
        "seat",
        "holder",
        "settings",
    ): "as `lonja verify --bots` shows",
    ("hinted", "by"): "a player may be named or not",
    ("moved", "body", "thoughts"): "what a player's program thought: nobody can think again",
}
"""Places where an honest record may have any value of the same shape."""

UNFINISHED: Mapping[Place, str] = {
    ("chanced", "body", "picks"): "the seed is not open, or the state not proved, that shows it",
    ("created", "body", "game", "chance", "commitment"): "the seed is not open that shows it",
    ("created", "body", "game", "chance"): "the seed is not open that shows it",
    ("moved", "body", "move"): "the last one before the end could have been another",
}
"""Further such places in a game without a result."""

OF_A_BLOCK: Mapping[Place, str] = {
    ("aborted", "body", "aborted"): "its tournament says why",
    ("header", "game_id"): "its tournament says which game it is",
}
"""Places that are checked against the tournament's stream, not within the game."""

THE_RULES: Mapping[Place, str] = {
    ("aborted", "body", "aborted"): "whether what is called damaged can be applied",
    ("chanced", "audiences"): "who may see a draw",
    ("chanced", "body", "draw"): "whether a draw was due, with these sizes",
    ("chanced", "body", "opens", "*", "seq"): "what must open when",
    ("chanced", "left out"): "whether a draw was due",
    ("created", "body", "game", "data", "digest"): "which tables are published with the rules",
    ("created", "body", "game", "data", "edition"): "which editions there are",
    ("created", "body", "game", "options"): "which options there are",
    ("defaulted", "audiences"): "who may see a move",
    ("defaulted", "body", "move"): "which move is the default",
    ("ended", "body", "result"): "whether the game was over, and how",
    ("moved", "audiences"): "who may see a move",
    ("moved", "body", "move"): "which moves are legal",
    ("moved", "body", "opens", "*", "seq"): "what must open when",
    ("moved", "body", "signature"): "which of its decisions was open",
    ("moved", "by"): "whose turn it was",
    ("hinted", "body", "hint"): "which of its decisions was open",
    ("timed_out", "body", "time_out"): "which of its decisions was open",
    ("undone", "left out"): "whose turn it was",
    **{
        (kind, way): "whose turn it was"
        for kind in ("moved", "defaulted", "timed_out", "bot_failed")
        for way in ("left out", "twice", "swapped")
    },
}
"""Places that only a verifier with the rules can check (docs/format.md)."""


@cache
def games() -> dict[str, Game]:
    """Return games with all possible events, each with its salt."""
    tables = {name: held(course, name.replace(" ", "-")) for name, course in COURSES.items()}
    tables |= {name: made() for name, made in BLOCKS.items()}
    seen = {name: records.record_of(table) for name, table in tables.items()}
    seen["seen by 0"] = records.record_of(tables["running"], Seat(0))
    tables["seen by 0"] = tables["running"]
    return {n: Game(records.alone(seen[n]), tables[n].secrets.salt) for n in tables}


def why_free(forged: Forged) -> str | None:
    """Return the reason why a splice is no forgery, because an honest record may have it."""
    if forged.place[1:] == ("at",):
        return "no clock is proved: it lies between its neighbours"
    tables = [ANYTHING, FREE] if forged.native else [ANYTHING]
    tables += [] if forged.game.ended else [UNFINISHED]
    tables += [OF_A_BLOCK] if forged.game.of_a_block else []
    return next((why for table in tables if (why := found_in(table, forged.place))), None)


def found_in(table: Mapping[Place, str], place: Place) -> str | None:
    known = (place[:length] for length in range(len(place), 0, -1))
    return next((table[each] for each in known if each in table), None)


def test_what_does_not_belong_where_it_is(tmp_path: Path) -> None:
    made = games()
    both_find(
        [
            *values_spliced(made, Stock(made.values()), 1, once=True),
            *batches_spliced(dict([*made.items()][:1])),
            *headers_spliced(dict([*made.items()][:3])),
        ],
        tmp_path,
    )


@pytest.mark.campaign("splices")
@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", [*COURSES, "seen by 0", *BLOCKS])
def test_what_belongs_nowhere_in_a_game(
    name: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    made = games()
    game = {name: made[name]}
    forged = [
        *values_spliced(game, Stock(made.values()), 12, once=False),
        *batches_spliced(game),
        *headers_spliced(game, made.values()),
    ]
    both_find(forged, tmp_path)
    record_property("splices", len(forged))


def both_find(forged: Sequence[Forged], folder: Path) -> None:
    """Fail unless both verifiers find the forgery."""
    told = reports(folder, (text_of(each.record) for each in forged))
    missed, accused = [], []
    for each, theirs in zip(forged, told, strict=True):
        free = why_free(each)
        ours = verify_game(each.record, VerifyOptions(), records.REGISTRY)
        if ours.verdict == theirs["verdict"] == NEWER:
            continue  # a name that is unknown in this place
        if ours.verdict != FAILED and free is None:
            missed.append(("lonja verify", each.place, each.how))
        if theirs["verdict"] != FAILED and not (free or found_in(THE_RULES, each.place)):
            missed.append(("verify.mjs", each.place, each.how))
        if theirs["verdict"] == FAILED != ours.verdict:
            accused.append((each.place, each.how, theirs["findings"]))
    assert missed == []
    assert accused == [], "`lonja verify` finds nothing there"
