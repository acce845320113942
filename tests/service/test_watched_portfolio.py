"""Weeks of watched sites give one urgent message for each accident, one digest a week, and each crawl that was planned.

The sites are imported from a table and watched by one switch; they are real servers, and their requests, crawls and e-mails are real.
"""

import asyncio
import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, closing
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import force_setattr
from sqlalchemy import select

from findable.checks.engine import Finding, failed, find_check, quoted
from findable.monitor.schedule_rules import jitter_s, next_after
from findable.reports.search_verdict import VerdictCode
from findable.service.accounts import account_admin, invitations, sign_in_links
from findable.service.accounts.sessions import SignInClient
from findable.service.crawls import crawl_changes, crawls
from findable.service.crawls.crawl_changes import ChangeQuery
from findable.service.projects import schedules, site_imports, watched_sites
from findable.service.projects.schedules import stored_rule
from findable.service.reports import reports
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlStatus, CrawlView
from findable.service.values.report_values import NewReport, ReportQuery
from findable.service.values.schedule_values import ScheduledWork
from findable.store.schedule_statements import ScheduleRow
from findable.store.schema.report_tables import batch
from tests.mail_server import Inbox
from tests.service import samples
from tests.service.watched_portfolio import DAY_S, HOUR_S, MINUTE_S, WEEK_S, Planned, Portfolio, ageing_caches, ruleset
from tests.service.watched_shops import Authority, Shop
from tests.simulated_clock import SimulatedClock, simulated_clock

FROM = "Findable <findable@service.example>"
OWNER, COLLEAGUE, READER = "owner@example.com", "colleague@example.com", "reader@example.com"
DAYS_KNOWN = 14
IMPORT_S = 180
MONDAY_S = 4 * DAY_S
"""Time of the first Monday since 1970."""
DOWN = "could not be loaded|cannot be reached|could not reach"
BLOCKED = "robots.txt (blocks|disallows)"
ACCIDENTS = {
    "stopped": DOWN,
    "server error": DOWN,
    "start page error": DOWN,
    "noindex": "noindex",
    "noindex header": "noindex",
    "elsewhere": "canonical",
    "robots all": BLOCKED,
    "robots google": BLOCKED,
    "robots all and google": BLOCKED,
    "certificate ends": "certificate of the site ends on",
    "certificate expired": "reject the certificate .*expired",
    "certificate of another": "reject the certificate .*match",
}
"""What the urgent message says, by accident: three that make the site unreachable, deindexed and blocked, and three of its certificate."""
LISTED = {
    "canonical": "lost their canonical URL: 1",
    "title": "another title, description or main heading: 1",
    "robots new": "robots.txt changed",
    "pages lost": "3 of 4 indexable pages are missing",
    "noindex tea": "no longer list because of noindex: 1",
}
"""What a digest says about a change that is not urgent."""
QUIET = ("slow", "thin", "resets", "limited", "server error", "stopped")
"""Changes and faults that are no accident: those of the last two kinds end after ten minutes."""


