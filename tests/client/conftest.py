"""A service with all its processes and two more small games; and a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.client.positions import Tables
from tests.client.services import Service, serving
from tests.client.visitors import Visitor
from tests.conftest import chromium

__all__ = ["Service"]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A real browser for all these tests, none of which uses asyncio."""
    with chromium() as launched:
        yield launched


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A running service; it ends with the last of these tests, so that its bots do not play on."""
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(scope="package")
def tables(service: Service) -> Tables:
    return Tables(service)


@pytest.fixture
def visitor(browser: Browser, service: Service) -> Iterator[Visitor]:
    """A visitor with a new browser context; the test fails if the browser reports an error."""
    with Visitor.at(browser, service.port) as visitor:
        yield visitor
