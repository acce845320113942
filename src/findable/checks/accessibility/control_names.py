"""Fields, buttons or links have no name.

In plain words: Visitors who have the page read aloud hear only “button” or “link”, and do not learn what it does.

Why it matters: A screen reader says "button" and nothing else; voice control cannot name it; an agent cannot know what it does. A link
whose only content is an image without alt text tells search engines nothing either.

How to fix: Label fields, and give icon buttons and icon links an accessible name.

    <label for="mail">Email</label> <input id="mail" type="email">
    <button aria-label="Search"><svg aria-hidden="true">…</svg></button>

Sources: [WCAG 2.2, 4.1.2 Name, Role, Value](https://www.w3.org/TR/WCAG22/#name-role-value); [Accessible Name and Description Computation
1.2](https://www.w3.org/TR/accname-1.2/); [HTML-AAM 1.0](https://www.w3.org/TR/html-aam-1.0/) (placeholder and title count last). The check
fails for four or more controls without a name that are more than 5 % of all controls (set by this report).

Not judged: Controls that are disabled, or hidden by markup or a simple CSS rule in the page; buttons that browsers name themselves (submit,
reset); elements whose name may come from a component or a script, including empty ad slots. Without a browser, it is unknown whether an
inline script that mentions the id of a control names it.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

from findable.artifacts.html.document import Element
from findable.artifacts.page.controls import Control, ControlKind, Names
from findable.artifacts.page.images import Image, Images
from findable.checks.engine import Finding, check, covered_by, element, failed, inapplicable, passed, unknown, warned
from findable.checks.link_naming import LinkedWords
from findable.checks.page_fix import Fix, attribute_fix
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse
from findable.vocabulary import Code, Effort, Importance

WARN_COUNT = 3
WARN_SHARE = 0.05
"""Share of unnamed controls above which the check fails, if there are more than WARN_COUNT (set by Findable)."""
MAX_ANCESTORS = 12
NAME_CHARS = 120
ADVICE = "Label fields, and give buttons and links with icons a text: hidden from view, or in aria-label."
EMPTY_LINK_ADVICE = (
    "Remove links that hold nothing and repeat another link. Label fields, and give buttons and links with icons a text: hidden from view,"
    " or in aria-label."
)
_WORD = lazy_pattern(r"[^\W\d_]{3,}")


class Controls(Code, params=("kinds",)):
    """Kind of control; its text contains the number of controls without a name."""

    FIELDS = "fields", "{fields_count|field|fields}"
    BUTTONS = "buttons", "{buttons_count|button|buttons}"
    LINKS = "links", "{links_count|link|links}"
    FRAMES = "frames", "{frames_count|frame|frames}"


NAMELESS = {
    ControlKind.FIELD: Controls.FIELDS,
    ControlKind.BUTTON: Controls.BUTTONS,
    ControlKind.LINK: Controls.LINKS,
    ControlKind.FRAME: Controls.FRAMES,
}


@check("Do fields, buttons and links have names?", Importance.LOW, Effort.CONTENT, failed=10, warned=8)
def control_names(names: Names, images: Images | None) -> Finding:
    """Checks the share of controls without an accessible name."""
    if not names.controls:
        return inapplicable("The page has no fields, buttons or links")
    nameless = [control for control in names.controls if not control.name and control.is_checkable]
    if not nameless and (scripted := [control for control in names.controls if control.naming_script is not None]):
        return unknown(
            "Scripts may name {count|control|controls}, and the page was read without a browser",
            count=len(scripted),
            evidence=[node for control in scripted for node in (control.element, control.naming_script) if node is not None],
        )
    if not nameless:
        return passed("{count|control|controls}, each with a name", count=len(names.controls))
    covered = _with_ancestors(images.without_text if images else ())
    nameless = [control for control in nameless if control.element not in covered]
    if not nameless:
        return covered_by("image-alt")
    kinds = Counter(control.kind for control in nameless)
    numbers: dict[str, Any] = {f"{NAMELESS[kind]}_count": count for kind, count in kinds.items()}
    linked = LinkedWords(
        nameless[0].element.document,
        lambda link: next((control.name for control in names.controls if control.element.order == link.order), ""),
        ("a", "area"),
    )
    is_failed = len(nameless) > WARN_COUNT and len(nameless) > len(names.controls) * WARN_SHARE
    return (failed if is_failed else warned)(
        "{nameless_count} of {count|control|controls} without a name: {kinds}; more than {limit_count} and {limit_percent} fail",
        limit_count=WARN_COUNT,
        limit_percent=round(100 * WARN_SHARE),
        nameless_count=len(nameless),
        count=len(names.controls),
        kinds=[NAMELESS[kind] for kind in kinds],
        evidence=[element(control.element, "this {kind} has no name", kind=control.kind) for control in nameless],
        fixes=(_fix(control, linked) for control in nameless if not _is_empty_link(control)),
        advice=EMPTY_LINK_ADVICE
        if any(_is_empty_link(one) and linked.text_for(one.element.attr("href") or "") for one in nameless)
        else ADVICE,
        **numbers,
    )


def _with_ancestors(images: Iterable[Image]) -> set[Element]:
    """Return the images and their ancestors: a control among them whose only content is such an image lacks text."""
    return {node for image in images for node in (image.element, *islice(image.element.ancestors, MAX_ANCESTORS))}


def _is_url(href: str) -> bool:
    """Return whether the href is a URL: scripts and a bare ``#`` can do something different in each link."""
    return not href.lstrip().lower().startswith(("javascript:", "#"))


def _is_empty_link(control: Control) -> bool:
    """Return whether the control is a link without text, image or icon: a name would duplicate that of an adjacent link."""
    return control.kind is ControlKind.LINK and not control.element.children


def _fix(control: Control, linked_words: LinkedWords) -> Fix | None:
    """Return the element with a name found on the page: a title, a placeholder, or the text of another link to the same URL.

    Parts of URLs and identifiers in code are not suitable as names.
    """
    attrs = control.element.attrs
    href = attrs.get("href", "")
    url = parse(href, control.element.document.base_url) if _is_url(href) else None
    linked = linked_words.text_for(href) if url and url.path != "/" else ""  # links to the home page are called by many names
    known = (attrs.get("title"), attrs.get("placeholder"), linked)
    text = next((folded for text in known if text and _WORD.search(folded := " ".join(text.split())) and "://" not in folded), "")
    return attribute_fix(control.element, aria_label=text) if text and len(text) <= NAME_CHARS else None
