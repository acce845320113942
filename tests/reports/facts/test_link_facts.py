"""The facts of links, address, tree and forms."""

from findable.reports.facts.link_facts import LINKS_SHOWN
from tests.checks.harness import artifacts, page
from tests.reports import facts_json


def test_facts_of_a_page() -> None:
    html = page('<nav><a href="/a" rel="nofollow">A</a></nav><a href="https://b.example/">B</a><form><input aria-label="X"></form>')
    found = facts_json(artifacts(html, links={"https://www.example.com/a": 404}))

    assert found["links"][0] == {
        "url": "https://www.example.com/a",
        "kind": "internal",
        "anchor_text": "A",
        "rel": ["nofollow"],
        "region": "nav",
        "line": 8,
        "status": 404,
        "state": "broken",
    }
    assert found["link_counts"]["asked_count"] == 1
    assert found["top_hosts"] == [{"host": "b.example", "links_count": 1}]
    assert found["address"]["depth"] == 2
    assert found["forms"] == {"forms_count": 1, "fields_count": 1, "buttons_count": 0, "nameless_count": 0}
    assert found["dom"]["elements_count"] > 5


def test_a_link_that_redirects_says_how_and_where_to() -> None:
    moved = {"final_url": "https://www.example.com/b", "redirect_status": 308}
    found = facts_json(artifacts(page('<a href="/a">A</a><a href="/b">B</a>'), links={"https://www.example.com/a": moved}))

    assert (found["links"][0]["redirect_status"], found["links"][0]["final_url"]) == (308, "https://www.example.com/b")
    assert not {"redirect_status", "final_url"} & found["links"][1].keys()


def test_lists_are_bounded_and_say_so() -> None:
    found = facts_json(artifacts(page('<a href="/a">A</a>' * 1300)))

    assert len(found["links"]) == LINKS_SHOWN
    assert found["links_left_count"] == 300


def test_what_is_no_html_has_only_an_address() -> None:
    members = {"links", "link_counts", "top_hosts", "technologies", "address", "dom", "forms"}
    assert members & facts_json(artifacts("x", status=404)).keys() == {"address"}
