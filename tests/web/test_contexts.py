"""What templates show are frozen dataclasses: every variable is a field, every field is used and said by a docstring."""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from jinja2 import StrictUndefined, nodes
from jinja2.meta import find_referenced_templates, find_undeclared_variables
from msgspec import structs

from findable.errors import PageError, PageErrorCode
from findable.reports.analysis import analyse
from findable.reports.report import Engine
from findable.reports.reported_finding import AcceptanceTerms
from findable.reports.titles import counts_sentence
from findable.service.values.presentation import Presentation
from findable.service.values.project_values import ProjectView
from findable.service.values.report_values import ChangedFinding, Changes, PreviousRun, Progress, ReportView, RunView, ScoreChange
from findable.vocabulary import Privacy, Profile, Rating, Status, Verdict
from findable.web import pages
from findable.web.pages.project.project_context import ProjectPageContext
from findable.web.pages.report.report_context import Owner, report_page
from findable.web.pages.report.run_trend import compare_page, history_page, history_summary
from findable.web.pages.result.findings_table import FindingsQuery, change_badge, findings_query, findings_table
from findable.web.pages.result.link_pages import LinkPageContext
from findable.web.pages.result.sharing import LinkForms
from findable.web.pages.shared.form_fields import FormView
from findable.web.pages.shared.page_templates import PageContext, environment, template_of, variables
from findable.wording import ENGLISH, LANGUAGES, wording
from tests.checks.harness import capture, page
from tests.web.live import BAD_PAGE, HOSTILE_PAGE
from tests.web.report_visits import page_of, visit_of

MOMENT = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


def shown_classes() -> list[type[PageContext]]:
    for module in pkgutil.walk_packages(pages.__path__, f"{pages.__name__}."):
        importlib.import_module(module.name)
    names = environment().list_templates()
    found = (value for name in sys.modules if name.startswith(f"{pages.__name__}.") for value in vars(sys.modules[name]).values())
    return sorted(
        {one for one in found if isinstance(one, type) and issubclass(one, PageContext) and template_of(one) in names},
        key=lambda one: one.__name__,
    )


@cache
def templates(name: str) -> frozenset[str]:
    """A template and all that it extends, includes and imports."""
    found = {name}
    for other in find_referenced_templates(parsed(name)):
        assert other is not None, f"{name} names a template that cannot be known"
        found |= templates(other)
    return frozenset(found)


def layouts(name: str) -> frozenset[str]:
    """What a template extends: they show what a page may give, and stand without it."""
    extended = [found.template.value for found in parsed(name).find_all(nodes.Extends) if isinstance(found.template, nodes.Const)]
    return frozenset(extended).union(*(layouts(other) for other in extended))


def source(name: str) -> str:
    loader = environment().loader
    assert loader is not None
    return loader.get_source(environment(), name)[0]


def parsed(name: str) -> nodes.Template:
    return environment().parse(source(name))


def set_by(name: str) -> set[str]:
    """Variables that a template sets, which templates that extend it may use."""
    return {
        target.name
        for found in parsed(name).find_all((nodes.Assign, nodes.AssignBlock))
        for target in found.find_all(nodes.Name)
        if target.ctx == "store"
    }


def asked_for(name: str) -> set[str]:
    """What a template takes from outside: not what it imports, defines or sets itself."""
    tree = parsed(name)
    own = {alias[1] if isinstance(alias, tuple) else alias for found in tree.find_all(nodes.FromImport) for alias in found.names}
    own |= {found.target for found in tree.find_all(nodes.Import)}
    own |= {macro.name for macro in tree.find_all(nodes.Macro)}
    own |= set_by(name)
    return {found for found in find_undeclared_variables(tree) if found not in own and not found.startswith("_")}


@pytest.mark.full
@pytest.mark.parametrize("shown", shown_classes(), ids=lambda one: one.__name__)
def test_every_variable_is_a_field_and_every_field_is_used(shown: type[PageContext]) -> None:
    assert shown.__struct_config__.frozen
    every = templates(template_of(shown))
    own = every - layouts(template_of(shown))
    given = {field.name for field in structs.fields(shown)} | environment().globals.keys()
    of_layouts = set().union(*map(set_by, layouts(template_of(shown))))
    assert set().union(*(asked_for(template) for template in own)) <= given | of_layouts
    of_every_page = {field.name for layout in (ProjectPageContext, LinkPageContext) for field in structs.fields(layout)}
    assert given - of_every_page <= set().union(*(asked_for(template) for template in every)) | environment().globals.keys()


def parts() -> list[type]:
    """The dataclasses that stand in fields, and in their fields."""
    of_results = ("result.finding_cards", "result.sharing", "result.presentation")
    modules = ("report.appendix", "report.report_context", "report.run_trend", *of_results, "shared.checks", "shared.local_times")
    found = (value for name in modules for value in vars(importlib.import_module(f"{pages.__name__}.{name}")).values())
    return sorted({one for one in found if dataclasses.is_dataclass(one) and one.__module__.startswith(pages.__name__)}, key=str)  # type: ignore[misc]  # classes found by walking annotations


