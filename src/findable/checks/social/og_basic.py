"""The page lacks tags that link previews are made of.

Why it matters: when somebody shares the page, the preview shows title, picture and address from these tags. Without them the
network guesses. It has nothing to do with search ranking.

How to fix: put the four into the head.

    <meta property="og:title" content="Blue widgets, made to measure">
    <meta property="og:type" content="website">
    <meta property="og:image" content="https://www.example.com/blue-widgets-1200x630.jpg">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: The Open Graph protocol, ogp.me: "The four required properties for every page".

Not judged: whether the texts fit; ``name`` is taken as well as ``property``, as the networks do.
"""

from findable.artifacts.page.head import Head
from findable.artifacts.page.social import BASIC, Social
from findable.checks.engine import Finding, check, element, passed, warned
from findable.vocabulary import Effort, Importance


@check(question="Are the four basic preview tags there?", importance=Importance.LOW, effort=Effort.HEAD)
def og_basic(head: Head, social: Social) -> Finding:
    missing = social.missing
    place = element(head.element, "missing: {names}", names=list(missing))
    if len(missing) == len(BASIC):
        return warned("none of the four basic Open Graph tags", evidence=place)
    if missing:
        return warned("without {names}: {count} of the 4 basic Open Graph tags", count=len(missing), names=list(missing), evidence=place)
    shown = [tag.meta.element for tag in (social.first("og:title"), social.first("og:type"), social.image, social.first("og:url")) if tag]
    return passed("all four basic tags, title “{title}”", title=social.content("og:title"), evidence=shown)
