"""Run a crawl without checks for bench_crawl: `findable crawl` whose analysis only reads title, description, h1 and links."""

from collections.abc import Sequence

from findable import crawler
from findable.artifacts.html.document import Document
from findable.artifacts.page.head import Head
from findable.artifacts.page.headings import Headings
from findable.artifacts.page.links import Links
from findable.artifacts.registry import gather
from findable.capture.page import PageCapture
from findable.capture.response import Response
from findable.cli.main import main
from findable.crawl.blocks import blocks_of
from findable.crawl.extractors import Extractor
from findable.crawl.record import PageRecord, ReadPage
from findable.fetch.single_fetch import SingleFetch


def read_links(_site: bytes, singles: Sequence[tuple[str, SingleFetch]], _extractors: Sequence[Extractor] = ()) -> list[ReadPage]:
    """Return the records of responses, instead of `crawler.read_pages`. Runs in an analysis process."""
    return [ReadPage(PageRecord(url, 0)) if single.response is None else links_of(single.response) for url, single in singles]


def links_of(response: Response) -> ReadPage:
    """Return the values that the spider of bench_crawl reads from a page."""
    artifacts = gather(PageCapture("", response))
    links, document = artifacts.get_or_none(Links), artifacts.get_or_none(Document)
    head, headings = artifacts.get_or_none(Head), artifacts.get_or_none(Headings)
    record = PageRecord(
        response.final_url,
        response.status,
        title=(head.title or "") if head else "",
        description=(head.description or "") if head else "",
        h1=headings.main_text if headings else "",
    )
    return ReadPage(record, blocks_of(links, document) if links is not None and document is not None else ())


def crawl() -> None:
    """Run the command line with this analysis."""
    crawler.read_pages = read_links
    main()
