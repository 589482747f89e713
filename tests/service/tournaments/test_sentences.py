"""The sentences of both verifiers about faults of tournaments' records.

``tests/sentences.py`` finds the sentences that no test raises.
"""

import copy
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules.kernel.canonical import JsonObject, digest, encode
from rules.kernel.proof.verify import NotARecordError
from rules.kernel.record.secrets import entropy_commitment
from service.cli.verifying import VerifyOptions, verify_file
from service.records import tournament_file
from service.records.game_file import Record, RecordError
from service.tournaments.plan import MAX_GAMES
from service.tournaments.record import export
from tests.service.cli import records
from tests.service.tournaments.conftest import HOST, Check, Hall, failures
from tests.service.tournaments.forging import File, forger_of
from tests.service.tournaments.test_other_verifier import text_of
from tests.service.verifier import cups
from tests.service.verifier.programs import codes, reports

ENTROPY = bytes(32)
Change = Callable[[File], None]
ChangeGame = Callable[[Record], None]


def held(hall: Hall) -> Any:
    """Hold a tournament of one block, whose second entry gives entropy."""
    committed = entropy_commitment(None, 1, ENTROPY).hex()
    tournament = hall.open(
        seed=None,
        entries=[{"bot": "random", "name": "e0"},
                 {"bot": "random", "name": "e1", "entropy_commitment": committed}],
        format={"type": "round_robin", "games": 2},
    )  # fmt: skip
    hall.runtime.director.reveal_entropy(tournament.id, 1, ENTROPY, HOST)
    return hall.finish(tournament)


def nth(file: File, kind: str) -> JsonObject:
    return next(event for event in file.stream if event["kind"] == kind)


def put(*more: JsonObject, before: str) -> Change:
    """Insert events before the first of a kind, each as a batch of its own."""

    def change(file: File) -> None:
        place = file.stream.index(nth(file, before))
        for event in file.stream[place:]:
            event["seq"] += len(more)
            event["last"] += len(more)
        for number, event in enumerate(more, place + 1):
            body = event.get("body", {})
            file.stream.insert(number - 1, {
                **event, "seq": number, "last": number, "at": file.stream[place - 1]["at"],
                "parts": {}, "nonces": {}, "audiences": dict.fromkeys(body, "public"),
                "state_proof": "0" * 64, "hash": "0" * 64, "body": copy.deepcopy(body),
            })  # fmt: skip

    return change


def again(kind: str, before: str) -> Change:
    return lambda file: put(copy.deepcopy(nth(file, kind)), before=before)(file)


def value(kind: str, name: str, new: Any) -> Change:
    def change(file: File) -> None:
        nth(file, kind)["body"][kind][name] = new

    return change


def scope(file: File) -> None:
    nth(file, "created")["body"]["created"]["chance"]["scope"] = "t00-other"


def by(kind: str, who: JsonObject) -> Change:
    return lambda file: nth(file, kind).update(by=who)


def one_name(file: File) -> None:
    entries = nth(file, "created")["body"]["created"]["plan"]["entries"]
    entries[1]["name"] = entries[0]["name"]


def code_of_others(file: File) -> None:
    bots = nth(file, "code_declared")["body"]["code_declared"]["bots"]
    bots.append({**bots[0], "bot": "lookahead"})


def cancelled_late(file: File) -> None:
    ended = nth(file, "ended")
    told = {**ended["body"].pop("ended"), "reason": "enough", "after_block": 7}
    ended["body"]["cancelled"] = told
    ended |= {"kind": "cancelled", "by": nth(file, "created")["by"], "last": ended["seq"]}
    ended["audiences"] = {"cancelled": "public", "salt": "public"}
    ended["parts"], ended["nonces"] = {}, {}
    file.stream[-2]["last"] = file.stream[-2]["seq"]


def a_game_less(file: File) -> None:
    nth(file, "block_ended")["body"]["block_ended"]["games"].pop()


def a_seat_less(file: File) -> None:
    nth(file, "block_ended")["body"]["block_ended"]["games"][0]["cpu_us"].pop()


def somebody_failed(file: File) -> None:
    games = nth(file, "block_ended")["body"]["block_ended"]["games"]
    games[0]["failures"] = [[0, 3, "it never happened"]]


