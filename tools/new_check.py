"""Create the files of a new check: ``make new-check ID=category/the-id``.

Writes ``src/findable/checks/<category>/<the_id>.py`` and, below ``tests/checks/<category>/<the_id>/``, the table of
outcomes, ``good.html`` and ``bad.html``. Existing files are never overwritten. The new check fails its tests until it is
written, because a scaffold that passes would be released. It starts as a preview, which is shown but not scored.
"""

import re
import sys
from pathlib import Path

from findable.reports.scoring import RULESET

ROOT = Path(__file__).resolve().parent.parent
ID_FORM = re.compile(r"(?P<category>[a-z_]+)/(?P<id>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)")

CHECK = """\"\"\"What is wrong when this check fails, in one sentence.

In plain words: What visitors or Google miss, in one sentence without a technical term.

Why it matters: what the reader loses, and where that is known from.

How to fix: what to do, in words a site owner knows.

    <the line>as it should be</the line>

Sources: the standard and its section; the vendor, "the page" (year).

Not judged: what looks alike and is left alone.
\"\"\"

from findable.artifacts.page.head import Head
from findable.checks.engine import Finding, check
from findable.vocabulary import Effort, Importance, Stage


@check("Is …?", Importance.LOW, Effort.HEAD, since="{ruleset}", status=Stage.PREVIEW)
def {name}(head: Head) -> Finding:
    raise NotImplementedError
"""

TEST = """\"\"\"Outcomes of {id}: first what must not be flagged, then what must.\"\"\"

import pytest

from tests.checks.harness import page, verdict

OUTCOMES = [
    ("what must not be flagged", page(), "passed"),
    ("what must", page(head=""), "failed"),
]


@pytest.mark.parametrize(("case", "html", "expected"), OUTCOMES, ids=[case for case, *_ in OUTCOMES])
def test_outcome(case: str, html: str, expected: str) -> None:
    assert verdict("{id}", html) == expected, case
"""

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>{mark}
</head>
<body><h1>{title}</h1></body>
</html>
"""


def files(category: str, check_id: str) -> dict[Path, str]:
    """Return the text of each file by path relative to the project."""
    name = check_id.replace("-", "_")
    tests = Path("tests/checks", category, name)
    return {
        Path("src/findable/checks", category, f"{name}.py"): CHECK.format(name=name, ruleset=RULESET),
        tests / f"test_{name}.py": TEST.format(name=name, id=check_id),
        tests / "good.html": PAGE.format(title="A page that passes", mark=""),
        tests / "bad.html": PAGE.format(title="A page that fails", mark=" <!-- evidence -->"),
    }


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Create the files; return 0, 1 if one of them exists, or 2 if the id is invalid."""
    form = ID_FORM.fullmatch(arguments[0]) if len(arguments) == 1 else None
    if not form:
        print("usage: make new-check ID=category/the-id (lower case, words of the id joined by hyphens)", file=sys.stderr)
        return 2
    laid_out = {root / path: text for path, text in files(form["category"], form["id"]).items()}
    for path in laid_out:
        if path.exists():
            print(f"{path.relative_to(root)} exists", file=sys.stderr)
            return 1
    for path, text in laid_out.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
