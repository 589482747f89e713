"""The program: its sequence of screens, its colours, and its end."""

import os
from collections.abc import Callable
from typing import Any, ClassVar

import click
from textual.app import App
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.screen import Screen

from rules.kernel.contract.ruleset import Ruleset
from service.cli.terminal.styles import Palette

Then = Callable[[Any], Screen[Any]]
DARK, LIGHT = "textual-dark", "textual-light"
AUTO = "auto"


class TerminalApp(App[None]):
    """Shows screens until the user quits."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    TITLE = "Lonja"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q,ctrl+c", "quit", priority=True),
        Binding("f7,ctrl+t", "shade", priority=True),
    ]

    def __init__(self, first: Screen[Any], *, then: Then | None = None, shade: str = AUTO) -> None:
        """Begin with the screen ``first``.

        When a screen ends, the function ``then`` gets its result and returns the next screen.
        ``shade`` is light, dark, or auto, for the shade of the terminal.
        """
        # With the terminal's own colours, Textual leaves them alone if NO_COLOR asks for that.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._first = first
        self._then = then
        self._palettes: dict[tuple[str, str], Palette] = {}
        self.animation_level = "none"  # each frame of an animation would be sent over the network
        light = shade == "light" or (shade == AUTO and _is_light(os.environ.get("COLORFGBG", "")))
        self.theme = LIGHT if light else DARK

    def on_mount(self) -> None:
        self.push_screen(self._first, self._go_on)

    def _go_on(self, result: Any) -> None:
        if self._then is None:
            self.exit()
            return
        try:
            screen = self._then(result)
        except click.ClickException as error:
            self.exit(return_code=error.exit_code, message=error.format_message())
            return
        self._then = None
        self.push_screen(screen, self._go_on)

    def palette(self, ruleset: Ruleset[Any]) -> Palette:
        """Return the styles of a game in the current colours."""
        key = (ruleset.info.id, self.theme)
        if key not in self._palettes:
            colours = self.current_theme.to_color_system().generate()
            background = Color.parse(colours["background"])
            self._palettes[key] = Palette(ruleset, background, dark=self.current_theme.dark)
        return self._palettes[key]

    def action_shade(self) -> None:
        """Switch between light and dark."""
        self.theme = DARK if self.theme == LIGHT else LIGHT
        redraw_soon = getattr(self.screen, "redraw_soon", None)
        if redraw_soon is not None:
            redraw_soon()


def _is_light(colours: str) -> bool:
    """Whether a terminal says (``COLORFGBG``, as "0;15") that its background is light."""
    background = colours.rpartition(";")[2]
    return background in {"7", "9", "10", "11", "12", "13", "14", "15"}
