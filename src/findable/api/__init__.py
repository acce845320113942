"""Findable in Python: audit pages and crawl sites as the commands do, and ask crawls. The only public module.

Each option of `findable audit` and `findable crawl` about the requests is a keyword argument, with ``_`` for ``-``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from findable.api.functions import *  # noqa: F403 - what is public is listed there

_FUNCTIONS = f"{__name__}.functions"


def __getattr__(name: str) -> Any:
    """Load the public names on first use: the commands use modules of this package, and an audit needs none of a crawl."""
    functions = import_module(_FUNCTIONS)
    if name in ("__all__", *functions.__all__):
        return getattr(functions, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, for completion."""
    return sorted(import_module(_FUNCTIONS).__all__)
