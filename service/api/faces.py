"""Faces of bots, drawn as small SVG pictures: the same face for the same name, everywhere.

A face is put together from the parts below. The bots of this project have chosen ones; the parts of
any other face follow from a hash of its name, which is a bot's name or a player's id.
"""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

NAME = re.compile(r"[A-Za-z0-9._-]{1,80}")
"""The pattern of the names that have a face: names of bots, and ids of players."""

GROUNDS = ("#cfe3ea", "#f1dfb8", "#dcd3ea", "#d5e5cd", "#f3d3c6", "#d9dee8")
SKINS = ("#f2c9a5", "#dfa67c", "#b87a52", "#8a5636")
HAIRS = ("#2b2220", "#5a3a22", "#9a5b2b", "#c99a4b", "#a9a6a3")
COATS = ("#2f5d7c", "#8c3b3b", "#3f6b4a", "#6a4c86", "#a8702a", "#454b57")
INK = "#2a211c"

CUTS = (
    '<path d="M19 29C17 18 24 12 32 12s15 6 13 17c-2-5-5-8-9-8-6 0-13 1-17 8z"/>',
    '<path d="M19 30c-1-12 6-18 14-18s13 6 12 17c-3-2-6-6-7-9-5 5-13 5-19 10z"/>',
    '<circle cx="32" cy="8" r="6"/><path d="M19 28c-1-11 5-16 13-16s14 5 13 16c-5-7-21-7-26 0z"/>',
    '<path d="M17 27a6 6 0 0 1 3-11 6 6 0 0 1 10-5 6 6 0 0 1 11 2 6 6 0 0 1 6 13q-15-10-30 1z"/>',
    '<path d="M18 24c0-9 6-13 14-13s14 4 14 13z"/><path d="M17 22h33v4H17z"/>',
)
"""The hair in front, or a cap."""
LONG = '<path d="M16 30c0-14 8-19 16-19s16 5 16 19v20H16z"/>'
"""Long hair, behind the head."""
MOUTHS = (
    '<path d="M27 37q5 4 10 0"/>',
    '<path d="M26.5 37h11q-5.5 6-11 0z" fill="#fff"/>',
    '<path d="M28 38h8"/>',
    '<path d="M27 38.5q6 1 9-2"/>',
)
_ROUND = "M{} 25a4 4 0 0 1 0 8 4 4 0 0 1 0-8z"
EXTRAS = (
    "",
    f'<path d="{_ROUND.format(27)}{_ROUND.format(37)}M31 29h2" fill="none" stroke="#333"/>',
    '<g fill="#d8a531"><circle cx="19" cy="36" r="1.8"/><circle cx="45" cy="36" r="1.8"/></g>',
    '<path d="M20 33c1 8 5 12 12 12s11-4 12-12c-3 4-6 2-12 2s-9 2-12-2z" fill="HAIR"/>',
    '<path d="M25 35.5q7-4 14 0-7 1.5-14 0z" fill="HAIR"/>',
)
"""Glasses, earrings, a beard, a moustache."""


class Face(NamedTuple):
    """The parts of a face, as indexes into the lists above; ``long`` is 1 if the hair is long."""

    ground: int
    skin: int
    hair: int
    coat: int
    cut: int
    long: int
    mouth: int
    extra: int


CHOSEN = {
    "random": Face(1, 0, 2, 1, 4, 0, 1, 0),
    "greedy": Face(4, 1, 0, 4, 1, 1, 1, 2),
    "lookahead": Face(0, 2, 0, 2, 0, 0, 0, 4),
    "search": Face(2, 0, 1, 3, 2, 0, 3, 0),
    "search-deep": Face(3, 3, 4, 0, 2, 0, 0, 1),
}
"""The faces of the bots of this project, by name."""


def face_of(name: str) -> Face:
    """Return the face of a bot or player."""
    if name in CHOSEN:
        return CHOSEN[name]
    drawn = iter(sha256(name.encode()).digest())

    def one_of(parts: Sequence[str]) -> int:
        return next(drawn) % len(parts)

    return Face(
        one_of(GROUNDS), one_of(SKINS), one_of(HAIRS), one_of(COATS), one_of(CUTS),
        next(drawn) % 2, one_of(MOUTHS), one_of(EXTRAS),
    )  # fmt: skip


def svg(face: Face) -> str:
    """Return a face as an SVG document of 64 by 64."""
    skin, hair = SKINS[face.skin], HAIRS[face.hair]
    is_cap = face.cut == len(CUTS) - 1
    return "".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
            '<clipPath id="round"><circle cx="32" cy="32" r="32"/></clipPath>',
            f'<g clip-path="url(#round)"><path d="M0 0h64v64H0z" fill="{GROUNDS[face.ground]}"/>',
            f'<g fill="{hair}">{LONG * face.long}</g>',
            f'<path d="M8 66c0-13 9-19 24-19s24 6 24 19z" fill="{COATS[face.coat]}"/>',
            f'<g fill="{skin}"><path d="M27 38h10v9q-5 5-10 0z"/>',
            '<circle cx="19.5" cy="30" r="2.8"/><circle cx="44.5" cy="30" r="2.8"/>',
            '<ellipse cx="32" cy="29" rx="12.5" ry="14.5"/></g>',
            EXTRAS[face.extra].replace("HAIR", hair) if face.extra >= len(EXTRAS) - 2 else "",
            f'<g fill="{COATS[face.coat] if is_cap else hair}">{CUTS[face.cut]}</g>',
            f'<g fill="{INK}"><circle cx="27" cy="29" r="1.6"/>',
            '<circle cx="37" cy="29" r="1.6"/></g>',
            f'<g fill="none" stroke="{INK}" stroke-linecap="round" stroke-linejoin="round">',
            '<path d="M24.5 25q2.5-1.5 5 0M34.5 25q2.5-1.5 5 0M32 30l-1.5 4.5h2.5"/>',
            f"{MOUTHS[face.mouth]}</g>",
            EXTRAS[face.extra] if face.extra < len(EXTRAS) - 2 else "",
            "</g></svg>",
        )
    )
