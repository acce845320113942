"""Tables of numbers by URL: what tools export, and what is refused with its line."""

import pytest

from findable.formats.number_tables import MAX_NUMBER, NumberTable, read_number_table
from findable.formats.table_text import TableError, decode_table

SEARCH_CONSOLE = 'Top pages,Clicks,Impressions,CTR,Position\nhttps://a.example/,"1,200",34567,3.47%,5.2\nhttps://a.example/b#x,0,12,0%,\n'
GERMAN = "Die häufigsten Seiten;Klicks;Impressionen;CTR;Position\nhttps://a.example/;1.200;34.567;3,47 %;5,2\n"
GA4 = (
    "# ----------------------------------------\n# Pages and screens\n#\n\nPage path and screen class,Views,Active users,Event name\n"
    "/,15,7,scroll\n/blog?x=1,3,,scroll\n(other),9,1,x\n"
)
AHREFS = "URL\tCurrent traffic\tValue\tCurrent top keyword\tUR\nhttps://a.example/\t812\t$1,034.5\tbread\t31\n"
LOG = "path,hits\n/a,10\n/a#b,5\na.example/c,1\n"


@pytest.mark.parametrize(
    ("text", "source", "columns", "rows"),
    [
        (
            SEARCH_CONSOLE,
            "search-console",
            ("clicks", "impressions", "ctr", "position"),
            {"https://a.example/": (1200, 34567, 3.47, 5.2), "https://a.example/b": (0, 12, 0, None)},
        ),
        (GERMAN, "search-console", ("clicks", "impressions", "ctr", "position"), {"https://a.example/": (1200, 34567, 3.47, 5.2)}),
        (GA4, "ga4", ("views", "users"), {"/": (15, 7), "/blog?x=1": (3, None)}),
        (AHREFS, "ahrefs", ("traffic", "traffic_value", "url_rating"), {"https://a.example/": (812, 1034.5, 31)}),
        (LOG, "log", ("requests",), {"/a": (15,), "https://a.example/c": (1,)}),
        ("Adresse;Meine Zahl\nhttps://a.example/;1.5\n", "upload", ("meine_zahl",), {"https://a.example/": (1.5,)}),
    ],
)
def test_exports_are_recognised(text: str, source: str, columns: tuple[str, ...], rows: dict[str, tuple[float | None, ...]]) -> None:
    found = read_number_table(text)
    assert (found.source, found.columns, found.rows) == (source, columns, rows)
    assert read_number_table(decode_table(text.encode("utf-16"))) == read_number_table(decode_table(text.encode("utf-8-sig"))) == found


def test_what_is_left_out_is_told() -> None:
    found = read_number_table(GA4)
    assert (found.ignored, found.skipped_count) == (("Event name",), 1)
    assert read_number_table(AHREFS).ignored == ("Current top keyword",)
    averages = read_number_table("url,clicks,position\nhttps://a.example/#a,1,4\nhttps://a.example/#b,2,9\n")
    assert averages == NumberTable("search-console", ("clicks", "position"), {"https://a.example/": (3, 4)}, (), 0)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "no row"),
        ("url,clicks\n", "no row"),
        ("# comment\n\nname,clicks\nbread,1\n", "Line 3: no column"),
        ("url,clicks\nhttps://a.example/,many\n", "Line 2: no column beside"),
        ("url,clicks\nhttps://a.example/,1\nhttps://a.example/b,many\n", "Line 3: “many” in clicks"),
        ("url,clicks\nhttps://a.example/,1\nhttps://a.example/b,-1\n", "Line 3: “-1” in clicks"),
        (f"url,clicks\nhttps://a.example/,1\nhttps://a.example/b,{MAX_NUMBER * 10:.0f}\n", "Line 3"),
        ('url,clicks\nhttps://a.example/,1\n"https://a.example/b,1\n', "Line 3 cannot be read"),
        (f"url,clicks\nhttps://a.example/,1\nhttps://a.example/{'b' * 20_000},1\n", "Line 3 is longer"),
        ("url,clicks\nhttps://a.example/,1\n" + "".join(f"/{number},1\n" for number in range(100_000)), "Line 100002"),
    ],
)
def test_what_cannot_be_read_names_its_line(text: str, part: str) -> None:
    with pytest.raises(TableError, match=part):
        read_number_table(text)


def test_a_file_that_is_no_text_is_refused() -> None:
    with pytest.raises(TableError, match="UTF-16"):
        decode_table(b"\x89PNG\r\n\x1a\n\xfe")
