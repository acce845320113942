"""Check the subject of a commit message: ``python tools/commit_subject.py FILE``, the commit-msg hook of .pre-commit-config.yaml."""

import re
import sys
from pathlib import Path

LONGEST_CHARS = 72
FORM = re.compile(r"[a-z0-9][a-z0-9_/.-]*: \S.*[^.\s]")
WRITTEN_BY_GIT = ("Merge ", "Revert ", "fixup! ", "squash! ", "amend! ")
NOT_IMPERATIVE = re.compile(r"(?!(?:bring|embed|exceed|feed|need|proceed|seed|speed|string)\b)[a-z]+(?:ed|ing)\b", re.IGNORECASE)
EXAMPLE = "checks: require both image dimensions"


def fault(message: str) -> str:
    """Return the problem with the subject; empty if there is none."""
    subject = next((line for line in message.splitlines() if line.strip() and not line.startswith("#")), "")
    if subject.startswith(WRITTEN_BY_GIT):
        return ""
    if len(subject) > LONGEST_CHARS:
        return f"the subject has {len(subject)} characters, at most {LONGEST_CHARS} are allowed"
    if FORM.fullmatch(subject) is None:
        return f'the subject has the form "area: do something" without a full stop, for example "{EXAMPLE}"'
    verb = subject.partition(": ")[2].partition(" ")[0]
    if NOT_IMPERATIVE.fullmatch(verb):
        return f'the subject says what the commit does, in the imperative, for example "{EXAMPLE}": {verb}'
    return ""


if __name__ == "__main__":
    told = fault(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if told:
        sys.exit(f"{told}\n")
