"""Templates that client-side frameworks (AngularJS, Vue, Alpine) fill in the browser, recognized by attributes of their elements."""

import re
from functools import cache

from findable.artifacts.html.document import Document, Element
from findable.lazy_pattern import lazy_pattern

SHELL_DIRECTIVES = ("ng-app", "ng-view", "ng-cloak", "ng-controller", "ng-class", "ng-if", "ng-repeat", "ng-include", "ng-bind", "ng-show")
_DIRECTIVE = lazy_pattern(
    r"(?:data-)?ng-(?!version$|server-context$|reflect-)[a-z]|v-(?:cloak|if|else|else-if|for|show|html|text|bind|on|model|slot|once|pre|scope)\b"
    r"|x-(?:data|text|html|bind|on|show|if|for|model|init|cloak|effect|ref)\b|[@:][a-z]|\((?:click|change|submit|input)\)$|\*ng[A-Z]?|data-bind$",
    re.IGNORECASE,
)
"""Attributes that only client-side frameworks read. Markup that a server rendered with Vue or Angular has none of them."""
_SHELLS = ",".join((*(f"[{name}],[data-{name}]" for name in SHELL_DIRECTIVES), "[ui-view],[v-cloak],[v-if],[v-for]"))
MUSTACHE = lazy_pattern(r"\{\{[^{}]{0,200}\}\}")
_HOLDER = lazy_pattern(r"(?:^|[\s_-])templates(?:$|[\s_-])", re.IGNORECASE)
DEPTH = 40


def has_directive(element: Element) -> bool:
    """Return whether a client-side framework fills or changes the element, or the element holds templates."""
    if _HOLDER.search(element.attr("class") or ""):
        return True
    return element.has_attrs and any(_DIRECTIVE.match(name) for name in element.attr_names)


def is_in_client_template(element: Element) -> bool:
    """Return whether the element, or one around it, belongs to a template that a client-side framework has yet to fill.

    False in the document after scripts ran.
    """
    if element.document.sent is not None:
        return False
    if has_directive(element):
        return True
    return any(has_directive(outer) for _, outer in zip(range(DEPTH), element.ancestors, strict=False))


def has_client_template(document: Document) -> bool:
    """Return whether the document has elements that AngularJS or Vue fills as a whole."""
    return bool(document.select(_SHELLS, limit=1))


def sets_attribute(element: Element, name: str) -> bool:
    """Return whether a client-side framework has yet to set the attribute; False in the document after scripts ran."""
    if element.document.sent is not None or not element.has_attrs:
        return False
    return not _attributes_setting(name).isdisjoint(element.attr_names)


@cache
def _attributes_setting(name: str) -> frozenset[str]:
    """Return the attributes with which client-side frameworks set an attribute."""
    bound = {f"{prefix}{name}" for prefix in (":", "v-bind:", "x-bind:", "ng-", "data-ng-", "ng-attr-", "data-ng-attr-")}
    return frozenset({*bound, f"[{name}]", f"[attr.{name}]", "v-bind", "x-bind"})
