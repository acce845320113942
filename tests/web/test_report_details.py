"""The long lists of a report: sorted, filtered, in pages, as files, and the trees beside them."""

import csv
import io
import re
from urllib.parse import parse_qsl

from findable.checks.engine import all_checks
from findable.crawl.exported_table import table_of
from findable.export.table_files import table_csv
from findable.reports.analysis import analyse
from findable.reports.charts import PairTable
from findable.reports.facts import Facts
from findable.web.pages.report.appendix import Bars, DataTree, Outline, Section, Snippets, sections
from findable.web.pages.report.detail_tables import LISTS, detail_query, detail_table, wanted_rows
from findable.web.pages.report.fact_values import Rows
from findable.web.pages.report.finding_groups import LISTS_OF
from findable.web.pages.shared.page_templates import environment
from findable.wording import ENGLISH
from tests.checks.harness import capture, page, rendering
from tests.web.live import Client, Live

LINKS = "".join(f'<li><a href="/page-{number}"{" rel=nofollow" if number % 2 else ""}>Page {number}</a></li>' for number in range(250))


def table(reader: Client, path: str, **query: str) -> list[list[str]]:
    """The cells of the rows that a page of a list shows."""
    text = reader.get(path, None, **query).text
    rows = re.findall(r"<tr>(.*?)</tr>", text.partition("<tbody>")[2], re.DOTALL)
    return [[re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)] for row in rows]


def test_all_links_are_listed_sorted_filtered_and_downloaded(live: Live, client: Client) -> None:
    live.analyser.pages["many.example"] = page(body=f"<h1>Many</h1><ul>{LINKS}</ul>")
    path = f"/r/{client.report('https://many.example/')['public_id']}"
    guest = client.guest()
    assert f'href="{path}/details/links"' in guest.get(path, view="full").text
    links = f"{path}/details/links"
    every = table(guest, links)
    assert (len(every), every[0][0]) == (250, "Page 0")
    assert table(guest, links, sort="-anchor_text")[0][0] == "Page 99"
    assert table(guest, links, sort="anchor_text")[1][0] == "Page 1"
    assert {row[-2] for row in table(guest, links, rel="nofollow")} == {"nofollow"}
    assert "Nothing matches." in guest.get(links, rel="nowhere").text
    file = guest.get(f"{links}.csv", rel="nofollow", sort="-anchor_text")
    assert file.headers["Content-Type"].startswith("text/csv")
    assert file.headers["Content-Security-Policy"].endswith("sandbox")
    rows = list(csv.DictReader(io.StringIO(file.body.decode("utf-8-sig"))))
    assert [row["anchor_text"] for row in rows[:2]] == ["Page 99", "Page 97"]
    assert len(rows) == 125
    assert [guest.get(f"{path}/details/{name}").status for name in ("nothing", "links.pdf", "cookies")] == [404] * 3
    assert guest.get(links, sort="no_column", rel="x" * 500).status == 200


def test_links_that_redirect_are_listed_with_their_targets() -> None:
    moved = {
        f"https://www.example.com/{name}": {"final_url": f"https://www.example.com/{name}/new", "redirect_status": 301} for name in "ab"
    }
    later = {"https://www.example.com/c": {"final_url": "https://www.example.com/d", "redirect_status": 302}}
    html = page("".join(f'<a href="/{name}">To {name}</a>' for name in "abcd"))
    facts = analyse(capture(html, links={**moved, **later, "https://www.example.com/d": 200})).facts
    name, _, text = LISTS_OF["links-redirected"].partition("?")
    query = detail_query(name, dict(parse_qsl(text)))
    shown = detail_table(name, facts, ENGLISH, "", query, is_whole=True)
    assert shown is not None
    assert [one.words for one in shown.columns][:5] == ["Link text", "URL", "Status", "Redirect", "Final URL"]
    assert [(cells[0].text, cells[3].text, cells[4].text) for cells in shown.rows] == [
        ("To a", "301", "https://www.example.com/a/new"),
        ("To b", "301", "https://www.example.com/b/new"),
        ("To c", "302", "https://www.example.com/d"),
    ]
    redirect = next(one for one in shown.filters if one.name == "redirect_status")
    assert [(one.value, one.count) for one in redirect.choices] == [("", None), ("any", 3), ("301", 2), ("302", 1)]
    rows = wanted_rows(name, facts, query)
    file = list(csv.DictReader(io.StringIO(b"".join(table_csv(table_of(name, type(rows[0]), rows))).decode("utf-8-sig"))))
    assert [one["final_url"] for one in file] == [cells[4].text for cells in shown.rows]


def test_lists_are_for_readers_of_the_details(live: Live) -> None:
    email = live.email()
    client = live.client(email=email)
    path = f"/r/{client.report(privacy=1)['public_id']}/details/headers"
    assert [client.guest().get(path).status, client.guest().get(f"{path}.csv").status, live.signed_in(email).get(path).status] == [
        404,
        404,
        200,
    ]
    shared = f"/r/{client.report('https://shared.example/')['public_id']}"
    assert client.guest().get(f"{shared}/details/headers").status == 200
    live.signed_in(email).post(f"{shared}/client", {"sections": "findings"}, {"Origin": f"http://127.0.0.1:{live.port}"})
    assert client.guest().get(f"{shared}/details/headers").status == 404


