"""`/crawls/{id}/changes`: what changed since an earlier crawl."""

from findable.errors import NotFound
from findable.export.crawl_documents import ChangesJson, changes_json
from findable.service.crawls import crawl_changes
from findable.web.api.crawl_list_models import ChangesQuery
from findable.web.api.operation import Call, Data, Reply, operation
from findable.web.api.validation import sent_or


@operation("GET", "/crawls/{id}/changes", {200: Data[ChangesJson]}, NotFound)
def list_crawl_changes(call: Call, crawl: int, *, query: ChangesQuery) -> Reply:
    """List the changes since an earlier crawl.

    Only complete crawls of the same part of a site are compared. A page is gone if it was requested and returns 404 or 410; what one of the
    crawls did not request is not compared. All changes are in the table changes of the export.
    """
    found = crawl_changes.changes(call.service, call.caller, crawl, query.wanted())
    return Reply(changes_json(found, sent_or(query.kind), call.at.check_docs))
