"""Images have no alternative text.

In plain words: Blind visitors, and Google, do not learn what your images show.

Why it matters: Without it, screen readers announce a file name or nothing, and search engines lose their best hint about the content of an
image. An image that is a link has no link text.

How to fix: Describe the image as you would on the phone; give decorative images an empty alt.

    <img src="blue-widget.jpg" alt="Blue widget with brass handle">
    <img src="ornament.svg" alt="">

Sources: [WCAG 2.2, 1.1.1 Non-text Content](https://www.w3.org/TR/WCAG22/#non-text-content); [Google: image SEO best
practices](https://developers.google.com/search/docs/appearance/google-images) (2025); [HTML Standard: The img
element](https://html.spec.whatwg.org/multipage/embedded-content.html#the-img-element).

Not judged: An empty alt is right for decoration and passes; whether a text fits its image; images that scripts add; one-pixel counters; img
elements without any URL; images hidden from everybody.
"""

from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.page.images import Image, ImageKind, Images
from findable.artifacts.tables.wordings import GENERIC_ANCHORS, fold
from findable.checks.engine import Finding, check, failed, inapplicable, passed, warned, with_fault
from findable.checks.images.image_keywords import LONG_ALT_CHARS
from findable.checks.link_naming import LinkedWords, is_cut
from findable.checks.page_fix import Fix, attribute_fix
from findable.vocabulary import EditPlace, Effort, Importance

WARNED_UP_TO = 0.20
"""Share of images without alternative text up to which the check warns (set by Findable)."""
MAX_ANCESTORS = 6
TINY_PX = 5
RULE_RATIO = 20
"""Maximum size of spacers and bullets, and minimum aspect ratio of rules (set by Findable)."""
_GENERIC = frozenset().union(*GENERIC_ANCHORS.values())
_NO_TARGETS = ("#", "javascript:")
FULL_COST_FROM = 2
"""Number of times that the share of content images is counted in the cost: half of them cost as much as all (set by Findable)."""
OTHERS_PART = 0.5
"""Part of the cost if only images that carry no content have no alternative text, but all of them (set by Findable)."""


@check("Do images have an alternative text?", Importance.MEDIUM, Effort.CONTENT, place=EditPlace.IMAGE_TEXT, failed=50, warned=50)
def image_alt(document: Document, images: Images, surroundings: Surroundings) -> Finding:
    judged = images.images_needing_alt
    if not judged:
        return inapplicable("The page shows no images")
    missing = images.without_text
    if not missing:
        by_alt_count = sum(1 for image in judged if (image.alt or "").strip())
        named_count = sum(1 for image in judged if image.alt is None and image.has_name and not image.decorative)
        return passed(
            "{count|image|images}: {by_alt_count} with an alt text, {named_count} named by aria-label, title or a title element instead,"
            " {empty_count} marked as decoration",
            count=len(judged),
            by_alt_count=by_alt_count,
            named_count=named_count,
            empty_count=len(judged) - by_alt_count - named_count,
        )
    linked = LinkedWords(document, lambda link: link.text_up_to(LONG_ALT_CHARS))
    are_drawings = all(image.kind is ImageKind.SVG for image in missing)
    is_failed = len(missing) > len(judged) * WARNED_UP_TO and not are_drawings
    finding = (failed if is_failed else warned)(
        "{missing_count} of {count|image has|images have} no alternative text; above {limit_percent} it is a problem",
        missing_count=len(missing),
        count=len(judged),
        limit_percent=round(WARNED_UP_TO * 100),
        evidence=[image.element for image in missing],
        fixes=(_fix(image, linked) for image in missing),
        advice="Name the drawing with aria-label or a title element; hide pure decoration with aria-hidden." if are_drawings else "",
    )
    shown = {image.element for image in images.of_content(surroundings)}
    of_content = sum(image.element in shown for image in missing) / max(1, len(shown))
    return with_fault(finding, None, max(FULL_COST_FROM * of_content, OTHERS_PART * len(missing) / len(judged)))


def _fix(image: Image, linked_words: LinkedWords) -> Fix | None:
    """Return the element with adjacent text as its alternative text, or an empty one for rules and in links with text."""
    node = image.element
    control = next((outer for outer in (node, *islice(node.ancestors, MAX_ANCESTORS)) if _triggers_action(outer)), None)
    is_img = image.kind is ImageKind.IMG
    if control is None:
        return attribute_fix(node, alt="") if is_img and _is_rule(image) else None
    if control.text_up_to(1):
        return attribute_fix(node, alt="") if is_img and control.tag in ("a", "button") and not control.attr("title") else None
    if len(control.descendants("img", "svg")) > 1:
        return None
    href = control.attr("href") or ""
    text = " ".join((control.attr("title") or ("" if href.startswith(_NO_TARGETS) else linked_words.text_for(href))).split())
    if not text or len(text) >= LONG_ALT_CHARS or is_cut(text) or fold(text) in _GENERIC:
        return None
    return attribute_fix(node, alt=text) if image.kind is not ImageKind.SVG else attribute_fix(node, aria_label=text)


def _triggers_action(node: Element) -> bool:
    """Return whether a click on the element triggers an action."""
    return node.tag in ("a", "button") or node.attr("onclick") is not None or (node.attr("role") or "").lower() in ("button", "link")


def _is_rule(image: Image) -> bool:
    """Return whether the image has the size of a spacer or a horizontal rule."""
    width, height = image.width_px, image.height_px
    if not width or not height:
        return False
    shorter, longer = sorted((width, height))
    return longer <= TINY_PX or longer >= RULE_RATIO * max(shorter, 1)
