"""Trees of other HTML parsers against those of ours, over saved pages (decision 0027).

    uv run --with selectolax --with lxml bench/bench_parsers.py FOLDER      # FOLDER/*.html.gz

Prints for each parser how many pages have the same elements with the same attributes at the same depth, and the processor time to parse
and to read all elements.
"""

import gzip
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

Elements = Sequence[tuple[int, str, tuple[str, ...]]]
"""Depth, tag and names of the attributes of each element in document order."""
INERT = {"noscript", "template"}
NESTED = 20_000


def elements(root: Any, read: Callable[[Any], tuple[str, Any] | None], children: Callable[[Any], Iterator[Any]]) -> Elements:
    """Read a tree; ``read`` returns tag and attributes of an element, None for other nodes."""
    found, waiting = [], [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        one = read(node)
        if one is None:
            continue
        tag = one[0].rpartition("}")[2]
        found.append((depth, tag, tuple(sorted(name.rpartition("}")[2].lower() for name in one[1]))))
        if tag not in INERT:
            waiting.extend((child, depth + 1) for child in reversed(list(children(node))))
    return found


def turbohtml_tree(text: str) -> tuple[Any, Callable[[], Elements]]:
    """Parse as `findable.artifacts.html.parse_tree` does."""
    module = import_module("turbohtml")
    tree = module.parse(text, positions=True, scripting=True, allow_declarative_shadow_roots=False)

    def read(node: Any) -> tuple[str, Any] | None:
        return (node.tag, node.attrs) if isinstance(node, module.Element) else None

    return tree, lambda: elements(next(node for node in tree.children if read(node)), read, lambda node: iter(node.children))


def lexbor_tree(text: str) -> tuple[Any, Callable[[], Elements]]:
    """Parse with lexbor as selectolax binds it."""
    tree = import_module("selectolax.lexbor").LexborHTMLParser(text, scripting=True)

    def children(node: Any) -> Iterator[Any]:
        child = node.first_child
        while child is not None:
            yield child
            child = child.next

    return tree, lambda: elements(tree.root, lambda node: (node.tag, node.attributes) if node.is_element_node else None, children)


def lxml_tree(text: str) -> tuple[Any, Callable[[], Elements]]:
    """Parse with libxml2 as lxml binds it."""
    html = import_module("lxml.html")
    tree = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))
    return tree, lambda: elements(tree, lambda node: (node.tag, node.attrib) if isinstance(node.tag, str) else None, iter)


def main() -> None:
    texts = [gzip.decompress(path.read_bytes()).decode("utf-8", "replace") for path in sorted(Path(sys.argv[1]).glob("*.html.gz"))]
    ours: list[Elements] = []
    for parse in (turbohtml_tree, lexbor_tree, lxml_tree):
        trees, parse_s, read_s = [], 0.0, 0.0
        for text in texts:
            began = time.process_time()
            tree, read = parse(text)
            parsed = time.process_time()
            trees.append(read())
            parse_s, read_s = parse_s + parsed - began, read_s + time.process_time() - parsed
            del tree
        ours = ours or trees
        began = time.process_time()
        parse("<!doctype html>" + "<div>" * NESTED)
        nested_s = time.process_time() - began
        same = sum(one == other for one, other in zip(ours, trees, strict=True))
        print(f"{parse.__name__:15} {same:4} of {len(texts)} trees, parse {parse_s * 1000:.0f} ms, read {read_s * 1000:.0f} ms,", end=" ")
        print(f"{NESTED:,} nested elements {nested_s * 1000:.0f} ms")


if __name__ == "__main__":
    main()
