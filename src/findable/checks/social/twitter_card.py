"""The page declares an X card of a type that does not exist.

In plain words: When somebody shares this page on X, only a bare link appears.

Why it matters: X shows a bare link instead of a card with title and image.

How to fix: Declare one of the four types. One line is enough if the Open Graph tags are complete.

    <meta name="twitter:card" content="summary_large_image">

Sources: [X: About Cards](https://developer.x.com/en/docs/x-for-websites/cards/overview/abouts-cards) (2025): ``twitter:card`` is
"summary", "summary_large_image", "app" or "player"; Open Graph tags are the fallback for the rest.

Not judged: the size of the image (``og-image``); pages without a card whose Open Graph tags are incomplete (``og-basic``).
"""

import re

from findable.artifacts.page.social import Social, SocialTag
from findable.checks.engine import Finding, attribute_mark, check, covered_by, passed, warned
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import Effort, Importance

_LARGE = lazy_pattern("large|photo|gallery", re.IGNORECASE)
"""Names of cards with a large image; X shows the former cards *photo* and *gallery* as `summary_large_image`."""
TYPES = frozenset({"summary", "summary_large_image", "app", "player"})


@check("Is there a card for X?", Importance.INFO, Effort.HEAD, mark=attribute_mark("content"))
def twitter_card(social: Social) -> Finding:
    card = social.first("twitter:card")
    if card is not None and card.content.lower() not in TYPES:
        return warned(
            "twitter:card is “{card}”, which is not a card type", card=card.content, evidence=card.meta.element, fixes=[_fix(card)]
        )
    if card is not None:
        return passed("twitter:card is “{card}”", card=card.content, evidence=card.meta.element)
    if social.missing:
        return covered_by("og-basic")
    return passed("There is no twitter:card; X uses the Open Graph tags", evidence=[tag.meta.element for tag in social.tags[:4]])


def _fix(card: SocialTag) -> Fix | None:
    return attribute_fix(card.meta.element, content="summary_large_image" if _LARGE.search(card.content) else "summary")
