"""The page has no main heading.

In plain words: Visitors do not see at the top what this page is about, because its main heading is missing.

Why it matters: The main heading tells readers where they are, screen readers jump to it, and Google may use it for the title link. Without
one the page has no visible name.

How to fix: Mark up the visible title as h1, and raise the levels of the headings below it so that no level is missing. An image with an alt
text counts.

    <h1>Blue widgets, made to measure</h1>

Sources: [Google: title links](https://developers.google.com/search/docs/appearance/title-link) (2025): the main visual title and headings
are sources; [WCAG 2.2, 2.4.6 Headings and Labels](https://www.w3.org/TR/WCAG22/#headings-and-labels).

Not judged: whether it is the largest text on the screen; the name of the site as h1 of the home page. Of several h1 the one that agrees
most with title and og:title is the main heading.
"""

import re
from itertools import islice

from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.landmarks import Surroundings, hides
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import MAIN_LEVEL, OUTSIDE_CONTENT, Heading, Headings
from findable.artifacts.page.page_url import PageUrl
from findable.artifacts.page.social import Social
from findable.artifacts.page.text import Text
from findable.artifacts.page.word_count import words
from findable.artifacts.tables.wordings import fold
from findable.checks.engine import Finding, check, element, failed, info, passed, unknown, warned, with_fault
from findable.checks.page_fix import Fix, rename_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import is_start_page, project_name
from findable.vocabulary import EditPlace, Effort, Fault, Importance, PageKind, Verdict

MAX_ANCESTORS = 12
_WIDGET = lazy_pattern(
    r"widget|share|drawer|\bnav|menu|sidebar|modal|popup|overlay|cookie|comment|related|promo|newsletter|footer", re.IGNORECASE
)
MIN_SHARE = 0.3
"""Share of common words above which a heading matches the title, which often includes the site's name (set by Findable)."""
SAME_SHARE = 0.6
"""Share of common words above which a heading has the same name as the title (set by Findable)."""
IN_TITLE_SHARE = 0.7
"""Share of the heading's words that the title contains at least, if the heading is to be the main one (set by Findable)."""
NEXT_LEVEL = 2
_STREAMED = lazy_pattern(r"S:[0-9a-f]{1,8}|af[a-z]{0,20}\d{1,8}")
"""Ids of parts that React and Marko send hidden and move to their place."""
MANY_ELEMENTS = 50
"""Number of elements from which a hidden part is content that a script shows later (set by Findable)."""
MANY_WORDS = 200
"""Number of words from which a text without headings is hard to scan (set by Findable)."""


@check(
    "Is there a main heading?",
    Importance.MEDIUM,
    Effort.HEAD,
    place=EditPlace.HEADING,
    costs={Fault.WRONG_HEADING: 55, Verdict.FAILED: 90, Verdict.WARNED: 90},
    kind_percents={PageKind.FORM: 40, PageKind.PHOTO: 40},
    accepts_partial_input=True,
    warned_summary="The main heading is missing, empty or hidden, or does not name the page.",
)
def h1_present(
    document: Document, headings: Headings, text: Text, head: Head, surroundings: Surroundings, page_url: PageUrl, social: Social | None
) -> Finding:
    named = headings.main_heading
    if named and not page_url.is_home and (logo := _logo_finding(headings, head, page_url)):
        return logo
    if named and named.level > MAIN_LEVEL and not page_url.is_home:
        return _other_name_finding(headings, named, social)
    first = named if named and not named.hidden else next((heading for heading in headings.main if not heading.hidden), None)
    if first:
        return passed("Main heading: “{text}”", text=first.name, evidence=first.element)
    if headings.is_cut:
        return unknown("Not known: no main heading (h1) among the first {count} headings", count=len(headings.all))
    if headings.main and all(_is_in_hidden_content(heading) for heading in headings.main):
        return unknown("Not known: the main heading (h1) is in a hidden part of the page that scripts may show")
    if headings.main:
        return warned("The only main heading (h1) is hidden by markup", evidence=[heading.element for heading in headings.main])
    nameless = [heading.element for heading in headings.all if heading.level == 1]
    if nameless:
        return warned("The main heading is empty: no text and no alternative text", evidence=nameless)
    filled = [heading for heading in headings.all if heading.name]
    if filled:
        best = _naming_heading(headings, head, surroundings)
        return warned(
            "No main heading (h1); the first heading is of level {level}",
            level=filled[0].level,
            evidence=[heading.element for heading in filled[:3]],
            fixes=[_fix(headings, best)] if best else (),
            advice="Mark up “{heading}” as h1." if best else "",
            **({"heading": best.name} if best else {}),
        )
    place = element(document.body or document.html, "no heading in here")
    if text.visible_count >= MANY_WORDS:
        return failed(
            "No heading in {count|word|words} of text; {least} words or more need one",
            count=text.visible_count,
            least=MANY_WORDS,
            evidence=place,
        )
    return warned("No heading on the page", evidence=place)


