import dataclasses
from pathlib import Path

import pytest

from service.addresses import networks
from service.settings import (
    Budget,
    Hosts,
    Ladders,
    MemoryMark,
    Settings,
    SettingsError,
    describe,
    load,
)

KEY = "0f" * 32


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = load({})
    assert settings == Settings(
        data_dir=Path.cwd() / "var",
        games_dir=None,
        redis_url=None,
        queue_redis_url=None,
        redis_server=None,
        appendfsync="always",
        replicas_to_wait=0,
        extra_rulesets=(),
        editions=(),
        secrets_key=None,
        archive=None,
        archive_copy=None,
        archive_keys=(),
        archive_scrub_days=7,
        public_log=None,
        public_log_name=None,
        witnesses=None,
        beacons=None,
        archive_days=7,
        archive_memory_mark=MemoryMark(percent=60, bytes=None),
        rate_limit="6000 per minute",
        address_rate_limit="12000 per minute",
        sign_up_limit="30 per hour",
        creation_limit="600 per hour",
        tables_per_player=20,
        tables_per_address=60,
        games_per_player=100,
        games_per_address=500,
        tournaments_per_address=40,
        table_hours=72,
        ladders=None,
        ladder_budget=Budget(3600, 86_400),
        ladder_mb_per_day=200,
        decision_seconds=259_200,
        hosts=Hosts(frozenset(), ()),
        host_factor=20,
        rating_hosts=frozenset(),
        trusted_proxies=(),
        redis_memory_mark=MemoryMark(percent=80, bytes=None),
        outbound_networks=(),
        outbound_http=False,
        push_contact=None,
        max_body_bytes=65536,
        max_streams=1000,
        streams_per_key=50,
        streams_per_address=200,
        send_seconds=30,
        metrics_token=None,
        metrics_port=None,
        metrics_bind="127.0.0.1",
        web_workers=2,
        bot_workers=1,
        heavy_workers=1,
        bot_budget=Budget(900, 3600),
        tournament_workers=1,
        extra_bots=(),
        engines=None,
        host="127.0.0.1",
        drain_seconds=0,
        log_format="text",
        log_level="info",
    )


