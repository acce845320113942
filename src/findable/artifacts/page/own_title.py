"""Title of the page without the name of the site, for tags that name the page."""

import re
from unicodedata import normalize

from msgspec import Struct

from findable.artifacts.page.dummy_text import is_dummy_text
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.registry import artifact
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.table_file import read_table
from findable.artifacts.tables.wordings import GENERIC_TITLES, fold
from findable.formats.title_parts import separators, split_title
from findable.urls import registrable_domain

DEFAULT_TITLES = read_table("default_titles", frozenset[str])
"""Default titles of starter kits, editors and site builders (as of 2026-11)."""
PLACEHOLDER = re.compile(
    r"\{\{[^{}]{1,80}\}\}|\{%[^{}%]{1,80}%\}|<%[^<>%]{1,80}%>|\$\{[^{}]{1,80}\}|%%[a-z_]{2,40}%%|\[\[[a-z_.+*]{2,40}\]\]"
)
_WORD = re.compile(r"[^\W_]+")
_NAME_FIRST = re.compile(r"[^:]{1,60}(:\s+)")
_NAME_LAST = re.compile(r"[\[(][^\[\]()]{1,60}[\])]\s*\Z")


class OwnTitle(Struct, frozen=True):
    """Title that the page has for itself."""

    text: str
    """Main heading if the title contains it, else the title without the name of the site; all of it on the home page.

    Empty if the title is a dummy, or if it has several parts and it is not certain which one is the name of the site.
    """


@artifact
def make_own_title(head: Head, page_url: PageUrl, headings: Headings | None) -> OwnTitle:
    """Read the title without the name of the site."""
    return OwnTitle("" if _is_dummy(head.title, head) else _own_part(head, page_url, headings))


def _own_part(head: Head, page_url: PageUrl, headings: Headings | None) -> str:
    title = head.title
    if page_url.is_home:
        return title
    heading = headings.main_text if headings else ""
    names = _site_names(head, page_url)
    rest = _without_site(title, names)
    if _key(heading) in (*names, *_last_parts(rest)):  # the heading is the name of the site
        rest, heading = _without_site(rest, names | {_key(heading)}), ""
    if heading and f" {_words(heading)} " in f" {_words(rest)} ":
        return heading
    is_certain = rest != title or not separators(rest)
    return rest if is_certain and _key(rest) not in names else ""


def _is_dummy(title: str, head: Head) -> bool:
    folded = fold(title)
    generic = GENERIC_TITLES.get(primary(head.lang), frozenset()) | GENERIC_TITLES["en"] | DEFAULT_TITLES
    return folded in generic or is_dummy_text(title) or "\ufffd" in title or PLACEHOLDER.search(title) is not None


def _site_names(head: Head, page_url: PageUrl) -> frozenset[str]:
    host = page_url.url.host.removeprefix("www.")
    declared = (meta.content or "" for meta in head.properties("og:site_name"))  # other tags often have the title of the page
    names = [name for text in declared for name in (text, split_title(text)[0])]
    return frozenset(filter(None, map(_key, (host, registrable_domain(host), registrable_domain(host).split(".")[0], *names))))


def _without_site(title: str, names: frozenset[str]) -> str:
    """Return a title without first and last parts that are the name of the site, and last ones that repeat another part."""
    while spans := separators(title):
        cuts = [0, *(at for span in spans for at in span), len(title)]
        parts = [_key(title[start:end]) for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
        if parts[-1] in names or parts[-1] in parts[:-1]:
            title = title[: spans[-1][0]]
        elif parts[0] in names:
            title = title[spans[0][1] :]
        else:
            break
    last = _NAME_LAST.search(title)
    if last and _key(last[0]) in names:
        title = title[: last.start()]
    first = _NAME_FIRST.match(title)
    return (title[first.end() :] if first and _key(first[0]) in names else title).strip()


def _last_parts(title: str) -> list[str]:
    """Return the last part of a title in one form, and what stands in brackets at its end; none if it has only one part."""
    last = _NAME_LAST.search(title)
    return [_key(title[end:]) for _, end in separators(title)[-1:]] + ([_key(last[0])] if last else [])


def _key(text: str) -> str:
    """Return the letters and digits of a name, without accents, which names of hosts lack."""
    return "".join(filter(str.isalnum, normalize("NFKD", fold(text))))


def _words(text: str) -> str:
    """Return the words of a text without the signs between them, which headings and titles write in different ways."""
    return " ".join(_WORD.findall(fold(text)))
