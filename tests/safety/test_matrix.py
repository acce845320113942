"""Who may do what: every route of the service with every kind of caller. `make test` tries each change by all who may not and one who may.

A new route needs a row in ROWS, in words like ``"GET /r/{public_id}/report.csv": Row(OF_A_REPORT)``: the answers to nobody, to an owner
of another account, to a member of the account, to its keys that may read, that may write and that are revoked, and to its owner.
"""

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zlib import crc32

import pytest

from findable.service.reports.report_access import REPORTS
from findable.service.results.fix_links import fix_token
from findable.web.app import ENDPOINTS
from tests.checks.harness import page
from tests.safety.world import CALLERS, HOST, LOG_PART, PASSWORD, SAME, TITLE, World, changed
from tests.tiers import FULL
from tests.web.live import Client, Live, Reply, run_live

SIGN_IN = -303
"""303 to the page where one signs in."""
Codes = tuple[int, int, int, int, int, int, int]
Body = Callable[[World], Mapping[str, Any]]

#                          nobody, stranger, member, reader, writer, revoked, owner
OPEN: Codes = (200, 200, 200, 200, 200, 200, 200)
FOR_PEOPLE: Codes = (SIGN_IN, 200, 200, SIGN_IN, SIGN_IN, SIGN_IN, 200)  # pages about what is their own
FOR_ITS_PEOPLE: Codes = (SIGN_IN, 404, 200, SIGN_IN, SIGN_IN, SIGN_IN, 200)
FOR_ITS_OWNERS: Codes = (SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200)
FORM_OF_ITS_PEOPLE: Codes = (SIGN_IN, 404, 303, SIGN_IN, SIGN_IN, SIGN_IN, 303)
FORM_OF_OWNERS: Codes = (SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303)
OF_A_REPORT: Codes = (404, 404, 200, 404, 404, 404, 200)  # pages and files of a private report
OWN_FORM: Codes = (SIGN_IN, 303, 303, SIGN_IN, SIGN_IN, SIGN_IN, 303)
FORM_OF_A_REPORT: Codes = (404, 404, 303, 404, 404, 404, 303)
BY_ANYBODY: Codes = (303, 303, 303, 303, 303, 303, 303)
OWN_DATA: Codes = (401, 200, 200, 200, 403, 401, 200)  # the interface: lists of what is the caller's
DATA: Codes = (401, 404, 200, 200, 403, 401, 200)
CHANGE: Codes = (401, 404, 200, 403, 200, 401, 200)
OWNERS_CHANGE: Codes = (401, 404, 403, 403, 200, 401, 200)


@dataclass(frozen=True)
class Row:
    """What each kind of caller is answered."""

    codes: Codes
    body: Body | None = None
    prepare: Callable[[World], Any] | None = None
    """What must be there first."""
    idle: frozenset[str] = frozenset()
    """Who is let through and changes nothing."""
    query: str = ""
    of: str = "private"
    """Which report of the world ``{public_id}`` and ``{report_id}`` are: private, locked or public, or the same of a site."""


LOG: Any = b'192.0.2.7 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "Mozilla/5.0"\n'
TABLE = "Address,Status Code,Indexability\nhttps://shop.example/,200,Indexable\n"


def sent(**fields: Any) -> Body:
    return lambda world: fields


def accepted(world: World) -> None:
    reply = world.api.put(f"/reports/{world.private['id']}/accepted/noindex", {"reason": "A draft."})
    assert reply.status == 200, reply.text


def crawled(world: World) -> None:
    assert world.crawled


def tracked(world: World) -> None:
    """A tracker in which issues of findings are made."""
    sent = b'{"tracker": {"kind": "github", "url": "https://github.com/acme/shop"}}'
    reply = world.api.put(f"/projects/{world.private['project']}", sent, {"Content-Type": "application/json"})
    assert reply.status == 200, reply.text


EVERYBODY = frozenset(CALLERS)
ACCEPTANCE = {"reason": "A draft.", "until": "", "scope": "report", "pattern": ""}

