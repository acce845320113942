"""Update the gettext catalogues from the texts in the code: `make catalogues`. `--check` reports whether they are up to date.

    tools/catalogue.py            reads the texts, keeps translations, compiles
    tools/catalogue.py --check    exits with 1 and a list if a catalogue is outdated or lacks a translation

A text without a translation is shown in English. Checks in preview may lack translations, and are listed; all other texts need one.

There are three catalogues: ``interface`` (templates and Python texts for people), ``findings`` (messages of checks and their values),
``checks`` (their documentation).
"""

import argparse
import ast
import gc
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from msgspec import Struct

from findable.artifacts.tables.cms_clicks import SYSTEMS
from findable.checks.engine import all_checks
from findable.checks.link_responses import TAILS
from findable.crawl.questions import PROJECT_QUESTIONS, QUESTIONS
from findable.errors import Cause, PageErrorCode
from findable.reports.facts import Facts
from findable.vocabulary import BrowserUse, Category, PageKind, Rating, Stage, Status, words_with_owners
from findable.web.pages.report import fact_names
from findable.web.pages.report.detail_tables import LISTS
from findable.web.problems import EXPLAINED
from findable.wording import CATALOGUES, FOLDER, LANGUAGES

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from hatch_build import compile_catalogues  # noqa: E402 - after the path is set

SOURCES = ROOT / "src" / "findable"
KEYWORDS: Mapping[str, tuple[int, ...] | None] = {
    "_": None,
    "say": None,
    "gettext": None,
    "ngettext": (1, 2),
    "plural": (1, 2),
    "form": (1, 2),
    "later": None,
}
FINDING_FUNCTIONS = {
    "passed": 0,
    "failed": 0,
    "warned": 0,
    "info": 0,
    "by_cause": 0,
    "inapplicable": 0,
    "unknown": 0,
    "Finding": 1,
    "Absent": 0,
    "root": 2,
}
"""Functions that create a finding, with the position of the template argument."""
EVIDENCE_FUNCTIONS = {
    "element": 1,
    "header": 2,
    "quoted": 1,
    "url_evidence": 2,
    "as_evidence": 0,
    "declaration_evidence": 1,
    "directive_evidence": 1,
    "link_evidence": 1,
}
"""Functions that create evidence, with the position of the note argument."""
NAMES = ("message", "note", "reason", "without")
FACT_FOLDERS = ("checks/", "artifacts/", "formats/", "capture/")
"""Folders whose texts are templates of findings, not of the interface."""
ERRORS = frozenset(error.__name__ for error in EXPLAINED)
"""Errors that are raised with a sentence for people."""
SENTENCE = re.compile(r"[^\s,;:(/][^\\[\]]* [^\\[\]]*[^\s:(]")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{[a-z0-9_]+(?=[|}])")

HEADERS_LEFT_OUT = tuple(f'"{name}'.encode() for name in ("Project-Id", "Report-", "POT-", "PO-", "Last-", "Language-Team", "Generated"))
"""Header lines of a .po file that are useless or change with every run."""

Text = str | tuple[str, str]
"""A text, or its singular and plural."""


