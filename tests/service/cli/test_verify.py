import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from service.records.game_file import Record
from tests.sealed import RULESET as SEALED
from tests.service.cli import records
from tests.service.cli.conftest import Lonja

Write = Callable[..., Path]


def failures(lonja: Lonja, path: Path, *arguments: str) -> list[str]:
    """Return the names of the checks that failed."""
    result = lonja("verify", path, "--json", *arguments)
    assert result.exit_code in (0, 1), result.output
    report = orjson.loads(result.stdout)
    assert (report["verdict"] == "proved") is (result.exit_code == 0)
    return [check["name"] for check in report["checks"] if not check["ok"]]


def test_an_honest_record_passes_every_check(lonja: Lonja, write: Write, finished: Record) -> None:
    result = lonja("verify", write(finished), "--bots")
    assert result.exit_code == 0, result.output
    assert "Every check passed." in result.output
    assert "Nobody gave entropy" in result.output
    assert "Nothing can show that nobody peeked, nor who plays under a name" in result.output
    assert "Nobody but the operator of the service saw this" in result.output
    assert "skipped" not in result.output.replace("skipped openings", "")


def test_a_forged_record_of_an_honest_game_is_honest(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    """Otherwise the forgeries below could be found for the wrong reason."""
    assert records.forge(finished) == finished
    assert failures(lonja, write(records.forge(finished)), "--bots") == []


def test_rules_that_break_over_a_whole_record_prove_nothing(
    lonja: Lonja, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No part was guessed, so no wrong guess can be the cause."""
    path = write(records.finished("sealed"))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(SEALED), "reduce", broken)
    result = lonja("verify", path)
    assert result.exit_code == 1, result.output
    assert "ZeroDivisionError" in result.output


@pytest.mark.parametrize("ruleset", ["sealed", "santiago_de_cuba"])
@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_a_running_game_is_checked_as_far_as_it_is_seen(
    lonja: Lonja, write: Write, ruleset: str, viewer: Seat | None
) -> None:
    running = records.record_of(records.played(ruleset, moves=9), viewer)
    result = lonja("verify", write(running))
    assert result.exit_code == 3, result.output
    assert "FAILED" not in result.output
    assert "The game has not ended" in result.output
    assert "NOT wholly proved" in result.output


def test_what_is_newer_than_this_program_is_named(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    later = records.alone(finished)
    nth(later, "created")["body"]["game"]["entropy"]["mode"] = "oracle"
    path = write(records.forge(later))
    result = lonja("verify", path)
    assert result.exit_code == 2, result.output
    assert "NEWER than this program, which finds nothing wrong" in result.output
    assert "event 1: body.game.entropy.mode oracle" in result.output
    assert "FAILED" not in result.output
    told = orjson.loads(lonja("verify", path, "--json", "--bots").stdout)
    assert told["verdict"] == "newer"
    assert told["newer"] == [
        {
            "id": finished.game_id,
            "version": 1,
            "path": "$.body.game.entropy.mode",
            "name": "oracle",
        }
    ]
    good = path.with_name("good.ndjson")
    path.rename(path.with_name("later.ndjson"))
    write(finished).rename(good)
    several = lonja("verify", path.parent)
    assert several.exit_code == 2, several.output
    assert "1 proved" in several.output
    assert "1 newer" in several.output


# One field at a time


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all leaves of ``value``, including empty objects and lists."""
    children: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        children = list(value.items())
    elif isinstance(value, list):
        children = list(enumerate(value))
    for key, child in children:
        yield from places(child, (*path, key))
    if not children:
        yield path


def flipped(value: Any) -> Any:
    """Return a different but similar value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        last = "0" if value[-1:] != "0" else "1"
        return value[:-1] + last
    if value is None:
        return 1
    return [0] if value == [] else {"x": 0}


def flip(record: Record, path: tuple[Any, ...]) -> Record:
    changed = copy.deepcopy(record)
    inner: Any = list(changed)
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = flipped(inner[path[-1]])
    return changed


def kinds_of_places(record: Record) -> list[tuple[Any, ...]]:
    """Return all paths of the header, and of the first event of each kind."""
    found = [(0, *path) for path in places(record.header)]
    taken: dict[str, int] = {}
    for index, event in enumerate(record.copies):
        taken[event["kind"]] = taken.get(event["kind"], 0) + 1
        if taken[event["kind"]] == 1 or index == len(record.copies) - 1:
            found += [(1, index, *path) for path in places(event)]
    return found


GUARDED = pytest.mark.parametrize(
    "finished",
    ["sealed", pytest.param("santiago_de_cuba", marks=pytest.mark.campaign("forgeries"))],
    indirect=True,
)
"""Both records have all kinds of events of a game; they differ in options, moves and results."""


@GUARDED
def test_every_field_of_every_kind_of_event_is_guarded(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    missed = []
    for path in kinds_of_places(finished):
        changed = flip(finished, path)
        result = lonja("verify", write(changed))
        if result.exit_code == 0:
            missed.append(path)
    assert missed == []


@GUARDED
def test_every_field_can_be_left_out_but_not_unseen(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    missed = []
    for path in kinds_of_places(finished):
        changed = copy.deepcopy(finished)
        inner: Any = list(changed)
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
        result = lonja("verify", write(changed))
        assert result.exit_code in (0, 1, 2)
        if result.exit_code == 0:
            missed.append(path)
    assert missed == []


# Each kind of tampering, with all hashes computed again


def nth(record: Record, kind: str, n: int = 0) -> JsonObject:
    return [event for event in record.copies if event["kind"] == kind][n]


def edit_time(record: Record) -> None:
    record.copies[5]["at"] = "1999-01-01T00:00:00.000Z"


def edit_mover(record: Record) -> None:
    event = nth(record, "moved")
    event["by"]["seat"] = (event["by"]["seat"] + 1) % 3


def edit_who_moved(record: Record) -> None:
    nth(record, "moved")["by"] = {"seat": nth(record, "moved")["by"]["seat"], "bot": "random@9"}


def change_pick(record: Record) -> None:
    event = nth(record, "chanced", 2)
    event["body"]["picks"][0] = (event["body"]["picks"][0] + 1) % event["body"]["draw"]["sizes"][0]


def change_label(record: Record) -> None:
    nth(record, "chanced", 1)["body"]["draw"]["n"] += 1


def swap_seed(record: Record) -> None:
    nth(record, "chance_revealed")["body"]["chance"]["chance_seed"] = "ab" * 32


def swap_salt(record: Record) -> None:
    nth(record, "ended")["body"]["salt"]["salt_secret"] = "ab" * 32


def change_result(record: Record) -> None:
    standings = nth(record, "ended")["body"]["result"]["standings"]
    standings[0]["rank"], standings[1]["rank"] = standings[1]["rank"], standings[0]["rank"]


def change_score(record: Record) -> None:
    nth(record, "ended")["body"]["result"]["standings"][0]["score"] += 1


def change_default(record: Record) -> None:
    event = nth(record, "defaulted")
    move = event["body"]["move"]
    event["body"]["move"] = {**move, **{k: flipped(v) for k, v in move.items() if k != "type"}}
    if event["body"]["move"] == move:
        event["body"]["move"] = {"type": "pass_loading"}


def illegal_move(record: Record) -> None:
    nth(record, "moved", 1)["body"]["move"] = {"type": "drive_car", "steps": 77}


def no_such_move(record: Record) -> None:
    nth(record, "moved", 1)["body"]["move"] = {"type": "cheat"}


def show_move_to_nobody(record: Record) -> None:
    nth(record, "moved")["audiences"]["move"] = "none"


def show_thoughts(record: Record) -> None:
    nth(record, "moved")["audiences"]["bot"] = "public"


def wrong_commitment(record: Record) -> None:
    nth(record, "created")["body"]["game"]["chance"]["commitment"] = "cd" * 32


def other_options(record: Record) -> None:
    options = nth(record, "created")["body"]["game"]["options"]
    name = next(iter(options))
    options[name] = "nonsense"


def more_seats(record: Record) -> None:
    nth(record, "created")["body"]["game"]["seats"] = 9


def unknown_rules(record: Record) -> None:
    nth(record, "created")["body"]["game"]["rules_version"] = "99.0.0"


def seat_taken_twice(record: Record) -> None:
    nth(record, "seated", 1)["body"]["seat"]["seat"] = 0


def time_out_of_another(record: Record) -> None:
    nth(record, "timed_out")["body"]["time_out"]["decision"] += 1


def failure_of_another(record: Record) -> None:
    nth(record, "bot_failed")["body"]["failure"]["seat"] = 1


def resign_again(record: Record) -> None:
    again = copy.deepcopy(nth(record, "resigned"))
    _insert(record, record.copies.index(nth(record, "ended")) - 1, again)


def start_early(record: Record) -> None:
    started = record.copies.index(nth(record, "started"))
    records.events(record).insert(started - 1, records.events(record).pop(started))
    _renumber(record)


def abort_instead(record: Record) -> None:
    event = nth(record, "ended")
    event["kind"] = "aborted"
    del event["body"]["result"], event["parts"]["result"], event["nonces"]["result"]
    del event["audiences"]["result"]
    event["body"]["aborted"] = {"reason": "boredom", "withheld_by": []}
    event["audiences"]["aborted"] = "public"
    record.header["status"] = "aborted"


def remove_move(record: Record) -> None:
    index = record.copies.index(nth(record, "moved", 1))
    del records.events(record)[index]
    _renumber(record)


def reorder(record: Record) -> None:
    index = record.copies.index(nth(record, "moved", 1))
    events = records.events(record)
    events[index], events[index + 1] = events[index + 1], events[index]
    _renumber(record)


def leave_out_the_seed(record: Record) -> None:
    del records.events(record)[-1]
    record.copies[-1]["last"] -= 1


def _insert(record: Record, index: int, event: JsonObject) -> None:
    records.events(record).insert(index, event)
    _renumber(record)


def _renumber(record: Record) -> None:
    for seq, event in enumerate(record.copies, 1):
        event["seq"], event["last"] = seq, seq


FORGERIES = [
    edit_time, edit_mover, edit_who_moved, change_pick, change_label, swap_seed,
    change_result, change_score, change_default, illegal_move, no_such_move, show_move_to_nobody,
    show_thoughts, wrong_commitment, other_options, more_seats, seat_taken_twice,
    time_out_of_another, failure_of_another, resign_again, start_early, abort_instead, remove_move,
    reorder, leave_out_the_seed,
]  # fmt: skip


@pytest.mark.parametrize("tamper", FORGERIES, ids=lambda tamper: tamper.__name__)
def test_forgeries_that_contradict_the_rules_are_found(
    lonja: Lonja, write: Write, finished: Record, tamper: Callable[[Record], None]
) -> None:
    changed = copy.deepcopy(finished)
    tamper(changed)
    result = lonja("verify", write(records.forge(changed)))
    assert result.exit_code in (1, 2), result.output


def test_opened_values_are_what_was_sealed(lonja: Lonja, write: Write) -> None:
    changed = records.finished("sealed")
    opens = next(event["body"]["opens"] for event in changed.copies if "opens" in event["body"])
    opens[0]["value"] = {**opens[0]["value"], "amount": 0 if opens[0]["value"]["amount"] else 1}
    found = failures(lonja, write(records.forge(changed)))
    assert "openings" in found
    assert "play" in found


def test_a_salt_that_was_swapped_shows_in_the_bots(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    """A forger may change the salt, which has no commitment; but bots' choices depend on it."""
    changed = copy.deepcopy(finished)
    swap_salt(changed)
    assert "bots" in failures(lonja, write(records.forge(changed)), "--bots")


def test_a_bot_that_was_helped_shows_when_recomputed(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    changed = copy.deepcopy(finished)
    for event in changed.copies:
        if "nodes" in event["body"].get("bot", ()):
            event["body"]["bot"]["nodes"] += 1
    path = write(records.forge(changed))
    assert failures(lonja, path) == []
    assert failures(lonja, path, "--bots") == ["bots"]


def test_rules_that_are_not_installed_are_said_to_be_missing(
    lonja: Lonja, write: Write, finished: Record
) -> None:
    changed = copy.deepcopy(finished)
    unknown_rules(changed)
    changed.header["rules_version"] = "99.0.0"
    result = lonja("verify", write(records.forge(changed)))
    assert result.exit_code == 3
    assert "NOT wholly proved" in result.output
    assert "99.0.0 cannot be played here" in result.output


# Receipts, which show more than a file


def receipt_of(record: Record, seq: int) -> JsonObject:
    event = record.copies[seq - 1]
    return records.SIGNER._sign(
        record.game_id, seq, bytes.fromhex(event["hash"]), event["at"], None
    )


@pytest.fixture
def kept(finished: Record, tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments for a receipt from the middle of the game."""
    path = tmp_path / "receipt.json"
    path.write_bytes(orjson.dumps(receipt_of(finished, len(finished.copies) // 2)))
    return ("--receipt", str(path), "--public-key", records.SIGNER.public_key.hex())


def test_a_kept_receipt_agrees_with_the_record(
    lonja: Lonja, write: Write, finished: Record, kept: tuple[str, ...]
) -> None:
    assert failures(lonja, write(finished), *kept) == []


def test_a_perfect_forgery_is_found_by_a_kept_receipt(
    lonja: Lonja, write: Write, finished: Record, kept: tuple[str, ...]
) -> None:
    changed = copy.deepcopy(finished)
    for event in changed.copies:
        if "nodes" in event["body"].get("bot", ()):
            event["body"]["bot"]["nodes"] += 1
    assert failures(lonja, write(records.forge(changed)), *kept) == ["receipt"]


def test_a_record_that_ends_before_the_receipt_is_cut(
    lonja: Lonja, write: Write, finished: Record, kept: tuple[str, ...]
) -> None:
    running = records.record_of(records.played(finished.header["ruleset"], moves=3))
    assert failures(lonja, write(running), *kept) == ["receipt"]


def test_another_key_is_not_the_services(lonja: Lonja, write: Write, finished: Record) -> None:
    assert failures(lonja, write(finished), "--public-key", "ab" * 32) == ["receipt"]


# Files that are not records


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_is_refused(
    lonja: Lonja, write: Write, finished: Record, share: float
) -> None:
    path = write(finished)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    result = lonja("verify", path)
    assert result.exit_code == 2
    assert "is no record of a game" in result.stderr
    path.write_bytes(
        b"".join(whole.splitlines(keepends=True)[: int(finished.header["version"] * share)])
    )
    assert lonja("verify", path).exit_code == 2


def test_a_record_cut_inside_a_batch_is_found(lonja: Lonja, write: Write, finished: Record) -> None:
    changed = copy.deepcopy(finished)
    del records.events(changed)[-1]
    changed.header["version"] -= 1
    assert {"header", "batches"} <= set(failures(lonja, write(changed)))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"not json\n",
        b"\xff\xfe\n",
        b'{"export":"lonja/1"}\n',
        b'{"export":"lonja/2"}\n',
        b"[" * 100_000 + b"\n",
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"\n",
    ],
)
def test_what_is_no_record_is_refused_in_a_sentence(
    lonja: Lonja, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    result = lonja("verify", path)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    "line", [b"[]", b"1", b"{}", b'{"hash": 1}', b'{"hash": "zz"}', b'{"kind": []}']
)
def test_strange_events_are_refused_or_fail(
    lonja: Lonja, write: Write, finished: Record, line: bytes
) -> None:
    path = write(finished)
    lines = path.read_bytes().splitlines()
    lines[3] = line
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert lonja("verify", path).exit_code in (1, 2)


@pytest.mark.parametrize("sizes", [[0], [-1], [1.5], ["6"], [2**63], [10**30], None, [[]]])
def test_draws_of_no_size_end(lonja: Lonja, write: Write, finished: Record, sizes: Any) -> None:
    changed = copy.deepcopy(finished)
    nth(changed, "chanced")["body"]["draw"]["sizes"] = sizes
    path = write(finished)
    lines = path.read_bytes().splitlines()
    seq = nth(changed, "chanced")["seq"]
    # orjson refuses such integers
    lines[seq] = json.dumps(changed.copies[seq - 1]).encode()
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert lonja("verify", path).exit_code == 1


def test_files_that_are_not_there_are_named(lonja: Lonja, tmp_path: Path) -> None:
    result = lonja("verify", tmp_path / "nothing")
    assert result.exit_code == 2
    assert "cannot be read: No such file or directory" in result.stderr
