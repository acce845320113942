"""Engines of SQLite files."""

from pathlib import Path

from sqlalchemy import Column, Integer, MetaData, Table, insert, select

from findable.store.sqlite_engine import sqlite_engine

NUMBERS = Table("numbers", MetaData(), Column("number", Integer))


def test_a_statement_is_compiled_once_for_all_files(tmp_path: Path) -> None:
    states: list[tuple[str, list[int]]] = []
    for name in ("one", "two"):
        engine = sqlite_engine(f"sqlite:///{tmp_path / name}")
        with engine.begin() as connection:
            NUMBERS.create(connection)
            connection.execute(insert(NUMBERS), [{"number": len(name)}, {"number": len(states)}])
            read = connection.execute(select(NUMBERS.c.number))
            states.append((read.context.cache_hit.name, list(read.scalars())))
        engine.dispose()
    assert [values for _, values in states] == [[3, 0], [3, 1]]
    assert states[1][0] == "CACHE_HIT"
