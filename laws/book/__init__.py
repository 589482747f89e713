"""All laws, by subject, in the order of checking."""

from laws.book import (
    boards,
    choices,
    drawings,
    guesses,
    memory,
    moves,
    previews,
    processes,
    records,
    schemas,
    secrecy,
    states,
    taking_back,
    teaching,
    truths,
    words,
)
from laws.law import Law

ROOMS = (
    states, moves, secrecy, memory, guesses, truths, previews, records, taking_back, words,
    choices, schemas, boards, drawings, teaching, processes,
)  # fmt: skip
LAWS: dict[str, Law] = {
    each.name: each for room in ROOMS for each in vars(room).values() if isinstance(each, Law)
}
"""All laws, by name."""
