"""Report phrases that are always wrong in this project, and docstrings whose first sentence is not self-contained.

Docstrings, comments and messages are read; texts of checks, templates and documentation are left out. A file is only parsed if the
text of the file matches, so that a clean tree takes a fraction of a second.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLEAN = (
    "src/findable/__init__.py",
    "src/findable/__main__.py",
    "src/findable/analyze.py",
    "src/findable/artifacts",
    "src/findable/capture",
    "src/findable/checks",
    "src/findable/cli",
    "src/findable/clock.py",
    "src/findable/crawl",
    "src/findable/crawled_pages.py",
    "src/findable/crawler.py",
    "src/findable/demo",
    "src/findable/errors.py",
    "src/findable/export",
    "src/findable/fetch",
    "src/findable/formats",
    "src/findable/jobs",
    "src/findable/log_context.py",
    "src/findable/reports",
    "src/findable/sandbox.py",
    "src/findable/service",
    "src/findable/settings.py",
    "src/findable/store",
    "src/findable/urls.py",
    "src/findable/values.py",
    "src/findable/vocabulary.py",
    "src/findable/web",
    "src/findable/wording.py",
    "src/findable/worker",
)
"""Files and folders without such phrases."""
CHECKS = "src/findable/checks/"
"""Folder whose module docstrings are the texts of checks."""
TEMPLATES = (CHECKS, "src/findable/artifacts/", "src/findable/export/pdf_content.py", "src/findable/web/pages/", "tests/")
"""Places whose messages are texts of findings, pages and PDFs, or data."""

PHRASES = {
    r"anew": "again",
    r"style sheets?": "stylesheet",
    r"made-up (?:address|page|URL)": "non-existent URL",
    r"canonical address(?:es)?": "canonical URL",
    r"addresses of (?:pages|links|images)": "URLs",
    r"address (?:answers|asked|redirects)": "URL responds, requested URL, URL redirects",
    r"address of (?:the|a) (?:page|link|image|sitemap)": "URL",
    r"background pictures?": "background image",
    r"social pictures?": "preview image",
    r"pictures? of (?:a|the) page": "image",
    r"held (?:down to|against)": "limited to, reported by",
    r"stands? in the open": "is unencrypted, is public",
    r"lets? in": "allow",
    r"what (?:was|is) told": "name the thing",
    r"(?:is|was|are|were) told": "is notified, receives",
    r"who(?:so)?ever": "name the person or component",
    r"given up": "abandoned",
    r"bot walls?": "bot challenge",
    r"page not seen|page was not seen": "page could not be loaded",
    r"(?:who|none|many|each|all|one) of us": "name the component",
    r"ours|theirs": "say whose; a limit is “set by this report” where guests read it, else “set by Findable”",
    r"(?:was|were|is|are) looked at": "was checked, was requested",
    r"stands? nowhere": "is missing",
    r"stand-ins?": "preview",
    r"lets? us": "allow",
    r"somebody else's": "say whose",
    r"keeps? house": "housekeeping",
    r"is nobody else's": "is private to",
    r"knows? nothing of": "does not know",
}
"""Phrases with their replacements."""
OPENING = (
    "Of|What|The same|Those|With|Whoever|Who|Whose|None for|None where|None|That|All there|So|As|By|For|In|On|Where|When|"
    "From|Too|Ours|Theirs|Kept|Told|Asked|Nobody|Somebody|Nothing|At|Asks|Judges|Its|How|Why|Whoever's|Likewise|Else|Instead|Among"
)

_PHRASE = re.compile(rf"\b(?:{'|'.join(PHRASES)})\b", re.IGNORECASE)
_OPENING = re.compile(rf"(?:{OPENING})\b(?! [A-Z`])")
_OPENING_IN_FILE = re.compile(rf'^\s*r?"""(?:{OPENING})\b', re.MULTILINE)
_SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def faults(path: str, source: str) -> Iterator[str]:
    """Yield a line for each fault of a file."""
    if not _PHRASE.search(source) and not _OPENING_IN_FILE.search(source):
        return
    tree = ast.parse(source)
    docstrings = {id(node): node for node in _docstrings(tree)}
    is_check = path.startswith(CHECKS)
    module = next(iter(tree.body), None)
    for node in docstrings.values():
        if is_check and isinstance(module, ast.Expr) and node is module.value:
            continue
        text = str(node.value)
        if opening := _OPENING.match(text.lstrip()):
            yield f"{path}:{node.lineno}: a docstring cannot begin with “{opening[0]}”: begin with a verb or a noun phrase"
        yield from _in_text(path, node.lineno, text)
    if not path.startswith(TEMPLATES):
        for item in ast.walk(tree):
            if isinstance(item, ast.Constant) and isinstance(item.value, str) and id(item) not in docstrings:
                yield from _in_text(path, item.lineno, item.value)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from _in_text(path, token.start[0], token.string)


def _in_text(path: str, line: int, text: str) -> Iterator[str]:
    """Yield a line for each phrase in a docstring, comment or message."""
    for found in _PHRASE.finditer(text):
        better = next(better for phrase, better in PHRASES.items() if re.fullmatch(phrase, found[0], re.IGNORECASE))
        yield f"{path}:{line + text.count(chr(10), 0, found.start())}: not “{found[0]}” but: {better}"


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield docstrings of modules, classes, functions, fields and constants."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for before, item in zip([node, *body], body, strict=False):
            documents = isinstance(before, _SCOPES) if before is node else isinstance(before, ast.Assign | ast.AnnAssign)
            if documents and isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) and isinstance(item.value.value, str):
                yield item.value


def _files() -> Iterator[Path]:
    """Yield the files of CLEAN."""
    for place in CLEAN:
        if "*" in place or place.endswith(".py"):
            yield from sorted(ROOT.glob(place))
        else:
            yield from sorted((ROOT / place).rglob("*.py"))


def main() -> int:
    """Print every fault; return 1 if there is one."""
    own = Path(__file__).name
    found = [fault for path in _files() if path.name != own for fault in faults(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
