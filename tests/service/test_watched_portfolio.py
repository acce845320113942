"""Four weeks of watched sites give one urgent message for each accident, and one digest a week."""

from pathlib import Path

import pytest
from sqlalchemy import func, select

from findable.service.delivery import digests
from findable.service.runtime.service import Service
from findable.store.schema.message_tables import delivery
from tests.service import samples
from tests.service.watched_month import DAY_S, HOUR_S, START, Month, Planted
from tests.simulated_clock import simulated_clock

KINDS = ("down", "noindex", "blocked")
FROM = "Findable <findable@service.example>"


@pytest.mark.parametrize(("sites", "accidents"), [(6, 3), pytest.param(60, 12, marks=pytest.mark.full)])
def test_each_accident_is_one_urgent_message_and_all_else_a_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sites: int, accidents: int
) -> None:
    hosts = [f"site-{number}.example" for number in range(sites)]
    plan = [
        Planted(KINDS[number % 3], begin := START + (2 + number) * DAY_S + HOUR_S, begin + (2 + number % 3) * DAY_S, hosts[number])
        for number in range(accidents)
    ]
    plan += [Planted("canonical", START + 5 * DAY_S, START + 30 * DAY_S, host) for host in hosts[accidents:]]  # not urgent
    settings = samples.settings(tmp_path, rate_limit=0, smtp_url="smtps://127.0.0.1:9", mail_from=FROM)
    with simulated_clock(START - DAY_S) as clock:
        service = Service.open(settings)
        month = Month(service, samples.owner(service), clock, monkeypatch, plan, time_outs=0.02, seed=3)
        for host in hosts:
            month.watch([f"https://{host}/"])
        samples.subscribed(service, month.caller)
        for day in range(28):
            month.go(START + day * DAY_S + 8 * HOUR_S)
            digests.send_due(service)
        urgent = [(one.kind, one.project) for one in month.messages if one.data.urgent]
        assert sorted(urgent) == sorted(("alert.opened", host) for host in hosts[:accidents])
        with service.store.read() as session:
            rows = session.outbox._connection.execute(select(func.count()).where(delivery.c.mail.is_not(None))).scalar_one()
        assert 1 <= rows <= 4
        service.close()
