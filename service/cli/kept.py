"""Files that people keep: records and receipts of games."""

from pathlib import Path

import orjson

from rules.kernel.canonical import JsonObject
from service.cli.common import Failure
from service.cli.inputs import as_path
from service.records import game_file
from service.records.game_file import Record, RecordError

MAX_RECEIPT_BYTES = 65_536


def read_record(file: str) -> Record:
    """Return the record of a game. Raises Failure."""
    try:
        with as_path(file) as path:
            return game_file.read(path)
    except RecordError as error:
        raise Failure(f"{file} is no record of a game: {error}.") from None
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror or error}.") from None


def read_receipt(file: Path) -> JsonObject:
    """Return a receipt, also one within an answer of the API. Raises Failure."""
    try:
        with as_path(file) as path, path.open("rb") as opened:
            receipt = orjson.loads(opened.read(MAX_RECEIPT_BYTES))
    except OSError as error:
        raise Failure(f"{file} cannot be read: {error.strerror}.") from None
    except orjson.JSONDecodeError as error:
        raise Failure(f"{file} is no receipt: {error}.") from None
    receipt = receipt.get("receipt", receipt) if isinstance(receipt, dict) else receipt
    if not isinstance(receipt, dict):
        raise Failure(f"{file} is no receipt: it is not a JSON object.")
    return receipt