PAUSED: JsonObject = {"kind": "paused", "by": HOST}
RESUMED: JsonObject = {"kind": "resumed", "by": HOST}
EXTENDED: JsonObject = {"kind": "extended", "by": HOST, "body": {"extended": {"games": MAX_GAMES}}}
WITHDRAWN: JsonObject = {
    "kind": "withdrawn", "by": HOST, "body": {"withdrawn": {"entry": 7, "block": 0}},
}  # fmt: skip
REASONED: JsonObject = {
    **PAUSED, "body": {"paused": {"reason": "block_abandoned", "block": 1}},
}  # fmt: skip
TWICE: JsonObject = {
    "kind": "block_abandoned", "by": {"service": "tournaments"},
    "body": {"block_abandoned": {
        "block": 1, "try": 2, "rotation": 0, "seat": 0, "decision": 3, "reason": "killed",
        "games": [{"version": 9, "head": "0" * 64}, None],
    }},
}  # fmt: skip
STREAMS: Mapping[str, tuple[Change, str, str]] = {
    "created again": (again("created", "block_ended"), "created is out of place", "phase"),
    "declared again": (again("code_declared", "block_ended"), "was declared before", "code_again"),
    "one name": (one_name, "two entries have one name", "entry_names"),
    "declared early": (
        again("code_declared", "entropy_revealed"), "nothing plays before the start", "phase",
    ),
    "code of others": (code_of_others, "it does not name the bots of the plan", "code_names"),
    "paused again": (put(PAUSED, PAUSED, before="block_ended"), "it was paused", "phase"),
    "paused with a reason": (
        put(REASONED, before="block_ended"), "the host gives no reason", "",
    ),
    "another try": (put(TWICE, before="block_ended"), "try 2 of block 1 is not", ""),
    "resumed": (put(RESUMED, before="block_ended"), "it was running", "phase"),
    "cancelled late": (cancelled_late, "was the last to count", ""),
    "host": (by("created", {"tournament": "t00-x"}), "by lacks player", "shape"),
    "scope": (scope, "is no scope of a tournament's luck", "scope"),
    "other entropy": (
        value("entropy_revealed", "entropy", "01" * 32),
        "opened other entropy", "entropy_commitment",
    ),
    "no entropy owed": (value("entropy_revealed", "entry", 0), "owed no entropy", "entropy_owed"),
    "a game less": (a_game_less, "", "block_games"),
    "a seat less": (a_seat_less, "has 2 games of 2 seats", "block_seats"),
    "extended": (put(EXTENDED, before="block_ended"), "takes no", "extended"),
    "withdrawn": (put(WITHDRAWN, before="block_ended"), "entry 7 did not play", "withdrawn"),
    "other block": (value("paired", "first_block", 2), "follows, not this paired", "block"),
    "no such entry": (value("paired", "lineups", [[0, 9]]), "follows, not this paired", "lineup"),
    "block again": (again("block_ended", "block_ended"), "is not one to be played", "block_ended"),
    "a failure": (somebody_failed, "other bots failed than it says", "game_differs"),
}  # fmt: skip


def is_suspended(game: Record) -> None:
    place = next(n for n, event in enumerate(game.copies) if event["kind"] == "moved")
    for event in game.copies[place:]:
        event["seq"] += 1
        event["last"] += 1
    seq = place + 1
    records.events(game).insert(place, {
        **game.copies[place], "kind": "suspended", "by": {"admin": "ana"}, "seq": seq, "last": seq,
        "parts": {}, "body": {}, "nonces": {}, "audiences": {},
    })  # fmt: skip


def other_tables(game: Record) -> None:
    tables = {"a": 1}
    data = {"edition": "other", "digest": digest(encode(tables)).hex(), "tables": tables}
    game.copies[0]["body"]["game"]["data"] = data


def by_another(game: Record) -> None:
    for event in game.copies:
        if "tournament" in event["by"]:
            event["by"] = {"tournament": "t00-other"}


def is_aborted(game: Record) -> None:
    place = next(n for n, event in enumerate(game.copies) if event["kind"] == "ended")
    ended = game.copies[place]
    del ended["body"]["result"]
    ended["body"]["aborted"] = {"reason": "tournament_cancelled", "withheld_by": []}
    ended |= {"kind": "aborted", "by": game.copies[0]["by"], "parts": {}, "nonces": {}}
    ended["audiences"] = {"aborted": "public", "salt": "public"}
    for event in game.copies[:place]:
        event["last"] = min(event["last"], place)


GAMES: Mapping[str, tuple[ChangeGame, str, str]] = {
    "suspended": (is_suspended, "suspended does not happen in such a game", "suspended"),
    "tables": (other_tables, "it was played with other tables", "game_differs"),
    "by another": (by_another, "somebody else opened it", "game_differs"),
    "aborted": (is_aborted, "it did not end", "game_differs"),
}


def no_games(file: File) -> None:
    file.games, file.header["games"] = [], 0


def too_few_promised(file: File) -> None:
    file.header["games"] = 1


def headless(file: File) -> None:
    del file.games[0].header["viewer"]


