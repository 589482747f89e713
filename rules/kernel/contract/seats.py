"""Seats, and the order in which they sit."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NewType, TypeVar, cast

T = TypeVar("T")

Seat = NewType("Seat", int)
"""A place at the table: 0, 1, … clockwise."""

NOBODY = Seat(-1)
"""The decider while nature draws, or after the end."""


def all_seats(seats: int) -> Sequence[Seat]:
    """Return all seats of a table, in order."""
    return cast("Sequence[Seat]", range(seats))


def by_seat(items: Iterable[T]) -> Iterator[tuple[Seat, T]]:
    """Yield each seat with its item."""
    return cast("Iterator[tuple[Seat, T]]", enumerate(items))


def next_seat(seat: Seat, seats: int) -> Seat:
    """Return the next seat clockwise at a table of ``seats`` seats."""
    return cast("Seat", (seat + 1) % seats)


def clockwise(first: Seat, seats: int) -> list[Seat]:
    """Return all seats of a table clockwise, from ``first`` on."""
    return cast("list[Seat]", [(first + step) % seats for step in range(seats)])
