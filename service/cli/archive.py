"""``lonja archive``: packs, the files of finished games that anybody can verify."""

import dataclasses
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click
import orjson
from redis.exceptions import RedisError

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.proof.verdicts import Report
from rules.kernel.record.batch import RefusedError
from service.archive.archive import Archive, ReadBackError
from service.archive.beside import BesideError
from service.archive.catalogue import Catalogue
from service.archive.files import BusyError, PlaceError
from service.archive.index import INDEX, PackIndex
from service.archive.pack import (
    GAME,
    TOURNAMENT,
    Pack,
    Row,
    is_private,
    other_histories,
    record_lines,
)
from service.archive.past import PackReader
from service.archive.past_lists import PackLists
from service.archive.places import files_at, pack_at
from service.cli import common, console, parameters
from service.cli.common import Failure
from service.cli.console import Column
from service.cli.inputs import PACKS, find_files
from service.cli.verifying import VerifyOptions, text_of, verify_game
from service.games.listing import GameList
from service.ledger.places import PackPlaces
from service.outbound.bucket_urls import BucketUrlError, is_url
from service.process import logs
from service.records.game_file import Record, RecordError
from service.redis.format import need_newest
from service.runtime import Runtime
from service.tournaments.record.export import recorded_game_ids
from service.upkeep import archiving
from service.upkeep import estimate as estimating
from service.upkeep.archive_run import ArchiveRun, MoveOptions
from service.upkeep.comeback import Comeback
from service.upkeep.due import Due, note_run
from service.upkeep.scrub import Scrub, note_scrub

_COLUMNS = (
    Column("id", whole=True),
    Column("of", text=True),
    Column("version", text=True, left_out=3),
    Column("events", left_out=2),
    Column("status", text=True, left_out=4),
    Column("ended", text=True, left_out=1),
)


_due_option = click.option(
    "--due", is_flag=True, help="Do only what is due, as workers do by themselves."
)


class _OpenPack(NamedTuple):
    """A pack and its file."""

    file: str
    pack: Pack


@click.group("archive", short_help="Keep finished games in packs.")
def command() -> None:
    """Manage packs: files of finished games that anybody can verify.

    `lonja verify PACK` checks everything in a pack; docs/format.md describes its form.
    """


@command.command("ls")
@parameters.files_argument
@parameters.json_option
def list_(files: tuple[str, ...], *, as_json: bool) -> None:
    """List the games and tournaments in packs, and the versions of rules that they need.

    FILE is a pack, or a folder: it stands for every *.pack and *.private below it. The latter need
    the key in LONJA_ARCHIVE_KEYS. Only the ends of packs are read, and nothing is verified. The
    exit code is 1 if two packs have different histories of one game or tournament.
    """
    packs = _open(files)
    strange = [f"{file}: {told}" for file, told in other_histories(packs)]
    rows = [row for _file, pack in packs for row in pack.rows]
    needs = _needs(rows)
    if as_json:
        click.echo(
            orjson.dumps(
                {
                    "packs": [_to_json(*each) for each in packs],
                    "rulesets": needs,
                    "other_histories": [*map(text_of, strange)],
                }
            )
        )
    else:
        console.show(console.TextTable(_COLUMNS, [_cells(row) for row in rows]))
        _tell_sum(packs, rows, needs)
        for told in strange:
            console.say(f"OTHER HISTORY  {told}", err=True)
    if strange:
        sys.exit(1)


def _to_json(file: str, pack: Pack) -> JsonObject:
    rows = [{**row.facts, "offset": row.offset, "bytes": row.length} for row in pack.rows]
    told = {"file": text_of(file), "bytes": pack.size, "beside": _has_beside(file)}
    return {**told, "records": rows}


def _has_beside(file: str) -> bool | None:
    """Whether a file is beside a pack; None if this user may not know."""
    files, name = pack_at(file)
    try:
        return files.beside_version(name) != ""
    except OSError:
        return None


