"""Webhooks of a service to real receivers on loopback: signed, guarded, tried again, disabled, never lost."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from findable.clock import now
from findable.errors import Conflict, RateLimited, ValidationFailed
from findable.fetch.resolver import Resolver
from findable.notify import retry_delays
from findable.notify.chat_messages import WebhookKind, chat_request
from findable.notify.event_words import EventWords
from findable.notify.outgoing_event import AlertData, Event, EventType
from findable.service.delivery import deliveries, webhook_settings
from findable.service.delivery.deliveries import DeliveryOutcome, DeliveryShape
from findable.service.delivery.webhook_settings import WebhookCreate, WebhookUpdate
from findable.service.runtime.outbox import write_event
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.store.schema.message_tables import event
from findable.worker.delivery_task import DeliveryTask
from findable.worker.worker_loop import Worker
from tests.conftest import new_database
from tests.safety.dns import name_server
from tests.service import samples
from tests.sites.server import Page, Request, Site, drip, dynamic, in_turn, resetting, silent
from tests.worker.processes import eventually, stub_service, until

ENDLESS = b"HTTP/1.1 200 OK\r\n\r\n"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with new_database(request, tmp_path) as url:
        yield url


@pytest.fixture
def service(tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(retry_delays, "DELAYS_S", (0,) * 9)
    opened = Service.open(samples.settings(tmp_path, database_url=database_url, allow_targets=("127.0.0.1",)))
    yield opened
    opened.close()


@pytest.fixture
def caller(service: Service) -> Caller:
    return samples.owner(service)


@asynccontextmanager
async def delivering(service: Service, deadline_s: float = 5.0) -> AsyncIterator[DeliveryTask]:
    task = DeliveryTask(service, deadline_s=deadline_s)
    worker = Worker(service, None, deliver=task)  # type: ignore[arg-type]  # no reports are made
    await worker.start()
    try:
        yield task
    finally:
        await worker.stop(10)
        await task.close()


def listing(service: Service, caller: Caller, number: int) -> list[DeliveryShape]:
    return list(deliveries.find(service, caller, number))


def worked(service: Service, caller: Caller, number: int, is_over: Callable[[list[DeliveryShape]], bool], deadline_s: float = 5.0) -> Any:
    async def work() -> list[DeliveryShape]:
        async with delivering(service, deadline_s):
            await eventually(lambda: is_over(listing(service, caller, number)), 30)
        return listing(service, caller, number)

    return asyncio.run(work())


def all_ended(found: list[DeliveryShape]) -> bool:
    return bool(found) and all(item.state in ("done", "failed") for item in found)


def accepting(site: Site, path: str = "/hook") -> str:
    return site.handler(path, dynamic(lambda request: Page(b"thanks", 200)))


def made(service: Service, caller: Caller, url: str, **more: Any) -> Any:
    return webhook_settings.create(service, caller, WebhookCreate(url, **more))


def alert(caller: Caller, cause: str = "alert:1", message: str = "The page is noindex", **more: Any) -> Event:
    data = AlertData(1, "noindex", "page", "https://example.com/", "open", message, opened_at=5, **more)
    return Event(EventType.ALERT_OPENED, int(now().timestamp()), caller.account_id, cause, data, None, "example.com")


def tell(service: Service, event: Event) -> None:
    with service.store.write() as session:
        assert write_event(session, event)
    service.events.publish_queued()


def verified(request: Request, secret: str) -> Any:
    return Webhook(secret).verify(request.body, request.headers)


def test_s83_the_reference_library_verifies_every_message(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    other = Webhook("whsec_" + "A" * 32)
    number = samples.made(service, caller)
    tell(service, alert(caller))
    worked(service, caller, hook.id, lambda found: len(found) == 2 and all_ended(found))
    assert {request.headers["content-type"] for request in site.requests} == {"application/json"}
    bodies = {}
    for request in site.requests:
        assert len(request.body) < 20_000
        body = verified(request, hook.secret)
        bodies[body["type"]] = body
        with pytest.raises(WebhookVerificationError):
            other.verify(request.body, request.headers)
        with pytest.raises(WebhookVerificationError):
            Webhook(hook.secret).verify(request.body.replace(b"example", b"evil.example"), request.headers)
    report = bodies["report.done"]["data"]
    assert (report["object"], report["id"], report["score"], report["project"]) == ("report", number, 93, "example.com")
    assert report["links"]["self"] == f"http://127.0.0.1:8000/api/v1/reports/{number}"
    assert bodies["alert.opened"]["data"]["summary"] == "The page is noindex"
    assert "secret" not in json.dumps(bodies)


def test_s83_two_secrets_sign_while_one_replaces_the_other(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    changed = webhook_settings.update(service, caller, hook.id, WebhookUpdate(new_secret=1))
    assert changed.secret not in (UNSET, hook.secret)
    tell(service, alert(caller))
    worked(service, caller, hook.id, all_ended)
    (request,) = site.requests
    assert request.headers["webhook-signature"].count("v1,") == 2
    for secret in (hook.secret, changed.secret):
        assert verified(request, str(secret))
    assert webhook_settings.get(service, caller, hook.id).secret is UNSET


def test_a_failed_attempt_is_repeated_with_the_same_id_and_body(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, site.handler("/hook", in_turn(Page(b"no", 500), resetting, Page(b"moved", 200))))
    tell(service, alert(caller))
    (found,) = worked(service, caller, hook.id, all_ended)
    assert (found.state, found.failures, found.status, found.response) == ("done", 2, 200, "moved")
    assert len({(request.headers["webhook-id"], request.body) for request in site.requests}) == 1
    assert len(site.requests) == 3
    for request in site.requests:
        verified(request, hook.secret)


def test_s82_redirects_are_failures_and_private_targets_are_refused_at_both_times(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_delays, "DELAYS_S", ())
    private = ("https://169.254.169.254/latest/meta-data/", "https://10.0.0.1/", "https://[::ffff:10.0.0.1]/", "https://0xa.1/")
    for url in (*private, "https://a:b@example.com/", "ftp://example.com/", "http://example.com/", service.settings.base_url, "x"):
        with pytest.raises(ValidationFailed):
            made(service, caller, url)
    redirecting = made(service, caller, site.redirect("/hook", accepting(site, "/inside"), 307), events=[EventType.ALERT_OPENED])
    rebound = made(service, caller, "https://rebinding.example/", events=[EventType.ALERT_CLOSED])
    tell(service, alert(caller))
    event = alert(caller, "alert:2")
    with service.store.write() as session:
        write_event(session, Event(EventType.ALERT_CLOSED, event.at, event.account_id, event.cause, event.data))

    async def work(server: str) -> None:
        async with delivering(service) as task:
            task._fetcher.resolver = Resolver([server])
            await eventually(lambda: all(all_ended(listing(service, caller, hook.id)) for hook in (redirecting, rebound)), 30)

    with name_server(names={"rebinding.example": ["10.0.0.7"]}) as server:
        asyncio.run(work(server.address))
    (first,), (second,) = listing(service, caller, redirecting.id), listing(service, caller, rebound.id)
    assert (first.state, first.status) == ("failed", 307)
    assert (second.state, second.status, second.error) == ("failed", None, "refused")
    assert site.asked("/inside") == []


def test_s84_slow_endless_and_broken_receivers_end_and_little_of_them_is_kept(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry_delays, "DELAYS_S", ())
    hooks = {
        "silent": made(service, caller, site.handler("/silent", silent())),
        "endless": made(service, caller, site.raw("/endless", ENDLESS, *([b"\x1b[31mx\x00" * 10_000] * 50))),
        "slow": made(service, caller, site.handler("/slow", drip(b"x" * 1000))),
        "reset": made(service, caller, site.handler("/reset", resetting)),
    }
    tell(service, alert(caller))

    async def work() -> None:
        async with delivering(service, deadline_s=0.3):
            await eventually(lambda: all(all_ended(listing(service, caller, hook.id)) for hook in hooks.values()), 30)

    asyncio.run(work())
    found = {name: listing(service, caller, hook.id)[0] for name, hook in hooks.items()}
    assert {name: item.error for name, item in found.items()} == {
        "silent": "timeout",
        "endless": None,
        "slow": "timeout",
        "reset": "connect",
    }
    assert found["endless"].state == "done"
    assert len(found["endless"].response or "") <= 1024
    assert not set(found["endless"].response or "") & {"\x1b", "\x00"}


def test_s84_410_disables_at_once_and_what_is_queued_is_not_sent(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, site.page("/hook", b"gone", status=410))
    for number in range(5):
        tell(service, alert(caller, f"alert:{number}"))
    found = worked(service, caller, hook.id, all_ended)
    assert {item.state for item in found} == {"failed"}
    view = webhook_settings.get(service, caller, hook.id)
    assert (view.disabled_why, view.disabled_at is None) == ("gone", False)
    assert len(site.requests) <= 2  # two are sent at once
    with pytest.raises(Conflict):
        deliveries.send_again(service, caller, hook.id, found[0].id)
    site.page("/hook", b"", status=204)
    assert webhook_settings.update(service, caller, hook.id, WebhookUpdate(disabled=0)).disabled_at is None
    again = deliveries.send_again(service, caller, hook.id, found[0].id)
    assert again.webhook_id == found[0].webhook_id
    assert worked(service, caller, hook.id, all_ended)[0].state == "done"


def test_messages_are_sent_again_within_a_limit_of_the_account(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "FREE_RESENDS", 2)
    hooks = [made(service, caller, site.page(f"/hook{number}", b"", status=204)) for number in range(2)]
    tell(service, alert(caller))
    for hook in hooks:
        (found,) = worked(service, caller, hook.id, all_ended)
        deliveries.send_again(service, caller, hook.id, found.id)
    worked(service, caller, hooks[0].id, all_ended)
    with pytest.raises(RateLimited) as refused:
        deliveries.send_again(service, caller, hooks[0].id, listing(service, caller, hooks[0].id)[0].id)
    assert refused.value.retry_after_s


def test_f38_a_receiver_that_fails_for_three_days_is_disabled(
    service: Service, caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = made(service, caller, site.page("/hook", b"", status=500))
    tell(service, alert(caller))
    (job,) = deliveries.claim_some(service, "tests", 5)
    deliveries.store_outcome(service, job, DeliveryOutcome(status=500))
    first = webhook_settings.get(service, caller, hook.id)
    assert first.failing_since is not None
    assert first.disabled_at is None
    with service.store.write() as session:
        session.webhooks.change(hook.id, failing_since=int(now().timestamp()) - retry_delays.FAILING_S)
    (job,) = deliveries.claim_some(service, "tests", 5)
    deliveries.store_outcome(service, job, DeliveryOutcome(error="timeout"))
    view = webhook_settings.get(service, caller, hook.id)
    assert (view.disabled_why, view.disabled_at is None) == ("failing", False)
    assert listing(service, caller, hook.id)[0].state == "failed"


def test_retry_after_is_obeyed_and_the_pauses_are_those_of_the_specification() -> None:
    assert retry_delays.next_delay_s(1, 0.5, 3600) == 3600
    assert retry_delays.next_delay_s(1, 0.5, 10**9) == 86_400
    middle = [retry_delays.next_delay_s(failures, 0.5) for failures in range(1, 11)]
    assert middle == [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, None]
    assert (retry_delays.next_delay_s(2, 0), retry_delays.next_delay_s(2, 1)) == (240, 360)


def test_a_stale_worker_changes_nothing(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    tell(service, alert(caller))
    (stale,) = deliveries.claim_some(service, "first", 5)
    assert deliveries.claim_some(service, "second", 5) == []
    assert deliveries.sweep(service) == 1
    (job,) = deliveries.claim_some(service, "second", 5)
    assert not deliveries.beat(service, stale)
    deliveries.store_outcome(service, stale, DeliveryOutcome(status=200))
    assert listing(service, caller, hook.id)[0].state == "sending"
    assert deliveries.beat(service, job)
    deliveries.store_outcome(service, job, DeliveryOutcome(status=204))
    assert listing(service, caller, hook.id)[0].state == "done"


def test_s85_chats_get_their_own_form_without_mentions_or_markup(service: Service, caller: Caller, site: Site) -> None:
    hostile = "<!channel> <@U1> @everyone [x](https://evil.example) *b*\r\nnext\u202e"
    hooks = {
        kind: made(service, caller, accepting(site, f"/{kind}"), kind=kind, language="de") for kind in WebhookKind if kind != "standard"
    }
    tell(service, alert(caller, message="The page is noindex " + hostile))
    for hook in hooks.values():
        assert hook.secret is UNSET
        assert hook.url == f"{site.base}/…"
        worked(service, caller, hook.id, all_ended)
    bodies = {kind: json.loads(site.asked("/" if kind == "ntfy" else f"/{kind}")[-1].body) for kind in ("slack", "discord", "teams")}
    sent = json.loads(site.asked("/")[-1].body)
    assert sent["topic"] == "ntfy"
    assert "\n" not in sent["title"]
    assert "\u202e" not in sent["title"]
    assert "&lt;!channel&gt;" in bodies["slack"]["text"]
    assert bodies["discord"]["allowed_mentions"] == {"parse": []}
    assert "\\@everyone \\[x\\]" in bodies["discord"]["content"]
    card = bodies["teams"]["attachments"][0]["content"]
    assert "\\[x\\]" in card["body"][0]["text"]
    assert card["actions"][0]["url"] == "http://127.0.0.1:8000/projects/example.com"
    assert all("webhook-signature" not in request.headers for request in site.requests)


def test_marks_of_a_text_never_change_a_link_to_slack() -> None:
    link = "https://s.example/r/a_b~c*d?x=1&y=<2>"
    made = chat_request(WebhookKind.SLACK, "https://hooks.example/", EventWords("a_b", ()), link, "Open_it")
    text = json.loads(made.body)["blocks"][0]["text"]["text"]
    assert "<https://s.example/r/a_b~c*d?x=1&amp;y=&lt;2&gt;|Open\u200b_it>" in text
    assert "a\u200b_b" in text


def test_a_long_message_to_slack_keeps_its_link() -> None:
    made = chat_request(WebhookKind.SLACK, "https://hooks.example/", EventWords("a", ("&" * 500,) * 9), "https://s.example/r/1", "Open")
    text = json.loads(made.body)["blocks"][0]["text"]["text"]
    assert len(text) <= 3000
    assert text.endswith("\n<https://s.example/r/1|Open>")


def test_a_message_that_cannot_be_made_does_not_stop_the_others(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    tell(service, alert(caller, "alert:1"))
    with service.store.write() as session:
        session.outbox._connection.execute(event.update().values(data='{"type":"retired"}'))
    tell(service, alert(caller, "alert:2"))
    found = worked(service, caller, hook.id, lambda found: len(found) == 2 and all_ended(found))
    assert [(item.state, item.error, item.request != "") for item in found] == [("done", None, True), ("failed", "internal", False)]


def test_test_messages_are_counted(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    for _ in range(deliveries.FREE_TESTS):
        deliveries.send_test(service, caller, hook.id)
    with pytest.raises(RateLimited, match="Too many test messages"):
        deliveries.send_test(service, caller, hook.id)


@pytest.mark.full
def test_a_rename_beside_a_new_secret_keeps_the_secret(service: Service, caller: Caller, site: Site) -> None:
    hook = made(service, caller, accepting(site))
    for turn in range(10):
        changes = (WebhookUpdate(new_secret=1), WebhookUpdate(name=f"name {turn}"))
        with ThreadPoolExecutor(2) as pool:
            first, _ = pool.map(lambda change: webhook_settings.update(service, caller, hook.id, change), changes)
        with service.store.read() as session:
            row = session.webhooks.by_id(hook.id)
        assert row is not None
        assert (webhook_settings.target_of(service, row).secrets[0], row.name) == (first.secret, f"name {turn}")


def test_secrets_and_urls_of_webhooks_are_encrypted_in_the_database(tmp_path: Path, site: Site) -> None:
    service = Service.open(samples.settings(tmp_path, allow_targets=("127.0.0.1",)))
    caller = samples.owner(service)
    hook = made(service, caller, accepting(site, "/very-secret-path"))
    service.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("findable.db*"))
    assert b"very-secret-path" not in stored
    assert hook.secret.removeprefix("whsec_").encode() not in stored
    other = Service.open(samples.settings(tmp_path, secret_key="z" * 40))
    assert webhook_settings.get(other, caller, hook.id).url == ""
    other.close()


@pytest.mark.full
def test_f39_a_crash_between_run_and_delivery_loses_nothing(tmp_path: Path, site: Site) -> None:
    """Killed while receivers hold the first attempts; each event arrives, and repeats carry the same id."""
    hold = {"on": True}
    site.handler("/hook", dynamic(lambda request: Page(b"", 200, delay_s=30 if hold["on"] else 0)))
    service = Service.open(samples.settings(tmp_path, allow_targets=("127.0.0.1",)))
    caller = samples.owner(service)
    hook = made(service, caller, site.url("/hook"))
    runs = [samples.made(service, caller, f"https://example.com/{number}") for number in range(4)]
    service.close()
    with stub_service(tmp_path, "--deliver") as process:
        site.wait_for_requests(2)
        process.kill()
    hold["on"] = False
    with stub_service(tmp_path, "--deliver"), closing(sqlite3.connect(tmp_path / "findable.db")) as database:
        until(lambda: database.execute("SELECT count(*) FROM delivery WHERE state = 'done'").fetchone() == (len(runs),), 30)
    told: dict[str, set[int]] = {}
    for request in site.requests:
        told.setdefault(request.headers["webhook-id"], set()).add(verified(request, hook.secret)["data"]["id"])
    assert sorted(number for numbers in told.values() for number in numbers) == runs
    assert len(site.requests) > len(runs)
