"""The ways in which people look at the pages: language, colours, and how wide the screen is."""

from itertools import product
from typing import Any, NamedTuple

LANGUAGES = {"en": "en-GB", "es": "es-ES"}
COLOURS: dict[str, dict[str, str]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active", "color_scheme": "dark"},
}
WIDTHS = {360: 740, 1400: 900}


class Look(NamedTuple):
    """A language, colours and a width; the members are keys of the tables above."""

    language: str
    colours: str
    width: int

    @property
    def context(self) -> dict[str, Any]:
        """The look as Playwright's options of a browser context."""
        size = {"width": self.width, "height": WIDTHS[self.width]}
        return {"locale": LANGUAGES[self.language], "viewport": size, **COLOURS[self.colours]}

    def __str__(self) -> str:
        return f"{self.language}-{self.colours}-{self.width}"


LOOKS = [Look(*each) for each in product(LANGUAGES, COLOURS, WIDTHS)]
SOME = [
    Look("en", "light", 360),
    Look("es", "dark", 1400),
    Look("en", "contrast", 1400),
    Look("es", "forced", 360),
]
"""A few looks in which each language, each width and each set of colours occurs."""
