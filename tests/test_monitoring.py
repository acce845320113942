"""The dashboard and the alert rules of packaging/: valid, and about metrics that the service has."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.parser import text_string_to_metric_families

from findable.errors import PageErrorCode
from tests.external import needs, program
from tests.web.live import Client, Live, run_live

PACKAGING = Path(__file__).parents[1] / "packaging"
RULES = PACKAGING / "prometheus" / "findable.rules.yaml"
DASHBOARD = PACKAGING / "grafana" / "findable.json"
OF_PROMETHEUS = {"up"}
_METRIC = re.compile(r"\b(findable_[a-z_]+|process_[a-z_]+|up)\b(?=[{\[ )/]|$)")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    yield from run_live(tmp_path_factory.mktemp("monitored"))


def queries() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            yield rule["expr"]
    dashboard = json.loads(DASHBOARD.read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


def test_every_metric_of_a_rule_or_panel_is_one_of_the_service_with_its_labels(live: Live) -> None:
    client = live.client()
    client.report()
    client.post("/reports", {"url": "https://times-out.example/"})
    reply = Client(live.port, prefix="").get("/metrics")
    assert reply.headers.get_all("Content-Type") == [CONTENT_TYPE_LATEST]
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(reply.text):
        labels.setdefault(family.name, set())
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    # Waiting crawls and jobs have these labels only while there are some.
    labels |= {name: {"reason"} for name in ("findable_crawls_waiting_for", "findable_jobs_waiting_again")}
    for query in queries():
        names = _METRIC.findall(query)
        assert names, query
        assert {*names} - OF_PROMETHEUS <= set(labels), query
        for name, selector in re.findall(r"([a-z_]+)\{([^}]*)\}", query):
            asked = set(re.findall(r"(\w+)\s*(?:=~|!~|!=|=)", selector)) - {"job", "instance"}
            assert asked <= labels.get(name, set()), query


def test_codes_of_failures_are_those_of_the_service() -> None:
    rule = next(
        rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"] if rule["alert"] == "FindableFailures"
    )
    found = re.search(r'code=~"([^"]+)"', rule["expr"])
    assert found is not None
    assert set(found[1].split("|")) <= {code.value for code in PageErrorCode}


@needs("promtool")
def test_prometheus_accepts_the_rules_and_they_fire(tmp_path: Path) -> None:
    checked = subprocess.run([program("promtool"), "check", "rules", RULES], capture_output=True, text=True, check=False, timeout=60)
    assert checked.returncode == 0, checked.stderr
    series = [
        {"series": 'up{job="findable", instance="a"}', "values": "0x20"},
        {"series": 'findable_jobs{state="ready", instance="a"}', "values": "5x20"},
        {"series": 'findable_jobs_oldest_seconds{state="ready", instance="a"}', "values": "3600x20"},
        {"series": 'findable_jobs_ended_per_minute{instance="a"}', "values": "0x20"},
    ]
    labels = {"severity": "critical", "instance": "a"}
    down = {"exp_labels": {**labels, "job": "findable"}, "exp_annotations": annotations("FindableDown", {"instance": "a"})}
    tests = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": series,
                "alert_rule_test": [
                    {"eval_time": "4m", "alertname": "FindableDown", "exp_alerts": []},
                    {"eval_time": "15m", "alertname": "FindableDown", "exp_alerts": [down]},
                    {"eval_time": "15m", "alertname": "FindableNotReady", "exp_alerts": []},
                ],
            }
        ],
    }
    file = tmp_path / "tests.yaml"
    file.write_text(yaml.safe_dump(tests))
    tried = subprocess.run([program("promtool"), "test", "rules", file], capture_output=True, text=True, check=False, timeout=60)
    assert tried.returncode == 0, tried.stdout + tried.stderr


def annotations(alert: str, labels: dict[str, str]) -> dict[str, str]:
    rule = next(rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"] if rule["alert"] == alert)
    texts: dict[str, str] = rule["annotations"]
    return {name: re.sub(r"{{ \$labels\.(\w+) }}", lambda found: labels[found[1]], text) for name, text in texts.items()}


def test_the_dashboard_can_be_imported() -> None:
    dashboard: dict[str, Any] = json.loads(DASHBOARD.read_text())
    assert dashboard["title"] == "Findable"
    assert dashboard["uid"] == "findable"
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert len(numbers) == len(set(numbers)) > 10
    taken: set[tuple[int, int]] = set()
    for panel in dashboard["panels"]:
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert panel["type"] in {"stat", "timeseries"}
        place = panel["gridPos"]
        cells = {(place["x"] + right, place["y"] + down) for right in range(place["w"]) for down in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24
        taken |= cells
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert set(re.findall(r"\$\{?([a-z]+)\}?", json.dumps(dashboard["panels"]))) <= variables
