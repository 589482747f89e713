"""A scrolling pane of styled lines that redraws only changed ones."""

from collections.abc import Collection, Sequence

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rules.kernel.contract.drawing import Line
from service.cli.terminal.styles import Palette


class DrawingView(ScrollView, can_focus=False):
    """The lines of a drawing. By default, its height is the number of lines."""

    class Clicked(Message):
        """Somebody has clicked on a place of the drawing."""

        def __init__(self, pane: "DrawingView", place: str) -> None:
            super().__init__()
            self.pane = pane
            self.place = place

        @property
        def control(self) -> "DrawingView":
            """The pane that sent the message. Textual uses it to select the handlers."""
            return self.pane

    DEFAULT_CSS = """
    DrawingView { height: auto; scrollbar-size: 1 1; }
    """

    def __init__(self, *, id: str, at_end: bool = False) -> None:  # noqa: A002 - as Textual has it
        """Begin with the first lines, or with the last ones if ``at_end`` is true."""
        super().__init__(id=id)
        self._lines: tuple[Line, ...] = ()
        self._strips: list[Strip] = []
        self._palette: Palette | None = None
        self._at_end = at_end

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the pane."""
        return self._lines

    def show(self, lines: Sequence[Line], palette: Palette) -> None:
        """Show these lines; redraw only the changed ones."""
        before, recoloured = self._strips, palette is not self._palette
        self._lines, self._palette = tuple(lines), palette
        self._strips = [
            Strip([Segment(span.text, palette.style(span.style)) for span in line])
            for line in self._lines
        ]
        width = max((strip.cell_length for strip in self._strips), default=0)
        grown = len(before) != len(self._strips)
        self.virtual_size = Size(width, len(self._strips))
        if grown or recoloured:
            self.refresh(layout=grown)
        else:
            for y, (old, new) in enumerate(zip(before, self._strips, strict=True)):
                if old != new:
                    self.refresh_line(y)
        if self._at_end:
            self.call_after_refresh(self.scroll_end, animate=False)

    def reveal(self, places: Collection[str]) -> None:
        """Scroll until places are visible: all of their lines if they fit, or else the first."""
        there = [
            number
            for number, spans in enumerate(self._lines)
            if any(span.place in places for span in spans if span.place)
        ]
        if there:
            height = min(there[-1] - there[0] + 1, max(1, self.size.height))
            region = Region(0, there[0], 1, height)
            self.scroll_to_region(region, animate=False, force=True, immediate=True)

    def on_click(self, event: events.Click) -> None:
        """Post ``Clicked`` with the place that somebody has clicked on."""
        at = event.get_content_offset(self)
        if at is None:
            return
        column, number = at + self.scroll_offset
        for span in self._lines[number] if number < len(self._lines) else ():
            column -= len(span.text)
            if column < 0:
                if span.place:
                    self.post_message(self.Clicked(self, span.place))
                return

    def get_content_height(self, _container: Size, _viewport: Size, _width: int) -> int:
        """Return the number of lines."""
        return len(self._strips)

    def render_line(self, y: int) -> Strip:
        """Return a line as it is displayed."""
        scroll_x, scroll_y = self.scroll_offset
        number = scroll_y + y
        width = self.scrollable_content_region.width
        style = self.rich_style
        if number >= len(self._strips):
            return Strip.blank(width, style)
        return (
            self._strips[number].crop_extend(scroll_x, scroll_x + width, style).apply_style(style)
        )
