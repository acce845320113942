"""Pages of a settled crawl with the highest link score."""

from sqlalchemy import Connection, select

from findable.capture.status_classes import OK
from findable.store.crawl_schema import PAGE, SETTLED, URL

TOP_PAGES = 20


def top_pages(connection: Connection) -> tuple[str, ...]:
    """Return the URLs of some pages with the highest link score, the highest first."""
    statement = (
        select(URL.c.url)
        .join(PAGE, PAGE.c.id == URL.c.id)
        .join(SETTLED, SETTLED.c.id == URL.c.id)
        .where(PAGE.c.status == OK)
        .order_by(SETTLED.c.link_score.desc(), URL.c.id)
        .limit(TOP_PAGES)
    )
    return tuple(connection.execute(statement).scalars())
