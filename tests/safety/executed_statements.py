"""Statements that a use case executes on SQLite."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Select, event

from findable.service.runtime.service import Service
from findable.store import dialect, key_statements, report_statements


@contextmanager
def statements(service: Service) -> Iterator[list[tuple[str, Any]]]:
    """Yield the statements that this thread executes in the block, with their parameters."""
    asked: list[tuple[str, Any]] = []
    here = threading.get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if threading.get_ident() == here:  # a worker may ask too
            asked.append((statement, parameters))

    def noted(connection: Connection, statement: Select[Any], values: Mapping[str, Any]) -> Sequence[Any]:
        text, names, constants = dialect._compile(statement, connection.dialect)
        note(None, None, text, tuple({**constants, **values}[name] for name in names))
        return dialect.read_rows(connection, statement, values)

    engines = [service.store._reader, service.store._writer]  # type: ignore[attr-defined]  # of the two stores, the one on SQLite
    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patched:  # these reads pass the engine's events by
        for module in (key_statements, report_statements):
            patched.setattr(module, "read_rows", noted)
        yield asked
    for engine in engines:
        event.remove(engine, "before_cursor_execute", note)
