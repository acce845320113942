"""The page declares other language versions, but not itself.

In plain words: Google may ignore your translations, because this page is missing from its own list of languages.

Why it matters: Every version must list all versions, including itself; a set that omits its own page may be ignored.

How to fix: Add an entry for the page itself.

    <link rel="alternate" hreflang="en" href="https://www.example.com/shop/blue-widgets">

The entry may be on the page, in a Link header or in the sitemap: search engines combine them.

Sources: [Google: Tell Google about localized versions of your
page](https://developers.google.com/search/docs/specialty/international/localized-versions) (2025).

Not judged: x-default, which is useful for pages that let visitors choose, and never required; an entry in the language of the text if only
lang declares another one (see language-match).
"""

from findable.artifacts.page.canonical import VARIANTS, Canonical, differences
from findable.artifacts.page.head import Head
from findable.artifacts.page.hreflang import Alternate
from findable.artifacts.page.language import Language
from findable.artifacts.page.language_codes import X_DEFAULT, CodeFault, code_fault
from findable.artifacts.site.language_versions import LanguageSet
from findable.artifacts.tables.languages import primary
from findable.checks.engine import Finding, check, failed, inapplicable, passed, unknown, warned
from findable.checks.indexing_evidence import alternates_evidence
from findable.checks.page_fix import head_fix, tag
from findable.vocabulary import Effort, Importance


@check("Does the set of language versions list this page?", Importance.MEDIUM, Effort.HEAD, failed=15, warned=15)
def hreflang_self(hreflang: LanguageSet, canonical: Canonical, head: Head, language: Language | None) -> Finding:
    """Looks for the final URL, or the canonical URL of the page, among the language versions."""
    if not hreflang.usable:
        return inapplicable("The page declares no language versions")
    own = hreflang.for_url(hreflang.page_url) or (hreflang.for_url(canonical.target) if canonical.target else [])
    if not own and hreflang.faulty(hreflang.page_url):
        return inapplicable("The page is listed with an invalid code: see “{check}”", check="hreflang-valid")
    if not own:
        return _unlisted_finding(hreflang, _own_code(hreflang, head.lang or "", language.detected if language else ""))
    evidence = alternates_evidence(own)
    lang = (head.lang or "").strip()[:60]
    detected = language.detected if language else ""
    if _other_language(own, primary(lang)) and _other_language(own, detected or primary(lang)):
        return warned("The page is listed as {codes}; its lang attribute is {lang}", codes=_codes(own), lang=lang, evidence=evidence)
    return passed("The page is listed as {codes}", codes=_codes(own), evidence=evidence)


def _own_code(hreflang: LanguageSet, lang: str, detected: str) -> str:
    """Return the code of an unlisted page: its language, or its whole lang attribute if other versions of that language are listed."""
    code = primary(lang) or detected
    is_listed = any(primary(item.code) == code for item in hreflang.usable if item.code != X_DEFAULT)
    if not is_listed:
        return code
    return lang.strip() if code_fault(lang)[0] is CodeFault.NONE else ""


def _unlisted_finding(hreflang: LanguageSet, lang: str) -> Finding:
    near = [item for item in hreflang.usable if item.url and differences(hreflang.page_url, item.url) <= VARIANTS]
    if near:
        return warned("The page is listed under another spelling of its URL", evidence=alternates_evidence(near))
    if hreflang.sitemap_open:
        return unknown("The page does not list itself; a sitemap, whose entry for this page was not checked, may")
    is_free = all(item.code.lower() != lang.lower() for item in hreflang.usable)
    return failed(
        "{count|language version|language versions} listed; this page is not among them",
        count=len(hreflang.usable),
        evidence=alternates_evidence(hreflang.usable),
        fixes=[head_fix(tag("link", rel="alternate", hreflang=lang, href=hreflang.page_url))] if lang and is_free else (),
    )


def _other_language(own: list[Alternate], lang: str) -> bool:
    languages = {primary(item.code) for item in own if item.code != X_DEFAULT}
    return bool(lang and languages) and lang not in languages


def _codes(own: list[Alternate]) -> str:
    return ", ".join(dict.fromkeys(item.code for item in own))[:200]