ROWS: Mapping[str, Row] = {
    # --- the interface
    "GET /api/v1/account": Row(OWN_DATA),
    "GET /api/v1/account/settings": Row(OWN_DATA),
    "PUT /api/v1/account/settings": Row((401, 200, 403, 403, 200, 401, 200), sent(brand_name="Agency", default_privacy="1")),
    "PATCH /api/v1/account/settings": Row((401, 200, 403, 403, 200, 401, 200), sent(language="de")),
    "GET /api/v1/checks": Row(OWN_DATA),
    "GET /api/v1/checks/{check}": Row(OWN_DATA),
    "GET /api/v1/projects": Row(OWN_DATA),
    "POST /api/v1/projects": Row((401, 201, 201, 403, 201, 401, 201), sent(project="staging.example")),
    "POST /api/v1/site-imports": Row((401, 200, 403, 403, 200, 401, 200), sent(csv="url,tags\nstaging.example,new\n")),
    "GET /api/v1/projects/{project}": Row(DATA),
    "PUT /api/v1/projects/{project}": Row(OWNERS_CHANGE, sent(not_for_search="/drafts/*")),
    "PATCH /api/v1/projects/{project}": Row(OWNERS_CHANGE, sent(not_for_search="/drafts/*")),
    "GET /api/v1/projects/{project}/summary": Row(DATA),
    "PUT /api/v1/projects/{project}/summary": Row(CHANGE, sent(text="The score is {score}.")),
    "DELETE /api/v1/projects/{project}": Row(OWNERS_CHANGE),
    "GET /api/v1/projects/{project}/roles": Row((401, 404, 403, 200, 403, 401, 200)),
    "PUT /api/v1/projects/{project}/roles/{person}": Row(OWNERS_CHANGE, sent(role="viewer")),
    "DELETE /api/v1/projects/{project}/roles/{person}": Row(OWNERS_CHANGE, prepare=lambda world: world.granted),
    "GET /api/v1/projects/{project}/recipients": Row((401, 404, 403, 200, 403, 401, 200)),
    "POST /api/v1/projects/{project}/recipients": Row((401, 404, 403, 403, 201, 401, 201), sent(email="client@example.com")),
    "DELETE /api/v1/projects/{project}/recipients/{recipient}": Row(OWNERS_CHANGE),
    "PUT /api/v1/projects/{project}/subscription": Row(CHANGE, sent(wanted=1)),
    "PUT /api/v1/projects/{project}/watching": Row(CHANGE, sent(watched=1)),
    "GET /api/v1/account/mails": Row(OWN_DATA),
    "PUT /api/v1/account/mails": Row((401, 200, 200, 403, 200, 401, 200), sent(digest="daily")),
    "GET /api/v1/projects/{project}/link": Row(DATA),
    "PUT /api/v1/projects/{project}/link": Row(CHANGE, sent(privacy=0)),
    "GET /api/v1/projects/{project}/findings": Row(DATA),
    "GET /api/v1/projects/{project}/url-data": Row(DATA),
    "POST /api/v1/projects/{project}/url-data": Row((401, 404, 201, 403, 201, 401, 201), sent(csv="url,clicks\n/,5\n")),
    "DELETE /api/v1/projects/{project}/url-data/{source}": Row(CHANGE, prepare=lambda world: world.numbers),
    "GET /api/v1/projects/{project}/log-imports": Row(DATA),
    "POST /api/v1/projects/{project}/log-imports": Row((401, 404, 201, 403, 201, 401, 201), lambda world: LOG_PART),
    "POST /api/v1/projects/{project}/log-imports/file": Row((401, 404, 201, 403, 201, 401, 201), lambda world: LOG),
    "DELETE /api/v1/projects/{project}/log-imports": Row(CHANGE, prepare=lambda world: world.access_log),
    "DELETE /api/v1/projects/{project}/log-imports/{import_id}": Row(CHANGE, prepare=lambda world: world.access_log),
    "GET /api/v1/projects/{project}/bots": Row(DATA),
    "GET /api/v1/projects/{project}/log-folders": Row(DATA),
    "PUT /api/v1/projects/{project}/log-folders/{folder}": Row((401, 404, 404, 403, 200, 401, 200), prepare=lambda world: world.operated),
    "DELETE /api/v1/projects/{project}/log-folders/{folder}": Row(CHANGE, prepare=lambda world: world.assign_folder()),
    "GET /api/v1/projects/{project}/bot-hits": Row(DATA),
    "GET /api/v1/projects/{project}/bot-hits/urls": Row(DATA),
    "GET /api/v1/reports": Row(OWN_DATA),
    "POST /api/v1/reports": Row((401, 201, 201, 403, 201, 401, 201), sent(url=f"https://{HOST}/new")),
    "GET /api/v1/reports/{report_id}": Row(DATA),
    "PUT /api/v1/reports/{report_id}": Row(CHANGE, sent(privacy=0)),
    "PATCH /api/v1/reports/{report_id}": Row(CHANGE, sent(privacy=0)),
    "POST /api/v1/reports/{report_id}": Row(CHANGE, sent(privacy=0)),
    "DELETE /api/v1/reports/{report_id}": Row(CHANGE),
    "GET /api/v1/reports/{report_id}/client": Row(DATA),
    "PUT /api/v1/reports/{report_id}/client": Row(CHANGE, sent(summary="What we saw.")),
    "GET /api/v1/reports/{report_id}/link": Row(DATA),
    "PUT /api/v1/reports/{report_id}/link": Row(CHANGE, sent(until="2099-12-31")),
    "POST /api/v1/reports/{report_id}/link": Row((401, 404, 201, 403, 201, 401, 201)),
    "GET /api/v1/reports/{report_id}/runs": Row(DATA),
    "GET /api/v1/reports/{report_id}/runs/{run}": Row(DATA),
    "GET /api/v1/reports/{report_id}/changes": Row(DATA, prepare=lambda world: world.again(), query="since=1"),
    "PUT /api/v1/reports/{report_id}/accepted/{check}": Row(CHANGE, sent(reason="A draft.")),
    "DELETE /api/v1/reports/{report_id}/accepted/{check}": Row(CHANGE, prepare=accepted),
    # Those who may are told that no worker rechecks here.
    "POST /api/v1/reports/{report_id}/findings/{key}/recheck": Row((401, 404, 503, 403, 403, 401, 503), idle=EVERYBODY),
    "GET /api/v1/schedules": Row(OWN_DATA),
    "POST /api/v1/schedules": Row((401, 404, 201, 403, 201, 401, 201), sent(project=HOST, every="week"), prepare=lambda world: world.private),
    "GET /api/v1/schedules/{schedule_id}": Row(DATA),
    "PUT /api/v1/schedules/{schedule_id}": Row(CHANGE, sent(every="week")),
    "DELETE /api/v1/schedules/{schedule_id}": Row(CHANGE),
    "GET /api/v1/alerts": Row(OWN_DATA),
    "GET /api/v1/changes": Row(OWN_DATA),
    "GET /api/v1/projects/{project}/changes": Row(DATA, prepare=lambda world: world.private),
    "GET /api/v1/alerts/{alert_id}": Row(DATA),
    "PUT /api/v1/alerts/{alert_id}": Row(CHANGE, sent(acknowledged="1")),
    "GET /api/v1/projects/{project}/markers": Row(DATA, prepare=lambda world: world.private),
    "POST /api/v1/projects/{project}/markers": Row((401, 404, 201, 403, 201, 401, 201), sent(label="Release")),
    "GET /api/v1/batches": Row(OWN_DATA),
    "POST /api/v1/batches": Row((401, 202, 202, 403, 202, 401, 202), sent(urls=f"https://{HOST}/one")),
    "GET /api/v1/batches/{batch_id}": Row(DATA),
    "GET /api/v1/batches/{batch_id}/reports": Row(DATA),
    "GET /api/v1/crawls": Row(OWN_DATA),
    "POST /api/v1/crawls": Row((401, 202, 202, 403, 202, 401, 202), sent(url=f"https://{HOST}/", pages=1)),
    "GET /api/v1/crawls/{crawl_id}": Row(DATA),
    "DELETE /api/v1/crawls/{crawl_id}": Row(CHANGE),
    "POST /api/v1/crawls/{crawl_id}/stop": Row(CHANGE),
    "GET /api/v1/crawls/{crawl_id}/pages": Row(DATA, prepare=crawled),
    "GET /api/v1/crawls/{crawl_id}/pages/{page}": Row(DATA, prepare=crawled),
    "POST /api/v1/crawls/{crawl_id}/pages/{page}/report": Row((401, 404, 201, 403, 201, 401, 201), prepare=crawled),
    "GET /api/v1/crawls/{crawl_id}/findings": Row(DATA, prepare=crawled),
    "GET /api/v1/crawls/{crawl_id}/findings/{key}": Row(DATA, prepare=crawled),
    "GET /api/v1/crawls/{crawl_id}/links": Row(DATA, prepare=crawled, query="from=1"),
    "POST /api/v1/projects/{project}/query": Row(DATA, sent(question="crawls-pages"), prepare=lambda world: world.private_site, idle=EVERYBODY),
    "POST /api/v1/crawls/{crawl_id}/query": Row(DATA, sent(question="statuses"), prepare=crawled, idle=EVERYBODY),
    "GET /api/v1/crawls/{crawl_id}/export": Row(DATA, prepare=crawled),
    "POST /api/v1/crawls/{crawl_id}/changes": Row(DATA, sent(csv=TABLE), prepare=crawled, idle=EVERYBODY),
    "GET /api/v1/crawls/{crawl_id}/tables": Row(DATA, prepare=crawled, query="format=csv"),
    "GET /api/v1/crawls/{crawl_id}/changes": Row(DATA, prepare=crawled, query="since={crawl_id}"),
    "POST /api/v1/crawls/{crawl_id}/judge": Row((401, 404, 202, 403, 202, 401, 202), prepare=lambda world: world.end_crawl()),
    "POST /api/v1/crawls/{crawl_id}/resume": Row((401, 404, 202, 403, 202, 401, 202), prepare=lambda world: world.stop_crawl()),
    "GET /api/v1/webhooks": Row(OWN_DATA),
    "POST /api/v1/webhooks": Row((401, 201, 403, 403, 201, 401, 201), sent(url=f"https://{HOST}/hook")),
    "GET /api/v1/webhooks/{webhook_id}": Row(DATA),
    "PUT /api/v1/webhooks/{webhook_id}": Row(OWNERS_CHANGE, sent(name="Another name")),
    "DELETE /api/v1/webhooks/{webhook_id}": Row(OWNERS_CHANGE),
    "GET /api/v1/webhooks/{webhook_id}/deliveries": Row(DATA, prepare=lambda world: world.delivery),
    "POST /api/v1/webhooks/{webhook_id}/test": Row((401, 404, 403, 403, 202, 401, 202)),
    "POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery}/again": Row((401, 404, 403, 403, 202, 401, 202)),
    "GET /api/v1/audit": Row((401, 200, 403, 200, 403, 401, 200)),
    "GET /llms.txt": Row(OPEN),
    "GET /docs/checks/{check_id}.md": Row(OPEN),
    "POST /mcp": Row((401, 401, 401, 400, 403, 401, 401), sent(jsonrpc="2.0"), idle=EVERYBODY),  # by key alone; this is no message
    "GET /api/v1/views": Row(OWN_DATA),
    "POST /api/v1/views": Row((401, 201, 201, 403, 201, 401, 201), sent(list="pages", name="Broken", query="status=404")),
    "DELETE /api/v1/views/{view_id}": Row(CHANGE),
    "GET /api/v1/feeds": Row(OWN_DATA),
    "POST /api/v1/feeds": Row((401, 201, 201, 403, 201, 401, 201), sent(name="Alerts")),
    "DELETE /api/v1/feeds/{feed_id}": Row((401, 404, 404, 403, 200, 401, 200)),
    "GET /api/v1/openapi.json": Row(OPEN),
    "GET /api/v1/docs": Row(OPEN),
    # --- reports and batches in the browser
    "GET /": Row(OPEN),
    "POST /reports": Row(OWN_FORM, sent(url=f"https://{HOST}/new")),
    "POST /crawls": Row(OWN_FORM, sent(url=f"https://{HOST}/")),
    "GET /batches/{batch_id}": Row(FOR_ITS_PEOPLE),
    "GET /findings": Row(FOR_PEOPLE),
    # --- projects in the browser
    "GET /projects": Row(FOR_PEOPLE),
    "GET /import": Row((SIGN_IN, 200, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200)),
    "POST /import": Row((SIGN_IN, 200, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200), sent(csv="url\nstaging.example\n", action="apply")),
    "POST /projects": Row(OWN_FORM, sent(project="staging.example")),
    "POST /projects/selected": Row(FORM_OF_ITS_PEOPLE, lambda world: {"site": world.private["project"], "action": "watch", "seen": "1"}, prepare=lambda world: world.private),
    "GET /projects/{project}": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/findings": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/pages": Row(FORM_OF_ITS_PEOPLE),
    "GET /projects/{project}/reports": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/structure": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/structure": Row(FORM_OF_ITS_PEOPLE, sent(url=f"https://{HOST}/", pages="100")),
    "GET /projects/{project}/share": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/reports.csv": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/findings.csv": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/issue": Row(FORM_OF_ITS_PEOPLE, prepare=tracked, query="check=noindex"),
    "POST /projects/{project}/again": Row(FORM_OF_ITS_PEOPLE, prepare=lambda world: world.private),
    "GET /projects/{project}/icon.png": Row((403, 404, 200, 403, 403, 403, 200), prepare=lambda world: world.with_logo(world.private)),
    "GET /projects/{project}/logo.png": Row((403, 404, 200, 403, 403, 403, 200), prepare=lambda world: world.with_logo(world.private)),
    "GET /alerts": Row(FOR_PEOPLE),
    "GET /changes": Row(FOR_PEOPLE),
    "POST /projects/{project}/watching": Row(FORM_OF_ITS_PEOPLE, sent(watched="1"), prepare=lambda world: world.private),
    "POST /projects/{project}/subscription": Row(FORM_OF_ITS_PEOPLE, sent(wanted="1"), prepare=lambda world: world.private),
    "POST /projects/{project}/markers": Row(FORM_OF_ITS_PEOPLE, sent(label="Release"), prepare=lambda world: world.private),
    "GET /projects/{project}/changes/work.csv": Row(FOR_ITS_PEOPLE),
    "GET /projects/{project}/changes": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/alerts/{alert}": Row(FORM_OF_ITS_PEOPLE),
    "GET /projects/{project}/watching": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/schedules": Row(FORM_OF_ITS_PEOPLE, sent(what="reports", every="week", weekday="mon", time="03:00", time_zone="UTC")),
    "GET /projects/{project}/schedules/{schedule}": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/schedules/{schedule}": Row(FORM_OF_ITS_PEOPLE, sent(what="reports", every="day", time="03:00")),
    "POST /projects/{project}/schedules/{schedule}/delete": Row(FORM_OF_ITS_PEOPLE),
    "GET /projects/{project}/data": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/data": Row(FORM_OF_ITS_PEOPLE, sent(csv="url,clicks\n/,5\n")),
    "POST /projects/{project}/data/{source}/delete": Row(FORM_OF_ITS_PEOPLE, prepare=lambda world: world.numbers),
    "POST /projects/{project}/data/compare": Row(FOR_ITS_PEOPLE, sent(table=TABLE), prepare=lambda world: world.private_site, idle=EVERYBODY),
    "POST /projects/{project}/data/crawl": Row(FORM_OF_ITS_PEOPLE, prepare=lambda world: (world.private_site, world.numbers)),
    "GET /projects/{project}/questions": Row(FOR_ITS_PEOPLE, prepare=lambda world: world.private_site, query="question=crawls-pages"),
    "GET /projects/{project}/questions/export": Row(FOR_ITS_PEOPLE, prepare=lambda world: world.private_site, query="question=crawls-pages"),
    "GET /projects/{project}/bots": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/bots": Row(FORM_OF_ITS_PEOPLE, lambda world: LOG),
    "POST /projects/{project}/bots/crawl": Row(FORM_OF_ITS_PEOPLE, prepare=lambda world: world.unlinked),
    "POST /projects/{project}/bots/forget": Row(FORM_OF_ITS_PEOPLE, sent(before="2026-11-01"), prepare=lambda world: world.access_log),
    "POST /projects/{project}/bots/{import_id}/delete": Row(FORM_OF_ITS_PEOPLE, prepare=lambda world: world.access_log),
    "POST /projects/{project}/bots/folders/{folder}": Row(
        (SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 303), sent(assigned="1"), prepare=lambda world: world.operated
    ),
    "GET /projects/{project}/people": Row(FOR_ITS_OWNERS),
    "POST /projects/{project}/preview": Row(FORM_OF_ITS_PEOPLE),
    "POST /preview/end": Row(OWN_FORM, idle=EVERYBODY),
    "GET /logo.png": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 404)),
    "POST /projects/{project}/people": Row(FORM_OF_OWNERS, lambda world: {"email": world.people["colleague"].email, "role": "viewer"}),
    "POST /projects/{project}/people/withdraw": Row(FORM_OF_OWNERS, lambda world: {"invitation": world.invitation[1]}),
    "POST /projects/{project}/people/{person}/remove": Row(FORM_OF_OWNERS, prepare=lambda world: world.granted),
    "GET /projects/{project}/settings": Row(FOR_ITS_OWNERS),
    "GET /projects/{project}/recipients": Row(FOR_ITS_OWNERS),
    "POST /projects/{project}/recipients": Row(FORM_OF_OWNERS, sent(email="client@client.example", language="de")),
    "POST /projects/{project}/recipients/{recipient}/remove": Row(FORM_OF_OWNERS),
    "GET /projects/{project}/crawls": Row(FOR_ITS_PEOPLE),
    "POST /projects/{project}/crawls": Row(FORM_OF_ITS_PEOPLE, sent(url=f"https://{HOST}/", pages="100")),
    "POST /projects/{project}/settings/patterns": Row(FORM_OF_OWNERS, sent(not_for_search="/drafts/*")),
    "POST /projects/{project}/settings/name": Row(FORM_OF_OWNERS, sent(display_name="Tea shop")),
    "POST /projects/{project}/settings/segments": Row(FORM_OF_OWNERS, sent(segments="Blog: /blog/*")),
    "POST /projects/{project}/settings/extractors": Row(FORM_OF_OWNERS, sent(extractors="Heading: h1")),
    "POST /projects/{project}/settings/browser": Row(FORM_OF_OWNERS, sent(browser="view")),
    "POST /projects/{project}/settings/tracker": Row(FORM_OF_OWNERS, sent(kind="github", url="https://github.com/acme/shop")),
    "POST /projects/{project}/settings/retention": Row(FORM_OF_OWNERS, sent(all_days="60", weekly_days="365", saved_days="7")),
    "POST /projects/{project}/settings/brand": Row(FORM_OF_OWNERS, sent(brand_name="Brand", brand_color="#1a5442", language="")),
    "POST /projects/{project}/settings/sign-in": Row(FORM_OF_OWNERS, sent(user="anna", password="correct horse")),
    "POST /projects/{project}/delete": Row(FORM_OF_OWNERS, sent(name=HOST)),
    "GET /r/{public_id}": Row(OF_A_REPORT),
    "POST /r/{public_id}": Row(BY_ANYBODY, sent(password=PASSWORD), idle=EVERYBODY, of="locked"),
    "GET /r/{public_id}/details/{name}": Row(OF_A_REPORT),
    "GET /r/{public_id}/report.csv": Row(OF_A_REPORT),
    "GET /r/{public_id}/report.har": Row((404,) * 7),  # without a browser there is none; else as the others: test_report_browser.py
    "GET /r/{public_id}/report.json": Row(OF_A_REPORT),
    "GET /r/{public_id}/report.md": Row(OF_A_REPORT),
    "GET /r/{public_id}/report.pdf": Row(OF_A_REPORT),
    "GET /r/{public_id}/fixes.md": Row(OF_A_REPORT),
    "GET /r/{public_id}/issue": Row(FORM_OF_A_REPORT, prepare=tracked, query="check=noindex"),
    "GET /r/{public_id}/badge.svg": Row((404,) * 7),  # what is private has none, for its owner too
    "GET /r/{public_id}/card.png": Row((404, 404, 302, 404, 404, 404, 302)),  # to the placeholder
    "GET /r/{public_id}/icon.png": Row((404, 404, 302, 404, 404, 404, 302)),
    "GET /r/{public_id}/logo.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private)),
    "GET /r/{public_id}/site-icon.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private)),
    "GET /r/{public_id}/phone.png": Row(OF_A_REPORT, prepare=lambda world: world.with_screenshots(world.private)),
    "GET /r/{public_id}/desktop.png": Row(OF_A_REPORT, prepare=lambda world: world.with_screenshots(world.private)),
    "GET /r/{public_id}/filmstrip.webp": Row(OF_A_REPORT, prepare=lambda world: world.with_screenshots(world.private)),
    "GET /r/{public_id}/history": Row(OF_A_REPORT),
    "GET /r/{public_id}/compare": Row(OF_A_REPORT, prepare=lambda world: world.again(), query="from=1&to=2"),
    "GET /r/{public_id}/evidence": Row(OF_A_REPORT),
    "GET /r/{public_id}/events": Row(OF_A_REPORT),
    "GET /r/{public_id}/client": Row(OF_A_REPORT),
    "GET /r/{public_id}/link": Row(OF_A_REPORT),
    "POST /r/{public_id}/client": Row(FORM_OF_A_REPORT, sent(summary="What we saw.")),
    "POST /r/{public_id}/link": Row(FORM_OF_A_REPORT, sent(until="2099-12-31")),
    "POST /r/{public_id}/link/new": Row(FORM_OF_A_REPORT),
    "POST /r/{public_id}/again": Row(FORM_OF_A_REPORT),
    # Everyone with the token of one finding; without a worker, the page says that nothing can be checked now.
    "GET /fix/r/{public_id}/{check}/{token}": Row(OPEN),
    "POST /fix/r/{public_id}/{check}/{token}": Row(OPEN, idle=EVERYBODY),
    "GET /fix/s/{public_id}/{check}/{token}": Row((404,) * 7),  # a site without this finding: test_fix_page.py
    "POST /fix/s/{public_id}/{check}/{token}": Row((404,) * 7),
    "POST /r/{public_id}/privacy": Row(FORM_OF_A_REPORT, sent(privacy=0, password="")),
    "POST /r/{public_id}/delete": Row(FORM_OF_A_REPORT),
    "POST /r/{public_id}/accepted/{check}": Row(FORM_OF_A_REPORT, lambda world: ACCEPTANCE),
    "POST /r/{public_id}/accepted/{check}/withdraw": Row(FORM_OF_A_REPORT, prepare=accepted),
    "GET /p/{public_id}": Row(OF_A_REPORT, of="private_project"),
    "POST /p/{public_id}": Row(BY_ANYBODY, sent(password=PASSWORD), idle=EVERYBODY, of="locked_project"),
    "GET /p/{public_id}/report.pdf": Row(OF_A_REPORT, of="private_project"),
    "GET /p/{public_id}/summary": Row(OF_A_REPORT, of="private_project"),
    "GET /p/{public_id}/summary.pdf": Row(OF_A_REPORT, of="private_project"),
    "GET /p/{public_id}/logo.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private), of="private_project"),
    "GET /p/{public_id}/site-icon.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private), of="private_project"),
    "GET /p/{public_id}/client": Row(OF_A_REPORT, of="private_project"),
    "GET /p/{public_id}/link": Row(OF_A_REPORT, of="private_project"),
    "POST /p/{public_id}/client": Row(FORM_OF_A_REPORT, sent(summary="What we saw."), of="private_project"),
    "POST /p/{public_id}/link": Row(FORM_OF_A_REPORT, sent(until="2099-12-31"), of="private_project"),
    "POST /p/{public_id}/link/new": Row(FORM_OF_A_REPORT, of="private_project"),
    "POST /p/{public_id}/privacy": Row(FORM_OF_A_REPORT, sent(privacy=0, password=""), of="private_project"),
    "GET /s/{public_id}": Row(OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}": Row(BY_ANYBODY, sent(password=PASSWORD), idle=EVERYBODY, of="locked_site"),
    "GET /s/{public_id}/pages": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/pages/{page}": Row(OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}/pages/{page}/report": Row(FORM_OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/changes": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/questions": Row(OF_A_REPORT, query="question=statuses", of="private_site"),
    "GET /s/{public_id}/questions/export": Row(OF_A_REPORT, query="question=statuses", of="private_site"),
    "GET /s/{public_id}/issue": Row(FORM_OF_A_REPORT, prepare=tracked, query="finding={key}", of="private_site"),
    "GET /s/{public_id}/export": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/tables": Row(OF_A_REPORT, query="format=csv", of="private_site"),
    "GET /s/{public_id}/report.csv": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/report.json": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/report.md": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/report.pdf": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/logo.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private_site), of="private_site"),
    "GET /s/{public_id}/site-icon.png": Row(OF_A_REPORT, prepare=lambda world: world.with_logo(world.private_site), of="private_site"),
    "GET /s/{public_id}/client": Row(OF_A_REPORT, of="private_site"),
    "GET /s/{public_id}/link": Row(OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}/client": Row(FORM_OF_A_REPORT, sent(summary="What we saw."), of="private_site"),
    "POST /s/{public_id}/link": Row(FORM_OF_A_REPORT, sent(until="2099-12-31"), of="private_site"),
    "POST /s/{public_id}/link/new": Row(FORM_OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}/privacy": Row(FORM_OF_A_REPORT, sent(privacy=0, password=""), of="private_site"),
    "POST /s/{public_id}/accepted": Row(
        FORM_OF_A_REPORT, lambda world: {"key": world.private_site["key"], "reason": "A draft."}, of="private_site"
    ),
    "POST /s/{public_id}/stop": Row(FORM_OF_A_REPORT, of="running_site"),
    "POST /s/{public_id}/again": Row(FORM_OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}/judge": Row(FORM_OF_A_REPORT, of="private_site"),
    "POST /s/{public_id}/resume": Row(FORM_OF_A_REPORT, prepare=lambda world: world.stop_crawl(), of="running_site"),
    "POST /s/{public_id}/delete": Row(FORM_OF_A_REPORT, of="private_site"),
    # --- signing in and out
    "GET /sign-in": Row((200, 303, 303, 200, 200, 200, 303)),
    "POST /sign-in": Row(BY_ANYBODY, lambda world: {"email": world.people["owner"].email, "password": PASSWORD}),
    "GET /sign-in/{token}": Row(OPEN),
    "POST /sign-in/{token}": Row(BY_ANYBODY),
    "GET /welcome": Row(FOR_PEOPLE),
    "POST /welcome": Row(OWN_FORM, sent(password="another sound one")),
    "GET /invitation/{token}": Row(OPEN),
    "POST /invitation/{token}": Row(
        BY_ANYBODY, lambda world: {"name": "New", "email": f"new-{world.people['owner'].email}", "password": PASSWORD}
    ),
    "POST /sign-out": Row(BY_ANYBODY, idle=frozenset({"nobody", "reader", "writer", "revoked"})),
    # --- the account
    "GET /account": Row(FOR_PEOPLE),
    "POST /account/profile": Row(OWN_FORM, sent(name="Another name", language="de", time_zone="UTC")),
    "POST /account/email": Row(OWN_FORM, lambda world: {"email": f"new-{world.people['owner'].email}", "password": PASSWORD}),
    "POST /account/password": Row(OWN_FORM, sent(present=PASSWORD, password="another sound one")),
    "GET /account/sessions": Row(FOR_PEOPLE),
    # Ending a session that is none of one's own says that it has ended, and ends nothing.
    "POST /account/sessions/end": Row(OWN_FORM, lambda world: {"session": world.session}, idle=frozenset({"stranger", "member"})),
    "POST /account/sessions/end-all": Row(OWN_FORM),
    "GET /account/reports": Row(FOR_PEOPLE),
    "POST /account/reports": Row((SIGN_IN, 303, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303), sent(brand_name="Agency", default_privacy="1")),
    "GET /account/logo.png": Row((403, 404, 200, 403, 403, 403, 200), prepare=lambda world: world.with_account_logo()),
    "GET /account/delete": Row(FOR_PEOPLE),
    "POST /account/delete": Row((SIGN_IN, 303, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303), sent(password=PASSWORD)),
    "GET /account/keys": Row(FOR_PEOPLE),
    "POST /account/keys": Row((SIGN_IN, 201, 201, SIGN_IN, SIGN_IN, SIGN_IN, 201), sent(name="new", scope="read")),
    "POST /account/keys/{prefix}/revoke": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 303)),
    "GET /account/people": Row(FOR_PEOPLE),
    "POST /account/people/invite": Row((SIGN_IN, 201, 403, SIGN_IN, SIGN_IN, SIGN_IN, 201), sent(role="member", email="")),
    # An owner of another account is told that there is no such invitation any more.
    "POST /account/people/withdraw": Row(
        (SIGN_IN, 303, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303), lambda world: {"invitation": world.invitation[1]}, idle=frozenset({"stranger"})
    ),
    "POST /account/people/{person}/role": Row((SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303), sent(role="owner")),
    "POST /account/people/{person}/remove": Row((SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 303)),
    "GET /instance": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 404)),  # owners of accounts are no operators
    "POST /instance/crawls/{crawl_id}/stop": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 404)),
    "POST /instance/reports/{report_id}/stop": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 404)),
    "POST /instance/batches/{batch_id}/stop": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 404)),
    "GET /account/audit": Row((SIGN_IN, 200, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200)),
    "GET /account/audit.csv": Row((SIGN_IN, 200, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200)),
    "GET /account/audit.json": Row((SIGN_IN, 200, 403, SIGN_IN, SIGN_IN, SIGN_IN, 200)),
    "GET /account/webhooks": Row(FOR_PEOPLE),
    "POST /account/webhooks": Row(
        (SIGN_IN, 201, 403, SIGN_IN, SIGN_IN, SIGN_IN, 201), lambda world: {"url": f"https://{HOST}/hook", "event.report.done": "1"}
    ),
    "GET /account/webhooks/{webhook}": Row(FOR_ITS_PEOPLE, prepare=lambda world: world.delivery),
    "POST /account/webhooks/{webhook}": Row(FORM_OF_OWNERS, lambda world: {"name": "Another name", "event.report.done": "1"}),
    "POST /account/webhooks/{webhook}/secret": Row((SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 201)),
    "POST /account/webhooks/{webhook}/state": Row(FORM_OF_OWNERS, sent(disabled="1")),
    "POST /account/webhooks/{webhook}/test": Row(FORM_OF_OWNERS),
    "POST /account/webhooks/{webhook}/deliveries/{delivery}/again": Row(FORM_OF_OWNERS),
    "POST /account/webhooks/{webhook}/delete": Row(FORM_OF_OWNERS),
    "GET /account/mails": Row(FOR_PEOPLE),
    "POST /account/mails/digest": Row(OWN_FORM, sent(digest="daily")),
    "POST /account/mails/alerts": Row((SIGN_IN, 422, 303, SIGN_IN, SIGN_IN, SIGN_IN, 303), lambda world: {"project": world.private["project"]},
        idle=frozenset({"stranger"})),
    "POST /account/mails/test": Row((SIGN_IN, 404, 403, SIGN_IN, SIGN_IN, SIGN_IN, 404)),  # without a mail server
    "GET /views": Row(FOR_PEOPLE),
    "POST /views": Row(OWN_FORM, sent(list="reports", at=HOST, name="Bad", query="result=bad")),
    "POST /views/{view}/delete": Row(FORM_OF_ITS_PEOPLE),
    "POST /account/feeds": Row((SIGN_IN, 201, 201, SIGN_IN, SIGN_IN, SIGN_IN, 201), sent(name="Alerts")),
    "POST /account/feeds/{feed}/delete": Row((SIGN_IN, 404, 404, SIGN_IN, SIGN_IN, SIGN_IN, 303)),
    "GET /feeds/{token}": Row(OPEN),
    "GET /unsubscribe/{token}": Row(OPEN),
    "POST /unsubscribe/{token}": Row(OPEN),
    "GET /oidc/sign-in": Row((404,) * 7),  # without a provider
    "GET /oidc/callback": Row((404,) * 7, query="code=a&state=b"),
    "GET /forgot": Row((404,) * 7),  # without a mail server
    "POST /forgot": Row((404,) * 7, lambda world: {"email": world.people["owner"].email}),
    # --- for everybody
    "GET /demonstration": Row(OPEN),
    "GET /docs": Row((303,) * 7),
    "GET /docs/{path:path}": Row((404,) * 7),  # there is no such file
    "GET /docs/checks": Row(OPEN),
    "GET /docs/checks/{check_id}.html": Row((303,) * 7),
    "GET /docs/checks/{check_id}": Row(OPEN),
    "GET /errors/{code}": Row(OPEN),
    "GET /healthz": Row(OPEN),
    "GET /readyz": Row(OPEN),
    "GET /metrics": Row(OPEN),  # from this machine, where nobody else is served
    "GET /robots.txt": Row(OPEN),
    "GET /favicon.ico": Row(OPEN),
    "GET /favicon.svg": Row(OPEN),
    "GET /static/{name}": Row(OPEN),
    "GET /brand/{color}": Row(OPEN),
}  # fmt: skip


