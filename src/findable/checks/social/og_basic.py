"""The page lacks tags that link previews are made of.

Why it matters: When somebody shares the page, the preview shows title, image and URL from these tags. Without them the network guesses.
They have nothing to do with search ranking.

How to fix: Add the missing ones of these four tags to the head.

    <meta property="og:title" content="Blue widgets, made to measure">
    <meta property="og:type" content="website">
    <meta property="og:image" content="https://www.example.com/blue-widgets-1200x630.jpg">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: [The Open Graph protocol](https://ogp.me/): "The four required properties for every page".

Not judged: whether the texts fit; ``name`` is accepted as well as ``property``, as networks do.
"""

from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.social import BASIC, Social
from findable.checks.engine import Finding, check, covered_by, element, passed, warned
from findable.vocabulary import Effort, Importance


@check(question="Does the page have the four basic Open Graph tags?", importance=Importance.LOW, effort=Effort.HEAD)
def og_basic(head: Head, social: Social, stray: EarlyHeadEnd | None) -> Finding:
    missing = social.missing
    place = element(head.element, "Missing: {names}", names=list(missing))
    if len(missing) == len(BASIC):
        return warned("None of the 4 basic Open Graph tags is set", evidence=place)
    if missing:
        return warned("Missing of the 4 basic Open Graph tags: {names}", count=len(missing), names=list(missing), evidence=place)
    shown = [tag.meta.element for tag in (social.first("og:title"), social.first("og:type"), social.image, social.first("og:url")) if tag]
    if stray and any(item in stray.lost for item in shown):
        return covered_by("head-valid")
    return passed("All 4 basic Open Graph tags are set; the title is “{title}”", title=social.content("og:title"), evidence=shown)
