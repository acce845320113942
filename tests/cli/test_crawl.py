"""`findable crawl`, as a user runs it."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from findable.crawl.tables import CrawlTable
from tests.cli.conftest import Run
from tests.crawl_sites import change_shop, html, make_repeating, make_shop, text
from tests.sites.server import Site

FAST = ("--rate", "50", "--connections", "4", "--confirm-after", "0.05")


@pytest.fixture
def shop(site: Site) -> Site:
    """A small shop with a broken link in its footer."""
    make_shop(site, products=12)
    return site


def test_a_crawl_is_sixty_lines_of_text(findable: Run, shop: Site) -> None:
    done = findable("crawl", shop.url("/"), *FAST)

    assert done.returncode in (0, 1), done.stderr
    assert len(done.stdout.splitlines()) <= 60
    assert done.stdout.startswith(shop.url("/"))


def test_plain_words_name_the_step_the_person_and_the_pages(findable: Run, shop: Site) -> None:
    done = findable("crawl", shop.url("/"), *FAST, "--plain")
    text = " ".join(done.stdout.split())

    assert "Visitors who click on some of your links get an error message." in text
    assert "Who fixes it: you, or the person who writes your pages; about 15 minutes" in text
    assert "site-links-broken" not in text, "no names of checks"
    assert findable("crawl", shop.url("/"), *FAST, "--plain", "--format", "json").returncode == 2


def test_sarif_has_a_result_per_cause_at_its_examples(findable: Run, shop: Site) -> None:
    done = findable("crawl", shop.url("/"), *FAST, "--format", "sarif")
    run = json.loads(done.stdout)["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    described = [result for result in run["results"] if result["ruleId"] == "meta-description"]
    prints = [result["partialFingerprints"]["findable/v1"] for result in run["results"]]

    assert run["invocations"][0]["executionSuccessful"] is True
    assert len(rules) == len(set(rules))
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert len(prints) == len(set(prints))
    assert len(described) == 1
    assert described[0]["message"]["text"].endswith("12 pages like /*")
    for place in described[0]["locations"]:
        assert urlsplit(place["physicalLocation"]["artifactLocation"]["uri"])[:2] == ("", "")
        assert urlsplit(place["properties"]["url"]).path.startswith("/product/")


def test_junit_has_a_case_per_cause_and_one_for_the_crawl(findable: Run, shop: Site, tmp_path: Path) -> None:
    file = tmp_path / "crawl.xml"
    findable("crawl", shop.url("/"), *FAST, "--format", "junit", "--output", str(file))
    (suite,) = ET.fromstring(file.read_bytes())
    names = [case.get("name", "") for case in suite.iter("testcase")]

    assert names[0] == "crawl complete"
    assert len(names) == len(set(names)) == int(suite.get("tests", ""))
    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure")) > 0
    assert suite.get("errors") == "0"
    assert {case.get("classname") for case in suite.iter("testcase")} == {shop.url("/")}
    assert float(suite.get("time", "-1")) >= 0  # whole seconds


def test_the_formats_of_pipelines_are_those_of_an_audit(findable: Run, shop: Site, tmp_path: Path) -> None:
    formats = ("gitlab", "html", "comment", "sarif")
    files = [f"--export={name}={tmp_path / name}" for name in formats]
    done = findable("crawl", shop.url("/"), *FAST, "--format", "github", *files)
    entries = json.loads((tmp_path / "gitlab").read_text())

    assert done.stdout.startswith("::")
    assert len({entry["fingerprint"] for entry in entries}) == len(entries) > 3
    assert (tmp_path / "comment").read_text().startswith("<!-- findable -->\n## Findable: 1 ")
    assert "12 pages like /*" in (tmp_path / "html").read_text()


def test_markdown_lists_the_causes(findable: Run, shop: Site) -> None:
    done = findable("crawl", shop.url("/"), *FAST, "--format", "markdown", "--language", "de")

    assert done.stdout.startswith(f"# Site-Bericht: `{shop.url('/')}`")
    assert "`meta-description`" in done.stdout
    assert f"- `{shop.url('/product/')}" in done.stdout


@pytest.mark.parametrize("format_", ["text", "json", "csv", "ndjson", "sarif", "markdown", "github"])
def test_a_crawl_to_a_chosen_limit_passes_by_what_it_requested(findable: Run, shop: Site, format_: str) -> None:
    done = findable("crawl", shop.url("/"), *FAST, "--pages", "4", "--format", format_, "--fail-under", "1")
    failed = findable("crawl", shop.url("/"), *FAST, "--pages", "4", "--format", format_, "--fail-under", "100")

    assert (done.returncode, failed.returncode) == (0, 1), done.stderr


def test_a_limit_in_the_configuration_is_a_chosen_one(findable: Run, shop: Site, tmp_path: Path) -> None:
    (tmp_path / ".findable.toml").write_text(f'[crawl]\nurl = "{shop.url("/")}"\npages = 4\n')

    assert findable("crawl", *FAST, "--fail-under", "1").returncode == 0


@pytest.mark.full
def test_every_offered_table_is_printed(findable: Run, shop: Site) -> None:
    options = (*FAST, "--fail-under", "1", "--store", "first.sqlite")
    for table in CrawlTable:
        done = findable("crawl", shop.url("/"), *options, "--table", table.value)
        if table is CrawlTable.CHANGES:
            assert (done.returncode, "--baseline" in done.stderr) == (2, True)
        else:
            assert done.returncode == 0, (table, done.stderr)
            assert done.stdout.count("\n") >= 1
    change_shop(shop)
    changes = findable(
        "crawl", shop.url("/"), *FAST, "--store", "second.sqlite", "--baseline", "first.sqlite", "--table", "changes", "--format", "csv"
    )

    assert changes.returncode == 1, changes.stderr
    assert {row["kind"] for row in csv.DictReader(io.StringIO(changes.stdout.lstrip("\ufeff")))} >= {"gone", "became_non_indexable"}


def test_a_crawl_that_robots_txt_refuses_exits_with_3_and_the_line(findable: Run, site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")
    done = findable("crawl", site.url("/"), *FAST)
    sarif = findable("crawl", site.url("/"), *FAST, "--format", "sarif")

    assert (done.returncode, sarif.returncode) == (3, 3)
    assert "line 2: Disallow: /" in done.stdout
    told = json.loads(sarif.stdout)["runs"][0]["invocations"][0]
    assert told["executionSuccessful"] is False
    assert "robots.txt" in told["toolExecutionNotifications"][0]["message"]["text"]


def test_a_baseline_stops_what_the_site_lost(findable: Run, shop: Site, tmp_path: Path) -> None:
    options = (*FAST, "--fail-under", "1")
    first = findable("crawl", shop.url("/"), *options, "--store", "first.sqlite")
    same = findable("crawl", shop.url("/"), *options, "--store", "same.sqlite", "--baseline", "first.sqlite")
    change_shop(shop)
    lost = findable("crawl", shop.url("/"), *options, "--store", "lost.sqlite", "--baseline", "first.sqlite", "--format", "json")
    again = findable("crawl", shop.url("/"), *options, "--store", "lost.sqlite", "--baseline", "first.sqlite")

    (tmp_path / ".findable.toml").write_text("[thresholds.growth]\nnoindex = 1\ntitle-present = 0\n")
    grown = findable("crawl", shop.url("/"), *options, "--store", "lost.sqlite", "--baseline", "first.sqlite", "--fail-on", "failed")

    assert (first.returncode, same.returncode, lost.returncode, again.returncode) == (0, 0, 1, 1)
    assert "new since the baseline: " in grown.stderr
    assert "new since the baseline: " not in lost.stderr
    assert "findable: title-present: 1 pages, 0 in the baseline, the growth budget is 0\n" in grown.stderr
    assert "Pages: no changes" in same.stdout
    assert f"1 page is gone since the baseline: {shop.url('/about')} (404)" in lost.stderr
    assert "2 pages are no longer indexable since the baseline" in lost.stderr
    assert "1 canonical link leads to another host since the baseline" in lost.stderr
    assert f"1 page lost its title since the baseline: {shop.url('/privacy')}" in lost.stderr
    assert json.loads(lost.stdout)["changes"]["counts"]["gone"] == 1
    assert "gone: 1" in again.stdout
    assert len(again.stdout.splitlines()) <= 60


def test_a_partial_crawl_is_compared_with_its_baseline_over_the_pages_of_both(findable: Run, shop: Site) -> None:
    options = (*FAST, "--fail-under", "1")
    findable("crawl", shop.url("/"), *options, "--store", "first.sqlite")
    done = findable("crawl", shop.url("/"), *options, "--store", "part.sqlite", "--baseline", "first.sqlite", "--pages", "5")

    assert done.returncode == 0
    assert "only pages that both requested are compared with the baseline" in done.stderr
    assert "Pages: no changes" in done.stdout


def test_a_crawl_of_another_part_of_the_site_cannot_be_compared(findable: Run, shop: Site) -> None:
    options = (*FAST, "--fail-under", "1")
    findable("crawl", shop.url("/"), *options, "--store", "first.sqlite")
    done = findable("crawl", shop.url("/"), *options, "--store", "part.sqlite", "--baseline", "first.sqlite", "--depth", "1")

    assert done.returncode == 3
    assert "not compared with the baseline: the two results cover different parts of the site" in done.stderr
    assert "Not compared: the two results cover different parts of the site" in done.stdout


def test_a_baseline_is_the_file_of_another_crawl_that_ended(findable: Run, shop: Site, tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database")
    missing = findable("crawl", shop.url("/"), *FAST, "--baseline", "missing.sqlite")
    broken = findable("crawl", shop.url("/"), *FAST, "--baseline", "text.sqlite")
    itself = findable("crawl", shop.url("/"), *FAST, "--store", "text.sqlite", "--baseline", "text.sqlite")

    assert (missing.returncode, broken.returncode, itself.returncode) == (2, 2, 2)
    assert "missing.sqlite does not exist" in missing.stderr
    assert not (tmp_path / "missing.sqlite").exists()


def test_a_preview_is_crawled_as_the_public_site(findable: Run, shop: Site) -> None:
    public = "https://www.example.com"
    shop.redirect("/old-shop", f"{public}/shop", 301)
    entries = "".join(f"<url><loc>{public}{path}</loc></url>" for path in ("/", "/shop", "/sitemap-only"))
    shop.page("/sitemap.xml", f"<urlset>{entries}</urlset>", content_type="application/xml")
    shop.page("/robots.txt", f"User-agent: *\nDisallow: /private/\nSitemap: {public}/sitemap.xml\n", content_type="text/plain")
    canonical = f'<link rel="canonical" href="{public}/about">'
    shop.page("/about", html("About us", f"<p>{text('/about')}</p><p><a href='{public}/imprint'>Imprint</a></p>", head=canonical))
    done = findable("crawl", shop.url("/"), *FAST, "--as", public, "--fail-under", "1", "--format", "json")
    again = findable("crawl", shop.url("/"), *FAST, "--as", public, "--fail-under", "1")
    document = json.loads(done.stdout)
    rows = {row["url"]: row for row in document["pages"]}

    assert done.returncode == 0, done.stderr
    assert {url.partition("/")[2].partition("/")[2].partition("/")[0] for url in rows} == {"www.example.com"}
    assert document["crawl"]["url"] == f"{public}/"
    assert (rows[f"{public}/about"]["indexable"], rows[f"{public}/old-shop"]["location"]) == (True, f"{public}/shop")
    assert rows[f"{public}/sitemap-only"]["found_by"] == ["sitemap"]
    assert len(rows) == 20
    assert shop.base not in done.stdout.replace(f'"preview_origin": "{shop.base}"', "")
    assert again.stdout.splitlines()[0] == f"{public}/ (requested at {shop.base})"


def test_a_preview_is_compared_with_a_crawl_of_the_public_site(findable: Run, make_site: Callable[..., Site]) -> None:
    public, preview = make_site(), make_site()
    for one in (public, preview):
        make_shop(one, products=3)
    options = (*FAST, "--fail-under", "1")
    findable("crawl", public.url("/"), *options, "--store", "public.sqlite")
    preview.page("/about", "<h1>Not found</h1>", status=404)
    done = findable("crawl", preview.url("/"), *options, "--as", public.base, "--store", "preview.sqlite", "--baseline", "public.sqlite")

    assert done.returncode == 1
    assert f"1 page is gone since the baseline: {public.url('/about')} (404)" in done.stderr
    assert "no longer indexable" not in done.stderr


def test_a_redirect_map_says_where_each_url_leads(findable: Run, shop: Site, tmp_path: Path) -> None:
    shop.redirect("/moved", "/privacy", 301)
    shop.redirect("/twice", "/old-shop", 302)
    shop.redirect("/round", "/circle", 301)
    shop.redirect("/circle", "/round", 301)
    rows = [("/old-shop", "/shop"), ("/twice", "/shop"), ("/moved", "/imprint"), ("/gone", "/shop"), ("/private/admin", "/shop")]
    rows += [("/about", "/shop"), ("/round", "/shop")]
    lines = ["# old and new", "old -> new", *(f"{old} -> {new}" for old, new in rows), shop.url("/about")]
    (tmp_path / "map.txt").write_text("\n".join(lines))
    done = findable("crawl", shop.url("/"), "--list", "map.txt", *FAST, "--format", "json")
    told = findable("crawl", shop.url("/"), "--list", "map.txt", *FAST)
    found = {
        row["url"].removeprefix(shop.base): (row["result"], row["end_url"].removeprefix(shop.base), row["hops_count"])
        for row in json.loads(done.stdout)["redirects"]
    }

    assert (done.returncode, told.returncode) == (1, 1)
    assert found == {
        "/old-shop": ("reached", "/shop", 1),
        "/twice": ("chained", "/shop", 2),
        "/moved": ("other_target", "/privacy", 1),
        "/gone": ("broken", "/gone", 0),
        "/private/admin": ("not_requested", "/private/admin", 0),
        "/about": ("no_redirect", "/about", 0),
        "/round": ("loop", "/round", 2),
    }
    assert f"1 of the redirect map: leads to another page: {shop.url('/moved')} → {shop.url('/privacy')} (200)" in done.stderr
    assert told.stdout.startswith("4 of 7 old URLs do not lead where the map says\n1 leads there directly · 1 leads there by several")
    assert f"✗ {shop.url('/about')} (200): does not redirect" in told.stdout
    assert "no link to another page" not in told.stdout


def test_a_redirect_map_may_lead_to_another_host(findable: Run, make_site: Callable[..., Site], tmp_path: Path) -> None:
    old, new = make_site(), make_site(host="127.0.0.2")
    new.page("/bread", html("Bread", f"<p>{text('bread')}</p>"))
    old.redirect("/brot", new.url("/bread"), 301)
    (tmp_path / "map.txt").write_text(f"{old.url('/brot')} {new.url('/bread')}\n")
    done = findable("crawl", "--list", "map.txt", *FAST)
    wrong = findable("crawl", "--list", "-", *FAST, stdin="https://a.example https://b.example https://c.example\n")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The old URL leads where the map says\n")
    assert wrong.returncode == 2
    assert "Line 1, “https://a.example https://b.example https://c.example”: a line has a URL, or a URL and its target." in wrong.stderr
    path = findable("crawl", "--list", "-", *FAST, stdin="old,new\n/a,/b\n")
    assert (path.returncode, "Line 2, “/a,/b”" in path.stderr, "give the URL of the site too" in path.stderr) == (2, True, True)


def test_extractors_are_columns_and_can_be_added_to_a_stored_crawl(findable: Run, shop: Site) -> None:
    plain = findable("crawl", shop.url("/"), *FAST, "--format", "csv")
    requests_count = len(shop.requests)
    options = ("--extract", "Heading=h1", "--extract", "Links=count: a")
    rows = list(csv.DictReader(io.StringIO(findable("crawl", shop.url("/"), *FAST, *options, "--format", "csv").stdout.lstrip("\ufeff"))))
    found = {row["url"]: (row["Heading"], row["Links"]) for row in rows}
    kept = findable("crawl", shop.url("/"), *FAST, "--format", "ndjson").stdout.splitlines()
    wrong = findable("crawl", shop.url("/"), *FAST, "--extract", "Heading=h1:has(b)")

    assert "Heading" not in plain.stdout.partition("\n")[0]
    assert found[shop.url("/about")][0] == "About us"
    assert int(found[shop.url("/about")][1]) > 3
    assert json.loads(kept[0]).keys() >= {"Heading", "Links"}
    assert len(shop.requests) == requests_count
    assert (wrong.returncode, "--extract" in wrong.stderr, ":has(b)" in wrong.stderr) == (2, True, True)


@pytest.mark.full
def test_groups_of_a_fault_are_compared_and_accepted_one_by_one(findable: Run, site: Site, tmp_path: Path) -> None:
    def crawled(store: str, format_: str, *more: str) -> Any:
        options = (*FAST, "--fail-under", "1", "--store", f"{store}.sqlite", "--format", format_, *more)
        done = findable("crawl", site.url("/"), *options)
        return json.loads(done.stdout), done

    def groups(document: Any) -> dict[str, str]:
        titles = next(one for one in document["findings"] if one["id"] == "site-title-duplicate")
        return {group["summary"].rpartition("title ")[2]: group["key"] for group in titles["groups"]}

    def prints(document: Any) -> set[str]:
        results = document["runs"][0]["results"]
        return {one["partialFingerprints"]["findable/v1"] for one in results if one["ruleId"] == "site-title-duplicate"}

    make_repeating(site)
    first, _ = crawled("first", "json")
    printed, _ = crawled("first", "sarif")
    known = groups(first)
    accept = f'[[accept]]\ncheck = "site-title-duplicate"\nkey = "{known["“Lamps”"]}"\nreason = "Two shops of one name."\n'
    (tmp_path / ".findable.toml").write_text(accept)
    accepted, _ = crawled("first", "json")
    make_repeating(site, ("Stools", "Stools"))
    second, done = crawled("second", "json", "--baseline", "first.sqlite", "--fail-on", "new")
    later, _ = crawled("second", "sarif", "--baseline", "first.sqlite")

    assert set(known) == {"“Lamps”", "“Chairs”"}
    assert len(prints(printed)) == 2
    assert (set(groups(accepted)), accepted["crawl"]["score"] > first["crawl"]["score"]) == ({"“Chairs”"}, True)
    assert set(groups(second)) == {"“Chairs”", "“Stools”"}
    assert groups(second)["“Chairs”"] == known["“Chairs”"]
    assert "new since the baseline: 2 pages have the title “Stools” [site-title-duplicate]" in done.stderr
    assert ("“Lamps”" in done.stderr, "“Chairs”" in done.stderr, done.returncode) == (False, False, 1)
    assert len(prints(later)) == 2
    assert len(prints(later) & prints(printed)) == 1
