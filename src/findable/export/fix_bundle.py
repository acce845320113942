"""Lists of findings with all data that is needed to fix them and to verify the fix, as Markdown and JSON for agents and tickets."""

from msgspec import Struct

from findable.control_characters import indented_json
from findable.export import first_line
from findable.export.agent_text import block, exact_block, from_page
from findable.export.ci_subject import CiFormat, CiSubject, Locate, Problem, without_scheme
from findable.export.source_patch import source_patch
from findable.reports.prose import Kind, pieces
from findable.reports.report import canonical
from findable.reports.reported_finding import in_language
from findable.values import shape_of

_LINE_CHARS = 300
UNKNOWN_SOURCE = "unknown"


class FixPlace(Struct, frozen=True, omit_defaults=True):
    """Exact place of a finding. `text` and `note` may quote the page."""

    url: str
    file: str = ""
    """Source file of the page in the repository, with the line."""
    line: int | None = None
    column: int | None = None
    selector: str = ""
    status: int | None = None
    text: str = ""
    note: str = ""


class FixTask(Struct, frozen=True):
    """Finding to fix, with its places, instructions, code and commands."""

    check: str
    key: str
    verdict: str
    importance: str
    summary: str
    places: tuple[FixPlace, ...]
    places_count: int
    how_to_fix: str
    code: tuple[str, ...]
    """Code for this page."""
    source: str
    """Source of the fault: file and line in the repository, the name of a template, or *unknown*."""
    patch: str
    """Unified diff for `git apply` that makes the fix in that file; empty unless it applies exactly."""
    same_cause: tuple[str, ...]
    """Other pages with the fault, as far as they are listed."""
    why: str
    verify: tuple[str, ...]
    """Commands that check the fix; the last one exits with 0 if it is fixed. Empty for readers who may not have Findable."""


class FixList(Struct, frozen=True):
    """Findings to fix on a page or site, the most harmful first."""

    url: str
    captured_at: str
    fixes: tuple[FixTask, ...]


def fix_list(subject: CiSubject, locate: Locate = without_scheme, *, verifies: bool = True) -> FixList:
    """Return the findings of a page or site to fix. ``verifies``: whether to add the Findable commands that verify each fix."""
    tasks = (_task(subject, problem, locate, verifies=verifies) for problem in subject.problems)
    return FixList(subject.url, subject.captured_at, tuple(tasks))


def _task(subject: CiSubject, problem: Problem, locate: Locate, *, verifies: bool) -> FixTask:
    finding = problem.finding
    return FixTask(
        check=finding.id,
        key=problem.key,
        verdict=finding.verdict.value,
        importance=finding.importance,
        summary=problem.summary,
        places=tuple(_places(subject, problem, locate)),
        places_count=max(finding.evidence_count, len(finding.evidence)),
        how_to_fix="\n\n".join(text for piece in pieces(finding.how_to_fix()) if piece.kind is not Kind.CODE for text in piece.texts),
        code=tuple(fix.code for fix in finding.fixes),
        source=source_of(problem, locate),
        patch=patch_of(problem, locate),
        same_cause=tuple(dict.fromkeys(place.url for place in problem.places if place.url != problem.places[0].url)),
        why=" ".join(finding.why_it_matters().split()),
        verify=_verify(subject, problem) if verifies else (),
    )


def source_of(problem: Problem, locate: Locate) -> str:
    """Return the file and line of a problem in the repository, the name of its template, or UNKNOWN_SOURCE."""
    position = locate(problem.places[0])
    if position.is_file:
        return f"{position.path}:{position.line}"
    return f"template {problem.template}" if problem.template else UNKNOWN_SOURCE


def patch_of(problem: Problem, locate: Locate) -> str:
    """Return a unified diff that fixes the problem in the file of its page; empty unless it applies exactly."""
    position = locate(problem.places[0]) if problem.finding.fixes else None
    return source_patch(position.path, position.text, problem.finding.fixes) if position is not None and position.is_file else ""


