"""``lonja replay``: a game in words."""

from collections.abc import Iterator

import click
from lonja_client import Client

from rules.kernel.contract import drawing
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from rules.kernel.contract.seats import Seat
from rules.kernel.proof.verdicts import NotARecordError
from rules.kernel.proof.verify import status_of
from rules.kernel.record.events import Event, from_copy
from service.cli import common, parameters, words
from service.cli.inputs import as_path, file_exists
from service.cli.sources import RemoteGame, StoredGame
from service.cli.terminal import saves
from service.cli.terminal.recording import Recording
from service.cli.terminal.service import ServiceTable, failures, open_table
from service.cli.verifying import VerifyOptions, verify_game
from service.records.game_file import Record, RecordError, read

COLUMNS = 80


@click.command("replay", short_help="Replay a game in words, or show its board after an event.")
@parameters.recorded_argument
@click.option(
    "--at",
    "version",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show the board after this event.",
)
@parameters.seen_as_option
@parameters.url_option
@parameters.key_option
@parameters.plain_option
@parameters.shade_option
@parameters.language_option
def command(
    game: str,
    version: int | None,
    seat: Seat | None,
    url: str | None,
    key: str | None,
    shade: str,
    language: str,
    *,
    in_lines: bool,
) -> None:
    """Replay GAME in words: a file of `lonja export`, a saved game (NAME.lonja), or an id.

    `-` is a record from the standard input.

    On a terminal it fills the screen, with a scrubber; a running game of a service (--url) is
    followed live.

    Without --seat, you see everything in a finished game, and what a spectator sees in a running
    game. If GAME is a file, the first line says whether the file verifies.
    """
    registry = common.load_registry()
    whole_screen = not in_lines and version is None and common.on_terminal()
    if (
        whole_screen
        and url is not None
        and _follow(_visit(game, seat, url, key, registry, language), shade)
    ):
        return
    game_id, events, over = _open(game, seat, url, key, registry, language)
    if url is not None and version is not None and not over:
        click.echo(_board_at(_visit(game, seat, url, key, registry, language), seat, version))
        return
    if whole_screen:
        _scrub(game_id, events, seat, registry, shade, language, over=over)
        return
    teller = words.Teller(game_id, registry, language, seat, everything=over and seat is None)
    told = 0
    try:
        for event in events:
            lines = teller.tell(event)
            told = event.seq
            if seat is not None and not 0 <= seat < len(teller.game.seats):
                raise common.Failure(f"There is no seat {seat} in this game.")
            if version is None:
                for line in lines:
                    click.echo(line)
            elif told == version:
                break
    except UnknownRulesetError as error:
        raise common.Failure(f"The game cannot be told: {error}.") from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise common.Failure(
            f"Event {told + 1} cannot be told ({error}): check the record with `lonja verify`."
        ) from None
    if version is not None:
        _show(teller, told, version, language)


def _visit(
    game: str, seat: Seat | None, url: str, key: str | None, registry: Registry, language: str
) -> ServiceTable:
    """Open a game of a service as a viewer who does not play. Raises Failure."""
    with failures(language):
        client = Client(url, key, language=language, patience=0)
        return open_table(client.table(game), registry, seat, plays=False)


def _board_at(table: ServiceTable, seat: Seat | None, version: int) -> str:
    """Return the board of a running game after ``version`` events, as ``seat`` may see it now."""
    with failures(table.language):
        view = table.ask("/state", at=version, seat="spectator" if seat is None else seat)["state"]
    if view is None:
        return words.word(table.language, "not_started")
    return drawing.plain(table.ruleset.draw(view, table.language, COLUMNS))


def _follow(table: ServiceTable, shade: str) -> bool:
    """Show a game as it is played, and return True.

    If the game is over, show nothing and return False.
    """
    from service.cli.terminal.app import TerminalApp  # noqa: PLC0415 - lines need no Textual
    from service.cli.terminal.table_screen import TableScreen  # noqa: PLC0415

    if table.position().over:
        return False
    TerminalApp(TableScreen(table, 0), shade=shade).run()
    return True


def _scrub(
    game_id: str,
    events: Iterator[Event],
    seat: Seat | None,
    registry: Registry,
    shade: str,
    language: str,
    *,
    over: bool,
) -> None:
    """Show, on the whole screen, a game that was played. Raises Failure."""
    from service.cli.terminal.app import TerminalApp  # noqa: PLC0415 - as above
    from service.cli.terminal.replay_screen import ReplayScreen  # noqa: PLC0415

    try:
        recording = Recording(game_id, [*events], registry, language, seat, over=over)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise common.Failure(
            f"The game cannot be told ({error}): check the record with `lonja verify`."
        ) from None
    if seat is not None and not 0 <= seat < len(recording.game.seats):
        raise common.Failure(f"There is no seat {seat} in this game.")
    TerminalApp(ReplayScreen(recording), shade=shade).run()


def _open(
    game: str,
    seat: Seat | None,
    url: str | None,
    key: str | None,
    registry: Registry,
    language: str,
) -> tuple[str, Iterator[Event], bool]:
    """Return a game's id, its events, and whether it is over."""
    if url is not None:
        remote = RemoteGame(url, game, key, seat, language)
        header = remote.header()
        over = header["status"] in ("ended", "aborted")
        return header["game_id"], map(from_copy, remote.copies()), over
    if game.endswith(saves.SUFFIX):
        try:
            local = saves.find(common.games_folder(), game).read(registry).local
        except saves.BadSaveError as error:
            raise common.Failure(f"{error}.") from None
        return local.game.id, iter(local.events), local.game.over
    if file_exists(game):
        try:
            with as_path(game) as path:
                record = read(path)
            click.echo(_verdict(record, registry, language))
        except (RecordError, NotARecordError) as error:
            raise common.Failure(f"{game} is no record of a game: {error}.") from None
        over = status_of(record.copies) in ("ended", "aborted")
        return record.game_id, map(from_copy, record.copies), over
    stored = StoredGame(common.local_runtime(announce=False), game, seat)
    return stored.game_id, stored.events(), stored.over


def _verdict(record: Record, registry: Registry, language: str) -> str:
    """Return a line on whether a record verifies; forged records can be replayed, too."""
    report = verify_game(record, VerifyOptions(), registry)
    failed = ", ".join(check.name for check in report.checks if not check.ok)
    lacking = "; ".join(report.newer.told() or report.missing)
    return words.word(language, report.verdict, names=failed or lacking)


def _show(teller: words.Teller, told: int, version: int, language: str) -> None:
    """Show the board after ``version`` events."""
    if told < version:
        raise common.Failure(f"The game has {told} events; there is no event {version}.")
    if teller.blind:
        raise common.Failure(
            "The board cannot be shown: this record of a running game hides what it follows from."
        )
    click.echo(teller.board() or words.word(language, "not_started"))
