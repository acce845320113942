"""Query parameters that create duplicates."""

from collections.abc import Iterable, Sequence

from findable.capture.site_urls import Parameter
from findable.crawl.site.parameters import VALUES_FROM, ParameterPage, multiplying_parameters
from findable.crawl.url_keys import url_key

SITE = "https://shop.example"
SHOES = ParameterPage(1, f"{SITE}/shoes", text=7, plain_text=8, title=9)


def parameters_of(pages: Sequence[ParameterPage], *fetched: ParameterPage) -> tuple[Parameter, ...]:
    by_key = {url_key(page.url): page for page in fetched}

    def pages_at(urls: Iterable[str]) -> dict[int, ParameterPage]:
        return {key: by_key[key] for key in map(url_key, urls) if key in by_key}

    return multiplying_parameters([pages[:10], pages[10:]], pages_at, lambda _number: None)


def pages_with(query: str, count: int = VALUES_FROM, **values: int) -> list[ParameterPage]:
    made = {"text": 7, "plain_text": 8, "title": 9, **values}
    return [ParameterPage(10 + number, f"{SITE}/shoes?{query}={number}", **made) for number in range(count)]


def test_a_parameter_that_changes_the_page_creates_no_duplicates() -> None:
    products = [ParameterPage(number, f"{SITE}/shoes?id={number}", text=number, plain_text=8, title=9) for number in range(10, 90)]

    assert parameters_of(products, SHOES) == ()
    assert parameters_of(pages_with("id", text=0, title=3), ParameterPage(1, SHOES.url, 0, 8, 9)) == ()


def test_a_parameter_with_few_values_is_not_reported() -> None:
    assert parameters_of(pages_with("sort", VALUES_FROM - 1), SHOES) == ()


def test_pages_are_compared_with_the_page_without_the_parameter_or_with_the_first() -> None:
    (parameter,) = parameters_of(pages_with("from"), SHOES)
    (without_base,) = parameters_of(pages_with("from"))

    assert (parameter.name, parameter.pages_count, parameter.same_count) == ("from", VALUES_FROM, VALUES_FROM)
    assert without_base.same_count == VALUES_FROM - 1


def test_a_nearly_equal_text_counts() -> None:
    shoes = ParameterPage(1, SHOES.url, text=3, plain_text=8, title=9, similar=4)

    assert parameters_of(pages_with("from", similar=4), shoes)[0].same_count == VALUES_FROM
    assert parameters_of(pages_with("from", similar=5), shoes) == ()
