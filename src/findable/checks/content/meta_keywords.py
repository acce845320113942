"""The page has a keywords meta tag, which nothing reads.

Why it matters: it does not. Search engines gave it up long ago; it only shows competitors what you aim at.

How to fix: remove the tag, or leave it.

    <meta name="description" content="…">

Sources: Google, "Meta tags and attributes that Google supports" (2025): the keywords meta tag has "no effect on indexing and ranking at
all".
"""

from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check, element, info
from findable.vocabulary import Effort, Importance


@check(question="Is there a keywords meta tag?", importance=Importance.INFO, effort=Effort.HEAD)
def meta_keywords(head: Head) -> Finding:
    metas = [meta for meta in head.named("keywords") if meta.content and meta.content.strip()]
    if not metas:
        return info("no keywords meta tag: fine, nothing reads it", evidence=element(head.element))
    words = [word.strip() for word in (metas[0].content or "").split(",") if word.strip()]
    return info(
        "a keywords meta tag with {count|entry|entries}, which nothing reads", count=len(words), evidence=[meta.element for meta in metas]
    )
