"""Faults of the language and the language versions."""

import re

from tests.mutations.draft import Draft
from tests.mutations.fault import fault

VERSIONED = ("company", "docs", "tea")
"""Pages with language versions."""
OWN = {"company": "de", "docs": "en", "tea": "ja"}
LANG = r"<html\b[^>]*>"


@fault({"html-lang": "warned"})
def no_lang(draft: Draft) -> None:
    draft.edit(LANG, r' lang="[^"]*"', "")


@fault({"html-lang": "warned"}, closes=["language-match"])
def a_lang_that_is_no_language(draft: Draft) -> None:
    draft.edit(LANG, r' lang="[^"]*"', ' lang="xq_ZZ"')


@fault({"language-match": "warned"})
def the_lang_of_another_language(draft: Draft) -> None:
    draft.edit(LANG, r' lang="[^"]*"', ' lang="pl"')


@fault({"locale-redirect": "warned"})
def another_language_by_preference(draft: Draft) -> None:
    body = '<!doctype html><html lang="sv"><title>Sida</title><body><p>Samma adress, annat språk.</p></body></html>'
    draft.keywords["languages"]["de"] = draft.keywords["languages"]["de"] | {"body": body}


@fault({"hreflang-valid": "failed"}, pages=VERSIONED)
def a_language_code_with_a_wrong_region(draft: Draft) -> None:
    draft.version("en-UK", "/uk/page")
    draft.keywords["alternates"] |= {draft.site.address("/uk/page"): draft.other_version(draft.site.address("/uk/page"))}


@fault({"hreflang-valid": "failed"}, pages=VERSIONED)
def one_language_code_with_two_addresses(draft: Draft) -> None:
    draft.version("x-default", "/choose")
    draft.keywords["alternates"] |= {draft.site.address("/choose"): draft.other_version(draft.site.address("/choose"))}


def versions_of(draft: Draft) -> list[tuple[str, str]]:
    """The set in the head."""
    return re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"', draft.html)


@fault({}, pages=VERSIONED)
def the_language_versions_in_the_sitemap_as_well(draft: Draft) -> None:
    draft.list_versions(versions_of(draft))


@fault({}, pages=VERSIONED)
def the_language_versions_in_the_sitemap_alone(draft: Draft) -> None:
    draft.list_versions(versions_of(draft))
    draft.drop(r'<link rel="alternate" hreflang="[^"]*"[^>]*>')
    for url, answer in draft.keywords["alternates"].items():
        draft.keywords["alternates"][url] = answer | {"body": re.sub(r"<link[^>]*hreflang=[^>]*>", "", answer["body"])}


@fault({}, pages=VERSIONED)
def this_page_among_the_versions_of_the_sitemap_alone(draft: Draft) -> None:
    draft.list_versions(versions_of(draft))
    draft.drop(rf'<link rel="alternate" hreflang="[^"]*" href="{draft.site.url}"[^>]*>')


@fault({"hreflang-valid": "failed"}, pages=VERSIONED)
def the_sitemap_with_another_address_for_a_language(draft: Draft) -> None:
    (code, _), *_ = versions_of(draft)
    other = draft.site.address("/other-version")
    draft.keywords["alternates"] |= {other: draft.other_version(other)}
    draft.list_versions([(code, other)])


@fault({"hreflang-self": "failed"}, pages=VERSIONED)
def language_versions_without_this_page(draft: Draft) -> None:
    draft.drop(rf'<link rel="alternate" hreflang="[^"]*" href="{draft.site.url}"[^>]*>')


@fault({"hreflang-return": "failed"}, pages=VERSIONED)
def a_language_version_that_does_not_link_back(draft: Draft) -> None:
    url, answer = next(iter(draft.keywords["alternates"].items()))
    draft.keywords["alternates"][url] = answer | {"body": answer["body"].replace(draft.site.url, draft.site.address("/old"))}


@fault({"hreflang-targets": "failed"}, pages=VERSIONED)
def a_language_version_that_is_noindex(draft: Draft) -> None:
    url, answer = next(iter(draft.keywords["alternates"].items()))
    draft.keywords["alternates"][url] = answer | {"headers": [*answer["headers"], ["X-Robots-Tag", "noindex"]]}


@fault({"hreflang-targets": "failed"}, pages=VERSIONED, closes=["hreflang-return"])
def a_language_version_that_is_gone(draft: Draft) -> None:
    url, answer = next(iter(draft.keywords["alternates"].items()))
    draft.keywords["alternates"][url] = answer | {"status": 404}


@fault({"hreflang-targets": "warned"}, pages=VERSIONED)
def a_language_version_that_redirects(draft: Draft) -> None:
    url = next(iter(draft.keywords["alternates"]))
    draft.keywords["alternates"][url] = draft.other_version(f"{url}/") | {"final_url": f"{url}/"}


@fault(
    {"canonical-self": "failed", "hreflang-canonical": "failed", "sitemap-lists-page": "failed"},
    pages=VERSIONED,
    opens=["canonical-target"],
)
def the_canonical_link_to_another_language(draft: Draft) -> None:
    url, answer = next(iter(draft.keywords["alternates"].items()))
    draft.canonical(url)
    draft.keywords["canonical"] = {url: answer}
