"""Verifies the record of a game, and stores it."""

from rules.kernel.record.events import from_copy
from service.cli.importing.admission import (
    ImportOptions,
    RefusedRecord,
    expect_proved,
    origin_of,
    outcome_of,
    trusted_key,
)
from service.cli.verifying import VerifyOptions as Checks
from service.cli.verifying import verify_game
from service.ids import GAME_ID, SHARDS, shard_of
from service.ledger.imports import Imports
from service.records.game_file import Record, secrets_of
from service.runtime import Runtime


def import_game(record: Record, asked: ImportOptions, runtime: Runtime) -> str:
    """Store a game if its record is complete, proved, and signed by a trusted key.

    Return IMPORTED if this call stored the game, or ALREADY_HERE if it was stored before. Raises
    RefusedRecord.
    """
    key = trusted_key(record.header, asked)
    expect_proved(verify_game(record, Checks(public_key=key), runtime.registry))
    game_id = record.game_id
    if not GAME_ID.match(game_id) or shard_of(game_id) >= SHARDS:
        raise RefusedRecord(f"no stored game has an id like {game_id!r:.80}")
    if record.copies[0]["body"]["game"]["chance"]["scope"] != game_id:
        raise RefusedRecord(
            "it is a game of a tournament, whose other games share its luck: import the record of"
            " the tournament"
        )
    store = runtime.ledger.store
    origin = origin_of(record.header, asked, store.clock.now(), runtime)
    events = [from_copy(copy) for copy in record.copies]
    imports = Imports(store, runtime.registry)
    found = imports.put(game_id, events, secrets_of(record.copies), origin)
    return outcome_of(found, f"game than {game_id}")