def named(path: str) -> str:
    """A path whose ids say what they are of."""
    folders = {"reports": "report_id", "batches": "batch_id", "crawls": "crawl_id", "schedules": "schedule_id"}
    folders |= {"webhooks": "webhook_id", "feeds": "feed_id", "alerts": "alert_id", "views": "view_id"}
    for folder, name in folders.items():
        path = path.replace(f"/{folder}/{{id}}", f"/{folder}/{{{name}}}")
    return path


ROUTES = tuple(sorted(f"{endpoint.method} {named(path)}" for endpoint in ENDPOINTS for path in endpoint.paths))
KNOWN = tuple(route for route in ROUTES if route in ROWS)
LOOKS = tuple(route for route in KNOWN if route.startswith("GET "))
CHANGES = tuple(route for route in KNOWN if not route.startswith("GET "))
BELOW_A_REPORT, BELOW_A_SITE = (
    tuple(route.removeprefix("GET ") for route in LOOKS if route.startswith(f"GET {top}/")) for top in ("/r", "/s")
)
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
REFUSED = frozenset({SIGN_IN, 401, 403, 404})
TESTS_OF_A_SERVICE = 10


@contextmanager
def started(folder: Path) -> Iterator[Live]:
    # Every report here is of one address: the saved page of the first is kept, however many come after it.
    for made in run_live(folder, rate_limit=0, saved_page_runs=20, log_folders=(f"web1={folder / 'missing'}",)):
        made.analyser.pages[HOST] = page(head=f'<title>{TITLE}</title><meta name="robots" content="noindex">')
        yield made


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with started(tmp_path_factory.mktemp("matrix")) as made:
        yield made


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generator[Live, None, None]]:
    """A service for each test of changes. Now and then a new one: all it holds is compared, and that grows by each test."""

    def small_ones() -> Generator[Live, None, None]:
        while True:
            with started(tmp_path_factory.mktemp("changes")) as made:
                yield from itertools.repeat(made, TESTS_OF_A_SERVICE)

    made = small_ones()
    yield made
    made.close()


