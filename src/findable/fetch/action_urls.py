"""Recognize URLs whose request may change something, so that no crawler requests them."""

import re

from findable import urls
from findable.lazy_pattern import lazy_pattern

_ACTION_SEGMENT = lazy_pattern(
    r"(?:^|[-_])(?:log-?out|log-?off|sign-?out|sign-?off|delete|remove|destroy|unsubscribe|opt-?out|add-?to-?cart|add-?to-?basket|addtocart|"
    r"cart-?add|checkout|purchase|buy-?now|vote|upvote|downvote|like|unlike|follow|unfollow|report-?abuse|flag|approve|cancel|confirm|"
    r"deactivate|revoke|reset-?password|verify-?email|activate|empty-?cart|clear-?cart|add-?to-?wishlist|subscribe)(?:$|[-_.])",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset({"like", "vote", "flag", "follow", "confirm", "cancel", "approve", "activate", "subscribe", "checkout", "purchase"})
"""Words that are often the topic of a page ("how to cancel"): they mean an action only as the whole last path segment."""
_ACTION_NAME = lazy_pattern(
    r"(?:^|[-_])(?:nonce|wpnonce|csrf|csrftoken|xsrf|authenticity_token|sesskey|form_key|formkey|add-to-cart)(?:$|[-_])", re.IGNORECASE
)
_NAMES_WITH_VERB = frozenset({"action", "do", "act", "cmd", "op", "task", "mode"})
_VERBS = lazy_pattern(
    r"^(?:log-?out|sign-?out|delete|remove|destroy|unsubscribe|add|add_?to_?cart|buy|vote|like|approve|trash|edit|save|post|subscribe)",
    re.IGNORECASE,
)


def looks_like_action(url: str) -> bool:
    """Return whether a request may change something: the URL signs out, deletes, buys, votes, or has a one-time token."""
    parsed = urls.parse(url)
    if parsed is None:
        return False
    segments = [segment for segment in parsed.path.split("/") if segment]
    for position, segment in enumerate(segments):
        found = _ACTION_SEGMENT.search(segment)
        if found is None:
            continue
        word = found[0].strip("-_.").lower()
        if found[0].strip("-_.") == segment.partition(".")[0] and (word not in _LAST_WORDS or position == len(segments) - 1 > 0):
            return True
    return any(
        _ACTION_NAME.search(name) or (name.lower() in _NAMES_WITH_VERB and _VERBS.match(value))
        for name, value in urls.query_parameters(parsed.href)
    )
