"""Names: readable texts are allowed, hidden characters are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text import BadTextError, clean

GOOD = [
    "Ana", "Ana María", "O’Brien-Śmith 2.0", "山田太郎", "Юлия", "עומר", "محمد", "x² ½ ™", "=1+1",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
    "क्\u200dष", "葛\U000e0100城", "a'b\"c<d>", "e\u0301\u0323",
    "👩\u200d🚀", "❤\ufe0f\u200d🔥", "👩🏽\u200d⚕\ufe0f", "1\ufe0f\u20e3",
]  # fmt: skip
BAD = {
    "control": ["a\nb", "a\tb", "\x00", "a\x1bb", "a\x7fb", "a\x85b", "a\r"],
    "bidi": [f"a{char}b" for char in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067"
             "\u2068\u2069"],
    "invisible": ["\u200b", "a\u200bb", "\u2060", "a\ufeffb", "a\u00adb", "\u3164", "\u115f\u1160",
                  "\uffa0", "a\u034fb", "a\u180eb", "a\U000e0041b"],
    "joiners": ["\u200d", "\u200c\u200c", "A\u200dna", "A\u200cna", "Ana\u200d", "\u200dAna",
                "🚀\u200d", "م\u200c", "👩\u200d\u200d🚀"],
    "selectors": ["\ufe0f", "A\ufe0fna", "❤\ufe0f\ufe0f", " \ufe0f"],
    "noncharacters": ["a\ufffe", "a\uffff", "a\ufdd0", "a\U0001fffe", "a\U0010ffff"],
    "surrogates": ["a\ud800", "\udc80"],
    "unassigned and private": ["a\u0378", "a\ue000", "a\U000f0000"],
    "lines": ["a\u2028b", "a\u2029b"],
    "nothing": ["", " ", "\u00a0", "\u3000 ", "\u2800", "\u0301"],
    "marks": ["\u0301a", "a" + "\u0300\u0316" * 3],
}  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_names_of_all_scripts_are_taken(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize("text", [text for texts in BAD.values() for text in texts], ids=ascii)
def test_what_hides_is_refused_by_name(text: str) -> None:
    with pytest.raises(BadTextError, match=r"^U\+[0-9A-F]{4,6}|^it shows nothing$"):
        clean(text)


def test_equal_texts_are_kept_equal() -> None:
    assert clean(" Ana\u00a0\u2003 Mari\u0301a ") == "Ana María"


@given(st.text(max_size=20))
def test_what_is_kept_is_clean(text: str) -> None:
    try:
        kept = clean(text)
    except BadTextError:
        return
    assert clean(kept) == kept
    assert kept == kept.strip() != ""
    kept.encode()
