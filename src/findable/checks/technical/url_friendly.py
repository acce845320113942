"""The URL is long or hard to read.

In plain words: People cannot tell from the web address what this page is about.

Why it matters: People read URLs in results, messages and address bars. URLs hardly affect ranking: according to Google, words in URLs have
hardly any effect beyond breadcrumbs.

How to fix: Link to one URL without session ids, double slashes, spaces and parameters that change nothing, and redirect the other forms to
it. For **new** pages use few, lower-case words with hyphens. Leave old URLs alone that are only hard to read: a change does more harm than
good.

    https://www.example.com/shop/blue-widgets

Sources: [Google: URL structure best practices](https://developers.google.com/search/docs/crawling-indexing/url-structure) (2025); [Google:
SEO Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025).

Not judged: URLs that are only hard to read (a path of more than 115 characters, underscores, capital letters), which are reported as
information; underscores of a name (``db_name``) that title or text contain; words in other scripts; the host; tracking parameters.
"""

import re
from urllib.parse import unquote

from findable.artifacts.page.head import Head
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.text import Text
from findable.checks.engine import Evidence, Finding, check, info, passed, url_evidence, warned
from findable.urls import query_parameters, without_tracking
from findable.vocabulary import Code, Effort, Importance

MAX_PATH_CHARS = 115
"""Path length from which the check warns: Screaming Frog's limit for URLs."""
MAX_PARAMETERS = 3
_UNDERSCORE = re.compile(r"[^\W\d_]_[^\W\d_]")
_PART_ENDS = re.compile(r"[/.]")
_REGION = re.compile(r"[a-z]{2,3}-[A-Z]{2}(?=/|$)")
"""Language with region in the usual form, such as ``en-US``."""
_CAPITAL = re.compile(r"[A-Z]")


class UrlFault(Code, params=("faults",)):
    """Fault that makes a URL hard to read."""

    LONG_PATH = "long_path", "a long path"
    UNDERSCORES = "underscores", "underscores between words"
    CAPITALS = "capitals", "capital letters"
    DOUBLE_SLASH = "double_slash", "a double slash"
    MANY_PARAMETERS = "many_parameters", "many parameters"
    SESSION_ID = "session_id", "a session id"
    SPACES = "spaces", "spaces"
    NOT_UTF8 = "not_utf8", "escapes that are not UTF-8"


STYLE = frozenset({UrlFault.LONG_PATH, UrlFault.UNDERSCORES, UrlFault.CAPITALS})
"""Faults that only make a URL hard to read. The others lead to several URLs of one page."""


@check("Is the URL easy to read?", Importance.LOW, Effort.CONTENT, warned=5, depends_on=("http-status",))
def url_friendly(page: PageUrl, head: Head | None, text: Text | None) -> Finding:
    """Checks the path and the query; never fails, and only informs about faults that do not justify a new URL."""
    faults = _faults(page, head.title or "" if head else "", text.visible if text else "")
    if faults and STYLE.issuperset(faults):
        return info("The URL has {faults}", faults=faults, evidence=_evidence(page, faults))
    if faults:
        return warned("The URL has {faults}", faults=faults, evidence=_evidence(page, faults))
    return passed(
        "{depth|path segment|path segments}, {parameters_count|parameter|parameters}",
        depth=page.depth,
        parameters_count=len(page.parameters),
    )


def _evidence(page: PageUrl, faults: list[UrlFault]) -> list[Evidence]:
    """Return the URL with each number that exceeds its limit, or without."""
    href = page.url.href
    long = "{count} characters in the path, more than {limit_count}"
    many = "{count} parameters, more than {limit_count}"
    numbers = {
        UrlFault.LONG_PATH: url_evidence(href, None, long, count=_path_chars(page), limit_count=MAX_PATH_CHARS),
        UrlFault.MANY_PARAMETERS: url_evidence(href, None, many, count=_parameters_count(page), limit_count=MAX_PARAMETERS),
    }
    return [numbers[fault] for fault in faults if fault in numbers] or [url_evidence(href)]


def _path_chars(page: PageUrl) -> int:
    return len(unquote(page.url.path))


def _parameters_count(page: PageUrl) -> int:
    return len(query_parameters(without_tracking(page.url.href)))


def _faults(page: PageUrl, title: str, text: str) -> list[UrlFault]:
    path = page.url.path
    joined = [part.lower() for part in _PART_ENDS.split(path) if _UNDERSCORE.search(part)]
    shown = f"{title} {text}".lower() if joined else ""  # this copies the text, which may be megabytes
    tests = (
        (_path_chars(page) > MAX_PATH_CHARS, UrlFault.LONG_PATH),
        (any(part not in shown for part in joined), UrlFault.UNDERSCORES),
        (_CAPITAL.search(_REGION.sub("", page.plain_path)) is not None, UrlFault.CAPITALS),
        ("//" in path, UrlFault.DOUBLE_SLASH),
        (_parameters_count(page) > MAX_PARAMETERS, UrlFault.MANY_PARAMETERS),
        (bool(page.session_parameter), UrlFault.SESSION_ID),
        ("%20" in path, UrlFault.SPACES),
        (not page.path_is_utf8, UrlFault.NOT_UTF8),
    )
    return [fault for fires, fault in tests if fires]