FILES: Mapping[str, tuple[Change, str, str]] = {
    "no games": (no_games, "the record lacks this game", "games_missing"),
    "more games": (too_few_promised, "there is more after the last game", "games_missing"),
    "a game without a header": (headless, "the header lacks viewer", "games_stop"),
    "no version": (lambda f: f.header.update(version=0), "version cannot be 0", "header"),
    "no games at all": (lambda f: f.header.pop("games"), "the header lacks games", "header"),
    "another figure": (lambda f: f.header["report"].update(samples=7), "samples is 7", ""),
}  # fmt: skip


def told_by_us(check: Check, file: File) -> str:
    """Return the failures that `lonja verify` reports."""
    try:
        found = failures(check(file.lines()))
    except (RecordError, NotARecordError) as error:
        return str(error)
    return "\n".join(failure for each in found.values() for failure in each)


def told_by_both(check: Check, folder: Path, file: File) -> tuple[str, set[str]]:
    """Return the failures that `lonja verify` reports, and the codes of `verify.mjs`."""
    (theirs,) = reports(folder, [text_of(file.lines())])
    return told_by_us(check, file), codes(theirs)


def test_streams_games_and_files(hall: Hall, check: Check, tmp_path: Path) -> None:
    tournament = held(hall)
    whole = File.of(export.lines(hall.runtime, tournament))
    forger = forger_of(hall, tournament)
    forged: dict[str, File] = {}
    for name, (change, _sentence, _code) in {**STREAMS, **FILES}.items():
        file = copy.deepcopy(whole)
        change(file)
        forged[name] = forger.forge(file) if name in STREAMS else file
    for name, (change_game, _sentence, _code) in GAMES.items():
        forged[name] = forger.forge_games(copy.deepcopy(whole), change_game)
    told = reports(tmp_path, (text_of(file.lines()) for file in forged.values()))
    wanted = {**STREAMS, **FILES, **GAMES}
    for (name, file), theirs in zip(forged.items(), told, strict=True):
        _change, sentence, code = wanted[name]
        ours = told_by_us(check, file)
        assert ours, name
        assert sentence in ours, name
        assert not code or code in codes(theirs), name


def missing(game: Record) -> None:
    for event in game.copies:
        if event["kind"] == "bot_failed":
            event["body"]["failure"]["cause"] = "missing"
            event["body"]["bot"]["digest"] = None


def other_policy(file: File) -> None:
    nth(file, "created")["body"]["created"]["plan"]["failures"]["then"] = "default_move"


def test_bots_that_failed(hall: Hall, check: Check, tmp_path: Path) -> None:
    entries = [{"bot": "crashing"}, {"bot": "random"}]
    tournament = hall.hold(entries=entries, format={"type": "round_robin", "games": 2})
    file = File.of(export.lines(hall.runtime, tournament))
    forger = forger_of(hall, tournament)
    changed = forger.forge_games(copy.deepcopy(file), missing)
    ours, theirs = told_by_both(check, tmp_path, changed)
    assert "a bot that is missing is waited for" in ours
    assert "never_fails" in theirs
    other_policy(file)
    ours, theirs = told_by_both(check, tmp_path, forger.forge(file))
    assert "against the plan's policy" in ours
    assert "policy" in theirs


def test_a_plan_by_the_clock_on_the_wall_abandons_nothing(tmp_path: Path) -> None:
    cup = cups.Cup(cups.planned("round_robin", "drawn", "by the wall"))
    cup.abandon(cups.first_open(cup))
    (theirs,) = reports(tmp_path, [text_of(cup.record())])
    report = verify_file(theirs["file"], VerifyOptions(), records.REGISTRY).report
    assert report is not None
    assert "which abandons nothing" in "\n".join(failures(report)["course"])
    assert "block_abandoned" in codes(theirs, "failure")


def test_a_host_does_not_pause_in_the_place_of_the_service(tmp_path: Path) -> None:
    lines = cups.held(cups.Course(end="is paused by the service")).record()
    lines[lines[0]["version"]]["by"] = cups.HOST
    (theirs,) = reports(tmp_path, [text_of(lines)])
    report = verify_file(theirs["file"], VerifyOptions(), records.REGISTRY).report
    assert report is not None
    assert "does not cause paused" in "\n".join(failures(report)["course"])
    assert "by" in codes(theirs, "failure")


def test_its_files_are_of_this_format(tmp_path: Path) -> None:
    for export_, told in (("lonja-tournament/1", "ended before"), ("x", "no header of a tour")):
        (tmp_path / "t").write_bytes(b'{"export":"%s"}\n' % export_.encode())
        with (
            pytest.raises(RecordError, match=told),
            tournament_file.reading(tmp_path / "t"),
        ):
            pass
