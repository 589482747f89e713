"""URLs of a Redis server, or of sentinels, which know the primary.

    redis://…, rediss://…, unix://…
    redis+sentinel://[[user]:password@]host[:port][,host[:port]…]/service[/db][?option=value&…]

In the last form, the user, password and database belong to the servers. The sentinels have the
options ``sentinel_username`` and ``sentinel_password``. With ``rediss+sentinel``, connections to
the sentinels and to the servers use TLS, with redis-py's options ``ssl_…``. Error messages never
quote text that might be part of a password.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

SENTINEL_PORT = 26379
NO_CLUSTER = "Redis Cluster is not supported: name one server, or sentinels"

_SENTINELS = re.compile(r"(rediss?)\+sentinel://([^/?#]*)([^?#]*)\??([^#]*)(.*)", re.DOTALL)
_ADDRESS = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:\[\]]+))(?::([0-9]{1,5}))?")
_OWN_OPTIONS = {"sentinel_username": "username", "sentinel_password": "password"}
_TLS_OPTIONS = frozenset(
    (
        "ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_cert_reqs", "ssl_check_hostname",
        "ssl_keyfile", "ssl_password",
    )
)  # fmt: skip

Address = tuple[str, int]


class RedisUrlError(ValueError):
    """A text is not a URL of Redis; the message says why, and shows no secret."""


class Sentinels(NamedTuple):
    """The sentinels of a URL, and the options of connections to them and to the servers.

    The options are redis-py's. ``tls`` says whether the connections to the sentinels and to the
    servers use TLS.
    """

    addresses: tuple[Address, ...]
    service: str
    tls: bool
    server_options: Mapping[str, Any]
    sentinel_options: Mapping[str, Any]


def complaint(url: str) -> str | None:
    """Return the reason why a text is not a URL of Redis; None if it is one."""
    try:
        checked(url)
    except RedisUrlError as error:
        return str(error)
    return None


def checked(url: str) -> str:
    """Return ``url`` if it names a server or sentinels; otherwise raise RedisUrlError."""
    if sentinels(url) is not None:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        raise RedisUrlError("it is no URL") from None
    if "cluster" in parts.scheme:
        raise RedisUrlError(NO_CLUSTER)
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise RedisUrlError("it begins otherwise")
    if not (parts.path if parts.scheme == "unix" else parts.netloc):
        raise RedisUrlError("it names no " + ("socket" if parts.scheme == "unix" else "host"))
    if "," in parts.netloc.rpartition("@")[2]:
        raise RedisUrlError("it names several hosts, as only redis+sentinel:// may")
    return url


def sentinels(url: str) -> Sentinels | None:
    """Return the sentinels in a URL, None if it names a server. Raises RedisUrlError."""
    found = _SENTINELS.fullmatch(url)
    if found is None:
        if re.match(r"[a-z+-]*sentinel", url):
            raise RedisUrlError("sentinels are named as redis+sentinel://host,host/service")
        return None
    scheme, authority, path, query, fragment = found.groups()
    if fragment or "@" in path + query:
        raise RedisUrlError("a / ? # or @ in a user or password must be percent-encoded")
    login, _, hosts = authority.rpartition("@")
    user, _, password = login.partition(":")
    service, _, db = path.removeprefix("/").partition("/")
    if not service:
        raise RedisUrlError("it names no service, as in redis+sentinel://host,host/service")
    if not re.fullmatch(r"[0-9]{0,5}", db):
        raise RedisUrlError(f"its database {db!r} is no number")
    tls = scheme == "rediss"
    own, shared = _options(query, tls=tls)
    server: dict[str, Any] = {"username": unquote(user), "password": unquote(password)}
    server = {name: value for name, value in server.items() if value} | {"db": int(db or 0)}
    return Sentinels(
        tuple(_address(n, text) for n, text in enumerate(hosts.split(","), 1)),
        unquote(service),
        tls,
        server | shared,
        own | shared,
    )


def _address(number: int, text: str) -> Address:
    if not text:
        raise RedisUrlError(f"its sentinel {number} has no host")
    found = _ADDRESS.fullmatch(text)
    port = int(found[3] or SENTINEL_PORT) if found else 0
    if found is None or not 1 <= port <= 65_535:
        raise RedisUrlError(f"its sentinel {number} is no host:port with a port from 1 to 65535")
    return found[1] or found[2], port


def _options(query: str, *, tls: bool) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the options for the sentinels, and those for both sentinels and servers."""
    own: dict[str, str] = {}
    shared: dict[str, Any] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name in _OWN_OPTIONS:
            own[_OWN_OPTIONS[name]] = value
        elif name not in _TLS_OPTIONS:
            raise RedisUrlError(f"it has the unknown option {name!r}")
        elif not tls:
            raise RedisUrlError(f"its option {name!r} needs rediss+sentinel://")
        else:
            shared[name] = value
    if "ssl_check_hostname" in shared:
        shared["ssl_check_hostname"] = shared["ssl_check_hostname"].lower() in ("true", "yes", "1")
    return own, shared
