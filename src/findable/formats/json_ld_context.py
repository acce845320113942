"""Expand the names of JSON-LD by the contexts of a page (JSON-LD 1.1, sections 4.1 and 9.15), without the network.

Of contexts on other servers only that of schema.org is known. Contexts inside of term definitions are not read.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from findable.lazy_pattern import lazy_pattern

SCHEMA_ORG = "https://schema.org/"
KEYWORDS = frozenset({"@context", "@graph", "@id", "@included", "@language", "@list", "@none", "@reverse", "@set", "@type", "@value"})
MAX_TERMS = 1_000
"""Maximum number of terms that one context defines."""
MAX_STEPS = 5
"""Maximum number of terms that define each other."""
MAX_LISTED = 20

_IS_SCHEMA_ORG = lazy_pattern(r"(?:https?:)?(?://)?(?:[a-z0-9-]{1,60}\.){0,3}schema\.org(?:[/#:?]|\Z)", re.IGNORECASE)
_ABSOLUTE = lazy_pattern(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_ALIASES: Mapping[str, str] = {"type": "@type", "id": "@id"}
"""Keyword aliases of schema.org's context (https://schema.org/docs/jsonldcontext.jsonld, 2026)."""


def is_schema_org(url: str) -> bool:
    """Return whether a URL is schema.org or begins with it, whatever its scheme."""
    return _IS_SCHEMA_ORG.match(url.strip()) is not None


class Context(Struct, frozen=True):
    """Active context of a node."""

    is_schema_org: bool = True
    """Whether names without a prefix belong to schema.org. Lenient parsers suppose so without any context."""
    is_declared: bool = False
    terms: Mapping[str, str] = field(default_factory=dict)
    """IRI or keyword of each term; empty for a term without meaning."""

    def extended(self, written: Any) -> "Context":
        """Return the context of a node that declares ``written`` as its ``@context``."""
        context = self
        for one in (written if isinstance(written, list) else [written])[:MAX_LISTED]:
            if isinstance(one, str):
                known = is_schema_org(one)
                is_schema = known or (context.is_schema_org and context.is_declared)
                context = Context(is_schema, is_declared=True, terms={**context.terms, **(_ALIASES if known else {})})
            elif isinstance(one, dict):
                context = context._with_terms(one)
            elif one is None and len(written if isinstance(written, list) else ()) > 1:
                context = Context(is_schema_org=False, is_declared=True)
        return context

    def _with_terms(self, local: Mapping[str, Any]) -> "Context":
        vocabulary = local.get("@vocab")
        schema = is_schema_org(vocabulary) if isinstance(vocabulary, str) else self.is_declared and self.is_schema_org
        terms = dict(self.terms)
        for name, definition in list(local.items())[:MAX_TERMS]:
            if not name.startswith("@"):
                terms[name] = _resolved(_identifier(definition), name, local, self)
        return Context(schema, is_declared=True, terms=terms)

    def keyword(self, name: str) -> str:
        """Return the keyword that a key means; the key itself if it means none."""
        meant = self.terms.get(name, "")
        return meant if meant in KEYWORDS else name

    def expand(self, name: str) -> str:
        """Return a type or property by its name at schema.org, like ``Product``; other names as their IRI, or as written."""
        meant = self.terms.get(name)
        if meant is None and ":" in name and not name.startswith(("http:", "https:")):
            prefix, _, rest = name.partition(":")
            start = self.terms.get(prefix, "")
            return _local(start + rest) if start and is_schema_org(start) and not rest.startswith("//") else name
        return _local(meant) if meant and meant not in KEYWORDS else name

    def means_schema_org(self, name: str) -> bool:
        """Return whether a type or property belongs to schema.org."""
        expanded = self.expand(name)
        if ":" in expanded or "/" in expanded:
            return is_schema_org(expanded) or expanded.startswith("schema:")
        return expanded != name or self.is_schema_org or is_schema_org(self.terms.get(name, ""))


def _identifier(definition: Any) -> str | None:
    """Return the IRI of a term definition as written; None for the default, empty for none."""
    if isinstance(definition, dict):
        if "@reverse" in definition:
            return ""
        named = definition.get("@id")
        return named if isinstance(named, str) else "" if "@id" in definition else None
    return definition if isinstance(definition, str) else ""


def _resolved(written: str | None, name: str, local: Mapping[str, Any], outer: Context) -> str:
    """Return the IRI or keyword that a term is defined as."""
    if written is None:
        written = name
    for _ in range(MAX_STEPS):
        if written.startswith("@") or not written:
            break
        prefix, colon, rest = written.partition(":")
        if colon and rest.startswith("//"):
            break
        known = local.get(prefix if colon else written) if written != name else None
        start = _identifier(known) if known is not None else outer.terms.get(prefix if colon else written)
        if not start:
            break
        written = start + rest if colon else start
    if _ABSOLUTE.match(written) or written.startswith("@") or not written:
        return written
    vocabulary = local.get("@vocab")
    is_schema = is_schema_org(vocabulary) if isinstance(vocabulary, str) else outer.is_schema_org and outer.is_declared
    return f"{SCHEMA_ORG}{written}" if is_schema else ""


def _local(iri: str) -> str:
    """Return the name of an IRI at schema.org; other IRIs as they are."""
    found = _IS_SCHEMA_ORG.match(iri)
    return (iri[found.end() :].lstrip("/#") if found else "") or iri
