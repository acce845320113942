"""`findable audit`, as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.sites.server import Site

GOOD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sourdough bread, baked every morning – Mill Lane Bakery</title>
<meta name="description" content="How we bake our sourdough bread: flour from the mill next door, a night of rest, and a stone oven at dawn.">
<link rel="canonical" href="https://www.example.com/bread">
</head>
<body>
<header><nav><a href="/">Mill Lane Bakery</a> <a href="/bread">Sourdough bread</a></nav></header>
<main>
<h1>Sourdough bread, baked every morning</h1>
<p>Our sourdough bread begins with flour from the mill next door. The dough rests for a whole night, because time is what gives
bread its taste. At five in the morning the oven is hot and the first loaves of sourdough go in, forty at a time, on the bare
stone. At seven the shop opens, and what is left at noon is sold for half the price.</p>
<h2>What is in the bread</h2>
<p>Flour, water, salt. Nothing else is in our bread, and nothing else needs to be.</p>
<p>Rye comes from two farms up the valley, wheat from the plain behind them. We know both fields, and we know what the weather did to
them. In a dry summer the dough needs more water, in a wet one less, and no recipe tells you how much: a hand in the bowl does.</p>
<h2>How to keep it</h2>
<p>Leave the loaf on its cut side on a wooden board, under a cloth. It stays fresh for four days, and toasted it is good for two more.
In a plastic bag the crust turns soft by the evening. To freeze it, slice it first, so that you can take out what breakfast needs.</p>
<h2>When to come</h2>
<p>The shop is open from seven to one, from Tuesday to Saturday. Whoever wants to be sure of a loaf calls the day before; we put it
aside until ten. On the first Sunday of the month the oven is open to the neighbours, who bring their own dough.</p>
</main>
<footer><p>Mill Lane Bakery, 12 Mill Lane</p></footer>
</body>
</html>
"""
TERSE = "<html><head></head><body><p>Hello.</p></body></html>"


@pytest.fixture
def bakery(site: Site) -> Site:
    """A small sound site."""
    site.page("/bread", GOOD)
    site.page("/", GOOD.replace('href="https://www.example.com/bread"', 'href="https://www.example.com/"'))
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/\n", content_type="text/plain")
    site.page("/terse", TERSE)
    return site


def test_a_preview_with_a_production_canonical_is_rated_good(findable: Run, bakery: Site) -> None:
    done = findable("audit", bakery.url("/bread"), "--as", "https://www.example.com")

    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert lines[0] == "https://www.example.com/bread (preview of https://www.example.com)"
    assert lines[1] == "Rated good"
    assert lines[2].startswith("Score 8")
    assert lines[4].startswith("100 − 8 (sd-present)")
    assert lines[5] == "Next rating: none, this is the best one"


def test_the_first_six_lines_say_it_all_and_forty_are_enough(findable: Run, bakery: Site) -> None:
    done = findable("audit", bakery.url("/terse"))

    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    assert lines[0] == bakery.url("/terse")
    assert lines[1] == "Rated bad"
    assert lines[2].startswith("Score ")
    assert lines[3].startswith("4 failed, ")
    assert lines[4].startswith("100 − ")
    assert lines[5].startswith("Next rating: ")
    assert "Fix first" in lines
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_json_is_the_report_of_the_interface(findable: Run, bakery: Site) -> None:
    done = findable("audit", bakery.url("/bread"), "--as", "https://www.example.com", "--format", "json")
    report: dict[str, Any] = json.loads(done.stdout)

    assert report["object"] == "report"
    assert report["judged_as"] == "https://www.example.com"
    assert report["result"] == "good"
    assert {"id", "key", "verdict", "summary", "message", "params", "evidence", "worth", "effort", "how_to_fix", "source", "docs"} <= set(
        report["results"][0]
    )
    stand_in = {row["id"]: row for row in report["results"]}
    assert stand_in["https"]["verdict"] == "inapplicable"
    assert stand_in["https"]["summary"].startswith("this is a preview of")


