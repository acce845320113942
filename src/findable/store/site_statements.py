"""SQL statements for site data that workers share for a limited time: first the site capture, then responses of its links."""

from sqlalchemy import delete, insert, select

from findable.store.packed_values import pack_page, unpack
from findable.store.schema.job_tables import site_answer
from findable.store.statements import Statements


class SiteRows(Statements):
    """SQL statements for shared site data, in one transaction."""

    def for_site(self, site: str, limit: int) -> list[tuple[bytes, int]]:
        """Return (data, time when it was stored) of a site, oldest first."""
        stored = select(site_answer.c.data, site_answer.c.made_at).where(site_answer.c.site == site)
        rows = self._connection.execute(stored.order_by(site_answer.c.id).limit(limit))
        return [(unpack(data), int(made_at)) for data, made_at in rows]

    def add(self, site: str, data: bytes, now: int) -> None:
        """Add data of a site."""
        self._connection.execute(insert(site_answer), {"site": site, "data": pack_page(data), "made_at": now})

    def delete(self, site: str) -> None:
        """Delete all data of a site."""
        self._connection.execute(delete(site_answer).where(site_answer.c.site == site))

    def delete_before(self, moment: int) -> None:
        """Delete data that was stored before a time."""
        self._connection.execute(delete(site_answer).where(site_answer.c.made_at < moment))
