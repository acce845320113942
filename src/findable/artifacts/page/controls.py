"""Accessible names of fields, buttons, links and frames (W3C Accessible Name 1.2 and HTML-AAM, as far as markup determines them)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter

from msgspec import Struct

from findable.artifacts.html.accessible_name import BUTTON_INPUTS, name_of
from findable.artifacts.html.client_templates import sets_attribute
from findable.artifacts.html.document import Document, Element
from findable.artifacts.html.head_scripts import inline_scripts
from findable.artifacts.html.ids import Ids
from findable.artifacts.html.landmarks import Surroundings
from findable.artifacts.html.page_styles import PageStyles, has_hiding_class
from findable.artifacts.page.links import Links
from findable.artifacts.registry import artifact
from findable.lazy_pattern import lazy_pattern
from findable.values import once, remembered
from findable.vocabulary import Code

MAX_CONTROLS = 3000
_CONTROL_TAGS = frozenset({"a", "input", "button", "area"})
_FILLED_BY_SCRIPT = lazy_pattern(
    r"count|native-?ad|\bads?[-_](?:slot|unit|title|link)|livefyre|disqus|i18n|translat|ng-bind|v-text|x-text|data-(?:bind|text|l10n)"
)
"""Class and attribute names, in lower case, of elements whose text a script inserts: comment counts, framework bindings, translations, ad
slots."""
_NAMING = ("aria-label", "aria-labelledby", "title", "value", "id")
"""Attributes that name a control, or connect it with its label."""
_SETS_NAME = lazy_pattern(
    r"setAttribute\(\s{0,9}[\"'`](?:id|aria-label|aria-labelledby|title|placeholder|for)[\"'`]"
    r"|\.(?:id|ariaLabel|title|placeholder|htmlFor|innerHTML|innerText|textContent)\s{0,9}=(?!=)"
    r"|\.(?:attr|text|html|append|prepend)\(|createElement\(\s{0,9}[\"'`]label"
)
"""Ways to name a control, or to give it the id that a label refers to."""
MAX_SCRIPT_CHARS = 200_000
_STRING = re.compile(r"[\"'`]#?([\w:.-]{2,200})[\"'`]")
"""Short string that can be an id or a name, or a selector of the id."""
_HOOK = re.compile(r"[-_](?:src|url|hook)$", re.IGNORECASE)
"""End of the id of an empty link that only passes its URL to a script."""


class ControlKind(Code, params=("kind",)):
    """Kind of control."""

    FIELD = "field"
    BUTTON = "button"
    LINK = "link"
    FRAME = "frame"


class Control(Struct, frozen=True):
    """Field, button, link or frame with its accessible name."""

    element: Element
    kind: ControlKind
    name: str
    """Folded name, cut at NAME_CHARS; empty if there is none."""
    is_checkable: bool
    """Whether the name can be checked: the control is not hidden, disabled, or named by a scripted component."""
    naming_script: Element | None = None
    """Inline script that may connect the control, which has no name, with one: it mentions its id or name. None after scripts ran."""


class Names(Struct, frozen=True):
    """Controls of the page with their accessible names, in document order, at most MAX_CONTROLS of a kind."""

    controls: tuple[Control, ...]
    frames: tuple[Control, ...]
    is_cut: bool
    """Whether there are more controls of a kind than were read."""


@artifact
def make_names(document: Document, ids: Ids, surroundings: Surroundings, links: Links) -> Names:
    """Name fields, buttons, links and frames; absent if links are absent, because scripts build the page."""
    labels, styles, scripts = _labels(document), PageStyles(document), _NamingScripts(document)

    def control(element: Element, kind: ControlKind, name: str | None = None) -> Control:
        name = name_of(element, ids, labels) if name is None else name
        is_checkable = bool(name) or not (
            surroundings.context_of(element).hidden or _is_unusable(element) or _may_be_scripted(element) or styles.hide(element)
        )
        script = None if name or not is_checkable else scripts.naming(element)
        return Control(element, kind, name, is_checkable and script is None, script)

    fields, buttons = document.all("input", "select", "textarea", limit=MAX_CONTROLS + 1), _buttons(document)
    hrefs = sorted((*document.values("a", "href", MAX_CONTROLS + 1), *document.values("area", "href", MAX_CONTROLS + 1)))
    frames = document.all("iframe", limit=MAX_CONTROLS + 1)
    return Names(
        controls=(
            *(control(element, _field_kind(element)) for element in fields[:MAX_CONTROLS] if not _is_hidden_field(element)),
            *(control(element, ControlKind.BUTTON) for element in buttons[:MAX_CONTROLS]),
            *_anchors(hrefs[:MAX_CONTROLS], document, links, control),
        ),
        frames=tuple(control(element, ControlKind.FRAME) for element in frames[:MAX_CONTROLS]),
        is_cut=max(len(fields), len(buttons), len(hrefs), len(frames)) > MAX_CONTROLS,
    )


class _NamingScripts:
    """Strings in inline scripts that set names or ids, read only if a control without a name is found."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @once
    def _strings(self) -> Mapping[str, Element]:
        """Script of each short string; none in the document after scripts ran."""
        found: dict[str, Element] = {}
        for script in inline_scripts(self._document) if self._document.sent is None else ():
            for string in _naming_strings(script.raw_text[:MAX_SCRIPT_CHARS]):
                found.setdefault(string, script)
        return found

    def naming(self, element: Element) -> Element | None:
        """Return the first script with the id or the name of the element as a string."""
        return next((script for name in ("id", "name") if (script := self._strings.get(element.attr(name) or ""))), None)


