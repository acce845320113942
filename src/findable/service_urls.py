"""Absolute URLs of the service, from the configured base URL and never from a request's Host."""

from functools import lru_cache
from urllib.parse import quote, urlencode

from msgspec import Struct

API = "/api/v1"


class ServiceUrls(Struct, frozen=True):
    """Builder of all URLs of the service."""

    base_url: str

    @property
    def check_docs(self) -> str:
        """URL of the documentation of checks."""
        return f"{self.base_url}/docs/checks"

    def check(self, check_id: str) -> str:
        """URL of a check in the API."""
        return f"{self.base_url}{API}/checks/{check_id}"

    def report(self, report_id: int) -> str:
        """URL of a report in the API."""
        return f"{self.base_url}{API}/reports/{report_id}"

    def run(self, report_id: int, run: int) -> str:
        """URL of a run of a report in the API."""
        return f"{self.report(report_id)}/runs/{run}"

    def share_page(self, public_id: str) -> str:
        """URL of the shared page of a report."""
        return f"{self.base_url}/r/{public_id}"

    def site_page(self, public_id: str) -> str:
        """URL of the shared page of a crawl."""
        return f"{self.base_url}/s/{public_id}"

    def shared_project(self, public_id: str) -> str:
        """URL of the shared page of a project."""
        return f"{self.base_url}/p/{public_id}"

    def batch(self, batch_id: int) -> str:
        """URL of a batch in the API."""
        return f"{self.base_url}{API}/batches/{batch_id}"

    def crawl(self, crawl_id: int) -> str:
        """URL of a crawl in the API."""
        return f"{self.base_url}{API}/crawls/{crawl_id}"

    def schedule(self, schedule_id: int) -> str:
        """URL of a schedule in the API."""
        return f"{self.base_url}{API}/schedules/{schedule_id}"

    def webhook(self, webhook_id: int) -> str:
        """URL of a webhook in the API."""
        return f"{self.base_url}{API}/webhooks/{webhook_id}"

    def webhook_page(self, webhook_id: int) -> str:
        """URL of the account page with the settings and deliveries of a webhook."""
        return f"{self.base_url}/account/webhooks/{webhook_id}"

    def alert(self, alert_id: int) -> str:
        """URL of an alert in the API."""
        return f"{self.base_url}{API}/alerts/{alert_id}"

    def batch_page(self, batch_id: int) -> str:
        """URL of the page of a batch for people of the account."""
        return f"{self.base_url}/batches/{batch_id}"

    def project(self, name: str) -> str:
        """URL of a project in the API."""
        return f"{self.base_url}{API}/projects/{_quote(name)}"

    def project_page(self, name: str) -> str:
        """URL of the page of a project for people of the account."""
        return f"{self.base_url}/projects/{_quote(name)}"

    def reports_of(self, project: str) -> str:
        """URL of the list of a project's reports in the API."""
        return f"{self.base_url}{API}/reports?{urlencode({'project': project})}"


@lru_cache(maxsize=1024)
def _quote(name: str) -> str:
    """Return a project name, percent-encoded for a path. The result is cached, because lists repeat names."""
    return quote(name, safe="")
