"""The address to which a request is charged."""

import pytest

from service.addresses import UNKNOWN, Addresses, in_url, networks, within

BEHIND = Addresses(networks("10.0.0.0/8, 2001:db8:ffff::/48"))


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "counted"),
    [
        ("192.0.2.7", "", "192.0.2.7"),
        ("192.0.2.7", "198.51.100.1", "192.0.2.7"),  # any client may send the header
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),  # the first is forged
        ("10.0.0.1", "203.0.113.9,198.51.100.1, 10.2.0.1", "198.51.100.1"),  # two proxies
        ("10.0.0.1", "10.0.0.2, 10.0.0.3", "10.0.0.2"),  # a client within the network
        ("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "[2001:db8::7]:4711", "2001:db8::/64"),
        ("2001:db8:ffff::1", "198.51.100.1", "198.51.100.1"),
        ("2001:db8:0:1:aaaa::1", "", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:bbbb::2", "", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "", "fe80::/64"),
        ("::ffff:192.0.2.7", "", "192.0.2.7"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("", "198.51.100.1", UNKNOWN),
    ],
)
def test_the_last_address_that_a_declared_proxy_vouches_for_counts(
    peer: str, forwarded_for: str, counted: str
) -> None:
    assert BEHIND.of(peer, forwarded_for) == counted


def test_ipv6_stands_in_brackets_before_a_port() -> None:
    assert [in_url(host) for host in ("::1", "192.0.2.7", "x")] == ["[::1]", "192.0.2.7", "x"]


def test_hosts_are_found_by_network() -> None:
    known = networks("192.0.2.0/24, 2001:db8::/48")
    assert within("192.0.2.7", known)
    assert within("2001:db8:0:1::/64", known)
    assert not within("198.51.100.1", known)
    assert not within("2001:db8:1:1::/64", known)
    assert not within(UNKNOWN, known)