@pytest.fixture(scope="module")
def looked_at(live: Live) -> World:
    """One world for all who only look."""
    return World(live)


def path_of(route: str, world: World, row: Row) -> str:
    """The address of what the world has."""
    path = route.partition(" ")[2]
    report = getattr(world, row.of) if "{public_id" in path or "{report_id" in path or "{project" in path else {}
    tokens: dict[str, Callable[[], str]] = {
        "/sign-in/": lambda: world.link,
        "/invitation/": lambda: world.invitation[0],
        "/unsubscribe/": lambda: world.unsubscribe,
        "/feeds/": lambda: world.feed[1],
        "/fix/": lambda: fix_token(world.live.service, REPORTS, getattr(world, row.of)["public_id"], "noindex"),
    }
    values: dict[str, Callable[[], object]] = {
        "report_id": lambda: report["id"],
        "public_id": lambda: report["public_id"],
        "project": lambda: HOST,
        "run": lambda: 1,
        "check": lambda: "noindex",
        "batch_id": lambda: world.batch,
        "crawl_id": lambda: world.crawl,
        "import_id": lambda: world.access_log,
        "folder": lambda: "web1",
        "schedule_id": lambda: world.schedule,
        "alert_id": lambda: world.alert,
        "alert": lambda: world.alert,
        "schedule": lambda: world.schedule,
        "webhook_id": lambda: world.webhook,
        "webhook": lambda: world.webhook,
        "feed_id": lambda: world.feed[0],
        "feed": lambda: world.feed[0],
        "view_id": lambda: world.view,
        "view": lambda: world.view,
        "recipient": lambda: world.recipient,
        "delivery": lambda: world.delivery,
        "page": lambda: 1,
        "path:path": lambda: "how-to/no-page.html",
        "key": lambda: "noindex" if "/reports/" in path else world.crawled,
        "token": lambda: next(made() for start, made in tokens.items() if path.startswith(start)),
        "prefix": world.prefix,
        "source": lambda: "search-console",
        "person": lambda: world.people["colleague"].caller.user_id,
        "check_id": lambda: "noindex",
        "code": lambda: "not_found",
        "name": lambda: "headers" if "/details/" in path else "style.css",
        "color": lambda: "1a5442.css",
    }
    for name, value in values.items():
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", str(value()))
    assert "{" not in path, f"no value for {path}"
    query = row.query.format(crawl_id=world.crawl) if "{crawl_id" in row.query else row.query
    query = query.replace("{key}", quote(str(report.get("key")))) if "{key}" in query else query
    return f"{path}?{query}" if query else path


