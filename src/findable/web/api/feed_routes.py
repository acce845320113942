"""Routes of feeds: `/feeds`."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.service.delivery import feeds
from findable.service.delivery.feeds import MAX_NAME_CHARS, Feed
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.shape_parts import Deleted
from findable.web.api.validation import value_or


class FeedCreate(Struct, frozen=True):
    """Name and content of a new feed."""

    name: Annotated[str, Meta(max_length=MAX_NAME_CHARS)] = ""
    """Title of the feed."""
    project: str = ""
    """Name or number of a project. Default: everything that you may see."""
    view: int | UnsetType = UNSET
    """Number of a saved view that the feed lists. Default: alerts. A view of pages needs a project."""


class FeedDeleted(Deleted[Literal["feed"]], frozen=True, kw_only=True):
    """Deleted feed."""


@operation("POST", "/feeds", {201: Data[Feed]}, example={"name": "Alerts", "project": "example.com"})
def create_feed(call: Call, *, body: FeedCreate) -> Reply:
    """Create a feed.

    Only this response contains its secret URL. The URL needs no key and shows what you may see, up to 60 times a minute: alerts as Atom, or
    with a view its list. With the ending `.csv` or `.json` it returns a table for spreadsheets and dashboards: the list of the view, else
    the reports of the project, else the projects; at most 1,000 rows.
    """
    view = feeds.create(call.service, call.caller, body.name, body.project, value_or(body.view))
    return call.write_reply(Reply(view, 201), view.id)


@operation("GET", "/feeds", {200: Items[Feed]})
def list_feeds(call: Call) -> Reply:
    """List feeds.

    Returns your feeds; for owners, all feeds of the account.
    """
    return Reply(feeds.find(call.service, call.caller))


@operation("DELETE", "/feeds/{id}", {200: Data[FeedDeleted]})
def delete_feed(call: Call, feed_id: int) -> Reply:
    """Delete a feed.

    Its URL stops working immediately.
    """
    feeds.delete(call.service, call.caller, feed_id)
    return call.write_reply(Reply(FeedDeleted(id=feed_id, object="feed")), feed_id)
