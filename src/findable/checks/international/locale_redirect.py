"""The site serves different languages at one URL, depending on the browser's preference.

In plain words: Google sees only one of your languages, because the page changes with the language of the visitor's browser.

Why it matters: Googlebot sends no preference and comes mostly from one country: it sees one language, the others are never found. Readers
who follow a link to one language land in another.

How to fix: Give each language its own URL and link to the others; suggest, do not redirect.

    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">
    <a href="/de/" hreflang="de" lang="de">Deutsch</a>

Sources: [Google: Managing multi-regional and multilingual
sites](https://developers.google.com/search/docs/specialty/international/managing-multi-regional-sites) (2025); [Google: How Google crawls
locale-adaptive pages](https://developers.google.com/search/docs/specialty/international/locale-adaptive-pages) (2025).

Not judged: redirects by country, because all requests come from one place.
"""

from findable.artifacts.page.canonical import comparable
from findable.artifacts.responses.probed_page import read_probed
from findable.artifacts.tables.languages import primary
from findable.capture.site import SiteCapture
from findable.checks.engine import Evidence, Finding, check, passed, unknown, url_evidence, warned
from findable.vocabulary import Code, Effort, Importance

MIN_ANSWERS = 2


class Preference(Code, params=("asked",)):
    """Text in place of the languages of a request without an Accept-Language header."""

    NONE = "none"


class Lang(Code, params=("lang",)):
    """Text in place of the language of a page that declares none."""

    MISSING = "missing"


@check("Does the site leave the choice of language to its readers?", Importance.LOW, Effort.SERVER, failed=40, warned=20)
def locale_redirect(site: SiteCapture) -> Finding:
    """Compares URL and language of the responses to different language preferences."""
    results = [(asked, page) for asked, response in site.languages if (page := read_probed(response)) and response.ok]
    if len(results) < MIN_ANSWERS:
        return unknown("The home page was not requested in different languages")
    evidence: list[Evidence] = []
    for asked, page in results:
        lang = page.head.lang if page.head else None
        note = "with Accept-Language {asked}: lang is {lang}"
        evidence.append(
            url_evidence(
                page.response.final_url,
                page.response.status,
                note,
                asked=asked or Preference.NONE,
                lang=lang[:40] if lang else Lang.MISSING,
            )
        )
    addresses = {comparable(page.response.final_url) for _, page in results}
    if len(addresses) > 1:
        return warned("The home page redirects by the preferred language", evidence=evidence)
    languages = {primary(page.head.lang) for _, page in results if page.head and page.head.lang}
    if len(languages) > 1:
        return warned("The home page is served in {count} languages at one URL", count=len(languages), evidence=evidence)
    return passed("{count} preferences, one URL, one language", count=len(results), evidence=evidence)
