"""Headings of the page: h1–h6 and elements with role=heading, with level and name, and the one that names the page."""

import re
from bisect import bisect_left
from itertools import islice
from operator import attrgetter

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Element
from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.page.head import Head
from findable.artifacts.page.social import Social
from findable.artifacts.page.word_count import words
from findable.artifacts.registry import Absent, artifact
from findable.artifacts.tables.wordings import fold
from findable.formats.title_parts import split_title
from findable.vocabulary import Verdict

MAX_HEADINGS = 1000
TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARSER_DEPTH = 512
"""Depth from which the parser, like browsers, flattens elements and moves text out of its element."""
DEFAULT_LEVEL = 2
"""Level of role=heading without aria-level (WAI-ARIA 1.2)."""
PICTURES = frozenset({"img", "svg", "picture", "object", "video", "canvas", "iframe", "noscript", "slot", "input", "math"})
OUTSIDE_CONTENT = frozenset({Region.NAV, Region.HEADER, Region.FOOTER, Region.ASIDE})
ASIDE = OUTSIDE_CONTENT - {Region.HEADER}
_TITLE_PART = re.compile(r"[_｜：]|:\s")
"""Signs without spaces after which a title may go on with another part."""
MAIN_LEVEL = 1
LOWEST_LEVEL = 3
"""Lowest level of a heading that may name the page instead of its first-level headings."""
COMPARED_HEADINGS = 100
COMPARED_CHARS = 500
SAME_NAME = 0.75
"""Agreement with the title or og:title from which a lower heading names the page, if no first-level heading agrees (set by Findable)."""
SHORT_NAME_WORDS = 4
"""Number of words below which a lower heading must equal the name."""
SURE_NAME = 0.6
"""Agreement from which a first-level heading certainly names the page (set by Findable)."""
OTHER_NAME = 0.3
"""Agreement up to which a first-level heading names something else, such as the site (set by Findable)."""


class Heading(Struct, frozen=True):
    """Heading of the page."""

    level: int
    name: str
    """Accessible name: text, alternative texts, aria-label; folded, may be empty."""
    element: Element
    hidden: bool
    """Whether markup hides it (``hidden``, ``aria-hidden``, an inline style …)."""
    region: Region
    """Nearest landmark around it."""

    @property
    def is_empty(self) -> bool:
        """Whether the heading has no text, and no image, component or script that may supply text."""
        if self.name:
            return False
        if any(name == "id" or name.startswith("data-") for name in self.element.attrs):
            return False  # a script may use these attributes to find elements to fill
        return not any(node.tag in PICTURES or "-" in node.tag for node in self.element.descendants()[:50])


class Headings(Struct, frozen=True):
    """Headings in document order, at most MAX_HEADINGS."""

    all: tuple[Heading, ...]
    left_count: int
    """Number of headings beyond MAX_HEADINGS."""
    main_heading: Heading | None = None
    """Heading that names the page: the first-level one that agrees most with title and og:title, position breaks ties.

    A lower heading if it has the name that title or og:title begin with, and none of the first level does; None without a first-level
    heading.
    """
    is_confirmed: bool = False
    """Whether title or og:title agree with the main heading."""

    @property
    def is_cut(self) -> bool:
        """Whether there are more headings than were read."""
        return self.left_count > 0

    @property
    def visible(self) -> tuple[Heading, ...]:
        """Headings that markup does not hide."""
        return tuple(heading for heading in self.all if not heading.hidden)

    @property
    def main(self) -> tuple[Heading, ...]:
        """First-level headings with a name, hidden or not (a heading for screen readers only counts)."""
        return tuple(heading for heading in self.all if heading.level == 1 and heading.name)

    @property
    def main_text(self) -> str:
        """Text of the heading that names the page; empty if there is none."""
        return self.main_heading.name if self.main_heading else ""


@artifact
def make_headings(content: Content, head: Head | None, social: Social | None) -> Headings | Absent:
    """Read the headings in document order, and find the one that names the page."""
    document, surroundings = content.document, content.surroundings
    elements = [element for element in document.all(*TAGS, limit=MAX_HEADINGS) if element.namespace == "html"]
    count = sum(document.tag_counts.get(tag, 0) for tag in TAGS)
    roles = [element for element in document.holders("role") if (element.attr("role") or "").lower() == "heading"]
    if roles:
        count += sum(element.tag not in TAGS for element in roles)
        elements = sorted({*elements, *roles}, key=attrgetter("order"))
    found = [heading for element in elements[:MAX_HEADINGS] if (heading := _heading(element, surroundings)) is not None]
    if document.max_depth > PARSER_DEPTH and any(not heading.name for heading in found):
        return Absent(
            "elements are nested more than {depth} deep: headings there lost their text", Verdict.UNKNOWN, {"depth": PARSER_DEPTH}
        )
    declared = (head.title if head else "", social.content("og:title") if social else "")
    main = _main_heading(found, declared)
    is_confirmed = main is not None and _agreement(main.name, [_tokens(text) for text in declared]) > OTHER_NAME
    return Headings(tuple(found), max(0, count - MAX_HEADINGS), main, is_confirmed)


