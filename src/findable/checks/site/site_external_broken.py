"""Links to other sites lead to an error.

In plain words: Visitors who click on some links to other sites get an error message.

Why it matters: Dead links disappoint readers, and a site full of them looks abandoned. Search engines do not penalise it.

How to fix: Update the link, link to an archived copy, or remove it. A link in a menu or footer is changed once, for all pages that show it.

    <a href="https://www.example.org/new-address">The study</a>

Sources: [RFC 9110, section 15.5.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5) (404 Not Found) and [RFC 9110, section
15.5.11](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.11) (410 Gone). No search engine requires it: readers benefit.

Not judged: Links of a crawl without the option for them (`--external`); URLs that refuse this crawler (401, 403, 429, 999) or that their
robots.txt disallows; server errors, bot challenges and time-outs; host names of private networks and of examples. No host counts as missing
if no other host responded.
"""

from findable.capture.site_resources import CrawledExternal, MissingHost
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, inapplicable, unknown
from findable.checks.site_causes import link_on_page, missing_page_causes
from findable.vocabulary import EditPlace, Effort, Fixer, Importance, Stage, Verdict


@check("Do links to other sites work?", Importance.LOW, Effort.CONTENT, place=EditPlace.LINKS, fixer=Fixer.EDITOR, status=Stage.PREVIEW)
def site_external_broken(external: CrawledExternal) -> Finding:
    """Warns about links to URLs with 404 or 410 and to hosts that no longer exist, grouped by host, missing page or block."""
    asked = external.requested
    if not asked.found_count:
        return inapplicable("The site links to no other site")
    if not external.is_requested:
        return unknown("Not checked: this crawl does not request links to other sites")
    if not asked.known_count:
        return unknown("Not known: {found_count|link|links} to other sites, no response is conclusive", found_count=asked.found_count)
    causes = [_host_cause(host) for host in external.hosts]
    causes += missing_page_causes(
        external.missing,
        verdict=lambda _: Verdict.WARNED,
        message="{targets_count|link leads|links lead} to pages of other sites that do not exist",
        advice="Update the links to {target}, or remove them.",
    )
    return by_cause(
        "{known_count} of {found_count|link|links} to other sites checked, {missing_count} broken",
        causes,
        sums_up=True,
        known_count=asked.known_count,
        found_count=asked.found_count,
        missing_count=external.missing_count + sum(host.targets_count for host in external.hosts),
    )


def _host_cause(missing: MissingHost) -> CausedFinding:
    evidence = tuple(link_on_page(target.sources[0], target) for target in missing.targets if target.sources)
    return CausedFinding(
        Cause(CauseKind.HOST, missing.host, "host {host}", {"host": missing.host}),
        Verdict.WARNED,
        "{targets_count|link leads|links lead} to the host {host}, which does not exist",
        missing.pages.pages_count,
        evidence[:EVIDENCE_SHOWN],
        {"host": missing.host, "targets_count": missing.targets_count},
    )
