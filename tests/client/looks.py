"""The ways in which people look at the pages: language, colours, and the size of the screen."""

from itertools import product
from typing import Any, NamedTuple

LANGUAGES = {"en": "en-GB", "es": "es-ES"}
COLOURS: dict[str, dict[str, str]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active", "color_scheme": "dark"},
}
SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1280, 800)}


class Look(NamedTuple):
    """A language, colours and a size; the members are keys of the tables above."""

    language: str
    colours: str
    size: str

    @property
    def context(self) -> dict[str, Any]:
        """The look as Playwright's options of a browser context."""
        width, height = SIZES[self.size]
        size = {"width": width, "height": height}
        return {"locale": LANGUAGES[self.language], "viewport": size, **COLOURS[self.colours]}

    def __str__(self) -> str:
        return f"{self.language}-{self.colours}-{self.size}"


LOOKS = [Look(*each) for each in product(LANGUAGES, COLOURS, SIZES)]
SOME = [
    Look("en", "light", "phone"),
    Look("es", "dark", "desk"),
    Look("en", "contrast", "tablet"),
    Look("es", "forced", "phone"),
]
"""A few looks in which each language, each size and each set of colours occurs."""
