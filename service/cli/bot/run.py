"""``lonja bot run``: a program in any language plays at a service."""

import math
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import click
import orjson
from lonja_client import Client

from rules.kernel.canonical import JsonObject
from service.cli import console, parameters
from service.cli.bot.bridge import Bridge, Outcome, started
from service.cli.bot.games import OwnGames
from service.cli.bot.seeking import StandingSeeks
from service.cli.common import Failure
from service.cli.remote import failures, service_at
from service.ledger.notices import ENDED, INVITED
from service.live.messages import RESYNC

BOT = "bot"
"""The kind of player that a program is."""
MAX_NAME = 40

Tell = Callable[[str, JsonObject], None]


@click.command("run", short_help="Let a program play at a service.")
@click.option("--engine", "line", metavar="CMD", required=True, help="The program's command line.")
@parameters.service_option
@parameters.key_option
@click.option(
    "--key-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A file with the key of the bot's player. If it is missing, a player is created.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.1),
    default=60.0,
    show_default=True,
    metavar="S",
    help="The time for a decision; a game's clock may leave less.",
)
@click.option(
    "--seeks",
    "sought",
    type=parameters.TakesType(),
    multiple=True,
    metavar="RULESET=SEATS",
    help="Seek games such as RULESET=3-5 with others who seek; may be given several times.",
)
@click.option("--open", "ruleset", metavar="RULESET", help="Open games, and end after them.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="The number of games, with --open.",
)
@click.option(
    "--against",
    "others",
    multiple=True,
    default=("random",),
    show_default=True,
    metavar="BOT",
    help="A bot of the service, with --open; may be given several times.",
)
@parameters.clock_options
@parameters.json_option
def command(
    line: str,
    url: str,
    key: str | None,
    key_file: Path | None,
    seconds: float,
    sought: Sequence[JsonObject],
    ruleset: str | None,
    games: int,
    others: Sequence[str],
    decision: int | None,
    budget: int | None,
    increment: int | None,
    *,
    as_json: bool,
) -> None:
    """Start CMD, and have it answer the questions of all games of its player.

    CMD reads questions and writes answers as lines of JSON (docs/engines.md). What it writes to its
    standard error is shown. If it takes too long or ends, it is started anew. It is asked a
    question three times; then the question is left to the game's clock.

    Without --open, the bot plays at the tables at which its player sits, until you stop it. It
    takes the seats that tables keep for it: of challenges to its account, and of rematches. With
    --seeks, it seeks others whenever it is free. With --open, it opens its games one after the
    other. If --against names too few bots for the game, the last one holds several seats.

    With --json, each answer is a line, and so is each game that is opened or has ended.

    The exit code is 1 if --open was given and the bot left a question unanswered, and 130 after an
    interruption.
    """
    clock = parameters.clock_of(decision, budget, increment)
    signal.signal(signal.SIGTERM, _stop)
    engine = started(line)
    try:
        with service_at(url, key, patience=math.inf) as visitor, failures(visitor):
            player = _player(visitor, key, key_file, engine.hello)
            tell = _tell_json if as_json else _tell
            opened = OwnGames(player, games, ruleset, others, clock) if ruleset else None
            bridge = Bridge(player, engine, seconds)
            if sought:
                wanted = [(one["ruleset"], seats) for one in sought for seats in one["seats"]]
                StandingSeeks(player, wanted).begin()
            is_sound = _play(bridge, player.me()["id"], opened, tell)
    finally:
        engine.close()
    sys.exit(not is_sound)


def _stop(_signal: int, _frame: object) -> NoReturn:
    sys.exit(128 + signal.SIGTERM)


def _player(visitor: Client, key: str | None, file: Path | None, hello: JsonObject) -> Client:
    """Return a client of the bot's player, who is created if no key is known yet."""
    if file is None:
        if key is None:
            raise Failure("A player's key is needed: --key, --key-file, or LONJA_KEY.")
        return visitor
    if file.exists():
        try:
            return visitor.with_key(file.read_text(encoding="utf-8").strip())
        except ValueError as error:
            raise Failure(f"{file} has no key: {error}.") from None
    name = str(hello.get("name") or BOT)[:MAX_NAME]
    file.touch(0o600, exist_ok=False)  # so that no player is created whose key cannot be kept
    try:
        player = visitor.with_key("").sign_up(name, kind=BOT)
        file.write_text(f"{player.key}\n", encoding="utf-8")
    except BaseException:
        file.unlink()
        raise
    return player


def _play(bridge: Bridge, player: str, games: OwnGames | None, tell: Tell) -> bool:
    """Answer questions until the games are over; return whether all questions were answered."""
    is_sound, listens = True, False
    for received in bridge.messages():
        if not listens:
            listens = True
            tell("listening", {"player": player})
        if games is not None and (received.message.event in (RESYNC, ENDED)):
            ended = games.ended(received.message)
            if ended is not None:
                tell("ended", {"game": ended["id"], "result": ended["result"]})
            if ended is not None or not games.opened:
                game = games.open_next()
                if game is None:
                    break
                tell("opened", {"game": game})
        if received.message.event == INVITED and bridge.come(received):
            tell("came", {"game": received.message.data["game_id"]})
        outcome = bridge.answer(received)
        if outcome is not None:
            is_sound = is_sound and not outcome.failure
            tell("failed" if outcome.failure else "answered", _told(outcome))
    return is_sound


def _told(outcome: Outcome) -> JsonObject:
    asked = outcome.question.asked
    return {
        **{name: asked[name] for name in ("game", "ruleset", "seat", "decision")},
        "milliseconds": round(1000 * outcome.seconds, 1),
        **({"failure": outcome.failure} if outcome.failure else {}),
    }


def _tell_json(kind: str, told: JsonObject) -> None:
    click.echo(orjson.dumps({kind: told}))


def _tell(kind: str, told: JsonObject) -> None:
    if kind == "listening":
        console.say(f"Player {told['player']} listens.")
        return
    game = told["game"]
    if kind in {"opened", "came"}:
        console.say(f"{game}: {kind}")
    elif kind == "ended":
        console.say(f"{game}: {_standings(told['result'])}")
    else:
        what = f"{game} seat {told['seat']}, decision {told['decision']}"
        if kind == "failed":
            console.say(f"{what}: not answered: {told['failure']}", err=True)
        else:
            console.say(f"{what}: answered in {told['milliseconds']:g} ms")


def _standings(result: JsonObject | None) -> str:
    if result is None:
        return "aborted"
    sides = sorted(result["standings"], key=lambda standing: int(standing["rank"]))
    return "ended: " + ", ".join(f"{each['rank']}. {each['side']}" for each in sides)
