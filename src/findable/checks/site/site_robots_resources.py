"""robots.txt disallows stylesheets and scripts for Googlebot that pages need.

In plain words: Google does not see your pages as visitors do, because it may not load parts of them.

Why it matters: Google renders pages without disallowed files. Content from a blocked script is not indexed, and without its stylesheet a
page may not appear mobile-friendly.

How to fix: Allow the files that the pages need.

    User-agent: *
    Disallow: /app/
    Allow: /app/*.css
    Allow: /app/*.js

Sources: [Google: Understand JavaScript SEO
basics](https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics) (2025): Google does not render
JavaScript from blocked files.

Not judged: Files of other hosts, as of analytics, whose robots.txt was not read. If only images and fonts are affected, the check warns.
"""

from findable.capture.site_signals import BlockedFiles, CrawledSignals
from findable.checks.causes import Cause, CausedFinding, CauseKind
from findable.checks.engine import EVIDENCE_SHOWN, Finding, by_cause, check, url_evidence
from findable.vocabulary import Effort, Importance, Verdict

_CRITICAL = "“{rule}” keeps Googlebot from stylesheets or scripts of {found_count|page|pages}"


@check("May Googlebot load the CSS and JavaScript of the site?", Importance.MEDIUM, Effort.SERVER, failed=80, warned=40)
def site_robots_resources(signals: CrawledSignals) -> Finding:
    """Checks the files of the site's own host that indexable pages need, grouped by the robots.txt line that disallows them."""
    causes = [_cause(item) for item in signals.blocked_files]
    return by_cause(
        "{rules_count|line of robots.txt disallows|lines of robots.txt disallow} files of pages", causes, rules_count=len(causes)
    )


def _cause(item: BlockedFiles) -> CausedFinding:
    cause = Cause(CauseKind.HOST, item.rule if item.is_critical else f"{item.rule} images", "robots.txt: {rule}", {"rule": item.rule})
    return CausedFinding(
        cause,
        Verdict.FAILED if item.is_critical else Verdict.WARNED,
        _CRITICAL if item.is_critical else "“{rule}” keeps Googlebot from images or other files of {found_count|page|pages}",
        item.pages.pages_count,
        tuple(url_evidence(url, None, "needed by {page}", page=item.pages.urls[0]) for url in item.files[:EVIDENCE_SHOWN]),
        {"rule": item.rule, "found_count": item.pages.pages_count, "file": item.files[0]},
        "Write “Allow: {file}” in robots.txt, or narrow “{rule}”",
    )
