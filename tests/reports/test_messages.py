"""Templates to text."""

import pytest

from findable.checks.engine import all_checks
from findable.reports.messages import format_bytes, render
from findable.vocabulary import name_values
from findable.wording import wording


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


@pytest.mark.parametrize(
    ("template", "params", "english", "german"),
    [
        (
            "{reason}",
            {"reason": "robots_txt"},
            "not fetched: robots.txt disallows it",
            "nicht abgerufen: robots.txt verbietet es",
        ),
        ("{reason}", {"reason": "status", "status": 404}, "returned 404", "lieferte 404"),
        ("{kinds}", {"kinds": ["links", "fields"], "links_count": 2, "fields_count": 1}, "2 links, 1 field", "2 Links, 1 Feld"),
        ("{language}", {"language": "sv"}, "Swedish", "Schwedisch"),
        ("{agents}", {"agents": ["Googlebot", "others"]}, "Googlebot, all others", "Googlebot, alle anderen"),
        ("{reason}", {"reason": "what a page says"}, "what a page says", "what a page says"),
    ],
)
def test_codes_are_shown_in_words(template: str, params: dict[str, object], english: str, german: str) -> None:
    assert all_checks()
    assert (render(template, params), render(template, params, wording("de"))) == (english, german)


def test_one_code_has_one_meaning_under_a_name() -> None:
    with pytest.raises(ValueError, match="robots_txt of reason"):
        name_values(("reason",), {"robots_txt": "something else"}, __name__)


def test_long_values_are_cut() -> None:
    assert len(render("{text}", {"text": "x" * 10_000})) == 300
