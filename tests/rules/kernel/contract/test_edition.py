"""Editions that an installation adds: their digest, their record in games, their rulesets."""

import pytest

from rules.kernel.canonical import digest, encode
from rules.kernel.contract.edition import BadEditionError, Edition
from rules.kernel.contract.registry import Registry, UnknownRulesetError
from tests.sealed import RULESET

TABLES = {"edition": "mine", "cards": [1, 2]}


def test_the_digest_is_over_the_canonical_tables() -> None:
    edition = Edition.of(TABLES)
    assert edition.id == "mine"
    assert edition.digest == digest(encode(TABLES)).hex()
    assert Edition.of({"cards": [1, 2], "edition": "mine"}) == edition


@pytest.mark.parametrize("tables", [None, [], {}, {"edition": ""}, {"edition": 1}])
def test_an_edition_has_an_id(tables: object) -> None:
    with pytest.raises(BadEditionError, match="id is missing"):
        Edition.of(tables)


def test_an_edition_is_canonical() -> None:
    with pytest.raises(BadEditionError, match=r"1\.5"):
        Edition.of({"edition": "mine", "cards": [1.5]})


def test_tables_are_pinned_in_full_unless_they_come_with_the_rules() -> None:
    published, other = Edition.of(TABLES), Edition.of({"edition": "other"})
    assert published.pinned(published) == {"edition": "mine", "digest": published.digest}
    assert other.pinned(published) == {
        "edition": "other",
        "digest": other.digest,
        "tables": {"edition": "other"},
    }


def test_a_ruleset_has_its_own_tables_unless_it_says_more() -> None:
    assert RULESET.edition({}) is RULESET.data
    with pytest.raises(BadEditionError, match="its own tables only"):
        RULESET.install(TABLES)


def test_a_record_with_tables_that_the_rules_refuse_is_not_for_here() -> None:
    created = {"ruleset": "sealed", "rules_version": "1.0.0", "data": {"edition": "x"}}
    registry = Registry(("tests.sealed",))
    assert registry.pinned(created) is RULESET
    created["data"] = {"edition": "x", "tables": TABLES}
    with pytest.raises(UnknownRulesetError, match="its own tables only"):
        registry.pinned(created)
