"""URLs of buckets, which hold packs: ``s3://BUCKET[/PREFIX]``, ``gs://…``, ``az://CONTAINER…``.

Who may use a bucket, and where a service is that speaks S3's protocol, is in the environment, as
for other programs: a URL has no credentials. Error messages never quote text that might be some.
"""

import re
from importlib.util import find_spec
from typing import NamedTuple

EXTRA = "lonja[buckets]"
"""The package extra that installs the client library of buckets."""
SCHEMES = ("s3", "gs", "az")

_FORM = re.compile(r"(s3|gs|az)://([a-zA-Z0-9][a-zA-Z0-9._-]{1,220}[a-zA-Z0-9])(?:/(.*))?")
_STEP = re.compile(r"[\w.=+-]{1,200}", re.ASCII)


class BucketUrlError(ValueError):
    """A text is not a URL of a bucket; the message says why, and shows no secret."""


class BucketUrl(NamedTuple):
    """A bucket, or container, of a kind of service, and the folder in it, which may be ""."""

    scheme: str
    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"{self.scheme}://{self.bucket}" + (f"/{self.prefix}" if self.prefix else "")


def is_url(text: str) -> bool:
    """Whether a text is meant as a URL, in contrast to a path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None


def parse(url: str) -> BucketUrl:
    """Return the bucket that a URL names. Raises BucketUrlError."""
    scheme = url.partition("://")[0].lower()
    if scheme not in SCHEMES:
        raise BucketUrlError(f"a bucket's URL begins with {', '.join(f'{s}://' for s in SCHEMES)}")
    if "@" in url or "?" in url or "#" in url:
        raise BucketUrlError("it has a user or options, which do not belong into it")
    found = _FORM.fullmatch(url)
    if found is None:
        raise BucketUrlError("it names no bucket")
    prefix = (found[3] or "").rstrip("/")
    for step in prefix.split("/") if prefix else []:
        if not _STEP.fullmatch(step) or step in (".", ".."):
            raise BucketUrlError("its folders have names of letters, digits and . _ = + - alone")
    return BucketUrl(found[1], found[2], prefix)


def checked(url: str) -> str:
    """Return the URL of a bucket that can be used here. Raises BucketUrlError."""
    parsed = parse(url)
    if find_spec("obstore") is None:
        raise BucketUrlError(f"a bucket needs more packages: install {EXTRA}")
    return str(parsed)


def complaint(text: str) -> str | None:
    """Return the reason why a text is no URL of a bucket that can be used here; None if it is.

    A path is no URL, and there is nothing to complain of.
    """
    try:
        if is_url(text):
            checked(text)
    except BucketUrlError as error:
        return str(error)
    return None
