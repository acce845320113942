"""The page has neither an X card nor Open Graph tags to fall back on.

Why it matters: X shows a bare link instead of a card with title and picture.

How to fix: one line is enough where the Open Graph tags are complete.

    <meta name="twitter:card" content="summary_large_image">

Sources: X, "Getting started with cards" (2025): twitter:card, with Open Graph tags as fallback for the rest.

Not judged: whether the picture has the right size, see og-image.
"""

from findable.artifacts.page.head import Head
from findable.artifacts.page.social import Social
from findable.checks.engine import Finding, check, element, passed, warned
from findable.vocabulary import Effort, Importance


@check(question="Is there a card for X?", importance=Importance.INFO, effort=Effort.HEAD)
def twitter_card(head: Head, social: Social) -> Finding:
    card = social.first("twitter:card")
    if card is not None:
        return passed("twitter:card is “{card}”", card=card.content, evidence=card.meta.element)
    if not social.missing:
        return passed("no twitter:card, the Open Graph tags stand in", evidence=[tag.meta.element for tag in social.tags[:4]])
    return warned("neither twitter:card nor complete Open Graph tags", evidence=element(head.element, "no twitter:card in here"))
