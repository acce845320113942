"""Pages as Markdown for those who prefer it, and the overview for language models."""

import re

from findable.checks.engine import all_checks
from findable.web.negotiation import prefers_markdown
from tests.web.live import Client

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_browsers_and_programs_that_take_anything_get_html() -> None:
    for accept in (BROWSER, "", "*/*", "text/html", "text/html, text/markdown;q=0.9", "text/markdown;q=0", "text/markdownx", "x" * 10_000):
        assert not prefers_markdown(accept), accept
    for accept in ("text/markdown", "text/markdown, text/html;q=0.9, */*;q=0.1", "TEXT/Markdown", "text/plain, text/markdown"):
        assert prefers_markdown(accept), accept


def test_the_page_of_a_report_is_markdown_where_that_is_preferred(client: Client) -> None:
    guest = client.guest()
    report = client.report()
    path = f"/r/{report['public_id']}"
    page, markdown = guest.get(path, {"Accept": BROWSER}), guest.get(path, {"Accept": "text/markdown"})

    assert (page.headers["Content-Type"], markdown.headers["Content-Type"]) == ("text/html; charset=utf-8", "text/markdown; charset=utf-8")
    assert all("Accept" in re.split(r",\s*", reply.headers["Vary"]) for reply in (page, markdown))
    assert markdown.text.startswith("# SEO report: ")
    assert page.headers["ETag"] != markdown.headers["ETag"]
    assert f'<link rel="alternate" type="text/markdown" href="{path}/report.md"' in page.text
    private = client.report("https://private.example/", privacy=1)
    assert guest.get(f"/r/{private['public_id']}", {"Accept": "text/markdown"}).status == 404


def test_checks_are_markdown(client: Client) -> None:
    guest = client.guest()
    by_accept, by_name = guest.get("/docs/checks/noindex", {"Accept": "text/markdown"}), guest.get("/docs/checks/noindex.md")

    assert by_accept.text == by_name.text
    assert by_name.text.startswith("# noindex: ")
    assert guest.get("/docs/checks/noindex").headers["Content-Type"].startswith("text/html")
    assert guest.get("/docs/checks/nonsense.md").status == 404


def test_llms_txt_links_what_exists(client: Client) -> None:
    guest = client.guest()
    text = guest.get("/llms.txt").text
    links = re.findall(r"\]\(http://127\.0\.0\.1:\d+(/[^)]+)\)", text)

    assert text.startswith("# Findable\n\n> ")
    assert 20 <= len(links) <= 40
    assert [path for path in links if path != "/mcp" and guest.get(path).status != 200] == []
    full = guest.get("/llms-full.txt").text
    assert all(f"# {check}: " in full for check in all_checks())
