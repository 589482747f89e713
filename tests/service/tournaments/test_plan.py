"""A host's request gets its defaults, or is refused with the field and its value."""

from typing import Any

import pytest

from service.tournaments.formats import OPTIONS
from service.tournaments.plan import BadPlanError, Plan, TournamentRequest, make
from tests.service.tournaments.held import OFFERS, REGISTRY

TWO = [{"bot": "greedy"}, {"bot": "random"}]


def made(**asked: Any) -> Plan:
    return make(
        TournamentRequest.of({"ruleset": "manila", "entries": TWO, **asked}),
        REGISTRY,
        OFFERS,
        OPTIONS,
    )


def test_what_is_left_out_is_filled_in_and_pinned() -> None:
    plan = made()
    assert plan.seats == 3  # the minimum of Manila
    assert plan.rules_version == REGISTRY.find("manila").info.version
    assert plan.rules_digest == REGISTRY.digest("manila")
    assert plan.options == REGISTRY.find("manila").parse_options(3, {})
    assert plan.format == {"type": "round_robin", "games": 100}
    assert plan.bots()[0].settings == {"nodes": 2000}
    assert (plan.failures.then, plan.failures.disqualify_after) == ("resign", 3)
    assert Plan.from_json(plan.to_json()) == plan


HASTE: dict[str, Any] = {"bot": "greedy", "settings": {"nodes": 1}}


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"seed": "spring"}, "seed"),
        ({"entries": [HASTE, {"bot": "random"}]}, "entries.0.name"),
        ({"entries": [{"bot": "greedy"}, HASTE]}, "entries.1.name"),
        ({"entries": [{"bot": "greedy"}, {**HASTE, "name": "Greedy"}]}, "entries.1.name"),
        ({"entries": [{"bot": "random"}, {**HASTE, "name": "greedy@2"}]}, "entries.1.name"),
        ({"entries": [{"bot": "random"}, {**HASTE, "name": "random"}]}, "entries.1.name"),
    ],
)
def test_what_would_bend_the_ratings_is_not_rated(asked: dict[str, Any], field: str) -> None:
    assert not made(**asked).rated
    assert not made(**asked, rated=False).rated
    with pytest.raises(BadPlanError) as refused:
        made(**asked, rated=True)
    assert refused.value.field == field


def test_a_bot_with_settings_is_rated_under_a_name_of_its_own() -> None:
    assert made(entries=[{**HASTE, "name": "greedy, in haste"}, {"bot": "random"}]).rated
    same = {"bot": "greedy", "settings": {"nodes": 2000}}
    assert made(entries=[same, {"bot": "random"}], rated=True).rated


def test_a_game_for_one_is_held_with_two() -> None:
    assert made(ruleset="ragusa").seats == 2


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "b"], ["a-1", "a-2", "b"]),
        (["a", "a", "a-1"], ["a-2", "a-3", "a-1"]),
    ],
)
def test_no_two_entries_have_one_name(wanted: list[str], names: list[str]) -> None:
    plan = made(entries=[{"bot": "random", "name": name} for name in wanted])
    assert [entry.name for entry in plan.entries] == names


@pytest.mark.parametrize(
    ("asked", "field", "value"),
    [
        ({"ruleset": "chess"}, "ruleset", "chess"),
        ({"seats": 1, "ruleset": "ragusa"}, "seats", 1),
        ({"seats": 6}, "seats", 6),
        ({"options": {"no_such": 1}}, "options.no_such", 1),
        ({"options": {"voyage_limit": "x"}}, "options.voyage_limit", "x"),
        ({"entries": [{"bot": "random"}, {"bot": "deep"}]}, "entries.1.bot", "deep"),
        (
            {"entries": [{"bot": "greedy", "settings": {"depth": 3}}]},
            "entries.0.settings.depth",
            3,
        ),
        (
            {"entries": [{"bot": "greedy", "settings": {"nodes": 0}}]},
            "entries.0.settings.nodes",
            0,
        ),
        (
            {"entries": [{"bot": "greedy", "settings": {"nodes": True}}]},
            "entries.0.settings.nodes",
            True,
        ),
        ({"format": {}}, "format.type", None),
        ({"format": {"type": "lottery"}}, "format.type", "lottery"),
        ({"format": {"type": ["swiss"]}}, "format.type", ["swiss"]),
        ({"format": {"type": "swiss", "rounds": 0}}, "format.rounds", 0),
        ({"format": {"type": "swiss", "games": 5}}, "format.games", 5),
        ({"format": {"type": "round_robin", "games": 10**9}}, "format.games", 10**9),
        ({"format": {"type": "compare", "alpha_percent": 0.5}}, "format.alpha_percent", 0.5),
        ({"format": {"type": "compare", "claim_percent": 0}}, "format.claim_percent", 0),
        ({"format": {"type": "compare", "claim_percent": 96}}, "format.claim_percent", 96),
    ],
)
def test_what_cannot_be_held_is_refused_by_name(
    asked: dict[str, Any], field: str, value: object
) -> None:
    with pytest.raises(BadPlanError) as refused:
        made(**asked)
    assert (refused.value.field, refused.value.value) == (field, value)
    assert str(refused.value)
