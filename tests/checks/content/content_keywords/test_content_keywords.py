"""Outcomes of content-keywords: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict

TEXT = (
    "A bicycle that has stood in a shed all winter needs about half an hour of care before the first ride. Pump up the tyres, wipe the "
    "chain and put on a drop of oil. Check the brakes one after the other, and turn the wheels to see whether they rub anywhere. "
) * 6
STUFFED = "Buy cheap widgets here, because cheap widgets are the best widgets of all the widgets you can buy. " * 20
SUBJECT = (
    "An imposter table is a table that shares the storage of another table, so that rows which the original hides can be read directly. "
    "Nobody needs one in daily work, and a mistake with it damages the whole file beyond repair. "
) * 8
CARD = "<div><h2>Model {}</h2><p>It is cut by hand and fits to the millimetre.</p><button>Add to basket</button> basket basket</div>"

OUTCOMES = [
    ("a text", page(f"<main><p>{TEXT}</p></main>"), "passed"),
    ("a shop's buttons", page("<main>" + CARD * 40 + "</main>"), "passed"),
    ("Chinese", page(f"<main><p>{'我们的手工小部件质量很好，价格也很便宜。' * 30}</p></main>", lang="zh"), "passed"),
    ("a short text", page("<p>Blue widgets, red widgets, green widgets and more widgets.</p>"), "passed"),
    ("an unsupported language", page("<p>" + "Vi säljer blå cyklar i Stockholm. " * 40 + "</p>", lang="sv"), "inapplicable"),
    ("nothing comes back", page("<p>Hello</p>"), "inapplicable"),
    ("in a table", page(f"<main><table><tr><td><p>{STUFFED}</p></td></tr></table><p>{TEXT}</p></main>"), "passed"),
    ("a reference of an interface", page(f"<main><p>{STUFFED}</p><dl><dt>make()</dt><dd>{STUFFED * 2}</dd></dl></main>"), "passed"),
    (
        "the thing that the page is about",
        page(f"<main><h1>Imposter tables</h1><p>{SUBJECT}</p></main>", head="<title>Tables</title>"),
        "passed",
    ),
    ("a part of a word of the title", page(f"<main><h1>Imposters</h1><p>{SUBJECT}</p></main>", head="<title>Timetables</title>"), "passed"),
    ("another thing as often", page(f"<main><h1>Imposters</h1><p>{SUBJECT}</p></main>", head="<title>SQLite</title>"), "warned"),
    ("stuffed in title and text", page(f"<main><h1>Cheap widgets</h1><p>{STUFFED}</p></main>", head="<title>Widgets</title>"), "warned"),
    ("stuffed", page(f"<main><p>{STUFFED}</p></main>"), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("content-keywords", html) == expected, case


def test_terms_come_with_their_places() -> None:
    found = finding("content-keywords", page(f"<main><h1>Bicycle care</h1><p>{TEXT}</p></main>", head="<title>Bicycle care</title>"))
    shown = {item.text: item.params.get("places") for item in found.evidence}

    assert shown["bicycle"] == ["title", "main_heading"]
