"""URLs and addresses that may be requested on behalf of others."""

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple
from urllib.parse import urlsplit

from service.addresses import Address, Network

MAX_URL = 1_000
"""Maximum length of a URL; those of some push services have half of it."""
_URL = re.compile(r"[\x21-\x5b\x5d-\x7e]+\Z")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?\Z")
_UNICAST = ip_network("2000::/3")
"""The routed part of IPv6. Only 6to4 has addresses in it that embed an IPv4 address."""
_REFUSED = tuple(
    map(
        ip_network,
        (
            "192.88.99.0/24",  # relays of 6to4
            "2001::/23",  # special protocols, such as Teredo
            "2001:db8::/32",
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
        ),
    )
)
"""Forbidden networks that ``is_global`` does not know in every version of Python."""


class Policy(NamedTuple):
    """The operator's policy for the URLs and addresses that may be requested.

    ``networks`` are the private networks that are permitted. ``http`` says whether HTTP without TLS
    is permitted.
    """

    networks: tuple[Network, ...] = ()
    http: bool = False

    def allows(self, address: Address) -> bool:
        """Whether an address may be used: it is public, or in a listed network."""
        return is_public(address) or any(address in network for network in self.networks)


ANYWHERE = Policy((ip_network("0.0.0.0/0"), ip_network("::/0")), http=True)
"""The policy for URLs that the operator has written down, which may be of hosts nearby."""


def is_public(address: Address) -> bool:
    """Whether an address belongs to one host on the Internet, and embeds no other address."""
    if any(address in network for network in _REFUSED):
        return False
    if isinstance(address, IPv6Address) and (address.scope_id or address not in _UNICAST):
        return False
    return address.is_global and not address.is_multicast


class Target(NamedTuple):
    """The parts of a URL; ``path`` includes the query."""

    scheme: str
    host: str
    port: int
    path: str


def target_of(url: str, policy: Policy) -> Target:
    """Return the target of a URL.

    Names are looked up at the request, so a forbidden address is refused here only if it is written
    in the URL.

    Raises:
        ValueError: the URL is not usable; the message says what it must be ("a URL with a host").
    """
    if len(url) > MAX_URL or not _URL.match(url):
        raise ValueError(f"a URL of at most {MAX_URL} ASCII characters")
    schemes = ("https", "http") if policy.http else ("https",)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("a URL with a host, and a port from 1 to 65535 if any") from None
    if parts.scheme not in schemes:
        raise ValueError(" or ".join(f"{scheme}://…" for scheme in schemes))
    if "@" in parts.netloc or "#" in url:
        raise ValueError("a URL without a user and without a fragment")
    host = parts.hostname or ""
    literal = _literal(host)
    if port == 0 or (literal is None and not _NAME.match(host)):
        raise ValueError("a URL with a host, and a port from 1 to 65535 if any")
    if literal is not None and not policy.allows(literal):
        raise ValueError("the URL of a public address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path)


def _literal(host: str) -> Address | None:
    """Parse a host as an address, in any form that resolvers accept; None if it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))  # 2130706433, 0x7f.1, 0177.0.0.1
    except OSError:
        return None


def refused(addresses: Iterable[Address], policy: Policy) -> list[Address]:
    """Return the addresses that are forbidden."""
    return [address for address in addresses if not policy.allows(address)]