def _places(subject: CiSubject, problem: Problem, locate: Locate) -> list[FixPlace]:
    found = []
    for item, place in zip(problem.finding.evidence, problem.places, strict=False):
        position = locate(place)
        file = f"{position.path}:{position.line}" if position.is_file else ""
        found.append(shape_of(FixPlace, in_language(item), url=item.url or subject.url, file=file))
    return found


def _verify(subject: CiSubject, problem: Problem) -> tuple[str, ...]:
    if subject.is_site:
        return (f"findable crawl {shell_word(subject.url)} --store again.crawl.sqlite",)
    made = f"findable audit {shell_word(subject.url)} --format json > report.json"
    return (made, f"findable recheck report.json {problem.finding.id}")


def shell_word(url: str) -> str:
    """Return a URL in single quotes for a shell; single quotes in the URL are percent-encoded."""
    return "'" + url.replace("'", "%27") + "'"


class _FixesFormat(CiFormat):
    """Base of the formats of fix lists. ``verifies``: whether to add the Findable commands that verify each fix."""

    def __init__(self, locate: Locate = without_scheme, *, verifies: bool = True) -> None:
        super().__init__(locate)
        self._verifies = verifies


class FixesJson(_FixesFormat):
    """Fix lists as JSON: an array with an object for each page or site."""

    _begin = b"[\n"

    def add(self, subject: CiSubject) -> bytes:
        """Return the JSON object of a page or site, with the beginning of the array or a comma."""
        written = self._begin + indented_json(canonical(fix_list(subject, self.locate, verifies=self._verifies))).rstrip()
        self._begin = b",\n"
        return written

    def end(self) -> bytes:
        """Return the end of the JSON array."""
        return b"[]\n" if self._begin == b"[\n" else b"\n]\n"


class FixesMarkdown(_FixesFormat):
    """Fix lists as Markdown: a chapter for each page or site. Page content is in blocks that mark it as untrusted data."""

    def add(self, subject: CiSubject) -> bytes:
        """Return the Markdown chapter of a page or site."""
        title = "# Fix this finding" if len(subject.problems) == 1 else "# Fix these findings"
        parts = [title, "", block([from_page(subject.url, _LINE_CHARS)]), ""]
        for number, problem in enumerate(subject.problems, 1):
            parts += self._task(number, subject, problem)
        return ("\n".join(parts) + "\n").encode("utf-8", "replace")

    def _task(self, number: int, subject: CiSubject, problem: Problem) -> list[str]:
        task = _task(subject, problem, self.locate, verifies=self._verifies)
        lines = [from_page(task.summary, _LINE_CHARS)]
        for item, place in zip(problem.finding.evidence, task.places, strict=False):
            line = first_line(item)
            url = place.url if place.url != subject.url and place.url not in line else ""
            where = " ".join(filter(None, (place.file, place.selector, url)))
            lines.append(from_page(f"{line} {f'[{where}]' if where else ''}", _LINE_CHARS))
        if task.places_count > len(task.places):
            lines.append(f"… {task.places_count - len(task.places)} more places")
        parts = [f"## {number}. {task.check} ({task.verdict}, {task.importance} importance)", "", block(lines), "", task.how_to_fix, ""]
        if task.code:
            code = [from_page(line, _LINE_CHARS) for text in task.code for line in text.splitlines()]
            parts += ["Code for this page:", "", block(code), ""]
        if task.source != UNKNOWN_SOURCE:
            parts += ["Source:", "", block([from_page(task.source, _LINE_CHARS)]), ""]
        if patch := exact_block(task.patch):
            parts += ["Patch, for git apply:", "", patch, ""]
        if task.same_cause:
            parts += ["The same fault is on:", "", block([from_page(url, _LINE_CHARS) for url in task.same_cause]), ""]
        parts += [f"Why: {task.why}", ""]
        if task.verify:
            parts += ["Verify, with the command findable:", "", block([from_page(command, 2 * _LINE_CHARS) for command in task.verify]), ""]
        return parts
