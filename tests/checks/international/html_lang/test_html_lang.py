"""Outcomes of html-lang."""

from typing import Any

import pytest

from tests.checks.harness import finding, page, verdict

OUTCOMES: list[tuple[str, str, dict[str, Any], str]] = [
    ("en", page(lang="en"), {}, "passed"),
    ("de-AT", page(lang="de-AT"), {}, "passed"),
    ("zh-Hant-TW", page(lang="zh-Hant-TW"), {}, "passed"),
    ("es-419", page(lang="es-419"), {}, "passed"),
    ("sr-Latn-RS", page(lang="sr-Latn-RS"), {}, "passed"),
    ("fil", page(lang="fil"), {}, "passed"),
    ("gsw", page(lang="gsw"), {}, "passed"),
    ("ca-valencia", page(lang="ca-valencia"), {}, "passed"),
    ("en-US-u-hc-h12", page(lang="en-US-u-hc-h12"), {}, "passed"),
    ("EN-us", page(lang="EN-us"), {}, "passed"),
    ("x-klingon", page(lang="x-klingon"), {}, "passed"),
    ("pt-BR", page(lang="pt-BR"), {}, "passed"),
    *(
        (code, page(lang=code), {}, "passed")
        for code in ("cmn", "arb", "ekk", "lvs", "zsm", "swh", "pes", "azj", "yue", "qaa", "in", "iw", "sr-CS")
    ),
    ("bad: empty", page(lang=""), {}, "warned"),
    ("bad: en_US", page(lang="en_US"), {}, "warned"),
    ("bad: eng lish", page(lang="eng lish"), {}, "warned"),
    ("bad: english", page(lang="english"), {}, "warned"),
    ("bad: xx", page(lang="xx"), {}, "warned"),
    ("bad: en-UK", page(lang="en-UK"), {}, "warned"),
    ("bad: eng", page(lang="eng"), {}, "warned"),
    ("bad: ger", page(lang="ger"), {}, "warned"),
    ("bad: xyx", page(lang="xyx"), {}, "warned"),
    ("bad: e", page(lang="e"), {}, "warned"),
    ("bad: 12", page(lang="12"), {}, "warned"),
    ("bad: en-", page(lang="en-"), {}, "warned"),
    ("bad: deutsch", page(lang="deutsch"), {}, "warned"),
    ("missing", page().replace(' lang="en"', ""), {}, "warned"),
    ("xml:lang alone", page().replace(" lang=", " xml:lang="), {}, "warned"),
]


@pytest.mark.parametrize(("case", "html", "given", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, given: dict[str, Any], expected: str) -> None:
    assert verdict("html-lang", html, **given) == expected, case


def test_no_language_is_proposed_that_the_text_does_not_show() -> None:
    found = finding("html-lang", "<title>A</title><p>Short</p>")
    assert found.fixes == ()
    assert "    " not in found.advice
    dummy = "Lorem ipsum dolor sit amet, consectetur adipisici elit, sed eiusmod tempor incidunt ut labore et dolore magna aliqua. " * 5
    assert finding("html-lang", f"<title>A</title><p>{dummy}</p>").fixes == ()


PORTUGUESE = (
    "<p>O administrador deve proteger os serviços da rede, porque as máquinas que estão nela são usadas por muitas pessoas.</p>" * 6
)
REGIONS = [
    ("the URL", "https://www.example.com/pt-BR/a.html", PORTUGUESE, "pt-BR"),
    ("an element", "https://www.example.com/a.html", f'<div lang="pt-BR">{PORTUGUESE}</div>', "pt-BR"),
    ("two regions", "https://www.example.com/a.html", f'<div lang="pt-BR">{PORTUGUESE}</div><p lang="pt-PT">Sim</p>', "pt"),
    ("another language", "https://www.example.com/en-GB/a.html", PORTUGUESE, "pt"),
]


@pytest.mark.parametrize(("case", "url", "body", "expected"), REGIONS, ids=[case for case, *_ in REGIONS])
def test_the_region_is_proposed_that_the_page_declares(case: str, url: str, body: str, expected: str) -> None:
    found = finding("html-lang", f"<!doctype html><html><title>A</title>{body}</html>", url=url)

    assert [fix.code for fix in found.fixes] == [f'<html lang="{expected}">'], case


def test_the_fix_changes_both_attributes_of_the_language() -> None:
    text = "<p>The brass lantern is made by hand in a small workshop, and every piece is tested before it leaves the house.</p>" * 6
    html = page(text).replace('<html lang="en">', '<html xml:lang="ru">')

    assert [fix.code for fix in finding("html-lang", html).fixes] == ['<html xml:lang="en" lang="en">']
