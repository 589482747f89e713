import pytest

from service.redis.version import ServerVersion

REDIS_6_2 = ServerVersion("redis", 6, 2, 14)
REDIS_7_0 = ServerVersion("redis", 7, 0, 15)
REDIS_7_2 = ServerVersion("redis", 7, 2, 4)
REDIS_7_4 = ServerVersion("redis", 7, 4, 0)
VALKEY_8_0 = ServerVersion("valkey", 8, 0, 1)
VALKEY_8_1 = ServerVersion("valkey", 8, 1, 0)


@pytest.mark.parametrize(
    ("banner", "version"),
    [
        ("Redis server v=6.2.14 sha=40305114:0 malloc=libc bits=64", REDIS_6_2),
        ("Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc-5.3.0", VALKEY_8_0),
    ],
)
def test_a_banner_is_read(banner: str, version: ServerVersion) -> None:
    assert ServerVersion.of_banner(banner) == version


@pytest.mark.parametrize("text", ["", "Python 3.11.7", "Redis server v=next"])
def test_another_program_is_no_server(text: str) -> None:
    with pytest.raises(ValueError, match="not a"):
        ServerVersion.of_banner(text)


def test_valkey_is_known_by_its_own_version() -> None:
    info = {"redis_version": "7.2.4", "server_name": "valkey", "valkey_version": "8.0.1"}
    assert ServerVersion.of_info(info) == VALKEY_8_0
    assert ServerVersion.of_info({"redis_version": "7.0.15"}) == REDIS_7_0


@pytest.mark.parametrize(
    ("reader", "writer", "reads"),
    [
        (REDIS_6_2, REDIS_6_2, True),
        (REDIS_7_0, REDIS_6_2, True),
        (REDIS_6_2, REDIS_7_0, False),
        (REDIS_7_0._replace(patch=1), REDIS_7_0, True),
        (VALKEY_8_0, REDIS_6_2, True),
        (VALKEY_8_0, REDIS_7_2, True),
        (VALKEY_8_0, REDIS_7_4, False),
        (VALKEY_8_0, VALKEY_8_1, False),
        (REDIS_7_0, VALKEY_8_0, False),
        (REDIS_7_4, VALKEY_8_0, False),
    ],
)
def test_only_a_server_that_is_not_older_reads_the_data(
    reader: ServerVersion, writer: ServerVersion, *, reads: bool
) -> None:
    assert reader.reads_data_of(writer) is reads