class World:
    """The service, the shops, and the people who watch them."""

    def __init__(self, folder: Path, database_url: str, inbox: Inbox, clock: SimulatedClock, count: int) -> None:
        self.clock, self.start, self.inbox = clock, clock.at, inbox
        self.authority = Authority(folder)
        self.hosts = [f"127.0.{1 + number // 200}.{1 + number % 200}" for number in range(count)]
        self.good = self.authority.sign("good.pem", self.hosts, clock.at + 300 * DAY_S)
        self.shops = [Shop(host, None if number % 20 == 1 else self.good) for number, host in enumerate(self.hosts)]
        more: dict[str, Any] = {"ca_file": self.authority.bundle, "smtp_url": inbox.url, "mail_from": FROM, "database_url": database_url}
        self.service = Service.open(samples.settings(folder, allow_targets=("127.0.0.0/8",), **more))
        account_admin.create_account(self.service, OWNER)
        signed_in = sign_in_links.redeem(self.service, sign_in_links.create(self.service, OWNER).url.rpartition("/")[2])
        assert signed_in is not None
        self.owner = signed_in.caller
        self.colleague, self.reader = self._member(COLLEAGUE), self._member(READER)
        account_admin.create_account(self.service, "other@example.com")

    def _member(self, email: str) -> Caller:
        invited = invitations.invite(self.service, self.owner, role="member", email="")
        joined = invitations.join(
            self.service,
            invited.url.rpartition("/")[2],
            SignInClient("", "127.0.0.1"),
            name=email,
            email=email,
            password="a sound password",
        )
        assert joined is not None
        return joined.caller

    def close(self) -> None:
        self.service.close()
        for shop in self.shops:
            shop.close()

    def watch(self) -> None:
        """Import the shops from a table with five bad rows, and watch them: the owner two thirds, a colleague the others."""
        bad = ("nowhere", "https://user:secret@shop.example/", "ftp://shop.example/", self.shops[0].name, 'shop.example,"open')
        rows = [f"{shop.name}," for shop in self.shops]
        for number, row in enumerate(bad):
            rows.insert(2 + 3 * number, row if "," in row else f"{row},")
        began_s = time.monotonic()
        found = site_imports.import_sites(self.service, self.owner, "\n".join(["url,name", *rows]))
        assert (found.created, found.failed) == (len(self.shops), len(bad)), [row for row in found.rows if row.errors]
        assert time.monotonic() - began_s < IMPORT_S
        names = [shop.name for shop in self.shops]
        self.of_owner = len(names) * 2 // 3
        watched_sites.watch(self.service, self.owner, names[: self.of_owner])
        watched_sites.watch(self.service, self.colleague, names[self.of_owner :])

    def receiver_of(self, shop: Shop) -> str:
        return OWNER if self.shops.index(shop) < self.of_owner else COLLEAGUE

    def schedule_of(self, shop: Shop, what: ScheduledWork) -> ScheduleRow:
        with self.service.store.read() as session:
            project = session.projects.by_name(self.owner.account_id, shop.name)
            assert project is not None
            (found,) = [row for row in session.schedules.select(self.owner.account_id, project_id=project.id, limit=9) if row.what == what]
            return found

    def crawls_of(self, shop: Shop) -> list[CrawlView]:
        """Its crawls, the first one first."""
        found = crawls.find(self.service, self.owner, CrawlQuery(project=shop.name, per_page=100))
        assert found.total == len(found.items)
        return list(reversed(found.items))

    def is_digest(self, mail: EmailMessage) -> bool:
        return str(mail["Subject"]).startswith("Findable:")

    def digests(self, email: str) -> list[str]:
        return [text_of(mail) for mail in self.inbox.to(email) if self.is_digest(mail)]


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return f"{mail['Subject']}\n{body.get_content()}"


@pytest.fixture
def clock() -> Iterator[SimulatedClock]:
    """A Monday at nine, not far from the real time, which alone the TLS library knows."""
    week = int(time.time()) // WEEK_S + 1
    with simulated_clock(week * WEEK_S + MONDAY_S + 9 * HOUR_S) as told, ageing_caches(told):
        yield told


def accidents_of(world: World, shops: Sequence[Shop], kinds: Sequence[str], weeks: int, chance: random.Random) -> list[Planned]:
    """As many accidents in each week; each ends within days."""
    of_week = [number % weeks for number in range(len(kinds))]
    chance.shuffle(of_week)
    made = []
    for shop, fault, week in zip(shops, kinds, of_week, strict=True):
        begin = world.start + week * WEEK_S + int(chance.uniform(1.0, 5.0) * DAY_S)
        is_down = ACCIDENTS[fault] == DOWN
        certificate = None
        if fault == "certificate ends":  # and is renewed
            shop.certificate, certificate = world.authority.sign(f"{shop.host}.pem", [shop.host], begin + 21 * DAY_S, 120), world.good
            shop.give("")
        elif fault == "certificate expired":
            certificate = world.authority.sign(f"{shop.host}.pem", [shop.host], int(time.time()) - DAY_S)
        elif fault == "certificate of another":
            certificate = world.authority.sign(f"{shop.host}.pem", ["127.0.0.99"], world.start + 300 * DAY_S)
        made.append(Planned(shop, fault, begin, begin + int(chance.uniform(1.1, 1.6 if is_down else 6.0) * DAY_S), certificate))
    return made


def changes_of(world: World, shops: Sequence[Shop], kinds: Sequence[str], weeks: int, chance: random.Random) -> list[Planned]:
    """Changes of other shops that stay, and faults that end soon but are there when a page is checked."""
    made = []
    for shop, fault in zip(shops, kinds, strict=False):
        week = chance.randrange(1, weeks) if weeks > 1 else 0
        begin = world.start + week * WEEK_S + int(chance.uniform(0.2, 4.0) * DAY_S)
        if fault in ("limited", "resets", "server error", "stopped"):
            due_at = world.schedule_of(shop, ScheduledWork.REPORTS).due_at + (7 * week + chance.randrange(1, 5)) * DAY_S
            begin = due_at - MINUTE_S
        lasts_s = {"limited": HOUR_S, "resets": HOUR_S, "server error": 10 * MINUTE_S, "stopped": 10 * MINUTE_S}.get(fault, 100 * DAY_S)
        made.append(Planned(shop, fault, begin, begin + lasts_s))
    return made


