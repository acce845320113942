"""The encoding is not declared, declared differently in two places, or wrong.

In plain words: Visitors and Google may see broken letters in place of ä, é or “.

Why it matters: A browser that guesses shows "Ã¤" for "ä", and search engines index the same garbage.

How to fix: Save the page as UTF-8 and declare it in the header, or as the first element of the head.

    Content-Type: text/html; charset=utf-8
    <meta charset="utf-8">

Sources: [HTML Standard: Specifying the document's character encoding](https://html.spec.whatwg.org/multipage/semantics.html#charset) (the
element "must be serialized completely within the first 1024 bytes"); [Encoding
Standard](https://encoding.spec.whatwg.org/#names-and-labels).

Not judged: pages in plain ASCII, which nearly every encoding decodes the same way: without a declaration, the check only warns.
"""

from typing import Any

from findable.artifacts.html.document import Document
from findable.artifacts.html.markup import Markup
from findable.artifacts.html.page_charset import PRESCAN_BYTES, Charset
from findable.artifacts.page.head import Head, SentHead
from findable.capture.response import Response
from findable.checks.engine import Evidence, Finding, check, element, failed, header, passed, quoted, warned
from findable.checks.page_fix import Fix, head_fix, header_fix, insertion_fix, tag
from findable.formats.encodings import codec_of, name_of
from findable.vocabulary import Effort, Importance

CUT_CHARACTER_BYTES = 3
"""Maximum number of bytes of an incomplete character at the end of a truncated body."""
CONTEXT_BYTES = 30
UTF8 = "utf-8"
XHTML = "application/xhtml+xml"
"""Media type that is parsed as XML: UTF-8 unless a BOM, a header or the XML declaration says otherwise (XML 1.0, 4.3.3)."""


@check("Is the character encoding declared and right?", Importance.MEDIUM, Effort.SERVER, failed=40, warned=10)
def charset(charset: Charset, sent_head: SentHead, response: Response, markup: Markup) -> Finding:
    """Compares the encodings in byte order mark, header and meta element with each other and with the bytes of the page."""
    shown = _declarations(charset, sent_head.head)
    labels = [label for label in (charset.bom, charset.header, charset.meta) if label]
    if _has_errors(charset, response):
        return failed(
            "{count|place|places} cannot be decoded as {encoding}",
            count=charset.replacement_count,
            encoding=charset.used,
            evidence=[*shown, _first_invalid_byte(charset, response)],
        )
    if not labels:
        is_xml = response.headers.media_type == XHTML
        return _undeclared_finding(charset, sent_head.head, markup.document, is_xml=is_xml)
    names = {name_of(codec) for label in labels if (codec := codec_of(label))}
    values: dict[str, Any] = {"labels": labels, "encoding": charset.used}
    if charset.is_misread_utf8:
        return failed("The page is UTF-8 and declared as {labels}: browsers read it as {encoding}", evidence=shown, **values)
    if len(names) != 1 or any(codec_of(label) is None for label in labels):
        return warned("The declarations differ: {labels}; browsers read the page as {encoding}", evidence=shown, **values)
    if charset.used != "utf-8":
        return warned("The page uses the legacy encoding {encoding}", evidence=shown, **values)
    if not charset.bom and not charset.header and (charset.meta_end_bytes or 0) > PRESCAN_BYTES:
        return warned("The declaration ends after the first {limit} bytes, which browsers search", limit=PRESCAN_BYTES, evidence=shown)
    return passed("The page is UTF-8, declared {count|time|times}", count=len(labels), evidence=shown)


def _declarations(charset: Charset, head: Head) -> list[Evidence]:
    shown = [header("Content-Type", charset.header_line)] if charset.header else []
    if charset.bom:
        shown.append(quoted(f"byte order mark of {charset.bom}"))
    if charset.meta:
        metas = [meta.element for meta in head.metas if meta.charset or (meta.http_equiv == "content-type" and meta.content)]
        shown.append(element(metas[0]) if metas else quoted(f"charset={charset.meta}"))
    return shown


def _has_errors(charset: Charset, response: Response) -> bool:
    if not charset.replacement_count or charset.first_bad_byte_offset is None:
        return False
    return response.is_whole or charset.first_bad_byte_offset < len(response.body) - CUT_CHARACTER_BYTES


def _first_invalid_byte(charset: Charset, response: Response) -> Evidence:
    at = charset.first_bad_byte_offset or 0
    line = response.body.count(b"\n", 0, at) + 1
    around = response.body[max(0, at - CONTEXT_BYTES) : at + CONTEXT_BYTES].decode("ascii", "backslashreplace")
    return quoted(" ".join(around.split()), "First at byte {offset}", line=line, offset=at)


def _undeclared_finding(charset: Charset, head: Head, document: Document, *, is_xml: bool) -> Finding:
    shown = element(head.element, "The charset meta element belongs here; Content-Type has no charset")
    fixes = [_declaration_fix(document)] if charset.used == UTF8 else []
    if is_xml and charset.used == "utf-8":
        return passed("The page is UTF-8, the default of XML")
    if document.source.startswith("<?xml"):
        return warned("The encoding is declared only for XML; browsers read the page as {encoding}", encoding=charset.used, evidence=shown)
    if charset.has_non_ascii:
        return failed("No encoding is declared, and the page has non-ASCII letters", evidence=shown, fixes=fixes)
    return warned("No encoding is declared; the page is plain ASCII so far", evidence=shown, fixes=fixes)


def _declaration_fix(document: Document) -> Fix | None:
    """Return the declaration as the first element of the head, or as a header if that is beyond the bytes that browsers search."""
    code = tag("meta", charset=UTF8)
    outer = next((item for item in (document.head, document.html) if item.whole_start_tag is not None), None)
    if outer is None:
        return head_fix(code)
    before = document.source[: document.offset_of(outer.order)] + (outer.whole_start_tag or "") + code
    is_late = len(before.encode("utf-8", "surrogatepass")) + before.count("\n") > PRESCAN_BYTES  # lines may end with two bytes
    return header_fix("Content-Type", "; ".join(("text/html", f"charset={UTF8}"))) if is_late else insertion_fix(outer, code)
