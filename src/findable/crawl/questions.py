"""Questions about crawls with names, from ``questions.sql`` and ``project_questions.sql``.

Each is a statement over the tables of a crawl after its name, its title in English, and its parameters with their defaults.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from findable.wording import later


class NamedQuestion(Struct, frozen=True):
    """Question with a name."""

    title: str
    sql: str
    params: Mapping[str, str | int] = {}
    """Defaults of the parameters."""


def _read(file: str) -> Mapping[str, NamedQuestion]:
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    return dict(map(_question, text.rstrip().removesuffix(";").split(";\n\n")))


def _question(text: str) -> tuple[str, NamedQuestion]:
    lines = text.splitlines()
    (name, _, title), *given = (
        line.removeprefix("-- ").partition(" = " if at else ": ") for at, line in enumerate(lines) if line[:2] == "--"
    )
    params = {key.removesuffix(" ="): int(value) if value.isdigit() else value for key, _, value in given}
    return name, NamedQuestion(title, " ".join(line for line in lines if line[:2] != "--"), params)


QUESTIONS = _read("questions.sql")
"""Named questions, the most wanted first."""
PROJECT_QUESTIONS = _read("project_questions.sql")
"""Named questions about several crawls, whose tables have the columns ``crawl`` and ``crawled_at``."""
PARAMETER_TITLES: Mapping[str, str] = {
    "words": later("Fewer words than"),
    "inlinks": later("Fewer inlinks than"),
    "column": later("Uploaded column"),
    "clicks": later("More than"),
    "characters": later("More characters than"),
    "ms": later("More milliseconds than"),
    "bytes": later("More bytes than"),
    "depth": later("More clicks than"),
    "url": later("URL"),
}
"""Names of the parameters of named questions, for people."""