def title_never_passes(**_roots: object) -> Finding:
    return failed("The title is wrong under the new ruleset", evidence=[quoted("title")])


def live(world: World, plan: Sequence[Planned], days: float, new_ruleset_after: float | None = None) -> None:
    """Let the days pass."""

    async def main() -> None:
        until = world.start + int(days * DAY_S)
        async with AsyncExitStack() as judged_as:
            portfolio = Portfolio(world.service, world.clock, plan)
            judged_as.push_async_callback(portfolio.close)
            if new_ruleset_after is not None:
                await portfolio.go(world.start + int(new_ruleset_after * DAY_S))
                judged_as.enter_context(ruleset("2099-01"))
                check = find_check("title-present")
                assert check is not None
                judged_as.callback(force_setattr, check, "function", check.function)
                force_setattr(check, "function", title_never_passes)
            await portfolio.go(until)

    asyncio.run(main())


def assert_urgent_messages(world: World, accidents: Sequence[Planned]) -> None:
    """Each accident is one urgent message to the person who watches the site; there is no other one."""
    found = [mail for mail in world.inbox.mails if not world.is_digest(mail)]
    left = {id(mail): mail for mail in found}
    for one in accidents:
        about = [mail for mail in found if str(mail["Subject"]).strip().startswith(f"{one.shop.name}: ")]
        assert [str(mail["To"]) for mail in about] == [world.receiver_of(one.shop)], (one.fault, [text_of(mail) for mail in about])
        assert re.search(ACCIDENTS[one.fault], text_of(about[0]), re.DOTALL), (one.fault, text_of(about[0]))
        del left[id(about[0])]
    assert not left, [text_of(mail) for mail in left.values()]


def assert_digests(world: World, plan: Sequence[Planned], weeks: int, faults: Sequence[str]) -> None:
    """At most one digest a week for each person, with all accidents and all changes; none for people who do not watch."""
    assert {str(mail["To"]) for mail in world.inbox.mails} <= {OWNER, COLLEAGUE}
    for email in (OWNER, COLLEAGUE):
        assert len(world.digests(email)) <= weeks
    for one in plan:
        words = ACCIDENTS[one.fault] if one.fault in faults else LISTED.get(one.fault)
        if words is not None:
            told = "\n".join(world.digests(world.receiver_of(one.shop)))
            assert re.search(f"{re.escape(one.shop.name)}: [^\n]*({words})", told), (one.shop.name, one.fault, told)


def assert_all_crawls(world: World, until: int) -> None:
    """Each planned crawl was made once, at its time; those besides confirm that a site is unreachable. So was each check of the pages."""
    for shop in world.shops:
        row = world.schedule_of(shop, ScheduledWork.CRAWL)
        made = world.crawls_of(shop)
        assert all(one.status in (CrawlStatus.DONE, CrawlStatus.FAILED) and one.finished_at for one in made)
        began = [int(one.created_at.timestamp()) for one in made]
        is_away = [one.verdict is not None and one.verdict.code is VerdictCode.UNREACHABLE for one in made]
        repeats = {after for before, after, away in zip(began, began[1:], is_away, strict=False) if after - before < HOUR_S and away}
        daily = world.schedule_of(shop, ScheduledWork.REPORTS)
        due, looked = due_times(row, world.start, until), due_times(daily, world.start, until)
        besides = [at for at in began if not any(is_at(at, planned) for planned in due)]
        repeats |= {at for at in besides if any(0 <= at - planned < HOUR_S for planned in looked)}  # what a daily run could not read
        assert_at_its_times(row, world.start, until, [at for at in began if at not in repeats])
        with world.service.store.read() as session:
            statement = select(batch.c.created_at).where(batch.c.schedule_id == daily.id, batch.c.fed == batch.c.members)
            checked = sorted(session.alerts._connection.execute(statement).scalars())
        since = world.start if len(checked) < DAYS_KNOWN else until - DAYS_KNOWN * DAY_S  # of an account, 1,000 finished batches stay
        assert_at_its_times(daily, since, until, [at for at in checked if at > since])


