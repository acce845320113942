"""Run the service with the demonstration site: ``python -m findable.demo``."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter
from msgspec.structs import replace

from findable.cli.command_settings import load_settings
from findable.cli.exit_codes import USAGE
from findable.cli.serve import greet
from findable.demo.demo_site import PAGES, PORT, serve_site
from findable.errors import FindableError
from findable.service.accounts import account_admin
from findable.service.accounts.first_start import OWNER_EMAIL
from findable.service.crawls import crawls
from findable.service.reports import reports
from findable.service.runtime.browsers import has_usable_browser
from findable.service.runtime.service import Service
from findable.service.values.caller import Caller
from findable.service.values.crawl_values import CrawlQuery, CrawlView, NewCrawl
from findable.service.values.report_values import NewReport, ReportQuery, ReportView
from findable.settings import Settings
from findable.vocabulary import BrowserUse, Privacy
from findable.web.server import serve
from findable.worker.report_worker import ReportWorker

WAIT_S = 60.0
CRAWL_PAGES = 100
MEASURED_PAGE = "/breads/rye-sourdough"
"""Page whose report shows the findings and measurements of a browser, if one works."""


def demonstrate(
    *,
    port: Annotated[int | None, Parameter(help="Port of the service; default: FINDABLE_PORT.")] = None,
    site_port: Annotated[int, Parameter(help="Port of the demonstration site; if it is in use, the next free one.")] = PORT,
    data_dir: Annotated[Path | None, Parameter(help="Directory of the database and the crawls; default: FINDABLE_DATA_DIR.")] = None,
) -> None:
    """Serve Findable and the demonstration site until stopped."""
    settings = load_settings({"port": port, "data_dir": data_dir})
    with serve_site(site_port) as origin:
        host = origin.removeprefix("http://")
        serve(replace(settings, allow_targets=(*settings.allow_targets, host)), ReportWorker, Demonstration(origin).begin)


def main() -> int:
    """Run the command. Return exit code 0, or 2 if an option or setting is invalid."""
    app = App(name="python -m findable.demo", default_command=demonstrate, version_flags=())
    try:
        app(sys.argv[1:], exit_on_error=False, print_error=False)
    except (CycloptsError, FindableError) as error:
        print(f"findable: {error}", file=sys.stderr)
        return USAGE
    return 0


class Demonstration:
    """Creates reports of the demonstration pages and a crawl of their site, in the account of the first start."""

    def __init__(self, origin: str) -> None:
        self._origin = origin

    async def begin(self, service: Service) -> None:
        """Print the greeting of `findable serve`, create missing reports and a crawl, wait for the reports and print their URLs."""
        await greet(service)
        made = await service.run(self._reports)
        crawl = await service.run(self._crawl)
        for report in made.values():
            if report.browser is not BrowserUse.LAB:  # the lab measurement takes longer, and its report is not waited for
                await service.wait_until_done(report.id, WAIT_S)
        print(self._overview(service.settings, made, crawl), flush=True)

    def _reports(self, service: Service) -> Mapping[str, ReportView]:
        """Return the reports of the demonstration pages by path, creating missing ones."""
        caller = _caller(service)
        found = reports.find(service, caller, ReportQuery(search=self._origin, per_page=100)).items
        by_url = {report.url: report for report in found}
        missing = {path: f"{self._origin}{path}" for path in PAGES if f"{self._origin}{path}" not in by_url}
        measured = f"{self._origin}{MEASURED_PAGE}" if has_usable_browser(service) else ""
        browsers = {measured: BrowserUse.LAB}
        made = {
            url: reports.create(service, caller, NewReport(url, Privacy.PUBLIC, browser=browsers.get(url))).report
            for url in missing.values()
        }
        return {path: (by_url | made)[f"{self._origin}{path}"] for path in PAGES}

    def _crawl(self, service: Service) -> CrawlView:
        """Return the crawl of the demonstration site, creating it if it is missing."""
        caller, url = _caller(service), f"{self._origin}/"
        found = crawls.find(service, caller, CrawlQuery(per_page=100)).items
        known = next((crawl for crawl in found if crawl.url == url), None)
        return known or crawls.create(service, caller, NewCrawl(url, pages=CRAWL_PAGES, privacy=Privacy.PUBLIC)).crawl

    def _overview(self, settings: Settings, made: Mapping[str, ReportView], crawl: CrawlView) -> str:
        lines = [f"A demonstration bakery runs at {self._origin}. Reports of its pages:", ""]
        for path, report in made.items():
            lines += [f"  {path}, {PAGES[path]}:", f"      {settings.base_url}/r/{report.public_id}"]
        lines += ["  the whole site, after half a minute:", f"      {settings.base_url}/s/{crawl.public_id}"]
        lines += [
            "",
            "Check one of your pages in a second terminal:",
            "",
            "  .venv/bin/findable audit https://www.example.com/",
            "",
            "What else there is to do: docs/tutorial/first-report.md. Ctrl-C stops.",
        ]
        return "\n".join(lines)


def _caller(service: Service) -> Caller:
    """Return the person of the first start as the caller, creating an account if the first one was deleted."""
    if account_admin.find_account(service, OWNER_EMAIL) is None:
        account_admin.create_account(service, OWNER_EMAIL)
    return account_admin.owner_caller(service, OWNER_EMAIL)


if __name__ == "__main__":
    sys.exit(main())
