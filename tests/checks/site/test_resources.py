"""Resources, external links, lasting redirects and thin pages of a whole site: first what must not be flagged, then what must."""

from typing import Any

import pytest
from msgspec.structs import replace

from findable.capture.crawl import Group, Requested
from findable.capture.site_graph import CrawledRedirects, TemporaryRedirect
from findable.capture.site_resources import CrawledExternal, CrawledResources, FaultyResources, LoadedResource, MissingHost
from findable.capture.site_templates import CrawledThin, ThinFolder, ThinPage
from findable.checks.causes import CausedFinding
from findable.reports.messages import render
from findable.vocabulary import Verdict
from tests.checks.site.harness import SITE, finding, source, target

RESOURCES = CrawledResources(Requested(20, 20, 18), sized_count=9)
EXTERNAL = CrawledExternal(is_requested=True, requested=Requested(30, 25, 20))
REDIRECTS = CrawledRedirects(9, known_days_count=40)
THIN = CrawledThin(100, known_count=90)
SOUND = {
    "site-assets-broken": RESOURCES,
    "site-images-heavy": RESOURCES,
    "site-external-broken": EXTERNAL,
    "site-redirect-temporary": REDIRECTS,
    "site-thin": THIN,
}


def causes(check_id: str, root: Any) -> tuple[CausedFinding, ...]:
    return finding(check_id, root).causes


def told(cause: CausedFinding) -> str:
    return render(cause.message, cause.params)


@pytest.mark.parametrize("check_id", SOUND)
def test_a_site_in_order_passes(check_id: str) -> None:
    assert finding(check_id, SOUND[check_id]).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("check_id", "root"),
    [
        ("site-assets-broken", CrawledResources(Requested(0))),
        ("site-images-heavy", CrawledResources(Requested(0))),
        ("site-external-broken", replace(EXTERNAL, requested=Requested(0))),
        ("site-redirect-temporary", CrawledRedirects(0, known_days_count=40)),
        ("site-thin", CrawledThin(0)),
    ],
)
def test_what_is_not_there_is_not_judged(check_id: str, root: Any) -> None:
    assert finding(check_id, root).verdict is Verdict.INAPPLICABLE


@pytest.mark.parametrize(
    ("check_id", "root"),
    [
        ("site-assets-broken", CrawledResources(Requested(20, 20, 0))),
        ("site-images-heavy", replace(RESOURCES, sized_count=0)),
        ("site-external-broken", replace(EXTERNAL, is_requested=False)),
        ("site-external-broken", replace(EXTERNAL, requested=Requested(30, 30, 0))),
        ("site-redirect-temporary", CrawledRedirects(9)),
        ("site-redirect-temporary", CrawledRedirects(9, known_days_count=29)),
        ("site-thin", CrawledThin(100)),
    ],
)
def test_what_was_not_measured_is_unknown(check_id: str, root: Any) -> None:
    assert finding(check_id, root).verdict is Verdict.UNKNOWN


def faulty(count: int, *, is_shared: bool, pages_count: int, size_bytes: int = 0, name: str = "") -> FaultyResources:
    files = tuple(LoadedResource(f"{SITE}/a{n}.png", "image", 200 if size_bytes else 404, size_bytes, f"{SITE}/{n}") for n in range(count))
    return FaultyResources(files, count, "footer", Group(name, pages_count, (f"{SITE}/0",)), is_shared)


def test_missing_files_have_their_key_from_the_first() -> None:
    one, more = (causes("site-assets-broken", replace(RESOURCES, missing=(faulty(n, is_shared=True, pages_count=8),)))[0] for n in (1, 3))
    assert (one.verdict, told(one), told(more)) == (
        Verdict.FAILED,
        "8 pages load 1 file that does not exist",
        "8 pages load 3 files that do not exist",
    )
    assert one.cause.key == more.cause.key == f"{SITE}/a0.png"
    assert render(more.cause.name, more.cause.params) == f"{SITE}/a0.png and 2 others in the footer"


@pytest.mark.parametrize(("size_bytes", "verdict"), [(200_001, Verdict.WARNED), (1_000_001, Verdict.FAILED)])
def test_heavy_images_of_a_template_are_one_cause(size_bytes: int, verdict: Verdict) -> None:
    group = faulty(4, is_shared=False, pages_count=4, size_bytes=size_bytes, name="/p/*")
    (cause,) = causes("site-images-heavy", replace(RESOURCES, heavy=(group,)))
    assert (cause.verdict, render(cause.cause.name, cause.cause.params)) == (verdict, "template /p/*")
    assert [item.params["page"] for item in cause.evidence] == [f"{SITE}/{n}" for n in range(4)]


