"""``lonja play``: a game against bots, or at a service's table, in the terminal."""

from pathlib import Path
from typing import Any, NamedTuple

import click
import lonja_client
from lonja_client import ME, OPEN, Client, Refused, SigningKey, Table
from lonja_client.client import OLDER

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from rules.kernel.record.beacons import LATE
from service.catalogue import bots
from service.catalogue.bots import BOTS, BotOffer
from service.cli import common, completing, local, parameters
from service.cli.foreign.ruleset import ruleset_of
from service.cli.remote import PATIENCE_SECONDS
from service.cli.terminal import plain, saves
from service.cli.terminal.service import ServiceTable, failures, open_table
from service.cli.terminal.tables import GameTable, LocalTable, MoveRefusedError
from service.cli.terminal.texts import say

NEWEST = ""
STEP = "step"
OFFERED = 8
"""Maximum saved games in the list of choices."""


class _Pace(click.ParamType[float | None]):
    """The pace of a game: the number of seconds between moves, or None.

    None means that each move waits for Enter.
    """

    name = "seconds"

    def convert(
        self, value: object, param: click.Parameter | None, context: click.Context | None
    ) -> float | None:
        if value is None or value == STEP:
            return None
        try:
            seconds = float(str(value))
        except ValueError:
            seconds = -1
        if not 0 <= seconds <= 60:
            self.fail(f"{value!r} is neither seconds, 0 to 60, nor {STEP!r}.", param, context)
        return seconds


