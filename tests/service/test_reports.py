"""Reports: accepted, made, changed, deleted."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import update

from findable.errors import (
    Conflict,
    FindableError,
    Forbidden,
    IdempotencyMismatch,
    NotFound,
    PageErrorCode,
    PageUnavailable,
    PreconditionFailed,
    QuotaExceeded,
    Unavailable,
    ValidationFailed,
)
from findable.fetch.egress_guard import AllowedTarget, Guard
from findable.reports.report import Engine
from findable.reports.scoring import RULESET
from findable.service.reports import report_jobs, reports
from findable.service.runtime import idempotency
from findable.service.runtime.idempotency import IdempotencyKey, StoredReply
from findable.service.runtime.service import Analysis, Service
from findable.service.sites.url_input import PageTarget, host_key, read_url
from findable.service.values.caller import Caller
from findable.service.values.report_values import NewReport, ReportChanges
from findable.store.schema.job_tables import job
from findable.vocabulary import Privacy, Profile, Rating, Status
from tests.service import samples


def test_a_report_goes_from_queued_over_running_to_done(service: Service, caller: Caller) -> None:
    created = reports.create(service, caller, NewReport("https://www.Example.com:443/a#top"))
    report = created.report
    assert (report.status, report.url, report.project, report.result) == (Status.QUEUED, "https://www.example.com/a", "example.com", None)
    assert len(report.public_id) == 22
    assert report.progress is not None
    assert not report.is_finished
    job = report_jobs.claim(service, "w")
    assert job is not None
    report_jobs.report_progress(service, job, "fetch", 1, 4)
    running = reports.get(service, caller, report.id)
    assert running.status is Status.RUNNING
    assert running.progress is not None
    assert (running.progress.stage, running.progress.done, running.progress.of) == ("fetch", 1, 4)
    assert running.etag != report.etag
    assert report_jobs.complete(service, job, samples.seen(93))
    done = reports.get(service, caller, report.id)
    assert (done.status, done.result, done.score, done.coverage, done.run) == (Status.DONE, Rating.GOOD, 93, 0.97, 1)
    assert done.is_finished
    assert done.report is not None
    assert done.report.engine == Engine("1", RULESET, Profile.STATIC, ())
    assert done.not_asked == ("lcp",)
    assert done.report.facts.page_title == "Ä page"
    assert done.generated_at is not None
    assert done.generated_at >= done.created_at
    assert done.previous is None


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("https://example.com", PageTarget("https://example.com/", scheme_guessed=False)),
        ("  http://example.com/a b  ", PageTarget("http://example.com/a%20b", scheme_guessed=False)),
        ("example.com/a", PageTarget("https://example.com/a", scheme_guessed=True)),
        ("//example.com/a", PageTarget("https://example.com/a", scheme_guessed=True)),
        ("example.com:8080/a", PageTarget("https://example.com:8080/a", scheme_guessed=True)),
        ("https:example.com", PageTarget("https://example.com/", scheme_guessed=False)),
        ("https://bücher.example/", PageTarget("https://xn--bcher-kva.example/", scheme_guessed=False)),
    ],
)
def test_what_a_person_types_is_read_once(typed: str, stored: PageTarget) -> None:
    assert read_url(typed, Guard()) == stored


@pytest.mark.parametrize("typed", ["ht\ntp://127.0.0.6/", "h\tttp:/\r/127.0.0.6/", "\nhttp://127.0.0.6/"])
def test_s1_line_breaks_within_a_scheme_hide_no_private_address(typed: str) -> None:
    refused = read_url("http://127.0.0.6/", Guard())
    assert isinstance(refused, str)
    assert read_url(typed, Guard()) == refused


@pytest.mark.parametrize(
    "typed",
    [None, "", "  ", "mailto:a@b.example", "javascript:alert(1)", "ftp://example.com/", "https://u:p@example.com/", "http://127.0.0.1/",
     "localhost:9", "https://", "http://[", "x" * 2049, "https://example.com/" + "ä" * 700, "data:text/html,x", "//", "https://example.com:22/"],
)  # fmt: skip
def test_what_is_no_address_to_analyse_is_refused_with_one_sentence(typed: str | None) -> None:
    answer = read_url(typed, Guard())
    assert isinstance(answer, str)
    assert not isinstance(answer, PageTarget)
    assert answer.endswith(".")


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_a_sentence(typed: str) -> None:
    answer = read_url(typed, Guard())
    if isinstance(answer, PageTarget):
        assert answer.url.startswith(("http://", "https://"))
        assert read_url(answer.url, Guard()) == PageTarget(answer.url, scheme_guessed=False)


def test_all_wrong_fields_are_named_at_once(service: Service, caller: Caller) -> None:
    with pytest.raises(ValidationFailed) as caught:
        reports.create(service, caller, NewReport("ftp://x", Privacy.PASSWORD, None))
    assert set(caught.value.errors) == {"url", "password"}


def test_s59_passwords_are_asked_for_kept_and_ignored(service: Service, caller: Caller) -> None:
    public = reports.create(service, caller, NewReport("https://a.example/", Privacy.PUBLIC, "ignored")).report
    assert not public.has_password
    with pytest.raises(ValidationFailed) as caught:
        reports.update(service, caller, public.id, ReportChanges(privacy=Privacy.PASSWORD))
    assert list(caught.value.errors) == ["password"]
    locked = reports.update(service, caller, public.id, ReportChanges(privacy=Privacy.PASSWORD, password="first"))
    assert locked.has_password
    again = reports.update(service, caller, public.id, ReportChanges(privacy=Privacy.PASSWORD))
    assert again.has_password
    assert again.etag == locked.etag
    opened = reports.update(service, caller, public.id, ReportChanges(privacy=Privacy.PRIVATE, password="ignored"))
    assert not opened.has_password
    assert opened.privacy is Privacy.PRIVATE


def test_s48_another_accounts_report_is_missing(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller)
    stranger = samples.owner(service, "stranger@example.com")
    for use in (
        lambda: reports.get(service, stranger, report_id),
        lambda: reports.update(service, stranger, report_id, ReportChanges(privacy=Privacy.PRIVATE)),
        lambda: reports.delete(service, stranger, report_id),
        lambda: reports.runs(service, stranger, report_id),
        lambda: reports.get_run(service, stranger, report_id, 1),
        lambda: reports.changes(service, stranger, report_id),
        lambda: reports.saved_page(service, stranger, report_id),
    ):
        with pytest.raises(NotFound) as caught:
            use()
        with pytest.raises(NotFound) as missing:
            reports.get(service, stranger, 10**9)
        assert str(caught.value) == str(missing.value)
    with pytest.raises(NotFound):
        reports.get(service, caller, 2**70)


def test_s62_a_key_that_may_only_read_changes_nothing(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller)
    reader = replace(caller, scopes=frozenset({"read"}))
    assert reports.get(service, reader, report_id).id == report_id
    for use in (
        lambda: reports.create(service, reader, NewReport("https://a.example/")),
        lambda: reports.update(service, reader, report_id, ReportChanges(privacy=Privacy.PRIVATE)),
        lambda: reports.delete(service, reader, report_id),
    ):
        with pytest.raises(Forbidden):
            use()
    with pytest.raises(Forbidden):
        reports.get(service, replace(caller, scopes=frozenset({"write"})), report_id)


def test_a_stale_tag_changes_nothing_and_progress_makes_no_tag_stale(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller)
    old = reports.get(service, caller, report_id).etag
    changed = reports.update(service, caller, report_id, ReportChanges(privacy=Privacy.PRIVATE), if_match=f'"{old}"')
    for use in (
        lambda: reports.update(service, caller, report_id, ReportChanges(privacy=Privacy.PUBLIC), if_match=f'"{old}"'),
        lambda: reports.delete(service, caller, report_id, if_match=f'"{old}"'),
    ):
        with pytest.raises(PreconditionFailed):
            use()
    running = reports.update(service, caller, report_id, ReportChanges(results=True), if_match=f'W/"x", "{changed.etag}"')
    assert running.etag != changed.etag
    job = report_jobs.claim(service, "w")
    assert job is not None
    report_jobs.report_progress(service, job, "page", 2, 4)
    reports.delete(service, caller, report_id, if_match=f'"{running.etag}"')


def test_generating_again_keeps_the_old_result_until_the_new_one_is_there(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(84))
    again = reports.update(service, caller, report_id, ReportChanges(results=True))
    assert (again.status, again.score) == (Status.DONE, 84)
    assert again.progress is not None
    job = report_jobs.claim(service, "w")
    assert job is not None
    assert job.fresh_site
    assert reports.get(service, caller, report_id).status is Status.DONE
    report_jobs.complete(service, job, samples.seen(93))
    done = reports.get(service, caller, report_id)
    assert (done.score, done.run) == (93, 2)
    assert done.previous is not None
    assert (done.previous.report, done.previous.run, done.previous.result, done.previous.score, done.previous.change) == (
        report_id, 1, Rating.DECENT, 84, 9,
    )  # fmt: skip


@pytest.mark.parametrize("unrated", [False, True])
def test_a_generation_that_fails_never_replaces_a_rated_run(service: Service, caller: Caller, unrated: bool) -> None:
    report_id = samples.made(service, caller)
    reports.update(service, caller, report_id, ReportChanges(results=True))
    if unrated:
        samples.work(service, samples.seen(None, error="needs_browser"))
    else:
        job = report_jobs.claim(service, "w")
        assert job is not None
        report_jobs.store_outcomes(service, [(job, PageUnavailable(PageErrorCode.TARGET_TIMEOUT))])
    report = reports.get(service, caller, report_id)
    assert (report.status, report.score, report.run, report.error) == (Status.DONE, 93, 1, None)
    assert report.last_error is not None
    assert report.last_error.code == ("needs_browser" if unrated else "target_timeout")
    assert report.last_error.at is not None
    assert report.is_finished
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service)
    assert reports.get(service, caller, report_id).last_error is None


def test_a_report_that_never_had_a_result_is_failed_and_can_recover(service: Service, caller: Caller) -> None:
    report_id = reports.create(service, caller, NewReport("https://a.example/")).report.id
    job = report_jobs.claim(service, "w")
    assert job is not None
    report_jobs.store_outcomes(service, [(job, PageUnavailable(PageErrorCode.DNS_FAILED))])
    failed = reports.get(service, caller, report_id)
    assert (failed.status, failed.result, failed.score, failed.generated_at) == (Status.FAILED, None, None, None)
    assert failed.error is not None
    assert (failed.error.code, failed.error.code.retryable) == ("dns_failed", True)
    again = reports.update(service, caller, report_id, ReportChanges(results=True))
    assert (again.status, again.error) == (Status.QUEUED, None)
    samples.work(service)
    assert reports.get(service, caller, report_id).status is Status.DONE
    assert [run.error.code if run.error else run.score for run in reports.runs(service, caller, report_id)] == [93, "dns_failed"]


def test_a_page_that_needs_a_browser_is_done_without_a_rating(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(None, error="needs_browser"))
    report = reports.get(service, caller, report_id)
    assert (report.status, report.result, report.score) == (Status.DONE, None, None)
    assert report.error is not None
    assert report.error.code == "needs_browser"


def test_a_guessed_scheme_is_corrected_by_what_was_seen(service: Service, caller: Caller) -> None:
    created = reports.create(service, caller, NewReport("example.com/a"))
    assert created.report.url == "https://example.com/a"
    job = report_jobs.claim(service, "w")
    assert job is not None
    assert job.scheme_guessed
    report_jobs.complete(service, job, samples.seen(url="http://example.com/a"))
    assert reports.get(service, caller, created.report.id).url == "http://example.com/a"


def test_runs_of_one_address_are_one_history_whichever_report_they_belong_to(service: Service, caller: Caller) -> None:
    first = samples.made(service, caller, outcome=samples.seen(70))
    second = samples.made(service, caller, outcome=samples.seen(80))
    samples.made(service, caller, "https://example.com/other")
    previous = reports.get(service, caller, second).previous
    assert previous is not None
    assert (previous.report, previous.change) == (first, 10)
    assert [(run.report, run.score) for run in reports.runs(service, caller, first)] == [(second, 80), (first, 70)]
    reports.delete(service, caller, first)
    assert reports.get(service, caller, second).previous is None


def test_an_older_run_is_shown_as_it_was(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(70))
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(95))
    old = reports.get_run(service, caller, report_id, 1)
    assert (old.run, old.score, old.result, old.previous) == (1, 70, Rating.DECENT, None)
    assert old.report is not None
    assert old.report.counts == {"passed": 3, "warned": 1}
    new = reports.get_run(service, caller, report_id, 2)
    assert new.previous is not None
    assert new.previous.change == 25
    with pytest.raises(NotFound):
        reports.get_run(service, caller, report_id, 3)


def test_a_saved_page_is_kept_for_the_newest_runs_only(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path, saved_page_runs=2))
    caller = samples.owner(service)
    pages = [f'{{"page": {n}}}'.encode() for n in range(3)]
    report_id = samples.made(service, caller, outcome=samples.seen(page=pages[0]))
    for page in pages[1:]:
        reports.update(service, caller, report_id, ReportChanges(results=True))
        samples.work(service, samples.seen(page=page))
    assert reports.saved_page(service, caller, report_id) == pages[2]
    assert reports.saved_page(service, caller, report_id, 2) == pages[1]
    with pytest.raises(NotFound):
        reports.saved_page(service, caller, report_id, 1)
    service.close()


def test_changes_tell_new_fixed_returned_and_still(service: Service, caller: Caller) -> None:
    def verdicts(**found: str) -> dict[str, str]:
        return {name.replace("_", "-"): verdict for name, verdict in found.items()}

    rounds = [
        verdicts(a="failed", b="passed", c="warned", d="warned", e="failed", f="failed"),
        verdicts(a="passed", b="passed", c="warned", d="warned", e="failed", f="failed"),
        verdicts(a="failed", b="warned", c="failed", d="passed", e="unknown", f="inapplicable", g="failed"),
    ]
    report_id = samples.made(service, caller, outcome=samples.seen(70, rounds[0]))
    for score, found in ((75, rounds[1]), (65, rounds[2])):
        reports.update(service, caller, report_id, ReportChanges(results=True))
        samples.work(service, samples.seen(score, found))
    changes = reports.changes(service, caller, report_id)
    assert (changes.since, changes.run, changes.score.before, changes.score.after) == (2, 3, 75, 65)
    assert (changes.score.from_page, changes.score.from_ruleset) == (-10, 0)
    assert {item.finding.id for item in changes.new} == {"b"}
    assert {item.finding.id for item in changes.returned} == {"a"}
    assert {item.finding.id for item in changes.worse} == {"c"}
    assert {item.finding.id for item in changes.fixed} == {"d", "f"}
    assert {item.finding.id for item in changes.not_judged} == {"e", "g"}
    assert (changes.still, changes.better) == ((), ())
    assert {item.finding.id for item in reports.changes(service, caller, report_id, since=1).still} == {"a"}
    for wrong in (0, 3, 99):
        with pytest.raises(ValidationFailed):
            reports.changes(service, caller, report_id, since=wrong)


def test_a_change_of_ruleset_is_told_apart_where_the_old_page_is_kept(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller, outcome=samples.seen(70, ruleset="2025-01"))
    reports.update(service, caller, report_id, ReportChanges(results=True))
    samples.work(service, samples.seen(90))
    changes = reports.changes(service, caller, report_id)
    assert (changes.score.from_page, changes.score.from_ruleset) == (None, None)
    assert changes.rulesets == ("2025-01", RULESET)
    assert (changes.new, changes.fixed, changes.returned) == ((), (), ())  # a change of ruleset is no event
    service.analysis = Analysis(
        lambda _saved, _not_for_search: samples.report(78), recheck=lambda _job: pytest.fail("nothing is rechecked")
    )
    changes = reports.changes(service, caller, report_id)
    assert (changes.score.from_page, changes.score.from_ruleset) == (12, 8)


def test_f1_f2_a_key_collapses_retries_into_one_report(service: Service, caller: Caller) -> None:
    key = IdempotencyKey("k1", "digest")
    first = reports.create(service, caller, NewReport("https://a.example/"), key)
    with pytest.raises(Conflict):
        reports.create(service, caller, NewReport("https://a.example/"), key)
    with pytest.raises(IdempotencyMismatch):
        reports.create(service, caller, NewReport("https://b.example/"), IdempotencyKey("k1", "other"))
    idempotency.release(service, caller, "k1")  # the client went away before the reply
    again = reports.create(service, caller, NewReport("https://a.example/"), key)
    assert (again.report.id, again.reply) == (first.report.id, None)
    reply = StoredReply(b'{"data": [' + b'"a line",\n' * 500 + b"1]}", 201, {"Location": "/x"})
    idempotency.store_reply(service, caller, "k1", reply)
    with service.store.read() as session:
        kept = session.expiring.reply(caller.owner, "k1")
    assert kept is not None
    assert kept.reply is not None
    assert len(kept.reply) < len(reply.body) / 3, "packed"
    assert reports.create(service, caller, NewReport("https://a.example/"), key).reply == reply
    other = replace(caller, key_id=99)
    assert reports.create(service, other, NewReport("https://a.example/"), key).report.id != first.report.id


def test_s89_a_job_of_an_unknown_kind_ends_its_report(service: Service, caller: Caller) -> None:
    report_id = reports.create(service, caller, NewReport("https://a.example/")).report.id
    with service.store.write() as session:
        session.jobs._connection.exec_driver_sql("UPDATE job SET kind = 'pickle'")
    assert report_jobs.claim(service, "w") is None
    report = reports.get(service, caller, report_id)
    assert report.error is not None
    assert (report.status, report.error.code) == (Status.FAILED, "internal_error")


def test_the_queue_of_an_account_has_an_end(tmp_path: Path) -> None:
    service = Service.open(samples.settings(tmp_path, queue_limit=2))
    caller = samples.owner(service)
    for _ in range(2):
        reports.create(service, caller, NewReport("https://a.example/"))
    with pytest.raises(QuotaExceeded):
        reports.create(service, caller, NewReport("https://a.example/"))
    samples.work(service)
    reports.create(service, caller, NewReport("https://a.example/"))
    service.close()


def test_a_service_that_ends_accepts_nothing_new(service: Service, caller: Caller) -> None:
    report_id = samples.made(service, caller)
    service.drain()
    with pytest.raises(Unavailable):
        reports.create(service, caller, NewReport("https://a.example/"))
    with pytest.raises(Unavailable):
        reports.update(service, caller, report_id, ReportChanges(results=True))
    assert reports.get(service, caller, report_id).is_finished
    assert not service.is_ready()


def test_s92_the_limit_per_host_is_lifted_for_allowed_targets() -> None:
    guard = Guard([AllowedTarget.parse("10.0.0.0/8"), AllowedTarget.parse("intranet:8080"), AllowedTarget.parse("127.0.0.1")])
    keys = [host_key(url, guard) for url in (
        "https://www.example.com/", "https://10.1.1.1/", "http://intranet:8080/", "http://intranet/", "http://localhost:99/",
    )]  # fmt: skip
    assert keys == ["example.com", "", "", "intranet", ""]


def test_every_refusal_is_one_of_ours(service: Service, caller: Caller) -> None:
    with pytest.raises(FindableError):
        reports.saved_page(service, caller, 0)


def test_an_operator_who_kills_the_service_does_not_make_a_page_poisonous(service: Service, caller: Caller) -> None:
    report_id = reports.create(service, caller, NewReport("https://example.com/")).report.id
    for _ in range(4):
        with service.store.write() as session:
            session.jobs._connection.execute(update(job).values(run_at=0))
        assert report_jobs.claim(service, "killed") is not None
        report_jobs.sweep(service)
    with service.store.write() as session:
        session.jobs._connection.execute(update(job).values(run_at=0))
    assert samples.work(service).report_id == report_id
    assert reports.get(service, caller, report_id).status is Status.DONE


def test_a_page_that_loses_its_workers_again_and_again_is_abandoned(service: Service, caller: Caller) -> None:
    report_id = reports.create(service, caller, NewReport("https://example.com/")).report.id
    for _ in range(report_jobs.MAX_LOSS_POINTS):
        with service.store.write() as session:
            session.jobs._connection.execute(update(job).values(run_at=0))
        assert report_jobs.claim(service, "killed") is not None
        report_jobs.sweep(service)
    failed = reports.get(service, caller, report_id)
    assert failed.error is not None
    assert failed.error.code is PageErrorCode.WORKER_CRASHED
