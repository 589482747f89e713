"""Requests to buckets: S3 and what speaks its protocol, Google's GCS, and Azure's containers.

obstore makes them. It takes credentials from the environment, or from where the machine has them.
No error here quotes what obstore tells, because that may have parts of credentials.
"""

import errno
import os
import re
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PreconditionError
from obstore.store import AzureStore, GCSStore, S3Store

from service.archive.files import PlaceError
from service.outbound.bucket_urls import BucketUrl

if TYPE_CHECKING:
    from gevent.threadpool import ThreadPool

T = TypeVar("T")
_Store = S3Store | GCSStore | AzureStore


class _NoRangeError(PlaceError):
    """An object has no bytes where they are asked for."""


class RequestLimits(NamedTuple):
    """Time limits of requests in seconds, and how often one is repeated.

    ``silence`` is how long an answer may stop. A request is not repeated later than ``repeating``
    after its beginning.
    """

    connect: float = 3
    silence: float = 10
    reading: float = 20
    writing: float = 300
    repeats: int = 4
    repeating: float = 15
    first_pause: float = 0.1


LIMITS = RequestLimits()


class Contents(NamedTuple):
    """The contents of an object, what identifies them, and when they were written."""

    raw: bytes
    version: Mapping[str, str]
    at: datetime


class _Kind(NamedTuple):
    """A kind of service: its store, where it is told which address it has, and its permissions."""

    store: Callable[..., _Store]
    addresses: tuple[str, ...]
    permissions: Mapping[str, str]


_READ, _LIST, _WRITE, _RENAME = "read", "list", "write", "rename"
_KINDS = {
    "s3": _Kind(
        S3Store,
        ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
        {
            _READ: "s3:GetObject, and s3:ListBucket to be told what is not there",
            _LIST: "s3:ListBucket",
            _WRITE: "s3:PutObject",
            _RENAME: "s3:GetObject, s3:PutObject and s3:DeleteObject",
        },
    ),
    "gs": _Kind(
        GCSStore,
        ("GOOGLE_BASE_URL",),
        {
            _READ: "storage.objects.get",
            _LIST: "storage.objects.list",
            _WRITE: "storage.objects.create, and storage.objects.delete to replace",
            _RENAME: "storage.objects.get, storage.objects.create and storage.objects.delete",
        },
    ),
    "az": _Kind(
        AzureStore,
        ("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT"),
        {
            _READ: "to read blobs",
            _LIST: "to list blobs",
            _WRITE: "to create and write blobs",
            _RENAME: "to read, write and delete blobs",
        },
    ),
}
_STATUS = re.compile(r"status code: ([1-5][0-9]{2})\b")
_CODE = re.compile(r"<Code>([A-Za-z]{1,60})</Code>")
_NO_BUCKET = ("NoSuchBucket", "ContainerNotFound")
_CREDENTIALS = re.compile(
    r"Error performing (?:token request|[A-Z]+ https?://(?:169\.254\.|[^/ ]+/latest/(?:api|meta-)))"
    r"|[Cc]redential provider"
)
"""Matches errors of credential providers: instance metadata services, OAuth token endpoints."""
_CREDENTIAL_FILE = re.compile(r"Unable to (?:open|decode) service account|CryptoProvider error")
"""Matches what GCSStore tells of files of credentials, which it reads when it is made."""
_UNREACHABLE = {"TimedOut": "does not answer in time", "kind: Connect": "cannot be reached"}
_DOWN_SECONDS = 5.0
"""Time for which a bucket is not asked that could not be reached: callers need not all wait."""
_THREADS = 32
"""How many requests to buckets a process of greenlets has open at most."""


