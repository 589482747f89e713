"""Every setting of the service: read from the environment, checked at start, described once."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints
from urllib.parse import urlsplit

import limits

SECRETS_KEY_BYTES = 32


class SettingsError(Exception):
    """The environment is unusable; the message has a sentence a variable that says what to do."""


class Parser(NamedTuple):
    """How a setting's text becomes its value."""

    expects: str  # completes "set it to …"
    parse: Callable[[str], Any]  # raises ValueError


class Variable(NamedTuple):
    """The environment variable behind a setting."""

    name: str
    parser: Parser
    default: str | None  # as text; None leaves the setting None
    purpose: str


class Row(NamedTuple):
    """One line of the table of settings in the documentation."""

    name: str
    default: str
    expects: str
    purpose: str


def _require(condition: object) -> None:
    if not condition:
        raise ValueError


def _one_of(*choices: str) -> Parser:
    def parse(text: str) -> str:
        _require(text in choices)
        return text

    return Parser(" or ".join(choices), parse)


def _whole(low: int, high: int) -> Parser:
    def parse(text: str) -> int:
        number = int(text)
        _require(low <= number <= high)
        return number

    return Parser(f"a whole number from {low} to {high}", parse)


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _executable(text: str) -> Path:
    path = _path(text)
    _require(path.is_file())
    return path


def _redis_url(text: str) -> str:
    url = urlsplit(text)
    _require(url.path if url.scheme == "unix" else url.scheme in {"redis", "rediss"} and url.netloc)
    return text


