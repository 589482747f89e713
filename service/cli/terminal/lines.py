"""A scrolling pane of styled lines that redraws only changed ones."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from rules.kernel.contract.drawing import Line
from service.cli.terminal.styles import Palette


class DrawingView(ScrollView, can_focus=False):
    """A drawing's lines; its height is their number by default."""

    DEFAULT_CSS = """
    DrawingView { height: auto; scrollbar-size: 1 1; }
    """

    def __init__(self, *, id: str, at_end: bool = False) -> None:  # noqa: A002 - as Textual has it
        """``at_end``: start at the last lines."""
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
