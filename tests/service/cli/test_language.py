"""Commands print in the language of the locale, unless ``--lang`` names another."""

from collections.abc import Mapping

import pytest

from service.cli.common import LOCALE, preferred_language
from tests.service.cli.conftest import Lonja


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es-MX"}, "es"),
        ({"LANG": "es_ES@euro"}, "es"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "est_EE"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_AR.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "POSIX"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LC_ALL": "es_ES.UTF-8", "LC_MESSAGES": "en_US", "LANG": "en_US"}, "es"),
    ],
)
def test_the_first_variable_that_is_set_decides(locale: Mapping[str, str], language: str) -> None:
    assert preferred_language(locale) == language


def test_lang_overrules_the_locale(lonja: Lonja, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in LOCALE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "es_ES.UTF-8")
    told = lonja("play", "sealed", input="q\n").stdout
    assert "Has dejado la partida." in told
    assert "You left the game." in lonja("play", "sealed", "--lang", "en", input="q\n").stdout
