"""The data tables of a game: JSON in its package, with an id and a digest."""

from dataclasses import dataclass
from importlib import resources
from typing import Self

import orjson

from rules.kernel.canonical import JsonObject, NotCanonicalError, digest, encode


class BadEditionError(ValueError):
    """Invalid tables of a game; the message names the bad row."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The published ``tables`` of a game; ``digest`` is the hex SHA-256 of the file's bytes.

    If an installation adds the edition, ``digest`` is the hash of the tables' canonical bytes.
    """

    id: str
    digest: str
    tables: JsonObject

    @classmethod
    def load(cls, package: str, file: str = "data.json") -> Self:
        """Read the tables of a package; their member ``edition`` is the id."""
        raw = resources.files(package).joinpath(file).read_bytes()
        tables = orjson.loads(raw)
        return cls(tables["edition"], digest(raw).hex(), tables)

    @classmethod
    def of(cls, tables: object) -> Self:
        """Make an edition from tables outside of a package.

        Raises:
            BadEditionError: the tables have no id, or are not canonical JSON.
        """
        id_ = tables.get("edition") if isinstance(tables, dict) else None
        if not isinstance(tables, dict) or type(id_) is not str or not id_:
            raise BadEditionError("edition: its id is missing")
        try:
            return cls(id_, digest(encode(tables)).hex(), tables)
        except NotCanonicalError as error:
            raise BadEditionError(str(error)) from None

    def pinned(self, published: Self) -> JsonObject:
        """Return the id and the digest of the tables, for the event ``created``.

        If the tables differ from those ``published`` with the rules, they are included in full, so
        that nothing besides the record is needed.
        """
        pinned: JsonObject = {"edition": self.id, "digest": self.digest}
        return pinned if self == published else {**pinned, "tables": self.tables}