def _logo_finding(headings: Headings, head: Head, page_url: PageUrl) -> Finding | None:
    """Return the finding for a page whose only first-level headings are links to the home page, as logos are; None for others."""
    lower = (one for one in headings.visible if one.level > MAIN_LEVEL and one.name and one.region not in OUTSIDE_CONTENT)
    if next(lower, None) is None or not all(_links_home(heading.element, page_url.url.href) for heading in headings.main):
        return None
    title = {word.casefold() for word in words(head.title)}
    if any(heading.element.text_up_to(1) and _common_share(heading, title) > SAME_SHARE for heading in headings.main):
        return None  # a link in the wrong place, with the name of this page
    finding = warned(
        "The main heading (h1) “{text}” is the link to the home page, as a logo is: it names the site instead of this page",
        text=headings.main[0].name,
        evidence=[heading.element for heading in headings.main],
        advice="Mark up the title of this page as h1, and the logo as a plain link.",
    )
    return with_fault(finding, Fault.WRONG_HEADING)


def _is_in_hidden_content(heading: Heading) -> bool:
    """Return whether much content is hidden together with the heading, as on pages that are sent in parts or that a script unlocks."""
    outer = next((node for node in islice(heading.element.ancestors, MAX_ANCESTORS) if hides(node.tag, node.attrs)), None)
    if outer is None:
        return False
    return _STREAMED.fullmatch(outer.attr("id") or "") is not None or len(outer.first_descendants(MANY_ELEMENTS)) == MANY_ELEMENTS


def _links_home(node: Element, page: str) -> bool:
    around = (outer for outer in islice(node.ancestors, MAX_ANCESTORS) if outer.tag == "a")
    targets = [node.document.resolve(href) for link in (*node.descendants("a"), *around) if (href := link.attr("href"))]
    return bool(targets) and all(target is not None and is_start_page(target, project_name(page)) for target in targets)


def _other_name_finding(headings: Headings, named: Heading, social: Social | None) -> Finding:
    """Return the finding for a page whose title is that of a lower heading: its h1 may be the site's name, or that of a section."""
    site = fold(social.content("og:site_name")) if social else ""
    evidence = [*(heading.element for heading in headings.main), named.element]
    if all(_is_outside_article(heading) or fold(heading.name) == site for heading in headings.main):
        wrong = warned(
            "The main heading (h1) “{text}” does not name this page; the heading of level {level} does: “{heading}”",
            text=headings.main[0].name,
            level=named.level,
            heading=named.name,
            evidence=evidence,
            advice="Mark up “{heading}” as h1, and the name of the site or section as plain text or a link.",
        )
        return with_fault(wrong, Fault.WRONG_HEADING)
    return info(
        "The heading that names the page is of level {level}: “{heading}”", level=named.level, heading=named.name, evidence=evidence
    )


def _is_outside_article(heading: Heading) -> bool:
    """Return whether the heading is in a header or the like of the page, not of an article."""
    around = islice(heading.element.ancestors, MAX_ANCESTORS)
    return heading.region in OUTSIDE_CONTENT and not any(node.tag in ("article", "main") for node in around)


def _naming_heading(headings: Headings, head: Head, surroundings: Surroundings) -> Heading | None:
    """Return the content heading that matches the title."""
    title_words = {word.casefold() for word in words(head.title)}
    named = [heading for heading in headings.visible if heading.name and not heading.element.attr("role")]
    shares = {heading.element: _common_share(heading, title_words) for heading in named}
    likely = (heading for heading in named if shares[heading.element] > MIN_SHARE and _is_in_content(heading, surroundings))
    best = max(likely, key=lambda heading: shares[heading.element], default=None)
    own = {word.casefold() for word in words(best.name)} if best else set()
    return best if len(own & title_words) >= IN_TITLE_SHARE * len(own) else None  # "More from …" only contains the title


def _fix(headings: Headings, best: Heading) -> Fix | None:
    """Return the heading that names the page as h1; None if the level below would then be missing."""
    at = headings.all.index(best)
    following = headings.all[at + 1].level if at + 1 < len(headings.all) else 0
    return rename_fix(best.element, "h1") if following <= NEXT_LEVEL else None


def _common_share(heading: Heading, title_words: set[str]) -> float:
    """Return the share of words that heading and title have in common."""
    own = {word.casefold() for word in words(heading.name)}
    return len(own & title_words) / len(own | title_words) if own else 0.0


def _is_in_content(heading: Heading, surroundings: Surroundings) -> bool:
    if surroundings.context_of(heading.element).region in OUTSIDE_CONTENT:
        return False
    around = (heading.element, *islice(heading.element.ancestors, MAX_ANCESTORS))
    return not any(
        node.tag in ("nav", "form", "table") or _WIDGET.search(f"{node.attr('class') or ''} {node.attr('id') or ''}")
        for node in around
        if node.tag not in ("body", "html", "main", "article")
    )