def test_external_links_are_told_by_host_page_and_list() -> None:
    listed = target("/listed", 404, source("a", pages_count=9))
    many = target("/many", 410, *(source(name) for name in "bcd"))
    host = MissingHost("gone.example.com", (target("/", 0, source("e", pages_count=2)),), 1, Group("", 2))
    found = causes("site-external-broken", replace(EXTERNAL, missing=(listed, many), hosts=(host,)))
    assert {cause.cause.kind.value: (cause.verdict, cause.pages_count) for cause in found} == {
        "host": (Verdict.WARNED, 2),
        "page": (Verdict.WARNED, 3),
        "block": (Verdict.WARNED, 9),
    }


def lasting(url: str, to: str, days: int = 30) -> TemporaryRedirect:
    return TemporaryRedirect(f"{SITE}{url}", f"{SITE}{to}", 302, days)


@pytest.mark.parametrize(
    ("url", "to"),
    [
        ("/", "/start"),
        ("/shop", "/en/shop"),
        ("/docs/latest/install", "/docs/5.2/install"),
        ("/stable", "/v3"),
        ("/orders", "/login?next=/orders"),
        ("/cart", "/empty"),
        ("/go/partner", "/partner"),
        ("/news", "/search?q=news"),
    ],
)
def test_redirects_that_are_meant_to_change_are_not_told(url: str, to: str) -> None:
    assert causes("site-redirect-temporary", replace(REDIRECTS, temporary=(lasting(url, to),))) == ()


def test_redirects_of_a_month_are_notes_by_folder() -> None:
    items = (lasting("/old", "/new"), lasting("/young", "/new", 29), *(lasting(f"/blog/{n}", f"/stories/{n}", 30 + n) for n in range(3)))
    alone, folder = causes("site-redirect-temporary", replace(REDIRECTS, temporary=items))
    assert (alone.verdict, alone.cause.key, told(alone)) == (
        Verdict.INFO,
        f"{SITE}/old",
        f"It has redirected to {SITE}/new with 302 for 30 days",
    )
    assert (folder.cause.key, told(folder)) == (
        f"{SITE}/blog/",
        "3 URLs of this folder have redirected with 302 or 307 for at least 30 days",
    )


def test_thin_pages_that_have_a_folder_each_are_one_cause() -> None:
    attachments = tuple(ThinFolder(f"/post-{n}/", 1, (ThinPage(f"{SITE}/post-{n}/photo", 5),), 1) for n in range(30))
    tags = ThinFolder("/tags/", 4, (ThinPage(f"{SITE}/tags/oak", 12),), 9)
    found = finding("site-thin", CrawledThin(99, 99, 34, (tags, *attachments)))
    two = finding("site-thin", CrawledThin(20, 20, 6, (tags, *attachments[:2])))

    assert [(cause.cause.name, cause.pages_count) for cause in found.causes] == [("folder {folder}", 4), ("pages in different folders", 30)]
    assert found.causes[1].evidence[0].url == f"{SITE}/post-0/photo"
    assert [cause.cause.name for cause in two.causes] == ["folder {folder}"] * 3


@pytest.mark.parametrize(("count", "pages_count", "verdict"), [(2, 10, Verdict.PASSED), (4, 100, Verdict.PASSED), (5, 100, Verdict.WARNED)])
def test_thin_pages_are_told_where_they_are_many(count: int, pages_count: int, verdict: Verdict) -> None:
    folder = ThinFolder("/tags/", count, (ThinPage(f"{SITE}/tags/oak", 12),), 1000)
    found = finding("site-thin", CrawledThin(pages_count, pages_count, count, (folder,)))
    assert (found.verdict, [cause.cause.key for cause in found.causes]) == (verdict, ["/tags/"] if verdict is Verdict.WARNED else [])


@pytest.mark.parametrize(
    ("count", "folder_count", "folder", "verdict"),
    [
        (100, 150, "/brands/", Verdict.WARNED),
        (100, 201, "/brands/", Verdict.PASSED),
        (49, 49, "/brands/", Verdict.PASSED),
        (100, 150, "/", Verdict.PASSED),
    ],
    ids=["half of a folder", "less than half", "too few pages", "no folder"],
)
def test_a_thin_folder_of_a_large_site_is_told(count: int, folder_count: int, folder: str, verdict: Verdict) -> None:
    thin = ThinFolder(folder, count, (ThinPage(f"{SITE}{folder}oak", 12),), folder_count)
    assert finding("site-thin", CrawledThin(5000, 5000, count, (thin,))).verdict is verdict
