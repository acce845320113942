"""Plots of a site that is only crawled mark the first crawl with a newer ruleset."""

import json
from pathlib import Path

import pytest

from findable.reports.scoring import RULESET
from findable.service.crawls import crawls
from findable.service.projects import project_reports
from findable.service.runtime.service import Service
from findable.service.values.crawl_values import NewCrawl
from findable.store.schema.site_tables import crawl
from tests.service import samples
from tests.sites.plugin import make_site, site
from tests.sites.server import Site
from tests.worked_crawls import work_crawl
from tests.worker.test_reports_of_real_sites import html

__all__ = ["make_site", "site"]
DAY_S = 86_400


@pytest.mark.full
def test_the_first_crawl_with_a_newer_ruleset_is_marked(tmp_path: Path, site: Site, database_url: str) -> None:
    url = site.page("/", html("<p>Words of the only page.</p>"))
    service = Service.open(samples.settings(tmp_path, database_url=database_url, allow_targets=(f"127.0.0.1:{site.port}",)))
    try:
        caller = samples.owner(service)
        for _ in range(4):
            made = crawls.create(service, caller, NewCrawl(url)).crawl
            work_crawl(service)
        assert crawls.get(service, caller, made.id).ruleset == RULESET
        with service.store.write() as session:
            connection = session.outbox._connection
            rows = connection.execute(crawl.select().order_by(crawl.c.id)).all()
            for place, row in enumerate(rows):  # four days; the first crawl is of a version that stored no ruleset
                counts = {**json.loads(row.counts), "ruleset": ("", "2020-01", RULESET, RULESET)[place]}
                at = row.finished_at - DAY_S * (len(rows) - place)
                connection.execute(crawl.update().where(crawl.c.id == row.id).values(finished_at=at, counts=json.dumps(counts)))
        report = project_reports.get(service, caller, made.project).report
        assert len(report.trend) == 4
        assert [(one.ruleset, one.at) for one in report.markers] == [(RULESET, report.trend[2].at)]
        assert all("ruleset" not in one.counts for one in [crawls.get(service, caller, row.id) for row in rows])
    finally:
        service.close()
