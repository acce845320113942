"""Pages use hosts that visitors cannot reach: localhost, private networks, staging.

In plain words: Visitors miss images or get dead links, because pages use web addresses that only your company can open.

Why it matters: Links break and images are missing for everybody outside. A canonical or hreflang link to such a host tells search engines
to index a page that they cannot load, or the staging site instead of the public one.

How to fix: Set the base URL of the site (``siteUrl``, ``WP_HOME``, ``BASE_URL``) to the public one and build again.

Sources: [RFC 6761](https://www.rfc-editor.org/rfc/rfc6761) (localhost, .test); [RFC 1918](https://www.rfc-editor.org/rfc/rfc1918) (private
addresses). This report treats hosts with a first label like ``staging`` or ``preprod`` as staging hosts.

Not judged: A site that is itself on such a host; hosts like ``dev.`` and ``test.``, which may be public; staging hosts of others. Links
whose text contains a private host, as in manuals, are a note.
"""

from findable.capture.site_signals import CrawledSignals, LeftoverHost
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.vocabulary import Effort, Importance, Verdict

MANY_PAGES = 3
"""Number of pages from which a template or the base URL is the cause, not a link that somebody wrote (set by Findable)."""
BY_HAND = "Link to the public URL instead of {host}, or remove the link."


@check("Do all URLs of the site lead to public hosts?", Importance.HIGH, Effort.HEAD, failed=200, warned=100)
def site_staging_links(signals: CrawledSignals) -> Finding:
    """Checks hosts of links, files, canonical and hreflang links: failed for private hosts and for canonical and hreflang links."""
    causes = [_cause(item) for item in signals.leftover_hosts]
    return by_cause("{hosts_count|private or staging host|private or staging hosts}", causes, hosts_count=len(causes))


def _cause(item: LeftoverHost) -> CausedFinding:
    if item.is_mentioned:
        verdict, message = Verdict.INFO, "{found_count|page mentions|pages mention} {host}, which visitors cannot reach"
    elif item.is_declared:
        verdict, message = Verdict.FAILED, "Canonical or hreflang links lead to {host}"
    elif item.is_private:
        verdict, message = Verdict.FAILED, "{found_count|page leads|pages lead} to {host}, which visitors cannot reach"
    else:
        verdict, message = Verdict.WARNED, "{found_count|page leads|pages lead} to the staging host {host}"
    evidence = tuple(url_evidence(url, None, "contains {host}", host=item.host) for url in item.pages.urls[:EVIDENCE_SHOWN])
    params = {"host": item.host, "found_count": item.pages.pages_count}
    cause = Cause(CauseKind.HOST, item.host, "host {host}", {"host": item.host})
    is_written_by_hand = not item.is_declared and item.pages.pages_count < MANY_PAGES
    return CausedFinding(cause, verdict, message, item.pages.pages_count, evidence, params, BY_HAND if is_written_by_hand else "")
