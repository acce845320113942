"""Pictures have no alternative text.

Why it matters: without it screen readers read out a file name or nothing, and search engines lose their best hint of what a
picture shows. A picture that is a link has no link text.

How to fix: say what the picture shows, as you would on the telephone; give an empty alt to pure decoration.

    <img src="blue-widget.jpg" alt="Blue widget with brass handle">
    <img src="ornament.svg" alt="">

Sources: WCAG 2.2, 1.1.1 Non-text Content; Google, "Google image SEO best practices" (2025); HTML Standard, 4.8.3.

Not judged: an empty alt is right for decoration and passes; whether a text fits its picture; pictures that scripts add; one-pixel
counters; img elements without any address; pictures hidden from everybody.
"""

from findable.artifacts.html.document import Element
from findable.artifacts.page.images import Image, ImageKind, Images, exposed
from findable.checks.engine import Finding, check, failed, inapplicable, passed, warned
from findable.vocabulary import Effort, Importance

WARNED_UP_TO = 0.20
"""Share of pictures without a text that still is a warning; ours."""


@check(question="Do pictures have an alternative text?", importance=Importance.MEDIUM, effort=Effort.CONTENT)
def image_alt(images: Images) -> Finding:
    judged = [image for image in images.items if _is_judged(image)]
    if not judged:
        return inapplicable("the page shows no pictures")
    missing = exposed(image.element for image in judged if _lacks_name(image))
    if not missing:
        empty = sum(1 for image in judged if image.alt is not None and not image.alt.strip())
        return passed(
            "{count|picture|pictures}, each with alternative text or marked as decoration ({empty_count} empty)",
            count=len(judged),
            empty_count=empty,
        )
    return _share(missing, len(judged))


def _is_judged(image: Image) -> bool:
    if image.kind is ImageKind.POSTER or image.is_pixel:
        return False
    # An img without any address shows nothing: a script has plans for it.
    return image.kind is not ImageKind.IMG or bool(image.src or image.candidates or image.lazy_url)


def _lacks_name(image: Image) -> bool:
    if image.decorative or image.named:
        return False
    return image.alt is None


def _share(missing: list[Element], count: int) -> Finding:
    judge = warned if len(missing) <= count * WARNED_UP_TO else failed
    return judge(
        "{missing_count} of {count|picture|pictures} without alternative text", missing_count=len(missing), count=count, evidence=missing
    )
