"""The page is laid out in quirks mode.

In plain words: Visitors may see the page distorted, because browsers treat it like one from the 1990s.

Why it matters: Without a modern doctype browsers imitate bugs of the 1990s: boxes, tables and heights come out differently.

How to fix: Make this the first line of the page.

    <!doctype html>

Sources: [HTML Standard: DOCTYPE state](https://html.spec.whatwg.org/multipage/parsing.html#doctype-state) and [initial insertion
mode](https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode) (quirks and limited-quirks mode).

Not judged: limited-quirks mode, in which only the height of lines in table cells differs; pages sent as application/xhtml+xml,
which are never in quirks mode.
"""

import re

from findable.artifacts.html.markup import SentDocument
from findable.artifacts.html.page_charset import Charset
from findable.artifacts.tables.table_file import read_table
from findable.checks.engine import Finding, check, inapplicable, passed, quoted, warned
from findable.checks.page_fix import Fix, FixPlace
from findable.lazy_pattern import lazy_pattern
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

_QUIRKY = frozenset({"-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"})
_QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_STARTS = read_table("quirky_doctypes", tuple[str, ...])
_QUIRKY_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_LIMITED_STARTS = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Placeholder evidence if there is nothing to quote."""

    EMPTY_PAGE = "an empty page"


_QUOTED = r"(?:\"[^\">]*\"|'[^'>]*')"
_WELL_FORMED = lazy_pattern(rf"<!doctype\s*[^\s>]+\s*(?:public\s*{_QUOTED}\s*(?:{_QUOTED}[^>]*)?|system\s*{_QUOTED}[^>]*)?>", re.IGNORECASE)
"""Pattern of a well-formed doctype; any other sets the tokenizer's force-quirks flag."""


@check("Is the page in standards mode?", Importance.LOW, Effort.HEAD, warned=10)
def doctype(sent_document: SentDocument, charset: Charset) -> Finding:
    """Checks the doctype by the rules that browsers follow."""
    if charset.header_line.lower().startswith("application/xhtml+xml"):
        return inapplicable("XHTML is always in standards mode")
    document = sent_document.document
    if document.doctype is None:
        start = " ".join(document.source[:80].split())
        return warned(
            "The page has no doctype: quirks mode",
            evidence=quoted(start or Unquotable.EMPTY_PAGE, "beginning of the page", line=1),
            fixes=[Fix("<!doctype html>\n", FixPlace.ELEMENT, "", 1, 1)],
        )
    name, public, system = document.doctype
    written, line = document.doctype_as_sent
    mode = _mode(name.lower(), public.lower(), system.lower())
    if mode != "quirks" and not _WELL_FORMED.fullmatch(written):
        return warned("The doctype is malformed: quirks mode", evidence=quoted(written, line=line))
    if mode == "limited-quirks":
        return passed(
            "The doctype means limited-quirks mode, which differs from standards mode in table cells only",
            evidence=quoted(written, line=line),
        )
    if mode:
        return warned("The doctype means {mode} mode", mode=mode, evidence=quoted(written, line=line))
    return passed("The page is in standards mode", evidence=quoted(written, line=line))


def _mode(name: str, public: str, system: str) -> str:
    if name != "html" or public in _QUIRKY or system == _QUIRKY_SYSTEM or public.startswith(_QUIRKY_STARTS):
        return "quirks"
    if public.startswith(_QUIRKY_WITHOUT_SYSTEM):
        return "limited-quirks" if system else "quirks"
    return "limited-quirks" if public.startswith(_LIMITED_STARTS) else ""
