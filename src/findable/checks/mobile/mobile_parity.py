"""Phones get a different page than desktops.

In plain words: Google misses content, because the page shows less on a phone than on a computer.

Why it matters: Google indexes the mobile version. Text, title or robots rules that only desktops get do not count.

How to fix: Serve one HTML to everybody and let the stylesheet adapt it; if versions are served separately, give both the same content and
the same metadata.

    @media (min-width: 60em) { .columns { display: grid } }

Sources: [Google: Mobile-first indexing best
practices](https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing) (2025).

Not judged: pages that robots.txt disallows or that are larger than a megabyte, which are not requested a second time; a mobile version that
is rejected or incomplete; changes by scripts in a browser. The request uses a phone's user agent followed by the name of this tool, so
a server that uses other signals than the user agent is not detected.
"""

from findable.artifacts.page.canonical import Canonical, comparable
from findable.artifacts.page.sent_page import SentPage
from findable.artifacts.responses.phone import Phone
from findable.artifacts.responses.probed_page import GOOGLE
from findable.checks.engine import Evidence, Finding, check, failed, passed, quoted, url_evidence, warned
from findable.vocabulary import Effort, Importance

PASS_SHARE = 0.90
WARN_SHARE = 0.60
"""Shares of the page's words in the phone version: passes from the first, fails below the second (set by Findable)."""


@check("Do phones get the same page?", Importance.MEDIUM, Effort.CONTENT, failed=150, warned=60)
def mobile_parity(phone: Phone, sent_page: SentPage) -> Finding:
    """Compares words, title, canonical URL and noindex of the two versions."""
    percent = round(phone.shared_share * 100)
    url, status = phone.page.response.final_url, phone.page.response.status
    differences = _differences(phone, sent_page)
    shown = [url_evidence(url, status, "response to a phone: {shared_percent} of the words", shared_percent=percent), *differences]
    if (phone.page.noindex is None) != (sent_page.directives.noindex(GOOGLE) is None):
        return failed("Phones and desktops get different robots rules", evidence=shown)
    if phone.shared_share < WARN_SHARE:
        return failed(
            "Phones get {shared_percent} of the words, less than {limit_percent}",
            shared_percent=percent,
            limit_percent=round(100 * WARN_SHARE),
            evidence=shown,
        )
    if phone.shared_share < PASS_SHARE or differences:
        return warned(
            "Phones get {shared_percent} of the words ({limit_percent} is enough), or another title or canonical URL",
            shared_percent=percent,
            limit_percent=round(100 * PASS_SHARE),
            evidence=shown,
        )
    return passed("Phones get {shared_percent} of the words, the same title and canonical URL", shared_percent=percent, evidence=shown)


def _differences(phone: Phone, sent_page: SentPage) -> list[Evidence]:
    found: list[Evidence] = []
    title = phone.page.head.title if phone.page.head else ""
    if title != sent_page.head.title:
        found.append(quoted(title, "the title for phones; desktops get “{title}”", title=sent_page.head.title))
    theirs, ours = _canonical_url(phone.page.canonical), _canonical_url(sent_page.canonical)
    if theirs != ours:
        found.append(quoted(theirs, "the canonical URL for phones; desktops get {url}", url=ours))
    hidden, shown = phone.page.noindex, sent_page.directives.noindex(GOOGLE)
    if (hidden is None) != (shown is None):
        found.append(quoted("noindex", "only phones get it" if hidden else "only desktops get it"))
    return found


def _canonical_url(canonical: Canonical | None) -> str:
    """Return the canonical URL of a version, or else its final URL.

    A separate mobile URL should declare the desktop URL as canonical; otherwise it is another page.
    """
    return comparable(canonical.target or canonical.page_url) if canonical else ""
