"""One-line text that others see: names, and reasons.

The allowed characters follow the FreeformClass of PRECIS (RFC 8264): letters, digits, marks,
punctuation and symbols of every script, but none that is invisible, changes the direction of the
text around it, or is unassigned. Joiners and variation selectors are allowed only where a script
needs them, as in PRECIS, and within emoji. Text is stored in NFC with single plain spaces (RFC
8265, OpaqueString; RFC 8266). Programs compare ids, not names, so neither NFKC, which would change
the text, nor a search for look-alike names (UTS 39) is needed.
"""

import unicodedata

MOST_MARKS = 4
"""Maximum marks on one letter (UTS 39, 5.4)."""

_REFUSED = {
    "Cc": "is a control character",
    "Cf": "is invisible, or changes how the text around it is shown",
    "Cn": "is not assigned to any character",
    "Co": "is for private use: nobody else knows what it shows",
    "Cs": "is half a character",
    "Zl": "breaks the line",
    "Zp": "breaks the line",
}
"""The reasons for refusing characters, by general category."""
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x3164, 0xFFA0}
"""Invisible characters whose category is that of a letter or a mark."""
_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_VIRAMA = 9
_SELECTABLE = ("So", "Sm", "Po", "Pd", "Nd", "Lo")
_BLANK = "\u2800"
"""The one blank among the symbols."""


class BadTextError(ValueError):
    """A text is not allowed; the message names the fault."""


def clean(text: str) -> str:
    """Return a text in its stored form; cleaning is idempotent.

    Raises:
        BadTextError: the text has a character that is not allowed, or nothing visible.
    """
    for char in text:
        if char not in (_ZWNJ, _ZWJ):
            why = _REFUSED.get(unicodedata.category(char))
            if why or ord(char) in _INVISIBLE:
                raise BadTextError(f"{_named(char)} {why or _REFUSED['Cf']}")
    kept = unicodedata.normalize("NFC", " ".join(text.split()))
    if not any(unicodedata.category(char)[0] in "LNPS" and char != _BLANK for char in kept):
        raise BadTextError("it shows nothing")
    _check_places(kept)
    return kept


def _check_places(text: str) -> None:
    """Raise BadTextError if a mark, joiner or selector stands where it has no effect."""
    marks = 0
    for before, char, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks > MOST_MARKS:
            raise BadTextError(f"{_named(char)} is one of too many marks on one letter")
        if char in (_ZWNJ, _ZWJ):
            fits = _joins(before, char, after)
        elif ord(char) in _SELECTORS:
            fits = unicodedata.category(before) in _SELECTABLE and ord(before) not in _SELECTORS
        else:
            fits = before != " " or unicodedata.category(char)[0] != "M"
        if not fits:
            raise BadTextError(f"{_named(char)} does nothing where it is")


def _joins(before: str, joiner: str, after: str) -> bool:
    """Whether a joiner has an effect between ``before`` and ``after``.

    It has an effect in some scripts, and between the symbols of an emoji.
    """
    if unicodedata.combining(before) == _VIRAMA:
        return after != " "
    if joiner == _ZWNJ:
        within = unicodedata.bidirectional(before) in ("AL", "NSM")
        return within and unicodedata.bidirectional(after) == "AL"
    is_symbol = unicodedata.category(before) in ("So", "Sk") or ord(before) in _SELECTORS
    return is_symbol and unicodedata.category(after) == "So"


def _named(char: str) -> str:
    name = unicodedata.name(char, "")
    return f"U+{ord(char):04X}{f' ({name})' if name else ''}"