def asked(route: str, path: str, client: Client, body: Mapping[str, Any] | None) -> Reply:
    method = route.partition(" ")[0]
    if method == "GET":
        return client.get(path)
    return client.request(method, path, None if method == "DELETE" else body or {}, SAME if not path.startswith("/api/") else None)


def code_of(reply: Reply) -> int:
    to_sign_in = reply.status == 303 and reply.headers["Location"].startswith("/sign-in")
    return SIGN_IN if to_sign_in else reply.status


def test_s49_every_route_has_a_row_and_every_row_a_route() -> None:
    assert sorted(ROWS) == list(ROUTES)


@pytest.mark.parametrize("route", LOOKS)
def test_s49_s50_who_may_look_and_looking_changes_nothing(looked_at: World, route: str) -> None:
    row, world = ROWS[route], looked_at
    if row.prepare:
        row.prepare(world)
    path = path_of(route, world, row)
    clients = {name: world.caller(name, path) for name in CALLERS}
    before = world.stored()
    replies = {name: asked(route, path, client, None) for name, client in clients.items()}
    assert {name: code_of(reply) for name, reply in replies.items()} == dict(zip(CALLERS, row.codes, strict=True))
    for name in CALLERS if FULL else [CALLERS[crc32(route.encode()) % len(CALLERS)]]:
        head = clients[name].request("HEAD", path)
        assert (head.status, head.body) == (replies[name].status, b"")
    assert not changed(before, world.stored())


