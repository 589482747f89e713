"""Pages over the table: the log, the result, the rules, the help."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from rich.markdown import Markdown
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from rules.kernel.contract import published
from rules.kernel.contract.drawing import Line
from rules.kernel.contract.ruleset import Ruleset
from service.cli.terminal.lines import DrawingView
from service.cli.terminal.rulebook import explained, sections, without_anchors
from service.cli.terminal.styles import Palette
from service.cli.terminal.tables import GameView
from service.cli.terminal.texts import say


class TextScreen(ModalScreen[None]):
    """A page in front of the table. On a large terminal the table stays visible around it."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012 - as Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss"),
        Binding("up,k", "scroll(-1, False)", priority=True),
        Binding("down,j", "scroll(1, False)", priority=True),
        Binding("pageup", "scroll(-1, True)", priority=True),
        Binding("pagedown,space", "scroll(1, True)", priority=True),
        Binding("home", "end(-1)", priority=True),
        Binding("end", "end(1)", priority=True),
    ]

    def __init__(self, title: str, language: str, hints: str = "") -> None:
        super().__init__()
        self._title = title
        self._hints = hints or f"{say(language, 'scroll')} · {say(language, 'close')}"

    def compose(self) -> ComposeResult:
        with Vertical(id="page"):
            yield Static(self._title, id="title", markup=False)
            yield from self.content()
            yield Static(f"[@click=screen.dismiss]{self._hints}[/]", id="keys")

    def content(self) -> ComposeResult:
        """Yield the scrolling content, under the id ``text``."""
        raise NotImplementedError

    def action_scroll(self, by: int, page: bool) -> None:  # noqa: FBT001 - Textual calls it so
        """Scroll by a line or a page."""
        pane = self.query_one("#text")
        step = max(1, pane.size.height - 1) if page else 1
        pane.scroll_relative(y=by * step, animate=False, force=True, immediate=True)

    def action_end(self, which: int) -> None:
        """Scroll to the beginning or the end."""
        pane = self.query_one("#text")
        if which < 0:
            pane.scroll_home(animate=False)
        else:
            pane.scroll_end(animate=False)


class LinesPage(TextScreen):
    """Lines that are made for a given width."""

    def __init__(
        self,
        title: str,
        lines: Callable[[int], Sequence[Line]],
        palette: Palette,
        language: str,
        *,
        at_end: bool = False,
    ) -> None:
        super().__init__(title, language)
        self._lines = lines
        self._palette = palette
        self._at_end = at_end

    def content(self) -> ComposeResult:
        yield DrawingView(id="text", at_end=self._at_end)

    def on_mount(self) -> None:
        self.call_after_refresh(self._fill)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        pane = self.query_one("#text", DrawingView)
        pane.show(self._lines(max(20, pane.size.width - 1)), self._palette)


class RulesPage(TextScreen):
    """The rules, section by section."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab,right", "section(1)", priority=True),
        Binding("shift+tab,left", "section(-1)", priority=True),
    ]

    def __init__(self, ruleset: Ruleset[Any], language: str, anchor: str = "") -> None:
        hints = " · ".join(say(language, key) for key in ("sections", "scroll", "close"))
        super().__init__(say(language, "rules"), language, hints)
        text = published.rules_text(ruleset, language) or say(language, "no_rules")
        self._sections = sections(text)
        self._at = next((n for n, one in enumerate(self._sections) if f'"{anchor}"' in one), 0)

    def content(self) -> ComposeResult:
        with VerticalScroll(id="text", can_focus=False):
            yield Static(id="section")

    def on_mount(self) -> None:
        self._fill()

    def _fill(self) -> None:
        self.query_one("#section", Static).update(
            Markdown(without_anchors(self._sections[self._at]))
        )
        title = f"{self._title}  {self._at + 1}/{len(self._sections)}"
        self.query_one("#title", Static).update(title)

    def action_section(self, by: int) -> None:
        """Turn to the next section, or to the section before."""
        self._at = (self._at + by) % len(self._sections)
        self._fill()
        self.query_one("#text").scroll_home(animate=False)


class HintPage(TextScreen):
    """A hint: what a bot would do, and what the best moves should bring."""

    def __init__(self, title: str, lines: Sequence[str], language: str) -> None:
        super().__init__(title, language)
        self._lines = lines

    def content(self) -> ComposeResult:
        with VerticalScroll(id="text", can_focus=False):
            for text in self._lines:
                yield Static(text, markup=False)


class HelpPage(TextScreen):
    """Help: it explains the question, each choice, the rules for the question, and the keys."""

    def __init__(
        self, ruleset: Ruleset[Any], language: str, position: GameView, pace: str, back: str
    ) -> None:
        super().__init__(say(language, "help"), language)
        self._texts = [*explained(ruleset, language, position)]
        self._keys = say(language, "keys_text", pace=pace, back=back)
        self._keys_title = say(language, "keys_title")

    def content(self) -> ComposeResult:
        with VerticalScroll(id="text", can_focus=False):
            for text in self._texts:
                yield Static(Markdown(text))
            yield Static(Markdown(f"## {self._keys_title}"))
            yield Static(self._keys, markup=False)
