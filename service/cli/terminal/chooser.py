"""The choice of a game: ruleset, players, bots and pace, one question after the other."""

from collections.abc import Callable, Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from rules.kernel.contract import published
from rules.kernel.contract.registry import Registry
from rules.kernel.contract.ruleset import RulesetInfo
from rules.kernel.contract.seats import Seat
from service.catalogue.bots import BotOffer, called
from service.cli.terminal.table_screen import PACES
from service.cli.terminal.texts import say

USUAL_BOT = "greedy"


class Wish(NamedTuple):
    """A requested game: a saved one by its name, or a new one."""

    saved: str = ""
    ruleset: str = ""
    seats: int = 0
    seat: Seat = Seat(0)
    bot: str = USUAL_BOT
    pace: float | None = 1


class MoveOption(NamedTuple):
    """An option: its words, and the wish that results from it."""

    text: str
    wish: Wish
    usual: bool = False


class Chooser(Screen[Wish]):
    """Asks for the game to play."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", priority=True)]

    def __init__(
        self,
        registry: Registry,
        bots: Sequence[BotOffer],
        saved: Sequence[tuple[str, str]],
        language: str,
    ) -> None:
        """Begin the questions; ``saved`` has the name and description of each saved game."""
        super().__init__()
        self._registry = registry
        self._bots = bots
        self._saved = saved
        self._language = language
        self._wishes: list[Wish] = [Wish()]
        self._answers: list[MoveOption] = []

    def compose(self) -> ComposeResult:
        yield Static("Lonja", id="title")
        yield Static(id="question")
        yield OptionList(id="answers")
        yield Static(self._say("start"), id="keys", markup=False)

    def on_mount(self) -> None:
        self._ask()

    def _say(self, key: str, **values: object) -> str:
        return say(self._language, key, **values)

    @property
    def _questions(self) -> Sequence[tuple[str, Callable[[Wish], list[MoveOption]]]]:
        return (
            (self._say("chooser"), self._games),
            (self._say("seats"), self._seats),
            (self._say("seat"), self._places),
            (self._say("bot"), self._opponents),
            (self._say("pace_asked"), self._paces),
        )

    def _ask(self) -> None:
        question, answers = self._questions[len(self._wishes) - 1]
        wish = self._wishes[-1]
        self._answers = answers(wish)
        game = f"{self._info(wish).title[self._language]} · " if wish.ruleset else ""
        self.query_one("#question", Static).update(Content(f"{game}{question}"))
        listed = self.query_one("#answers", OptionList)
        listed.set_options([Content(answer.text) for answer in self._answers])
        usual = (n for n, answer in enumerate(self._answers) if answer.usual)
        listed.highlighted = next(usual, 0)
        listed.focus()

    def _info(self, wish: Wish) -> RulesetInfo:
        return self._registry.find(wish.ruleset).info

    def _games(self, wish: Wish) -> list[MoveOption]:
        games = [
            MoveOption(
                f"{info.title[self._language]} ({info.designer}, {info.year};"
                f" {info.min_seats}–{info.max_seats})",
                wish._replace(ruleset=info.id),
            )
            for info in (ruleset.info for ruleset in self._registry)
        ]
        title = self._say("chooser_resume")
        saved = [
            MoveOption(f"{title}: {text}", wish._replace(saved=name)) for name, text in self._saved
        ]
        return [*games, *saved]

    def _seats(self, wish: Wish) -> list[MoveOption]:
        info = self._info(wish)
        return [
            MoveOption(self._say("seats_of", count=count), wish._replace(seats=count))
            for count in range(info.min_seats, info.max_seats + 1)
        ]

    def _places(self, wish: Wish) -> list[MoveOption]:
        words = self._registry.find(wish.ruleset).labels.tables[self._language]
        return [
            MoveOption(
                f"{seat + 1}. {words.get(f'seat.{seat}', '')}".strip(),
                wish._replace(seat=Seat(seat)),
            )
            for seat in range(wish.seats)
        ]

    def _opponents(self, wish: Wish) -> list[MoveOption]:
        return [
            MoveOption(
                self._bot_text(offer, wish),
                wish._replace(bot=offer.name),
                offer.name == USUAL_BOT,
            )
            for offer in self._bots
            if offer.plays(wish.ruleset)
        ]

    def _bot_text(self, offer: BotOffer, wish: Wish) -> str:
        """Return a bot's name and strength in words, with the figures that were measured."""
        if offer.level is None:
            return offer.called
        words = self._say(f"bot_level_{offer.level}")
        measured = published.strength(self._registry.find(wish.ruleset)).get(offer.name)
        if measured is not None:
            times = round(100 * measured["points"])
            words += self._say("bot_strength", other=called(measured["against"]), times=times)
        return self._say("bot_level", name=offer.called, level=offer.level, words=words)

    def _paces(self, wish: Wish) -> list[MoveOption]:
        return [
            MoveOption(pace_text(pace, self._language), wish._replace(pace=pace), pace == wish.pace)
            for pace in PACES
        ]

    @on(OptionList.OptionSelected)
    def _picked(self, event: OptionList.OptionSelected) -> None:
        wish = self._answers[event.option_index].wish
        if wish.saved or len(self._wishes) == len(self._questions):
            self.dismiss(wish)
            return
        self._wishes.append(wish)
        self._ask()

    def action_back(self) -> None:
        """Go back to the previous question."""
        if len(self._wishes) > 1:
            self._wishes.pop()
            self._ask()


def pace_text(pace: float | None, language: str) -> str:
    """Return a pace in words."""
    if pace is None:
        return say(language, "pace_step")
    return say(language, "pace", seconds=f"{pace:g}")
