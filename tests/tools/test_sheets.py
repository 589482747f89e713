"""The sheets that show every table: one picture for each moment, theme and language."""

from pathlib import Path

import pytest

from tests.conftest import browser_path
from tools import sheets


@pytest.mark.campaign("pictures")
def test_a_sheet_has_a_picture_of_each_moment_theme_and_language(
    tmp_path: Path,
) -> None:
    if browser_path() is None:
        pytest.skip("needs chromium")
    selection = sheets.Selection(themes=["dark"])
    sheets.draw(["ragusa"], ["390x844"], tmp_path, selection)
    shown = [f"{picture}.png" for picture in selection.pictures()]
    assert len(shown) == 6
    assert {path.name for path in (tmp_path / "ragusa-390x844").iterdir()} == {*shown}
    page = (tmp_path / "ragusa-390x844.html").read_text()
    assert page.count("<img") == 6
    assert (tmp_path / "ragusa-390x844.png").stat().st_size > 100_000
