"""Findings of site checks on roots made by hand."""

from typing import Any

from findable.artifacts.registry import gather
from findable.capture.site_graph import LinkSource, LinkTarget
from findable.checks.engine import Finding, runnable_checks
from findable.checks.runner import run
from findable.vocabulary import Source, Subject

SITE = "https://shop.example"


def finding(check_id: str, *roots: Any) -> Finding:
    """The finding of one site check."""
    asked = tuple(item for item in runnable_checks(frozenset({Source.CRAWL, Source.SITE}), Subject.SITE) if item.id == check_id)
    (result,) = run(gather(*roots), asked)
    return result.finding


def source(
    block: str = "b1", *, pages_count: int = 1, landmark: str = "main", anchor_text: str = "Blue widgets", links_count: int = 5
) -> LinkSource:
    """A block with a link."""
    pages = tuple(f"{SITE}/from-{block}-{number}" for number in range(min(pages_count, 3)))
    return LinkSource(
        block, landmark, f"body > {landmark} > ul", links_count, anchor_text, nofollow=False, pages_count=pages_count, pages=pages
    )


def target(path: str, status: int, *sources: LinkSource, end_path: str = "", end_status: int = 0) -> LinkTarget:
    """A URL of the site that these blocks link to."""
    end_url = f"{SITE}{end_path}" if end_path else ""
    return LinkTarget(
        f"{SITE}{path}",
        status,
        end_url=end_url,
        end_status=end_status,
        inlinks_count=len(sources),
        sources=sources,
        sources_count=len(sources),
    )
