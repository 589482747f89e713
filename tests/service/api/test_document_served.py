"""openapi.yaml: the service sends it, shows it without the Internet, and answers as it says."""

import re

import pytest
import yaml

from tests.running import ROOT
from tests.service.api.document import MADE, OPERATIONS, SCHEMAS
from tests.service.api.people import House


def test_headers_of_every_answer_are_said_once(house: House) -> None:
    everywhere = {"X-Request-Id", "RateLimit", "RateLimit-Policy"}
    assert everywhere < MADE["components"]["responses"]["429"]["headers"].keys()
    for name in everywhere:
        assert f"`{name}`" in MADE["info"]["description"]
    for path in ("/v1/rulesets", "/v1/rulesets/none", "/v1/players/me"):
        assert everywhere < {*house.visitor.get(path).headers.keys()}, path
    assert "X-Request-Id" in house.visitor.get("/healthz").headers


@pytest.mark.parametrize(
    ("path", "schema"),
    [
        ("players", "PlayerRequest"), ("games", "GameRequest"),
        ("tournaments", "TournamentRequest"),
    ],
)  # fmt: skip
def test_the_example_of_a_request_can_be_sent(house: House, path: str, schema: str) -> None:
    (example,) = SCHEMAS[schema]["examples"]
    assert house.player().post(f"/v1/{path}", example).status_code == 201


def test_an_unknown_key_is_documented_wherever_it_is_refused(house: House) -> None:
    refused = house.client.post(
        "/v1/players", json={"name": "Ana"}, headers={"Authorization": "Bearer lk_nobodys"}
    )
    assert refused.status_code == 401
    for path, _method, operation in OPERATIONS:
        assert "401" in operation["responses"] or not path.startswith("/v1"), path


def test_it_is_served_as_json_and_yaml(house: House) -> None:
    as_json = house.visitor.get("/openapi.json")
    as_yaml = house.visitor.get("/openapi.yaml")
    assert (as_json.mimetype, as_yaml.mimetype) == ("application/json", "application/yaml")
    assert as_json.json == yaml.load(as_yaml.text, yaml.CSafeLoader)
    assert "SealedView" in as_yaml.text, "rulesets of this installation are in it"


def test_the_page_needs_nothing_from_elsewhere(house: House) -> None:
    with house.visitor.get("/docs/console") as page:
        assert page.mimetype == "text/html"
        policy = page.headers["Content-Security-Policy"]
        text = page.get_data(as_text=True)
    assert "default-src 'none'" in policy
    assert "http" not in policy
    names = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert len(names) == 8
    assert {"/", "/docs", "/docs/reference"} <= {*names}
    for name in names:
        if not name.startswith("data:"):
            with house.visitor.get(name) as part:
                assert part.status_code == 200, name
    assert "://" not in (ROOT / "service/web/static/console.js").read_text()
