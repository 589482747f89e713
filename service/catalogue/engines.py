"""The engines of strangers that an operator names in a file (``LONJA_ENGINES``, docs/engines.md).

Nothing is run or read from their folders here; ``workers.engines.strangers`` does that.
"""

import hashlib
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import marshmallow as ma
from marshmallow.validate import Length, Range, Regexp

from rules.kernel.canonical import digest, encode
from service.settings import SettingsError

NAME = r"[\w.-]{1,40}"
"""The form of a bot's name and version; they stand in ``greedy@1`` and in lists of entrants."""

MAX_SETTING = 1_000_000

BOT_FILE = "bot.toml"
"""The file in a bot's folder that says how to run it, with the fields of an engine."""


class EngineLimits(NamedTuple):
    """What an engine may use, besides the time of a decision."""

    memory_mb: int = 512
    """Memory in MiB, not counting the memory of the temporary files."""
    threads: int = 16


class ForeignEngine(NamedTuple):
    """An engine of a stranger: a program in a folder, which answers questions.

    It runs in a sandbox, unless the operator trusts it (``sandboxed`` is false).
    """

    name: str
    version: str
    command: tuple[str, ...]
    """Is run in the folder; a program without a slash is looked for in /usr/bin."""
    folder: Path
    digest: str
    """That of ``folder_digest``, when the operator looked at the folder."""
    rulesets: tuple[str, ...] | None
    """The rulesets that it plays; None for all."""
    queue: str
    settings: Mapping[str, int]
    limits: EngineLimits
    sandboxed: bool = True


class BadFolderError(Exception):
    """A folder has no digest.

    The folder cannot be read, or has an entry that is neither a file nor a link.
    """


def read(file: Path, queues: tuple[str, ...]) -> tuple[ForeignEngine, ...]:
    """Return the engines that a file names.

    A relative folder in the file is resolved against the folder that the file is in.

    Raises:
        SettingsError: the file cannot be read, or one of its entries is not an engine.
    """
    try:
        found = tomllib.loads(file.read_text())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"LONJA_ENGINES: {file} cannot be read: {error}") from None
    try:
        named = _FileSchema().load(found)["engine"]
    except ma.ValidationError as error:
        faults = "; ".join(_faults(error.messages))
        raise SettingsError(f"LONJA_ENGINES: {file}: {faults}") from None
    engines = tuple(_engine(file, each) for each in named)
    for engine in engines:
        if engine.queue not in queues:
            raise SettingsError(
                f"LONJA_ENGINES: {file}: the queue of {engine.name} is {engine.queue!r}, not"
                f" {' or '.join(queues)}"
            )
        if [other.name for other in engines].count(engine.name) > 1:
            raise SettingsError(f"LONJA_ENGINES: {file} has two engines {engine.name!r}")
    return engines


def read_folder(folder: Path) -> ForeignEngine:
    """Return the engine in a folder, which its file ``bot.toml`` describes.

    Raises:
        BadFolderError: the folder cannot be read, or its file does not describe an engine.
    """
    file = folder / BOT_FILE
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        here = {"folder": str(folder.absolute()), "digest": folder_digest(folder)}
        return _engine(file, _EngineSchema().load({**found, **here}))
    except (OSError, ValueError) as error:
        raise BadFolderError(f"{file} cannot be read: {error}") from None
    except ma.ValidationError as error:
        raise BadFolderError(f"{file}: {'; '.join(_faults(error.messages))}") from None


def folder_digest(folder: Path) -> str:
    """Return the digest of a folder: of the names, kinds and contents of all that is in it.

    It is ``hex(H(J([[path, kind, hex], …])))``, sorted by path, where ``kind`` is "file", "program"
    (a file that its owner may execute) or "link", and ``hex`` is the SHA-256 of the file, or of the
    path to which the link leads. Raises BadFolderError.
    """
    try:
        found = [
            [path, kind, _hash(folder / path, kind)] for path, kind, _state in _entries(folder)
        ]
    except (OSError, UnicodeError) as error:
        raise BadFolderError(f"the folder {folder} cannot be read: {error}") from None
    return digest(encode(found)).hex()


