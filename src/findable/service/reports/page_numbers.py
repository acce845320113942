"""Uploaded numbers of the pages that have reports, matched by URL."""

from msgspec import Struct

from findable.formats.number_tables import NumberTable
from findable.store.store_protocol import Session
from findable.urls import origin_part


class PageNumbers(Struct, frozen=True):
    """Uploaded numbers of a project, by the URL of a page."""

    places: dict[str, tuple[NumberTable, int]]
    """Table and place of each column; of equal columns that of the newest upload counts."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.places)

    def value(self, url: str, column: str) -> float | None:
        """Return the number of a page; None if it has none. Rows may have absolute URLs, or paths."""
        table, place = self.places[column]
        row = table.rows.get(url) or table.rows.get(url[len(origin_part(url)) :])
        return row[place] if row else None


def numbers_of(session: Session, project_id: int) -> PageNumbers:
    """Return the uploaded numbers of a project."""
    places: dict[str, tuple[NumberTable, int]] = {}
    for table in session.url_data.tables(project_id, [row.source for row in session.url_data.of_project(project_id)]):
        for place, name in enumerate(table.columns):
            places.setdefault(name, (table, place))
    return PageNumbers(places)
