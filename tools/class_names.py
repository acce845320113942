"""Refuse a new class name that another class of the package has already: part of `make check`.

`class_names.txt` lists the names that were used more than once when this rule began, with their number. It only gets shorter:
``python tools/class_names.py --update`` removes what is unique by now. Private classes and names of `_` are not counted.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src/findable"
BASELINE = Path(__file__).with_suffix(".txt")


def class_names(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the name of each public class at the top of a module."""
    for path in paths:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name


def repeated(names: Iterable[str]) -> dict[str, int]:
    """Return the names that occur more than once, sorted, with their number."""
    return {name: count for name, count in sorted(Counter(names).items()) if count > 1}


def problems(found: Mapping[str, int], allowed: Mapping[str, int]) -> list[str]:
    """Return what differs from the baseline, as lines to print."""
    more = [f"{name}: {count} classes have this name; choose another one" for name, count in found.items() if count > allowed.get(name, 1)]
    fewer = [f"{name}: has become rarer; python tools/class_names.py --update" for name in allowed if found.get(name, 1) < allowed[name]]
    return more + fewer


def read_baseline() -> dict[str, int]:
    """Return the allowed names with their number."""
    lines = (line.split() for line in BASELINE.read_text("utf-8").splitlines())
    return {name: int(count) for name, count in lines}


def main(arguments: Sequence[str]) -> int:
    """Check the names, or update the baseline with ``--update``; return 1 if a name is new or has become rarer."""
    found = repeated(class_names(sorted(PACKAGE.rglob("*.py"))))
    allowed = read_baseline()
    if "--update" in arguments:
        kept = {name: min(count, allowed[name]) for name, count in found.items() if name in allowed}
        BASELINE.write_text("".join(f"{name} {count}\n" for name, count in kept.items()), "utf-8")
        allowed = kept
    for line in problems(found, allowed):
        print(line)
    return 1 if problems(found, allowed) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
