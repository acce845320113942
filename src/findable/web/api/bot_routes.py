"""Routes of requests of bots for the pages of a project: `/projects/{project}/bot-hits`."""

from datetime import date
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from findable.service.projects import bot_hits, bot_overview
from findable.service.projects.bot_hits import BotHits, BotHitUrl
from findable.service.projects.bot_overview import BotOverview
from findable.web.api.operation import Call, Data, Items, Reply, operation
from findable.web.api.validation import value_or


class HitsQuery(Struct, frozen=True):
    """Period and bot of requests."""

    since: date | UnsetType = UNSET
    """First day. Default: 30 days before the last one."""
    until: date | UnsetType = UNSET
    """Last day. Default: the last day of the logs."""


class UrlHitsQuery(HitsQuery, frozen=True):
    """Period and bot of requests."""

    bot: Annotated[str, Meta(max_length=40)] = ""
    """Product token of a bot, such as Googlebot. Default: all."""


@operation("GET", "/projects/{project}/bots", {200: Data[BotOverview]})
def get_bots(call: Call, project: str) -> Reply:
    """Return the requests of bots in the last 30 days of the logs, joined with the crawl of the site: the figures of the page Bots."""
    return Reply(bot_overview.get(call.service, call.caller, project))


@operation("GET", "/projects/{project}/bot-hits", {200: Items[BotHits]})
def list_bot_hits(call: Call, project: str, *, query: HitsQuery) -> Reply:
    """List the requests of bots by day, bot and verification."""
    return Reply(bot_hits.days(call.service, call.caller, project, value_or(query.since), value_or(query.until)))


@operation("GET", "/projects/{project}/bot-hits/urls", {200: Items[BotHitUrl]})
def list_bot_hit_urls(call: Call, project: str, *, query: UrlHitsQuery) -> Reply:
    """List the URLs that bots requested most, at most 1,000."""
    return Reply(bot_hits.urls(call.service, call.caller, project, value_or(query.since), value_or(query.until), query.bot))
