"""The page lacks tags for link previews.

In plain words: When somebody shares this page, for example in WhatsApp or on Facebook, title, text or image of the preview may be missing.

Why it matters: When somebody shares the page, the preview shows title, image and URL from these tags. Without them, the network guesses.
They do not affect search ranking.

How to fix: Add the missing ones of these four tags to the head.

    <meta property="og:title" content="Blue widgets, made to measure">
    <meta property="og:type" content="website">
    <meta property="og:image" content="https://www.example.com/blue-widgets-1200x630.jpg">
    <meta property="og:url" content="https://www.example.com/shop/blue-widgets">

Sources: [The Open Graph protocol](https://ogp.me/): "The four required properties for every page".

Not judged: whether the texts are suitable; ``name`` is accepted as well as ``property``, as networks do.
"""

from itertools import islice

from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.page.canonical import Canonical, preferred_form
from findable.artifacts.page.early_head_end import EarlyHeadEnd
from findable.artifacts.page.head import Head
from findable.artifacts.page.images import ORNAMENT, Image, Images
from findable.artifacts.page.own_title import OwnTitle
from findable.artifacts.page.page_kind import DeterminedKind
from findable.artifacts.page.social import BASIC, Social
from findable.checks.engine import Finding, check, covered_by, element, passed, warned, with_fault
from findable.checks.page_fix import head_fix, tag
from findable.vocabulary import Effort, Fault, Importance, PageKind, Verdict

MIN_WIDTH_PX, MIN_HEIGHT_PX = 600, 315
MAX_RATIO = 3
NO_PREVIEWS = (".svg", ".ico")
"""Endings of images that social networks do not show."""
ARTICLES = frozenset({PageKind.ARTICLE, PageKind.RECIPE, PageKind.DOCUMENTATION})
"""Kinds of pages whose type in Open Graph is article."""
MAX_ANCESTORS = 12


@check(
    "Does the page have the four basic Open Graph tags?",
    Importance.LOW,
    Effort.HEAD,
    costs={Fault.FEW_MISSING: 15, Verdict.WARNED: 35},
    accepts_partial_input=True,
)
def og_basic(
    head: Head,
    social: Social,
    early_end: EarlyHeadEnd | None,
    canonical: Canonical | None,
    images: Images | None,
    surroundings: Surroundings | None,
    kind: DeterminedKind | None,
    own_title: OwnTitle | None,
) -> Finding:
    missing = social.missing
    place = element(head.element, "Missing: {names}", names=list(missing))
    is_article = kind is not None and kind.kind in ARTICLES
    og_type = "article" if is_article or social.first("article:published_time") else "website"
    url = (canonical.target or preferred_form(canonical.page_url)) if canonical else ""
    title = own_title.text if own_title else ""
    known = {"og:title": title, "og:type": og_type, "og:url": url, "og:image": _image(images, surroundings) if missing else ""}
    fixes = [head_fix(tag("meta", property=name, content=known[name])) for name in missing if known[name]]
    if len(missing) == len(BASIC):
        return warned("None of the 4 basic Open Graph tags is set", evidence=place, fixes=fixes)
    if missing:
        finding = warned(
            "Missing of the 4 basic Open Graph tags: {names}", count=len(missing), names=list(missing), evidence=place, fixes=fixes
        )
        return with_fault(finding, Fault.FEW_MISSING)
    found = (social.first("og:title"), social.first("og:type"), social.image, social.first("og:url"))
    shown = [one.meta.element for one in found if one]
    if early_end and any(early_end.loses(item) for item in shown):
        return covered_by("head-valid")
    return passed("All 4 basic Open Graph tags are set; the title is “{title}”", title=social.content("og:title"), evidence=shown)


def _image(images: Images | None, surroundings: Surroundings | None) -> str:
    """Return the first content image with a known size that suits a preview; empty if there is none."""
    found = (image.url for image in images.imgs if image.url and _is_content(image, surroundings)) if images and surroundings else iter(())
    return next(found, "")


def _is_content(image: Image, surroundings: Surroundings) -> bool:
    width, height = image.width_px, image.height_px
    if (
        width is None
        or height is None
        or width < MIN_WIDTH_PX
        or height < MIN_HEIGHT_PX
        or max(width, height) > MAX_RATIO * min(width, height)
    ):
        return False
    node = image.element
    within = surroundings.context_of(node)
    in_content = within.region is Region.MAIN or (
        within.region is Region.NONE and any(outer.tag == "article" for outer in islice(node.ancestors, MAX_ANCESTORS))
    )
    if (image.url or "").partition("?")[0].lower().endswith(NO_PREVIEWS):
        return False
    named = f"{image.url} {node.attr('class') or ''} {node.attr('id') or ''}"
    return in_content and not within.hidden and not ORNAMENT.search(named)
