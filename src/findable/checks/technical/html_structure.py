"""The markup has errors that change the meaning of the page.

In plain words: Visitors and Google may miss parts of the page, because its code has mistakes.

Why it matters: Browsers repair most errors, and search engines ignore them. An unclosed comment, script or title swallows the rest of the
page, and a base URL changes every link.

How to fix: Close every element, and keep one body and at most one base.

    <title>Blue widgets</title>
    <!-- a comment that ends -->

Sources: [HTML Standard, 13.2 Parsing HTML documents](https://html.spec.whatwg.org/multipage/parsing.html) and 4.2.3 "The base element";
[Google: SEO Starter Guide](https://developers.google.com/search/docs/fundamentals/seo-starter-guide) (2025: most pages are not valid HTML,
and that is fine).

Not judged: all other errors, which are counted as a fact; truncated pages; a second html or body tag that repeats the attributes of the
first or has none, which parsers ignore (13.2.6.4.7).
"""

import re

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.parse_errors import ParseErrors
from findable.checks.engine import Evidence, Finding, check, element, info, quoted, warned
from findable.formats.start_tag import attributes_as_written
from findable.lazy_pattern import lazy_pattern
from findable.urls import parse, same_site
from findable.vocabulary import Effort, Importance

_OPENING = lazy_pattern(r"<!--|<(script|style|textarea|title|noscript|template|svg|iframe|xmp)\b|<(body|html)(?=[\s>/])", re.IGNORECASE)
_ROOTS = lazy_pattern("<(?:body|html|BODY)")
_HOLDS_NO_TAGS = {
    tag: re.compile(f"</{tag}", re.IGNORECASE)
    for tag in ("script", "style", "textarea", "title", "noscript", "template", "svg", "iframe", "xmp")
}
"""End tags of elements whose contents are not searched for tags."""
TAIL_CHARS = 40
END_CHARS = 1000
MAX_SHOWN = 20
"""Maximum number of duplicate tags that are shown; one is enough to fix the template."""


@check("Is the markup free of faults that change its meaning?", Importance.LOW, Effort.CONTENT, warned=10)
def html_structure(sent_document: SentDocument, errors: ParseErrors | None) -> Finding:
    """Reports markup errors that move or remove content; counts all others where they are counted."""
    document = sent_document.document
    faults = [*_duplicate_tags(document), *_bases(document), *_unclosed_tags(document)]
    if faults:
        return warned("{count|fault changes|faults change} the meaning of the page", evidence=faults)
    if errors is None:
        return info("No fault changes the meaning of the page")
    return info("{count|parse error|parse errors}, none of which changes the content", count=errors.count)


def _duplicate_tags(document: Document) -> list[Evidence]:
    """Return duplicate body and html tags with attributes that the first lacks: browsers add these and ignore the tag (13.2.6.4.7)."""
    source = document.source
    tags = _ROOTS.findall(source)
    if tags.count("<body") < 2 and tags.count("<html") < 2 and "<BODY" not in tags:  # noqa: PLR2004 - exactly one of each is valid
        return []
    first: dict[str, frozenset[str]] = {}
    found: list[Evidence] = []
    at = 0
    while (match := _OPENING.search(source, at)) is not None and len(found) < MAX_SHOWN:
        at = _end_of(source, match)
        tag = (match.group(2) or "").lower()
        if not tag:
            continue
        attributes = frozenset(item.partition("=")[0].lower() for item in attributes_as_written(source, match.start()))
        if attributes - first.setdefault(tag, attributes):
            line = source.count("\n", 0, match.start()) + 1
            found.append(quoted(source[match.start() : match.start() + 100].partition("\n")[0], "a second {tag} tag", line=line, tag=tag))
    return found


def _end_of(source: str, opening: re.Match[str]) -> int:
    """Return the position after a comment, or after an element whose content has no tags."""
    if opening.group() == "<!--":
        end = source.find("-->", opening.end())
        return len(source) if end < 0 else end + len("-->")
    if opening.group(1) is None:
        return opening.end()
    closing = _HOLDS_NO_TAGS[opening.group(1).lower()].search(source, opening.end())
    return len(source) if closing is None else closing.end()


def _bases(document: Document) -> list[Evidence]:
    bases = [base for base in document.all("base", limit=MAX_SHOWN) if base.attr("href") is not None]
    found = [element(base, "only the first base counts") for base in bases[1:]]
    if bases:
        target = parse((bases[0].attr("href") or "").strip(), document.url)
        if target is not None and target.is_http and not same_site(target.href, document.url):
            found.append(element(bases[0], "relative URLs lead to {host}", host=target.host))
    return found


def _unclosed_tags(document: Document) -> list[Evidence]:
    may_be_open = document.source.rfind("<!--") > document.source.rfind("-->")
    faults = document.faults_at_end("eof-in-comment") if may_be_open else []
    found = [quoted("<!--", "this comment never ends", line=fault.line) for fault in faults]
    end = document.source[-END_CHARS:].rstrip()
    for tag in ("script", "style", "title", "textarea"):
        elements = [node for node in document.all(tag)[-1:] if node.namespace == "html"]
        tail = elements[0].raw_text.rstrip()[-TAIL_CHARS:] if elements else ""
        if tail and end.endswith(tail):
            found.append(element(elements[0], "this {tag} never ends", tag=tag))
    return found
