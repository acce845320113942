"""What sites answered, shared between workers for a while: the capture of a site first, then answers of its links."""

from sqlalchemy import Connection, bindparam, delete, insert, select

from findable.store.packed_values import pack_page, unpack
from findable.store.schema import site_answer

_OF_SITE = (
    select(site_answer.c.data, site_answer.c.made_at)
    .where(site_answer.c.site == bindparam("of"))
    .order_by(site_answer.c.id)
    .limit(bindparam("limit"))
)


class Sites:
    """The statements about them, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of(self, site: str, limit: int) -> list[tuple[bytes, int]]:
        """(what was kept, when) of a site, the first first."""
        rows = self._connection.execute(_OF_SITE, {"of": site, "limit": limit})
        return [(unpack(data), int(made_at)) for data, made_at in rows]

    def add(self, site: str, data: bytes, now: int) -> None:
        """Keeps one more."""
        self._connection.execute(insert(site_answer), {"site": site, "data": pack_page(data), "made_at": now})

    def forget(self, site: str) -> None:
        """All of a site."""
        self._connection.execute(delete(site_answer).where(site_answer.c.site == site))

    def forget_before(self, moment: int) -> None:
        """All that is older."""
        self._connection.execute(delete(site_answer).where(site_answer.c.made_at < moment))
