"""Labels of ids."""

import pytest

from rules.kernel.contract.labels import Labels

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
            "move": "The car moves {steps:+}",
            "bids": "The bids: {bids:each seat}",
            "buy": "Buy[ {goods:good}][ for {price:peso|pesos}][ from {seat:seat}][: {ok:answer}]",
            "seat.0": "Red",
            "seat.1": "Blue",
        },
        "es": {
            "take": "Toma {goods:good}",
            "paid": "[Paga {amount:{good:unit}}]",
            "units": "{goods:unit}",
            "list": "{items}",
            "list.and": "y",
            "list.and_i": "e",
            "good.rum": "ron",
            "good.1": "puros",
            "unit.rum": "de ron|de ron",
            "unit.1": "puro|puros",
        },
    }
)


def test_a_vocabulary_translates_ids() -> None:
    assert LABELS.text("take", "en", goods="rum") == "Take rum"
    assert LABELS.text("take", "es", goods="rum") == "Toma ron"
    assert LABELS.text("take", "en", goods=["rum", 1]) == "Take rum, cigars"
    assert LABELS.text("take", "en", goods=()) == "Take "
    assert LABELS.text("answer", "en", yes=True, nothing=[]) == "yes nothing"


def test_what_stands_several_times_in_a_row_is_counted() -> None:
    assert LABELS.text("take", "en", goods=["rum", "rum", 1, "rum"]) == "Take 2 × rum, cigars, rum"
    assert LABELS.text("take", "en", goods={"rum": 2, 1: 1, "sugar": 0}) == "Take 2 × rum, cigars"
    assert LABELS.text("pay", "en", seat=[0, 0, 1], amount=1) == "Seat 0, 0, 1 pays 1 peso"


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (["a"], "a"),
        (["a", "b"], "a y b"),
        (["a", "b", "Iglesia"], "a, b e Iglesia"),
        (["a", "hilo"], "a e hilo"),
        (["a", "hierro"], "a y hierro"),
    ],
)
def test_the_word_for_and_stands_before_the_last(items: list[str], said: str) -> None:
    assert LABELS.text("list", "es", items=items) == said


def test_words_that_count_always_have_their_number() -> None:
    assert LABELS.text("units", "es", goods=["rum", 1, 1]) == "1 de ron y 2 puros"
    assert LABELS.text("paid", "es", good=1, amount=1) == "Paga 1 puro"
    assert LABELS.text("paid", "es", good=1, amount=3) == "Paga 3 puros"
    assert LABELS.text("paid", "es", good=None, amount=0) == ""


def test_one_and_many() -> None:
    assert LABELS.text("pay", "en", seat=0, amount=1) == "Seat 0 pays 1 peso"
    assert LABELS.text("pay", "en", seat=0, amount=0) == "Seat 0 pays 0 pesos"


def test_signs_and_whose_values_are() -> None:
    assert LABELS.text("move", "en", steps=2) == "The car moves +2"
    assert LABELS.text("move", "en", steps=-1) == "The car moves -1"
    assert LABELS.text("bids", "en", bids=[0, 3]) == "The bids: Red 0, Blue 3"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "Buy"),
        ({"goods": [], "price": 0, "seat": None, "ok": False}, "Buy"),
        ({"goods": ["rum"], "price": 1}, "Buy rum for 1 peso"),
        ({"seat": 0, "ok": True}, "Buy from Red: yes"),
    ],
)
def test_what_is_not_there_is_not_said(data: dict[str, object], said: str) -> None:
    assert LABELS.text("buy", "en", **data) == said


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
