"""`findable rescore`: rescore reports under the current ruleset from their saved pages, also while the service is running."""

import asyncio
from typing import Annotated

from cyclopts import Parameter

from findable.cli.accounts import open_service
from findable.cli.terminal import ProgressLine, Terminal
from findable.errors import SettingError
from findable.reports.scoring import RULESET
from findable.service.reports.rescoring import RescoreOutcome, Tally, project_name_of, rescore
from findable.service.runtime.service import Service
from findable.worker.analysis_pool import AnalysisPool
from findable.worker.page_analyser import PRELOADED


def rescore_reports(*, project: str | None = None, all_: Annotated[bool, Parameter(name="--all")] = False) -> int:
    """Rescore reports of an older ruleset from their saved pages. Nothing is fetched; earlier runs stay in the history.

    Args:
        project: Rescore reports of the project with that name.
        all_: Rescore reports of all projects.
    """
    if all_ == (project is not None):
        raise SettingError("--project and --all", "exactly one of these options is required")
    name = project_name_of(project) if project is not None else ""
    if project is not None and not name:
        raise SettingError("--project", f"{project} is not the name of a project")
    with open_service("rescore") as service:
        tally = asyncio.run(_rescore(service, name))
    if project is not None and not tally.total():
        raise SettingError("--project", f"{project} has no reports with a result")
    print("\n".join(_lines(tally)))
    return 1 if tally[RescoreOutcome.FAILED] else 0


async def _rescore(service: Service, project: str) -> Tally:
    processes = service.settings.analysis_processes
    progress = ProgressLine(Terminal.detect())
    pool = AnalysisPool(processes, preload=PRELOADED)
    try:
        return await rescore(
            service, pool, project=project, at_once=processes, on_report=lambda tally: progress.show(f"{tally.total()} reports checked")
        )
    finally:
        progress.clear()
        await pool.close()


def _lines(tally: Tally) -> list[str]:
    counts = {
        f"rescored under ruleset {RULESET}": tally[RescoreOutcome.RESCORED],
        "already scored under it": tally[RescoreOutcome.CURRENT],
        "skipped: the saved page was deleted": tally[RescoreOutcome.WITHOUT_PAGE],
        "skipped: the page cannot be rated under it": tally[RescoreOutcome.UNRATED],
        "skipped: the page could not be checked": tally[RescoreOutcome.FAILED],
    }
    return [f"{count:>7}  {what}" for what, count in counts.items() if count] or ["There are no reports with a result."]
