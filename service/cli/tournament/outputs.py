"""A tournament's output files; the suffix selects the form."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import click
import orjson

from rules.kernel.canonical import JsonObject
from service.cli import parameters
from service.cli.common import Failure, is_stdout, write_record
from service.tournaments import report_formats
from service.tournaments.figures import plots

_TEXTS: dict[str, Callable[[JsonObject], str]] = {
    ".json": lambda report: orjson.dumps(report, option=orjson.OPT_INDENT_2).decode() + "\n",
    ".csv": report_formats.as_csv,
    ".html": report_formats.as_html,
    ".ratings.svg": plots.ratings,
    ".ranks.svg": plots.ranks,
}
_GAMES = ".games.csv"
_RECORDS = (".ndjson", ".ndjson.gz")
_SUFFIXES = ", ".join((*_TEXTS, _GAMES, *_RECORDS))


def _writable(path: Path) -> Path:
    """Return ``path`` if it can be written; otherwise raise Failure.

    This is checked first, so that a bad path fails before hours of play.
    """
    if is_stdout(path):
        return path
    if not path.name.endswith((*_TEXTS, *_RECORDS)):
        hint = " An option of the ruleset is -O NAME=VALUE." if "=" in path.name else ""
        raise Failure(f"{path} has none of the suffixes {_SUFFIXES}.{hint}")
    if not path.absolute().parent.is_dir():
        raise Failure(f"{path} cannot be written: there is no such folder.")
    return path


output_option = click.option(
    "-o",
    "--output",
    "outputs_",
    multiple=True,
    type=parameters.OUTPUT_FILE,
    metavar="FILE",
    callback=lambda _context, _option, paths: [_writable(path) for path in paths],
    help=(
        f"A file to write at the end; may be given several times. By its suffix: {_SUFFIXES}. With"
        " -, the record goes to the standard output."
    ),
)


def need_one_output(outputs_: Sequence[Path], *, as_json: bool) -> None:
    """Raise Failure if both a record and JSON are to be written to the standard output."""
    if as_json and any(map(is_stdout, outputs_)):
        raise Failure("Choose one of --json and --output -: both write to the standard output.")


def write(
    path: Path,
    report: JsonObject,
    lines: Callable[[], Iterator[JsonObject]],
    games: Callable[[], Iterator[JsonObject]],
) -> None:
    """Write a report, its ``games``, or the ``lines`` of the whole record. Raises Failure."""
    if is_stdout(path) or path.name.endswith(_RECORDS):
        write_record(path, lines())
        return
    try:
        if path.name.endswith(_GAMES):
            _write(path, report_formats.games_as_csv(games(), report["plan"]))
            return
        suffix = next(suffix for suffix in _TEXTS if path.name.endswith(suffix))
        _write(path, [_TEXTS[suffix](report)])
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from None


def _write(path: Path, texts: Iterable[str]) -> None:
    """Write a text; the file appears under its name when it is complete, or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.writelines(texts)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