@pytest.mark.parametrize("route", CHANGES)
def test_s49_who_may_change_and_whoever_is_refused_changes_nothing(lives: Iterator[Live], route: str) -> None:
    row, live = ROWS[route], next(lives)

    def prepared() -> tuple[World, str, Mapping[str, Any] | None]:
        world = World(live)
        path = path_of(route, world, row)
        if row.prepare:
            row.prepare(world)
        return world, path, row.body(world) if row.body else None

    expected = dict(zip(CALLERS, row.codes, strict=True))
    still = [name for name in CALLERS if expected[name] in REFUSED or name in row.idle]
    world, path, body = prepared()
    clients = {name: world.caller(name, path) for name in still}
    before = world.stored()
    found = {name: code_of(asked(route, path, client, body)) for name, client in clients.items()}
    assert not changed(before, world.stored())
    allowed = [name for name in CALLERS if name not in still]
    tried = allowed if FULL else allowed[crc32(route.encode()) % len(allowed) :][:1] if allowed else []
    for place, name in enumerate(tried):
        if place:  # the first one finds the world as the others left it, which is unchanged
            world, path, body = prepared()
        client = world.caller(name, path)
        before = world.stored()
        found[name] = code_of(asked(route, path, client, body))
        assert world.stored() != before, name
    assert found == {name: expected[name] for name in (*still, *tried)}


