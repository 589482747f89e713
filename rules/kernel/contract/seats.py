"""Seats, and the order in which they sit."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NewType, TypeVar, cast

T = TypeVar("T")

Seat = NewType("Seat", int)
"""A place at the table: 0, 1, … clockwise."""

NOBODY = Seat(-1)
"""The decider while nature is asked, or nobody."""


def all_seats(seats: int) -> Sequence[Seat]:
    """Return the seats of a table of so many, in order."""
    return cast("Sequence[Seat]", range(seats))


def by_seat(items: Iterable[T]) -> Iterator[tuple[Seat, T]]:
    """Yield each seat with the item that is its."""
    return cast("Iterator[tuple[Seat, T]]", enumerate(items))


def next_seat(seat: Seat, seats: int) -> Seat:
    """Return the seat clockwise of this one at a table of so many."""
    return cast("Seat", (seat + 1) % seats)


def clockwise(first: Seat, seats: int) -> list[Seat]:
    """Return all seats of a table of so many, from ``first`` on."""
    return cast("list[Seat]", [(first + step) % seats for step in range(seats)])
