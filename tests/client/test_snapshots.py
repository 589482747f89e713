"""What each room and each table says by roles and names is what it said."""

import pytest
from playwright.sync_api import Browser

from tests.client import snapshots
from tests.client.conftest import Service
from tests.client.looks import LANGUAGES
from tests.client.positions import Position


@pytest.fixture(scope="module")
def tables(service: Service) -> dict[str, Position]:
    return snapshots.opened(service)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", snapshots.names())
def test_a_page_says_what_it_said(
    browser: Browser, service: Service, tables: dict[str, Position], name: str, language: str
) -> None:
    golden = snapshots.path(name, language).read_text()
    assert snapshots.taken(browser, service, tables, name, language) == golden, (
        "if that is meant: python -m tests.client.snapshots"
    )


def test_no_snapshot_is_of_what_is_gone() -> None:
    expected = {snapshots.path(name, tongue) for name in snapshots.names() for tongue in LANGUAGES}
    assert {*snapshots.FOLDER.iterdir()} == expected
