"""Campaigns are found by name, and continue where they were stopped."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MARK = re.compile(r"\bmark\.campaign\b(?:\(\"(\w+)\"\))?")


def test_each_campaign_has_a_name_that_the_makefile_lists() -> None:
    used = {
        mark[1]
        for path in (ROOT / "tests").rglob("test_*.py")
        if path.name != Path(__file__).name
        for mark in MARK.finditer(path.read_text())
    }
    listed = re.search(r"^CAMPAIGNS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert listed is not None
    assert used == set(listed[1].split())


@pytest.fixture
def checkout(pytester: pytest.Pytester) -> pytest.Pytester:
    """A repository with one commit, whose second test fails until a file exists."""
    pytester.makeini("[pytest]\nmarkers = campaign(name): long\naddopts = -m 'not campaign'")
    pytester.makeconftest(
        f"""
        from tests import campaigns
        campaigns.JOURNALS = __import__("pathlib").Path({str(pytester.path.parent / "journals")!r})
        from tests.campaigns import pytest_addoption, pytest_configure
        """
    )
    pytester.makepyfile(
        """
        import os
        import pytest

        @pytest.mark.campaign("one")
        def test_first(record_property):
            record_property("kills", 20)
            record_property("ms at most", 7.5)
            record_property("ms at least", 7.5)

        @pytest.mark.campaign("one")
        def test_second(record_property):
            record_property("kills", 3)
            record_property("ms at most", 9)
            record_property("ms at least", 9)
            assert "MENDED" in os.environ

        @pytest.mark.campaign("two")
        def test_other():
            raise AssertionError

        def test_plain():
            raise AssertionError
        """
    )
    pytester.makefile("", **{".gitignore": "__pycache__"})
    for command in (
        ["init", "--quiet"],
        ["add", "--all"],
        ["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "--quiet", "-m", "One"],
    ):
        subprocess.run(["git", *command], cwd=pytester.path, check=True)
    return pytester


def run(checkout: pytest.Pytester, *options: str) -> tuple[int, str]:
    ran = checkout.runpytest(
        "-p", "no:cacheprovider", "-p", "no:randomly", "--campaign", "one", *options
    )
    return int(ran.ret), ran.stdout.str()


def test_what_passed_on_a_commit_is_not_run_again_on_it(
    checkout: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, told = run(checkout)
    assert code == 1
    assert "1 passed, 1 failed, 20 kills" in told
    monkeypatch.setenv("MENDED", "1")
    code, told = run(checkout)
    assert (code, "1 of these tests passed earlier" in told) == (0, True)
    assert "2 passed, 23 kills, 7.5 ms at least, 9 ms at most" in told
    code, told = run(checkout)
    assert (code, "2 of these tests passed earlier" in told) == (0, True)


def test_what_passed_in_another_process_is_noted_once(
    checkout: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(checkout, "-n", "1")[0] == 1
    monkeypatch.setenv("MENDED", "1")
    code, told = run(checkout, "-n", "1")
    assert (code, "1 of these tests passed earlier" in told) == (0, True)
    assert "2 passed, 23 kills" in told


def test_on_changed_code_all_of_them_run(
    checkout: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MENDED", "1")
    assert run(checkout)[0] == 0
    (checkout.path / "more.py").write_text("")
    code, told = run(checkout)
    assert code == 0
    assert "earlier" not in told
    assert "and changes" in told


def test_what_was_skipped_is_told(checkout: pytest.Pytester) -> None:
    checkout.makepyfile(
        test_tools="""
        import pytest

        @pytest.mark.campaign("one")
        def test_tool():
            pytest.skip("it is not installed")
        """
    )
    assert "1 passed, 1 failed, 1 skipped, 20 kills" in run(checkout)[1]
