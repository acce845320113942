"""The canonical link points to another language version.

In plain words: Google may show people this page in the wrong language, because its settings contradict each other.

Why it matters: The page asks to be shown to readers of its language, and at the same time to be replaced by another version. The canonical
link takes precedence, and this version is dropped.

How to fix: Let each language version declare itself as canonical.

    <link rel="canonical" href="https://www.example.com/de/">
    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

Sources: [Google: Managing multi-regional and multilingual
sites](https://developers.google.com/search/docs/specialty/international/managing-multi-regional-sites) (2025); [Google: What is URL
canonicalization](https://developers.google.com/search/docs/crawling-indexing/canonicalization) (2025).

Not judged: a canonical URL that is not one of the versions.
"""

from findable.artifacts.page.canonical import VARIANTS, Canonical
from findable.artifacts.page.language_codes import X_DEFAULT
from findable.artifacts.site.language_versions import LanguageSet
from findable.checks.engine import Finding, check, failed, inapplicable, passed
from findable.checks.indexing_evidence import alternates_evidence, declarations_evidence
from findable.vocabulary import Effort, Importance


@check("Does the canonical URL stay within the language?", Importance.MEDIUM, Effort.HEAD, failed=100, depends_on=("canonical-valid",))
def hreflang_canonical(canonical: Canonical, hreflang: LanguageSet) -> Finding:
    """Looks for the canonical URL among the other language versions."""
    if not hreflang.usable:
        return inapplicable("The page declares no language versions")
    if canonical.target is None:
        return inapplicable("The page declares no canonical URL")
    evidence = declarations_evidence(canonical.effective)
    if not canonical.differences or canonical.differences <= VARIANTS:
        return passed("The page declares itself as canonical", evidence=evidence)
    there = hreflang.for_url(canonical.target)
    own = {item.code for item in hreflang.for_url(hreflang.page_url)} - {X_DEFAULT}
    others = [item for item in there if item.code not in own and item.code != X_DEFAULT]
    if others and own:
        return failed(
            "The canonical URL is the version “{code}”; this page is “{own}”",
            code=others[0].code,
            own=", ".join(sorted(own)),
            evidence=[*evidence, *alternates_evidence(others)],
        )
    return passed("The canonical URL is not a version in another language", evidence=evidence)
