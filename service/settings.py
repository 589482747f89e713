"""Every setting of the service: read from the environment, checked at start, described once."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints
from urllib.parse import urlsplit

import limits

from service import addresses
from service.ids import PLAYER_ID

SECRETS_KEY_BYTES = 32


class SettingsError(Exception):
    """The environment is unusable; the message has a sentence a variable that says what to do."""


class Budget(NamedTuple):
    """How much processor time an owner's bots may take in each window of the clock."""

    seconds: int
    window_seconds: int


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


class Hosts(NamedTuple):
    """Who has larger limits: players by id, and whoever comes from a network."""

    players: frozenset[str]
    networks: tuple[addresses.Network, ...]


def _hosts(text: str) -> Hosts:
    names = [name.strip() for name in text.split(",")]
    players = frozenset(name for name in names if PLAYER_ID.match(name))
    return Hosts(players, addresses.networks(",".join(n for n in names if n not in players)))


class MemoryMark(NamedTuple):
    """How much memory is nearly all of it: a share of what there is, or a number of bytes."""

    percent: int | None
    bytes: int | None

    def of(self, limit: int) -> int:
        """Return the mark in bytes, where there are ``limit`` bytes in all."""
        return limit * self.percent // 100 if self.percent is not None else self.bytes or 0


