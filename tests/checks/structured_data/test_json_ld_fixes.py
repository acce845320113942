"""Fixes of titles, descriptions and structured data hold the page's own values; pasted, they settle the finding."""

from findable.checks.engine import Finding
from findable.checks.page_fix import FixPlace
from tests.checks.harness import finding, page, verdict

OPEN_GRAPH = (
    '<meta property="og:type" content="article"><meta property="og:title" content="Tea &amp; bread">'
    '<meta property="og:site_name" content="The &lt;Bakery"><meta property="og:description" content="All about &quot;tea&quot; and bread, from the mill to the table.">'
    '<meta property="og:image" content="https://www.example.org/tea.png"><meta property="article:published_time" content="2026-10-01">'
    '<meta name="author" content="Ada Baker">'
)
HTML = page("<main><h1>Tea &amp; bread</h1><p>Text.</p></main>", head=OPEN_GRAPH, lang="en-GB")
HOME = "https://www.example.org/"


def pasted(html: str, found: Finding) -> str:
    for fix in found.fixes:
        if fix.place is FixPlace.HEAD:
            html = html.replace("</head>", f"{fix.code}\n</head>")
        else:
            assert fix.line is not None
            assert fix.column is not None
            lines = html.splitlines(keepends=True)
            before = "".join(lines[: fix.line - 1]) + lines[fix.line - 1][: fix.column - 1]
            assert html[len(before) :].startswith(fix.instead_of)
            html = before + fix.code + html[len(before) + len(fix.instead_of) :]
    return html


def test_fixes_of_a_page_settle_their_findings() -> None:
    for check, url in (
        ("title-present", "https://www.example.org/tea"),
        ("meta-description", "https://www.example.org/tea"),
        ("sd-present", "https://www.example.org/tea"),
        ("max-image-preview", "https://www.example.org/tea"),
        ("sd-present", HOME),
    ):
        found = finding(check, HTML, url=url)

        assert found.fixes, check
        assert verdict(check, pasted(HTML, found), url=url) == "passed", check


def test_an_article_is_described_with_its_own_values() -> None:
    code = finding("sd-present", HTML, url="https://www.example.org/tea").fixes[0].code

    for value in (
        '"Article"',
        '"Tea & bread"',
        '"https://www.example.org/tea"',
        '"https://www.example.org/tea.png"',
        '"2026-10-01"',
        '"Ada Baker"',
        '"en-GB"',
    ):
        assert value in code


def test_an_article_without_author_or_date_gets_no_draft() -> None:
    for missing in ('<meta name="author" content="Ada Baker">', '<meta property="article:published_time" content="2026-10-01">'):
        assert finding("sd-present", page(head=OPEN_GRAPH.replace(missing, ""))).fixes == ()


def test_dates_of_a_draft_are_iso_and_the_author_is_a_name() -> None:
    date = "2026-10-01"
    assert '"2026-10-01"' in finding("sd-present", HTML.replace(date, "October 1, 2026")).fixes[0].code
    assert finding("sd-present", HTML.replace(date, "November 19, 2019, 07:47 PM EST")).fixes == ()
    assert finding("sd-present", HTML.replace("Ada Baker", "By Ada Baker, Staff writer")).fixes == ()


def test_a_heading_that_names_the_site_is_no_headline() -> None:
    html = HTML.replace("<h1>Tea &amp; bread</h1>", "<h1>The Bakery</h1>")
    assert '"Tea & bread"' in finding("sd-present", html, url="https://www.example.org/tea").fixes[0].code


def test_the_home_page_is_no_article() -> None:
    code = finding("sd-present", HTML, url=HOME).fixes[0].code

    assert '"WebSite"' in code
    assert '"The <Bakery"' in code
    assert "Article" not in code


def test_a_page_of_no_known_kind_gets_no_example() -> None:
    assert finding("sd-present", page(head="<title>Tea</title>")).fixes == ()


def test_a_name_that_would_end_the_script_is_escaped() -> None:
    html = page("<h1>&lt;/script&gt;&lt;!-- x</h1>", head=OPEN_GRAPH.replace("Tea &amp; bread", "&lt;/script&gt;&lt;!-- x"))
    found = finding("sd-present", html)

    assert "<\\/script>" in found.fixes[0].code
    assert verdict("sd-present", pasted(html, found)) == "passed"


def test_corrected_values_settle_their_findings() -> None:
    html = page(
        '<h1>Tea</h1>\n<div itemscope itemtype="https://schema.org/VideoObject"><b itemprop="uploadDate">November 19, 2019</b></div>\n'
        '<p itemtype="https://schema.org/Person">Ann</p>',
        head='<title>Tea</title>\n<script type="application/ld+json">\n{"@context": "https://schema.org", "@type": "Offer",\n'
        ' "price": "1,299.00", "priceCurrency": "Euro"}</script>',
    )
    for _ in range(4):  # one place moves the next
        found = finding("sd-values", html)
        if found.fixes:
            html = pasted(html, Finding(found.verdict, "", offered_fixes=found.fixes[:1]))

    assert verdict("sd-values", html) == "passed"


def test_entities_of_a_description_are_unescaped() -> None:
    html = page(head='<title>Tea</title><meta name="description" content="Tea &amp;amp; bread">')
    found = finding("placeholder-text", html)

    assert verdict("placeholder-text", pasted(html, found)) == "passed"
