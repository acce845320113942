"""The page has meta tags for place or language that search engines ignore.

Why it matters: They do nothing for search; maintaining them is wasted effort.

How to fix: Remove them. Declare language versions with hreflang, and places in the content and structured data.

    <link rel="alternate" hreflang="de-AT" href="https://www.example.com/at/">

Sources: [Google: Managing multi-regional and multilingual
sites](https://developers.google.com/search/docs/specialty/international/managing-multi-regional-sites) (2025): locational meta tags are
ignored.

Not judged: other users of these meta tags, such as map services.
"""

from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, info
from findable.vocabulary import Effort, Importance

NAMES = frozenset({"geo.position", "geo.region", "geo.placename", "geo.country", "icbm", "distribution", "coverage", "language"})


@check(question="Are there meta elements for place or language that search engines ignore?", importance=Importance.INFO, effort=Effort.HEAD)
def geo_meta(head: Head) -> Finding:
    """Lists the geo meta elements."""
    found = [meta.element for meta in head.metas if meta.name in NAMES or meta.http_equiv == "content-language"]
    if not found:
        return info("No meta tags for place or language")
    return info("{count|meta tag|meta tags} for place or language that search engines ignore", count=len(found), evidence=found)
