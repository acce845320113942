"""Filters of the list of pages of a crawl: links, form fields, and active filters in words."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from findable.checks.engine import all_checks
from findable.crawl.extractors import Extractor
from findable.crawl.page_selection import AFTER_CRAWL, DATA, FILTERS
from findable.service.crawls import crawl_lists
from findable.service.crawls.uploaded_metrics import weight_of
from findable.service.reports.bot_metrics import BOT_HITS
from findable.web.pages.shared.form_fields import Choice
from findable.web.pages.shared.number_words import column_words
from findable.web.pages.site.crawled_page_cells import SHOWN_EXTRACTORS
from findable.wording import Translator, later

QUICK: tuple[tuple[str, Mapping[str, str]], ...] = (
    (later("All"), {}),
    (later("Indexable"), {"indexable": "1"}),
    (later("Not indexable"), {"indexable": "0"}),
    (later("Redirects"), {"status": "300..399"}),
    (later("Client errors"), {"status": "400..499"}),
    (later("Server errors"), {"status": "500..599"}),
    (later("With problems"), {"verdict": "failed"}),
    (later("Canonical elsewhere"), {"canonical": "other"}),
    (later("Not in the sitemap"), {"in_sitemap": "0", "indexable": "1"}),
)
"""Filters of crawled pages that the list offers as links."""
_REQUESTED = {"data": f"{BOT_HITS}:1..", "sort_by": "data", "sort": "desc"}
_LINKED_FIRST = {"sort_by": "inlinks", "sort": "desc"}
OF_BOTS: tuple[tuple[str, Mapping[str, str]], ...] = (
    (later("Requested by search bots"), _REQUESTED),
    (later("Never requested by Googlebot"), {"indexable": "1", "data": "google_hits:0", **_LINKED_FIRST}),
    (later("Never requested by search bots"), {"indexable": "1", "data": f"{BOT_HITS}:0", **_LINKED_FIRST}),
    (later("Requested noindex pages"), {"reason": "noindex", **_REQUESTED}),
    (later("Requested redirects"), {"status": "300..399", **_REQUESTED}),
    (later("Requested missing pages"), {"status": "404..410", **_REQUESTED}),
    (later("Requested URLs with parameters"), {"search": "?", **_REQUESTED}),
)
"""Filters with an order for crawls whose project has access logs."""
_ORDERS = {*_REQUESTED.items(), *_LINKED_FIRST.items()} - {("data", _REQUESTED["data"])}


class FilterField(Struct, frozen=True):
    """Form field of a filter: a text, or one of several choices."""

    name: str
    title: str
    value: str
    example: str = ""
    choices: tuple[Choice, ...] = ()
    is_known: bool = True
    """Whether the crawl has the values; some are known after the crawl."""


ListUrl = Callable[[Mapping[str, str]], str]
"""Function that returns the URL of the list with a query, and with the columns and language of the visit."""


def filter_words(filters: Mapping[str, str], finding: crawl_lists.FindingOfCrawl | None, say: Translator) -> str:
    """Return the active filters of the list in words."""
    words = [finding.finding.summary(say)] if finding is not None else []
    for name, value in filters.items():
        if name == "check" and value in all_checks():
            words.append(say.text(all_checks()[value].question))
        elif name == DATA:
            column, _, span = value.partition(":")
            words.append(f"{column_words(column, say)}: {span}" if span else column_words(column, say))
        elif name not in ("finding", "search"):
            words.append(f"{say.text(FILTERS[name].title)}: {say.text(FILTERS[name].words.get(value, value))}")
    return " · ".join(words)


def filter_fields(
    parameters: Mapping[str, str], segments: Sequence[str], data: Sequence[str], say: Translator, *, is_settled: bool
) -> Iterator[FilterField]:
    """Yield the fields of the filter form: text fields, then choices."""
    if data:
        yield FilterField(DATA, say.text(FILTERS[DATA].title), parameters.get(DATA, ""), f"{data[0]}:100..")
    for name, one in FILTERS.items():
        if one.example:
            is_known = is_settled or name not in AFTER_CRAWL
            example = one.example if is_known else say("after the crawl")
            yield FilterField(name, say.text(one.title), parameters.get(name, ""), example, is_known=is_known)
    choices = {name: one.words for name, one in FILTERS.items() if one.words}
    choices |= {"segment": {name: name for name in segments}} if segments else {}
    choices["check"] = {name: check.question for name, check in sorted(all_checks().items(), key=lambda item: say.text(item[1].question))}
    for name, words in choices.items():
        chosen = parameters.get(name, "")
        offered = (Choice("", say("any"), not chosen), *(Choice(value, say.text(text), value == chosen) for value, text in words.items()))
        yield FilterField(name, say.text(FILTERS[name].title), chosen, choices=offered)


def own_filters(
    segments: Sequence[str], extractors: Sequence[Extractor], columns: Collection[str], say: Translator
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield name and parameters of the filters for the project's segments, extractors, uploaded metric and requests of bots."""
    weight = weight_of(columns)
    if weight is not None and weight != BOT_HITS:
        yield say("with %(name)s", name=column_words(weight, say)), {"data": f"{weight}:1.."}
    if BOT_HITS in columns:
        yield from ((say.text(words), wanted) for words, wanted in OF_BOTS)
    yield from ((name, {"segment": name}) for name in segments)
    for extractor in extractors[:SHOWN_EXTRACTORS]:
        yield say("with %(name)s", name=extractor.name), {"has": extractor.name}
        yield say("without %(name)s", name=extractor.name), {"lacks": extractor.name}


def quick_filters(
    filters: Mapping[str, str], order: Mapping[str, str], added: Iterable[tuple[str, Mapping[str, str]]], list_url: ListUrl, say: Translator
) -> Iterator[Choice]:
    """Yield links that set a single filter, the general filters before those of the project."""
    for words, wanted in (*((say.text(words), wanted) for words, wanted in QUICK), *added):
        yield Choice("", words, filters.items() == wanted.items() - _ORDERS, list_url({**order, **wanted}))
