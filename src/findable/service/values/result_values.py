"""Members that reports and crawls have in common."""

from msgspec import Struct

from findable.export.report_json import Points
from findable.values import DateTime
from findable.vocabulary import Rating


class ResultMembers(Struct, frozen=True, kw_only=True):
    """Members of a report or crawl in the API that its owner sees in the same form."""

    id: int
    public_id: str
    project: str
    url: str
    """Requested URL; that of a crawl has the scheme that responded if none was typed."""
    result: Rating | None = None
    score: Points | None = None
    coverage: float | None = None
    """Share of the applicable checks of a page that could be measured, by weight; for a crawl the requested share of the found URLs."""
    has_password: bool
    created_at: DateTime
    updated_at: DateTime
