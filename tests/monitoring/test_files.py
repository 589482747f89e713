"""The dashboard and the alerts query only existing series, and every alert has a remedy."""

import re
import shutil
import subprocess
from pathlib import Path

import orjson
import pytest
import yaml

from service.upkeep import troubles
from tests.monitoring import files
from tests.running import ROOT

RULES_TEST = Path(__file__).with_name("alerts_test.yml")
PROMTOOL = shutil.which("promtool")
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="promtool is not on the PATH")


def test_every_query_asks_for_a_metric_that_there_is() -> None:
    asked = [(alert["alert"], alert["expr"]) for alert in files.alerts()]
    for where, query in (*asked, *files.queries()):
        assert files.named(query) <= files.series(), where
        assert files.named(query) or re.search(r"\bup\b|ALERTS", query), where


def test_every_metric_is_on_the_dashboard_or_in_an_alert() -> None:
    seen = {name for _where, query in files.queries() for name in files.named(query)}
    seen |= {name for alert in files.alerts() for name in files.named(alert["expr"])}
    left = {re.sub(r"_(bucket|count|sum)$", "", name) for name in files.series() - seen}
    assert left <= {re.sub(r"_(bucket|count|sum)$", "", name) for name in seen}


def test_every_alert_leads_to_a_section_that_says_what_to_do() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    for alert in files.alerts():
        assert alert["annotations"]["summary"]
        assert alert["annotations"]["runbook"] == f"docs/operations.md#{alert['alert'].lower()}"
        assert f"\n### {alert['alert']}\n" in page, alert["alert"]


def test_the_terminal_calls_troubles_by_the_names_of_alerts() -> None:
    used = set(re.findall(r'"(Lonja\w+)"', Path(troubles.__file__).read_text()))
    assert used <= {alert["alert"] for alert in files.alerts()}


def test_operations_that_are_named_exist() -> None:
    document = yaml.load((ROOT / "openapi.yaml").read_bytes(), yaml.CSafeLoader)
    known = {
        one["operationId"]
        for path in document["paths"].values()
        for one in path.values()
        if "operationId" in one
    }
    texts = files.RULES.read_text() + files.DASHBOARD.read_text()
    assert set(re.findall(r'operation=\\?"\w+\.(\w+)', texts)) <= known


def test_each_rule_has_a_test_of_its_own() -> None:
    tested = yaml.safe_load(RULES_TEST.read_text())["tests"]
    assert [one["name"] for one in tested[1:]] == [alert["alert"] for alert in files.alerts()]
    quiet = [one["alertname"] for one in tested[0]["alert_rule_test"]]
    assert sorted(quiet) == sorted(alert["alert"] for alert in files.alerts())


def test_panels_do_not_lie_on_one_another() -> None:
    taken = set()
    for panel in orjson.loads(files.DASHBOARD.read_bytes())["panels"]:
        at = panel["gridPos"]
        for x in range(at["x"], at["x"] + at["w"]):
            for y in range(at["y"], at["y"] + at["h"]):
                assert (x, y) not in taken, panel["title"]
                taken.add((x, y))
    assert max(x for x, _y in taken) == 23


@needs_promtool
def test_prometheus_takes_the_files(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("for-the-scraper-alone")
    config = tmp_path / "prometheus.yml"
    config.write_text(files.CONFIG.read_text().replace("/etc/prometheus/lonja-token", str(token)))
    shutil.copy(files.RULES, tmp_path)
    promtool("check", "config", config)


@needs_promtool
def test_the_rules_judge_as_they_should() -> None:
    promtool("test", "rules", RULES_TEST)


def promtool(*arguments: str | Path) -> None:
    done = subprocess.run([PROMTOOL or "", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
