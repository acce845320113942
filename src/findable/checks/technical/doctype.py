"""The page is laid out in quirks mode.

Why it matters: without a modern doctype browsers imitate the faults of the 1990s: boxes, tables and heights come out differently.

How to fix: make this the first line.

    <!doctype html>

Sources: HTML Standard, 13.2.6.4.1 "The initial insertion mode" (the rules of quirks and limited-quirks mode).

Not judged: pages sent as application/xhtml+xml, which never are in quirks mode.
"""

from findable.artifacts.html.document import Document
from findable.artifacts.html.page_charset import Charset
from findable.checks.engine import Finding, check, inapplicable, passed, quoted, warned
from findable.vocabulary import EVIDENCE_TEXT, Code, Effort, Importance

_QUIRKY = frozenset({"-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"})
_QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_QUIRKY_STARTS = (
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer",
    "-//netscape comm. corp.//dtd",
    "-//o'reilly and associates//dtd html",
    "-//softquad software//dtd hotmetal pro",
    "-//softquad//dtd hotmetal pro",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//sun microsystems corp.//dtd hotjava",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html",
)
_QUIRKY_WITHOUT_SYSTEM = ("-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//")
_LIMITED_STARTS = ("-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//")


class Unquotable(Code, params=(EVIDENCE_TEXT,)):
    """Evidence where there is nothing to quote."""

    EMPTY_PAGE = "an empty page"


@check(question="Is the page in standards mode?", importance=Importance.LOW, effort=Effort.HEAD)
def doctype(document: Document, charset: Charset) -> Finding:
    """Judges the doctype by the rules that browsers follow."""
    if charset.header_line.lower().startswith("application/xhtml+xml"):
        return inapplicable("XHTML is always in standards mode")
    if document.doctype is None:
        start = " ".join(document.source[:80].split())
        return warned("no doctype: quirks mode", evidence=quoted(start or Unquotable.EMPTY_PAGE, "the page begins so", line=1))
    name, public, system = document.doctype
    written = f"<!doctype {name}" + (f' PUBLIC "{public}"' if public else "") + (f' "{system}"' if system else "") + ">"
    mode = _mode(name.lower(), public.lower(), system.lower())
    if mode:
        return warned("this doctype means {mode} mode", mode=mode, evidence=quoted(written, line=1))
    return passed("standards mode", evidence=quoted(written, line=1))


def _mode(name: str, public: str, system: str) -> str:
    if name != "html" or public in _QUIRKY or system == _QUIRKY_SYSTEM or public.startswith(_QUIRKY_STARTS):
        return "quirks"
    if public.startswith(_QUIRKY_WITHOUT_SYSTEM):
        return "limited-quirks" if system else "quirks"
    return "limited-quirks" if public.startswith(_LIMITED_STARTS) else ""
