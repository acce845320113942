"""Columns of exported tables."""

from findable.crawl.exported_table import ExportedCrawl, table_of
from findable.crawl.extractors import Extractor
from findable.crawl.page_columns import PageRow


def names_of(*extractors: str, data: tuple[str, ...] = ()) -> list[str]:
    crawl = ExportedCrawl("1", None, tuple(Extractor(name, "h1") for name in extractors), data)
    names = [column.name for column in table_of("pages", PageRow, (), crawl).columns]
    assert len({name.lower() for name in names}) == len(names)
    return names


def test_chosen_names_of_columns_stay_unless_they_are_taken() -> None:
    assert names_of("Price", "url", data=("clicks", "title"))[-4:] == ["Price", "extracted_url", "clicks", "number_title"]


def test_name_with_a_prefix_that_is_taken_too_gets_another_prefix() -> None:
    assert names_of("extracted_url", "url", "clicks", "number_clicks", data=("clicks",))[-5:] == [
        "extracted_url",
        "extracted_extracted_url",
        "clicks",
        "number_clicks",
        "number_number_clicks",
    ]
