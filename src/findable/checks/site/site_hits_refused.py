"""The server refuses search bots that are genuine.

In plain words: Your server turns Google or another search engine away, so pages disappear from its results.

Why it matters: A firewall or bot protection that responds to Googlebot with 403 removes pages from search: Google treats 401 and 403 like
missing pages, and requests fewer pages after 429.

How to fix: Allow verified bots in the firewall or CDN by their published IP addresses, not by their user agents.

Sources: [Google: HTTP status codes](https://developers.google.com/search/docs/crawling-indexing/http-network-errors) (2025); [Google:
verify requests of Google crawlers](https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests) (2025).

Not judged: URLs that refuse the crawl too; fewer than 20 refused requests of a bot, or less than 5 % of its requests; bots that are not
verified.
"""

from collections.abc import Sequence

from findable.artifacts.tables.bot_names import BOTS_BY_TOKEN
from findable.artifacts.tables.bots import BotPurpose
from findable.capture.site_hits import BotTotal, HitUrl, SiteHits
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check
from findable.checks.hit_causes import held_back, hit_evidence
from findable.vocabulary import Effort, Importance, Stage, Verdict

MIN_HITS = 20
MIN_SHARE = 0.05
"""Share of a bot's requests from which it is refused (set by Findable)."""


@check("Do genuine search bots get the pages that visitors get?", Importance.HIGH, Effort.SERVER, status=Stage.PREVIEW, costs={})
def site_hits_refused(hits: SiteHits) -> Finding:
    """Fails for each bot that is refused URLs which the crawl loaded; warns about bots of AI search."""
    held = held_back(hits)
    if held is not None:
        return held
    causes = []
    for bot in hits.bots:
        items = [one for one in hits.refused.items if one.bot == bot.bot]
        count = sum(one.hits_count for one in items)
        if bot.verification == "verified" and count >= max(MIN_HITS, MIN_SHARE * bot.hits_count):
            causes.append(_cause(bot, items, count))
    return by_cause("no genuine search bot is refused pages that the crawl loaded", causes)


def _cause(bot: BotTotal, items: Sequence[HitUrl], count: int) -> CausedFinding:
    params = {"bot": bot.bot, "hits_count": count, "of_count": bot.hits_count}
    evidence = tuple(map(hit_evidence, items[:EVIDENCE_SHOWN]))
    verdict = Verdict.WARNED if BOTS_BY_TOKEN[bot.bot].purpose is BotPurpose.AI_SEARCH else Verdict.FAILED
    message = "{bot} was refused {hits_count} of {of_count} requests, for pages that the crawl loaded"
    return CausedFinding(Cause(CauseKind.HOST, bot.bot, "{bot}", {"bot": bot.bot}), verdict, message, len(items), evidence, params)
