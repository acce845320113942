"""Engines of SQLite files."""

from functools import cache
from typing import Any

from sqlalchemy import Dialect, Engine, NullPool, create_engine
from sqlalchemy.util import LRUCache

from findable.store.dialect import HintCompiler

_COMPILED: LRUCache[Any, Any] = LRUCache(2_000)
"""Compiled statements of all engines: each crawl is a file with an engine of its own, and compiling its statements takes longer than
running them in a file of few pages."""


def sqlite_engine(url: str, **options: Any) -> Engine:
    """Create an engine that shares its compiled statements with those of other files. Options: those of `create_engine`."""
    engine = create_engine(url, execution_options={"compiled_cache": _COMPILED}, pool_use_lifo=True, **options)
    engine.dialect = _dialect()  # part of the key of a compiled statement
    return engine


@cache
def _dialect() -> Dialect:
    with create_engine("sqlite://", poolclass=NullPool).connect() as connection:  # a first connection completes the dialect
        dialect = connection.dialect
    dialect.statement_compiler = HintCompiler
    return dialect
