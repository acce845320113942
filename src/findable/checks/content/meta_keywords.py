"""The page has a keywords meta tag, which no search engine uses.

Why it matters: It does not matter. Search engines stopped using it long ago; it only shows competitors your keywords.

How to fix: Remove the tag, or leave it.

    <meta name="description" content="…">

Sources: [Google: meta tags](https://developers.google.com/search/docs/crawling-indexing/special-tags) (2025): the keywords meta tag has "no
effect on indexing and ranking at all".
"""

from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, element, info
from findable.vocabulary import Effort, Importance


@check(question="Is there a keywords meta tag?", importance=Importance.INFO, effort=Effort.HEAD)
def meta_keywords(head: Head) -> Finding:
    metas = [meta for meta in head.metas_named("keywords") if meta.content and meta.content.strip()]
    if not metas:
        return info("No keywords meta tag; no search engine uses it", evidence=element(head.element))
    words = [word.strip() for word in (metas[0].content or "").split(",") if word.strip()]
    return info(
        "Keywords meta tag with {count|entry|entries}, which no search engine uses",
        count=len(words),
        evidence=[meta.element for meta in metas],
    )
