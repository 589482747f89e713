"""``lonja watch``: follows a game of a service, in words or as JSON lines."""

import math
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click
import orjson
from lonja_client import SPECTATOR, Client, Rewound

from rules.kernel.canonical import JsonObject
from rules.kernel.contract import drawing
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.seats import Seat
from service.cli import common, console, parameters, words
from service.cli.remote import failures, service_at
from service.cli.terminal import plain
from service.cli.terminal.service import ServiceTable, open_table
from service.cli.terminal.service import failures as failures_in_words

COLUMNS = 80
ENDED = "ended"


class Watch(NamedTuple):
    """Which game is followed, as whom, and what is printed of it."""

    url: str
    game: str
    key: str | None
    seat: Seat | None
    last: int | None
    language: str
    board: bool


@click.command("watch", short_help="Follow a game of a service as it is played.")
@click.argument("game")
@parameters.service_option
@parameters.key_option
@parameters.seen_as_option
@click.option("--board", is_flag=True, help="Print the board at each turn, too.")
@click.option(
    "--last",
    type=click.IntRange(min=1),
    metavar="N",
    help="Begin with the newest N events. Without it, begin with the first event.",
)
@parameters.json_option
@parameters.language_option
def command(
    game: str,
    url: str,
    key: str | None,
    seat: Seat | None,
    last: int | None,
    language: str,
    *,
    board: bool,
    as_json: bool,
) -> None:
    """Follow GAME at the service at URL, line by line, until it is over; then print its result.

    A connection that breaks is opened again, for as long as it takes, and no line is missed. With
    --key, private games can be followed, and --seat shows what your seat sees. Ctrl-C ends the
    command, and changes nothing in the game.

    With --json, each event is a line: a JSON object as in `GET /v1/games/{game_id}/stream`, with
    its `words` and, with --board, the `state` after it. If the service has lost events, a line
    `{"rewound": VERSION}` names the newest one that is left.

    The exit code is 0 if the game was played to its end, 1 if it was aborted, and 130 after an
    interruption.
    """
    with service_at(url, key, language=language) as visitor, failures(visitor, game):
        visitor.table(game).game()  # so that a mistyped address fails after seconds
    follow = _follow_events if as_json else _follow_words
    try:
        ended = follow(Watch(url, game, key, seat, last, language, board))
    except KeyboardInterrupt:
        console.say(words.word(language, "left_watching", url=url, game=game), err=True)
        sys.exit(common.INTERRUPTED)
    if not ended:
        sys.exit(1)


# In words


def _follow_words(watch: Watch) -> bool:
    """Print the log as it grows, and the result; return whether the game was played to its end."""
    registry = common.load_registry()
    table = _visit(watch, registry)
    try:
        return _tell(table, watch.last, board=watch.board)
    finally:
        table.close()


def _visit(watch: Watch, registry: Registry) -> ServiceTable:
    with failures_in_words(watch.language):
        # The table itself tries again.
        client = service_at(watch.url, watch.key, language=watch.language, patience=0)
        return open_table(client.table(watch.game), registry, watch.seat, plays=False)


def _tell(table: ServiceTable, last: int | None, *, board: bool) -> bool:
    if last is not None:
        after = table.position().version - last
        table.log[:] = [one for one in table.log if one.version > after]
    log = plain.PlainLog(table, plain.Sheet())
    shown = -1
    while True:
        log.tell()
        position = table.position()
        turn = max(table.turns, default=0)
        if board and turn > shown and position.view is not None:
            shown = turn
            drawn = table.ruleset.draw(position.view, table.language, COLUMNS)
            click.echo(f"\n{drawing.plain(drawn).strip()}\n")
        if position.over:
            break
        thought = log.while_it(table.think)
        if thought is None:
            break
        table.take(thought)
    log.tell()
    if not position.over:  # the log says why nothing more comes
        sys.exit(common.Failure.exit_code)
    if position.result is None:
        return False
    plain.tell_result(table, position.result, position.resigned)
    return True


# As JSON lines


def _follow_events(watch: Watch) -> bool:
    """Print the events as they come; return whether the game was played to its end."""
    ended = False
    client = service_at(watch.url, watch.key, language=watch.language, patience=math.inf)
    with client as service, failures(service, watch.game):
        for line in _events(service, watch):
            ended = ended or line.get("kind") == ENDED
            click.echo(orjson.dumps(line))
    return ended


def _events(service: Client, watch: Watch) -> Iterator[JsonObject]:
    table, after, last = service.table(watch.game), 0, watch.last
    include = ["words", "state"] if watch.board else ["words"]
    eyes = SPECTATOR if watch.seat is None else watch.seat
    while True:
        try:
            for event in table.follow(after, last=last, seat=eyes, include=include):
                yield {**event}
        except Rewound as rewound:
            after, last = rewound.version, None
            yield {"rewound": after}
        else:
            return