def _needs(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Return the number of games of each version of each ruleset."""
    counts = Counter(
        (row.facts["ruleset"], row.facts["rules_version"]) for row in rows if row.kind != TOURNAMENT
    )
    needs: dict[str, dict[str, int]] = {}
    for (ruleset, version), count in sorted(counts.items()):
        needs.setdefault(ruleset, {})[version] = count
    return needs


def _cells(row: Row) -> list[str]:
    facts = row.facts
    what = [facts.get("ruleset", "tournament"), facts.get("rules_version", "")]
    return [row.id, *what, str(facts["version"]), facts["status"], facts["at"][:10]]


def _tell_sum(
    packs: Sequence[_OpenPack], rows: Sequence[Row], needs: dict[str, dict[str, int]]
) -> None:
    size = console.size(sum(pack.size for _file, pack in packs))
    noun = "pack" if len(packs) == 1 else "packs"
    console.say(f"{len(rows)} records in {len(packs)} {noun}, {size}.")
    versions = ", ".join(
        f"{ruleset} {version} ({count})"
        for ruleset, counts in needs.items()
        for version, count in counts.items()
    )
    if versions:
        console.say(f"They need the rules of {versions}.")
    beside = Counter(_has_beside(file) for file, _pack in packs)
    if hidden := beside[None]:
        console.say(
            f"Whether a file is beside {hidden} of {len(packs)} {noun} is not known: the place of"
            " these files cannot be read. It is for the service alone."
        )
    if alone := beside[False]:
        console.say(
            f"No file is beside {alone} of {len(packs)} {noun}: their records are whole, but"
            " titles, tags, hosts and guests of tables, which games were rated, and which requests"
            " were answered are not known."
        )


@command.command("export")
@click.argument("id_", metavar="ID")
@parameters.files_argument
@parameters.output_option(
    "The file to write; it appears when it is complete. With -, the standard output.",
    required=True,
)
def export(id_: str, files: tuple[str, ...], output: Path) -> None:
    """Take the record of a game or tournament out of packs.

    ID is the id of the game or tournament. FILE is a pack, or a folder: it stands for every *.pack
    and *.private below it. The games of a tournament may be in several packs: name all of them.
    """
    packs = _open(files)
    places = [(pack, row) for _file, pack in packs for row in pack.rows if row.id == id_]
    if not places:
        raise Failure(f"{id_!r:.80} is in none of {len(packs)} packs.")
    if len({row.facts["head"] for _pack, row in places}) > 1:
        raise Failure(f"The packs have different histories of {id_}: name the one to be believed.")
    pack, row = places[0]
    games = {
        played.id: (each, played)
        for _file, each in packs
        for played in each.rows
        if played.kind != TOURNAMENT and played.facts["tournament"] == id_
    }
    try:
        found = pack.record(row)
        ids = [] if row.kind == GAME else recorded_game_ids(found)
        played = [games[game_id] for game_id in ids if game_id in games]
        if len(played) < len(ids):
            raise Failure(
                f"{id_} has {len(ids)} games, and {len(played)} of them are in these packs."
            )
        common.write_record(output, record_lines([found, *_records(played)]))
    except (RecordError, OSError) as error:
        raise Failure(f"{id_} cannot be read: {error}.") from None
    what = f"{row.facts['version']} events" if row.kind == GAME else f"{len(ids)} games"
    click.echo(f"{output}: {what}, {row.facts['status']}.", err=common.is_stdout(output))


def _records(places: Iterable[tuple[Pack, Row]]) -> Iterator[Record]:
    for pack, row in places:
        yield pack.record(row)


def _open(files: Sequence[str]) -> list[_OpenPack]:
    """Return the packs that ``files`` name, with their indexes read. Raises Failure."""
    try:
        found = [pack for file in files for pack in _packs_in(file)]
    except (BucketUrlError, PlaceError) as error:
        raise Failure(f"{error}.") from None
    if not found:
        raise Failure(f"There is no *.pack and no *.private in {', '.join(files)}.")
    packs = []
    keys = common.load_settings().archive_keys if any(map(is_private, found)) else ()
    for file in found:
        try:
            place, name = pack_at(file, keys)
            packs.append(_OpenPack(file, Pack(place.opened(name))))
        except RecordError as error:
            raise Failure(f"{file} is no whole pack: {error}.") from None
        except OSError as error:
            raise Failure(f"{file} cannot be read: {error.strerror or error}.") from None
    return packs


def _packs_in(file: str) -> list[str]:
    """Return the packs that a file, a folder, or a URL of one stands for.

    Raises BucketUrlError, PlaceError.
    """
    if not is_url(file) or file.endswith(PACKS):
        return find_files([file], PACKS)
    files = files_at(file)
    return [files.path_of(name) for name in files.names()]


@command.command("write")
@click.argument("folder", type=parameters.PlaceOfPacks())
@parameters.json_option
def write(folder: str, *, as_json: bool) -> None:
    """Write the finished games and tournaments of the service into packs in FOLDER.

    These are public games, and tournaments with all of their games, also those that do not count,
    that ended ten minutes ago or earlier. With a key in LONJA_ARCHIVE_KEYS, other games go into
    packs of their own, *.private, which are encrypted. Each record is verified first, as by `lonja
    verify`, and each pack is read back. A record that is in a pack of FOLDER already is not written
    again: repeat the command at any time, also after an interruption. Nothing is removed from the
    store, and packs are never changed.

    What belongs to games and is in no record is written to a file beside each pack, below
    FOLDER/beside, which only this user may read: titles and tags of tables, hosts, guests, which
    games were rated, and hashes of the requests that were answered. These files are written again
    without players who have left since.

    The exit code is 1 if a game or tournament was left out because it is damaged or not proved, or
    because a pack has another history of it, and if a pack has no file beside it. A game that was
    ended as damaged is no reason: no pack takes it, and nothing is left to do.
    """
    runtime = common.local_runtime(announce=False)
    told = _write(runtime, folder)
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        _tell_written(told, "ten minutes")
    if told["left_out"] or told["beside"]["lacking"]:
        sys.exit(1)


@command.command("move")
@click.option(
    "--again",
    is_flag=True,
    help="Look at all packs, not only at those whose games have not left yet.",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Note also where games are that the store has lost, or never had. This implies --again.",
)
@_due_option
@parameters.json_option
def move(*, again: bool, adopt: bool, due: bool, as_json: bool) -> None:
    """Move finished games of the service out of its Redis, into packs in LONJA_ARCHIVE.

    First, packs are written as by `lonja archive write`. Then each game leaves the Redis, if its
    pack, read once more, would give back all that the Redis has. A tournament follows when all of
    its games have left. What has left is read in packs afterwards, so all processes of the service
    need LONJA_ARCHIVE, and they do not start without it from now on.

    Last, games leave the lists in the Redis, if the index of packs has them on each host that
    serves within half a minute: lists are read in both. Rated games stay in these lists until they
    have counted for ratings.

    Repeat it at any time, also after an interruption. If a game goes on in the Redis although a
    pack has its end, for example after a failover, then the pack decides: what is in the Redis is
    taken aside.

    If the Redis knows packs, and LONJA_ARCHIVE is empty or not there, the command ends with that:
    its disk may not be mounted. So it does if another installation has written packs there.

    With --due, only games go into packs that ended at least LONJA_ARCHIVE_DAYS ago, and, as long as
    the Redis uses more than LONJA_ARCHIVE_MEMORY_MARK, the oldest other ones.

    The exit code is 1 as for `lonja archive write`, and if a game had to stay, also only in lists,
    or was taken aside.
    """
    runtime = common.local_runtime(announce=False)
    place = runtime.settings.archive
    if place is None:
        raise Failure("LONJA_ARCHIVE is missing: set it to the folder of packs, in all processes.")
    try:
        need_newest(runtime.redis)
    except RefusedError as error:
        raise Failure(f"{error}.") from None
    began = runtime.ledger.store.clock.ask()
    marks = Due.of(runtime.settings) if due else None
    told = _write(runtime, place, MoveOptions(again=again or adopt, adopts=adopt, due=marks))
    note_run(runtime.redis, began, told)
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        _tell_written(told, f"{runtime.settings.archive_days} days" if due else "ten minutes")
        _tell_moved(told)
    moved = told["moved"]
    troubles = (moved["stay"], moved["aside"], moved["listed"])
    if told["left_out"] or told["beside"]["lacking"] or any(troubles):
        sys.exit(1)


def _write(runtime: Runtime, place: str, moving: MoveOptions | None = None) -> JsonObject:
    """Write packs, and let games leave the store if ``moving`` says how. Raises Failure."""
    began, adopts = time.monotonic(), moving is not None and moving.adopts
    logs.configure(dataclasses.replace(runtime.settings, log_level="error"))
    verify = partial(_verified, registry=runtime.registry)
    games = GameList(runtime.redis, runtime.ledger)
    try:
        files = files_at(place, runtime.settings.archive_keys)
        if moving is not None:
            # Packs that are written below a mount point are hidden as soon as it is mounted.
            files.present(PackPlaces(runtime.redis).packs().values())
        catalogue = Catalogue.of(files, runtime.settings.data_dir)
        with Archive.at_work(files, catalogue) as archive, console.progress() as progress:
            run = ArchiveRun(runtime, archive, files, verify, games.list_again)
            if moving is not None:
                run.expect_own_packs()
            packing = progress.add_task(
                "Packing", total=archiving.count(runtime.redis, private=archive.takes_private)
            )
            steps = progress.add_task("Moving", total=None, visible=moving is not None)
            for packed in run.packing(None if moving is None else moving.due):
                for _one in packed:
                    progress.advance(packing)
                if moving is not None:
                    for _moved in run.move(moving):
                        progress.advance(steps)
                    moving = moving._replace(again=False, adopts=False)
            run.besides.forget_departed()
            if adopts:
                runtime.ratings.catch_up()
    except (BesideError, BusyError, PlaceError, ReadBackError, RecordError) as error:
        raise Failure(f"{error}.") from None
    except OSError as error:
        raise Failure(f"{_fault_of(place, error)}. Games that are in no pack yet stay.") from None
    except sqlite3.Error as error:
        data_dir = runtime.settings.data_dir
        raise Failure(f"The catalogue of packs in {data_dir} cannot be used: {error}.") from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    seconds = round(time.monotonic() - began, 1)
    told = {"folder": text_of(place), **run.to_json(), "seconds": seconds}
    return told if moving is None else {**told, "moved": run.moved_to_json()}


def _fault_of(place: str, error: OSError) -> str:
    """Return an I/O error as a phrase: its file, or the place if it names none, and its reason."""
    return f"{error.filename or text_of(place)}: {error.strerror or error}"


def _tell_moved(told: JsonObject) -> None:
    moved = told["moved"]
    console.say(f"{moved['gone']} games have left the Redis, and {moved['unlisted']} its lists.")
    if moved["noted"]:
        console.say(f"{moved['noted']} games are known again that the Redis did not have.")
    for id_ in moved["aside"]:
        why = "it went on in the Redis after the end that a pack has; that is kept there"
        console.say(f"TAKEN ASIDE  {id_}: {why}", err=True)
    for one in moved["stay"]:
        console.say(f"STAYS  {one['id']}: {one['why']}", err=True)
    for one in moved["listed"]:
        console.say(f"STILL LISTED  {one['games']} games: {one['why']}", err=True)


def _verified(record: Record, registry: Registry) -> Report:
    return verify_game(record, VerifyOptions(), registry)


def _tell_written(told: JsonObject, rest: str) -> None:
    """Tell what was written: what ended so long ago, ``rest`` in words."""
    for pack in told["packs"]:
        console.say(f"{pack['name']}  {pack['records']} records, {console.size(pack['bytes'])}")
    console.say(f"{told['records']} records were written. The run took {told['seconds']:.1f} s.")
    if told["later"]:
        console.say(f"{told['later']} are not over, or ended less than {rest} ago.")
    if told["damaged"]:
        console.say(f"{told['damaged']} were ended as damaged: no pack takes them, and they stay.")
    for one in told["left_out"]:
        console.say(f"LEFT OUT  {one['id']}: {one['why']}", err=True)
    beside = told["beside"]
    if beside["rewritten"]:
        console.say(f"{beside['rewritten']} files beside packs were written again.")
    for one in beside["lacking"]:
        console.say(f"NOTHING BESIDE  {one['name']}: {one['why']}", err=True)


_AS_BEFORE = (archiving.SAME, archiving.ARCHIVED)
"""The findings of a comparison that are no difference."""
_DIFFERENT = {
    archiving.MISSING: "the store does not have it",
    archiving.REWOUND: "the store has its first {found} of {version} events alone",
    archiving.OTHER: "the store has another history of it",
}


@command.command("estimate")
@click.option(
    "--games",
    type=click.IntRange(1),
    metavar="N",
    help="Say also what so many games like these cost once they have left.",
)
@parameters.json_option
def estimate(games: int | None, *, as_json: bool) -> None:
    """Estimate how much memory games take that can leave the Redis, and what packs of them take.

    These are public games that are over, also those of tournaments. A hundred of them, chosen at
    random, are packed in memory; nothing is written. The service may run meanwhile.
    """
    runtime = common.local_runtime(announce=False)
    logs.configure(dataclasses.replace(runtime.settings, log_level="error"))
    rest_ms = Due.of(runtime.settings).rest_ms
    verify = partial(_verified, registry=runtime.registry)
    try:
        found = estimating.estimate(runtime, verify, rest_ms)
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    history = None if games is None else found.history(games)
    if as_json:
        told = found._asdict()
        if games is not None:
            told["history"] = None if history is None else history._asdict()
        click.echo(orjson.dumps(told))
        return
    days = runtime.settings.archive_days
    console.say(
        f"{found.games} games can leave the Redis; {found.due} ended at least {days} days ago."
    )
    if found.sampled:
        console.say(
            f"They take {console.size(found.store_bytes)} of its memory, and would take"
            f" {console.size(found.pack_bytes)} in packs, after {found.seconds:.0f} s of processor"
            f" time (estimated from {found.sampled} of them)."
        )
    if history is not None:
        stays, packs, index = map(
            console.size, (history.store_bytes, history.pack_bytes, history.index_bytes)
        )
        console.say(
            f"{history.games} games like these, once they have left, take at most {stays} of its"
            f" memory, {packs} in packs, {index} in the index of each web server, and"
            f" {history.seconds / 3600:.1f} hours of processor time."
        )
    elif games is not None:
        console.say("No game can be measured, so nothing can be said of more.")


@command.command("index")
@parameters.json_option
def index(*, as_json: bool) -> None:
    """Make the index of packs of this host again, from the packs in LONJA_ARCHIVE.

    The index has the lists of the games that have left the Redis. Web processes keep it, in the
    file archive-3.db in LONJA_DATA_DIR: nobody needs this command unless that file is doubted. The
    service may run meanwhile.

    The exit code is 1 if a pack cannot be read. The index lacks it, or keeps what it has of it.
    """
    runtime = common.local_runtime(announce=False)
    place = runtime.settings.archive
    if place is None:
        raise Failure("LONJA_ARCHIVE is missing: set it to the folder of packs, in all processes.")
    began = time.monotonic()
    made = PackIndex(runtime.settings.data_dir / INDEX)
    try:
        lists = PackLists(runtime.redis, files_at(place, runtime.settings.archive_keys), made)
        packs = lists.catch_up(again=True)
        named, held = PackPlaces(runtime.redis).packs(), made.contents().packs
    except (RedisError, sqlite3.Error) as error:
        raise Failure(f"{error}.") from None
    lacking = sorted(set(named.values()) - held.keys())
    kept = {name: why for name, why in lists.unreadable().items() if name in held}
    seconds = round(time.monotonic() - began, 1)
    if as_json:
        told = {"packs": packs, "lacking": lacking, "kept": sorted(kept), "seconds": seconds}
        click.echo(orjson.dumps(told))
    else:
        console.say(f"{packs} packs were indexed in {seconds:.1f} s.")
        for name in lacking:
            console.say(f"LACKS  {name}: it cannot be read", err=True)
        for name, why in sorted(kept.items()):
            console.say(f"KEPT  {name}: it cannot be read again: {why}", err=True)
    if lacking or kept:
        sys.exit(1)


@command.command("scrub")
@_due_option
@parameters.json_option
def scrub(*, due: bool, as_json: bool) -> None:
    """Read the packs in LONJA_ARCHIVE again, and heal those that are lost or damaged.

    Each pack is compared with the SHA-256 that is its name. With LONJA_ARCHIVE_COPY, the packs
    there are read, too: a pack that is missing or damaged in one place is written again from the
    other, and a damaged one is renamed to *.pack.damaged. The same holds for the files beside
    packs; the copy's are replaced by newer ones. So the first run makes the copy.

    The packs that were not read for the longest time come first. A run that was interrupted goes on
    where it was if it is repeated within a day. With --due, it reads only as many packs that each
    is read again within LONJA_ARCHIVE_SCRUB_DAYS, if it runs once a day; packs that are new,
    missing, or not whole are read in any case, and files beside packs if they have changed.

    The exit code is 1 if something is not whole in the end.
    """
    runtime = common.local_runtime(announce=False)
    settings = runtime.settings
    if settings.archive is None:
        raise Failure("LONJA_ARCHIVE is missing: set it to the folder of packs, in all processes.")
    logs.configure(dataclasses.replace(settings, log_level="error"))
    try:
        began, started = runtime.ledger.store.clock.ask(), time.monotonic()
        keys, copy = settings.archive_keys, settings.archive_copy
        spare = None if copy is None else files_at(copy, keys)
        run = Scrub(runtime.redis, files_at(settings.archive, keys), spare, began)
        plan = run.due(settings.archive_scrub_days) if due else run.all_packs()
        with console.progress() as progress:
            total = len(plan.packs) + len(plan.besides)
            task = progress.add_task("Scrubbing", total=total)
            for _outcome in run.run(plan):
                progress.advance(task)
        told = {**run.to_json(), "seconds": round(time.monotonic() - started, 1)}
        note_scrub(runtime.redis, began, told)
    except BusyError as error:
        raise Failure(f"{error}.") from None
    except PlaceError as error:
        raise Failure(f"{error}.") from None
    except OSError as error:
        raise Failure(f"{_fault_of(settings.archive, error)}.") from None
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    if as_json:
        click.echo(orjson.dumps(told))
    else:
        _tell_scrubbed(told)
    if told["lost"]:
        sys.exit(1)


def _tell_scrubbed(told: JsonObject) -> None:
    read, seconds = console.size(told["bytes"]), told["seconds"]
    console.say(f"{told['packs']} packs, {read}, were read in {seconds:.1f} s.")
    if told["copied"]:
        console.say(f"{len(told['copied'])} files were copied.")
    for path in told["healed"]:
        console.say(f"HEALED  {path}", err=True)
    for lost in told["lost"]:
        console.say(f"LOST  {lost}", err=True)


@command.command("restore")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Bring all games back that have left.")
@parameters.json_option
def restore(ids: tuple[str, ...], *, everything: bool, as_json: bool) -> None:
    """Bring games back into the Redis of the service, out of the packs in LONJA_ARCHIVE.

    ID is the id of a game that has left the Redis, or of a tournament, without its games. The Redis
    then has all of it again, and clients see no difference. Its pack stays as it is. It leaves
    again with `lonja archive move --again`, or earlier if not all of its pack has left yet.

    The exit code is 1 if a game could not be brought back: it is unknown, or its pack cannot be
    read. The command stops when the Redis uses more than LONJA_REDIS_MEMORY_MARK.
    """
    if bool(ids) == everything:
        raise click.UsageError("Name games, or all of them with --all.")
    runtime = common.local_runtime(announce=False)
    place = runtime.settings.archive
    if place is None:
        raise Failure("LONJA_ARCHIVE is missing: set it to the folder of packs, in all processes.")
    logs.configure(dataclasses.replace(runtime.settings, log_level="error"))
    reader = PackReader(runtime.redis, files_at(place, runtime.settings.archive_keys))
    games = GameList(runtime.redis, runtime.ledger)
    list_again = partial(games.list_again, is_back=True)
    comeback = Comeback(runtime.ledger.store.here, reader, list_again)
    counts: Counter[str] = Counter()
    failed: dict[str, str] = {}
    try:
        with console.progress() as progress:
            known = PackPlaces(runtime.redis)
            task = progress.add_task("Restoring", total=known.count() if everything else len(ids))
            for id_ in known.ids() if everything else ids:
                if full := runtime.health.nearly_full():
                    raise Failure(f"{full} {counts['restored']} games are restored.")
                outcome = comeback.bring_back(id_)
                done = (("restored", outcome.restored), ("here", outcome.here))
                counts.update(name for name, is_so in done if is_so)
                failed |= {id_: outcome.why} if outcome.why else {}
                progress.advance(task)
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    if as_json:
        each = [{"id": id_, "why": why} for id_, why in failed.items()]
        numbers = {name: counts[name] for name in ("restored", "here")}
        click.echo(orjson.dumps({**numbers, "failed": each}))
    else:
        here = f"; {counts['here']} were there" if counts["here"] else ""
        console.say(f"{counts['restored']} games are in the Redis again{here}.")
        for id_, why in failed.items():
            console.say(f"FAILED  {text_of(id_)}: {why}", err=True)
    if failed:
        sys.exit(1)


@command.command("check")
@parameters.files_argument
@parameters.json_option
def check(files: tuple[str, ...], *, as_json: bool) -> None:
    """Compare packs with the store of the service: every record must end there as in its pack.

    A game that has left the store must be known there as one that is in a pack.

    FILE is a pack, or a folder: it stands for every *.pack and *.private below it. The store may
    differ after a failover, after the restore of a backup, or because somebody changed it.

    The exit code is 1 if the store lacks a game or tournament, or its last events, or has another
    history of it.
    """
    packs = _open(files)
    store = common.local_runtime(announce=False).ledger.store
    counts: Counter[str] = Counter()
    different: list[JsonObject] = []
    try:
        for file, pack in packs:
            for row, found, version in archiving.compare(store, pack):
                counts[found] += 1
                if found not in _AS_BEFORE:
                    told = {"id": row.id, "found": found, "version": row.facts["version"]}
                    different.append({**told, "stored": version, "file": text_of(file)})
    except RedisError as error:
        raise Failure(f"The Redis of the service does not answer: {error}") from None
    except (RecordError, OSError) as error:
        raise Failure(f"A pack cannot be read: {error}.") from None
    if as_json:
        names = (*_AS_BEFORE, *_DIFFERENT)
        told = {"counts": {name: counts[name] for name in names}, "different": different}
        click.echo(orjson.dumps(told))
    else:
        for one in different:
            why = _DIFFERENT[one["found"]].format(found=one["stored"], version=one["version"])
            console.say(f"{one['found'].upper():8} {one['id']}: {why} ({one['file']})")
        console.say(f"{counts[archiving.SAME]} of {counts.total()} records are in the store.")
        if counts[archiving.ARCHIVED]:
            console.say(f"{counts[archiving.ARCHIVED]} have left it, and it knows their packs.")
    if different:
        sys.exit(1)