def test_every_part_of_a_variable_is_used() -> None:
    text = "".join(source(name) for name in environment().list_templates())
    python = "".join(
        inspect.getsource(importlib.import_module(f"{pages.__name__}.{name}"))
        for name in (
            *("report.report_context", "report.report_page", "report.run_history", "report.run_trend"),
            *("result.presentation", "result.sharing"),
        )
    )
    for part in parts():
        for field in structs.fields(part):
            assert re.search(rf"\.{field.name}\b|\b{field.name}\b", text if issubclass(part, PageContext) else text + python), (
                f"{part}.{field.name}"
            )


def test_every_class_is_documented() -> None:
    for part in [*parts(), *shown_classes()]:
        tree = ast.parse(inspect.getsource(part)).body[0]
        assert isinstance(tree, ast.ClassDef)
        assert ast.get_docstring(tree), part


# --- rendered with nothing undefined ----------------------------------------------------------------------------------


def view(html: str | None = None, **more: Any) -> ReportView:
    report = analyse(capture(html, url="https://www.example.com/")) if html else None
    known: dict[str, Any] = {
        "id": 7,
        "public_id": "p" * 22,
        "account_id": 1,
        "url": "https://www.example.com/",
        "project_id": 1,
        "project": "example.com",
        "status": Status.DONE,
        "privacy": Privacy.PUBLIC,
        "has_password": False,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        "etag": "1",
    }
    if report:
        known |= {
            "generated_at": MOMENT,
            "run": 3,
            "result": report.result,
            "score": report.score,
            "coverage": report.coverage,
            "not_asked": report.not_asked,
            "report": report,
            "saved_sha256": "0" * 64,
            "previous": PreviousRun(7, 2, Rating.BAD, 20, (report.score or 0) - 20),
        }
    return ReportView(**(known | more))


def run(number: int, score: int | None, report: int = 7) -> RunView:
    engine = Engine("1", "2026-11", Profile.STATIC, ()) if score is not None else None
    error = None if score is not None else PageError(PageErrorCode.TARGET_TIMEOUT)
    rating = Rating.BAD if score is not None else None
    return RunView(
        report=report,
        run=number,
        started_at=MOMENT,
        finished_at=MOMENT,
        result=rating,
        score=score,
        coverage=1.0,
        engine=engine,
        error=error,
    )


def changes(shown: ReportView) -> Changes:
    assert shown.report
    held = [finding for finding in shown.report.findings if finding.has_problem]
    new, fixed, returned, still = (
        tuple(ChangedFinding(finding, Verdict.PASSED, Verdict.FAILED) for finding in held[index::4]) for index in range(4)
    )
    score = ScoreChange(before=20, after=49, from_page=30, from_ruleset=-1)
    return Changes(since=2, run=3, score=score, new=new, fixed=fixed, returned=returned, still=still)


def accepting(html: str) -> ReportView:
    """A report with an accepted finding."""
    made = view(html)
    assert made.report
    terms = AcceptanceTerms("Meant.", "2027-01-31", "Ada")
    findings = (structs.replace(one, accepted=terms) if one.verdict is Verdict.WARNED else one for one in made.report.findings)
    return structs.replace(made, report=structs.replace(made.report, findings=tuple(findings)))


def test_a_missing_page_says_who_fixes_it_how_and_what_that_brings() -> None:
    found = analyse(capture(page(), url="https://www.example.com/", status=404))
    shown = page_of(structs.replace(view(page()), report=found, score=found.score, result=found.result))
    assert shown.fixes
    assert shown.google_listing
    first = shown.fixes[0]
    assert shown.google_listing.words == "Google cannot index this page: it returns 404."
    assert (len(shown.fixes), first.gain, first.card.fixer) == (1, "then the content can be checked", "administrator")
    assert first.remedy.startswith("Restore the page, or redirect its URL with 301")


def test_numbers_of_checks_add_up_and_few_checks_are_no_verdict() -> None:
    for html in (page(), BAD_PAGE):
        found = view(html)
        shown = page_of(found)
        assert found.report
        assert shown.verdict
        total = re.match(r"(\d+) of (\d+) checks gave a result: ", shown.verdict.tally)
        assert total
        noted = [re.fullmatch(r"(\d+) of (\d+) checked", one.note) for one in shown.categories]
        done, every = zip(*((int(one[1]), int(one[2])) for one in noted if one), strict=True)
        assert (sum(done), sum(every)) == (int(total[1]), int(total[2]))
        unknown, asked = (int(found[1]) for found in re.finditer(r"(\d+) (?:could not be|need)", shown.verdict.tally))
        assert sum(done) + unknown + asked == sum(every)
        costly = {one.category for one in found.report.findings if one.has_problem and one.lost}
        few = [one for one, own, of in zip(shown.categories, done, every, strict=True) if 0 < 2 * own < of]
        assert all(one.rating == "few" for one in few if one.filter not in costly)


