"""Scripts of the site fail while the page loads.

Why it matters: what a failed script should have built is missing for readers, and for search engines that run scripts.

How to fix: open the console of the browser, follow file and line, and mend or remove the script.

    try { start() } catch (error) { report(error) }

Sources: Google, "Fix search-related JavaScript problems" (2025).

Not judged: errors of scripts from other sites.
"""

from findable.artifacts.browser.console import Console
from findable.checks.engine import Finding, check, passed, quoted, warned
from findable.vocabulary import Effort, Importance


@check(question="Do the site's scripts run without errors?", importance=Importance.LOW, effort=Effort.CONTENT)
def console_errors(console: Console) -> Finding:
    """Judges uncaught errors of the site's own scripts."""
    errors = console.errors
    if errors:
        return warned("{count|uncaught error|uncaught errors}", count=len(errors), evidence=[quoted(message) for message in errors])
    return passed("no uncaught error")