def test_a_page_that_was_not_seen_exits_3(findable: Run, site: Site) -> None:
    done = findable("audit", site.page("/login", "please", status=401))

    assert done.returncode == 3
    assert "Not rated" in done.stdout
    assert "[login_required]" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "no page to audit"),
        (("https://",), "is not an http or https URL"),
        (("/cart",), "'/cart': is not an http or https URL"),
        (("ftp://example.com/",), "is not an http or https URL"),
        (("https://user:secret@example.com/",), "--user NAME:PASSWORD"),
        (("https://example.com/", "--fail-under", "101"), "--fail-under"),
        (("https://example.com/", "--fail-on", "new"), "requires --baseline"),
        (("https://example.com/", "--baseline", "earlier.json"), "--baseline: requires --fail-on"),
        (("https://example.com/", "--as", ""), "--as: "),
        (("https://example.com/", "--as", "nonsense"), "--as: nonsense is not an origin like https://www.example.com"),
        (("https://example.com/", "--user-agent", ""), "--user-agent: must not be empty"),
        (("https://example.com/", "--cookie", "=x"), "--cookie: '' cannot be sent"),
        (("https://example.com/", "--header", "a b: x"), "--header: 'a b' cannot be sent"),
        (("https://example.com/", "--format", "json", "--output", "."), "--output: . is a directory"),
        (("--list", "-"), "--list: standard input contains no URL"),
        (("https://example.com/", "--nonsense"), "--nonsense"),
        (("https://example.com/", "--format", "xml"), "xml"),
        (("https://example.com/", "--accept", "missing.toml"), "missing.toml cannot be read"),
        (("https://example.com/", "--baseline", "missing.json", "--fail-on", "new"), "--baseline: missing.json cannot be read"),
        (
            ("https://example.com/", "--as", "https://example.org/shop"),
            "--as: https://example.org/shop has a path; give only the origin, https://example.org",
        ),
        (("https://example.com/", "--as", "https://example.org/?a=b"), "--as: https://example.org/?a=b has a path"),
        (("--sitemap", "http://127.0.0.1:9/sitemap.xml"), "/sitemap.xml: The server did not accept the connection."),
        (("https://example.com/", "--allow-target", "a b"), "--allow-target: 'a b' is neither"),
    ],
)
def test_wrong_usage_exits_2_with_one_sentence(findable: Run, arguments: tuple[str, ...], complaint: str) -> None:
    done = findable("audit", *arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert complaint in done.stderr
    assert "secret" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_fail_under_replaces_the_rule_about_bad_pages(findable: Run, bakery: Site) -> None:
    url = bakery.url("/bread")

    assert findable("audit", url, "--as", "https://www.example.com", "--fail-under", "100").returncode == 1
    assert findable("audit", bakery.url("/terse"), "--fail-under", "0").returncode == 0


def test_a_baseline_stops_what_is_new(findable: Run, bakery: Site, tmp_path: Path) -> None:
    url = bakery.url("/bread")
    arguments = ("audit", url, "--as", "https://www.example.com", "--format", "json")
    baseline = tmp_path / "baseline.json"
    baseline.write_text(findable(*arguments).stdout)
    gate = ("--baseline", str(baseline), "--fail-on")

    assert findable(*arguments, *gate, "new").returncode == 0
    bakery.page("/bread", GOOD.replace("<title>", "<!-- ").replace("</title>", " -->"))
    stopped = findable(*arguments, *gate, "new")
    assert stopped.returncode == 1
    assert "/bread: new since the baseline: The page has no title [title-present]\n" in stopped.stderr
    assert findable(*arguments, *gate, "failed").returncode == 1
    assert "in the baseline" in findable(*arguments, *gate, "score").stderr
    both = findable(*arguments, *gate, "failed", "--fail-under", "100")
    assert "is below 100" in both.stderr


def test_a_page_that_cannot_be_compared_with_the_baseline_says_why(findable: Run, bakery: Site, tmp_path: Path) -> None:
    arguments = ("audit", bakery.url("/bread"), "--as", "https://www.example.com", "--format", "json")
    saved = json.loads(findable(*arguments).stdout)
    baseline = tmp_path / "baseline.json"
    bakery.page("/bread", GOOD.replace("<title>", '<meta name="robots" content="noindex"><title>'))

    def gate(changed: dict[str, Any], *more: str) -> tuple[int, str]:
        baseline.write_text(json.dumps({**saved, **changed}))
        done = findable(*arguments, "--baseline", str(baseline), "--fail-on", "new", *more)
        return done.returncode, done.stderr

    engine = saved["engine"]
    other_ruleset = {"engine": {**engine, "ruleset": "2020-01"}}
    away = {"results": [{"id": "http-status", "verdict": "failed", "summary": "It returns 503"}]}
    assert gate({})[0] == 1
    code, told = gate(other_ruleset, "--fail-under", "0")
    assert code == 0
    assert f"/bread: not compared: ruleset 2020-01, this is {engine['ruleset']}\n" in told
    assert gate(other_ruleset)[0] == gate(other_ruleset, "--fail-under", "100")[0] == 1, "rated bad"
    for changed, reason in (
        ({"engine": {**engine, "sources": [*engine["sources"], "browser"]}}, "the two results come from different sources"),
        ({"engine": None}, "the earlier result is not complete"),
        (away, "the page or site was not available then"),
    ):
        code, told = gate(changed, "--fail-under", "0")
        assert (code, f"/bread: not compared with the baseline: {reason}" in told) == (3, True)
        assert gate(changed, "--fail-under", "100")[0] == 1


def test_pages_not_meant_for_search_say_so(findable: Run, site: Site) -> None:
    site.page("/thanks", GOOD.replace("<title>", '<meta name="robots" content="noindex"><title>'))
    site.page("/thank-you", "", status=301, headers=(("Location", "/thanks"),))
    command = ("audit", site.url("/thank-you"), "--format", "json")
    plain, hidden, other = (
        json.loads(findable(*command, *more).stdout)
        for more in ((), ("--not-for-search", "/nothing", "--not-for-search", "/thanks*"), ("--not-for-search", "/thank-you"))
    )

    def verdict(report: dict[str, Any]) -> str:
        return next(str(row["verdict"]) for row in report["results"] if row["id"] == "noindex")

    assert [(report["not_for_search"], verdict(report)) for report in (plain, hidden, other)] == [
        (False, "failed"),
        (True, "inapplicable"),
        (False, "failed"),
    ]
    assert hidden["score"] > plain["score"]
    wrong = findable("audit", site.url("/thanks"), "--not-for-search", "thanks")
    assert wrong.returncode == 2
    assert "--not-for-search: thanks: A pattern begins with" in wrong.stderr


def test_accepted_findings_leave_the_score(findable: Run, bakery: Site, tmp_path: Path) -> None:
    accept = tmp_path / "accept.toml"
    accept.write_text('[[accept]]\ncheck = "title-present"\nreason = "a fragment"\n')
    url = bakery.url("/terse")
    before = json.loads(findable("audit", url, "--format", "json").stdout)
    after = json.loads(findable("audit", url, "--format", "json", "--accept", str(accept)).stdout)

    assert after["score"] > before["score"]

    whole = findable("audit", url, "--all", "--accept", str(accept)).stdout
    assert whole.count("[title-present]") == 1
    assert "[title-present]\n      Because: a fragment" in whole.partition("Accepted, not in the score")[2]
    assert "1 accepted (--all" in " ".join(findable("audit", url, "--accept", str(accept)).stdout.split())


def test_an_address_without_a_scheme_is_tried_over_http_too(findable: Run, bakery: Site) -> None:
    typed = bakery.url("/bread").removeprefix("http://")

    assert findable("audit", typed).stdout.splitlines()[0] == bakery.url("/bread")
    assert f'"requested_url": "{bakery.url("/bread")}"' in findable("gather", typed).stdout.replace('":"', '": "')
    alone = findable("audit", typed, "--user", "me:secret")
    assert alone.returncode == 3
    assert alone.stdout.splitlines()[0] == f"https://{typed}"


def test_a_list_says_what_to_fix_first_on_each_page_and_a_tally(findable: Run, bakery: Site) -> None:
    done = findable("audit", "--list", "-", stdin=f"# pages\n{bakery.url('/bread')}\n\n{bakery.url('/terse')}\n")
    lines = done.stdout.splitlines()
    terse = lines[lines.index(bakery.url("/terse")) :]

    assert done.returncode == 1
    assert terse[1] == "Rated bad"
    assert "Fix first" in terse
    assert any(line.startswith("  1. ✗ ") for line in terse)
    assert not any(line.startswith("  4. ") for line in terse)
    assert lines[-1].startswith("2 pages: ")


def test_one_run_writes_every_format_and_prints_annotations_with_files(findable: Run, bakery: Site, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/terse.html").write_text(f"<!-- a template -->\n\n{TERSE}")
    formats = ("sarif", "junit", "gitlab", "html", "comment", "json", "csv")
    files = [f"--export={name}={tmp_path / name}" for name in formats]
    done = findable(
        *("audit", bakery.url("/terse"), bakery.url("/bread"), "--source", "/*=site/*", "--format", "github", "--only-problems", *files),
        GITHUB_STEP_SUMMARY=str(tmp_path / "summary"),
    )
    reports = json.loads((tmp_path / "json").read_text())
    run = json.loads((tmp_path / "sarif").read_text())["runs"][0]
    places = {place["physicalLocation"]["artifactLocation"]["uri"] for item in run["results"] for place in item["locations"][:1]}

    assert done.returncode == 1, done.stderr
    assert "::error file=site/terse.html,line=3,title=Findable%3A title-present::The page has no title" in done.stdout
    assert len([line for line in done.stdout.splitlines() if line.startswith("::error")]) <= 10
    assert [report["url"] for report in reports] == [bakery.url("/terse"), bakery.url("/bread")]
    assert {row["verdict"] for report in reports for row in report["results"]} == {"failed", "warned"}
    assert "site/terse.html" in places
    assert any(place.startswith("127.0.0.1%3A") for place in places), "the page without a file has its URL"
    assert (tmp_path / "summary").read_text() == (tmp_path / "comment").read_text()
    assert all((tmp_path / name).stat().st_size for name in formats)


def test_a_baseline_of_problems_only_stops_what_is_new(findable: Run, bakery: Site, tmp_path: Path) -> None:
    url, baseline = bakery.url("/bread"), tmp_path / "baseline.json"
    arguments = ("audit", url, "--as", "https://www.example.com")
    findable(*arguments, "--only-problems", "--format", "json", "--output", str(baseline))
    compared = ("--baseline", str(baseline), "--fail-on", "new")

    assert findable(*arguments, *compared).returncode == 0
    bakery.page("/bread", GOOD.replace("<title>", "<title hidden></title><!--").replace("</title>\n", "-->\n", 1))
    assert "title-present" in findable(*arguments, *compared).stderr


def test_an_export_that_cannot_be_written_is_refused_before_anything_is_fetched(findable: Run, bakery: Site, tmp_path: Path) -> None:
    url = bakery.url("/bread")
    for option, complaint in (
        ("sarif", "is not FORMAT=FILE"),
        ("xml=a.xml", "is not FORMAT=FILE"),
        ("text=a.txt", "is not FORMAT=FILE"),
        (f"sarif={tmp_path}/none/a.sarif", "--export: "),
    ):
        done = findable("audit", url, "--export", option)
        assert (done.returncode, done.stdout) == (2, ""), option
        assert complaint in done.stderr
    for option in ("docs/*=content/*", "/docs/*=/etc/*", "/docs/*=../*", "/docs=content/*", "/docs"):
        done = findable("audit", url, "--source", option)
        assert (done.returncode, done.stdout) == (2, ""), option
        assert "--source: " in done.stderr
    assert not bakery.requests


def test_a_sitemap_names_the_pages(findable: Run, bakery: Site) -> None:
    bakery.page(
        "/sitemap.xml",
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{bakery.url("/bread")}</loc></url></urlset>',
        content_type="application/xml",
    )
    done = findable("audit", "--sitemap", bakery.url("/sitemap.xml"))

    assert done.stdout.splitlines()[0] == bakery.url("/bread")


def test_a_bad_page_exits_1(findable: Run, bakery: Site) -> None:
    bakery.page("/bread", GOOD, headers=[("X-Robots-Tag", "noindex")])
    done = findable("audit", bakery.url("/bread"))

    assert done.returncode == 1
    assert done.stdout.splitlines()[1] == "Rated bad"


def test_a_login_is_sent_to_the_origin_and_shown_nowhere(findable: Run, bakery: Site) -> None:
    done = findable(
        "audit",
        bakery.url("/bread"),
        "--user",
        "anna:s3cret",
        "--header",
        "X-Preview: yes",
        "--cookie",
        "pass=ab12cd34",
        "--format",
        "json",
    )
    asked = bakery.asked("/bread")[0]

    assert asked.headers["authorization"].startswith("Basic ")
    assert asked.headers["x-preview"] == "yes"
    assert asked.headers["cookie"] == "pass=ab12cd34"
    assert "s3cret" not in done.stdout
    assert "YW5uYTpzM2NyZXQ" not in done.stdout
    assert "ab12cd34" not in done.stdout


def test_narrow_terminals_and_no_colour_are_respected(findable: Run, bakery: Site) -> None:
    done = findable("audit", bakery.url("/terse"), COLUMNS="50", NO_COLOR="1")

    assert max(map(len, done.stdout.splitlines())) <= 50


def test_gather_then_check_gives_the_same_report(findable: Run, bakery: Site, tmp_path: Path) -> None:
    saved = tmp_path / "page.json"
    saved.write_text(findable("gather", bakery.url("/bread")).stdout)
    first = findable("check", str(saved), "--format", "json")
    second = findable("check", "-", "--format", "json", stdin=saved.read_text())

    assert first.returncode == 0 or json.loads(first.stdout)["result"] == "bad"
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["url"] == bakery.url("/bread")


def test_diff_names_what_changed(findable: Run, bakery: Site, tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(findable("gather", bakery.url("/bread")).stdout)
    bakery.page("/bread", GOOD.replace("<title>", "<!-- ").replace("</title>", " -->"))
    after.write_text(findable("gather", bakery.url("/bread")).stdout)
    done = findable("diff", str(before), str(after))

    assert done.returncode == 1
    assert "The page has no title" in done.stdout


def test_urls_of_the_future_origin_are_requested_at_the_preview(findable: Run, bakery: Site) -> None:
    origin = "https://www.bakery.example"
    versions = "".join(
        f'<link rel="alternate" hreflang="{code}" href="{origin}{path}">' for code, path in (("en", "/bread"), ("de", "/brot"))
    )
    canonical = '<link rel="canonical" href="https://www.example.com/bread">'
    bakery.page("/bread", GOOD.replace(canonical, f'<link rel="canonical" href="{origin}/loaf">{versions}'))
    bakery.page("/loaf", GOOD.replace(canonical, f'<link rel="canonical" href="{origin}/loaf">'))
    bakery.page("/brot", GOOD.replace(canonical, versions))
    listed = f"<url><loc>{origin}/bread</loc></url><url><loc>{origin}/gone</loc></url>"
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    bakery.page("/sitemap.xml", f'<urlset xmlns="{namespace}">{listed}</urlset>', content_type="application/xml")
    bakery.page("/robots.txt", f"Sitemap: {origin}/sitemap.xml\n", content_type="text/plain")
    report = json.loads(findable("audit", bakery.url("/bread"), "--as", origin, "--format", "json").stdout)
    rows = {row["id"]: row for row in report["results"]}

    assert rows["canonical-target"]["verdict"] == "passed"
    assert rows["hreflang-targets"]["verdict"] == "passed"
    assert rows["hreflang-return"]["verdict"] == "passed"
    assert rows["sitemap-valid"]["verdict"] == "warned"
    assert [(item["url"], item["status"]) for item in rows["sitemap-valid"]["evidence"]] == [(f"{origin}/gone", 404)]
    assert any(item["kind"] == "sitemap" and f"{origin}/bread" in item["text"] for item in rows["sitemap-lists-page"]["evidence"])


def test_robots_disallow_is_judged_and_the_page_is_fetched_all_the_same(findable: Run, bakery: Site) -> None:
    bakery.page("/robots.txt", "User-agent: *\nDisallow: /\n", content_type="text/plain")
    report = json.loads(findable("audit", bakery.url("/bread"), "--as", "https://www.example.com", "--format", "json").stdout)
    row = next(row for row in report["results"] if row["id"] == "robots-txt-allows")

    assert report["status"] == "done"
    assert row["verdict"] == "failed"
    assert any("Disallow: /" in item["text"] and item["line"] == 2 for item in row["evidence"])
    assert report["score"] <= 49


@pytest.mark.parametrize(
    ("format_", "start"), [("csv", '\ufeff"url"'), ("markdown", "# SEO report"), ("comment", "<!-- findable -->"), ("html", "<!doctype")]
)
def test_other_formats(findable: Run, bakery: Site, tmp_path: Path, format_: str, start: str) -> None:
    done = findable("audit", bakery.url("/terse"), "--format", format_)
    written = findable("audit", bakery.url("/terse"), "--format", format_, "--output", str(tmp_path / "report"))

    assert done.stdout.startswith(start)
    assert done.stderr == ""
    assert (written.stdout, written.returncode) == ("", done.returncode)
    assert (tmp_path / "report").read_text(encoding="utf-8").startswith(start)


def test_a_pdf_is_written_to_a_file(findable: Run, bakery: Site, tmp_path: Path) -> None:
    english, german, again = tmp_path / "en.pdf", tmp_path / "de.pdf", tmp_path / "again.pdf"
    done = findable("audit", bakery.url("/terse"), "--format", "pdf", "-o", str(english))
    saved = tmp_path / "page.json"
    saved.write_text(findable("gather", bakery.url("/terse")).stdout)
    findable("check", str(saved), "--format", "pdf", "--language", "de", "-o", str(german))
    findable("check", str(saved), "--format", "pdf", "--language", "de", "-o", str(again))

    assert (done.stdout, done.stderr) == ("", "")
    assert english.read_bytes().startswith(b"%PDF-1.7")
    assert german.read_bytes() == again.read_bytes()


def test_a_pdf_that_could_not_be_written_is_refused_before_anything_is_fetched(findable: Run, bakery: Site, tmp_path: Path) -> None:
    url = bakery.url("/terse")
    for arguments, complaint in (
        ((url, "--format", "pdf", "-o", str(tmp_path / "no" / "report.pdf")), "is not a directory"),
        ((url, bakery.url("/"), "--format", "pdf"), "a PDF contains the report of one page, not of 2"),
        ((url, "-o", str(tmp_path / "report.txt")), "--output: requires a --format other than text"),
    ):
        done = findable("audit", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert complaint in done.stderr


def _sitemap(*urls: str) -> str:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


def _index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'


def test_a_login_goes_to_the_sitemap_and_to_the_pages_beside_it_alone(findable: Run, bakery: Site, make_site: Callable[..., Site]) -> None:
    elsewhere = make_site()
    elsewhere.page("/bread", GOOD)
    listed = _sitemap(bakery.url("/bread"), elsewhere.url("/bread"), f"http://me:hidden@127.0.0.1:{bakery.port}/")
    bakery.page("/sitemap.xml", listed, content_type="application/xml")
    done = findable(
        "audit", "--sitemap", bakery.url("/sitemap.xml"), "--user", "anna:s3cret", "--allow-target", f"127.0.0.1:{elsewhere.port}"
    )

    assert bakery.asked("/sitemap.xml")[0].headers["authorization"].startswith("Basic ")
    assert bakery.asked("/bread")[0].headers["authorization"].startswith("Basic ")
    assert elsewhere.asked("/bread")
    assert all("authorization" not in one.headers for one in elsewhere.requests)
    assert done.stdout.splitlines()[-1].startswith("2 pages: ")


def test_a_private_host_that_only_a_sitemap_names_is_not_reached(findable: Run, bakery: Site, make_site: Callable[..., Site]) -> None:
    inside = make_site()
    inside.page("/bread", GOOD)
    bakery.page("/sitemap.xml", _sitemap(inside.url("/bread")), content_type="application/xml")
    done = findable("audit", "--sitemap", bakery.url("/sitemap.xml"))

    assert done.returncode == 3
    assert "[target_refused]" in done.stdout
    assert "or --allow-target allows it" in " ".join(done.stdout.split())
    assert not inside.requests


def test_the_sitemap_of_a_preview_names_the_real_site_and_the_preview_is_asked(findable: Run, bakery: Site) -> None:
    bakery.page("/sitemap.xml", _index("https://www.example.com/sitemap-1.xml"), content_type="application/xml")
    bakery.page("/sitemap-1.xml", _sitemap("https://www.example.com/bread#top"), content_type="application/xml")
    typed = bakery.url("/sitemap.xml").removeprefix("http://")
    done = findable("audit", "--sitemap", typed, "--as", "https://www.example.com")

    assert done.stdout.splitlines()[0] == "https://www.example.com/bread (preview of https://www.example.com)"
    assert bakery.asked("/bread")


def test_a_list_may_begin_with_a_byte_order_mark(findable: Run, bakery: Site, tmp_path: Path) -> None:
    (tmp_path / "pages.txt").write_bytes(b"\xef\xbb\xbf" + bakery.url("/bread").encode() + b"\r\n")
    done = findable("audit", "--list", "pages.txt", "--as", "https://www.example.com")

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments", [("index.html",), ("./index.html",), (".",), ("file:///tmp/index.html",), ("--sitemap", "index.html")]
)
def test_a_file_on_disk_is_to_be_served_first(findable: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "index.html").write_text(GOOD)
    done = findable("audit", *arguments)

    assert done.returncode == 2
    assert "is a file; give its http URL: python3 -m http.server" in done.stderr


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        '{"url": "https://example.com/", "results": []}',
        '{"url": "https://example.com/", "score": "x", "result": null, "results": []}',
        '{"url": "https://example.com/", "score": 1, "result": "bad", "results": [{"id": "noindex"}]}',
        "[" * 100_000,
    ],
)
def test_a_baseline_that_is_no_report_is_named_before_anything_is_fetched(findable: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "earlier.json").write_text(content)
    done = findable("audit", "http://127.0.0.1:9/", "--baseline", "earlier.json", "--fail-on", "score")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "findable: --baseline: earlier.json is not output of findable audit --format json\n"


def test_a_page_that_the_baseline_lacks_is_said(findable: Run, bakery: Site, tmp_path: Path) -> None:
    unseen = findable("audit", "http://127.0.0.1:9/", "--format", "json").stdout
    (tmp_path / "earlier.json").write_text(unseen.replace("http://127.0.0.1:9/", bakery.url("/bread")))
    done = findable("audit", bakery.url("/bread"), "--baseline", "earlier.json", "--fail-on", "new")

    assert done.returncode == 0
    assert "/bread: not in the baseline; " in done.stderr


def test_a_threshold_between_two_scores_is_one(findable: Run, bakery: Site) -> None:
    score = json.loads(findable("audit", bakery.url("/terse"), "--format", "json").stdout)["score"]
    done = findable("audit", bakery.url("/terse"), "--fail-under", f"{score}.5")

    assert done.returncode == 1
    assert f"score {score} is below {score}.5" in done.stderr


def test_pages_are_counted_in_the_language_of_the_reports(findable: Run, bakery: Site) -> None:
    done = findable("audit", bakery.url("/terse"), "http://127.0.0.1:9/", "--language", "de")

    assert done.stdout.splitlines()[-1] == "2 Seiten: 1 schlecht, 1 ohne Bewertung"
    assert "\nDer Server nahm die Verbindung nicht an.\n" in done.stdout


def test_diff_of_a_page_that_was_not_seen_says_nothing_of_it(findable: Run, bakery: Site, tmp_path: Path) -> None:
    (tmp_path / "seen.json").write_text(findable("audit", bakery.url("/terse"), "--format", "json").stdout)
    (tmp_path / "unseen.json").write_text(findable("audit", "http://127.0.0.1:9/", "--format", "json").stdout)
    for pair in (("seen.json", "unseen.json"), ("unseen.json", "seen.json")):
        done = findable("diff", *pair)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == "findable: unseen.json: the page could not be loaded then, so nothing can be compared\n"
    both = json.dumps([json.loads((tmp_path / "seen.json").read_text())] * 2)
    (tmp_path / "two.json").write_text(both)
    assert "two.json: contains 2 reports" in findable("diff", "two.json", "seen.json").stderr


@pytest.mark.parametrize("command", ["audit", "crawl"])
@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("shop", "'shop': is no complete host name; for a host of your own network use http://shop/"),
        ("a.example,b.example", "contains several URLs: separate them by blanks, without quotes"),
        ("https://a.example/, https://b.example/", "contains several URLs"),
        ("htp://shop.example/", "is not an http or https URL"),
        ("https://", "is not an http or https URL"),
    ],
)
def test_a_typing_error_is_asked_back_before_anything_is_requested(findable: Run, command: str, typed: str, complaint: str) -> None:
    done = findable(command, typed)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in " ".join(done.stderr.split())


def test_a_server_error_is_no_rating_and_exits_3(findable: Run, site: Site) -> None:
    site.page("/", GOOD, status=503)
    done = findable("audit", site.url("/"))
    assert done.returncode == 3
    assert "The server returned an error." in done.stdout
    (report,) = [json.loads(findable("audit", site.url("/"), "--format", "json").stdout)]
    assert (report["result"], report["score"], report["error"]["code"]) == (None, None, "server_error")
