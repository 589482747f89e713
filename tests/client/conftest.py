"""A service with everything, two small games besides, and a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.client.positions import Tables
from tests.client.services import Service, serving
from tests.client.visitors import Visitor

__all__ = ["Service"]


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Everything runs, and ends with the last of these tests: its bots would play on for nobody."""
    with serving(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(scope="package")
def tables(service: Service) -> Tables:
    return Tables(service)


@pytest.fixture
def visitor(browser: Browser, service: Service) -> Iterator[Visitor]:
    """Somebody with a browser of their own, who saw nothing go wrong in it."""
    with Visitor.at(browser, service.port) as visitor:
        yield visitor
