"""Docstrings below the attributes of classes and modules, which Python drops, from the source."""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from inspect import getsource
from itertools import pairwise
from types import ModuleType


def attribute_docs(model: type) -> Mapping[str, str]:
    """Return the docstrings below the attributes of a class by attribute name."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__[:-2]):
        if base.__module__.startswith("findable."):
            found |= _docs_of_classes(base.__module__)[base.__name__]
    return found


def constant_docs(module: ModuleType) -> Mapping[str, str]:
    """Return the docstrings below the annotated constants of a module by name."""
    return dict(_docs_of_body(ast.parse(getsource(module)).body))


@cache
def _docs_of_classes(module: str) -> Mapping[str, Mapping[str, str]]:
    """Return the docstrings below attributes, by class and attribute. Syntax trees are not cached: those of all modules take 6 MB."""
    tree = ast.parse(getsource(sys.modules[module]))
    return {node.name: dict(_docs_of_body(node.body)) for node in tree.body if isinstance(node, ast.ClassDef)}


def _docs_of_body(body: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    for line, following in pairwise(body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(following, ast.Expr):
            text = following.value.value if isinstance(following.value, ast.Constant) else None
            if isinstance(text, str):
                yield line.target.id, " ".join(text.split())
