import pytest

from service.redis_urls import Sentinels, complaint, sentinels
from service.settings import SettingsError, load

THREE = "a.example:26379,10.0.0.2:26380,[2001:db8::3]"


def test_sentinels_are_read() -> None:
    assert sentinels(f"redis+sentinel://{THREE}/lonja") == Sentinels(
        (("a.example", 26379), ("10.0.0.2", 26380), ("2001:db8::3", 26379)),
        "lonja",
        tls=False,
        server_options={"db": 0},
        sentinel_options={},
    )


def test_users_and_passwords_are_of_the_servers_or_the_sentinels() -> None:
    found = sentinels(
        "redis+sentinel://lonja:p%40ss%2F@a/games/3?sentinel_username=watch&sentinel_password=s%26p"
    )
    assert found is not None
    assert found.server_options == {"username": "lonja", "password": "p@ss/", "db": 3}
    assert found.sentinel_options == {"username": "watch", "password": "s&p"}


def test_tls_is_spoken_to_both() -> None:
    found = sentinels("rediss+sentinel://:p@a/games?ssl_ca_certs=/ca.pem&ssl_check_hostname=no")
    assert found is not None
    tls = {"ssl_ca_certs": "/ca.pem", "ssl_check_hostname": False}
    assert found.tls
    assert found.server_options == {"password": "p", "db": 0, **tls}
    assert found.sentinel_options == tls


@pytest.mark.parametrize(
    "url", ["redis://h", "rediss://u:p@h:1/2", "unix:///run/r.sock", "redis://h?db=1"]
)
def test_other_urls_name_one_server(url: str) -> None:
    assert sentinels(url) is None
    assert complaint(url) is None


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("localhost:6379", "it begins otherwise"),
        ("redis://", "it names no host"),
        ("unix://", "it names no socket"),
        ("redis://[::1", "it is no URL"),
        ("redis://a,b", "it names several hosts, as only redis+sentinel:// may"),
        (
            "redis+cluster://a,b",
            "Redis Cluster is not supported: name one server, or sentinels",
        ),
        ("sentinel://a/b", "sentinels are named as redis+sentinel://host,host/service"),
        ("redis+sentinel:a", "sentinels are named as redis+sentinel://host,host/service"),
        ("redis+sentinel:///lonja", "its sentinel 1 has no host"),
        ("redis+sentinel://a,,c/lonja", "its sentinel 2 has no host"),
        (
            "redis+sentinel://a,b:x/lonja",
            "its sentinel 2 is no host:port with a port from 1 to 65535",
        ),
        (
            "redis+sentinel://a:0/lonja",
            "its sentinel 1 is no host:port with a port from 1 to 65535",
        ),
        (
            "redis+sentinel://2001:db8::3/lonja",
            "its sentinel 1 is no host:port with a port from 1 to 65535",
        ),
        ("redis+sentinel://a", "it names no service, as in redis+sentinel://host,host/service"),
        ("redis+sentinel://a/lonja/two", "its database 'two' is no number"),
        ("redis+sentinel://a/lonja?timeout=1", "it has the unknown option 'timeout'"),
        (
            "redis+sentinel://a/lonja?ssl_ca_certs=x",
            "its option 'ssl_ca_certs' needs rediss+sentinel://",
        ),
        (
            "redis+sentinel://:p/w@a/lonja",
            "a / ? # or @ in a user or password must be percent-encoded",
        ),
    ],
)
def test_the_part_that_is_wrong_is_named(url: str, why: str) -> None:
    assert complaint(url) == why
    with pytest.raises(SettingsError) as refusal:
        load({"LONJA_QUEUE_REDIS_URL": url})
    assert f"LONJA_QUEUE_REDIS_URL has a value that cannot be used ({why}): set it to" in str(
        refusal.value
    )


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://:hunter2/x@a/lonja",
        "redis+sentinel://u:hunter2#@a/lonja",
        "redis+sentinel://u:hunter2@a:x/lonja",
        "redis+sentinel://u:hunter2/lonja",
        "redis+sentinel://a/lonja?sentinel_password=hunter2&hm=1",
        "redis+sentinel://a/lonja?sentinel_password=hun@ter2",
        "redis://u:hunter2@a,b",
    ],
)
def test_no_password_is_repeated(url: str) -> None:
    said = complaint(url)
    assert said
    assert "hun" not in said