def made(html: str) -> tuple[Section, ...]:
    report = analyse(capture(html))
    return sections(report.facts, ENGLISH, "/r/x", {}, report.findings)


def test_headings_are_a_tree_that_shows_where_a_level_is_missing() -> None:
    found = next(one for one in made(page(body="<h1>A</h1><h2>B</h2><h4>C</h4><h2>D</h2>")) if one.id == "headings")
    outline = found.blocks[0].shape
    assert isinstance(outline, Outline)
    assert [(item.level, item.text) for item in outline.items] == [(1, "A"), (2, "B"), (4, "C"), (2, "D")]
    rows = str(environment().get_template("facts.html").module.shape(outline, "")).split("<li")[1:]  # type: ignore[attr-defined]  # a macro
    assert ["skips a level" in row for row in rows] == [False, False, True, False]


def test_faults_of_structured_data_stand_at_their_item() -> None:
    offer = '{"@context":"https://schema.org","@type":"Product","name":"Bread","offers":{"@type":"Offer"}}'
    other = '{"@context":"https://schema.org","@type":"WebSite","name":"Bakery"}'
    head = f'<script type="application/ld+json">{other}</script>\n<script type="application/ld+json">{offer}</script>'
    found = next(one for one in made(page(head=head)) if one.id == "data")
    tree = found.blocks[0].shape
    assert isinstance(tree, DataTree)
    site, product = tree.items
    assert site.faults == ()
    assert product.faults
    assert "Product" in product.faults[0]
    assert [inner.types for one in product.properties for inner in one.items] == ["Offer"]
    broken = (
        next(one for one in made(page(head='<script type="application/ld+json">{"@type": </script>')) if one.id == "data").blocks[0].shape
    )
    assert isinstance(broken, DataTree)
    assert broken.faults


def test_what_scripts_change_is_shown_as_two_search_results_and_a_table() -> None:
    sent = page(head="<title>Shop</title>", body="<p>Shop</p>")
    facts = analyse(capture(sent, rendering=rendering(page(head="<title>Tea and cups</title>", body="<h1>Tea</h1>")))).facts
    blocks = next(one for one in sections(facts, ENGLISH) if one.id == "browser").blocks
    (pair,) = (block.shape for block in blocks if isinstance(block.shape, Snippets))
    assert [(one.caption, one.title) for one in pair.results] == [
        ("Search result as sent", "Shop"),
        ("Search result after scripts", "Tea and cups"),
    ]
    parts = next(block.shape for block in blocks if isinstance(block.shape, Rows) and "As sent" in block.shape.columns)
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in parts.rows}
    assert rows["Title"] == ["Shop", "Tea and cups"]
    assert rows["Main heading"] == ["none", "Tea"]
    assert "Robots rules" not in rows, "a part that occurs nowhere says nothing"
    same = analyse(capture(sent, rendering=rendering(sent))).facts
    assert not any(isinstance(block.shape, Snippets) for section in sections(same, ENGLISH) for block in section.blocks)


def test_times_and_weight_are_bars_of_known_length() -> None:
    found = {one.id: one for one in made(page(body='<img src="/a.png">'))}
    times, weight = (found[name].blocks[0].shape for name in ("times", "weight"))
    assert isinstance(times, Bars)
    assert all(one.percent is not None and 0 <= one.percent <= 100 for one in times.lines)
    assert isinstance(weight, PairTable)
    assert all(0 <= percent <= 100 for one in weight.lines for percent in (one.left_percent, one.right_percent))


def test_the_weight_of_files_that_were_not_requested_is_not_zero() -> None:
    found = {one.id: one for one in made(page(body='<img src="https://other.example/a.png" alt="A">'))}
    bars = found["weight"].blocks[0].shape
    assert isinstance(bars, PairTable)
    shown = {line.name: (line.left, line.right, line.note) for line in bars.lines}
    assert shown["image"] == ("–", "1", "1 of other sites, 1 of unknown size")


def test_every_list_has_columns_of_its_rows_with_the_telling_one_first() -> None:
    facts = analyse(capture(page(body="<h1>Bread</h1><p>bread and rye bread</p>" * 30))).facts
    words = detail_table("words", facts, ENGLISH, "", detail_query("words", {}))
    assert words is not None
    assert words.columns[0].words == "Word"
    assert (words.href, words.csv) == ("", "")
    for name, one in LISTS.items():
        rows = one.rows(facts)
        assert not rows or set(one.columns) <= set(rows[0].__struct_fields__), name
        assert one.rows(Facts()) in (None, ()), name


def test_findings_lead_to_lists_with_filters_that_exist() -> None:
    assert LISTS_OF.keys() <= all_checks().keys()
    for target in LISTS_OF.values():
        name, _, text = target.partition("?")
        query = dict(parse_qsl(text))
        assert detail_query(name, query).parameters() == query, target