@remembered
def _naming_strings(script: str) -> frozenset[str]:
    """Return the short strings of a script that sets names or ids."""
    return frozenset(_STRING.findall(script)) if _SETS_NAME.search(script) else frozenset()


def _labels(document: Document) -> dict[str, str]:
    labels: dict[str, str] = {}
    for label in document.all("label", limit=MAX_CONTROLS):
        target = label.attr("for")
        if target and not labels.get(target):
            labels[target] = label.name_text
    return labels


def _is_hidden_field(element: Element) -> bool:
    return (element.attr("type") or "").strip().lower() == "hidden"


def _field_kind(element: Element) -> ControlKind:
    return ControlKind.BUTTON if (element.attr("type") or "").strip().lower() in BUTTON_INPUTS else ControlKind.FIELD


def _buttons(document: Document) -> list[Element]:
    posing = [node for node in document.holders("role") if node.attr("role") == "button" and node.tag not in _CONTROL_TAGS]
    return sorted((*document.all("button", limit=MAX_CONTROLS + 1), *posing), key=attrgetter("order"))[: MAX_CONTROLS + 1]


def _anchors(
    hrefs: Iterable[tuple[int, str | None]], document: Document, links: Links, control: Callable[..., Control]
) -> Iterator[Control]:
    """Yield anchors with an href, including those that crawlers cannot follow, because people can use all of them."""
    known = {link.element.order: link for link in links.items[:MAX_CONTROLS]}
    for order, href in hrefs:
        link = known.get(order)
        if link is not None and link.href is not None:
            yield control(link.element, ControlKind.LINK, link.name)
        elif link is None and href is not None:
            yield control(document.element_at(order), ControlKind.LINK)


def _is_unusable(element: Element) -> bool:
    """Return whether the element is disabled, outside the tab order (like honeypots) or hidden by its class."""
    attrs = element.attrs
    if "disabled" in attrs or attrs.get("tabindex", "").strip() == "-1":
        return True
    return has_hiding_class(attrs.get("class", ""))


def _may_be_scripted(element: Element) -> bool:
    """Return whether a script may fill or name the element or a descendant: a component, a slot, a noscript element, a comment count."""
    if any(sets_attribute(element, name) for name in _NAMING):
        return True
    if element.tag == "a" and (_is_to_be_filled(element) or _is_hook(element) or "#disqus_thread" in (element.attr("href") or "")):
        return True
    inside = element.first_descendants(50)
    return any(
        "-" in node.tag or node.tag in ("slot", "noscript", "object", "iframe", "canvas") or _is_to_be_filled(node) for node in inside
    )


def _is_hook(element: Element) -> bool:
    return _HOOK.search((element.attr("id") or "")[-20:]) is not None and not element.first_descendants(1) and not element.raw_text.strip()


def _is_to_be_filled(node: Element) -> bool:
    """Return whether the names of an empty element suggest that a script inserts its text, such as a comment count."""
    attrs = node.attrs
    names = " ".join((attrs.get("class", "")[:300], attrs.get("id", "")[:100], *attrs))
    return _FILLED_BY_SCRIPT.search(names.lower()) is not None and not node.first_descendants(1) and not node.raw_text.strip()
