"""Lists of findings with all data that is needed to fix them and to verify the fix, as Markdown for agents and tickets."""

from findable.export.agent_text import block, exact_block, from_page
from findable.export.ci_subject import CiFormat, CiSubject, Locate, Problem
from findable.export.short_texts import first_line
from findable.export.source_patch import source_patch
from findable.reports.prose import Kind, pieces

_LINE_CHARS = 300
UNKNOWN_SOURCE = "unknown"


def source_of(problem: Problem, locate: Locate) -> str:
    """Return the file and line of a problem in the repository, the name of its template, or UNKNOWN_SOURCE.

    What has no place in the markup, such as a header, has no source: the file of the page would be the wrong one to change.
    """
    position = locate(problem.places[0])
    if position.is_file and problem.places[0].line is not None:
        return f"{position.path}:{position.line}"
    return f"template {problem.template}" if problem.template else UNKNOWN_SOURCE


def patch_of(problem: Problem, locate: Locate) -> str:
    """Return a unified diff that fixes the problem in the file of its page; empty unless it applies exactly."""
    position = locate(problem.places[0]) if problem.finding.fixes else None
    return source_patch(position.path, position.text, problem.finding.fixes) if position is not None and position.is_file else ""


def _verify(subject: CiSubject, problem: Problem) -> tuple[str, ...]:
    if subject.is_site:
        return (f"findable crawl {shell_word(subject.url)} --store again.crawl.sqlite",)
    made = f"findable audit {shell_word(subject.url)} --format json > report.json"
    return (made, f"findable recheck report.json {problem.finding.id}")


def shell_word(url: str) -> str:
    """Return a URL in single quotes for a shell; single quotes in the URL are percent-encoded."""
    return "'" + url.replace("'", "%27") + "'"


class FixesMarkdown(CiFormat):
    """Fix lists as Markdown: a chapter for each page or site. Page content is in blocks that mark it as untrusted data."""

    verifies: bool = True
    """Whether to add the Findable commands that verify each fix."""

    def add(self, subject: CiSubject) -> bytes:
        """Return the Markdown chapter of a page or site."""
        title = "# Fix this finding" if len(subject.problems) == 1 else "# Fix these findings"
        parts = [title, "", block([from_page(subject.url, _LINE_CHARS)]), ""]
        for number, problem in enumerate(subject.problems, 1):
            parts += self._task(number, subject, problem)
        return ("\n".join(parts) + "\n").encode("utf-8", "replace")

    def _task(self, number: int, subject: CiSubject, problem: Problem) -> list[str]:
        finding = problem.finding
        kind = f"{finding.verdict.value}, {finding.importance} importance"
        how_to_fix = "\n\n".join(text for piece in pieces(finding.how_to_fix()) if piece.kind is not Kind.CODE for text in piece.texts)
        parts = [f"## {number}. {finding.id} ({kind})", "", block(self._places(subject, problem)), "", how_to_fix, ""]
        if finding.fixes:
            code = [from_page(line, _LINE_CHARS) for fix in finding.fixes for line in fix.code.splitlines()]
            parts += ["Code for this page:", "", block(code), ""]
        if (source := source_of(problem, self.locate)) != UNKNOWN_SOURCE:
            parts += ["Source:", "", block([from_page(source, _LINE_CHARS)]), ""]
        if patch := exact_block(patch_of(problem, self.locate)):
            parts += ["Patch, for git apply:", "", patch, ""]
        if same_cause := dict.fromkeys(place.url for place in problem.places if place.url != problem.places[0].url):
            parts += ["The same fault is on:", "", block([from_page(url, _LINE_CHARS) for url in same_cause]), ""]
        parts += [f"Why: {' '.join(finding.why_it_matters().split())}", ""]
        if self.verifies:
            commands = [from_page(command, 2 * _LINE_CHARS) for command in _verify(subject, problem)]
            parts += ["Verify, with the command findable:", "", block(commands), ""]
        return parts

    def _places(self, subject: CiSubject, problem: Problem) -> list[str]:
        """Return the lines with the summary and the exact places of a problem."""
        lines = [from_page(problem.summary, _LINE_CHARS)]
        for item, place in zip(problem.finding.evidence, problem.places, strict=False):
            line, position = first_line(item), self.locate(place)
            file = f"{position.path}:{position.line}" if position.is_file else ""
            url = item.url if item.url not in (subject.url, "") and item.url not in line else ""
            where = " ".join(filter(None, (file, item.selector, url)))
            lines.append(from_page(f"{line} {f'[{where}]' if where else ''}", _LINE_CHARS))
        left = max(problem.finding.evidence_count, len(problem.finding.evidence)) - (len(lines) - 1)
        return [*lines, f"… {left} more places"] if left > 0 else lines
