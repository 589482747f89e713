"""The page that checks a record: in a real browser, from a file, without any request."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.cli import records
from tests.service.verifier.programs import ROOT, text_of

PATIENCE_MS = 60_000
"""Time for a check, which takes a second where nothing else runs."""
ADDRESS = (ROOT / "service/web/static/verify.html").as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """The page, opened from a file; any request or error of it fails the test."""
    made = browser.new_page(locale="en-GB", viewport={"width": 360, "height": 700})
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    made.on("console", lambda message: wrong.append(message.text))
    made.on("request", lambda request: wrong.append(request.url))
    made.goto(ADDRESS)
    assert wrong == [ADDRESS]
    yield made
    assert wrong == [ADDRESS]
    made.close()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "game.ndjson"
    path.write_bytes(text_of(records.finished("ragusa")))
    return path


def verdict(page: Page, expected: str) -> None:
    found = page.locator("[data-verdict]")
    expect(found).to_have_attribute("data-verdict", expected, timeout=PATIENCE_MS)


def test_an_honest_record_and_two_forgeries_of_it(page: Page, good: Path) -> None:
    page.set_input_files("#record", good)
    verdict(page, "sound")
    unwitnessed = page.get_by_text("Nobody but the operator of the service saw this")
    expect(unwitnessed).to_be_visible()
    expect(page.get_by_text("the operator may hold a seat himself")).to_be_visible()
    expect(page.locator("h2").first).to_be_focused()
    count = len(text_of(records.finished("ragusa")).splitlines()) - 1
    expect(page.locator("[data-count=events] dd")).to_have_text(str(count))

    page.get_by_role("button", name="Change one value", exact=True).click()
    verdict(page, "failed")
    expect(unwitnessed).to_have_count(0)
    expect(page.locator("[data-code=part_commitment]")).to_be_visible()
    expect(page.locator(".forged")).to_contain_text("Forged: in event ")

    page.get_by_role("button", name="make all hashes anew").click()
    verdict(page, "failed")
    expect(page.locator("[data-code=receipt_hash]")).to_be_visible()
    expect(page.locator("[data-code=part_commitment]")).to_have_count(0)

    page.get_by_role("button", name="Español").press("Enter")
    expect(page.locator("h1")).to_have_text("Comprobar un registro")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("[data-code=receipt_hash]")).to_contain_text("otro hash")
    expect(page.get_by_role("button", name="Español")).to_be_focused()
    page.get_by_role("button", name="Volver al original").click()
    verdict(page, "sound")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide == 360, "nothing needs scrolling sideways on a phone"


def test_a_key_and_receipts_are_held_against_it(page: Page, good: Path, tmp_path: Path) -> None:
    page.set_input_files("#record", good)
    verdict(page, "sound")
    page.get_by_text("Receipts and the service's key").click()
    page.fill("#key", "ab" * 32)
    page.press("#key", "Tab")
    verdict(page, "failed")
    expect(page.locator("[data-code=key_other]")).to_be_visible()
    page.fill("#key", records.SIGNER.public_key.hex())
    page.press("#key", "Tab")
    verdict(page, "sound")
    expect(page.locator("[data-code=key_trusted]")).to_be_visible()
    page.fill("#key", "mine")
    page.press("#key", "Tab")
    expect(page.get_by_role("alert")).to_contain_text("64 digits")
    (tmp_path / "receipt.json").write_text("[]no")
    page.set_input_files("#receipts", tmp_path / "receipt.json")
    expect(page.get_by_role("alert")).to_contain_text("receipt.json")


def test_what_a_hostile_record_says_is_text(page: Page, tmp_path: Path) -> None:
    record = records.finished("sealed")
    markup = "<img src=x onerror=document.title='hacked'>"
    record.copies[4]["kind"] = markup
    path = tmp_path / "hostile.ndjson"
    path.write_bytes(text_of(record))
    page.set_input_files("#record", path)
    verdict(page, "failed")
    expect(page.locator("[data-code=shape]")).to_contain_text(markup)
    assert page.locator("img").count() == 0
    other = tmp_path / "other.exe"
    other.write_bytes(b"MZ\x90\x00 no record at all")
    page.set_input_files("#record", other)
    expect(page.locator("h2").first).to_have_text("This is no record")


def test_what_is_newer_than_the_page_is_said_in_both_languages(page: Page, tmp_path: Path) -> None:
    later = records.finished("sealed")
    later.copies[0]["body"]["game"]["flowers"] = "red"
    path = tmp_path / "later.ndjson"
    path.write_bytes(text_of(records.forge(later)))
    page.set_input_files("#record", path)
    verdict(page, "newer")
    expect(page.locator("h2").first).to_have_text("Newer than this page")
    expect(page.locator("[data-code=newer]")).to_contain_text("flowers is newer than this")
    page.get_by_role("button", name="Español").click()
    expect(page.locator("h2").first).to_have_text("Más nuevo que esta página")
    expect(page.locator("[data-code=newer]")).to_contain_text("flowers es más nuevo que este")


def test_it_needs_no_secure_context(browser: Browser, good: Path) -> None:
    page = browser.new_page()
    page.add_init_script("Object.defineProperty(globalThis, 'crypto', {value: undefined})")
    page.goto(ADDRESS)
    page.set_input_files("#record", good)
    verdict(page, "sound")
    page.close()


def test_receipts_that_the_browser_keeps_are_held_against_their_game_alone(
    page: Page, good: Path
) -> None:
    def keep(kept: str) -> None:
        page.evaluate("kept => localStorage['lonja:receipts'] = kept", kept)
        page.evaluate("document.getElementById('record').value = ''")
        page.set_input_files("#record", good)

    record = records.finished("ragusa")
    own = record.header["receipt"]
    other = {**own, "game_id": "g00-another"}
    keep(json.dumps({"a": own, "b": other, "c": {"no": "receipt"}}))
    verdict(page, "sound")
    expect(page.locator("[data-code=receipt_fits]")).to_be_visible()
    keep(json.dumps({"a": {**own, "hash": "0" * 64}, "b": other}))
    verdict(page, "failed")
    expect(page.locator("[data-code=receipt_hash]")).to_be_visible()
    keep("nothing of ours")
    verdict(page, "sound")
