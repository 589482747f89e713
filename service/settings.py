"""Every setting of the service: read from the environment, checked at start, described once."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import limits
from environs import Env, EnvValidationError, ValidationError, validate

from service import addresses, redis_urls
from service.ids import PLAYER_ID
from service.outbound import bucket_urls
from service.outbound.targets import Policy

SECRETS_KEY_BYTES = 32
_BYTES = {"": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30}


ReplicasToWait = int | Literal["all"]


class SettingsError(Exception):
    """The environment is unusable; the message has a sentence with the remedy for each variable."""


class Budget(NamedTuple):
    """The processor time that an owner's bots may take in each time window."""

    seconds: int
    window_seconds: int


class Hosts(NamedTuple):
    """The players and the clients that have larger limits.

    ``players`` has the ids of players; ``networks`` has the networks of clients.
    """

    players: frozenset[str]
    networks: tuple[addresses.Network, ...]


class Ladders(NamedTuple):
    """The ladders that the service opens, as pairs of a ruleset and a number of seats.

    ``games`` is None if they are those of all games and all numbers of seats.
    """

    games: tuple[tuple[str, int], ...] | None


class MemoryMark(NamedTuple):
    """The mark above which memory is nearly full: a share of the memory, or a number of bytes."""

    percent: int | None
    bytes: int | None

    def of(self, limit: int) -> int:
        """Return the mark in bytes, for ``limit`` bytes of memory."""
        return limit * self.percent // 100 if self.percent is not None else self.bytes or 0


# All parsers raise ValueError


def _require(condition: object) -> None:
    if not condition:
        raise ValueError


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _place(text: str) -> str:
    return bucket_urls.checked(text) if bucket_urls.is_url(text) else str(_path(text))


def _path_or_no(text: str) -> Path | Literal["no"]:
    return "no" if text == "no" else _path(text)


def _file(text: str) -> Path:
    path = _path(text)
    _require(path.is_file())
    return path


def _module(text: str) -> str:
    _require(all(part.isidentifier() for part in text.split(".")))
    return text