WRITTEN = {"id", "object", "updated_at"}
ONLY_WRITES = tuple(route for route in CHANGES if "/api/" in route and ROWS[route].codes[CALLERS.index("writer")] != 403)


@pytest.mark.parametrize(
    ("route", "empty"), [(route, empty) for route in ONLY_WRITES for empty in ((False, True) if ROWS[route].body else (True,))]
)
def test_s62_a_key_that_only_writes_reads_nothing_from_its_writes(live: Live, route: str, *, empty: bool) -> None:
    row, world = ROWS[route], World(live)
    path = path_of(route, world, row)
    report = getattr(world, row.of)
    if row.prepare:
        row.prepare(world)
    reply = asked(route, path, world.caller("writer", path), row.body(world) if row.body and not empty else {})
    assert reply.status in ({200, 201, 202, 422} if empty else {200, 201, 202}), reply.text
    if reply.status != 422:
        data = reply.json["data"]
        gone = [{"id": report["id"], "object": "report", "deleted": True}, {"id": world.crawl, "object": "crawl", "deleted": True}]
        gone += [{"id": world.schedule, "object": "schedule", "deleted": True}]
        gone += [{"id": world.access_log, "object": "log_import", "deleted": True}]
        gone += [{"source": "search-console", "object": "url_data", "deleted": True}]
        gone += [{"name": "web1", "object": "log_folder", "deleted": True}]
        gone += [{"id": world.people["colleague"].caller.user_id, "object": "role", "deleted": True}]
        assert set(data) <= WRITTEN or data in gone
    link = world.api.get(f"/reports/{report['id']}/link")
    now_public = link.json["data"]["public_id"] if link.status == 200 else report["public_id"]
    whole = b"\n".join(f"{name}: {value}".encode() for name, value in reply.headers.items()) + reply.body
    told = [secret for secret in (report["public_id"].encode(), now_public.encode(), TITLE.encode()) if secret in whole]
    assert not told


