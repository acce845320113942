"""Made-up results, and a service to put them in. What a real page gives is tested elsewhere."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from findable.errors import PageError, PageErrorCode, PageUnavailable
from findable.reports.facts import Facts
from findable.reports.facts.content_facts import ResultLineFacts
from findable.reports.report import CategoryScore, Engine, Explanation, Report
from findable.reports.reported_finding import ReportedFinding
from findable.reports.scoring import RULESET, Cap, rating_of
from findable.service.accounts import account_admin, api_keys
from findable.service.accounts.callers import authenticate_key
from findable.service.projects import projects
from findable.service.reports import report_jobs, reports
from findable.service.reports.report_jobs import AnalysedPage, ReportJob
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.project_values import ProjectQuery
from findable.service.values.report_values import NewReport, ReportSort
from findable.settings import Settings
from findable.vocabulary import Category, Privacy, Profile, Source, Verdict

STORED_SORTS = tuple(sort for sort in ReportSort if sort is not ReportSort.DATA)
"""Sort keys of lists that need no uploaded numbers."""

VERDICTS = {"title-present": "passed", "noindex": "passed", "image-alt": "warned", "https": "passed", "hreflang-valid": "inapplicable"}


def finding(check: str, verdict: str) -> ReportedFinding:
    return ReportedFinding(id=check, verdict=Verdict(verdict), message="seen")


def report(
    score: int | None = 93,
    verdicts: Mapping[str, str] = VERDICTS,
    *,
    ruleset: str = RULESET,
    error: PageErrorCode | None = None,
    cap: int | None = None,
    profile: Profile = Profile.STATIC,
) -> Report:
    return Report(
        requested_url="https://example.com/",
        url="https://example.com/",
        captured_at="2026-11-21T10:00:00Z",
        engine=Engine("1", ruleset, profile, (Source.BROWSER,) if profile is Profile.RENDERED else ()),
        result=None if score is None else rating_of(score),
        score=score,
        coverage=0.97,
        error=None if error is None else PageError(error),
        explained=Explanation(1.0, 1, 100.0, () if cap is None else (Cap(cap, ("noindex",)),)),
        categories=(CategoryScore(Category.CONTENT, "Content", 100, 1.0, 1, {"passed": 1}),),
        counts={"passed": 3, "warned": 1},
        not_asked=("lcp",),
        findings=tuple(finding(check, verdict) for check, verdict in verdicts.items()),
        facts=Facts(title=ResultLineFacts("Ä page", 6, 50, 600, None, "Ä page")),
    )


def seen(
    score: int | None = 93, verdicts: Mapping[str, str] = VERDICTS, *, page: bytes = b"{}", url: str | None = None, **more: Any
) -> AnalysedPage:
    return AnalysedPage(page, report(score, verdicts, **more), url)


def unavailable(code: PageErrorCode = PageErrorCode.TARGET_TIMEOUT) -> PageUnavailable:
    return PageUnavailable(PageError(code))


def settings(tmp_path: Path, **more: Any) -> Settings:
    """Settings of a service; crawls open no pages in a browser."""
    return Settings(**{"data_dir": tmp_path, "secret_key": "k" * 40, "browser": "none", **more})


def owner(service: Service, email: str = "owner@example.com") -> Caller:
    """A new account with a key."""
    account_admin.create_account(service, email)
    return authenticate_key(service, api_keys.create_key(service, email).token)


def work(service: Service, outcome: AnalysedPage | None = None) -> ReportJob:
    """Does the next job."""
    job = report_jobs.claim(service, "tests")
    assert job is not None
    assert report_jobs.complete(service, job, outcome or seen())
    return job


def fail(service: Service, code: PageErrorCode = PageErrorCode.TARGET_TIMEOUT) -> None:
    """Does the next job, whose page cannot be loaded."""
    job = report_jobs.claim(service, "tests")
    assert job is not None
    assert report_jobs.store_outcomes(service, [(job, unavailable(code))])


def made(service: Service, caller: Caller, url: str = "https://example.com/", outcome: AnalysedPage | None = None, **more: Any) -> int:
    """A report that is done; its id."""
    created = reports.create(service, caller, NewReport(url, **{"privacy": Privacy.PUBLIC, **more}))
    job = work(service, outcome)
    assert job.report_id == created.report.id
    return job.report_id


def subscribed(service: Service, caller: Caller) -> None:
    """Subscribe the caller to the alerts of all projects, as if since ever."""
    found = projects.find(service, caller, ProjectQuery(per_page=100)).items
    with service.store.write() as session:
        for one in found:
            session.mails.subscribe(caller.user_id, one.id, 0)
