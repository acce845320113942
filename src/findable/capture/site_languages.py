"""Facts about the language versions that the pages of a crawled site declare for each other."""

from msgspec import Struct

from findable.capture.crawl import Reason
from findable.capture.root import crawl_root
from findable.wording import later

ANY = "*"
"""Code for several languages."""


class LanguageFault(Struct, frozen=True):
    """Fault of language versions that has one cause."""

    source: str
    """Code of the declaring pages; ANY for several."""
    target: str
    """Code of the declared versions; ANY for several."""
    folder: str
    """Folder of most pages to change, like ``/fr/*``; empty for none."""
    pages_count: int
    """Number of pages to change."""
    pairs: tuple[tuple[str, str, str], ...]
    """First pairs: (URL of the page to change, URL of the other page, code)."""
    reason: Reason = Reason.NONE
    """Reason why the versions are not indexable."""
    status: int = 0


@crawl_root
class CrawledLanguages(Struct, frozen=True):
    """Language versions of the site, from the hreflang links of its indexable pages. Lists begin with the faults on the most pages."""

    pages_count: int
    """Number of indexable pages that declare language versions."""
    unknown_count: int = 0
    """Number of declared versions without a known response: outside the crawl, or refused."""
    no_return: tuple[LanguageFault, ...] = ()
    """Versions without a return link to the page."""
    bad_targets: tuple[LanguageFault, ...] = ()
    """Versions that are not indexable."""
    conflicts: tuple[LanguageFault, ...] = ()
    """Pages that are declared as versions in two languages."""

    @property
    def inapplicable_reason(self) -> str:
        """Reason why checks of the language versions do not apply; empty if they do."""
        return "" if self.pages_count else later("No page of the site declares language versions")
