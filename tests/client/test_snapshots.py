"""The accessible text (roles and names) of each room and each table is unchanged."""

import pytest
from playwright.sync_api import Browser

from tests.client.looks import LANGUAGES
from tests.client.positions import Tables
from tests.client.services import Service
from tools import snapshots

PAGES = [(name, language) for name in snapshots.names() for language in LANGUAGES]
SOME = [page for number, page in enumerate(PAGES) if number % 4 in (0, 3)]
"""Each page once, in one of the two languages alternately."""
OTHERS = [page for page in PAGES if page not in SOME]


@pytest.mark.parametrize(("name", "language"), SOME)
def test_a_page_says_what_it_said(
    browser: Browser, service: Service, tables: Tables, name: str, language: str
) -> None:
    check(browser, service, tables, name, language)


@pytest.mark.campaign("client")
@pytest.mark.parametrize(("name", "language"), OTHERS)
def test_it_does_in_the_other_language(
    browser: Browser, service: Service, tables: Tables, name: str, language: str
) -> None:
    check(browser, service, tables, name, language)


def check(browser: Browser, service: Service, tables: Tables, name: str, language: str) -> None:
    golden = snapshots.path(name, language).read_text()
    assert snapshots.taken(browser, service, tables, name, language) == golden, (
        "if that is meant: python -m tools.snapshots"
    )


def test_no_snapshot_is_of_what_is_gone() -> None:
    expected = {snapshots.path(name, tongue) for name in snapshots.names() for tongue in LANGUAGES}
    assert {*snapshots.FOLDER.iterdir()} == expected