class Objects:
    """The objects of a bucket, or of a folder in it, by name; thread-safe.

    Methods raise PlaceError; FileNotFoundError if there is no such object. Greenlets may wait.
    """

    def __init__(self, url: BucketUrl, limits: RequestLimits = LIMITS) -> None:
        """Ask nothing yet: a bucket that cannot be reached is told when it is used."""
        self.url = url
        self._bucket = f"{url.scheme}://{url.bucket}"
        self._kind = _KINDS[url.scheme]
        self._limits = limits
        self._down_until = 0.0

    @cached_property
    def _reading(self) -> Any:
        return self._store(self._limits.reading, {"read_timeout": _span(self._limits.silence)})

    @cached_property
    def _writing(self) -> Any:
        # Nothing is heard of a bucket before it has all of a pack.
        return self._store(self._limits.writing, {})

    def _store(self, seconds: float, more: Mapping[str, object]) -> _Store:
        limits = self._limits
        addresses = (os.environ.get(name, "") for name in self._kind.addresses)
        # Not all that speaks S3's protocol deletes several objects at once.
        own = {"disable_bulk_delete": True} if self.url.scheme == "s3" else {}
        return self._kind.store(
            self.url.bucket,
            prefix=self.url.prefix or None,
            client_options={
                "timeout": _span(seconds),
                "connect_timeout": _span(limits.connect),
                "allow_http": any(address.startswith("http://") for address in addresses),
                **more,
            },
            retry_config={
                "max_retries": limits.repeats,
                "retry_timeout": _span(limits.repeating),
                "backoff": {"init_backoff": _span(limits.first_pause), "max_backoff": _span(3)},
            },
            **own,
        )

    # Reading

    def names(self) -> list[str]:
        """Return the names of the objects that are in no deeper folder."""
        found = self._ask(_LIST, lambda: obstore.list_with_delimiter(self._reading))
        return [each["path"] for each in found["objects"]]

    def size(self, name: str) -> int:
        """Return the size of an object in bytes."""
        return self._ask(_READ, lambda: obstore.head(self._reading, name)["size"], name)

    def version(self, name: str) -> str:
        """Return the version id, ETag and size of an object; each write changes the ETag."""
        told = self._ask(_READ, lambda: obstore.head(self._reading, name), name)
        return f"{told['version'] or ''}-{told['e_tag'] or ''}-{told['size']}"

    def read(self, name: str, offset: int, length: int) -> bytes:
        """Return bytes of an object, fewer where it ends, by one request."""

        def read() -> bytes:
            return bytes(obstore.get_range(self._reading, name, start=offset, length=length))

        try:
            return self._ask(_READ, read, name) if length > 0 else b""
        except _NoRangeError:
            return b""

    def tail(self, name: str, length: int) -> tuple[int, bytes]:
        """Return the size of an object, and its last ``length`` bytes.

        This is one request, of Azure two.
        """
        if self.url.scheme == "az":  # has no ranges that are counted from the end
            size = self.size(name)
            begin = max(size - length, 0)
            return size, self.read(name, begin, size - begin)

        def read() -> tuple[int, bytes]:
            found = obstore.get(self._reading, name, options={"range": {"suffix": length}})
            return found.meta["size"], bytes(found.bytes())

        try:
            return self._ask(_READ, read, name)
        except _NoRangeError:  # so it has no bytes at all
            return 0, b""

    def get(self, name: str) -> Contents | None:
        """Return the contents of an object, None if there is none."""

        def read() -> Contents:
            found = obstore.get(self._reading, name)
            meta: Any = found.meta
            version = {each: meta[each] for each in ("e_tag", "version") if meta[each] is not None}
            return Contents(bytes(found.bytes()), version, meta["last_modified"])

        try:
            return self._ask(_READ, read, name)
        except FileNotFoundError:
            return None

    # Writing

    def create(self, name: str, raw: bytes) -> bool:
        """Write an object, and return True, unless there is one."""
        return self._put(name, raw, "create")

    def update(self, name: str, raw: bytes, before: Contents) -> bool:
        """Write an object in place of these contents, and return True, unless it has others."""
        return self._put(name, raw, before.version)

    def rename(self, name: str, other: str) -> None:
        """Copy an object, also over another one, and delete it."""
        self._ask(_RENAME, lambda: obstore.rename(self._writing, name, other), name)

    def _put(self, name: str, raw: bytes, mode: Any) -> bool:
        def put() -> bool:
            # In several parts, an object could not be written on a condition.
            obstore.put(self._writing, name, raw, mode=mode, use_multipart=False)
            return True

        try:
            return self._ask(_WRITE, put, name)
        except (AlreadyExistsError, PreconditionError):
            return False

    # Requests and their errors

    def _ask(self, action: str, request: Callable[[], T], name: str | None = None) -> T:
        """Make a request; raise its errors as OSErrors, without what the library tells."""
        if time.monotonic() < self._down_until:
            raise PlaceError(f"{self._bucket} could not be reached a moment ago")
        try:
            return _beside_greenlets(request)
        except (AlreadyExistsError, PreconditionError):
            raise
        except FileNotFoundError as error:
            if name is None or _code(error) in _NO_BUCKET:
                raise PlaceError(f"there is no {self._bucket}") from None
            path = f"{self.url}/{name}"
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path) from None
        except (BaseError, ValueError) as error:
            raise self._told(action, error) from None

    def _told(self, action: str, error: Exception) -> PlaceError:
        status = found[1] if (found := _STATUS.search(str(error))) else ""
        why = self._why(action, error, status)
        # Not all services refuse such a range, and the library does then.
        is_outside = status == "416" or "StartTooLarge" in str(error)
        return _NoRangeError(why) if is_outside else PlaceError(why)

    def _why(self, action: str, error: Exception, status: str) -> str:
        told, code = str(error), _code(error)
        answer = f"{status} {code or ''}".strip()
        if code in _NO_BUCKET:
            return f"there is no {self._bucket}"
        if _CREDENTIALS.search(told):
            return f"no credentials for {self._bucket} were found"
        if _CREDENTIAL_FILE.search(told):
            return f"the file of credentials for {self._bucket} is missing, or has no account's key"
        if status == "401":
            return f"{self._bucket} does not know these credentials ({answer})"
        if status == "403":
            needs = self._kind.permissions[action]
            return (
                f"{self._bucket} does not let these credentials {action} ({answer}):"
                f" they need the permission {needs}"
            )
        if status:
            return f"{self._bucket} answers {answer}"
        for sign, words in _UNREACHABLE.items():
            if sign in told:
                self._down_until = time.monotonic() + _DOWN_SECONDS
                return f"{self._bucket} {words}"
        return f"{self._bucket} cannot be read: what it answers is cut, or no answer to that"


def _code(error: Exception) -> str | None:
    found = _CODE.search(str(error))
    return found[1] if found else None


def _span(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)


_pool: "ThreadPool | None" = None


def _beside_greenlets(request: Callable[[], T]) -> T:
    """Make a request in a thread of its own where greenlets share one, so that others go on."""
    global _pool  # noqa: PLW0603 - one for all buckets of a process
    if "gevent" not in sys.modules:
        return request()
    from gevent.monkey import is_module_patched  # noqa: PLC0415 - elsewhere, gevent is not there
    from gevent.threadpool import ThreadPool  # noqa: PLC0415

    if not is_module_patched("threading"):
        return request()
    if _pool is None:
        _pool = ThreadPool(_THREADS)
    found: T = _pool.apply(request)
    return found
