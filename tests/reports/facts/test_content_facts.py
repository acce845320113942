"""The facts of content are JSON-ready, bounded, and say what the page says."""

import json

from findable.reports.facts.content_facts import HEADINGS_SHOWN, ITEMS_SHOWN, TAGS_SHOWN
from tests.checks.harness import artifacts, page
from tests.reports import facts_json

HEAD = """<title>Bicycle care – Example</title>
<meta name="description" content="How to care for a bicycle that has stood in a shed all winter.">
<meta property="og:title" content="Bicycle care"><meta property="og:image" content="/a.png">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article", "headline": "Bicycle care",
"author": {"@type": "Person", "name": "Ann"}}</script>"""
TEXT = "A bicycle that has stood in a shed all winter needs about half an hour of care before the first ride. " * 5


def test_everything_that_the_page_says() -> None:
    found = facts_json(artifacts(page(f"<main><h1>Bicycle care</h1><p>{TEXT}</p></main>", head=HEAD)))

    assert found["title"]["characters_count"] == 22
    assert found["title"]["truncated_at"] is None
    assert found["headings"]["outline"][0]["text"] == "Bicycle care"
    assert found["words"]["main_count"] == 107
    assert found["language"] == {"declared": "en", "detected": "en", "confidence": 1.0, "used": "en"}
    assert found["keywords"]["single"][0]["term"] == "bicycle"
    assert found["keywords"]["single"][0]["in_title"] is True
    assert found["structured_data"]["items"][0]["properties"]["author"][0]["properties"] == {"name": ["Ann"]}
    assert found["social"]["preview"]["image_url"] == "https://www.example.com/a.png"


def test_lists_are_capped_and_say_how_many_were_left_out() -> None:
    head = '<meta property="og:image" content="/a.png">' * 150
    items = ",".join('{"@type": "Thing", "a": [{}, {}]}' for _ in range(500))
    ld = f'<script type="application/ld+json">{{"@context": "https://schema.org", "@graph": [{items}]}}</script>'
    found = facts_json(artifacts(page("<h2>x</h2>" * 500 + "x" * 10**6, head=head + ld)))

    assert len(found["headings"]["outline"]) == HEADINGS_SHOWN
    assert found["headings"]["left_count"] == 200
    assert len(found["social"]["tags"]) == TAGS_SHOWN
    assert found["social"]["left_count"] == 90
    assert found["structured_data"]["items_count"] == 500
    assert len(found["structured_data"]["items"]) + found["structured_data"]["left_count"] == 500
    assert len(found["structured_data"]["items"]) <= ITEMS_SHOWN
    assert len(json.dumps(found)) < 200_000


def test_a_page_that_was_not_seen_has_none() -> None:
    assert not {"title", "headings", "words", "structured_data", "social"} & facts_json(artifacts("", status=404)).keys()
