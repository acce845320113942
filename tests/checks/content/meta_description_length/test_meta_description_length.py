"""Outcomes of meta-description-length: first what must not be flagged, then what must."""

import pytest

from tests.checks.harness import finding, page, verdict


def meta(text: str) -> str:
    return f'<title>Blue widgets</title><meta name="description" content="{text}">'


OUTCOMES = [
    ("one sentence", page(head=meta("Blue widgets in twelve sizes, made to measure and delivered in three days.")), "passed"),
    ("Japanese", page(head=meta("青いウィジェットを十二種類のサイズでご用意し、三日以内にお届けします。")), "passed"),
    ("none", page(), "inapplicable"),
    ("blank", page(head=meta(" ")), "inapplicable"),
    ("a script without known widths", page(head=meta("كيف تختار الأداة الزرقاء المناسبة لمنزلك وتعتني بها طوال السنة")), "inapplicable"),
    ("an ellipsis within", page(head=meta("Blue widgets … and red ones, made to measure and delivered in three days.")), "passed"),
    ("an excerpt", page(head=meta("Blue widgets in twelve sizes, made to measure and deliv…")), "warned"),
    ("an excerpt in brackets", page(head=meta("Blue widgets in twelve sizes, made to measure and delivered in […]")), "warned"),
    ("too short", page(head=meta("Blue widgets.")), "warned"),
    ("too long", page(head=meta("Blue widgets in twelve sizes. " * 10)), "warned"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("meta-description-length", html) == expected, case


def test_the_advice_counts_characters_of_this_text() -> None:
    text = "青い部品を十二の大きさで作り、三日でお届けします。" * 6
    found = finding("meta-description-length", page(head=f'<meta name="description" content="{text}">'))

    assert 60 <= found.params["fitting_count"] <= 70