def _modules(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    _require(all(part.isidentifier() for name in names for part in name.split(".")))
    return names


def _files(text: str) -> tuple[Path, ...]:
    paths = tuple(_path(part.strip()) for part in text.split(",") if part.strip())
    _require(all(path.is_file() for path in paths))
    return paths


def _rate_limit(text: str) -> str:
    limits.parse_many(text)
    return text


def _secrets_key(text: str) -> bytes:
    _require(re.fullmatch(rf"[0-9a-fA-F]{{{2 * SECRETS_KEY_BYTES}}}", text))
    return bytes.fromhex(text)


def _host(text: str) -> str:
    _require(re.fullmatch(r"[\w.:-]+", text))
    return text


_REDIS_URL = Parser("a redis://, rediss:// or unix:// URL", _redis_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one process; immutable, and secrets stay out of its repr."""

    data_dir: Annotated[
        Path,
        Variable(
            "LONJA_DATA_DIR",
            Parser("a folder that this user may write to", _path),
            "./var",
            "Where the embedded Redis, its log and the counts of the metrics live.",
        ),
    ]
    redis_url: Annotated[
        str | None,
        Variable(
            "REDIS_URL",
            _REDIS_URL,
            None,
            "The Redis that holds the events; without it, an embedded one is started.",
        ),
    ] = field(repr=False)
    queue_redis_url: Annotated[
        str | None,
        Variable(
            "LONJA_QUEUE_REDIS_URL",
            _REDIS_URL,
            None,
            "The Redis that holds the job queues; without it, the one that holds the events.",
        ),
    ] = field(repr=False)
    redis_server: Annotated[
        Path | None,
        Variable(
            "LONJA_REDIS_SERVER",
            Parser("the path of a redis-server or valkey-server program", _executable),
            None,
            "The program to embed; without it, the best one found.",
        ),
    ]
    appendfsync: Annotated[
        Literal["always", "everysec"],
        Variable(
            "LONJA_APPENDFSYNC",
            _one_of("always", "everysec"),
            "always",
            "When an event is on disk: before it is acknowledged, or up to a second after.",
        ),
    ]
    replicas_to_wait: Annotated[
        int,
        Variable(
            "LONJA_REPLICAS_TO_WAIT",
            _whole(0, 16),
            "0",
            "How many replicas must hold an event before it is acknowledged.",
        ),
    ]
    extra_rulesets: Annotated[
        tuple[str, ...],
        Variable(
            "LONJA_EXTRA_RULESETS",
            Parser("dotted module names, separated by commas", _modules),
            "",
            "Rulesets to offer besides the ones that are found.",
        ),
    ]
    extra_bots: Annotated[
        tuple[str, ...],
        Variable(
            "LONJA_EXTRA_BOTS",
            Parser("dotted module names, separated by commas", _modules),
            "",
            "Bots to offer besides the ones that are found.",
        ),
    ]
    editions: Annotated[
        tuple[Path, ...],
        Variable(
            "LONJA_EDITIONS",
            Parser("paths of JSON files, separated by commas", _files),
            "",
            "Editions of a game's tables to offer besides the published ones.",
        ),
    ]
    secrets_key: Annotated[
        bytes | None,
        Variable(
            "LONJA_SECRETS_KEY",
            Parser(f"{2 * SECRETS_KEY_BYTES} hexadecimal digits", _secrets_key),
            None,
            "Wraps the games' secrets in the ledger; without it, they are stored in the clear.",
        ),
    ] = field(repr=False)
    rate_limit: Annotated[
        str,
        Variable(
            "LONJA_RATE_LIMIT",
            Parser('a limit such as "100 per minute"', _rate_limit),
            "6000 per minute",
            "How many requests one key, or one address without a key, may make.",
        ),
    ]
    max_body_bytes: Annotated[
        int,
        Variable(
            "LONJA_MAX_BODY_BYTES",
            _whole(1024, 16 * 1024 * 1024),
            "65536",
            "The largest request body that is read.",
        ),
    ]
    max_streams: Annotated[
        int,
        Variable(
            "LONJA_MAX_STREAMS",
            _whole(1, 100_000),
            "1000",
            "How many event streams one web process keeps open; more are answered 503.",
        ),
    ]
    web_workers: Annotated[
        int,
        Variable("LONJA_WEB_WORKERS", _whole(1, 64), "2", "How many web processes to run."),
    ]
    bot_workers: Annotated[
        int,
        Variable("LONJA_BOT_WORKERS", _whole(0, 64), "1", "How many worker processes to run."),
    ]
    tournament_workers: Annotated[
        int,
        Variable(
            "LONJA_TOURNAMENT_WORKERS",
            _whole(0, 64),
            "1",
            "How many processes to run that play tournaments, at low priority.",
        ),
    ]
    host: Annotated[
        str,
        Variable(
            "LONJA_HOST",
            Parser("a host name or an IP address", _host),
            "127.0.0.1",
            "The address to listen on; 0.0.0.0 is every one of this machine.",
        ),
    ]
    log_format: Annotated[
        Literal["json", "text"],
        Variable(
            "LONJA_LOG_FORMAT", _one_of("json", "text"), "text", "Logs for programs or for people."
        ),
    ]
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        Variable(
            "LONJA_LOG_LEVEL",
            _one_of("debug", "info", "warning", "error"),
            "info",
            "The least serious message that is logged.",
        ),
    ]


def _variables() -> Iterator[tuple[str, Variable, bool]]:
    """Each setting's field name, variable, and whether its value must not be shown."""
    hints = get_type_hints(Settings, include_extras=True)
    for item in fields(Settings):
        (variable,) = hints[item.name].__metadata__
        yield item.name, variable, not item.repr


def load(environ: Mapping[str, str]) -> Settings:
    """The settings that `environ` asks for; an empty variable counts as one that is left out.

    Raises SettingsError, which names every bad variable at once.
    """
    values: dict[str, Any] = {}
    complaints = []
    for key, variable, secret in _variables():
        text = environ.get(variable.name, "").strip() or variable.default
        try:
            values[key] = None if text is None else variable.parser.parse(text)
        except ValueError:
            found = "has a value that cannot be used" if secret else f"is {text!r}"
            without = "leave it out" + (f" for {variable.default}" if variable.default else "")
            complaints.append(
                f"{variable.name} {found}: set it to {variable.parser.expects}, or {without}."
            )
    if complaints:
        raise SettingsError("\n".join(complaints))
    values["queue_redis_url"] = values["queue_redis_url"] or values["redis_url"]
    return Settings(**values)


def describe() -> list[Row]:
    """One row a setting, in the order of Settings: the table in the documentation is made of it."""
    return [
        Row(variable.name, variable.default or "", variable.parser.expects, variable.purpose)
        for _, variable, _ in _variables()
    ]
