"""robots.txt has lines that do not have the intended effect.

In plain words: Google ignores some of your rules about what it may read, because they are written wrongly.

Why it matters: A rule in front of the first User-agent line, or with a path that begins with neither / nor *, is ignored. URLs that should
be disallowed are crawled without notice.

How to fix: Correct these lines. Paths begin with a slash, sitemaps are absolute URLs, noindex belongs in the page.

    User-agent: *
    Disallow: /private/
    Sitemap: https://www.example.com/sitemap.xml

Sources: [RFC 9309](https://www.rfc-editor.org/rfc/rfc9309); [Google: How Google interprets the robots.txt
specification](https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt) (2025).

Not judged: directives that Google ignores (Crawl-delay, Content-Signal, License, Host …): others read them, and they do no harm.
"""

from findable.artifacts.site.robots import Robots, RobotsState
from findable.checks.engine import Evidence, Finding, check, inapplicable, passed, quoted, warned
from findable.formats.robots_txt import INFORMATIVE, ProblemLine
from findable.vocabulary import Effort, Importance


@check("Are all lines of robots.txt valid?", Importance.LOW, Effort.SERVER, warned=10, depends_on=("robots-txt-reachable",))
def robots_txt_valid(robots: Robots) -> Finding:
    """Lists lines of robots.txt that crawlers do not understand."""
    if robots.state is not RobotsState.READ:
        return inapplicable("There is no robots.txt")
    if robots.is_markup:
        return inapplicable("robots.txt is an HTML page")
    rules = robots.rules
    odd = [problem for problem in rules.problems if problem.kind not in INFORMATIVE]
    ignored = sum(1 for problem in rules.problems if problem.kind in INFORMATIVE)
    if odd:
        return warned(
            "{count|line of robots.txt is|lines of robots.txt are} not read as intended",
            evidence=[_evidence(robots, item) for item in odd],
        )
    return passed(
        "{lines_count|line|lines}, {rules_count|rule|rules}, {ignored_count} that Google ignores",
        lines_count=rules.lines_count,
        rules_count=rules.rules_count,
        ignored_count=ignored,
    )


def _evidence(robots: Robots, problem: ProblemLine) -> Evidence:
    return quoted(problem.text, problem.kind.words, line=problem.line or None, url=robots.response.url, kind="robots_txt")
