"""Documentation of checks: the sections of their docstrings."""

from msgspec import Struct


class Documentation(Struct, frozen=True):
    """Sections of a check's docstring, split at its fixed headings. Paragraphs keep reStructuredText literals."""

    summary: str
    """First line: the problem, in the indicative."""
    plain: str
    """Sentence for owners of a site: what visitors or search engines miss if the check fails or warns. Empty if it never does."""
    why: str
    how: str
    sources: str
    not_judged: str


_HEADINGS = {"In plain words:": "plain", "Why it matters:": "why", "How to fix:": "how", "Sources:": "sources", "Not judged:": "not_judged"}


def read_documentation(docstring: str) -> Documentation:
    """Return the sections of a docstring."""
    parts: dict[str, list[str]] = {"summary": [], **{name: [] for name in _HEADINGS.values()}}
    current = "summary"
    for line in docstring.splitlines():
        for heading, name in _HEADINGS.items():
            if line.startswith(heading):
                current, line = name, line.removeprefix(heading).strip()  # noqa: PLW2901 - the rest of the heading's line
                break
        parts[current].append(line)
    return Documentation(**{name: "\n".join(lines).strip() for name, lines in parts.items()})