def _memory_mark(text: str) -> MemoryMark:
    found = re.fullmatch(r"([0-9]{1,15})(%|[kmg]b)?", text.lower())
    _require(found)
    assert found is not None  # noqa: S101 - just required
    number, unit = int(found[1]), found[2]
    if unit == "%":
        _require(1 <= number <= 100)
        return MemoryMark(number, None)
    _require(number)
    return MemoryMark(None, number * {"kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}.get(unit, 1))


def _budget(text: str) -> Budget:
    rule = limits.parse(text)
    _require(rule.amount > 0)
    return Budget(int(rule.amount), rule.get_expiry())


def _secrets_key(text: str) -> bytes:
    _require(re.fullmatch(rf"[0-9a-fA-F]{{{2 * SECRETS_KEY_BYTES}}}", text))
    return bytes.fromhex(text)


def _token(text: str) -> str:
    _require(re.fullmatch(r"[\x21-\x7e]{16,200}", text))
    return text


def _host(text: str) -> str:
    _require(re.fullmatch(r"[\w.:-]+", text))
    return text


_RATE_LIMIT = Parser('a limit such as "100 per minute"', _rate_limit)
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
            "Where the embedded Redis and its log live.",
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
            _RATE_LIMIT,
            "6000 per minute",
            "How many requests one key, or one address without a key, may make.",
        ),
    ]
    address_rate_limit: Annotated[
        str,
        Variable(
            "LONJA_ADDRESS_RATE_LIMIT",
            _RATE_LIMIT,
            "12000 per minute",
            "How many requests one address may make, whatever keys it has.",
        ),
    ]
    sign_up_limit: Annotated[
        str,
        Variable(
            "LONJA_SIGN_UP_LIMIT",
            _RATE_LIMIT,
            "30 per hour",
            "How often one address may ask for a player; raise it where a class shares an address.",
        ),
    ]
    creation_limit: Annotated[
        str,
        Variable(
            "LONJA_CREATION_LIMIT",
            _RATE_LIMIT,
            "600 per hour",
            "How often one address may ask for a game or a tournament.",
        ),
    ]
    tables_per_player: Annotated[
        int,
        Variable(
            "LONJA_TABLES_PER_PLAYER",
            _whole(1, 1_000_000),
            "20",
            "How many tables of one player may wait for others.",
        ),
    ]
    tables_per_address: Annotated[
        int,
        Variable(
            "LONJA_TABLES_PER_ADDRESS",
            _whole(1, 1_000_000),
            "60",
            "How many tables opened from one address may wait for others.",
        ),
    ]
    games_per_player: Annotated[
        int,
        Variable(
            "LONJA_GAMES_PER_PLAYER",
            _whole(1, 1_000_000),
            "100",
            "How many games that one player opened or sits at may be unfinished.",
        ),
    ]
    games_per_address: Annotated[
        int,
        Variable(
            "LONJA_GAMES_PER_ADDRESS",
            _whole(1, 1_000_000),
            "500",
            "How many games that were opened or joined from one address may be unfinished.",
        ),
    ]
    tournaments_per_address: Annotated[
        int,
        Variable(
            "LONJA_TOURNAMENTS_PER_ADDRESS",
            _whole(1, 1_000_000),
            "40",
            "How many tournaments held from one address may be under way.",
        ),
    ]
    table_hours: Annotated[
        int,
        Variable(
            "LONJA_TABLE_HOURS",
            _whole(1, 24 * 365),
            "72",
            "After how many hours a table that has not started is cancelled.",
        ),
    ]
    hosts: Annotated[
        Hosts,
        Variable(
            "LONJA_HOSTS",
            Parser("player ids and networks, separated by commas", _hosts),
            "",
            "Who runs bots, or a class, and has larger limits.",
        ),
    ]
    host_factor: Annotated[
        int,
        Variable(
            "LONJA_HOST_FACTOR",
            _whole(1, 10_000),
            "20",
            "How many times larger the limits of LONJA_HOSTS are.",
        ),
    ]
    trusted_proxies: Annotated[
        tuple[addresses.Network, ...],
        Variable(
            "LONJA_TRUSTED_PROXIES",
            Parser("IP addresses and networks, separated by commas", addresses.networks),
            "",
            "The proxies whose X-Forwarded-For, X-Forwarded-Proto and SCRIPT_NAME are believed.",
        ),
    ]
    memory_mark: Annotated[
        MemoryMark,
        Variable(
            "LONJA_REDIS_MEMORY_MARK",
            Parser("a percentage such as 80%, or a size such as 6gb", _memory_mark),
            "80%",
            "At how much memory of the Redis nothing new is created; play goes on.",
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
            "How many event streams one web process keeps open.",
        ),
    ]
    streams_per_key: Annotated[
        int,
        Variable(
            "LONJA_STREAMS_PER_KEY",
            _whole(1, 100_000),
            "50",
            "How many of them one player may have.",
        ),
    ]
    streams_per_address: Annotated[
        int,
        Variable(
            "LONJA_STREAMS_PER_ADDRESS",
            _whole(1, 100_000),
            "200",
            "How many of them one address may have.",
        ),
    ]
    metrics_token: Annotated[
        str | None,
        Variable(
            "LONJA_METRICS_TOKEN",
            Parser("16 to 200 printable ASCII characters without spaces", _token),
            None,
            "What Prometheus sends as a bearer token to read /metrics; without it, nobody can.",
        ),
    ] = field(repr=False)
    web_workers: Annotated[
        int,
        Variable("LONJA_WEB_WORKERS", _whole(1, 64), "2", "How many web processes to run."),
    ]
    bot_workers: Annotated[
        int,
        Variable("LONJA_BOT_WORKERS", _whole(0, 64), "1", "How many worker processes to run."),
    ]
    heavy_workers: Annotated[
        int,
        Variable(
            "LONJA_HEAVY_WORKERS",
            _whole(0, 64),
            "1",
            "How many processes to run for bots that think for seconds, if such are installed.",
        ),
    ]
    bot_budget: Annotated[
        Budget,
        Variable(
            "LONJA_BOT_BUDGET",
            Parser('processor seconds, such as "900 per hour"', _budget),
            "900 per hour",
            "What bots of one address's games may take; then they wait for the next hour (or …).",
        ),
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
    drain_seconds: Annotated[
        int,
        Variable(
            "LONJA_DRAIN_SECONDS",
            _whole(0, 300),
            "0",
            "How long a web process that is told to end says so in /readyz before it stops"
            " accepting requests.",
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
