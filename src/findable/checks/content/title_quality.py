"""The title is a template's default, a placeholder, or does not describe the page.

In plain words: In Google, this page's title does not tell people what they will find.

Why it matters: The title is the first source of the title link in search results. "Home", "Document" or an unrendered variable does not
describe the page, so search engines use different text and people do not click.

How to fix: Describe this page, then name the site.

    <title>Blue widgets, made to measure – Example Ltd</title>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): half-empty titles, boilerplate,
vague texts, repeated words.

Not judged: whether the title describes the content, unless that of a home page has only one or two words; titles in languages whose generic
words are not known here beyond their English forms; unrendered variables on pages that show code with such variables; a name with a slogan
of which the page uses a word, or on a page with fewer than 50 words.
"""

from collections import Counter
from urllib.parse import unquote

from findable.artifacts.html.client_templates import MUSTACHE, is_in_client_template
from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.own_title import DEFAULT_TITLES, PLACEHOLDER
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import count_words, words
from findable.artifacts.tables.languages import primary
from findable.artifacts.tables.stop_words import stop_words
from findable.artifacts.tables.wordings import GENERIC_TITLES, fold
from findable.checks.engine import TEXT_MARK, Finding, check, failed, passed, unknown, warned, with_fault
from findable.formats.title_parts import split_title
from findable.lazy_pattern import lazy_pattern
from findable.urls import registrable_domain
from findable.vocabulary import EditPlace, Effort, Fault, Importance, Verdict

REPEATED_TIMES = 3
REPEATED_LEAST_CHARS = 3
JUDGED_CHARS = 1000
BROKEN_VALUES = frozenset({"undefined", "null", "nan", "[object object]", "none", "false"})
_FIRST_SEPARATORS = "|-–—―·•»›"
_LAST_SEPARATORS = "|-–—―·•›"
"""Signs at the end of a title that are no punctuation. A closing guillemet is one unless it closes a quotation."""
MIN_DIGITS = 6
SLOGAN_TEXT_WORDS = 50
"""Number of words of main text from which a title that shares none of them says nothing about the page (set by Findable)."""
BRIEF_WORDS = 2
"""Number of words up to which the title of a home page is a name (set by Findable)."""
SLOGAN_WORDS = 2
STEM_CHARS = 5
"""Number of words of a slogan, and their compared beginning; shorter words are mostly articles and prepositions (set by Findable)."""

_FRAMED = lazy_pattern(r"([-–—~·•]) .+ \1")
"""Title between two equal signs, which decorate it: ``- BOOK☆WALKER -``."""
_EMPTY_SEGMENT = lazy_pattern(r"\s([|·•])\s+\1(?=\s)")


@check(
    "Is the title specific?",
    Importance.MEDIUM,
    Effort.HEAD,
    place=EditPlace.TITLE,
    costs={
        Fault.PLACEHOLDER_TITLE: 200,
        Fault.GENERIC_TITLE: 180,
        Fault.BRAND_TITLE: 130,
        Fault.BRIEF_TITLE: 80,
        Fault.STUFFED_TITLE: 45,
        Verdict.FAILED: 200,
        Verdict.WARNED: 30,
    },
    depends_on=("title-present",),
    warned_summary="The title is generic, repeats a word, or has an empty part.",
    mark=TEXT_MARK,
)
def title_quality(
    document: Document, head: Head, page_url: PageUrl, social: Social | None, headings: Headings | None, text: Text | None
) -> Finding:
    shown = [item.element for item in head.titles if item.text][:1]
    title = head.title[:JUDGED_CHARS]
    segments = [part for part in split_title(title) if part]
    if fold(title) in DEFAULT_TITLES or title.strip().casefold() in DEFAULT_TITLES:
        return with_fault(failed("The title is a template's default: “{title}”", title=title, evidence=shown), Fault.PLACEHOLDER_TITLE)
    broken = _broken_value(title, segments, document)
    if broken and MUSTACHE.fullmatch(broken) and any(is_in_client_template(node) for node in shown):
        return unknown("Scripts fill the title, and the page was read without a browser", evidence=shown)
    if broken:
        finding = failed("The title contains an unrendered placeholder: “{value}”", value=broken, evidence=shown)
        return with_fault(finding, Fault.PLACEHOLDER_TITLE)
    if reason := _empty_segment(title):
        return warned(reason, title=title, evidence=shown)
    if generic := _generic_title(title, head, page_url, headings):
        reason, fault = generic
        return with_fault(warned(reason, title=title, evidence=shown), fault)
    if page_url.is_home and count_words(title) <= BRIEF_WORDS:
        finding = warned("The title of the home page does not say what the site offers: “{title}”", title=title, evidence=shown)
        return with_fault(finding, Fault.BRIEF_TITLE)
    if headings and text and not page_url.is_home and _is_slogan(segments, page_url, social, headings, text):
        finding = warned("The title is only the site's name and slogan: “{title}”", title=title, evidence=shown)
        return with_fault(finding, Fault.BRAND_TITLE)
    if repeated := _repeated_word(_without_site(segments, page_url, social), primary(head.lang)):
        word, count = repeated
        finding = warned("The title repeats “{word}” {count|time|times}", word=word, count=count, evidence=shown)
        return with_fault(finding, Fault.STUFFED_TITLE)
    return passed("Title, {count|character|characters}: “{title}”", count=len(head.title), title=title, evidence=shown)