def _parse_module(path: Path) -> ast.Module:
    """Parse a module with the garbage collector off, because Python 3.11 may miscount its recursion depth otherwise."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.enable()


def _has_interface(folder: str) -> bool:
    """Return whether texts in a folder are of the interface."""
    return not Path(folder).name.startswith((".", "_")) and f"{Path(folder).relative_to(SOURCES)}/" not in FACT_FOLDERS


def interface() -> Iterator[tuple[Text, str]]:
    """Yield each text of the interface with its file."""
    methods = [("**/templates/**.html", "jinja2"), ("**.py", "python")]
    options = {"**/templates/**.html": {"trimmed": "true", "silent": "false"}}
    extracted = extract_from_dir(SOURCES, methods, options, keywords=KEYWORDS, directory_filter=_has_interface)
    for file, _line, text, _comments, _context in extracted:
        yield (text if isinstance(text, str) else (text[0], text[1])), file
    for path in sorted(SOURCES.rglob("*.py")):
        name = str(path.relative_to(SOURCES))
        if not name.startswith(FACT_FOLDERS):
            tree = _parse_module(path)
            for found in (*_in_f_strings(tree), *_raised_texts(tree)):
                yield found, name
    for text in (*(code.words for code in PageErrorCode), *(cause.words for cause in Cause)):
        yield text, "errors.py"
    for question in (*QUESTIONS.values(), *PROJECT_QUESTIONS.values()):
        yield question.title, "crawl/questions.sql"
    for named in (*BrowserUse, *PageKind, *Rating, *Status):
        yield named.words, "vocabulary.py"
    for system in SYSTEMS.values():
        for clicks in system.clicks.values():
            yield clicks.path, "artifacts/tables/data/cms_clicks.json"
    for error, explanation in EXPLAINED.items():
        yield error.title, "errors.py"
        yield explanation, "web/problems.py"
    for member in sorted(named_facts() - fact_names.NAMES.keys()):
        yield fact_names.plain_name(member), "web/pages/report/fact_names.py"


WITH_OWN_TITLES = frozenset(
    {
        *("cookies", "headers", "headings", "hreflang", "images", "keywords", "links", "resources", "social"),
        *("structured_data", "timings", "top_hosts"),
    }
)
"""Facts that have a list, tree or chart of their own, whose titles stand there."""


def named_facts() -> set[str]:
    """Return the members of facts, at any depth, whose names a page shows, and the columns of lists."""
    found = {column for shown in LISTS.values() for column in shown.columns}
    found |= {name for name in Facts.__struct_fields__ if name not in WITH_OWN_TITLES and not name.endswith("_count")}
    waiting = [part for name, hint in get_type_hints(Facts).items() if name not in WITH_OWN_TITLES for part in _parts(hint)]
    known = set(waiting)
    while waiting:
        kind = waiting.pop()
        found |= set(kind.__struct_fields__)
        held = {part for hint in get_type_hints(kind).values() for part in _parts(hint)} - known
        known |= held
        waiting += held
    return found


def _parts(hint: Any) -> Iterator[type[Struct]]:
    """Yield the Structs in a type at any depth."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield hint
    for argument in get_args(hint):
        yield from _parts(argument)


def _in_f_strings(tree: ast.Module) -> Iterator[Text]:
    """Yield texts that are translated inside an f-string, which is a single token before Python 3.12."""
    for string in ast.walk(tree):
        for call in ast.walk(string) if isinstance(string, ast.JoinedStr) else ():
            if isinstance(call, ast.Call) and _called_name(call) in KEYWORDS:
                given = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
                wanted = [text for text in given if isinstance(text, str)][: len(KEYWORDS[_called_name(call)] or (1,))]
                if wanted:
                    yield (wanted[0], wanted[1]) if len(wanted) > 1 else wanted[0]


def _raised_texts(tree: ast.Module) -> Iterator[str]:
    """Yield the messages of raised errors, and the constant messages of error classes."""
    for call in ast.walk(tree):
        first = call.args[0] if isinstance(call, ast.Call) and call.args and _called_name(call) in ERRORS else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value


def _called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else call.func.attr if isinstance(call.func, ast.Attribute) else ""


def findings() -> Iterator[tuple[Text, str]]:
    """Yield templates of findings and notes, and the words that are their values."""
    for folder, strict in (("checks", False), ("artifacts", True), ("formats", True), ("capture", True)):
        for path in sorted((SOURCES / folder).rglob("*.py")):
            name = str(path.relative_to(SOURCES))
            for text in _Module(_parse_module(path), strict=strict).templates():
                yield text, name
    all_checks()  # checks, and the modules that they import, declare terms
    for text, owner in sorted(words_with_owners().items()):
        yield text, f"{owner.removeprefix('findable.').replace('.', '/')}.py"
    for category in Category:
        yield category.words, "vocabulary.py"


def checks() -> Iterator[tuple[Text, str]]:
    """Yield the questions and the documentation of checks."""
    for check in all_checks().values():
        words = check.documentation
        for text in (
            check.question,
            words.summary,
            words.plain,
            check.warned_summary,
            words.why,
            words.how,
            words.sources,
            words.not_judged,
        ):
            yield text, f"checks/{check.category.value}/{check.id}"


