"""Findings as a Markdown comment that a pipeline replaces at each run, and as a job summary."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from findable.export.agent_text import exact_block
from findable.export.ci_subject import CiFormat, CiSubject, Problem
from findable.export.fix_bundle import patch_of
from findable.export.markdown import code, escape
from findable.values import shape_of
from findable.vocabulary import Rating

MARKER = "<!-- findable -->"
"""First line, which identifies the comment of an earlier run."""
MAX_CHARS = 64_900
"""Length below 65,000: GitHub refuses a comment of more than 65,536 characters."""
TABLE_CHARS = 25_000
PROBLEMS_SHOWN = 5
_TEXT_CHARS = 300
_PATCH_CHARS = 2000
_WORST_FIRST: tuple[Rating | None, ...] = (Rating.BAD, None, Rating.DECENT, Rating.GOOD)


class _Row(Struct, frozen=True):
    """Row of the comment for one page or site, with the lines of its first problems."""

    url: str
    result: Rating | None
    score: int | None
    failed_count: int
    warned_count: int
    new_count: int | None
    error: str
    lines: tuple[str, ...]

    @property
    def harm(self) -> tuple[int, int, int]:
        """Sort key that puts the worst page or site first."""
        return _WORST_FIRST.index(self.result), self.score if self.score is not None else -1, -self.failed_count


class CiComment(CiFormat):
    """Comment with a table of pages, the worst first, and the first problems of each page; always below 65,000 characters."""

    _rows: list[_Row] = field(default_factory=list)

    def add(self, subject: CiSubject) -> bytes:
        """Store the row of a subject and return no bytes, because the comment begins with the worst subject."""
        knows_new = any(problem.is_new is not None for problem in subject.problems)
        new_count = len({problem.finding.id for problem in subject.problems if problem.is_new}) if knows_new else None
        groups: dict[str, list[Problem]] = {}
        for problem in subject.problems:
            groups.setdefault(problem.finding.id, []).append(problem)
        lines = tuple(self._line(own) for own in list(groups.values())[:PROBLEMS_SHOWN])
        self._rows.append(shape_of(_Row, subject, new_count=new_count, lines=lines))
        return b""

    def end(self) -> bytes:
        """Return the complete comment in UTF-8."""
        rows = sorted(self._rows, key=lambda row: row.harm)
        text = _join(_table(rows), TABLE_CHARS, "| … | | | | |")
        text += _join(_details(rows), MAX_CHARS - len(text), "More findings are in the report.")
        return text.encode("utf-8", "replace")

    def _line(self, groups: Sequence[Problem]) -> str:
        """Return the line of a fault: its first new group, else its first one, with the number of the others."""
        problem = next((one for one in groups if one.is_new), groups[0])
        more = f" and {len(groups) - 1} more" if len(groups) > 1 else ""
        position = self.locate(problem.places[0])
        place = f" – {code(f'{position.path}:{position.line}')}" if position.is_file else ""
        new = "**new** " if problem.is_new else ""
        mark = "✗" if problem.is_failed else "!"
        patch = patch_of(problem, self.locate)
        return f"- {mark} {new}{escape(problem.summary[:_TEXT_CHARS])} {code(problem.finding.id)}{more}{place}{_patch_block(patch)}"


def _patch_block(patch: str) -> str:
    """Return a patch as a block of code below a list item; empty if there is none, or it is long."""
    if len(patch) > _PATCH_CHARS or not exact_block(patch):
        return ""
    return "".join(f"\n  {line}" for line in ("```diff", *patch.splitlines(), "```"))


def _table(rows: list[_Row]) -> Iterator[str]:
    counts = {rating: sum(row.result == rating for row in rows) for rating in _WORST_FIRST}
    words = ", ".join(f"{count} {rating.value if rating else 'not rated'}" for rating, count in counts.items() if count)
    yield MARKER
    yield f"## Findable: {words or 'no page'}"
    yield ""
    yield "| Page | Rating | Score | Failed | Warned |"
    yield "|---|---|---:|---:|---:|"
    for row in rows:
        rating = row.result.value if row.result else "not rated"
        score = "–" if row.score is None else row.score
        new = f" ({row.new_count} new)" if row.new_count else ""
        yield f"| {code(row.url[:_TEXT_CHARS].replace('|', '%7C'))} | {rating} | {score} | {row.failed_count}{new} | {row.warned_count} |"


def _details(rows: Iterable[_Row]) -> Iterator[str]:
    for row in rows:
        if row.error or row.lines:
            left = row.failed_count + row.warned_count - len(row.lines)
            yield "\n".join(
                [
                    "",
                    f"### {code(row.url[:_TEXT_CHARS])}",
                    "",
                    *([f"**{escape(row.error[:_TEXT_CHARS])}**", ""] if row.error else []),
                    *row.lines,
                    *([f"- and {left} more"] if left > 0 else []),
                ]
            )


def _join(parts: Iterable[str], max_chars: int, rest: str) -> str:
    """Return as many parts as fit in ``max_chars``, each with a line break, then ``rest`` if some do not fit."""
    found: list[str] = []
    room = max_chars - len(rest) - 2
    for part in parts:
        room -= len(part) + 1
        if room < 0:
            found.append(rest)
            break
        found.append(part)
    return "".join(f"{part}\n" for part in found)
