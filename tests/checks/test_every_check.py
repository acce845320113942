"""The common questions, asked of every check."""

import inspect
import json
import re
import sys
import types
from pathlib import Path

import pytest

from findable.artifacts.page.head import Head
from findable.checks import engine
from findable.checks.engine import Check, Finding, all_checks, runnable_checks
from findable.reports.scoring import RULESET, Score, row_of
from findable.vocabulary import FETCHED, Effort, Importance, Stage, Verdict
from tests.checks.harness import finding, findings, fixture

HERE = Path(__file__).parent
MARK = "<!-- evidence -->"
ALL = list(all_checks().values())
STATIC = tuple(item for item in runnable_checks(FETCHED) if item.id != "raw-vs-rendered")
"""Checks that fixtures can answer; raw-vs-rendered is unknown without a browser (test_rendered_rules)."""
MAX_PLAIN_CHARS = 160
AGAINST = (Verdict.FAILED, Verdict.WARNED)


def folder(item: Check) -> Path:
    """Where the check's fixtures stand."""
    return HERE / item.category.value / item.id.replace("-", "_")


def fixtures(prefix: str) -> list[tuple[Check, Path]]:
    """Fixture files of all checks whose name begins so."""
    return [(item, path) for item in STATIC for path in sorted(folder(item).glob(f"{prefix}*.html"))]


def judge(item: Check, path: Path) -> Finding:
    """The check's finding on a fixture."""
    html, given = fixture(path)
    return finding(item.id, html, **given)


def test_checks_are_documented() -> None:
    for item in ALL:
        text = item.documentation
        assert text.summary, item.id
        assert text.why, item.id
        assert text.how, item.id
        assert text.sources, item.id
        assert item.question.endswith("?"), item.id


def test_every_check_that_may_fail_has_a_plain_sentence() -> None:
    judging = [item for item in ALL if item.importance is not Importance.INFO or item.stage is Stage.PREVIEW]
    plain = {item.id: " ".join(item.documentation.plain.split()) for item in ALL}

    assert [item.id for item in judging if not plain[item.id]] == []
    assert [name for name, text in plain.items() if text and (not text.endswith(".") or ". " in text or len(text) > MAX_PLAIN_CHARS)] == []


def test_parents_exist() -> None:
    assert {item.id: item.depends_on for item in ALL if not set(item.depends_on) <= set(all_checks())} == {}


def test_checks_have_a_good_page_and_a_bad_one() -> None:
    assert [item.id for item in STATIC if not list(folder(item).glob("good*.html"))] == []
    judging = [item for item in STATIC if item.importance is not Importance.INFO]
    assert [item.id for item in judging if not list(folder(item).glob("bad*.html"))] == []


@pytest.mark.parametrize(("item", "path"), fixtures("good"), ids=lambda value: value.name if isinstance(value, Path) else value.id)
def test_good_page_is_not_flagged(item: Check, path: Path) -> None:
    assert judge(item, path).verdict in (Verdict.PASSED, Verdict.INFO)


@pytest.mark.parametrize(("item", "path"), fixtures("bad"), ids=lambda value: value.name if isinstance(value, Path) else value.id)
def test_bad_page_is_flagged_on_the_marked_lines(item: Check, path: Path) -> None:
    finding = judge(item, path)

    assert finding.verdict in AGAINST
    marked = [number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if line.rstrip().endswith(MARK)]
    shown = sorted({item.line for item in finding.evidence if item.kind == "element" and item.line})
    if marked:
        assert shown == marked


def test_sidecars_belong_to_a_page() -> None:
    for path in HERE.rglob("*.json"):
        assert path.with_suffix(".html").exists(), path
        assert isinstance(json.loads(path.read_text(encoding="utf-8")), dict), path


def test_a_check_names_the_ruleset_that_it_is_asked_since() -> None:
    assert {item.id: item.since for item in ALL if not "2026-11" <= item.since <= RULESET} == {}


def test_a_preview_weighs_nothing() -> None:
    registered = dict(engine._CHECKS)
    source = "def a_preview(head): return None"
    module = types.ModuleType("findable.checks.content.a_preview", "It is a preview.")
    exec(source, module.__dict__)
    module.a_preview.__annotations__ = {"head": Head, "return": Finding}
    try:
        sys.modules[module.__name__] = module
        engine.check(question="?", importance=Importance.HIGH, effort=Effort.HEAD, since=RULESET, status=Stage.PREVIEW)(module.a_preview)
        made = engine._CHECKS["a-preview"]
    finally:
        del sys.modules[module.__name__]
        engine._CHECKS.clear()
        engine._CHECKS.update(registered)

    assert (made.stage, made.importance) == (Stage.PREVIEW, Importance.INFO)
    assert Score((row_of(made, Verdict.FAILED), row_of(engine.all_checks()["title-present"], Verdict.PASSED))).score == 100


def test_absent_artifacts_never_fail_a_page() -> None:
    for status in (404, 503):
        found = findings("", status=status)

        assert [name for name, finding in found.items() if finding.verdict in AGAINST and not finding.evidence] == []
        assert found["title-present"].verdict is Verdict.INAPPLICABLE


def gives(item: Check, verdict: Verdict) -> bool:
    """Whether the source of a check, or a function of another module of checks that it uses, names a verdict outside its costs."""
    module = inspect.getmodule(item.function)
    own = [member for member in vars(module).values() if inspect.isfunction(member) and member.__module__.startswith("findable.checks.")]
    source = inspect.getsource(module or item.function).replace(f"Verdict.{verdict.name}: ", "")
    helpers = "".join(inspect.getsource(one) for one in own if one.__module__ not in (item.function.__module__, engine.__name__))
    return re.search(rf"\b{verdict.value}\b|Verdict\.{verdict.name}\b", f"{source.split('@check(', 1)[-1]}\n{helpers}") is not None


def test_costs_are_declared_for_verdicts_that_the_check_gives() -> None:
    dead = []
    for item in ALL:
        costs = dict(item.costs or {})
        for verdict in AGAINST:
            others = [cost for reason, cost in costs.items() if reason != verdict]
            # The largest cost stays: it is the weight of the check in the coverage.
            if verdict in costs and not gives(item, verdict) and costs[verdict] <= max(others, default=0):
                dead.append((item.id, verdict.value))

    assert dead == []
