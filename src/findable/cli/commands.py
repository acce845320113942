"""Commands of `findable`, each with the module that is imported when it is called."""

from typing import Any

from cyclopts import App, Parameter

from findable import __version__

_AUDIT_CODES = (
    "Exit codes: 0 fine; 1 a page did not pass; 2 the command or a setting is wrong; 3 a page could not be loaded; 70 a bug in Findable."
)
_CRAWL_CODES = (
    "Exit codes: 0 fine; 1 the site did not pass; 2 the command or a setting is wrong; 3 the crawl is not complete, unless it ended at a "
    "chosen limit; 70 a bug in Findable."
)


def _help_default(default: Any) -> str | None:
    """Return the default value that the help of an option shows; None to show none."""
    return None if default in (None, (), "", False) else str(default)


app = App(
    name="findable",
    version=__version__,
    help="Self-hosted SEO reports: one URL in, one honest report out.",
    default_parameter=Parameter(negative=(), show_default=_help_default),
)
app.command("findable.cli.audit:audit", name="audit", help="Fetch pages and print their reports.", help_epilogue=_AUDIT_CODES)
app.command("findable.cli.crawl:crawl", name="crawl", help="Crawl a site and print its report.", help_epilogue=_CRAWL_CODES)
app.command("findable.cli.query:query", name="query", help="Ask crawl files in SQL.")
app.command("findable.cli.export:export", name="export", help="Write all tables of a crawl file: Excel, Parquet, CSV.")
app.command("findable.cli.init:init", name="init", help="Write .findable.toml, the configuration of a repository.")
app.command("findable.cli.gather:gather", name="gather", help="Fetch a page and print it as a saved page (JSON).")
app.command("findable.cli.check:check", name="check", help="Check a saved page without the network.")
app.command("findable.cli.recheck:recheck_finding", name="recheck", help="Check one finding of a report again.")
app.command("findable.cli.diff:diff", name="diff", help="Compare two reports or saved pages.")
app.command("findable.cli.checks:checks", name="checks", help="List the checks, or explain one.")
app.command("findable.cli.robots:robots", name="robots", help="Show whether a robots.txt allows a URL or a path, and by which line.")
app.command("findable.cli.logs:app", name="logs", help="Count the requests of bots in access logs, and tell genuine bots from fakes.")
app.command("findable.cli.bots:app", name="bots", help="List known bots, refresh the lists of their IP addresses.")
app.command("findable.cli.completion:completion", name="completion", help="Print the completion script of a shell.")
app.command("findable.cli.serve:serve", name="serve", help="Start the service.")
app.command("findable.cli.mcp:mcp", name="mcp", help="Serve tools for agents (Model Context Protocol) over standard input and output.")
app.command("findable.cli.worker:work", name="worker", help="Generate reports together with other workers on one PostgreSQL database.")
app.command("findable.cli.queue:queue", name="queue", help="Show queued and running reports, throughput and failures.")
app.command("findable.cli.watch:watch", name="watch", help="Watch sites, or list schedules and open alerts.")
app.command("findable.cli.doctor:doctor", name="doctor", help="Check this installation.")
app.command("findable.cli.rescore:rescore_reports", name="rescore", help="Rescore old reports under the current ruleset.")
app.command("findable.cli.database:app", name="db", help="Show the size of the database, reclaim free space, copy it to PostgreSQL.")
app.command("findable.cli.backup:backup", name="backup", help="Write a backup of the database while the service runs.")
app.command("findable.cli.backup:restore", name="restore", help="Restore a backup to an empty database.")
app.command("findable.cli.import_command:import_", name="import", help="Import a crawl of another program, or reports of another server.")
app.command("findable.cli.accounts:app", name="accounts", help="Create accounts and sign-in links, list people.")
app.command("findable.cli.keys:app", name="keys", help="Create, list and revoke API keys.")
