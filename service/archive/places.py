"""Finds the place of packs that a path or URL names."""

from pathlib import Path

from service.archive.files import Files, Folder, PackFile
from service.archive.private import Keys
from service.outbound import bucket_urls


def files_at(place: str, keys: Keys = ()) -> Files:
    """Return the files in a folder, or in the bucket that a URL names.

    ``keys`` are those of private packs.

    Raises:
        BucketUrlError: it names no bucket that can be used here.
    """
    if not bucket_urls.is_url(place):
        return Folder(Path(place), keys)
    bucket_urls.checked(place)
    from service.archive.bucket import Bucket  # noqa: PLC0415 - its packages may not be installed

    return Bucket(bucket_urls.parse(place), keys=keys)


def pack_at(file: str, keys: Keys = ()) -> PackFile:
    """Return the file of a pack by its path or URL. Raises BucketUrlError: see ``files_at``."""
    folder, _slash, name = file.rpartition("/")
    if not bucket_urls.is_url(file):
        folder = str(Path(file).parent)
    return PackFile(files_at(folder, keys), name)
