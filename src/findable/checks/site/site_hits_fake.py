"""Programs pretend to be bots of search engines.

In plain words: Programs visit your site under the false name of a search engine.

Why it matters: They read the site under a name that is often let through, and their requests distort statistics that look at user agents
only.

How to fix: Nothing, if they do not harm. Block them by network: allow a bot only from the IP addresses that its operator publishes.

Sources: [Google: verify requests of Google crawlers](https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests)
(2025).

Not judged: Bots whose operator publishes no IP addresses; lists of IP addresses that are older than 30 days.
"""

from findable.capture.site_hits import SiteHits
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import Finding, by_cause, check
from findable.vocabulary import Effort, Importance, Stage, Verdict


@check("Do other programs pretend to be bots?", Importance.INFO, Effort.SERVER, status=Stage.PREVIEW)
def site_hits_fake(hits: SiteHits) -> Finding:
    """Counts requests of programs that claim to be a bot, by bot."""
    fakes = [one for one in hits.bots if one.verification == "fake"]
    message = "{hits_count|request|requests} of programs that claim to be {bot}"
    causes = [
        CausedFinding(
            Cause(CauseKind.GROUP, one.bot, "{bot}", {"bot": one.bot}),
            Verdict.INFO,
            message,
            one.urls_count,
            (),
            {"bot": one.bot, "hits_count": one.hits_count},
        )
        for one in fakes
    ]
    return by_cause("no program claims to be a bot from another network", causes)
