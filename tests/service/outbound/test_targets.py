"""The URLs and addresses that may be requested for others."""

from ipaddress import ip_address, ip_network

import pytest

from service.outbound.targets import Policy, Target, is_public, target_of

PRIVATE = (
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.0.0.1",
    "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
    "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::",
    "2002:808:808::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0",
    "2606:4700::1111%1", "fec0::1", "ff02::1",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "8.8.8.8", "99.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e")


@pytest.mark.parametrize("text", PRIVATE)
def test_what_is_not_on_the_internet_is_refused(text: str) -> None:
    assert not is_public(ip_address(text))
    assert not Policy().allows(ip_address(text))


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_public_may_be_asked(text: str) -> None:
    assert Policy().allows(ip_address(text))


def test_an_operator_may_list_networks() -> None:
    policy = Policy((ip_network("10.1.0.0/16"), ip_network("fd00::/8")))
    assert [policy.allows(ip_address(a)) for a in ("10.1.2.3", "10.2.0.1", "fd00::1", "::1")] == [
        True, False, True, False,
    ]  # fmt: skip
    assert not policy.allows(ip_address("::ffff:10.1.2.3"))


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://example.org", Target("https", "example.org", 443, "/")),
        ("https://EXAMPLE.org:8443/a?b=c", Target("https", "example.org", 8443, "/a?b=c")),
        ("https://1.1.1.1/", Target("https", "1.1.1.1", 443, "/")),
        ("https://[2606:4700::1111]/x", Target("https", "2606:4700::1111", 443, "/x")),
    ],
)
def test_a_url_leads_somewhere(url: str, where: Target) -> None:
    assert target_of(url, Policy()) == where


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("", "a URL of at most"),
        ("https://example.org/" + "x" * 1_000, "a URL of at most"),
        ("https://exa mple.org/", "a URL of at most"),
        ("https://example.org/\r\nX: y", "a URL of at most"),
        ("https://example.org\\@127.0.0.1/", "a URL of at most"),
        ("https://españa.es/", "a URL of at most"),
        ("http://example.org/", "https://"),
        ("ftp://example.org/", "https://"),
        ("//example.org/", "https://"),
        ("https:example.org", "a URL with a host"),
        ("https:///x", "a URL with a host"),
        ("https://example.org:0/", "a URL with a host"),
        ("https://example.org:99999/", "a URL with a host"),
        ("https://example..org/", "a URL with a host"),
        ("https://[::1/", "a URL with a host"),
        ("https://ana@example.org/", "without a user"),
        ("https://example.org/#a", "without a user"),
        ("https://127.0.0.1/", "the URL of a public address"),
        ("https://2130706433/", "the URL of a public address"),
        ("https://0x7f000001/", "the URL of a public address"),
        ("https://0177.0.0.1/", "the URL of a public address"),
        ("https://127.1/", "the URL of a public address"),
        ("https://[::1]/", "the URL of a public address"),
        ("https://[::ffff:169.254.169.254]/", "the URL of a public address"),
        ("https://[fe80::1%25eth0]/", "a"),
    ],
)
def test_what_is_no_url_to_ask_says_why(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        target_of(url, Policy())


def test_an_operator_may_allow_http() -> None:
    assert target_of("http://example.org/", Policy(http=True)).port == 80
