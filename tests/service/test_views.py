"""Views of rows of the database."""

from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import Struct

from findable.service.values.views import view_of
from findable.vocabulary import Privacy


class _Row(NamedTuple):
    id: int
    privacy: int
    is_open: int
    created_at: int
    ended_at: int | None
    tags_json: str | None
    name: str | None


class _View(Struct, frozen=True, kw_only=True):
    id: int
    privacy: Privacy
    is_open: bool
    created_at: datetime
    ended_at: datetime | None
    tags: tuple[str, ...] = ()
    name: str = "unnamed"
    count: int = 7
    size: int


def test_columns_are_read_as_the_types_of_the_members() -> None:
    row = _Row(1, 2, 1, 1_700_000_000, 1_700_000_001, '["a", "b"]', "x")
    at = datetime.fromtimestamp(1_700_000_000, UTC)
    found = view_of(_View, row, size=3)
    assert found == _View(
        id=1,
        privacy=Privacy.PASSWORD,
        is_open=True,
        created_at=at,
        ended_at=at.replace(second=at.second + 1),
        tags=("a", "b"),
        name="x",
        size=3,
    )


def test_null_is_none_or_the_default_and_own_members_win() -> None:
    found = view_of(_View, _Row(1, 0, 0, 0, None, None, None), size=3, is_open=True)
    assert (found.ended_at, found.tags, found.name, found.count, found.is_open) == (None, (), "unnamed", 7, True)