REJECTED = FormView({"reason": "Because", "scope": "project", "pattern": "*"}, {"until": "No."})
OWNER = Owner(
    link=LinkForms(
        "/r/x", "https://reports.example/r/x", 2, "Password-protected", has_password=True, presentation=Presentation(), form=REJECTED
    ),
    form=REJECTED,
    place="noindex",
    site=ProjectView(id=1, name="www.example.com", created_at=MOMENT, reports_count=1),
    done="The report was run again.",
)


@cache
def cases() -> dict[str, PageContext]:
    bad = view(BAD_PAGE)
    assert bad.report
    runs = (run(3, 49), run(2, 20), run(1, None), run(1, 10, report=5))
    history = history_summary(bad, runs, changes(bad), ENGLISH)
    assert history is not None
    waiting = view(None, status=Status.RUNNING, progress=Progress("checks", 2, 4))
    return {
        "good": page_of(view(page()), current_run=3),
        "bad, its owner": page_of(bad, current_run=3, history=history, owner=OWNER),
        "hostile": page_of(view(HOSTILE_PAGE), current_run=3),
        "accepting": page_of(accepting(BAD_PAGE), current_run=3, owner=OWNER),
        "older run": page_of(bad, current_run=4, owner=OWNER),
        "not seen": page_of(view(None, status=Status.FAILED, error=PageError(PageErrorCode.DNS_FAILED))),
        "waiting": page_of(waiting),
        "again": page_of(
            structs.replace(bad, progress=Progress("queued", 0, 1), last_error=PageError(PageErrorCode.DNS_FAILED)),
            current_run=3,
        ),
        "preview of a site": page_of(
            structs.replace(bad, report=structs.replace(bad.report, judged_as="https://www.example.com")), current_run=3
        ),
        "history": history_page(visit_of(bad), runs, "No."),
        "one run": history_page(visit_of(bad), runs[:1]),
        "compare": compare_page(visit_of(bad), (runs[1], runs[0]), changes(bad)),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", cases())
def test_nothing_is_undefined_null_or_raw(name: str, language: str) -> None:
    shown = cases()[name]
    strict = environment(wording(language)).overlay(undefined=StrictUndefined)
    text = strict.get_template(template_of(type(shown))).render(variables(shown))
    words = re.sub(r"<(script|style|code|pre|title)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert re.findall(r".*\bNone\b(?! (?:of|is)).*", words) == []
    assert "Verdict." not in words
    assert not re.search(r"\b\w+\([a-z]+=", words), "the representation of a value"
    assert not re.search(r"<(ul|ol|dl|tbody)[^>]*>\s*</\1>", text), "an empty list or table"
    assert not re.search(r"%\(\w+\)s|\{[a-z_]+\}", words), "a value that was not filled in"


def test_texts_are_those_of_the_language() -> None:
    assert counts_sentence({"failed": 1, "warned": 2, "passed": 1000}) == "1 problem, 2 warnings, 1,000 passed"
    counts = {"failed": 0, "passed": 1, "info": 2, "unknown": 3, "inapplicable": 1}
    assert counts_sentence(counts, accepted=4) == "1 passed, 1 not applicable, 3 could not be measured, 2 facts, 4 accepted"


def test_a_page_with_few_findings_has_no_filters_that_nobody_needs() -> None:
    missing = analyse(capture(page(), url="https://www.example.com/", status=404))
    few = page_of(structs.replace(view(page()), report=missing, score=missing.score, result=missing.result)).findings
    assert few
    assert few.is_short
    filtered = findings_query({"who": "server"})
    assert not findings_table(few.rows, filtered, few.action, ENGLISH, measure="").is_short
    many = page_of(view(page())).findings
    assert many
    assert not many.is_short
    assert many.has_fixes
    notes = findings_table((row for row in many.rows if row.tags["kind"] == "facts"), FindingsQuery(), "", ENGLISH, measure="")
    assert not notes.has_fixes


def test_only_badges_of_changes_say_since_when() -> None:
    assert change_badge("new", ENGLISH, is_plain=True) == "new since the last check"
    assert (change_badge("new", ENGLISH, is_plain=False), change_badge("", ENGLISH, is_plain=True)) == ("new", "")
    visit = structs.replace(visit_of(view(page())), query={"view": "plain"})
    shown = report_page(visit)
    assert shown.findings
    assert shown.findings.is_plain
    marked = tuple(structs.replace(row, badge="on the cheapest way to good (86)") for row in shown.findings.rows)
    shown = structs.replace(shown, findings=structs.replace(shown.findings, rows=marked))
    text = environment(ENGLISH).get_template(template_of(type(shown))).render(variables(shown))
    assert "on the cheapest way to good (86)</span>" in text
