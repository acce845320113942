"""Error messages that servers and frameworks send instead of a page."""

import re

from findable.lazy_pattern import lazy_pattern

MAX_CHARS = 3000
"""Length above which a text that begins with an error message is a page about it."""
_MESSAGE = lazy_pattern(
    r"\s*(?:PHP )?(?:fatal error|parse error)\s?:"
    r"|\s*uncaught (?:error|exception|typeerror|valueerror|pdoexception)\b"
    r"|\s*traceback \(most recent call last\)"
    r"|\s*error establishing a database connection"
    r"|\s*(?:(?:http )?(?:error )?50[0234][\s:–-]{1,3})?"
    r"(?:internal server error|bad gateway|gateway time-?out|service (?:temporarily )?unavailable)"
    r"|\s*whitelabel error page"
    r"|\s*application error: a (?:server|client)-side exception"
    r"|\s*server error in '[^']{0,80}' application"
    r"|\s*(?:java|javax|org\.springframework)\.[\w.]{3,80}(?:exception|error)\b"
    r"|\s*sqlstate\[",
    re.IGNORECASE,
)


def is_error_message(text: str) -> bool:
    """Return whether the whole visible text of a response is an error message of the server."""
    return len(text) <= MAX_CHARS and _MESSAGE.match(text) is not None
