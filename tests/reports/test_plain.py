"""Findings in plain words: what owners of a site read about them, and the clicks in their content management system."""

import re

import pytest

from findable.artifacts.tables.cms_clicks import SYSTEMS, system_of
from findable.checks.engine import all_checks
from findable.reports.glossary import EXPLANATIONS, explained_words
from findable.reports.plain import plain_finding
from findable.vocabulary import EditPlace
from findable.wording import Translator, wording

ALL = list(all_checks().values())
FIELD_WORDS = re.compile(
    r"\b(?:alt[- ]?text\w*|alternativ\w* (?:text|description|beschreibung)|anchor\w*|apex|backlink\w*|browser|cache\w*|canonical\w*|certificate"
    r"|cls|cms|code|cookie\w*|crawl\w*|css|csp|dns|dom|favicon|fcp|h1|header\w*|hreflang|hsts|html|https?|iframe|index(?:ed|ing|able|iert\w*)"
    r"|javascript|json|keyword\w*|lcp|lazy|link ?juice|meta\w*|nofollow|noindex|open graph|parameter\w*|php|plugin|query|quirks|redirect\w*"
    r"|render\w*|robots?|schema\w*|script\w*|search engines?|seo|server|serp|sitemap\w*|slug|snippet\w*|spam|ssl|status|stylesheet\w*|suchmaschine\w*"
    r"|structured|strukturiert\w*|tag|tbt|template\w*|tls|ttfb|umleitung\w*|urls?|user.agent|verschlüssel\w*|encrypt\w*|viewport|web ?address\w*"
    r"|weiterleitung\w*|www|xml)\b",
    re.IGNORECASE,
)
"""Words that people who do not build sites may not know."""
NAMES = re.compile(r"[“„]www[”“]|index\.html")
"""Parts of web addresses that a sentence quotes."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("cms", ["", *SYSTEMS])
def test_every_technical_word_in_plain_words_is_explained(cms: str, language: str) -> None:
    say = wording(language)
    unexplained = {}
    for check in ALL:
        if plain := plain_finding(check, cms, say):
            text = f"{plain.summary} {plain.step} {plain.fixer} {plain.time} {plain.clicks}"
            known = {form for word in explained_words(text, say) for form in forms_of(word, say)}
            if left := {word.lower() for word in FIELD_WORDS.findall(NAMES.sub("", text))} - known:
                unexplained[check.id] = sorted(left)

    assert unexplained == {}


def forms_of(word: str, say: Translator) -> set[str]:
    """Forms of an explained word in lower case, and the words in them."""
    entry = next(found for forms in EXPLANATIONS if word.lower() in (found := say(forms).lower()).split("|"))
    return {*entry.split("|"), *re.split(r"[| ,“”„-]+", entry)}


def test_clicks_are_declared_with_the_manual_of_the_maker() -> None:
    sources = {name: {clicks.source for clicks in system.clicks.values()} for name, system in SYSTEMS.items()}

    assert list(sources) == ["WordPress", "Shopify", "Wix", "Joomla", "TYPO3"]
    assert all(source.startswith("https://") for found in sources.values() for source in found)
    assert {place for system in SYSTEMS.values() for place in system.clicks} <= set(EditPlace)


def test_finding_on_a_page_of_a_known_system_says_the_clicks() -> None:
    plain = plain_finding(all_checks()["meta-description"], "Shopify")

    assert plain
    assert plain.summary == "Google has no good text of yours to show under this page's title, and picks one itself."
    assert (plain.fixer, plain.time, plain.cms) == ("you, in Shopify", "about 15 minutes", "Shopify")
    assert "Search engine listing › Meta description" in plain.clicks
    assert "meta description" in {word.lower() for word in plain.words}


TIMES = [
    ("site-links-broken", 1, "about 15 minutes"),
    ("site-links-broken", 40, "about 2 minutes for each link"),
    ("site-title-duplicate", 3, "about 15 minutes"),
    ("title-length", 30, "about 5 minutes for each page"),
    ("site-title-duplicate", 30, "about 5 minutes for each page"),
    ("site-thin", 30, "about 20 minutes for each page"),
    ("sd-present", 30, "one to three hours"),
]


@pytest.mark.parametrize(("check", "places", "time"), TIMES)
def test_a_line_takes_as_long_wherever_it_is_found(check: str, places: int, time: str) -> None:
    plain = plain_finding(all_checks()[check], "", places=places)

    assert plain is not None
    assert plain.time == time


def test_finding_without_a_known_system_names_the_person_only() -> None:
    plain = plain_finding(all_checks()["meta-description"], "")

    assert plain
    assert (plain.fixer, plain.cms, plain.clicks) == ("you, or the person who writes your pages", "", "")


SIGNS = [
    ([("WordPress", "generator: WordPress 6.8")], "WordPress"),
    ([("WordPress", "https://www.example.com/wp-content/a.css")], "WordPress"),
    ([("WordPress", "/wp-content/a.css")], "WordPress"),
    ([("WordPress", "https://blog.other.com/wp-content/a.png")], ""),
    ([("Shopify", "https://cdn.shopify.com/a.js"), ("React", "x")], "Shopify"),
    ([("Shopify", "https://cdn.shopify.com/a.js"), ("Wix", "x")], ""),
    ([("Drupal", "/core/misc/drupal.js")], ""),
]


@pytest.mark.parametrize(("signs", "expected"), SIGNS)
def test_content_management_system_is_named_only_if_its_signs_are_certain(signs: list[tuple[str, str]], expected: str) -> None:
    assert system_of(signs, "https://example.com/") == expected