class _Module:
    """Reads the templates of one module off its syntax tree.

    ``strict`` reads only arguments of known functions; otherwise also every sentence in a function, for notes in tuples,
    tables and arguments. An unneeded sentence costs a translation, a missing one leaves English in a German report.
    """

    def __init__(self, tree: ast.Module, *, strict: bool) -> None:
        self._tree = tree
        self._strict = strict
        self._values: dict[str, list[ast.expr]] = {}
        self._returns: dict[str, list[ast.expr]] = {}
        self._members: list[str] = []
        for node in ast.walk(tree):
            self._note(node)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, ast.FunctionDef):
            found = [item.value for item in ast.walk(node) if isinstance(item, ast.Return) and item.value is not None]
            self._returns.setdefault(node.name, []).extend(found)
        elif isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases):
            values = [item.value for item in node.body if isinstance(item, ast.Assign)]
            self._members += [value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._values.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=False):
                self._assign(one, its)

    def templates(self) -> Iterator[str]:
        """Yield every text that may become a message or a note."""
        yield from (text for text in self._members if " " in text)
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call):
                yield from self._finding_template(node)
            elif not self._strict and isinstance(node, ast.FunctionDef | ast.Dict | ast.Assign):
                yield from _sentences(node)

    def _finding_template(self, node: ast.Call) -> Iterator[str]:
        for word in node.keywords:
            if word.arg == "advice":
                yield from self._texts(word.value, ())
        place = {**FINDING_FUNCTIONS, **EVIDENCE_FUNCTIONS, "later": 0}.get(self._called_name(node.func))
        if place is not None:
            given = node.args[place : place + 1] + [word.value for word in node.keywords if word.arg in NAMES]
            for expression in given[:1]:
                yield from self._texts(expression, ())

    def _called_name(self, node: ast.expr) -> str:
        """Return the name of the called function; the first one for ``verdict = failed if … else warned``."""
        match node:
            case ast.IfExp():
                return self._called_name(node.body)
            case ast.Name(id=name):
                chosen = next((value for value in self._values.get(name, ()) if isinstance(value, ast.IfExp)), None)
                return name if chosen is None else self._called_name(chosen)
        return ""

    def _texts(self, node: ast.expr, seen: Sequence[str]) -> list[str]:  # noqa: PLR0911 - one line for each kind of text expression
        match node:
            case ast.Constant(value=str(text)):
                return [text]
            case ast.IfExp():
                return self._texts(node.body, seen) + self._texts(node.orelse, seen)
            case ast.BinOp(op=ast.Add()):
                ends = self._texts(node.right, seen) or ["", *TAILS.values()]
                return [left + right for left in self._texts(node.left, seen) for right in ends]
            case ast.BoolOp():
                return [text for value in node.values for text in self._texts(value, seen)]
            case ast.Name(id=name) if name in self._values and name not in seen:
                return [text for value in self._values[name] for text in self._texts(value, (*seen, name))]
            case ast.Dict():
                return [text for value in node.values for text in self._texts(value, seen)]
            case ast.Subscript(value=value):
                return self._texts(value, seen)
            case ast.Attribute(attr="value"):
                return self._members
            case ast.Call(func=ast.Attribute(attr="get", value=value)):
                return self._texts(value, seen) + [text for other in node.args[1:] for text in self._texts(other, seen)]
            case ast.Call(func=ast.Name(id=name)) if name in self._returns and name not in seen:
                return [text for value in self._returns[name] for text in self._texts(value, (*seen, name))]
        return []


def _sentences(node: ast.FunctionDef | ast.Dict | ast.Assign) -> Iterator[str]:
    """Yield texts of several words in a function's body, a table or a constant."""
    if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Constant):
        return
    quiet = {id(item.value) for item in ast.walk(node) if isinstance(item, ast.Expr)}  # docstrings
    if isinstance(node, ast.FunctionDef):
        quiet |= {id(part) for decorator in node.decorator_list for part in ast.walk(decorator)}
    for item in ast.walk(node):
        if isinstance(item, ast.Constant) and isinstance(item.value, str) and id(item) not in quiet and SENTENCE.fullmatch(item.value):
            yield item.value


READERS = {"interface": interface, "findings": findings, "checks": checks}


