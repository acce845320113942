"""Phones get another page than desktops.

Why it matters: Google indexes what it gets as a phone. Text, title or robots rules that only desktops get do not count.

How to fix: serve one HTML to everybody and let the style sheet adapt it; if versions are served apart, give both the same content
and the same metadata.

    @media (min-width: 60em) { .columns { display: grid } }

Sources: Google, "Mobile-first indexing best practices" (2025).

Not judged: pages that were not asked with a phone's user agent, and what scripts change in a browser. A phone version that was
cut off is compared as far as it goes.
"""

from findable.artifacts.head import Head
from findable.artifacts.phone import Phone
from findable.artifacts.probed import GOOGLE
from findable.artifacts.robots_directives import RobotsDirectives
from findable.checks.engine import Evidence, Finding, address, check, failed, passed, quoted, warned
from findable.vocabulary import Effort, Importance

PASS_SHARE = 0.90
WARN_SHARE = 0.60
"""Shares of the page's words that the phone's version has too (ours)."""


@check(question="Do phones get the same page?", importance=Importance.MEDIUM, effort=Effort.CONTENT)
def mobile_parity(phone: Phone, head: Head, robots_directives: RobotsDirectives) -> Finding:
    """Judges words, title and noindex of the two versions."""
    percent = round(phone.shared_share * 100)
    url, status = phone.page.answer.final_url, phone.page.answer.status
    differences = _differences(phone, head, robots_directives)
    shown = [address(url, status, "what a phone gets: {shared_percent} of the words", shared_percent=percent), *differences]
    if (phone.page.noindex is None) != (robots_directives.noindex(GOOGLE) is None):
        return failed("phones and desktops get different robots rules", evidence=shown)
    if phone.shared_share < WARN_SHARE:
        return failed("phones get {shared_percent} of the words", shared_percent=percent, evidence=shown)
    if phone.shared_share < PASS_SHARE or differences:
        return warned("phones get {shared_percent} of the words, or another title", shared_percent=percent, evidence=shown)
    return passed("phones get {shared_percent} of the words and the same title", shared_percent=percent, evidence=shown)


def _differences(phone: Phone, head: Head, robots_directives: RobotsDirectives) -> list[Evidence]:
    found: list[Evidence] = []
    title = phone.page.head.title if phone.page.head else ""
    if title != head.title:
        found.append(quoted(title, "the title for phones; desktops get “{title}”", title=head.title))
    hidden, shown = phone.page.noindex, robots_directives.noindex(GOOGLE)
    if (hidden is None) != (shown is None):
        found.append(quoted("noindex", "only phones get it" if hidden else "only desktops get it"))
    return found