def _listed(parse: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    return lambda text: tuple(parse(part.strip()) for part in text.split(",") if part.strip())


def _hosts(text: str) -> Hosts:
    names = _listed(str)(text)
    players = frozenset(filter(PLAYER_ID.match, names))
    return Hosts(players, addresses.networks(",".join(n for n in names if n not in players)))


def _players(text: str) -> frozenset[str]:
    names = _listed(str)(text)
    _require(all(map(PLAYER_ID.match, names)))
    return frozenset(names)


def _ladders(text: str) -> Ladders:
    if text in ("all", "none"):
        return Ladders(None if text == "all" else ())
    found: dict[tuple[str, int], None] = {}
    for part in _listed(str)(text):
        named = re.fullmatch(r"([a-z0-9_]+)=([1-9][0-9]?)(?:-([1-9][0-9]?))?", part)
        if named is None:
            raise ValueError
        least, most = int(named[2]), int(named[3] or named[2])
        _require(2 <= least <= most)
        found.update(dict.fromkeys((named[1], seats) for seats in range(least, most + 1)))
    return Ladders(tuple(found))


def _rate_limit(text: str) -> str:
    limits.parse_many(text)
    return text


def _budget(text: str) -> Budget:
    rule = limits.parse(text)
    _require(rule.amount > 0)
    return Budget(int(rule.amount), rule.get_expiry())


def _memory_mark(text: str) -> MemoryMark:
    found = re.fullmatch(r"([0-9]{1,15})(%|kb|mb|gb|)", text.lower())
    if found is None:
        raise ValueError
    number, unit = int(found[1]), found[2]
    _require(1 <= number <= (100 if unit == "%" else math.inf))
    return MemoryMark(number, None) if unit == "%" else MemoryMark(None, number * _BYTES[unit])


def _replicas(text: str) -> ReplicasToWait:
    if text == "all":
        return "all"
    _require(text.isdecimal() and int(text) <= 16)
    return int(text)


def _archive_keys(text: str) -> tuple[bytes, ...]:
    return _listed(_secrets_key)(text)


def _secrets_key(text: str) -> bytes:
    _require(re.fullmatch(rf"[0-9a-fA-F]{{{2 * SECRETS_KEY_BYTES}}}", text))
    return bytes.fromhex(text)


# Kinds of settings


class _Environment(Env):
    """Reads given texts instead of the process's environment; ``seal`` reports all faults."""

    def __init__(self, texts: Mapping[str, str | None]) -> None:
        super().__init__(eager=False)
        self._texts = texts
        self.add_parser("parsed", _parse)

    def _get_value(self, env_key: str, default: Any) -> Any:
        return self._texts[env_key]


def _parse(text: str, *, parse: Callable[[str], Any]) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise ValidationError(str(error)) from None


class Kind(NamedTuple):
    """The type of a setting, and the method of Env that reads such a setting."""

    expects: str  # the end of the sentence "set it to …"
    read: Callable[[Env, str], Any]
    why_not: Callable[[str], str | None] = lambda _text: None  # without secrets


def _parsed(expects: str, parse: Callable[[str], Any]) -> Kind:
    return Kind(expects, lambda env, name: env.parsed(name, parse=parse))


def _matching(expects: str, pattern: str) -> Kind:
    whole = validate.Regexp(rf"(?:{pattern})\Z")
    return Kind(expects, lambda env, name: env.str(name, validate=whole))


def _one_of(*choices: str) -> Kind:
    known = validate.OneOf(choices)
    return Kind(" or ".join(choices), lambda env, name: env.str(name, validate=known))


def _whole(low: int, high: int) -> Kind:
    expects, within = f"a whole number from {low} to {high}", validate.Range(low, high)
    return Kind(expects, lambda env, name: env.int(name, validate=within))


def _switch() -> Kind:
    known = validate.OneOf(("yes", "no"))
    return Kind("yes or no", lambda env, name: env.str(name, validate=known) == "yes")


_MANY = _whole(1, 1_000_000)
_HOST = _matching("a host name or an IP address", r"[\w.:-]+")
_MODULES = _parsed("dotted module names, separated by commas", _listed(_module))
_PROCESSES = _whole(0, 64)
_PLACE = _parsed(
    "a folder that this user may write to, or s3://BUCKET/PREFIX, gs://… or az://…", _place
)._replace(why_not=bucket_urls.complaint)
_RATE_LIMIT = _parsed('a limit such as "100 per minute"', _rate_limit)
_REDIS_URL = _parsed(
    "a redis://, rediss://, unix:// or redis+sentinel:// URL", redis_urls.checked
)._replace(why_not=redis_urls.complaint)


class Variable(NamedTuple):
    """The environment variable of a setting."""

    field: str
    kind: Kind
    default: str | None  # in the environment's text form; None: the setting is None by default
    purpose: str
    secret: bool  # whether the value is secret and must not be shown
    prefix: str

    @property
    def name(self) -> str:
        """The variable's name in the environment."""
        return self.prefix + self.field.upper()

    def complaint(self, text: str | None) -> str:
        """Return a sentence with the fault of the text and its remedy."""
        why_not = self.kind.why_not(text or "")
        # A reason is told where the text may have secrets in it.
        is_shown = not self.secret and why_not is None
        found = f"is {text!r}" if is_shown else "has a value that cannot be used"
        found += f" ({why_not})" if why_not else ""
        without = "leave it out" + (f" for {self.default}" if self.default else "")
        return f"{self.name} {found}: set it to {self.kind.expects}, or {without}."


def variable(
    kind: Kind, default: str | None, purpose: str, *, secret: bool = False, prefix: str = "LONJA_"
) -> Any:
    """Return the dataclass field of a setting, with its Variable."""
    said = {"kind": kind, "default": default, "purpose": purpose}
    return field(repr=not secret, metadata={**said, "secret": secret, "prefix": prefix})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one process; immutable, and without secrets in the repr.

    The variable of ``web_workers`` is LONJA_WEB_WORKERS, and so on.
    """

    data_dir: Path = variable(
        _parsed("a folder that this user may write to", _path),
        "./var",
        "Where the embedded Redis and its log live, and the index of packs (`lonja archive`).",
    )
    games_dir: Path | None = variable(
        _parsed("a folder that this user may write to", _path),
        None,
        "Where `lonja play` saves games; without it, where programs of this user keep data.",
    )
    redis_url: str | None = variable(
        _REDIS_URL,
        None,
        "The Redis that holds the events; without it, an embedded one is started.",
        secret=True,
        prefix="",  # this variable is commonly known without the prefix LONJA_
    )
    queue_redis_url: str | None = variable(
        _REDIS_URL,
        None,
        "The Redis that holds the job queues; without it, the one that holds the events.",
        secret=True,
    )
    redis_server: Path | None = variable(
        _parsed("the path of a redis-server or valkey-server program", _file),
        None,
        "The program to embed; without it, the best one found.",
    )
    appendfsync: Literal["always", "everysec"] = variable(
        _one_of("always", "everysec"),
        "always",
        "When an event is on disk: before it is acknowledged, or up to a second after.",
    )
    replicas_to_wait: ReplicasToWait = variable(
        _parsed("a whole number from 0 to 16, or all", _replicas),
        "0",
        "How many replicas must hold an event before it is acknowledged; `all` that there were.",
    )
    extra_rulesets: tuple[str, ...] = variable(
        _MODULES, "", "Rulesets to offer besides the ones that are found."
    )
    extra_bots: tuple[str, ...] = variable(
        _MODULES, "", "Bots to offer besides the ones that are found."
    )
    engines: Path | None = variable(
        _parsed("the path of a file", _file),
        None,
        "A file that names engines of strangers (docs/engines.md), to be run in sandboxes.",
    )
    editions: tuple[Path, ...] = variable(
        _parsed("paths of JSON files, separated by commas", _listed(_file)),
        "",
        "Editions of a game's tables to offer besides the published ones.",
    )
    secrets_key: bytes | None = variable(
        _parsed(f"{2 * SECRETS_KEY_BYTES} hexadecimal digits", _secrets_key),
        None,
        "Wraps the games' secrets in the ledger; without it, they are stored in the clear.",
        secret=True,
    )
    archive: str | None = variable(
        _PLACE,
        None,
        "The folder or bucket of packs (`lonja archive`), where games are read that have left the"
        " Redis.",
    )
    archive_copy: str | None = variable(
        _PLACE,
        None,
        "The folder or bucket of a copy of the packs, which `lonja archive scrub` keeps and heals"
        " with.",
    )
    archive_keys: tuple[bytes, ...] = variable(
        _parsed(f"keys of {2 * SECRETS_KEY_BYTES} hexadecimal digits, with commas", _archive_keys),
        "",
        "The keys of packs of private games: the first one encrypts, all decrypt. Without one,"
        " these games stay in the Redis.",
        secret=True,
    )
    archive_scrub_days: int = variable(
        _whole(1, 3_650),
        "7",
        "Within how many days each pack is read again (`lonja archive scrub --due`).",
    )
    public_log: Path | Literal["no"] | None = variable(
        _parsed("a folder that this user may write to, or no", _path_or_no),
        None,
        "The folder of the public log (`lonja log`), or no; without it, `lonja serve` with an"
        " embedded Redis keeps one in `log` below LONJA_DATA_DIR.",
    )
    public_log_name: str | None = variable(
        _matching("a name without spaces and pluses", r"[^\s+\x00-\x1f]{1,200}"),
        None,
        "The name of a new public log: its URL without https://, such as"
        " games.example.org/log; without it, one that no other log has.",
    )
    witnesses: Path | None = variable(
        _parsed("an existing file", _file),
        None,
        "The file of the witnesses that co-sign the public log, with their URLs, and of their"
        " quorum, as c2sp.org/tlog-policy defines it.",
    )
    beacons: Path | None = variable(
        _parsed("an existing file", _file),
        None,
        "The file of the beacons that tables may let into their luck: chains of drand, each with"
        " its information and the URLs of relays.",
    )
    archive_days: int = variable(
        _whole(1, 36_500),
        "7",
        "How many days after their end, at least, games leave the Redis, if there is a folder of"
        " packs.",
    )
    archive_memory_mark: MemoryMark = variable(
        _parsed("a percentage such as 60%, or a size such as 4gb", _memory_mark),
        "60%",
        "At how much memory of the Redis the oldest games that are over leave it earlier.",
    )
    rate_limit: str = variable(
        _RATE_LIMIT,
        "6000 per minute",
        "How many requests one key, or one address without a key, may make; a dear one counts once"
        " for each 5 ms of processor time.",
    )
    address_rate_limit: str = variable(
        _RATE_LIMIT,
        "12000 per minute",
        "How many requests, counted in the same way, one address may make, whatever keys it has.",
    )
    sign_up_limit: str = variable(
        _RATE_LIMIT,
        "30 per hour",
        "How often one address may ask for a player; raise it where a class shares an address.",
    )
    creation_limit: str = variable(
        _RATE_LIMIT,
        "600 per hour",
        "How often one address may ask for a game, a tournament, a webhook or notifications.",
    )
    tables_per_player: int = variable(
        _MANY, "20", "How many tables of one player may wait for others."
    )
    tables_per_address: int = variable(
        _MANY,
        "60",
        "How many tables opened from one address, and how many seeks, may wait for others.",
    )
    games_per_player: int = variable(
        _MANY, "100", "How many games that one player opened or sits at may be unfinished."
    )
    games_per_address: int = variable(
        _MANY,
        "500",
        "How many games that were opened or joined from one address may be unfinished.",
    )
    tournaments_per_address: int = variable(
        _MANY, "40", "How many tournaments held from one address may be under way."
    )
    table_hours: int = variable(
        _whole(1, 24 * 365), "72", "After how many hours a table that has not started is cancelled."
    )
    ladders: Ladders | None = variable(
        _parsed("all, none, or a list such as RULESET=3-5, separated by commas", _ladders),
        None,
        "Which ladders the service itself keeps open; without it, it opens and pauses none.",
    )
    ladder_budget: Budget = variable(
        _parsed('processor seconds, such as "3600 per day"', _budget),
        "3600 per day",
        "What the service's bots may use in the endless tournaments of one owner's bots.",
    )
    ladder_mb_per_day: int = variable(
        _MANY,
        "200",
        "How many MB in the store an owner's bots may fill in endless tournaments on one day.",
    )
    decision_seconds: int = variable(
        _whole(0, 30 * 24 * 3600),
        "259200",
        "The clock of public tables where people sit and that name none; 0: nobody is hurried.",
    )
    hosts: Hosts = variable(
        _parsed("player ids and networks, separated by commas", _hosts),
        "",
        "Who runs bots, or a class, and has larger limits.",
    )
    host_factor: int = variable(
        _whole(1, 10_000), "20", "How many times larger the limits of LONJA_HOSTS are."
    )
    rating_hosts: frozenset[str] = variable(
        _parsed("player ids, separated by commas", _players),
        "",
        "Whose tournaments count for the public ratings of bots; everybody's count for their own.",
    )
    trusted_proxies: tuple[addresses.Network, ...] = variable(
        _parsed("IP addresses and networks, separated by commas", addresses.networks),
        "",
        "The proxies whose X-Forwarded-For, X-Forwarded-Proto and SCRIPT_NAME are believed.",
    )
    redis_memory_mark: MemoryMark = variable(
        _parsed("a percentage such as 80%, or a size such as 6gb", _memory_mark),
        "80%",
        "At how much memory of the Redis nothing new is created; play goes on.",
    )
    outbound_networks: tuple[addresses.Network, ...] = variable(
        _parsed("IP addresses and networks, separated by commas", addresses.networks),
        "",
        "Networks besides the public Internet in which webhooks and push services may be.",
    )
    outbound_http: bool = variable(
        _switch(), "no", "Whether their URLs may be http://, without TLS."
    )
    push_contact: str | None = variable(
        _matching("a mailto: or https: URL", r"(mailto:[^\s@]+@[^\s@]+|https://[!-~]+)"),
        None,
        "Where push services reach you; Apple's takes no notification for a browser without it.",
    )
    max_body_bytes: int = variable(
        _whole(1024, 16 << 20), "65536", "The largest request body that is read."
    )
    max_streams: int = variable(
        _whole(1, 100_000), "1000", "How many event streams one web process keeps open."
    )
    streams_per_key: int = variable(
        _whole(1, 100_000), "50", "How many of them one player may have."
    )
    streams_per_address: int = variable(
        _whole(1, 100_000), "200", "How many of them one address may have."
    )
    send_seconds: int = variable(
        _whole(1, 3_600),
        "30",
        "How long a client may take to read what it is sent at once; then it is cut.",
    )
    metrics_token: str | None = variable(
        _matching("16 to 200 printable ASCII characters without spaces", r"[\x21-\x7e]{16,200}"),
        None,
        "What Prometheus sends as a bearer token to read /metrics; without it, nobody can.",
        secret=True,
    )
    metrics_port: int | None = variable(
        _whole(1, 65_535),
        None,
        "The port on which `lonja worker` answers /healthz and /metrics; without it, on none.",
    )
    metrics_bind: str = variable(_HOST, "127.0.0.1", "The address of that port.")
    web_workers: int = variable(_whole(1, 64), "2", "How many web processes to run.")
    bot_workers: int = variable(_PROCESSES, "1", "How many worker processes to run.")
    heavy_workers: int = variable(
        _PROCESSES,
        "1",
        "How many processes to run for bots that think, such as `search`.",
    )
    bot_budget: Budget = variable(
        _parsed('processor seconds, such as "900 per hour"', _budget),
        "900 per hour",
        "What the bots in one address's games may use; then they wait for the next hour (or …).",
    )
    tournament_workers: int = variable(
        _PROCESSES, "1", "How many processes to run that play tournaments, at low priority."
    )
    host: str = variable(
        _HOST,
        "127.0.0.1",
        "The address to listen on; 0.0.0.0 is every one of this machine.",
    )
    drain_seconds: int = variable(
        _whole(0, 300),
        "0",
        "How long a web process that is told to end says so in /readyz before it stops"
        " accepting requests.",
    )
    log_format: Literal["json", "text"] = variable(
        _one_of("json", "text"), "text", "Logs for programs or for people."
    )
    log_level: Literal["debug", "info", "warning", "error"] = variable(
        _one_of("debug", "info", "warning", "error"),
        "info",
        "The least serious message that is logged.",
    )

    @property
    def log_folder(self) -> Path | None:
        """The folder of the public log, None if there is none."""
        if self.public_log is not None:
            return None if self.public_log == "no" else self.public_log
        return self.data_dir / "log" if self.redis_url is None else None

    @property
    def outbound(self) -> Policy:
        """The policy for requests to strangers' servers."""
        return Policy(self.outbound_networks, http=self.outbound_http)


GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "The store": (
            "data_dir", "redis_url", "queue_redis_url", "redis_server", "appendfsync",
            "replicas_to_wait", "secrets_key", "redis_memory_mark", "archive", "archive_copy",
            "archive_keys", "archive_scrub_days", "archive_days", "archive_memory_mark",
            "public_log", "public_log_name",
        ),
        "Games, bots and ratings": (
            "extra_rulesets", "extra_bots", "engines", "editions", "games_dir", "table_hours",
            "decision_seconds", "rating_hosts", "ladders",
        ),
        "Processes": (
            "web_workers", "bot_workers", "heavy_workers", "tournament_workers", "drain_seconds",
        ),
        "Network": (
            "host", "trusted_proxies", "outbound_networks", "outbound_http", "push_contact",
            "max_body_bytes", "send_seconds", "witnesses", "beacons",
        ),
        "Limits of requests": (
            "rate_limit", "address_rate_limit", "sign_up_limit", "creation_limit",
        ),
        "Limits of play": (
            "tables_per_player", "tables_per_address", "games_per_player", "games_per_address",
            "tournaments_per_address", "ladder_budget", "ladder_mb_per_day", "bot_budget",
            "max_streams", "streams_per_key", "streams_per_address", "hosts", "host_factor",
        ),
        "Metrics and logs": (
            "metrics_token", "metrics_port", "metrics_bind", "log_format", "log_level",
        ),
    }
)  # fmt: skip
"""The fields of Settings by subject."""


def describe() -> list[Variable]:
    """Return all variables, in the order of Settings."""
    return [Variable(item.name, **item.metadata) for item in fields(Settings)]


def load(environ: Mapping[str, str]) -> Settings:
    """Return the settings of `environ`; an empty variable counts as missing.

    Raises SettingsError, which names every bad variable at once.
    """
    known = describe()
    texts = {one.name: environ.get(one.name, "").strip() or one.default for one in known}
    environment = _Environment(texts)
    values: dict[str, Any] = {
        one.field: None if texts[one.name] is None else one.kind.read(environment, one.name)
        for one in known
    }
    try:
        environment.seal()
    except EnvValidationError as error:
        wrong = [one for one in known if one.name in error.error_messages]
        raise SettingsError("\n".join(one.complaint(texts[one.name]) for one in wrong)) from None
    if (copy := values["archive_copy"]) is not None and values["archive"] in (None, copy):
        raise SettingsError("LONJA_ARCHIVE_COPY is of no use: set LONJA_ARCHIVE to another place.")
    values["queue_redis_url"] = values["queue_redis_url"] or values["redis_url"]
    return Settings(**values)
