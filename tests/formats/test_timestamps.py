"""Times as captures have them."""

from datetime import UTC, datetime

import pytest

from findable.formats.timestamps import moment


def test_a_time_is_read_in_utc() -> None:
    assert moment("2026-11-21T10:00:04Z") == datetime(2026, 11, 21, 10, 0, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-11-21",
        "2026-11-21T10:00:04",
        "2026-11-21T10:00:04+02:00",
        "2026-13-21T10:00:04Z",
        "2026-11-21 10:00:04Z",
        "2026-11-21T10:00:04Z\n",
    ],
)
def test_nothing_else_is_a_time(text: str) -> None:
    with pytest.raises(ValueError):
        moment(text)
