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

from collections.abc import Iterable, Iterator

from findable.artifacts.page.canonical import Canonical
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.images import Images
from findable.artifacts.page.social import BASIC, Social
from findable.checks.engine import Finding, check, covered_by, element, passed, warned
from findable.checks.page_fix import Fix, head_fix, tag
from findable.urls import without_fragment
from findable.vocabulary import Effort, Importance


@check(
    question="Does the page have the four basic Open Graph tags?", importance=Importance.LOW, effort=Effort.HEAD, judges_partial_input=True
)
def og_basic(head: Head, social: Social, stray: EarlyHeadEnd | None, canonical: Canonical | None, images: Images | None) -> Finding:
    missing = social.missing
    place = element(head.element, "Missing: {names}", names=list(missing))
    fixes = list(_fixes(missing, head, canonical, images)) if missing else []
    if len(missing) == len(BASIC):
        return warned("None of the 4 basic Open Graph tags is set", evidence=place, fixes=fixes)
    if missing:
        return warned(
            "Missing of the 4 basic Open Graph tags: {names}", count=len(missing), names=list(missing), evidence=place, fixes=fixes
        )
    shown = [tag.meta.element for tag in (social.first("og:title"), social.first("og:type"), social.image, social.first("og:url")) if tag]
    if stray and any(item in stray.lost for item in shown):
        return covered_by("head-valid")
    return passed("All 4 basic Open Graph tags are set; the title is “{title}”", title=social.content("og:title"), evidence=shown)


def _fixes(missing: Iterable[str], head: Head, canonical: Canonical | None, images: Images | None) -> Iterator[Fix | None]:
    """Yield the missing tags with the page's title, URL and first image; og:type is website unless the page says more."""
    url = (canonical.target or without_fragment(canonical.page_url)) if canonical else ""
    image = next((image.url for image in images.imgs if image.url and not image.is_pixel), "") if images else ""
    title = next((title.text for title in head.titles if title.text), "")
    known = {"og:title": title, "og:type": "website", "og:url": url, "og:image": image}
    for name in missing:
        if value := known.get(name):
            yield head_fix(tag("meta", property=name, content=value))
