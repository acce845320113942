"""Scripts of the site fail while the page loads.

In plain words: Parts of the page may not work for visitors, because one of its programs stops with an error.

Why it matters: Content from a failed script is missing for readers, and for search engines that run scripts.

How to fix: Open the console of the browser, follow file and line, and fix or remove the script.

    try { start() } catch (error) { report(error) }

Sources: [Google: Fix search-related JavaScript
problems](https://developers.google.com/search/docs/crawling-indexing/javascript/fix-search-javascript) (2025).

Not judged: errors of scripts from other sites, and errors of a visit that did not load all hosts.
"""

from findable.artifacts.browser.console import Console
from findable.checks.engine import Finding, check, passed, quoted, warned
from findable.vocabulary import Effort, Importance


@check("Do the site's scripts run without errors?", Importance.LOW, Effort.CONTENT, failed=10, warned=5)
def console_errors(console: Console) -> Finding:
    """Reports uncaught errors of the site's own scripts."""
    errors = console.errors
    if errors:
        return warned("{count|uncaught error|uncaught errors}", evidence=[quoted(message) for message in errors])
    return passed("No uncaught error")