@click.command("play", short_help="Play a game against bots, here in the terminal.")
@click.argument("ruleset", required=False, shell_complete=completing.rulesets)
@parameters.seats_option("without it, as few as the game allows")
@click.option("--seat", type=int, default=0, show_default=True, metavar="N", help="Your seat.")
@click.option(
    "--bot",
    default="greedy",  # greedy answers at once
    show_default=True,
    metavar="BOT",
    shell_complete=completing.bots,
    help=f"The bot of the other seats: {', '.join(BOTS)}, or one of LONJA_EXTRA_BOTS.",
)
@parameters.seed_option
@click.option(
    "--pace",
    type=_Pace(),
    default="1",
    show_default=True,
    help="Show each bot's move for so many seconds at least; with `step`, until you press Enter.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value=NEWEST,
    metavar="[GAME]",
    shell_complete=completing.saved_games,
    help="Continue the saved game GAME, or the newest one if no name is given.",
)
@click.option("--saved", is_flag=True, help="List the saved games.")
@parameters.plain_option
@parameters.shade_option
@parameters.url_option
@click.option("--game", metavar="GAME", help="With --url: the id of a game to play or to watch.")
@click.option(
    "--people",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="With --url: the number of people at a new table; bots have the other seats.",
)
@click.option(
    "--take-back/--no-take-back",
    default=True,
    show_default=True,
    help="Whether moves can be taken back at a new table.",
)
@click.option(
    "--signatures",
    is_flag=True,
    help="With --url: players sign their moves at a new table.",
)
@click.option(
    "--beacon",
    type=parameters.NearestChoice(LATE),
    help="With --url: let a public beacon into the luck of a new table; if it is late, `abort` or"
    " `start` the game.",
)
@click.option(
    "--seek",
    is_flag=True,
    help="With --url: wait for others who seek the same game, instead of opening a table.",
)
@parameters.clock_options
@click.option("--sit", is_flag=True, help="With --game: take the seat --seat first.")
@click.option(
    "--former-key",
    type=parameters.input_file(),
    metavar="FILE",
    help="With --game: bind the key of this folder to your seat, signed by the key in FILE, which"
    " the seat has.",
)
@click.option(
    "--lost-key",
    is_flag=True,
    help="With --game: bind the key of this folder to your seat, without the one that it has. The"
    " record then says for good that from here on the service alone says who this seat is.",
)
@parameters.key_option
@click.option(
    "--name",
    metavar="NAME",
    help="With --url and no key: sign up there as a player with this name.",
)
@parameters.rules_option
@parameters.language_option
def command(
    ruleset: str | None,
    seats: int | None,
    seat: Seat,
    bot: str,
    seed: str | None,
    pace: float | None,
    resume: str | None,
    saved: bool,  # noqa: FBT001 - click names it
    in_lines: bool,  # noqa: FBT001
    shade: str,
    url: str | None,
    game: str | None,
    people: int,
    take_back: bool,  # noqa: FBT001
    signatures: bool,  # noqa: FBT001
    beacon: str | None,
    seek: bool,  # noqa: FBT001
    decision: int | None,
    budget: int | None,
    increment: int | None,
    sit: bool,  # noqa: FBT001
    former_key: Path | None,
    lost_key: bool,  # noqa: FBT001
    key: str | None,
    name: str | None,
    options: tuple[str, ...],
    language: str,
) -> None:
    """Play RULESET against bots; without RULESET, choose what to play.

    No service needs to run. The game is saved after each move, in your folder LONJA_GAMES_DIR, and
    `--resume` continues it. With --url you play on that service: at a new table for RULESET, or at
    the table of the game that --game names. Without a terminal, or with --plain, the output is
    plain lines.
    """
    room = TableSource(language, take_back=take_back, signatures=signatures, beacon=beacon)
    clock = parameters.clock_of(decision, budget, increment)
    offer = common.find_bot(bot)
    table: LocalTable | ServiceTable
    if saved:
        room.list_saved()
        return
    whole_screen = not in_lines and common.on_terminal()
    if url is not None:
        if name is not None:
            key = room.sign_up(url, key, name)
        if game is not None and (clock or beacon):
            raise common.Failure(
                "A table that exists has its clock and its luck: no --decision, no --budget and no"
                " --beacon."
            )
        binds = _binds(former_key, game, is_lost=lost_key)
        wanted = TableWish(url, key, game, sit, people, seek, clock, binds, former_key)
        table = room.visit(wanted, ruleset, seats, seat, offer, options)
    elif any((game, sit, seek, people > 1, name, clock, signatures, beacon, former_key, lost_key)):
        raise common.Failure(
            "--game, --sit, --seek, --people, --name, --signatures, --beacon, --former-key,"
            " --lost-key and the clock are for a table of a service: name it with --url."
        )
    elif resume is not None:
        table = room.resume(resume)
    elif ruleset is not None:
        table = room.open(ruleset, seats, seat, offer, seed, options)
    elif whole_screen:
        _choose(room, shade)
        return
    else:
        for known in room.registry:
            click.echo(f"{known.info.id}  {known.info.title[language]}")
        return
    if whole_screen:
        _show(table, pace, shade)
    else:
        if room.seed:
            click.echo(say(language, "seed", seed=room.seed))
        _tell(table)


class TableWish(NamedTuple):
    """A requested table of a service.

    ``binds`` says that the key of this folder is to become that of the player's seats. ``former``
    is the file of the key that they have; None: it is lost.
    """

    url: str
    key: str | None
    game: str | None
    sit: bool
    people: int
    seek: bool
    clock: JsonObject
    binds: bool = False
    former: Path | None = None


