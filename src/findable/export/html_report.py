"""Findings of pages and sites as one HTML file without external resources."""

import zlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files

from msgspec import field

from findable.control_characters import INVISIBLE
from findable.export.ci_subject import CiFormat, CiSubject, Problem
from findable.lazy_pattern import lazy_pattern
from findable.reports.prose import Kind, pieces, spans
from findable.urls import parse
from findable.vocabulary import Rating, Verdict

_CONTROL = lazy_pattern(f"[\x00-\x08\x0b-\x1f{INVISIBLE}]")
_RATINGS = {Rating.GOOD: "Good", Rating.DECENT: "Decent", Rating.BAD: "Bad", None: "Not rated"}
_HEAD = files(__package__).joinpath("templates/html_report_head.html").read_bytes()


class HtmlReport(CiFormat):
    """HTML file with a table of pages, then a section with the problems of each page. Sections are compressed until the end."""

    _rows: list[str] = field(default_factory=list)
    _sections: list[bytes] = field(default_factory=list)
    _captured_at: str = ""

    def add(self, subject: CiSubject) -> bytes:
        """Store the row and section of a page or site, and return no bytes."""
        number = len(self._rows) + 1
        self._captured_at = self._captured_at or subject.captured_at
        section = "\n".join(self._section(subject, number))
        self._rows.append(
            f'<tr><td><a href="#p{number}">{_text(subject.url)}</a></td><td>{_rating(subject)}</td>'
            f'<td class="number">{"–" if subject.score is None else subject.score}</td>'
            f'<td class="number">{subject.failed_count}</td><td class="number">{subject.warned_count}</td></tr>\n'
        )
        self._sections.append(zlib.compress(section.encode("utf-8", "replace")))
        return b""

    def end(self) -> bytes:
        """Return the complete HTML file."""
        head = '<table><thead><tr><th>Page</th><th>Rating</th><th class="number">Score</th><th class="number">Failed</th>'
        head += '<th class="number">Warned</th></tr></thead>\n<tbody>\n'
        table = f"{head}{''.join(self._rows)}</tbody></table>\n"
        foot = f"</main>\n<footer><p>Findable {self.version}, {_text(self._captured_at)}</p></footer>\n</body>\n</html>\n"
        parts = [_HEAD, table.encode("utf-8", "replace"), *map(zlib.decompress, self._sections), foot.encode()]
        return b"".join(parts)

    def _section(self, subject: CiSubject, number: int) -> Iterator[str]:
        yield f'<section id="p{number}">'
        yield f"<h2>{_link_html(subject.url)}</h2>"
        score = "" if subject.score is None else f", score {subject.score} of 100"
        yield f"<p>{_rating(subject)}{score}</p>"
        if subject.error:
            yield f'<p class="failed">{_text(subject.error)}</p>'
        elif not subject.problems:
            yield "<p>No problem found.</p>"
        for problem in subject.problems:
            yield from self._problem(problem)
        yield "</section>\n"

    def _problem(self, problem: Problem) -> Iterator[str]:
        finding = problem.finding
        word, kind = ("Failed", "failed") if finding.verdict is Verdict.FAILED else ("Warning", "warned")
        new = "new, " if problem.is_new else ""
        about = f"<small>{new}{_text(finding.importance)} importance, {_text(finding.id)}</small>"
        yield f'<details><summary><b class="{kind}">{word}:</b> {_text(problem.summary)} {about}</summary>'
        yield "<ul>"
        for place in problem.places:
            position = self.locate(place)
            file = f" <code>{_text(position.path)}:{position.line}</code>" if position.is_file else ""
            yield f"<li><code>{_text(place.words or place.url)}</code>{file}</li>"
        yield "</ul>"
        yield from (f"<p>{_text(part)}</p>" for part in [finding.why_it_matters()] if part)
        yield from prose_html(finding.how_to_fix())
        yield "</details>"


def prose_html(text: str) -> Iterator[str]:
    """Yield the paragraphs, lists and code blocks of a documentation text as HTML elements."""
    for piece in pieces(text):
        if piece.kind is Kind.CODE:
            yield f"<pre><code>{_text(piece.texts[0])}</code></pre>"
        elif piece.kind is Kind.LIST:
            yield f"<ul>{''.join(f'<li>{_line(item)}</li>' for item in piece.texts)}</ul>"
        else:
            yield f"<p>{_line(piece.texts[0])}</p>"


def _line(text: str) -> str:
    return "".join(
        f"<code>{_text(span.text)}</code>" if span.is_code else _link_html(span.url, span.text) if span.url else _text(span.text)
        for span in spans(text)
    )


def _link_html(url: str, words: str = "") -> str:
    parsed = parse(url)
    shown = _text(words or url)
    return f'<a href="{_text(url)}" rel="noreferrer noopener">{shown}</a>' if parsed and parsed.is_http else shown


def _rating(subject: CiSubject) -> str:
    return f'<span class="{subject.result.value if subject.result else "none"}">{_RATINGS[subject.result]}</span>'


def _text(text: str) -> str:
    return escape(_CONTROL.sub("\ufffd", text))
