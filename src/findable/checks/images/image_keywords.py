"""Alternative texts or file names are not descriptive.

In plain words: Google's image search and visitors who cannot see the images learn little, because their names and descriptions say nothing.

Why it matters: The words around an image, its alternative text and its file name are the input of image search. "IMG_1234.jpg" describes
nothing; the same text on many images does not distinguish them.

How to fix: Use a file name that describes the image, with hyphens, and write a short, descriptive alternative text.

    <img src="/pictures/blue-widget-brass-handle.jpg" alt="Blue widget with brass handle">

Sources: [Google: image SEO best practices](https://developers.google.com/search/docs/appearance/google-images) (2025): descriptive file
names, titles and alt text.

Not judged: This check is informational; no number of words or characters is right or wrong.
"""

import re
from collections import Counter

from findable.artifacts.page.images import Image, Images
from findable.checks.engine import Finding, as_evidence, check, inapplicable, info
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import EditPlace, Effort, Importance

LONG_ALT_CHARS = 125
"""Length of alternative text at which some screen readers pause or stop; a convention, not a standard."""
SAME_ALT_COUNT = 5
_CAMERA_NAME = lazy_pattern(r"(?:img|dsc[fn]?|dcim|pict?|image|photo|screenshot|untitled|unnamed)[-_ ]?\d{2,}", re.IGNORECASE)
_FILE_ALT = lazy_pattern(r"\S+\.(?:jpe?g|png|gif|webp|avif|svg)", re.IGNORECASE)


@check("What do alternative texts and file names say?", Importance.INFO, Effort.CONTENT, place=EditPlace.IMAGE_TEXT)
def image_keywords(images: Images) -> Finding:
    shown = [image for image in images.imgs if not image.is_pixel]
    if not shown:
        return inapplicable("The page shows no images")
    alts = Counter(alt for image in shown if (alt := _alt(image)))
    repeated = {alt for alt, count in alts.items() if count >= SAME_ALT_COUNT}
    notes = [(image.element, note) for image in shown if (note := _note(image, repeated))]
    return info(
        "{count|image|images}, {texts_count} with alternative text, {notes_count} to check",
        count=len(shown),
        texts_count=sum(alts.values()),
        notes_count=len(notes),
        evidence=as_evidence(notes or [(shown[0].element, "the first image")]),
    )


def _alt(image: Image) -> str:
    return " ".join((image.alt or "").split())


def _note(image: Image, repeated: set[str]) -> str:
    alt = _alt(image)
    if len(alt) > LONG_ALT_CHARS:
        return "the text is longer than most screen readers read without a pause"
    if _FILE_ALT.fullmatch(alt):
        return "the text is a file name"
    if alt in repeated:
        return "many images have the same text"
    url = parse(image.url) if image.url else None
    name = url.path.rpartition("/")[2].rpartition(".")[0] if url else ""
    return "the file name describes nothing" if _CAMERA_NAME.fullmatch(name) else ""
