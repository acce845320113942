"""Signals of a stored crawl: findings of page checks by cause, noindex, canonical links against each other."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from findable.capture.crawl import Reason
from findable.capture.site_graph import CrawledCanonicals
from findable.capture.site_signals import CanonicalSignals, CrawledNoindex, CrawledSignals
from findable.checks.evidence import Evidence
from findable.crawl.packed_verdicts import all_check_ids
from findable.crawl.url_keys import text_key
from findable.formats.sketches import sketch
from findable.reports.reported_finding import ReportedFinding
from findable.vocabulary import Verdict
from tests.crawl.stored_crawl import Link, StoredPage, stored_crawl, url

NOINDEX = {"reason": Reason.NOINDEX, "noindex": True}
FAILED, WARNED = (1 + list(Verdict).index(verdict) for verdict in (Verdict.FAILED, Verdict.WARNED))


def against(check: str, *evidence: Evidence, verdict: Verdict = Verdict.FAILED, **params: Any) -> dict[str, Any]:
    """Values of a record with one finding."""
    verdicts = bytearray(len(all_check_ids()))
    verdicts[all_check_ids().index(check)] = FAILED if verdict is Verdict.FAILED else WARNED
    finding = ReportedFinding(id=check, verdict=verdict, message="It is wrong", params=params, evidence=evidence)
    return {"verdicts": bytes(verdicts), "findings": (finding,)}


def canonical(to: str, **values: Any) -> dict[str, Any]:
    return {"reason": Reason.CANONICAL, "canonical": url(to), "declares_canonical": True, **values}


def crawl(path: Path, records: Mapping[str, Mapping[str, Any]]) -> dict[type, Any]:
    """A crawl of pages that the start page links to."""
    start = StoredPage(tuple(Link(where) for where in records), record=records.get("/", {}))
    return stored_crawl(path, {**{where: StoredPage((Link("/"),), record=record) for where, record in records.items()}, "/": start})


def test_findings_of_pages_by_cause(tmp_path: Path) -> None:
    blocked = [Evidence("robots_txt", "Disallow: /js/", params={"address": url(f"/js/{n}.js")}) for n in range(2)]
    local = Evidence("element", "<a>", params={"host": "localhost"})
    staging = Evidence("element", "<a>", params={"host": "staging.shop.example"})
    found = crawl(
        tmp_path,
        {
            "/gone/1": against("soft-404"),
            "/gone/2": against("soft-404"),
            "/empty": against("soft-404", verdict=Verdict.WARNED),
            "/a": against("robots-txt-assets", *blocked),
            "/b": against("robots-txt-assets", blocked[0]),
            "/c": against("robots-txt-assets", blocked[0], verdict=Verdict.WARNED),
            "/manual": against("links-localhost", local, verdict=Verdict.WARNED),
            "/old": against("links-localhost", staging, verdict=Verdict.WARNED),
            "/fr/1": against("language-match", verdict=Verdict.WARNED, declared="fr", detected="en"),
            "/fr/2": against("language-match", verdict=Verdict.WARNED, declared="fr", detected="en"),
            "/app": {"routes": (url("/app#/one"), url("/app#/two"))},
        },
    )[CrawledSignals]

    assert [(group.name, group.pages_count) for group in found.soft_errors] == [("/gone/*", 2)]
    assert [group.urls for group in found.soft_doubts] == [(url("/empty"),)]
    rule, images = found.blocked_files
    assert (rule.is_critical, images.is_critical) == (True, False)
    assert (rule.rule, rule.files, rule.pages.urls) == ("Disallow: /js/", (url("/js/0.js"), url("/js/1.js")), (url("/a"), url("/b")))
    hosts = {item.host: (item.is_private, item.is_mentioned) for item in found.leftover_hosts}
    assert hosts == {"localhost": (True, True), "staging.shop.example": (False, False)}
    assert [(item.declared, item.detected, item.pages.name) for item in found.mixed_languages] == [("fr", "en", "/fr/*")]
    assert (found.routes_count, found.routes_pages and found.routes_pages.urls) == (2, (url("/app"),))


def test_canonical_links_to_a_staging_host_are_declared(tmp_path: Path) -> None:
    found = crawl(tmp_path, {"/a": canonical("https://staging.shop.example/a"), "/b": canonical("https://dev.shop.example/b")})

    assert [(item.host, item.is_declared, item.pages.urls) for item in found[CrawledSignals].leftover_hosts] == [
        ("staging.shop.example", True, (url("/a"),))
    ]


def test_noindex_pages_with_links_and_unread_ones(tmp_path: Path) -> None:
    records = {"/tag/1": NOINDEX, "/tag/2": NOINDEX, "/cart": NOINDEX, "/a": {}, "/secret": {"reason": Reason.ROBOTS, "noindex": True}}
    found = crawl(tmp_path, records)[CrawledNoindex]

    assert found.noindex_count == 3
    assert [target.url for target in found.linked] == [url("/cart"), url("/tag/1"), url("/tag/2")]
    assert found.unread is not None
    assert found.unread.urls == (url("/secret"),)


SKETCHES = [sketch(" ".join(f"{word}{n}" for n in range(200))) for word in ("oak", "pine")]
SAME, OTHER = ({"sketch": made, "text_key": text_key(str(n)), "title": f"Page {n}"} for n, made in enumerate(SKETCHES))


@pytest.mark.parametrize(
    ("path", "to", "is_unlike"),
    [("/a", "/b", True), ("/b?size=2", "/b", False), ("/b?page=2", "/b", False), ("/v1/b", "/v2/b", False), ("/a", "/", False)],
)
def test_canonical_links_to_another_text(tmp_path: Path, path: str, to: str, *, is_unlike: bool) -> None:
    found = crawl(tmp_path, {"/": {}, path: canonical(to, **OTHER), to: SAME})[CanonicalSignals]

    assert [(pair.url, pair.target) for pair in found.unlike] == ([(url(path), url(to))] if is_unlike else [])


def test_similar_texts_and_unknown_ones_are_not_unlike(tmp_path: Path) -> None:
    found = crawl(tmp_path, {"/a": canonical("/b", **SAME), "/c": canonical("/b"), "/b": {**SAME, "title": "B"}})[CanonicalSignals]

    assert (found.unlike_count, found.declared_count) == (0, 2)


def test_one_text_with_two_canonical_urls(tmp_path: Path) -> None:
    text = {"text_key": 7, "title": "Widget"}
    copies = {"/a": canonical("/x", **text), "/b": canonical("/y", **text), "/x": {}, "/y": {}}
    (cluster,) = crawl(tmp_path, copies)[CanonicalSignals].clusters

    assert (cluster.title, cluster.targets_count) == ("Widget", 2)
    assert {pair.target for pair in cluster.pairs} == {url("/x"), url("/y")}


def test_duplicates_and_versions_are_no_clusters(tmp_path: Path) -> None:
    text = {"text_key": 7, "title": "Widget"}
    duplicates = {"/a": canonical("/x", **text), "/b": canonical("/y", **text), "/x": text, "/y": text}
    versions = {"/c": canonical("/v1/x", **{**text, "text_key": 8}), "/d": canonical("/v2/x", **{**text, "text_key": 8})}

    assert crawl(tmp_path, {**duplicates, **versions})[CanonicalSignals].clusters == ()


def test_canonical_links_to_http_and_www_are_a_fault_of_the_origin(tmp_path: Path) -> None:
    found = crawl(tmp_path, {"/a": canonical("http://shop.example/a"), "/b": canonical("https://www.shop.example/b")})

    assert [(item.origin, item.pages_count) for item in found[CanonicalSignals].variants] == [
        ("http://shop.example", 1),
        ("https://www.shop.example", 1),
    ]
    faults = found[CrawledCanonicals]
    assert (faults.not_indexable, faults.chains) == ((), ())


def test_pages_with_parameters_without_canonical(tmp_path: Path) -> None:
    found = crawl(tmp_path, {"/a?color=1": {}, "/a?color=2": {"declares_canonical": True}, "/a?page=2": {}})[CanonicalSignals]

    assert found.with_parameters_count == 2
    assert found.without_canonical is not None
    assert found.without_canonical.urls == (url("/a?color=1"),)
