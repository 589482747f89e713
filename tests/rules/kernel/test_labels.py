"""Words for ids."""

import pytest

from rules.kernel.labels import Labels

LABELS = Labels(
    {
        "en": {
            "take": "Take {goods:good}",
            "pay": "Seat {seat} pays {amount:peso|pesos}",
            "answer": "{yes:answer} {nothing:answer}",
            "answer.yes": "yes",
            "answer.no": "no",
            "answer.none": "nothing",
            "good.rum": "rum",
            "good.1": "cigars",
        },
        "es": {"take": "Toma {goods:good}", "good.rum": "ron", "good.1": "puros"},
    }
)


def test_a_vocabulary_translates_ids() -> None:
    assert LABELS.text("take", "en", goods="rum") == "Take rum"
    assert LABELS.text("take", "es", goods="rum") == "Toma ron"
    assert LABELS.text("take", "en", goods=["rum", 1]) == "Take rum, cigars"
    assert LABELS.text("take", "en", goods=()) == "Take "


def test_what_stands_several_times_in_a_row_is_counted() -> None:
    assert LABELS.text("take", "en", goods=["rum", "rum", 1, "rum"]) == "Take 2 × rum, cigars, rum"
    assert LABELS.text("pay", "en", seat=[0, 0, 1], amount=1) == "Seat 0, 0, 1 pays 1 peso"


def test_one_and_many() -> None:
    assert LABELS.text("pay", "en", seat=0, amount=1) == "Seat 0 pays 1 peso"
    assert LABELS.text("pay", "en", seat=0, amount=0) == "Seat 0 pays 0 pesos"


def test_null_and_truth_values_have_ids() -> None:
    assert LABELS.text("answer", "en", yes=True, nothing=None) == "yes nothing"
    assert LABELS.text("answer", "en", yes=False, nothing=True) == "no yes"


def test_values_are_not_templates() -> None:
    assert LABELS.text("pay", "en", seat="{amount}", amount=2) == "Seat {amount} pays 2 pesos"


@pytest.mark.parametrize("data", [{}, {"goods": "gold"}, {"goods": None}])
def test_what_is_missing_is_an_error(data: dict[str, object]) -> None:
    with pytest.raises(KeyError):
        LABELS.text("take", "en", **data)


def test_an_unknown_key_or_language_is_an_error() -> None:
    with pytest.raises(KeyError):
        LABELS.text("gone", "en")
    with pytest.raises(KeyError):
        LABELS.text("take", "fr", goods="rum")