class FolderWatch:
    """Knows the digest of a folder, and reads its files again only after a change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: object = None
        self._digest = ""

    def digest(self) -> str:
        """Return the folder's present digest. Raises BadFolderError."""
        try:
            states = list(_entries(self._folder))
        except OSError as error:
            raise BadFolderError(f"the folder {self._folder} cannot be read: {error}") from None
        if states != self._seen:
            self._digest, self._seen = folder_digest(self._folder), states
        return self._digest


def _entries(folder: Path) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Yield path, kind and state of each file and link in a folder, sorted by path.

    The state is different after any change, because it has the time of the last change (``ctime``).
    Only root can set this time.
    """
    found = []
    for above, folders, files in os.walk(folder, onerror=_raise):
        for name in (*folders, *files):
            path = Path(above, name)
            at = path.lstat()
            if stat.S_ISDIR(at.st_mode):
                continue
            state = (at.st_ino, at.st_size, at.st_mtime_ns, at.st_ctime_ns)
            found.append((path.relative_to(folder).as_posix(), _kind(path, at.st_mode), state))
    if not found:
        raise BadFolderError(f"the folder {folder} is empty")
    yield from sorted(found)


def _raise(error: OSError) -> None:
    raise error


def _kind(path: Path, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return "link"
    if not stat.S_ISREG(mode):
        raise BadFolderError(f"{path} is neither a file nor a link nor a folder")
    return "program" if mode & stat.S_IXUSR else "file"


def _hash(path: Path, kind: str) -> str:
    if kind == "link":
        return hashlib.sha256(os.fsencode(path.readlink())).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# The file


class _LimitsSchema(ma.Schema):
    memory_mb = ma.fields.Integer(strict=True, validate=Range(16, 65_536))
    threads = ma.fields.Integer(strict=True, validate=Range(1, 1_024))


class _EngineSchema(ma.Schema):
    name = ma.fields.String(required=True, validate=Regexp(rf"{NAME}\Z"))
    version = ma.fields.String(required=True, validate=Regexp(rf"{NAME}\Z"))
    command = ma.fields.List(
        ma.fields.String(validate=Length(min=1)), required=True, validate=Length(min=1)
    )
    folder = ma.fields.String(required=True, validate=Length(min=1))
    digest = ma.fields.String(
        required=True,
        validate=Regexp(r"[0-9a-f]{64}\Z", error="It is no digest: `lonja engines` tells it."),
    )
    rulesets = ma.fields.List(ma.fields.String(), load_default=None, validate=Length(min=1))
    queue = ma.fields.String(load_default="live")
    settings = ma.fields.Dict(
        keys=ma.fields.String(validate=Regexp(r"[a-z][a-z0-9_]{0,39}\Z")),
        values=ma.fields.Integer(strict=True, validate=Range(1, MAX_SETTING)),
        load_default=dict,
    )
    limits = ma.fields.Nested(_LimitsSchema, load_default=dict)


class _InstalledSchema(_EngineSchema):
    """An engine as an operator installs it; a stranger's ``bot.toml`` cannot leave the sandbox."""

    sandbox = ma.fields.Boolean(truthy={True}, falsy={False}, load_default=True)


class _FileSchema(ma.Schema):
    engine = ma.fields.List(ma.fields.Nested(_InstalledSchema), load_default=list)


def _engine(file: Path, named: dict[str, Any]) -> ForeignEngine:
    rulesets = named["rulesets"]
    return ForeignEngine(
        name=named["name"],
        version=named["version"],
        command=tuple(named["command"]),
        folder=file.parent / Path(named["folder"]).expanduser(),
        digest=named["digest"],
        rulesets=None if rulesets is None else tuple(rulesets),
        queue=named["queue"],
        settings=named["settings"],
        limits=EngineLimits(**named["limits"]),
        sandboxed=named.get("sandbox", True),
    )


def _faults(messages: Any, where: str = "") -> Iterator[str]:
    """Yield a text for each fault that marshmallow found, with the place: ``engine.0.name: …``."""
    if isinstance(messages, Mapping):
        for name, below in messages.items():
            yield from _faults(below, f"{where}.{name}" if where else str(name))
    else:
        yield f"{where}: {' '.join(map(str, messages))}"
