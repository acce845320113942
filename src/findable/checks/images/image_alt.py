"""Images have no alternative text.

Why it matters: Without it screen readers read out a file name or nothing, and search engines lose their best hint of what an
image shows. An image that is a link has no link text.

How to fix: Say what the image shows, as you would on the telephone; give an empty alt to pure decoration.

    <img src="blue-widget.jpg" alt="Blue widget with brass handle">
    <img src="ornament.svg" alt="">

Sources: [WCAG 2.2, 1.1.1 Non-text Content](https://www.w3.org/TR/WCAG22/#non-text-content); [Google: image SEO best
practices](https://developers.google.com/search/docs/appearance/google-images) (2025); [HTML Standard: The img
element](https://html.spec.whatwg.org/multipage/embedded-content.html#the-img-element).

Not judged: An empty alt is right for decoration and passes; whether a text fits its image; images that scripts add; one-pixel
counters; img elements without any URL; images hidden from everybody.
"""

import re
from itertools import islice
from urllib.parse import unquote

from findable.artifacts.html.document import Element
from findable.artifacts.page.images import Image, ImageKind, Images
from findable.checks.engine import Finding, check, failed, inapplicable, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.urls import parse
from findable.vocabulary import Effort, Importance

WARNED_UP_TO = 0.20
"""Share of images without a text that still is a warning; ours."""
MAX_ANCESTORS = 6
MAX_ALT_CHARS = 125
"""Some screen readers pause or cut there; a convention, no standard."""
_BETWEEN_WORDS = re.compile(r"[-_ .+]+|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_SAYS_NOTHING = re.compile(
    r"(?:img|image|dsc[fn]?|dcim|pict?|photo|screenshot|untitled|unnamed|default|thumb(?:nail)?|full|large|small)", re.IGNORECASE
)


@check(question="Do images have an alternative text?", importance=Importance.MEDIUM, effort=Effort.CONTENT)
def image_alt(images: Images) -> Finding:
    judged = images.in_need_of_text
    if not judged:
        return inapplicable("The page shows no images")
    missing = images.without_text
    if not missing:
        by_alt_count = sum(1 for image in judged if (image.alt or "").strip())
        named_count = sum(1 for image in judged if image.alt is None and image.named and not image.decorative)
        return passed(
            "{count|image|images}: {by_alt_count} with an alt text, {named_count} named by aria-label, title or a title element instead,"
            " {empty_count} marked as decoration",
            count=len(judged),
            by_alt_count=by_alt_count,
            named_count=named_count,
            empty_count=len(judged) - by_alt_count - named_count,
        )
    is_failed = len(missing) > len(judged) * WARNED_UP_TO and any(image.kind is not ImageKind.SVG for image in missing)
    return (failed if is_failed else warned)(
        "{missing_count} of {count|image|images} without an alternative text; more than {limit_percent} fails",
        missing_count=len(missing),
        count=len(judged),
        limit_percent=round(WARNED_UP_TO * 100),
        evidence=[image.element for image in missing],
        fixes=(_fix(image) for image in missing),
    )


def _fix(image: Image) -> Fix | None:
    """Return the element with a text that the page itself has for it: the caption or the name of its file."""
    node = image.element
    text = _caption(node) or _file_words(image.url or image.lazy_url or image.candidate_url or "")
    if not text:
        return None
    return attribute_fix(node, aria_label=text) if image.kind is ImageKind.SVG else attribute_fix(node, alt=text)


def _caption(node: Element) -> str:
    figure = next((ancestor for ancestor in islice(node.ancestors, MAX_ANCESTORS) if ancestor.tag == "figure"), None)
    captions = figure.descendants("figcaption") if figure else []
    return captions[0].text_up_to(MAX_ALT_CHARS) if captions else ""


def _file_words(url: str) -> str:
    """Return the words of a file name; empty for numbers and the names that cameras give."""
    parsed = parse(url)
    name = unquote(parsed.path.rpartition("/")[2].rpartition(".")[0]) if parsed else ""
    words = [word for word in _BETWEEN_WORDS.split(name) if word.isalpha()]
    return " ".join(words)[:MAX_ALT_CHARS] if any(len(word) > 2 for word in words) and not _SAYS_NOTHING.fullmatch(" ".join(words)) else ""  # noqa: PLR2004 - shorter words are codes
