"""Templates to text."""

import pytest

from findable.reports.messages import format_bytes, render


@pytest.mark.parametrize(
    ("template", "params", "expected"),
    [
        ("plain", {}, "plain"),
        ("{count|link|links} broken", {"count": 1}, "1 link broken"),
        ("{count|link|links} broken", {"count": 3}, "3 links broken"),
        ("weighs {size_bytes}", {"size_bytes": 14_300}, "weighs 14.3 kB"),
        ("took {wait_ms}", {"wait_ms": 1234.4}, "took 1,234 ms"),
        ("{width_px}", {"width_px": 492.2}, "492 px"),
        ("{share_percent}", {"share_percent": 12.5}, "12.5 %"),
        ("{ttl_s}", {"ttl_s": 60}, "60 s"),
        ("{names}", {"names": ["a", "b"]}, "a, b"),
        ("{flag}", {"flag": True}, "yes"),
        ("{missing}", {}, "{missing}"),
        ("{text}", {"text": "{count}"}, "{count}"),
        ("{{not}} a field", {}, "{{not}} a field"),
    ],
)
def test_render(template: str, params: dict[str, object], expected: str) -> None:
    assert render(template, params) == expected


@pytest.mark.parametrize(("size", "expected"), [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1_200_000, "1.2 MB"), (3_000_000_000, "3 GB")])
def test_format_bytes(size: int, expected: str) -> None:
    assert format_bytes(size) == expected


def test_long_values_are_cut() -> None:
    assert len(render("{text}", {"text": "x" * 10_000})) == 300