def _broken_value(title: str, segments: list[str], document: Document) -> str:
    for segment in segments:
        if segment.casefold() in ("undefined", "[object object]", "nan") or (len(segments) > 1 and segment == "null"):
            return segment
    if title.strip().casefold() in BROKEN_VALUES:
        return title.strip()
    found = PLACEHOLDER.search(title)
    if found is None or document.tag_counts.get("code") or document.tag_counts.get("pre"):
        return ""  # a page about templates may quote one
    return found.group()


def _empty_segment(title: str) -> str:
    stripped = title.strip()
    if _FRAMED.fullmatch(stripped):
        stripped = stripped[1:-1].strip()
    if len(stripped) > 1 and (stripped[0] in _FIRST_SEPARATORS and stripped[1] == " "):
        return "The title begins with a separator, nothing is before it: “{title}”"
    is_open = stripped.count("»") > stripped.count("«")
    last = _LAST_SEPARATORS + "»" if is_open else _LAST_SEPARATORS
    if len(stripped) > 1 and (stripped[-1] in last and stripped[-2] == " "):
        return "The title ends with a separator: “{title}”"
    if _EMPTY_SEGMENT.search(stripped):
        return "The title has two separators with nothing between them: “{title}”"
    return ""


def _without_site(segments: list[str], page_url: PageUrl, social: Social | None) -> str:
    """Return the title without a last part that is the name of the site, whose words the page does not repeat for itself."""
    last = fold(segments[-1]).replace(" ", "") if len(segments) > 1 else ""
    site = fold(social.content("og:site_name")).replace(" ", "") if social else ""
    is_site = bool(last) and (last == site or last in page_url.url.host.replace("-", ""))
    is_repeated = len(set(segments)) < len(segments)
    return " ".join(segments[:-1] if is_site and not is_repeated else segments)


def _generic_title(title: str, head: Head, page_url: PageUrl, headings: Headings | None) -> tuple[str, Fault] | None:
    folded = fold(title)
    known = GENERIC_TITLES.get(primary(head.lang), frozenset()) | GENERIC_TITLES["en"]
    if folded in known:
        return "The title describes no page: “{title}”", Fault.GENERIC_TITLE
    if len(folded) >= MIN_DIGITS and folded.isdecimal():
        return "The title is only a number: “{title}”", Fault.GENERIC_TITLE
    if page_url.is_home:
        return None
    if folded in (page_url.url.host, page_url.url.host.removeprefix("www.")):
        return "The title is only the name of the host: “{title}”", Fault.GENERIC_TITLE
    site = next((fold(meta.content) for meta in head.properties("og:site_name") if meta.content), "")
    named = fold(headings.main_text) if headings else ""
    if not site or folded != site or (named and named != site and named in site):  # the page's own title, given as the site's name
        return None
    return "The title is only the name of the site: “{title}”", Fault.BRAND_TITLE


def _is_slogan(segments: list[str], page_url: PageUrl, social: Social | None, headings: Headings, text: Text) -> bool:
    """Return whether a title has two parts, one of them the site's name, and the page uses no long word of the other one."""
    host = page_url.url.host
    names = {fold(social.content("og:site_name")) if social else "", registrable_domain(host).split(".")[0], host.removeprefix("www.")}
    others = [part for part in segments if fold(part) not in names]
    if len(segments) != 2 or len(others) != 1 or text.main_count < SLOGAN_TEXT_WORDS or not headings.main:  # noqa: PLR2004 - name and slogan
        return False
    slogan = {fold(word)[:STEM_CHARS] for word in words(others[0]) if len(word) >= STEM_CHARS}
    used = fold(" ".join((text.visible, unquote(page_url.url.path_and_query), *(heading.name for heading in headings.all))))
    return len(slogan) >= SLOGAN_WORDS and not any(stem in used for stem in slogan)


def _repeated_word(title: str, language: str) -> tuple[str, int] | None:
    stops = stop_words(language) | stop_words("en")
    counts = Counter(
        word
        for word in (fold(item) for item in words(title))
        if len(word) >= REPEATED_LEAST_CHARS and word not in stops and not word.isdigit()
    )
    word, count = counts.most_common(1)[0] if counts else ("", 0)
    return (word, count) if count >= REPEATED_TIMES else None
