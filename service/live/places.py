"""The limited slots for streams in a process: admission of streams, and displacement of others.

Each key and each address has a share. When all slots are taken, a player's new stream displaces a
spectator's, and a new stream from an address with few streams displaces one from an address with
many. So a crowd from one address excludes nobody, even if it has many keys.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Generic, NamedTuple, TypeVar

from service.problems import Problem

S = TypeVar("S")


class Holder(NamedTuple):
    """The holder of a stream; ``player`` is None for a caller without a key.

    ``key`` is the id of the player's key, and ``until`` its expiry. ``seated``: whether the player
    holds a seat of the game.
    """

    address: str
    player: str | None
    seated: bool
    key: str | None = None
    until: str | None = None


class Shares(NamedTuple):
    """The maximum numbers of open streams: in total, for each key, and for each address."""

    total: int
    per_key: int
    per_address: int


class Places(Generic[S]):
    """The open streams by holder; not thread-safe."""

    def __init__(self) -> None:
        self._holders: dict[S, Holder] = {}
        self._of_player: Counter[str] = Counter()
        self._of_address: Counter[str] = Counter()
        self._watching: dict[str, dict[S, None]] = {}
        """The spectators' streams by address, the oldest first."""
        self._playing: dict[str, dict[S, None]] = {}
        """The seats' streams in the same way."""

    def __len__(self) -> int:
        return len(self._holders)

    def items(self) -> Iterable[tuple[S, Holder]]:
        """Return the streams and their holders."""
        return self._holders.items()

    def take(self, stream: S, holder: Holder, shares: Shares, times: int = 1) -> S | None:
        """Give a stream a slot. Return the stream that lost its slot to it, or None.

        The holder's key and address may have ``times`` the usual number of streams.

        Raises:
            Problem: ``stream_share_used``, ``too_many_streams``.
        """
        displaced = self._in_the_way(holder, shares, times)
        if displaced is not None:
            self.leave(displaced)
        self._holders[stream] = holder
        self._of_address[holder.address] += 1
        if holder.player is not None:
            self._of_player[holder.player] += 1
        kind = self._playing if holder.seated else self._watching
        kind.setdefault(holder.address, {})[stream] = None
        return displaced

    def leave(self, stream: S) -> None:
        """Free a stream's slot, if it still has one."""
        holder = self._holders.pop(stream, None)
        if holder is None:
            return
        _one_less(self._of_address, holder.address)
        if holder.player is not None:
            _one_less(self._of_player, holder.player)
        kind = self._playing if holder.seated else self._watching
        del kind[holder.address][stream]
        if not kind[holder.address]:
            del kind[holder.address]

    def _in_the_way(self, new: Holder, shares: Shares, times: int) -> S | None:
        """Return the stream that must end to make room for a newcomer; None if there is room."""
        if new.player is not None and self._of_player[new.player] >= shares.per_key * times:
            own = [s for s in self._watching.get(new.address, ()) if self._is_of(s, new.player)]
            return self._oldest_own(own, new, "key", shares.per_key * times)
        if self._of_address[new.address] >= shares.per_address * times:
            own = [*self._watching.get(new.address, ())]
            return self._oldest_own(own, new, "address", shares.per_address * times)
        if len(self) < shares.total:
            return None
        few = self._of_address[new.address]
        if new.seated:
            largest = _largest(self._watching)
            if largest is None:
                largest = self._fuller(self._playing, few)
        else:
            largest = self._fuller(self._watching, few)
        if largest is None:
            raise Problem("too_many_streams", limit=shares.total)
        return next(iter(largest))

    def _oldest_own(self, own: list[S], new: Holder, scope: str, share: int) -> S:
        """Return the stream that must end because a key or an address has used up its share.

        ``own`` has the streams, oldest first, that the newcomer's key or address watches as a
        spectator. The oldest of them is returned. ``scope`` is ``key`` or ``address``; ``share`` is
        the maximum number of its streams.

        Raises Problem (``stream_share_used``) if the newcomer holds no seat or ``own`` is empty.
        """
        if new.seated and own:
            return own[0]
        raise Problem(
            "stream_share_used",
            f"{share} streams of one {scope} may be open here",
            scope=scope,
            limit=share,
        )

    def _is_of(self, stream: S, player: str) -> bool:
        return self._holders[stream].player == player

    def _fuller(self, kind: dict[str, dict[S, None]], few: int) -> dict[S, None] | None:
        """Return the streams of the address that has the most streams.

        Return None unless this address has at least two streams more than the newcomer's address.
        ``few`` is the number of streams of the newcomer's address.
        """
        rich = {a: streams for a, streams in kind.items() if self._of_address[a] > few + 1}
        return _largest(rich)


def _largest(kind: dict[str, dict[S, None]]) -> dict[S, None] | None:
    return max(kind.values(), key=len, default=None)


def _one_less(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if not counter[name]:
        del counter[name]
