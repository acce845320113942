"""Count the code lines of a package: lines with a token that is neither comment nor docstring.

    python research/code_lines.py [FOLDER]

Prints the total, then the number of each direct subfolder.
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    """Return the number of code lines of a module; string statements count as documentation."""
    said = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            said.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - said)


def main() -> None:
    """Print the counts."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "src/findable")
    counts: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        counts[path.relative_to(folder).parts[0]] += code_lines(path.read_text(encoding="utf-8"))
    print(f"{sum(counts.values()):7,} {folder}")
    for name, count in counts.most_common():
        print(f"{count:7,} {name}")


if __name__ == "__main__":
    main()
