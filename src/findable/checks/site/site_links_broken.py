"""Internal links lead to pages that do not exist.

In plain words: Visitors who click on some of your links get an error message.

Why it matters: Visitors get an error page, and search engines follow links in vain.

How to fix: Link to the page that replaced the missing one, or remove the link. A link in a menu or footer is changed once, for all pages
that show it.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [Google: make
links crawlable](https://developers.google.com/search/docs/crawling-indexing/links-crawlable) (2025).

Not judged: 401, 403, 407, 429 and 451, which may reject only this crawler; links that only scripts insert. The number is a lower limit if
the links of some pages could not be read, which a note lists, or if URLs of a series that seemed endless were not requested.
"""

from typing import Any

from findable.capture.crawl import CrawlSummary
from findable.capture.site_graph import CrawledLinks, LinkSource
from findable.capture.site_reach import CrawledReach
from findable.capture.site_urls import CrawledFolders, MissingFolder
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.checks.site_causes import MISSING_LINK, link_on_page, missing_page_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Verdict

SHARED_FROM = 2
"""Number of pages from which a block of these landmarks counts as shared (set by Findable)."""
SHARED_LANDMARKS = frozenset({"nav", "header", "footer", "aside"})
SHARED_SHARE = 0.01
"""Share of the pages from which any other block counts as shared, as in a template (set by Findable)."""

EXACTLY = "{broken_count|linked URL returns|linked URLs return} 4xx, of {links_count|internal link|internal links}"
AT_LEAST = "at least {broken_count|linked URL returns|linked URLs return} 4xx, of {links_count|internal link|internal links} that were read"
FOLDER = "{targets_count|linked page|linked pages} of this folder do not exist, and no page in it was found"
FOLDER_AT_LEAST = "at least {targets_count|linked page|linked pages} of this folder do not exist, and no page in it was found"
UNREAD = "The links of {found_count|page|pages} were not read, because scripts insert them or the page is too large"


@check(
    "Do internal links lead to pages that exist?",
    Importance.HIGH,
    Effort.CONTENT,
    place=EditPlace.LINKS,
    failed=180,
    warned=90,
    fixer=Fixer.EDITOR,
    loses_pages=True,
)
def site_links_broken(
    links: CrawledLinks, folders: CrawledFolders | None, reach: CrawledReach | None, summary: CrawlSummary | None
) -> Finding:
    """Checks links to 404, 410 and other 4xx, grouped by the missing folder, by a missing page in many lists, or by block."""
    missing = folders.missing if folders is not None else ()
    unread_count = reach.unread_count if reach is not None else 0
    is_lower_limit = bool(unread_count) or (summary is not None and (summary.hides_pages or not summary.is_finished))
    causes = [_folder_cause(folder, links.pages_count, is_lower_limit=is_lower_limit) for folder in missing]
    targets = [target for target in links.broken if not target.url.startswith(tuple(folder.url for folder in missing))]
    causes += missing_page_causes(
        targets,
        verdict=lambda source: Verdict.FAILED if _is_shared(source, links.pages_count) else Verdict.WARNED,
        message="{targets_count|link leads to a page that does|links lead to pages that do} not exist",
        advice="Restore {target}, redirect it to the page that took its place, or remove the links.",
    )
    if reach is not None and unread_count:
        shown = tuple(url_evidence(url) for url in reach.unread[:EVIDENCE_SHOWN])
        cause = Cause(CauseKind.GROUP, "unread", "pages whose links were not read")
        causes.append(CausedFinding(cause, Verdict.INFO, UNREAD, unread_count, shown, {"found_count": unread_count}))
    numbers: dict[str, Any] = {"broken_count": links.broken_count, "links_count": links.links_count}
    return by_cause(AT_LEAST if is_lower_limit else EXACTLY, causes, sums_up=True, **numbers)


def _folder_cause(folder: MissingFolder, pages_count: int, *, is_lower_limit: bool) -> CausedFinding:
    held = [(target.sources[0], target) for target in folder.targets if target.sources]
    is_shared = any(_is_shared(source, pages_count) for source, _ in held)
    return CausedFinding(
        Cause(CauseKind.FOLDER, folder.url, "folder {url}", {"url": folder.url}),
        Verdict.FAILED if is_shared else Verdict.WARNED,
        FOLDER_AT_LEAST if is_lower_limit else FOLDER,
        folder.pages_count,
        tuple(link_on_page(source, target, MISSING_LINK) for source, target in held),
        {"targets_count": folder.targets_count, "url": folder.url},
        "Restore {url}, redirect its pages to those that took their place, or remove the links.",
    )


def _is_shared(source: LinkSource, pages_count: int) -> bool:
    from_landmark = source.landmark in SHARED_LANDMARKS
    return source.pages_count >= (SHARED_FROM if from_landmark else max(SHARED_FROM + 1, SHARED_SHARE * pages_count))
