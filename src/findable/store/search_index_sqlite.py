"""Trigram index (FTS5) with which SQLite finds part of a URL without scanning all URLs.

It contains ids of reports and no text, so matches must be verified. Triggers record each change of a URL in a table, which is cheap;
changes are moved into the index later, many at once, and until then the recorded reports are candidates too. If a trigger is missing, the
index counts as missing, for example after a Python without FTS5 wrote to the database. Backups omit it: `restore` rebuilds it.

Functions accept a connection of SQLAlchemy or of the SQLite driver.
"""

from typing import Any

from sqlalchemy import Connection

CANDIDATES = 20_000
"""Maximum number of candidates. If there are more, a scan of the URLs soon finds enough matches."""
FEW = 20_000
"""Number of URLs that can be scanned within milliseconds for any search text."""
INDEXED_AT_ONCE = 200
"""Number of changes that one transaction moves into the index."""
SEARCHED = "report_url_"
"""Prefix of the names of all its tables."""
_LETTERS = 3

_TRIGGERS = {
    "report_url_added": """AFTER INSERT ON report
        BEGIN INSERT INTO report_url_changed VALUES (NULL, new.id, NULL, new.url); END""",
    "report_url_removed": """AFTER DELETE ON report
        BEGIN INSERT INTO report_url_changed VALUES (NULL, old.id, old.url, NULL); END""",
    "report_url_replaced": """AFTER UPDATE OF url ON report WHEN old.url <> new.url
        BEGIN INSERT INTO report_url_changed VALUES (NULL, new.id, old.url, new.url); END""",
}
# Contains only ids of reports: no text, positions or lengths.
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
    """Return whether the search index exists with all its triggers."""
    return _number(connection, _KEPT) == len(_TRIGGERS)


def make_search_index(connection: Any, *, rebuild: bool = False) -> None:
    """Create the search index if it is missing, or rebuild it (ten seconds per million reports), if this SQLite has FTS5."""
    if (rebuild or not has_search_index(connection)) and _number(connection, _OFFERED):
        drop_search_index(connection)
        for statement in _MADE:
            _run(connection, statement)


def drop_search_index(connection: Any) -> None:
    """Remove the search index with its table of changes and its triggers."""
    for statement in _DROPPED:
        _run(connection, statement)


def has_triggers_without_index(connection: Any) -> bool:
    """Return whether triggers record changes that this SQLite cannot index."""
    return has_search_index(connection) and not _number(connection, _OFFERED)


def drop_triggers_without_index(connection: Any) -> None:
    """Remove the triggers if this SQLite cannot index the recorded changes."""
    if has_triggers_without_index(connection):
        for name in _TRIGGERS:
            _run(connection, f"DROP TRIGGER {name}")


def index_changes(connection: Any) -> bool:
    """Move some recorded changes into the search index; return whether there may be more."""
    if not has_search_index(connection):
        return False
    changes = _run(connection, _CHANGES, INDEXED_AT_ONCE).fetchall()
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
    return len(changes) == INDEXED_AT_ONCE


def parts_of(search: str) -> str:
    """Return the FTS5 query for URLs that contain a text; empty if the text is too short or not ASCII."""
    if len(search) < _LETTERS or not search.isascii() or "\0" in search:
        return ""
    last = len(search) - _LETTERS
    parts = {search[place : place + _LETTERS].lower() for place in (*range(0, last, _LETTERS), last)}
    return " AND ".join('"' + part.replace('"', '""') + '"' for part in sorted(parts))


def candidates(connection: Any, parts: str) -> str | None:
    """Return the ids (JSON list) of all reports whose URLs contain these parts, and possibly of further reports.

    Returns None if there are more than CANDIDATES.
    """
    count, found = _run(connection, _CANDIDATES, parts, CANDIDATES + 1).fetchone()
    return str(found) if count <= CANDIDATES else None


def _run(connection: Any, statement: str, *values: Any) -> Any:
    if isinstance(connection, Connection):
        return connection.exec_driver_sql(statement, values)
    return connection.execute(statement, values)


def _number(connection: Any, statement: str) -> int:
    return int(_run(connection, statement).fetchone()[0])
