"""Runs the built verifier in TypeScript with Node, on records in files."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import orjson
from jsonschema_rs import Draft202012Validator

from rules.kernel.canonical import JsonObject
from rules.kernel.proof.verdicts import NOT_WHOLLY
from service.records.game_file import Record
from tests.sentences import note_codes

ROOT = Path(__file__).parents[3]
SCHEMA = Draft202012Validator(orjson.loads((ROOT / "docs/verify.schema.json").read_bytes()))
CLIENT = ROOT / "service/web/client"
PROGRAM = ROOT / "service/web/static/verify.mjs"
NODE = Path(sys.executable).with_name("node")


def text_of(record: Record) -> bytes:
    """Return the lines of a record, even if a forged value has no canonical form."""
    return lines_of((record.header, *record.copies))


def lines_of(values: Iterable[JsonObject]) -> bytes:
    """Return the lines of any record."""
    return b"".join(_line(value) + b"\n" for value in values)


def _line(value: JsonObject) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer of more than 64 bits
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def reports(folder: Path, texts: Iterable[bytes], *arguments: str) -> list[JsonObject]:
    """Return the report of each record; one process checks all records."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{number}.ndjson")
        paths[-1].write_bytes(text)
    done = run("--json", *arguments, *map(str, paths))
    assert done.stderr == ""
    found = [orjson.loads(line) for line in done.stdout.splitlines()]
    assert [report["file"] for report in found] == [str(path) for path in paths]
    note_codes({code for report in found for code in codes(report)})
    for one_of_each in {(report["verdict"], report["kind"]): report for report in found}.values():
        SCHEMA.validate(one_of_each)
    return found


def standing(found: JsonObject) -> str:
    """Return a report's verdict, which distinguishes records with open checks.

    `sound` means that a program with the rules might prove the record.
    """
    verdict: str = found["verdict"]
    if verdict != NOT_WHOLLY:
        return verdict
    skipped = [check for check in found["checks"] if check["skipped"]]
    return "sound" if all(check["not_here"] for check in skipped) else "open"


def run(*arguments: str, program: Path = PROGRAM) -> subprocess.CompletedProcess[str]:
    command = [str(NODE), str(program), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def report(folder: Path, record: Record, *arguments: str) -> JsonObject:
    return reports(folder, [text_of(record)], *arguments)[0]


def codes(found: JsonObject, *severities: str) -> set[str]:
    """Return the codes of a report's findings, by default of all severities."""
    return {
        finding["code"]
        for finding in found["findings"]
        if not severities or finding["severity"] in severities
    }
