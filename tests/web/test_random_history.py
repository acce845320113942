"""Random histories of a page: API, page, event, overview, email, feed and gate tell the same change."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import islice
from typing import Any

import pytest
from msgspec import Struct, structs
from sqlalchemy import select

from findable.cli.stored_reports import change_of, reports_in
from findable.errors import PageErrorCode, PageUnavailable
from findable.reports.report import Report
from findable.reports.scoring import RULESET
from findable.reports.totals import with_totals
from findable.service.accounts.callers import authenticate_key
from findable.service.delivery.digests import _digest_email, digest_of
from findable.service.reports.report_jobs import AnalysedPage
from findable.store.schema.message_tables import event
from findable.vocabulary import Profile, Verdict
from tests.conftest import new_database
from tests.service import samples
from tests.service.test_outbox import subscribe
from tests.tiers import sampled
from tests.web.live import Live, run_live

CHECKS = ("title-present", "noindex", "image-alt", "https", "title-length", "h1-present", "canonical-valid")
VERDICTS = ("passed", "passed", "passed", "failed", "warned", "inapplicable", "unknown")
LISTS = ("new", "returned", "worse", "better", "fixed", "still", "not_judged")
FORMS = ("https://{host}/", "https://{host}/", "http://{host}/", "http://www.{host}/index.html")
STEPS = 6
WHOLE = {"passed": 0}


class Step(Struct, frozen=True):
    """One look at the page. `report` is None if it could not be loaded."""

    report: Report | None = None
    accepts: str = ""
    """Check that is accepted afterwards; empty for none."""
    form: str = "https://{host}/"
    """Form of the URL that is typed."""


def look(dice: random.Random) -> Step:
    """A look of any kind."""
    kind = dice.choice(("rated", "rated", "rated", "unloaded", "away", "noindex", "rendered", "old", "accepted"))
    if kind == "unloaded":
        return Step()
    verdicts = {check: dice.choice(VERDICTS) for check in CHECKS if dice.random() < 0.9} | {"http-status": "passed"}
    if kind == "away":
        verdicts = dict.fromkeys(verdicts, "inapplicable") | {"http-status": "failed"}
    if kind == "noindex":
        verdicts["noindex"] = "failed"
    report = samples.report(
        50,
        verdicts,
        ruleset="2020-01" if kind == "old" else RULESET,
        profile=Profile.RENDERED if kind == "rendered" else Profile.STATIC,
    )
    report = structs.replace(report, not_asked=tuple(check for check in CHECKS if check not in verdicts))
    failed = [check for check, verdict in verdicts.items() if verdict == "failed" and check != "http-status"]
    return Step(with_totals(report), failed[0] if kind == "accepted" and failed else "", dice.choice(FORMS))


class Watched:
    """A page of a service with everything that tells about its changes."""

    def __init__(self, live: Live, email: str, host: str) -> None:
        self.live, self.host = live, host
        self.client, self.browser = live.client(email=email), live.signed_in(email)
        self.feed = self.client.post("/feeds", {}).json["data"]["url"].rpartition("/")[2]
        self.shown: Any = None

    def take(self, step: Step) -> None:
        """Let the service look at the page."""
        analyser, url = self.live.analyser, step.form.format(host=self.host)
        for host in (self.host, f"www.{self.host}"):
            analyser.not_seen.pop(host, None)
            analyser.results.pop(host, None)
            if step.report is None:
                analyser.not_seen[host] = PageUnavailable(PageErrorCode.TARGET_TIMEOUT)
            else:
                analyser.results[host] = AnalysedPage(b"{}", structs.replace(step.report, requested_url=url, url=url))
        if step.report is None and self.shown is not None and self.shown["result"]:
            self.fail_again()
        else:
            self.shown = self.client.report(url)
        if step.accepts:
            reply = self.client.put(f"/reports/{self.shown['id']}/accepted/{step.accepts}", {"reason": "It is intended."})
            assert reply.status == 200, reply.body
            self.shown = self.client.get(f"/reports/{self.shown['id']}").json["data"]

    def fail_again(self) -> None:
        """Run the report again while the page cannot be reached: the rating and the changes stay."""
        before, changes, overview = self.shown, self.changes(), self.overview()
        reply = self.client.put(f"/reports/{before['id']}", {"results": 1})
        assert reply.status == 200, reply.body
        self.shown = reply.json["data"]
        assert self.shown["verdict"]["code"] == "unreachable"
        assert self.shown["last_error"]["code"] == "target_timeout"
        assert (self.shown["result"], self.shown["score"]) == (before["result"], before["score"])
        assert (self.changes(), self.overview()) == (changes, overview)

    def changes(self) -> Any:
        reply = self.client.get(f"/reports/{self.shown['id']}/changes")
        assert reply.status == 200, reply.body
        return reply.json["data"]

    def overview(self) -> Mapping[str, Any]:
        """Lists of worse and fixed pages, without times."""
        found = self.client.get(f"/projects/{self.host}/changes").json["data"]
        names = ("score_before", "score", "new", "fixed")
        return {name: [{key: one[key] for key in names} for one in found[name]] for name in ("worse", "fixed")}

    def events(self) -> list[Any]:
        """Data of the events that the last report is worse."""
        with self.live.service.store.read() as session:
            rows = session.outbox._connection.execute(select(event.c.data).where(event.c.type == "report.worse")).scalars()
            data = [json.loads(one)["data"] for one in rows]
        return [one for one in data if one["id"] == self.shown["id"]]


def ids(changes: Any) -> dict[str, set[str]]:
    return {name: {one["id"] for one in changes[name]} for name in LISTS}


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def live(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("service")
    with new_database(request, folder) as url:
        yield from run_live(folder, database_url=url, secret_key="k" * 40, rate_limit=1_000_000)


@pytest.fixture
def email(live: Live) -> str:
    return live.email()


@pytest.mark.parametrize("seed", sampled(range(500), 8))
def test_every_place_tells_the_same_change_of_a_random_history(live: Live, email: str, seed: int) -> None:
    dice = random.Random(seed)
    page = Watched(live, email, f"s{seed}.example")
    subscribe(live.service, page.client.get("/account").json["data"]["id"], "report.worse")
    steps = [look(dice) for _ in range(STEPS)]
    for step in steps:
        page.take(step)
        if step.report is not None and not step.accepts:
            assert_agreement(page, step.report)


def assert_agreement(page: Watched, report: Report) -> None:
    """Compare what each place tells about the last result."""
    changes = page.changes()
    found = ids(changes)
    risen = found["new"] | found["returned"] | found["worse"]
    failed = {finding.id for finding in report.findings if finding.verdict is Verdict.FAILED}
    judged = {finding.id for finding in report.findings if finding.verdict not in (Verdict.UNKNOWN, Verdict.INAPPLICABLE)}
    assert risen <= judged, "nothing new comes from what was not judged"
    assert changes["comparable"] or not (risen | found["fixed"] | found["better"] | found["still"])
    assert_page(page, found, changes)
    worse = page.events()
    score = changes["score"]
    is_worse = changes["comparable"] and bool(score["after"] < score["before"] or risen & failed)
    assert bool(worse) is is_worse
    assert not worse or set(worse[0]["new_problems"]) <= risen & failed
    assert_overview(page, {finding.id for finding in report.findings if finding.verdict is Verdict.PASSED})
    if changes["comparable"]:
        assert_gate(page, found, changes)


def assert_page(page: Watched, found: Mapping[str, set[str]], changes: Any) -> None:
    first, _, history = page.browser.get(f"/r/{page.shown['public_id']}").text.partition('id="history"')
    for text in (unescape(re.sub(r"<[^>]+>", "", part)) for part in (first, history)):
        assert_counts(text, found)
    if not changes["comparable"] and changes["reason"] not in ("no_earlier", "other_ruleset"):
        assert "Not compared with the previous result:" in history


def assert_counts(text: str, found: Mapping[str, set[str]]) -> None:
    for name, words in (
        ("new", "new finding"),
        ("returned", "findings? returned"),
        ("worse", "warnings? became"),
        ("better", "problems? became"),
    ):
        told = re.search(rf"(\d+) {words}", text)
        assert (int(told[1]) if told else 0) == len(found[name]), name
    fixed = sum(int(one) for one in re.findall(r"(\d+) findings? (?:fixed|no longer)", text))
    assert fixed == len(found["fixed"])


def assert_overview(page: Watched, passed: set[str]) -> None:
    live, caller = page.live, authenticate_key(page.live.service, page.client.key)
    overview = page.overview()
    samples.subscribed(live.service, caller)
    with live.service.store.read() as session:
        digest = digest_of(session, caller, 0, 2**33)
        (person,) = session.people.of_account(caller.account_id)
    letter = repr(_digest_email(live.service, person, digest))
    feed = live.client().guest().get(f"/feeds/{page.feed}").text
    for one in overview["worse"]:
        assert passed.isdisjoint(one["new"]), "what passes now is not new"
        fell = one["score"] < one["score_before"]
        told = f": score {one['score_before']} → {one['score']}"
        assert ((told in letter), (told in feed)) == (fell, fell)
        told = f": score {one['score']}, {len(one['new'])} new problem"
        assert fell or (told in letter and told in feed)
    assert feed.count("#worse-") == len(overview["worse"])
    away = page.client.get(f"/projects/{page.host}/changes").json["data"]["away"]
    assert (feed.count(": away from "), letter.count(": away from ")) == (len(away), len(away))
    names = ("score_before", "score", "new", "fixed")
    assert [{name: list(value) if isinstance(value := getattr(one, name), tuple) else value for name in names} for one in digest.worse] == (
        overview["worse"]
    )


def assert_gate(page: Watched, found: Mapping[str, set[str]], changes: Any) -> None:
    def stored(report: int, run: int) -> Any:
        return page.client.get(f"/reports/{report}/runs/{run}").text

    (before,) = reports_in(stored(changes["since_report"], changes["since"]))
    (after,) = reports_in(stored(page.shown["id"], changes["run"]))
    gate = change_of(before, after)
    assert gate.reason is None
    assert {one.id for one in (*gate.new, *gate.returned)} == found["new"] | found["returned"]
    assert [{one.id for one in getattr(gate, name)} for name in LISTS[2:]] == [found[name] for name in LISTS[2:]]


@pytest.mark.parametrize("seed", sampled(range(500, 700), 4))
def test_undoing_the_last_change_gives_the_result_before(live: Live, email: str, seed: int) -> None:
    dice = random.Random(seed)
    page = Watched(live, email, f"s{seed}.example")

    for step in [look(dice) for _ in range(3)]:
        page.take(step)
    first, other = islice((step for step in iter(lambda: look(dice), None) if is_plain(step)), 2)
    page.take(first)
    page.take(first)
    before = page.overview()
    page.take(other)
    change = ids(page.changes())
    page.take(first)
    undone = ids(page.changes())

    assert undone["fixed"] == change["new"] | change["returned"]
    assert (undone["new"], undone["returned"] >= change["fixed"]) == (set(), True)
    assert (undone["worse"], undone["better"]) == (change["better"], change["worse"])
    assert undone["not_judged"] == change["not_judged"]
    assert page.overview() == before


def is_plain(step: Step) -> bool:
    """Whether the look judged all checks of a page that was available, in the usual way."""
    report = step.report
    if report is None or step.accepts:
        return False
    verdicts = {finding.id: finding.verdict for finding in report.findings}
    is_judged = set(CHECKS) <= verdicts.keys() and {*verdicts.values()} <= {Verdict.PASSED, Verdict.WARNED, Verdict.FAILED}
    is_usual = (report.engine.ruleset, report.engine.profile) == (RULESET, Profile.STATIC)
    return is_judged and is_usual and verdicts["http-status"] is Verdict.PASSED


def test_a_result_under_a_new_ruleset_is_worse_in_no_place(live: Live, email: str) -> None:
    page = Watched(live, email, "ruleset.example")
    subscribe(live.service, page.client.get("/account").json["data"]["id"], "report.worse")
    passed, failed = ({**dict.fromkeys(CHECKS, verdict), "http-status": "passed"} for verdict in ("passed", "failed"))
    page.take(Step(with_totals(samples.report(90, passed, ruleset="2020-01"))))
    page.take(Step(with_totals(samples.report(10, failed))))

    changes = page.changes()
    assert (changes["comparable"], changes["reason"]) == (False, "other_ruleset")
    assert not any(found for name, found in ids(changes).items() if name != "not_judged")
    assert page.events() == []
    assert page.overview() == {"worse": [], "fixed": []}
    assert "#worse-" not in live.client().guest().get(f"/feeds/{page.feed}").text
    caller = authenticate_key(live.service, page.client.key)
    samples.subscribed(live.service, caller)
    with live.service.store.read() as session:
        assert digest_of(session, caller, 0, 2**33).is_empty
    runs = (changes["since_report"], changes["since"]), (page.shown["id"], changes["run"])
    before, after = (reports_in(page.client.get(f"/reports/{report}/runs/{run}").text)[0] for report, run in runs)
    assert change_of(before, after).reason == "other_ruleset"
    text = unescape(re.sub(r"<[^>]+>", "", page.browser.get(f"/r/{page.shown['public_id']}").text))
    assert "The ruleset changed from 2020-01 to" in text
    for other in ("new finding", "points worse", "warnings became"):
        assert other not in text, other
