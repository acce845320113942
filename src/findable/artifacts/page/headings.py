"""Headings of the page: h1–h6 and elements with role=heading, with level and name."""

from operator import attrgetter

from msgspec import Struct

from findable.artifacts.content import Content
from findable.artifacts.html.document import Element
from findable.artifacts.html.landmarks import Region, Surroundings
from findable.artifacts.registry import Absent, artifact
from findable.vocabulary import Verdict

MAX_HEADINGS = 1000
TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PARSER_DEPTH = 512
"""Depth from which the parser, like browsers, flattens elements and moves text out of its element."""
DEFAULT_LEVEL = 2
"""Level of role=heading without aria-level (WAI-ARIA 1.2)."""
PICTURES = frozenset({"img", "svg", "picture", "object", "video", "canvas", "iframe", "noscript", "slot", "input", "math"})


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
        """Text of the first main heading; empty if there is none."""
        return self.main[0].name if self.main else ""


@artifact
def make_headings(content: Content) -> Headings | Absent:
    """Read the headings in document order."""
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
    return Headings(tuple(found), max(0, count - MAX_HEADINGS))


def _heading(element: Element, surroundings: Surroundings) -> Heading | None:
    place = surroundings.context_of(element)
    if not element.has_attrs:  # most headings are h1 to h6 without a role
        return Heading(int(element.tag[1]), element.name_text, element, place.hidden, place.region)
    role = (element.attr("role") or "").strip().lower()
    if role not in ("", "heading"):
        return None  # the element has another role than heading
    label = " ".join((element.attr("aria-label") or "").split())
    return Heading(_level(element), label or element.name_text, element, place.hidden, place.region)


def _level(element: Element) -> int:
    declared = (element.attr("aria-level") or "").strip()
    if declared.isascii() and declared.isdigit() and int(declared[:3]) >= 1:
        return int(declared[:3])
    return int(element.tag[1]) if element.tag in TAGS else DEFAULT_LEVEL
