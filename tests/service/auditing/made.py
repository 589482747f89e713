"""Logs that a test makes leaf by leaf, in a folder, as honest or as false as it likes."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

from service.publishing.keys import LogKeys
from service.records.leaves import CREATED, ENDED, HEAD, REWOUND, Leaf
from service.tlog.checkpoints import OpenedCheckpoint, open_checkpoint
from service.tlog.keys import VerifierKey
from service.tlog.merkle import leaf_hash, root
from service.tlog.tiles import WIDTH, Tile, bundle, grow, nodes_of

KEYS = LogKeys.generate("games.example/log")
AT = 1_790_000_000
"""A time, in seconds since 1970."""


class MadeLog:
    """A log in a folder, of which the files of all its states stay."""

    def __init__(self, folder: Path, keys: LogKeys = KEYS) -> None:
        self.folder = folder
        self.keys = keys
        self.size = 0
        self._edge: dict[int, bytes] = {}
        self._entries: list[bytes] = []

    def add(self, leaves: Iterable[Leaf | bytes]) -> None:
        """Add leaves, and write the files of the tree."""
        entries = [leaf if isinstance(leaf, bytes) else leaf.entry for leaf in leaves]
        row = [leaf_hash(entry) for entry in entries]
        for tile, hashes in grow(self.size, row, lambda tile: self._edge[tile.level]):
            self._edge[tile.level] = hashes if tile.width < WIDTH else b""
            self._write(tile.path, hashes)
        first = self.size // WIDTH * WIDTH
        self._entries += entries
        self.size += len(entries)
        for at in range(first, self.size, WIDTH):
            part = self._entries[at - first : at - first + WIDTH]
            self._write(Tile(0, at // WIDTH, len(part)).entries_path, bundle(part))
        del self._entries[: self.size // WIDTH * WIDTH - first]

    def sign(self, at: int = AT) -> OpenedCheckpoint:
        """Sign the tree as it is."""
        head = root(self.size, nodes_of(self.size, self._tile))
        note = self.keys.signed(self.size, head, at)
        self._write("checkpoint", note)
        return self.opened()

    def opened(self) -> OpenedCheckpoint:
        """Return the newest checkpoint, as a stranger opens it."""
        log, time = self.verifiers
        return open_checkpoint((self.folder / "checkpoint").read_bytes(), [log], [time])

    @property
    def verifiers(self) -> tuple[VerifierKey, VerifierKey]:
        return self.keys.verifiers

    def read(self, name: str, _most: int) -> bytes | None:
        """Read a file, as ``service.tlog.reading.ReadFile`` does."""
        file = self.folder / name
        return file.read_bytes() if file.is_file() else None

    def _tile(self, tile: Tile) -> bytes:
        return (self.folder / tile.path).read_bytes()

    def _write(self, name: str, data: bytes) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def hash_of(*what: object) -> str:
    """Return a hash, in hex, that stands for an event."""
    return sha256(repr(what).encode()).hexdigest()


def game_id(number: int) -> str:
    """Return the id of a game."""
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    rest = int.from_bytes(sha256(b"%d" % number).digest())
    return f"g{number % 64:02}-" + "".join(letters[rest >> 5 * n & 31] for n in range(20))


def pseudonym(number: int) -> str:
    """Return the id of a private game."""
    return f"~{hash_of('private', number)}"


def created(id_: str, branch: object = 0) -> Leaf:
    """Return the creation of an id."""
    return Leaf(CREATED, id_, 1, hash_of(id_, 1, branch), {"commitment": hash_of("seed", id_)})


def head(id_: str, seq: int, branch: object = 0, kind: str = HEAD) -> Leaf:
    """Return a later leaf; another ``branch`` has another hash."""
    return Leaf(kind, id_, seq, hash_of(id_, seq, branch))


def rewound(lost: Leaf, to: Leaf | None) -> Leaf:
    """Return the confession that what came after ``to`` is lost."""
    more = {"to": 0} if to is None else {"to": to.seq, "to_hash": to.hash}
    return Leaf(REWOUND, lost.id, lost.seq, lost.hash, more)


def many(leaves: int, games: int, seed: int = 1) -> Iterator[Sequence[Leaf]]:
    """Yield about so many leaves in checkpoints, of games that move one after the other.

    One game in four is private. Some 2,000 games are played at any time.
    """
    rng = Random(seed)
    playing: list[Leaf] = []
    begun = made = 0
    while made < leaves:
        page: list[Leaf] = []
        while begun < games and len(playing) < 2_000:
            id_ = pseudonym(begun) if begun % 4 == 0 else game_id(begun)
            playing.append(created(id_))
            page.append(playing[-1])
            begun += 1
        moved = rng.sample(range(len(playing)), len(playing) // 2)
        over = set()
        for place in moved:
            before = playing[place]
            more = 1 if before.id.startswith("~") else rng.randrange(1, 9)
            kind = ENDED if rng.random() * leaves < games and begun < games else HEAD
            playing[place] = head(before.id, before.seq + more, kind=kind)
            page.append(playing[place])
            if kind == ENDED:
                over.add(place)
        playing = [one for place, one in enumerate(playing) if place not in over]
        made += len(page)
        yield page
