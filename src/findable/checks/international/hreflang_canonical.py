"""The canonical link points to another language version.

Why it matters: the page says "show me to readers of this language" and "leave me out in favour of that one" at once. The canonical link
is read first, and this version drops out.

How to fix: let each language version name itself as canonical.

    <link rel="canonical" href="https://www.example.com/de/">
    <link rel="alternate" hreflang="de" href="https://www.example.com/de/">

Sources: Google, "Managing multi-regional and multilingual sites" (2025); Google, "What is URL canonicalization" (2025).

Not judged: a canonical address that is none of the versions.
"""

from findable.artifacts.page.canonical import VARIANTS, Canonical
from findable.artifacts.page.hreflang import X_DEFAULT
from findable.artifacts.site.language_versions import LanguageSet
from findable.checks.engine import Finding, check, failed, inapplicable, passed
from findable.checks.indexing_evidence import alternates_evidence, declarations_evidence
from findable.vocabulary import Effort, Importance


@check(
    question="Does the canonical address stay within the language?",
    importance=Importance.MEDIUM,
    effort=Effort.HEAD,
    depends_on=("canonical-valid",),
)
def hreflang_canonical(canonical: Canonical, hreflang: LanguageSet) -> Finding:
    """Looks for the canonical address among the versions."""
    if not hreflang.usable:
        return inapplicable("the page names no language versions")
    if canonical.target is None:
        return inapplicable("the page names no canonical address")
    evidence = declarations_evidence(canonical.counting)
    if not canonical.differences or canonical.differences <= VARIANTS:
        return passed("the page names itself as canonical", evidence=evidence)
    there = hreflang.of(canonical.target)
    own = {item.code for item in hreflang.of(hreflang.page_url)} - {X_DEFAULT}
    others = [item for item in there if item.code not in own and item.code != X_DEFAULT]
    if others and own:
        return failed(
            "the canonical address is the version “{code}”, this page is “{own}”",
            code=others[0].code,
            own=", ".join(sorted(own)),
            evidence=[*evidence, *alternates_evidence(others)],
        )
    return passed("the canonical address is no version in another language", evidence=evidence)