@cache
def read(name: str) -> Mapping[Text, Sequence[str]]:
    """Return the texts of a catalogue with their files, sorted, because Python 3.12 finds texts in f-strings in another order."""
    found: dict[Text, set[str]] = {}
    for text, file in READERS[name]():
        key = (text[0], text[1]) if isinstance(text, tuple) else text
        if key:
            found.setdefault(key, set()).add(file)
    return {text: sorted(files) for text, files in found.items()}


def folder_of(code: str) -> Path:
    """Return the folder of the catalogues of a language."""
    return FOLDER / code / "LC_MESSAGES"


def catalogue(name: str, code: str) -> Catalog:
    """Return the catalogue with existing translations; those of changed texts are dropped."""
    path = folder_of(code) / f"{name}.po"
    old = read_po(io.BytesIO(path.read_bytes()), locale=code) if path.exists() else Catalog(locale=code)
    made = Catalog(locale=code, project="Findable", header_comment=f"# {LANGUAGES[code].name}: {name}.", charset="utf-8", fuzzy=False)
    for text, files in sorted(read(name).items(), key=lambda pair: (pair[1][0], str(pair[0]))):
        kept = old.get(text[0] if isinstance(text, tuple) else text)
        string = kept.string if kept is not None and isinstance(kept.id, tuple) == isinstance(text, tuple) and not kept.fuzzy else ""
        made.add(text, string, locations=[(file, 0) for file in files[:1]])
    return made


def written(made: Catalog) -> bytes:
    """Return the bytes of the .po file."""
    source = io.BytesIO()
    write_po(source, made, width=120, include_lineno=False, omit_header=False)
    return b"".join(line for line in source.getvalue().splitlines(keepends=True) if not line.startswith(HEADERS_LEFT_OUT))


@cache
def previews() -> frozenset[str]:
    """Return the locations of texts of checks in preview."""
    found = [check for check in all_checks().values() if check.stage is Stage.PREVIEW]
    places = [f"checks/{check.category.value}/{check.id}" for check in found]
    return frozenset((*places, *(f"{place.replace('-', '_')}.py" for place in places)))


def missing(made: Catalog, *, owed: bool = False) -> list[str]:
    """Yield texts without a translation, or with different placeholders; with ``owed`` except those of checks in preview."""
    found = []
    for message in made:
        if owed and message.locations and message.locations[0][0] in previews():
            continue
        if message.id and not _is_translated(message):
            found.append(f"{message.id!r}: not translated")
        elif message.id and (wrong := _differences(message)):
            found.append(f"{message.id!r}: {'; '.join(wrong)}")
    return found


def _is_translated(message: Message) -> bool:
    return all(_forms(message.string))


def _forms(text: Any) -> Sequence[str]:
    """Return a text, or singular and plural, as a sequence."""
    return [text or ""] if isinstance(text, str | None) else text


def _differences(message: Message) -> list[str]:
    wanted, given = _placeholders(_forms(message.id)), _placeholders(_forms(message.string))
    return [f"{name} is {'lacking' if name in wanted else 'unknown'}" for name in sorted(wanted ^ given)]


def _placeholders(texts: Iterable[str]) -> set[str]:
    """Return ``%(name)s`` and ``{name}``, but not braces in an example."""
    return {name for text in texts if "\n" not in text for name in PLACEHOLDER.findall(text)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Update or check the catalogues; return the exit code."""
    parser = argparse.ArgumentParser(description="Bring the catalogues up to date.")
    parser.add_argument("--check", action="store_true", help="change nothing, say what is behind")
    options = parser.parse_args(arguments)
    behind: list[str] = []
    listed: list[str] = []
    for code in LANGUAGES:
        if code == "en":
            continue
        folder_of(code).mkdir(parents=True, exist_ok=True)
        for name in CATALOGUES:
            made = catalogue(name, code)
            path, content = folder_of(code) / f"{name}.po", written(made)
            if not options.check:
                path.write_bytes(content)
            elif not path.exists() or path.read_bytes() != content:
                behind.append(f"{path.relative_to(ROOT)} is behind: make catalogues")
            listed += [f"{code}/{name}: {line}" for line in missing(made)]
            behind += [f"{code}/{name}: {line}" for line in missing(made, owed=True)]
    if not options.check:
        compile_catalogues()
    print("\n".join(dict.fromkeys((*behind, *listed))))
    return 1 if behind and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