def due_times(row: ScheduleRow, start: int, until: int) -> list[int]:
    rule, due, moment = stored_rule(row), [], start
    while (moment := next_after(rule, moment)) + jitter_s(rule, row.id) <= until:
        due.append(moment + jitter_s(rule, row.id))
    return due


def is_at(at: int, planned: int) -> bool:
    return 0 <= at - planned < 15 * MINUTE_S


def assert_at_its_times(row: ScheduleRow, start: int, until: int, began: Sequence[int]) -> None:
    """Nothing was skipped or doubled."""
    due = due_times(row, start, until)
    assert [is_at(at, planned) for at, planned in zip(began, due, strict=True)] == [True] * len(due), (row.project, began, due)
    assert row.last_problem is None


def assert_new_ruleset(world: World, shop: Shop) -> None:
    """Crawls under two rulesets are not compared, and say so; those of one are."""
    told = []
    for one in world.crawls_of(shop)[1:]:
        compared = crawl_changes.changes(world.service, world.owner, one.id, ChangeQuery()).comparison
        reason = compared.findings.reason
        told.append(None if reason is None else reason.value)
        assert compared.not_comparable is None
    assert told == [None, "other_ruleset", None]
    scores = [one.score for one in world.crawls_of(shop)]
    assert scores[0] == scores[1] > scores[2] == scores[3]  # type: ignore[operator]  # each has a score


def test_a_portfolio_is_watched_from_import_to_digest(tmp_path: Path, inbox: Inbox, clock: SimulatedClock, database_url: str) -> None:
    with closing(World(tmp_path, database_url, inbox, clock, 3)) as world:
        watch_and_look(world)


def watch_and_look(world: World) -> None:
    clock = world.clock
    world.watch()
    chance = random.Random(1)
    accidents = [
        Planned(world.shops[1], "noindex", clock.at + DAY_S, clock.at + 9 * DAY_S),  # it has no https
        *accidents_of(world, world.shops[:1], ["certificate of another"], 1, chance),
    ]
    begin = clock.at + DAY_S
    accidents[1] = Planned(world.shops[0], accidents[1].fault, begin, begin + 2 * DAY_S, accidents[1].certificate)
    live(world, accidents, 2.0)
    assert_urgent_messages(world, accidents)
    urls = {one.url for one in reports.find(world.service, world.owner, ReportQuery(per_page=100)).items}
    assert urls == {shop.url() for shop in world.shops}, "the shop without https is checked, too"
    assert_all_crawls(world, clock.at)


@pytest.mark.full
def test_sixty_sites_four_weeks_twelve_accidents_and_a_new_ruleset(tmp_path: Path, inbox: Inbox, clock: SimulatedClock) -> None:
    """It takes eight minutes with SQLite; PostgreSQL watches the small portfolio above."""
    with closing(World(tmp_path, f"sqlite:///{tmp_path / 'findable.db'}", inbox, clock, 60)) as world:
        live_four_weeks(world, random.Random(int(os.environ.get("PORTFOLIO_SEED", "1"))))


def live_four_weeks(world: World, chance: random.Random) -> None:
    world.watch()
    shops = [shop for shop in world.shops if shop.tls is not None]
    chance.shuffle(shops)
    faults = list(ACCIDENTS)
    plan = accidents_of(world, shops[:12], faults, 4, chance)
    kinds = [*LISTED, *LISTED, *QUIET, *QUIET]
    changed = shops[12 : 12 + len(kinds)]
    more = changes_of(world, changed, kinds, 4, chance)
    for one in more:
        if one.fault == "noindex tea":
            for path in ("/", "/tea", "/cups"):
                reports.create(world.service, world.owner, NewReport(one.shop.url(path)))
    quiet = next(shop for shop in shops[12 + len(kinds) :])
    live(world, [*plan, *more], 28.0, new_ruleset_after=14.0)
    assert len(plan) == 12
    assert_urgent_messages(world, plan)
    assert_digests(world, plan, 4, faults)
    changes = [one for one in more if one.fault in LISTED]
    assert_digests(world, changes, 4, ())
    assert_all_crawls(world, world.clock.at)
    assert_new_ruleset(world, quiet)
    told = "\n".join([*world.digests(OWNER), *world.digests(COLLEAGUE)])
    for shop in world.shops:
        if shop not in shops[: 12 + len(kinds)]:
            assert shop.name not in told, "nothing happened to it but a new ruleset"
    assert {schedule.project for schedule in schedules.find(world.service, world.owner, limit=1000)} == {shop.name for shop in world.shops}