def test_every_setting_is_read(tmp_path: Path) -> None:
    server = tmp_path / "server"
    server.touch()
    settings = load(
        {
            "LONJA_DATA_DIR": str(tmp_path),
            "LONJA_GAMES_DIR": str(tmp_path),
            "REDIS_URL": "rediss://user:pass@example.org:6380/1",
            "LONJA_QUEUE_REDIS_URL": "unix:///run/queue.sock?db=2",
            "LONJA_REDIS_SERVER": str(server),
            "LONJA_APPENDFSYNC": "everysec",
            "LONJA_REPLICAS_TO_WAIT": "2",
            "LONJA_EXTRA_RULESETS": "tests.sealed, other",
            "LONJA_EDITIONS": f"{server}, {server}",
            "LONJA_SECRETS_KEY": KEY,
            "LONJA_ARCHIVE": str(tmp_path),
            "LONJA_ARCHIVE_COPY": "s3://packs/copy",
            "LONJA_ARCHIVE_KEYS": f"{KEY}, {'00' * 32}",
            "LONJA_ARCHIVE_SCRUB_DAYS": "30",
            "LONJA_PUBLIC_LOG": str(tmp_path),
            "LONJA_PUBLIC_LOG_NAME": "example.org/log",
            "LONJA_WITNESSES": str(server),
            "LONJA_BEACONS": str(server),
            "LONJA_RATE_LIMIT": "10/second; 100/minute",
            "LONJA_ADDRESS_RATE_LIMIT": "20/second",
            "LONJA_SIGN_UP_LIMIT": "1/day",
            "LONJA_CREATION_LIMIT": "2/day",
            "LONJA_TABLES_PER_PLAYER": "3",
            "LONJA_TABLES_PER_ADDRESS": "4",
            "LONJA_GAMES_PER_PLAYER": "5",
            "LONJA_GAMES_PER_ADDRESS": "6",
            "LONJA_TOURNAMENTS_PER_ADDRESS": "7",
            "LONJA_TABLE_HOURS": "8",
            "LONJA_LADDERS": "ragusa=2, manila=3-5",
            "LONJA_LADDER_BUDGET": "5 per hour",
            "LONJA_LADDER_MB_PER_DAY": "9",
            "LONJA_DECISION_SECONDS": "600",
            "LONJA_HOSTS": "p-mfrggzdfmztwq2lk, 10.1.0.0/16, 2001:db8::/48",
            "LONJA_RATING_HOSTS": "p-mfrggzdfmztwq2lk",
            "LONJA_HOST_FACTOR": "9",
            "LONJA_TRUSTED_PROXIES": "127.0.0.1, ::1, 10.0.0.0/8",
            "LONJA_REDIS_MEMORY_MARK": "6gb",
            "LONJA_ARCHIVE_DAYS": "30",
            "LONJA_ARCHIVE_MEMORY_MARK": "4gb",
            "LONJA_OUTBOUND_NETWORKS": "10.2.0.0/16",
            "LONJA_OUTBOUND_HTTP": "yes",
            "LONJA_PUSH_CONTACT": "mailto:operator@example.org",
            "LONJA_MAX_BODY_BYTES": "1024",
            "LONJA_MAX_STREAMS": "50",
            "LONJA_STREAMS_PER_KEY": "10",
            "LONJA_STREAMS_PER_ADDRESS": "11",
            "LONJA_SEND_SECONDS": "12",
            "LONJA_METRICS_TOKEN": "for-the-scraper-alone",
            "LONJA_METRICS_PORT": "9101",
            "LONJA_METRICS_BIND": "10.1.2.3",
            "LONJA_WEB_WORKERS": "4",
            "LONJA_BOT_WORKERS": "0",
            "LONJA_HEAVY_WORKERS": "2",
            "LONJA_BOT_BUDGET": "60 per minute",
            "LONJA_TOURNAMENT_WORKERS": "3",
            "LONJA_EXTRA_BOTS": "my.bot",
            "LONJA_ENGINES": str(server),
            "LONJA_HOST": "::1",
            "LONJA_DRAIN_SECONDS": "20",
            "LONJA_LOG_FORMAT": "json",
            "LONJA_LOG_LEVEL": "debug",
        }
    )
    assert settings == Settings(
        data_dir=tmp_path,
        games_dir=tmp_path,
        redis_url="rediss://user:pass@example.org:6380/1",
        queue_redis_url="unix:///run/queue.sock?db=2",
        redis_server=server,
        appendfsync="everysec",
        replicas_to_wait=2,
        extra_rulesets=("tests.sealed", "other"),
        editions=(server, server),
        secrets_key=b"\x0f" * 32,
        archive=str(tmp_path),
        archive_copy="s3://packs/copy",
        archive_keys=(b"\x0f" * 32, b"\x00" * 32),
        archive_scrub_days=30,
        public_log=tmp_path,
        public_log_name="example.org/log",
        witnesses=server,
        beacons=server,
        archive_days=30,
        archive_memory_mark=MemoryMark(percent=None, bytes=4 << 30),
        rate_limit="10/second; 100/minute",
        address_rate_limit="20/second",
        sign_up_limit="1/day",
        creation_limit="2/day",
        tables_per_player=3,
        tables_per_address=4,
        games_per_player=5,
        games_per_address=6,
        tournaments_per_address=7,
        table_hours=8,
        ladders=Ladders((("ragusa", 2), ("manila", 3), ("manila", 4), ("manila", 5))),
        ladder_budget=Budget(5, 3600),
        ladder_mb_per_day=9,
        decision_seconds=600,
        hosts=Hosts(frozenset(["p-mfrggzdfmztwq2lk"]), networks("10.1.0.0/16, 2001:db8::/48")),
        host_factor=9,
        rating_hosts=frozenset(["p-mfrggzdfmztwq2lk"]),
        trusted_proxies=networks("127.0.0.1, ::1, 10.0.0.0/8"),
        redis_memory_mark=MemoryMark(percent=None, bytes=6 << 30),
        outbound_networks=networks("10.2.0.0/16"),
        outbound_http=True,
        push_contact="mailto:operator@example.org",
        max_body_bytes=1024,
        max_streams=50,
        streams_per_key=10,
        streams_per_address=11,
        send_seconds=12,
        metrics_token="for-the-scraper-alone",
        metrics_port=9101,
        metrics_bind="10.1.2.3",
        web_workers=4,
        bot_workers=0,
        heavy_workers=2,
        bot_budget=Budget(60, 60),
        tournament_workers=3,
        extra_bots=("my.bot",),
        engines=server,
        host="::1",
        drain_seconds=20,
        log_format="json",
        log_level="debug",
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://"),
        ("LONJA_QUEUE_REDIS_URL", "http://example.org"),
        ("LONJA_REDIS_SERVER", "/nowhere/redis-server"),
        ("LONJA_APPENDFSYNC", "no"),
        ("LONJA_REPLICAS_TO_WAIT", "-1"),
        ("LONJA_BOT_BUDGET", "much"),
        ("LONJA_BOT_BUDGET", "0 per hour"),
        ("LONJA_EXTRA_RULESETS", "tests/sealed"),
        ("LONJA_EDITIONS", "/nowhere/edition.json"),
        ("LONJA_SECRETS_KEY", "00" * 31),
        ("LONJA_SECRETS_KEY", "zz" * 32),
        ("LONJA_RATE_LIMIT", "often"),
        ("LONJA_MAX_BODY_BYTES", "64k"),
        ("LONJA_SIGN_UP_LIMIT", "few"),
        ("LONJA_TABLE_HOURS", "0"),
        ("LONJA_DECISION_SECONDS", "-1"),
        ("LONJA_HOSTS", "p-short"),
        ("LONJA_RATING_HOSTS", "p-short"),
        ("LONJA_RATING_HOSTS", "10.1.0.0/16"),
        ("LONJA_TRUSTED_PROXIES", "10.0.0.1/8"),
        ("LONJA_TRUSTED_PROXIES", "proxy.example.org"),
        ("LONJA_ARCHIVE_DAYS", "0"),
        ("LONJA_ARCHIVE_KEYS", "ff"),
        ("LONJA_ARCHIVE_SCRUB_DAYS", "0"),
        ("LONJA_ARCHIVE_MEMORY_MARK", "101%"),
        ("LONJA_REDIS_MEMORY_MARK", "0%"),
        ("LONJA_REDIS_MEMORY_MARK", "101%"),
        ("LONJA_REDIS_MEMORY_MARK", "6tb"),
        ("LONJA_METRICS_TOKEN", "short"),
        ("LONJA_METRICS_TOKEN", "of several words, not one"),
        ("LONJA_METRICS_PORT", "0"),
        ("LONJA_METRICS_BIND", "http://localhost"),
        ("LONJA_WEB_WORKERS", "0"),
        ("LONJA_BOT_WORKERS", "1.5"),
        ("LONJA_HOST", "http://localhost"),
        ("LONJA_LOG_FORMAT", "xml"),
        ("LONJA_LOG_LEVEL", "loud"),
    ],
)
def test_a_bad_value_says_what_to_do(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load({name: value})
    message = str(refusal.value)
    assert message.startswith(name)
    assert "set it to " in message
    assert message.endswith(".")


def test_all_bad_values_are_named_at_once() -> None:
    with pytest.raises(SettingsError) as refusal:
        load({"LONJA_WEB_WORKERS": "x", "LONJA_LOG_LEVEL": "y"})
    assert str(refusal.value).splitlines() == [
        "LONJA_WEB_WORKERS is 'x': set it to a whole number from 1 to 64, or leave it out for 2.",
        (
            "LONJA_LOG_LEVEL is 'y': set it to debug or info or warning or error,"
            " or leave it out for info."
        ),
    ]


@pytest.mark.parametrize("archive", ["", "/srv/packs"])
def test_a_copy_of_packs_is_in_another_place(archive: str) -> None:
    with pytest.raises(SettingsError, match=r"^LONJA_ARCHIVE_COPY is of no use: set LONJA_"):
        load({"LONJA_ARCHIVE": archive, "LONJA_ARCHIVE_COPY": "/srv/packs"})


@pytest.mark.parametrize("name", ["LONJA_SECRETS_KEY", "REDIS_URL"])
def test_a_refused_secret_is_not_repeated(name: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        load({name: "hunter2"})
    assert "hunter2" not in str(refusal.value)


def test_secrets_stay_out_of_the_repr() -> None:
    shown = repr(load({"LONJA_SECRETS_KEY": KEY, "REDIS_URL": "redis://:hunter2@h"}))
    assert repr(bytes.fromhex(KEY)) not in shown
    assert "hunter2" not in shown


def test_an_empty_variable_counts_as_left_out() -> None:
    assert load({"LONJA_WEB_WORKERS": "", "REDIS_URL": " "}) == load({})


def test_nothing_but_what_is_given_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONJA_WEB_WORKERS", "9")
    assert load({}).web_workers == 2
    assert load({"LONJA_METRICS_TOKEN": "${LONJA_WEB_WORKERS}"}).metrics_token == (
        "${LONJA_WEB_WORKERS}"
    )


def test_the_queue_uses_the_events_redis_unless_told_otherwise() -> None:
    assert load({"REDIS_URL": "redis://h"}).queue_redis_url == "redis://h"


def test_settings_cannot_change() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        load({}).host = "0.0.0.0"  # type: ignore[misc]


def test_every_setting_is_described() -> None:
    rows = describe()
    assert len(rows) == len(dataclasses.fields(Settings))
    assert len({row.name for row in rows}) == len(rows)
    assert all(row.purpose.endswith(".") and row.kind.expects for row in rows)
