"""Unknown parts of a record are reported as newer, not as failures."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import orjson
import pytest

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import FAILED, NEWER
from service.cli.verifying import VerifyOptions, verify_file, verify_game
from service.records.game_file import Record
from tests.service.cli import records
from tests.service.verifier import additions
from tests.service.verifier.additions import IN_PLACE, Add, Sealed, at, insert, inserted, part, the
from tests.service.verifier.honest import INCIDENTS, STAGES, Course, Table, held, of_a_block
from tests.service.verifier.programs import reports, text_of

ALL = [pytest.mark.campaign("forgeries"), pytest.mark.timeout(0)]
BASES: Sequence[Callable[[], Table]] = (
    partial(held, Course("mixed", "by turns", 1, STAGES, tuple(INCIDENTS))),
    partial(held, Course("people", "by turns", 2, end="withheld")),
    partial(held, Course("people", incidents=("other code",))),
    partial(held, Course("mixed", end="goes on")),
    partial(held, Course("bots", "full", end="is suspended and ended")),
    partial(held, Course("bots", "full", end="is damaged")),
    partial(of_a_block, cause="too_slow", giving_up=True),
    partial(of_a_block, open_luck=False),
)


@cache
def bases() -> list[Sealed]:
    return [honest for make in BASES for honest in additions.sealed(make)]


def newer_records(share: float) -> Iterator[tuple[str, Record]]:
    """Yield records with an addition: some of all possible ones, each addition at least once."""
    chance = random.Random(share)
    told: set[str] = set()
    for honest in bases():
        for name, add in [*IN_PLACE.items(), *inserted(honest.record)]:
            if name in told and chance.random() > share:
                continue
            changed = records.alone(honest.record)
            add(changed)
            if changed != honest.record:
                told.add(name)
                yield name, honest.with_(add)
    assert told >= IN_PLACE.keys()


def ours(record: Record) -> JsonObject:
    """Return the report of `lonja verify --json` on a record in a file."""
    return verify_game(records.alone(record), VerifyOptions(), records.REGISTRY).to_json()


@pytest.mark.parametrize("share", [0.02, pytest.param(1, marks=ALL)])
def test_an_addition_is_newer_and_named_alike_by_both(share: float, tmp_path: Path) -> None:
    made = [*newer_records(share)]
    theirs = reports(tmp_path, (text_of(record) for _, record in made))
    wrong = {}
    for (name, record), their in zip(made, theirs, strict=True):
        our = ours(record)
        if our["verdict"] != NEWER:
            wrong[name] = [failure for check in our["checks"] for failure in check["failures"]]
        elif their["verdict"] != NEWER:
            wrong[name] = [finding["en"] for finding in their["findings"]]
        elif not named(our) == named(their) != []:
            wrong[name] = [named(our), named(their)]
    assert wrong == {}


def named(report: JsonObject) -> list[JsonObject]:
    return sorted(report["newer"], key=orjson.dumps)


# Known parts are still judged


def other_pick(record: Record) -> None:
    event = next(e for e in record.copies if e["kind"] == "chanced" and e["body"]["picks"])
    picks, sizes = event["body"]["picks"], event["body"]["draw"]["sizes"]
    picks[0] = (picks[0] + 1) % sizes[0]


def other_seed(record: Record) -> None:
    the(record, "chance_revealed")["body"]["chance"]["chance_seed"] = "5eed" * 16


def unseen_head(record: Record) -> None:
    (client, *_) = [e["body"]["client"] for e in record.copies if "client" in e["body"]]
    client["expected_head"] = "f0" * 32


def other_type(record: Record) -> None:
    the(record, "ended")["body"]["result"]["standings"][0]["rank"] = "first"


def other_causer(record: Record) -> None:
    the(record, "moved")["by"] = {"admin": "ana"}


def time_goes_back(record: Record) -> None:
    for event in record.copies[-2:]:
        event["at"] = "2026-01-01T00:00:00.000Z"


def cut_batch(record: Record) -> None:
    record.copies[-1]["last"] += 1


def other_proof(record: Record) -> None:
    record.copies[1]["state_proof"] = "0" * 64


def other_nonce(record: Record) -> None:
    record.copies[2]["nonces"]["seat"] = "0" * 64


def other_signer(record: Record) -> None:
    receipt = record.header["receipt"]
    receipt["sig"] = receipt["sig"][:-2] + ("00" if receipt["sig"][-2:] != "00" else "11")


SEALED_ANEW = (
    other_pick, other_seed, unseen_head, other_type, other_causer, time_goes_back, cut_batch,
)  # fmt: skip
JUST_CHANGED = (other_proof, other_nonce, other_signer)
WITH = (
    "a new field of created.body.game", "a new field of seated.body.seat.holder",
    "a new part of moved", "a new field of by in started", "a new field of the header",
    "a new field of the line of resigned", "another end", "short thoughts",
)  # fmt: skip
DECIDES_LUCK = {
    "a new field of seated.body.seat.holder",
    "a new field of by in started",
    "short thoughts",
}
"""Additions after which this program may not know the key of the draws."""


def test_what_is_known_is_judged_all_the_same(tmp_path: Path) -> None:
    honest = bases()[0]
    forged = [
        ((with_.__name__, name), honest.with_(with_, IN_PLACE[name]))
        for name in WITH
        for with_ in SEALED_ANEW
        if not (with_ is other_pick and name in DECIDES_LUCK)
        and not (with_ is other_type and name == "another end")
    ]
    for name in WITH:
        for change in JUST_CHANGED:
            record = honest.with_(IN_PLACE[name])
            change(record)
            forged.append(((change.__name__, name), record))
    theirs = reports(tmp_path, (text_of(record) for _, record in forged))
    missed = [
        (name, our, their["verdict"])
        for (name, record), their in zip(forged, theirs, strict=True)
        if not (our := ours(record)["verdict"]) == their["verdict"] == FAILED
    ]
    assert missed == []


def test_where_the_first_event_is_newer_any_end_may_open_the_luck(tmp_path: Path) -> None:
    newer = bases()[0].with_(IN_PLACE["a new field of created.body.game"], IN_PLACE["another end"])
    (theirs,) = reports(tmp_path, [text_of(newer)])
    assert ours(newer)["verdict"] == theirs["verdict"] == NEWER


def left_out(record: Record) -> Iterator[tuple[str, Add]]:
    """Yield, for each part of each kind of event, how it is left out once, though it is public."""
    known: dict[tuple[str, str], int] = {}
    for number, copy in enumerate(record.copies):
        for part_ in copy["body"]:
            if copy["audiences"][part_] == "public":
                known.setdefault((copy["kind"], part_), number)
    for (kind, part_), number in known.items():
        yield f"{part_} of {kind}", partial(_leave_out, number=number, part_=part_)


def _leave_out(record: Record, *, number: int, part_: str) -> None:
    for member in ("body", "nonces"):
        record.copies[number][member].pop(part_, None)


@pytest.mark.parametrize("count", [1, pytest.param(len(BASES), marks=ALL)])
def test_a_public_part_may_be_left_out_by_later_releases_alone(count: int, tmp_path: Path) -> None:
    later = IN_PLACE["a new field of created.body.game"]
    made = [
        (f"{number}: {name}", record, expected)
        for number, honest in enumerate(bases()[:count])
        for name, leave_out in left_out(honest.record)
        if name != "game of created"
        for record, expected in (
            (honest.with_(later, leave_out), NEWER),
            (honest.with_(leave_out), FAILED),
        )
    ]
    theirs = reports(tmp_path, (text_of(record) for _, record, _ in made))
    wrong = {
        (name, expected): (our, their["verdict"])
        for (name, record, expected), their in zip(made, theirs, strict=True)
        if not (our := ours(record)["verdict"]) == their["verdict"] == expected
    }
    assert wrong == {}


NO_NAMES: Mapping[str, Add] = {
    "signs": partial(insert, index=11, kind="Blessed!"),
    "a long kind": partial(insert, index=11, kind="b" * 65),
    "no kind": partial(insert, index=11, kind=""),
    "a sentence": at("created", "body", "game", visibility="open to all"),
    "a long field": at("ended", "body", "result", **{"b" * 65: 1}),
    "a long part": part("ended", "b" * 65),
    "a part that others have": part("ended", "opens", []),
}


def test_what_is_no_name_is_of_no_later_release(tmp_path: Path) -> None:
    wrong = [bases()[0].with_(add) for add in NO_NAMES.values()]
    told = zip(NO_NAMES, map(ours, wrong), reports(tmp_path, map(text_of, wrong)), strict=True)
    found = {name: (our["verdict"], their["verdict"]) for name, our, their in told}
    assert found == dict.fromkeys(NO_NAMES, (FAILED, FAILED))


@pytest.mark.parametrize("export", ["lonja/3", "lonja/12", "lonja-tournament/3"])
def test_a_later_format_is_newer(export: str, tmp_path: Path) -> None:
    record = records.finished("sealed")
    record.header["export"] = export
    path = tmp_path / "later.ndjson"
    path.write_bytes(text_of(record))
    told = verify_file(str(path), VerifyOptions(), records.REGISTRY).to_json()
    (their,) = reports(tmp_path, [path.read_bytes()])
    assert told["verdict"] == their["verdict"] == NEWER
    assert [unknown["name"] for unknown in told["newer"]] == [export]
    assert [unknown["name"] for unknown in their["newer"]] == [export]