class TableSource:
    """Opens and resumes games."""

    def __init__(
        self,
        language: str,
        *,
        take_back: bool = True,
        signatures: bool = False,
        beacon: str | None = None,
    ) -> None:
        settings = common.load_settings()
        self.registry: Registry = common.registry_of(settings)
        self.bots = bots.installed(settings)
        self.language = language
        self.take_back = take_back
        """Whether moves can be taken back at the tables that are opened."""
        self.signatures = signatures
        """Whether players sign their moves at the tables that are opened."""
        self.beacon = beacon
        """The outcome of a late beacon (``LATE``) at tables that are opened; None: no beacon."""
        self.seed = ""
        """The seed of the game that was begun here."""
        self.folder: Path = common.games_folder()

    def open(
        self,
        ruleset: str,
        seats: int | None,
        seat: Seat,
        bot: BotOffer,
        seed: str | None,
        options: tuple[str, ...] = (),
    ) -> LocalTable:
        """Begin a game. Raises Failure."""
        rules = common.find_ruleset(self.registry, ruleset)
        count = rules.info.min_seats if seats is None else seats
        chosen = common.parse_options(rules, count, options)
        if not 0 <= seat < count:
            raise common.Failure(f"There is no seat {seat}: the seats are 0 to {count - 1}.")
        if not bot.plays(rules.info.id):
            raise common.Failure(f"The bot {bot.name!r} does not play {rules.info.id}.")
        self.seed = seed = seed or common.new_seed()
        holders: list[JsonObject] = [
            {"player": "you"} if number == seat else bot.holder(rules) for number in range(count)
        ]
        game = local.start(
            self.registry, rules.info.id, holders, chosen, seed, take_back=self.take_back
        )
        save = saves.new(self.folder, rules.info.id)
        try:
            save.begin(seed, seat)
        except OSError as error:
            raise common.Failure(
                f"The game cannot be saved in {self.folder}: {error.strerror}. LONJA_GAMES_DIR"
                " names another folder."
            ) from None
        return LocalTable(game, seat, self.language, save)

    def resume(self, name: str) -> LocalTable:
        """Resume a saved game. Raises Failure.

        ``name`` is the name of the saved game, or ``NEWEST`` for the newest one.
        """
        try:
            save = saves.find(self.folder, name) if name else self._newest()
            found = save.read(self.registry)
        except saves.BadSaveError as error:
            raise common.Failure(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
        return LocalTable(found.local, found.seat, self.language, save, resumed=True)

    def sign_up(self, url: str, key: str | None, name: str) -> str:
        """Sign up at a service, and show the key; return it. Raises Failure."""
        if key:
            raise common.Failure("You are a player already, with --key or LONJA_KEY: no --name.")
        with (
            failures(self.language),
            self._client(url, None) as visitor,
            visitor.sign_up(name) as player,
        ):
            made = player.key or ""
        click.echo(say(self.language, "your_key", url=url, made=made))
        click.echo(say(self.language, "keep_key", made=made))
        return made

    def visit(
        self,
        wanted: TableWish,
        ruleset: str | None,
        seats: int | None,
        seat: Seat,
        bot: BotOffer,
        options: tuple[str, ...],
    ) -> ServiceTable:
        """Join the table of ``wanted.game``, or of a new game. Raises Failure."""
        with failures(self.language):
            with self._client(wanted.url, wanted.key) as client:
                if self.signatures or _signs(client, wanted):
                    client.signing_key = self._signing_key()
                if wanted.seek:
                    game = self._sought(client, ruleset, seats, options, wanted.clock)
                else:
                    game = wanted.game or self._new_game(
                        client, ruleset, seats, seat, bot, options, wanted
                    )
                if wanted.sit:
                    client.table(game).sit(seat)
                if wanted.binds:
                    self._bind(client.table(game), wanted.former)
            # The errors of this second client are worded for a person at a table.
            at_table = self._client(wanted.url, wanted.key, at_table=True)
            at_table.signing_key = client.signing_key
            return open_table(at_table.table(game), self.registry, seat)

    def _client(self, url: str, key: str | None, *, at_table: bool = False) -> Client:
        """Return a client that keeps entropy and receipts in the folder. Raises ValueError.

        If ``at_table`` is true, the game has the screen. Then the client tries each request only
        once, and prints nothing.
        """

        def warn(why: str) -> None:
            if not at_table:
                click.echo(say(self.language, "no_entropy", why=why))

        patience = 0 if at_table else PATIENCE_SECONDS
        return Client(
            url, key, language=self.language, folder=self.folder, patience=patience, warn=warn
        )

    def _bind(self, table: Table, former: Path | None) -> None:
        """Let the key of this folder be that of the player's seats, which have another one.

        Raises Failure: the player has no such seat, or the ``former`` key cannot be read.
        """
        own, found = self._signing_key(), table.game()
        mine = set(table.own_seats())
        others = [
            seat["seat"] for seat in found["seats"]
            if seat["seat"] in mine and seat["signing_key"] not in (None, own.public)
        ]  # fmt: skip
        if not others:
            raise common.Failure("You have no seat there to which another key is bound.")
        before = None if former is None else self._signing_key(former)
        for seat in others:
            table.client.signing_key = None  # it must not sign in place of a key that is lost
            table.change_signing_key(seat, own, before=before)
            told = "key_bound" if before is not None else "key_replaced"
            click.echo(say(self.language, told, seat=seat))

    def _signing_key(self, former: Path | None = None) -> SigningKey:
        """Return the player's key, which the first table makes at which players sign.

        Or return the one in the file ``former``. Raises Failure: the file has no key, or cannot be
        read or written.
        """
        try:
            if former is not None:
                return SigningKey(bytes.fromhex(former.read_text(encoding="ascii")))
            return SigningKey.kept(self.folder / "signing_key")
        except ValueError as error:
            why = str(error) if former is None else f"{former} has no key of a player"
            raise common.Failure(f"{why}.") from None
        except OSError as error:
            if former is not None:
                raise common.Failure(f"{former} cannot be read: {error.strerror}.") from None
            raise common.Failure(
                f"The key that signs your moves cannot be kept in {self.folder}: {error.strerror}."
                " LONJA_GAMES_DIR names another folder."
            ) from None

    def _new_game(
        self,
        client: Client,
        ruleset: str | None,
        seats: int | None,
        seat: Seat,
        bot: BotOffer,
        options: tuple[str, ...],
        wanted: TableWish,
    ) -> str:
        people, clock = wanted.people, wanted.clock
        ruleset, rules = self._offered(client, ruleset)
        count = rules.info.min_seats if seats is None else seats
        chosen = common.parse_options(rules, count, options)
        if not 0 <= seat < count:
            raise common.Failure(f"There is no seat {seat}: the seats are 0 to {count - 1}.")
        if people > count:
            raise common.Failure(f"There are {count} seats, too few for {people} people: --seats.")
        others = [OPEN] * (people - 1) + [lonja_client.bot(bot.name)] * (count - people)
        holders = [*others[:seat], ME, *others[seat:]]
        try:
            return client.open(
                ruleset, holders, options=chosen, take_back=self.take_back,
                signatures=self.signatures, beacon=self.beacon, **clock,
            ).id  # fmt: skip
        except Refused as refused:
            if refused.code not in OLDER or not self.take_back or self.signatures or self.beacon:
                raise
            return client.open(ruleset, holders, options=chosen, **clock).id

    def _sought(
        self,
        client: Client,
        ruleset: str | None,
        seats: int | None,
        options: tuple[str, ...],
        clock: JsonObject,
    ) -> str:
        """Wait for others who seek the same game; return its id. Raises Failure."""
        if self.beacon is not None:
            raise common.Failure("--beacon is for a table that you open: no --seek.")
        ruleset, rules = self._offered(client, ruleset)
        count = max(2, rules.info.min_seats) if seats is None else seats
        chosen = common.parse_options(rules, count, options)
        title = rules.info.title[self.language]
        click.echo(say(self.language, "seeking", title=title, seats=count))
        table = client.seek(ruleset, count, options=chosen, **clock)
        if table is None:
            raise common.Failure(say(self.language, "nobody_came"))
        return table.id

    def _offered(self, client: Client, ruleset: str | None) -> tuple[str, Ruleset[Any]]:
        """Return the ruleset of a new game at a service. Raises Failure."""
        if ruleset is None or client.key is None:
            raise common.Failure(
                "At a service, name a RULESET for a new table, with your --key, or a --game."
                " Whoever has no key becomes a player with --name NAME."
            )
        return ruleset, ruleset_of(client, self.registry, ruleset)

    def _newest(self) -> saves.Save:
        listed = saves.listed(self.folder)
        if not listed:
            raise common.Failure(say(self.language, "nothing_saved", folder=self.folder))
        return listed[0]

    def list_saved(self) -> None:
        """Print the saved games, newest first."""
        listed = saves.listed(self.folder)
        for save in listed:
            click.echo(f"{save.name}  {self.told(save)}")
        if not listed:
            click.echo(say(self.language, "nothing_saved", folder=self.folder))

    def told(self, save: saves.Save) -> str:
        """Return a line about a saved game, or about its fault."""
        try:
            game = save.read(self.registry).local.game
        except saves.BadSaveError as error:
            return str(error)
        key = "saved_over" if game.over else "saved_at"
        title = game.ruleset.info.title[self.language]
        return say(self.language, key, title=title, when=game.at[:16].replace("T", " "))


def _binds(former: Path | None, game: str | None, *, is_lost: bool) -> bool:
    """Whether another key is to become that of the player's seats. Raises Failure."""
    binds = former is not None or is_lost
    if binds and (game is None or (former is not None and is_lost)):
        raise common.Failure(
            "Either --former-key or --lost-key binds another key to a seat of yours: name its table"
            " with --game."
        )
    return binds


def _signs(client: Client, wanted: TableWish) -> bool:
    """Whether players sign at a table that exists, and the player sits or will sit there."""
    if wanted.game is None:
        return False
    table = client.table(wanted.game)
    required = table.game().get("signatures") is not None
    return required and (wanted.sit or table.own_seats() != [])


def _show(table: GameTable, pace: float | None, shade: str) -> None:
    """Play on the whole screen."""
    from service.cli.terminal.app import TerminalApp  # noqa: PLC0415 - lines need no Textual
    from service.cli.terminal.table_screen import TableScreen  # noqa: PLC0415

    TerminalApp(TableScreen(table, pace), shade=shade).run()
    _leave(table)


def _choose(room: TableSource, shade: str) -> None:
    """Ask on the whole screen what to play, and play it."""
    from service.cli.terminal.app import TerminalApp  # noqa: PLC0415 - as above
    from service.cli.terminal.chooser import Chooser, Wish  # noqa: PLC0415
    from service.cli.terminal.table_screen import TableScreen  # noqa: PLC0415

    opened: list[LocalTable] = []

    def begin(wish: Wish) -> TableScreen:
        if wish.saved:
            table = room.resume(wish.saved)
        else:
            offer = room.bots[wish.bot]
            table = room.open(wish.ruleset, wish.seats, wish.seat, offer, None)
        opened.append(table)
        return TableScreen(table, wish.pace)

    newest = saves.listed(room.folder)[:OFFERED]
    saved = [(save.name, f"{save.name}, {room.told(save)}") for save in newest]
    chooser = Chooser(room.registry, list(room.bots.values()), saved, room.language)
    TerminalApp(chooser, then=begin, shade=shade).run()
    for table in opened:
        _leave(table)


def _tell(table: GameTable) -> None:
    """Play in lines."""
    try:
        plain.play(table)
    except MoveRefusedError as error:
        _leave(table)
        raise common.Failure(str(error)) from None
    except (click.Abort, EOFError, KeyboardInterrupt):
        click.echo("\n" + say(table.language, "quit"))
        _leave(table)
    finally:
        table.close()


def _leave(table: GameTable) -> None:
    """Print how the game ended, or how to come back to it."""
    position = table.position()
    if position.result is not None:
        plain.tell_result(table, position.result, position.resigned)
    elif table.comes_back:
        click.echo(table.comes_back)
