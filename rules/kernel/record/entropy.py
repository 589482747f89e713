"""The entropy of a game's seats, read from its record."""

from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel.canonical import JsonObject
from rules.kernel.contract.seats import Seat
from rules.kernel.record.secrets import is_committed


class Entropy(NamedTuple):
    """A seat's commitment to entropy, and the entropy once it is revealed."""

    seat: Seat
    holder: JsonObject
    commitment: str
    opened: bytes | None
    at_opening: bool
    """Whether the seat was taken in the request that opened the table, when the id was not known
    yet.
    """
    drawn: bool
    """Whether seats are drawn by lot, so that the commitment has null for the seat."""

    def is_of(self, game_id: str, entropy: bytes) -> bool:
        """Whether the seat committed to this entropy."""
        seat = None if self.drawn else self.seat
        committed = self.commitment
        return is_committed(committed, game_id, seat, entropy, at_opening=self.at_opening)


def entropies(copies: Sequence[JsonObject], before: int = 0) -> list[Entropy]:
    """Return the entropy of every seat with a commitment, by seat.

    Each copy must have the shape that its kind of event requires. If ``before`` is not 0, only the
    events before that number are read.
    """
    found: dict[int, Entropy] = {}
    for number, copy in enumerate(copies, 1):
        if number == before:
            break
        match copy["kind"]:
            case "seated":
                value = copy["body"]["seat"]
                seat, committed = value["seat"], value["entropy_commitment"]
                if committed is not None:
                    brought = value.get("brought", 0)
                    first = (brought or copy["seq"]) <= copies[0]["last"]
                    found[seat] = Entropy(
                        seat, value["holder"], committed, None, first, drawn=bool(brought)
                    )
            case "left":
                found.pop(copy["body"]["seat"]["seat"], None)
            case "entropy_revealed":
                value = copy["body"]["entropy"]
                if value["seat"] in found:
                    opened = bytes.fromhex(value["entropy"])
                    found[value["seat"]] = found[value["seat"]]._replace(opened=opened)
            case "started":
                break
    return [entropy for _seat, entropy in sorted(found.items())]