def _main_heading(headings: list[Heading], declared: tuple[str, ...]) -> Heading | None:
    """Return the heading that names the page. ``declared``: its names in title and og:title, possibly empty."""
    first_level = list(islice((heading for heading in headings if heading.level == MAIN_LEVEL and heading.name), COMPARED_HEADINGS))
    if not first_level:
        return None
    names = [tokens for text in declared if (tokens := _tokens(text))]
    best = max(first_level, key=lambda heading: _rank(heading, names))
    is_sure = _agreement(best.name, names) >= SURE_NAME
    first_parts = [_tokens(_TITLE_PART.split(split_title(text)[0], maxsplit=1)[0]) for text in declared]
    candidates = _pages_of_site(best, declared) if is_sure else (*first_parts, *names)
    others = [name for name in candidates if len(name) > 1 and _agreement(best.name, [name]) <= OTHER_NAME]
    if not others:
        return best
    lower = (
        heading
        for heading in (headings[headings.index(best) :] if is_sure else headings)
        if MAIN_LEVEL < heading.level <= LOWEST_LEVEL and heading.name and not heading.hidden and heading.region not in ASIDE
    )
    return next((heading for heading in islice(lower, COMPARED_HEADINGS) if _has_name(heading.name, others, must_equal=is_sure)), best)


def _pages_of_site(heading: Heading, declared: tuple[str, ...]) -> list[frozenset[str]]:
    """Return the first part of each title that ends with the heading, as with the name of a site."""
    parts = [split_title(text) for text in declared]
    return [_tokens(one[0]) for one in parts if len(one) > 1 and _agreement(heading.name, [_tokens(one[-1])]) >= SAME_NAME]


def _has_name(text: str, names: list[frozenset[str]], *, must_equal: bool) -> bool:
    """Return whether a text is one of the names: short ones exactly, since one more word makes a heading that of a section."""
    least = {name: 1 if must_equal or len(name) < SHORT_NAME_WORDS else SAME_NAME for name in names}
    return any(_agreement(text, [name]) >= share for name, share in least.items())


def _rank(heading: Heading, names: list[frozenset[str]]) -> tuple[float, bool, bool]:
    is_outside = heading.region in OUTSIDE_CONTENT
    return round(_agreement(heading.name, names), 1), not heading.hidden, heading.region is Region.MAIN or not is_outside


def _agreement(text: str, names: list[frozenset[str]]) -> float:
    """Return the largest share of common words of a text and one of the names, 0–1 (Dice coefficient)."""
    own = _tokens(text)
    return max((2 * len(own & name) / (len(own) + len(name)) for name in names), default=0.0) if own else 0.0


def _tokens(text: str) -> frozenset[str]:
    """Return the words of a text, and pairs of letters of scripts without spaces, in one form."""
    text = fold(text[:COMPARED_CHARS])
    spaced = frozenset(words(text))
    rest = "".join(char for char in text if not char.isascii() and char.isalnum()) if not spaced or not text.isascii() else ""
    unspaced = "" if rest and all(char in "".join(spaced) for char in rest) else rest
    return spaced | {unspaced[at : at + 2] for at in range(len(unspaced) - 1)}


def _heading(element: Element, surroundings: Surroundings) -> Heading | None:
    place = surroundings.context_of(element)
    if not element.has_attrs:  # most headings are h1 to h6 without a role
        return Heading(int(element.tag[1]), _name_of(element), element, place.hidden, place.region)
    role = (element.attr("role") or "").strip().lower()
    if role not in ("", "heading"):
        return None  # the element has another role than heading
    label = " ".join((element.attr("aria-label") or "").split())
    return Heading(_level(element), label or _name_of(element), element, place.hidden, place.region)


def _name_of(element: Element) -> str:
    """Return the accessible name without the link to the heading itself that documentation adds: "¶", "#", "Permalink to …"."""
    name, links = element.name_text, element.document.by_tag.get("a", ())
    at = bisect_left(links, element.order)
    if at == len(links) or links[at] > element.document.ends[element.order]:
        return name
    link = element.document.element_at(links[at])
    if not (link.attr("href") or "").startswith("#"):
        return name
    text = " ".join((link.attr("aria-label") or link.name_text).split())
    is_sign = not any(map(str.isalnum, text))
    return (name.removesuffix(text).removeprefix(text if is_sign else "").strip() if text else "") or name


def _level(element: Element) -> int:
    declared = (element.attr("aria-level") or "").strip()
    if declared.isascii() and declared.isdigit() and int(declared[:3]) >= 1:
        return int(declared[:3])
    return int(element.tag[1]) if element.tag in TAGS else DEFAULT_LEVEL
