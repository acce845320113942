"""The index that lets SQLite find a part of an address without looking at them all: every three letters in a row (FTS5, trigrams).

It holds the numbers of reports and no text: what it names is looked at. Triggers put each change of an address down in a table, which costs
next to nothing; it is taken into the index later, many at once, and until then all that stand in the table are looked at too. Where a
trigger is missing the index counts as missing, as in a database that a Python without FTS5 wrote to meanwhile. No backup holds it:
`restore` makes it anew.

Each ``connection`` is one of SQLAlchemy or of the driver.
"""

from typing import Any

from sqlalchemy import Connection

CANDIDATES = 20_000
"""Of more that may hold a part the addresses are walked instead: so many do that enough of them soon come."""
FEW = 20_000
"""So many addresses are walked in some milliseconds, whatever is looked for."""
TAKEN_AT_ONCE = 200
"""Changes that are taken in by one transaction."""
SEARCHED = "report_url_"
"""What the names of all its tables begin with."""
_LETTERS = 3

_TRIGGERS = {
    "report_url_added": """AFTER INSERT ON report
        BEGIN INSERT INTO report_url_changed VALUES (NULL, new.id, NULL, new.url); END""",
    "report_url_removed": """AFTER DELETE ON report
        BEGIN INSERT INTO report_url_changed VALUES (NULL, old.id, old.url, NULL); END""",
    "report_url_replaced": """AFTER UPDATE OF url ON report WHEN old.url <> new.url
        BEGIN INSERT INTO report_url_changed VALUES (NULL, new.id, old.url, new.url); END""",
}
# No text, no places of words, no lengths: numbers of reports alone.
_MADE = (
    "CREATE TABLE report_url_changed (number INTEGER PRIMARY KEY, report_id INTEGER NOT NULL, before TEXT, after TEXT)",
    "CREATE VIRTUAL TABLE report_url_parts USING fts5(url, content='', detail='none', columnsize=0, tokenize='trigram')",
    "INSERT INTO report_url_parts (rowid, url) SELECT id, url FROM report",
    *(f"CREATE TRIGGER {name} {said}" for name, said in _TRIGGERS.items()),
)
_DROPPED = (
    *(f"DROP TRIGGER IF EXISTS {name}" for name in _TRIGGERS),
    "DROP TABLE IF EXISTS report_url_parts",
    "DROP TABLE IF EXISTS report_url_changed",
)
_KEPT = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'report_url_%'"
_OFFERED = "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"
_CANDIDATES = (
    "SELECT count(*), json_group_array(report_id) FROM (SELECT report_id FROM report_url_changed WHERE after IS NOT NULL "
    "UNION ALL SELECT rowid FROM report_url_parts WHERE report_url_parts MATCH ? LIMIT ?)"
)
_CHANGES = "SELECT number, report_id, before, after FROM report_url_changed ORDER BY number LIMIT ?"
_OUT = "INSERT INTO report_url_parts (report_url_parts, rowid, url) VALUES ('delete', ?, ?)"
_IN = "INSERT INTO report_url_parts (rowid, url) VALUES (?, ?)"
_DONE = "DELETE FROM report_url_changed WHERE number <= ?"


def has_search_index(connection: Any) -> bool:
    """Whether it is there, and kept."""
    return _number(connection, _KEPT) == len(_TRIGGERS)


def make_search_index(connection: Any, *, anew: bool = False) -> bool:
    """Makes it where it is missing, or in place of the one there is; False where this SQLite cannot. Ten seconds for a million reports."""
    if anew or not has_search_index(connection):
        if not _number(connection, _OFFERED):
            return False
        drop_search_index(connection)
        for statement in _MADE:
            _run(connection, statement)
    return True


def drop_search_index(connection: Any) -> None:
    """Takes it away, or what is left of it."""
    for statement in _DROPPED:
        _run(connection, statement)


def give_up_where_unknown(connection: Any) -> None:
    """Where this SQLite cannot take the changes in, they are not put down any more."""
    if has_search_index(connection) and not _number(connection, _OFFERED):
        for name in _TRIGGERS:
            _run(connection, f"DROP TRIGGER {name}")


def take_in(connection: Any) -> bool:
    """Takes some changes into the index. Whether there may be more."""
    if not has_search_index(connection):
        return False
    changes = _run(connection, _CHANGES, TAKEN_AT_ONCE).fetchall()
    before: dict[int, str | None] = {}
    after: dict[int, str | None] = {}
    for _, report, old, new in changes:
        before.setdefault(report, old)
        after[report] = new
    for statement, urls in ((_OUT, before), (_IN, after)):
        for report, url in urls.items():
            if url is not None:
                _run(connection, statement, report, url)
    if changes:
        _run(connection, _DONE, changes[-1][0])
    return len(changes) == TAKEN_AT_ONCE


def parts_of(search: str) -> str:
    """What an address must hold to hold the text, as FTS5 wants it said; empty where the index does not help."""
    if len(search) < _LETTERS or not search.isascii() or "\0" in search:
        return ""
    last = len(search) - _LETTERS
    parts = {search[place : place + _LETTERS].lower() for place in (*range(0, last, _LETTERS), last)}
    return " AND ".join('"' + part.replace('"', '""') + '"' for part in sorted(parts))


def candidates(connection: Any, parts: str) -> str | None:
    """The reports of all accounts whose addresses hold these parts, and maybe others, as a JSON list; None for more than CANDIDATES."""
    count, found = _run(connection, _CANDIDATES, parts, CANDIDATES + 1).fetchone()
    return str(found) if count <= CANDIDATES else None


def _run(connection: Any, statement: str, *values: Any) -> Any:
    if isinstance(connection, Connection):
        return connection.exec_driver_sql(statement, values)
    return connection.execute(statement, values)


def _number(connection: Any, statement: str) -> int:
    return int(_run(connection, statement).fetchone()[0])
