"""A month of a watched site gives exactly the messages that the rules promise; random months give none without a cause."""

import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from findable.monitor.alert_states import GATHER_S
from findable.service.alerts import alerts
from findable.service.runtime.service import Service
from findable.service.values.alert_values import AlertChanges, AlertQuery
from tests.service import samples
from tests.service.watched_month import DAY_S, HOUR_S, START, Month, Planted
from tests.simulated_clock import simulated_clock

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "watched-month.md"
SHOP, BLOG = "shop.example", "blog.example"
DOCUMENTED = 400
"""Pages of the shop in the documentation."""


def day(number: float, hour: float = 0.0) -> int:
    return START + int(number * DAY_S + hour * HOUR_S)


PLAN = (
    Planted("limited", day(3, 2.5), day(3, 3.5), SHOP),
    Planted("down", day(10, 2), day(10, 9), SHOP),
    Planted("canonical", day(14), day(17), SHOP),
    Planted("noindex", day(18), day(25), SHOP, of="/page-7."),
    Planted("flapping", day(20), day(22), BLOG),
)
EVERY = 0
"""Stands for all pages of the shop; in the first message, for those that did not time out before it."""
PROMISED = [  # event, rule, project, pages; and between which times
    (("alert.opened", "unreachable", SHOP, EVERY), day(10, 3), day(10, 4)),
    (("alert.closed", "unreachable", SHOP, EVERY), day(10, 9), day(10, 15)),
    (("alert.opened", "canonical-lost", SHOP, EVERY), day(14, 3), day(14, 4)),
    (("alert.closed", "canonical-lost", SHOP, EVERY), day(17, 3), day(17, 4)),
    (("alert.opened", "not-indexable", SHOP, 1), day(18, 3), day(18, 4)),
    (("alert.opened", "not-indexable", BLOG, 1), day(20, 2), day(20, 4)),
    (("alert.closed", "not-indexable", BLOG, 1), day(20, 4), day(20, 6)),
    (("alert.opened", "not-indexable", BLOG, 1), day(20, 6), day(20, 8)),
    (("alert.closed", "not-indexable", BLOG, 1), day(22), day(23)),
    (("alert.closed", "not-indexable", SHOP, 1), day(25, 3), day(25, 4)),
]


MARK = "|---|---|---|---|---|\n"


def _when(at: int) -> str:
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%H:%M}"


@pytest.fixture
def month_of(tmp_path: Path) -> Iterator[Service]:
    service = Service.open(samples.settings(tmp_path, rate_limit=0))
    yield service
    service.close()


@pytest.mark.parametrize("pages", [pytest.param(60, marks=pytest.mark.full), pytest.param(DOCUMENTED, marks=pytest.mark.endurance)])
def test_a_month_gives_exactly_the_messages_that_the_rules_promise(month_of: Service, monkeypatch: pytest.MonkeyPatch, pages: int) -> None:
    with simulated_clock(START - DAY_S) as clock:
        month = Month(month_of, samples.owner(month_of), clock, monkeypatch, PLAN, time_outs=0.05, seed=1)
        month.watch([f"https://{SHOP}/page-{number}." for number in range(pages)])
        month.watch([f"https://{BLOG}/"], every="PT1H", at="00:30")
        month.go(day(18, 12))
        (shown,) = alerts.find(month_of, month.caller, AlertQuery(SHOP, is_open=True))
        alerts.update(month_of, month.caller, shown.id, AlertChanges(paused_until=datetime.fromtimestamp(day(21), UTC)))
        month.go(day(28))
    promised = []
    for (told, begin, _), message in zip(PROMISED, month.messages, strict=False):
        count = told[3] or (pages if told[0] == "alert.closed" else month.confirmed_pages(SHOP, begin, message.at))
        assert told[3] or count >= 0.95 * pages, "a page rarely times out three times in a row"
        promised.append((*told[:3], count))
    assert [message.told for message in month.messages] == promised
    for message, (told, begin, end) in zip(month.messages, PROMISED, strict=True):
        assert begin <= message.at < end, (told, datetime.fromtimestamp(message.at, UTC))
    assert not month.unlucky
    table = "\n".join(
        f"| {_when(one.at)} | " + " | ".join(f"`{text}`" for text in one.told[:2]) + f" | {one.told[2]} | {one.told[3]} |"
        for one in month.messages
    )
    if pages == DOCUMENTED and os.environ.get("UPDATE_DIGESTS"):
        PAGE.write_text(PAGE.read_text("utf-8").partition(MARK)[0] + MARK + table + "\n", "utf-8")
    assert table in PAGE.read_text("utf-8") or pages != DOCUMENTED


RULE_OF = {"down": "unreachable", "noindex": "not-indexable", "canonical": "canonical-lost", "robots": "robots-changed", "limited": ""}


def random_plan(chance: random.Random) -> list[Planted]:
    """Up to four things that happen to one of two sites, each over one run at least; one after the other."""
    plan, at = [], 2.0
    for _ in range(chance.randint(0, 4)):
        at += chance.uniform(1, 4)
        end = at + chance.uniform(1.2, 3)
        what = chance.choice(sorted(RULE_OF))
        of = chance.choice(["", "/page-1."]) if what in ("noindex", "canonical") else ""
        plan.append(Planted(what, day(at), day(end), chance.choice([SHOP, BLOG]), of))
        at = end + 2.5  # until two good runs have been
    return plan


@pytest.mark.parametrize(
    "seeds", [pytest.param(range(20), marks=pytest.mark.full), pytest.param(range(20, 200), marks=pytest.mark.endurance)]
)
def test_random_months_tell_every_planted_cause_within_two_runs_and_nothing_else(tmp_path: Path, seeds: range) -> None:
    for seed in seeds:
        with pytest.MonkeyPatch.context() as patch, simulated_clock(START - DAY_S) as clock:
            service = Service.open(samples.settings(tmp_path / str(seed), rate_limit=0))
            try:
                _check(seed, Month(service, samples.owner(service), clock, patch, random_plan(random.Random(seed)), 0.05, seed))
            finally:
                service.close()


def _check(seed: int, month: Month) -> None:
    for host in (SHOP, BLOG):
        month.watch([f"https://{host}/page-{number}." for number in range(4)])
    month.go(day(28))
    opened = [message for message in month.messages if message.kind == "alert.opened"]
    for message in opened:
        causes = [
            one for one in month.plan if RULE_OF[one.what] == message.data.rule and one.host == message.project and one.begin <= message.at
        ]
        is_chance = message.data.rule == "unreachable" and any(f"//{message.project}/" in url for url in month.unlucky)
        is_end = message.data.rule == "robots-changed" and causes  # the file as it was is a change again
        assert causes or is_chance or is_end, (seed, message.told, month.plan)
    for one in month.plan:
        if not RULE_OF[one.what] or one.end > day(27):
            continue
        until = one.begin + 2 * DAY_S + HOUR_S
        found = [m for m in opened if m.data.rule == RULE_OF[one.what] and m.project == one.host and one.begin <= m.at <= until + GATHER_S]
        assert found, (seed, one, [message.told for message in month.messages])