@pytest.mark.parametrize("path", sorted({route.partition(" ")[2] for route in KNOWN}))
def test_s50_methods_that_are_not_declared_are_refused_and_change_nothing(looked_at: World, path: str) -> None:
    world = looked_at
    known = {route.partition(" ")[0] for route in ROUTES if route.partition(" ")[2] == path}
    route = f"{min(known)} {path}"
    at = path_of(route, world, ROWS[route])
    clients = [world.caller(name, path) for name in ("nobody", "owner")]
    before = world.stored()
    for client in clients:
        for method in {*METHODS, "PROPFIND"} - known:
            reply = client.request(method, at, None, SAME)
            assert reply.status == 405, method
            assert known <= set(reply.headers["Allow"].split(", "))
        if "GET" not in known:
            assert client.request("HEAD", at).status == 405
    assert not changed(before, world.stored())


@pytest.mark.parametrize("route", [route for route in KNOWN if "/api/" in route and ROWS[route].codes[0] == 401])
def test_s49_a_session_is_no_key(looked_at: World, route: str) -> None:
    path = path_of(route, looked_at, ROWS[route])
    before = looked_at.stored()
    assert asked(route, path, looked_at.browser("owner"), None).status == 401
    assert not changed(before, looked_at.stored())


MISSING = {
    "{public_id}": "A" * 22,
    "{report_id}": "999999999",
    "{project}": "missing.example",
    "{batch_id}": "999999999",
    "{crawl_id}": "999999999",
    "{schedule_id}": "999999999",
    "{alert_id}": "999999999",
}


@pytest.mark.parametrize("route", [route for route in KNOWN if ROWS[route].codes[1] == 404 and any(name in route for name in MISSING)])
def test_s48_what_is_anothers_looks_like_what_is_missing(looked_at: World, route: str) -> None:
    world, row = looked_at, ROWS[route]
    if row.prepare and route in LOOKS:
        row.prepare(world)
    found = path_of(route, world, row)
    missing = route
    for name, value in MISSING.items():
        missing = missing.replace(name, value)
    missing = path_of(missing, world, row)
    body = row.body(world) if row.body else None
    client = world.caller("stranger", found)
    one, other = (asked(route, path, client, body) for path in (found, missing))
    assert (one.status, same(one, found)) == (other.status, same(other, missing))


def same(reply: Reply, path: str) -> tuple[Any, ...]:
    """An answer without what differs between any two: their number, the clock, and the address asked for."""
    number = reply.headers["X-Request-Id"]
    headers = {name: value for name, value in reply.headers.items() if name.lower() not in ("x-request-id", "date", "content-length")}
    return headers, reply.body.replace(number.encode(), b"").replace(path.partition("?")[0].encode(), b"")


HIDDEN_BELOW_A_REPORT = ("badge.svg", "client", "compare", "delete", "events", "history", "issue", "link")
"""What guests never get of a report with a password; all else leads them to the form for it."""
SECRETS = (HOST.encode(), TITLE.encode(), b"of 100", b"og:title", b"ld+json")


@pytest.mark.parametrize("path", BELOW_A_REPORT)
@pytest.mark.parametrize("of", ["private", "locked"])
@pytest.mark.parametrize("name", ["nobody", "stranger", "reader", "writer", "revoked"])
def test_s51_s57_nothing_of_a_private_report_is_told(looked_at: World, path: str, of: str, name: str) -> None:
    world = looked_at
    row = ROWS[f"GET {path}"]
    at = path_of(f"GET {path}", world, Row(row.codes, of=of))
    reply = world.browser(name).get(at)
    missing = world.browser(name).get(at.replace(getattr(world, of)["public_id"], "A" * 22))
    whole = b"\n".join(f"{name}: {value}".encode() for name, value in reply.headers.items()) + reply.body
    assert not [secret for secret in SECRETS if secret in whole]
    assert reply.headers["Cache-Control"] == "private, no-store"
    assert reply.headers["ETag"] is None
    if of == "locked" and path == "/r/{public_id}":
        assert reply.status == 200
        assert 'type="password"' in reply.text
    elif of == "locked" and path.removeprefix("/r/{public_id}/") not in HIDDEN_BELOW_A_REPORT:
        assert (reply.status, reply.headers["Location"], reply.body) == (303, f"/r/{world.locked['public_id']}", b"")
    else:
        assert (reply.status, same(reply, at)) == (missing.status, same(missing, at))


@pytest.mark.parametrize("of", ["private_project", "locked_project"])
def test_s51_nothing_of_the_page_of_a_project_is_told(live: Live, of: str) -> None:
    world = World(live)
    link = getattr(world, of)["public_id"]
    paths = [route.removeprefix("GET ") for route in LOOKS if route.startswith("GET /p/")]
    for name in ("nobody", "stranger", "reader"):
        browser = world.browser(name)
        for path in paths:
            at, missing = (path.replace("{public_id}", one) for one in (link, "A" * 22))
            reply = browser.get(at)
            whole = b"\n".join(f"{name}: {value}".encode() for name, value in reply.headers.items()) + reply.body
            assert not [secret for secret in SECRETS if secret in whole], (name, path)
            assert reply.headers["Cache-Control"] == "private, no-store"
            shown = {f"/p/{{public_id}}{part}" for part in ("", "/report.pdf", "/summary", "/summary.pdf", "/logo.png", "/site-icon.png")}
            if of == "locked_project" and path in shown:
                assert reply.status == (200 if path == "/p/{public_id}" else 303), path
            else:
                assert (reply.status, same(reply, at)) == (404, same(browser.get(missing), missing)), (name, path)
