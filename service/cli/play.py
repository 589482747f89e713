"""``lonja play``: a seat against bots, here in the terminal."""

import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.move import Move
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import Ruleset
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import BOTS, BotOffer
from service.cli import common, local, words

PAGE = 20

_TEXTS = {
    "en": {
        "you": "You are {0}. Game seed: {1} (`--seed {1}` plays it again).",
        "asked": "{0}: {1}",
        "help": "Type a number, Enter for more, /word to search, b for the board, q to quit",
        "more": "… {0} more: Enter shows them",
        "prompt": "Your move",
        "what": "{0!r} is not in the list: type a number from 1 to {1}.",
        "none": "Nothing in the list has {0!r} in it.",
        "quit": "You left the game.",
    },
    "es": {
        "you": "Eres {0}. Semilla: {1} (`--seed {1}` repite la partida).",
        "asked": "{0}: {1}",
        "help": "Escribe un número, Intro para ver más, /palabra para buscar, b tablero, q salir",
        "more": "… {0} más: pulsa Intro",
        "prompt": "Tu jugada",
        "what": "{0!r} no está en la lista: escribe un número del 1 al {1}.",
        "none": "Nada en la lista contiene {0!r}.",
        "quit": "Has dejado la partida.",
    },
}


@click.command("play", short_help="Play a game against bots, here in the terminal.")
@click.argument("ruleset", required=False)
@click.option("--seats", type=int, help="How many seats; without it, as few as the game allows.")
@click.option("--seat", type=int, default=0, show_default=True, help="Which seat is yours.")
@click.option(
    "--bot",
    default="greedy",  # it answers at once
    show_default=True,
    help=f"Who plays the other seats: {', '.join(BOTS)}, or a bot of LONJA_EXTRA_BOTS.",
)
@click.option("--seed", help="Equal seeds, equal luck; without it, a new one.")
@common.rules_option
@common.language_option
def command(
    ruleset: str | None,
    seats: int | None,
    seat: Seat,
    bot: str,
    seed: str | None,
    options: tuple[str, ...],
    language: str,
) -> None:
    """Play RULESET against bots; without RULESET, list what can be played.

    Nothing is stored, and no service needs to run.
    """
    registry = common.load_registry()
    offer = common.find_bot(bot)
    if ruleset is None:
        for known in registry:
            click.echo(f"{known.info.id}  {known.info.title[language]}")
        return
    rules = common.find_ruleset(registry, ruleset)
    count = rules.info.min_seats if seats is None else seats
    chosen = common.parse_options(rules, count, options)
    if not 0 <= seat < count:
        raise common.Failure(f"There is no seat {seat}: the seats are 0 to {count - 1}.")
    table = Table(
        registry, rules, count, seat, offer, chosen, seed or secrets.token_hex(4), language
    )
    try:
        table.play()
    except (click.Abort, EOFError):
        click.echo("\n" + _TEXTS[language]["quit"])


class Table:
    """One person and bots at one table."""

    def __init__(
        self,
        registry: Registry,
        ruleset: Ruleset[Any],
        seats: int,
        seat: Seat,
        bot: BotOffer,
        options: JsonObject,
        seed: str,
        language: str,
    ) -> None:
        self._seat = seat
        self._ruleset = ruleset
        self._language = language
        self._seed = seed
        self._deciding = common.deciding_module()
        holders: list[JsonObject] = [
            {"player": "you"} if number == seat else bot.holder() for number in range(seats)
        ]
        self._local = local.start(registry, ruleset.info.id, holders, options, seed)
        self._teller = words.Teller(self._local.game.id, registry, language, seat)
        self._told = 0

    def play(self) -> None:
        """Play to the end. Raises click.Abort if the person quits."""
        self._say("you", self._name(), self._seed)
        game = self._local.game
        while not game.over:
            others = [seat for seat in sorted(game.asked) if seat != self._seat]
            if others:
                self._let_bot_play(others[0])
            else:
                self._tell()
                move = self._ask()
                self._local.change(
                    lambda batch, move=move: batch.move(  # type: ignore[misc]  # bound now
                        self._seat, move.to_json(), {"seat": self._seat}
                    )
                )
        self._tell()
        click.echo(self._teller.board())

    def _let_bot_play(self, seat: Seat) -> None:
        try:
            decided = self._deciding.decide(self._local.game, seat, self._local.secrets.salt)
            self._local.change(decided.record)
        except self._deciding.BotFailure as failure:  # the rules answer for it, as in the service
            self._local.change(partial(failure.record, seat=seat))

    def _tell(self) -> None:
        for event in self._local.events[self._told :]:
            for line in self._teller.tell(event):
                click.echo(line)
        self._told = len(self._local.events)

    def _ask(self) -> Move[Any]:
        game = self._local.game
        self._show_board()
        moves = self._ruleset.legal_moves(game.state, self._seat)
        what = words.decision_text(self._ruleset, game.question, self._language)
        self._say("asked", self._name(), what)
        return self._choose(moves)

    def _choose(self, moves: Sequence[Move[Any]]) -> Move[Any]:
        """Ask until a number of the list is typed; long lists come in pages."""
        state = self._local.game.state
        texts = [
            words.move_text(self._ruleset, move, self._language, state, self._seat)
            for move in moves
        ]
        listed = list(range(len(moves)))
        shown = self._page(texts, listed, 0)
        self._say("help")
        while True:
            typed = click.prompt(self._text("prompt"), default="", show_default=False).strip()
            if typed.lower() in ("q", "quit"):
                raise click.Abort
            if typed.isdecimal() and 1 <= int(typed) <= len(moves):
                return moves[int(typed) - 1]
            if typed == "":
                shown = self._page(texts, listed, shown % len(listed))
            elif typed.startswith("/"):
                found = [n for n, text in enumerate(texts) if typed[1:].lower() in text.lower()]
                if not found:
                    self._say("none", typed[1:])
                listed = found or list(range(len(moves)))
                shown = self._page(texts, listed, 0)
            elif typed.lower() == "b":
                self._show_board()
            else:
                self._say("what", typed, len(moves))

    def _page(self, texts: list[str], listed: list[int], first: int) -> int:
        """Show a page of the list from ``first``; return where the next page begins."""
        page = listed[first : first + PAGE]
        for number in page:
            click.echo(f"{number + 1:>4}  {texts[number]}")
        left = len(listed) - first - len(page)
        if left:
            self._say("more", left)
        return first + len(page)

    def _show_board(self) -> None:
        click.echo(f"\n{self._teller.board()}\n")

    def _name(self) -> str:
        return words.seat_text(self._ruleset, self._seat, self._language)

    def _text(self, key: str, *values: object) -> str:
        return _TEXTS[self._language][key].format(*values)

    def _say(self, key: str, *values: object) -> None:
        click.echo(self._text(key, *values))
