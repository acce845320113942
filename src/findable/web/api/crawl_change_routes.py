"""`/crawls/{id}/changes`: changes since an earlier crawl."""

from msgspec import structs

from findable.errors import NotFound
from findable.export.crawl_documents import ChangesJson, changes_json
from findable.service.crawls import crawl_changes
from findable.web.api.crawl_list_models import ChangesQuery
from findable.web.api.operation import Call, Detailed, Reply, operation
from findable.web.api.shape_parts import list_meta
from findable.web.list_links import list_links


@operation("GET", "/crawls/{id}/changes", {200: Detailed[ChangesJson]}, NotFound, reply_headers=("Link",))
def list_crawl_changes(call: Call, crawl: int, *, query: ChangesQuery) -> Reply:
    """List the changes since an earlier crawl.

    A crawl is compared with the last complete crawl of the same URL when it ends; a comparison with another crawl is computed at the first
    request, which takes a few seconds for a large site. Only complete crawls of the same part of a site are compared. A page is gone if it
    was requested and returns 404 or 410; pages that one of the crawls did not request are not compared. A finding has returned if it had
    been fixed and is present again.
    """
    found = crawl_changes.changes(call.service, call.caller, crawl, query.to_query())
    comparison = structs.replace(found.comparison, pages=found.page.items)
    links = list_links(found.page, call.path, call.query)
    return Reply(changes_json(comparison, call.at.check_docs), links=links, meta=list_meta(found.page, call.path))
