"""Pages as Markdown, and the overview for language models."""

import re

from tests.web.live import Client


def test_the_page_of_a_report_names_its_markdown(client: Client) -> None:
    guest = client.guest()
    path = f"/r/{client.report()['public_id']}"
    page, markdown = guest.get(path, {"Accept": "text/markdown"}), guest.get(f"{path}/report.md")

    assert (page.headers["Content-Type"], markdown.headers["Content-Type"]) == ("text/html; charset=utf-8", "text/markdown; charset=utf-8")
    assert markdown.text.startswith("# SEO report: ")
    assert f'<link rel="alternate" type="text/markdown" href="{path}/report.md"' in page.text
    private = client.report("https://private.example/", privacy=1)
    assert guest.get(f"/r/{private['public_id']}/report.md").status == 404


def test_checks_are_markdown(client: Client) -> None:
    guest = client.guest()

    assert guest.get("/docs/checks/noindex.md").text.startswith("# noindex: ")
    assert guest.get("/docs/checks/noindex").headers["Content-Type"].startswith("text/html")
    assert guest.get("/docs/checks/nonsense.md").status == 404


def test_llms_txt_links_what_exists(client: Client) -> None:
    guest = client.guest()
    text = guest.get("/llms.txt").text
    links = re.findall(r"\]\(http://127\.0\.0\.1:\d+(/[^)]+)\)", text)

    assert text.startswith("# Findable\n\n> ")
    assert 19 <= len(links) <= 40
    assert [path for path in links if path != "/mcp" and guest.get(path).status != 200] == []
    assert guest.get("/llms-full.txt").status == 404
