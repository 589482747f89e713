"""A place of packs that is a bucket, or a folder in one."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from service.archive.files import ChangedError, Files
from service.archive.lease import WriterLease
from service.archive.objects import LIMITS, Objects, RequestLimits
from service.archive.pack import digest_in
from service.archive.private import Keys
from service.outbound.bucket_urls import BucketUrl


class Bucket(Files):
    """A bucket of packs; thread-safe."""

    def __init__(self, url: BucketUrl, limits: RequestLimits = LIMITS, keys: Keys = ()) -> None:
        super().__init__(str(url), keys)
        self._objects = Objects(url, limits)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        lease = WriterLease(self._objects)
        lease.take()
        try:
            yield
        finally:
            lease.give_back()

    def names(self) -> Iterator[str]:
        yield from sorted(name for name in self._objects.names() if digest_in(name) is not None)

    def size(self, name: str) -> int:
        return self._objects.size(name)

    def read(self, name: str, offset: int, length: int) -> bytes:
        return self._objects.read(name, offset, length)

    def tail(self, name: str, length: int) -> tuple[int, bytes]:
        return self._objects.tail(name, length)

    def has(self, name: str) -> bool:
        return self.version(name) != ""

    def version(self, name: str) -> str:
        try:
            return self._objects.version(name)
        except FileNotFoundError:
            return ""

    def get(self, name: str) -> bytes | None:
        found = self._objects.get(name)
        return None if found is None else found.raw

    def draft(self) -> IO[bytes]:
        return tempfile.TemporaryFile()

    def put(self, name: str, draft: IO[bytes]) -> bool:
        draft.seek(0)
        return self._objects.create(name, draft.read())

    def replace(self, name: str, raw: bytes, before: bytes | None) -> None:
        found = self._objects.get(name)
        is_same = (None if found is None else found.raw) == before
        if is_same and found is None:
            is_same = self._objects.create(name, raw)
        elif is_same and found is not None:
            is_same = self._objects.update(name, raw, found)
        # An answer may have been lost, and the request repeated.
        if not is_same and self.get(name) != raw:
            raise ChangedError(f"{self.path_of(name)} is another one than was read")

    def rename(self, name: str, other: str) -> None:
        self._objects.rename(name, other)
