"""The address to which a request is charged.

It is the address of the peer, or the address that a declared proxy reports. Proxies are declared by
their networks. So if a client bypasses the proxies, the addresses in its header are ignored.
Werkzeug's ``ProxyFix`` only counts proxies: it would believe that header.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

IPV6_PREFIX = 64
"""The length of the IPv6 prefix that one household or server has; its addresses count as one."""

UNKNOWN = "unknown"
"""The address of a peer that has none, as on a unix socket."""

_KNOWN = 10_000


def networks(text: str) -> tuple[Network, ...]:
    """Parse networks such as ``10.0.0.0/8, 2001:db8::1``; raises ValueError."""
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def in_url(host: str) -> str:
    """Return a host in the form used before a port: IPv6 in brackets (RFC 3986, 3.2.2)."""
    return f"[{host}]" if ":" in host else host


@lru_cache(_KNOWN)
def within(address: str, declared: tuple[Network, ...]) -> bool:
    """Whether ``address``, a result of ``Addresses.of``, lies in one of the networks ``declared``.

    An IPv6 network must contain all of the address's ``/64``.
    """
    if address == UNKNOWN:
        return False
    name = ip_network(address)
    return any(
        (isinstance(name, IPv4Network) and isinstance(net, IPv4Network) and name.subnet_of(net))
        or (isinstance(name, IPv6Network) and isinstance(net, IPv6Network) and name.subnet_of(net))
        for net in declared
    )


class Addresses:
    """Determines the address to which the limits charge a request."""

    def __init__(self, proxies: Iterable[Network]) -> None:
        self._proxies = tuple(proxies)
        self._of = lru_cache(_KNOWN)(self._name)

    def is_proxy(self, peer: str) -> bool:
        """Whether this peer is a declared proxy, which carries others' requests."""
        address = _read(peer)
        return address is not None and self._trusts(address)

    def of(self, peer: str, forwarded_for: str = "") -> str:
        """Return a request's address: ``192.0.2.7``, or the network ``2001:db8:1:2::/64`` for IPv6.

        ``forwarded_for`` is the header X-Forwarded-For. Each proxy appends its peer, so the
        rightmost address that is not a declared proxy is the last one seen by a trusted host;
        anything to its left may be forged.
        """
        return self._of(peer, forwarded_for)

    def _name(self, peer: str, forwarded_for: str) -> str:
        address = _read(peer)
        if address is None:
            return UNKNOWN
        for part in reversed(forwarded_for.split(",")):
            if not self._trusts(address):
                break
            told = _read(part)
            if told is None:
                break
            address = told
        if isinstance(address, IPv4Address):
            return str(address)
        return str(IPv6Network((int(address), IPV6_PREFIX), strict=False))

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self._proxies)


def _read(text: str) -> Address | None:
    """Parse an address; None if it is malformed. It may have a port, as some proxies send it."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
