"""`findable rescore`: old results under the present ruleset, from saved pages, beside a running service too."""

import asyncio
from typing import Annotated

from cyclopts import Parameter

from findable.cli.accounts import opened
from findable.cli.terminal import Progress, Terminal
from findable.errors import SettingError
from findable.reports.scoring import RULESET
from findable.service.reports.rescoring import Tally, named_project, rescore
from findable.service.runtime.app import Service
from findable.worker.analysis_pool import AnalysisPool
from findable.worker.page_analyser import PRELOADED


def rescore_reports(
    *,
    project: Annotated[str | None, Parameter(help="Reports of the project of that name.")] = None,
    all_: Annotated[bool, Parameter(name="--all", help="Reports of all projects.")] = False,
) -> int:
    """Score reports again whose ruleset is older than ours, from their saved pages. Nothing is fetched; the old runs stay."""
    if all_ == (project is not None):
        raise SettingError("--project or --all", "name one of the two")
    name = named_project(project) if project is not None else ""
    if project is not None and not name:
        raise SettingError("--project", f"{project} is not the name of a project")
    with opened("rescore") as service:
        tally = asyncio.run(_rescore(service, name))
    if project is not None and not tally.all:
        raise SettingError("--project", f"{project} has no reports with a result")
    print("\n".join(_lines(tally)))
    return 1 if tally.failed else 0


async def _rescore(service: Service, project: str) -> Tally:
    processes = service.settings.analysis_processes
    progress = Progress(Terminal.detect())
    pool = AnalysisPool(processes, preload=PRELOADED)
    try:
        return await rescore(
            service, pool, project=project, at_once=processes, told=lambda tally: progress.show(f"{tally.all} reports looked at")
        )
    finally:
        progress.clear()
        await pool.close()


def _lines(tally: Tally) -> list[str]:
    counts = {
        f"scored again under ruleset {RULESET}": tally.rescored,
        "scored under it already": tally.current,
        "left: their page is not saved any more": tally.without_page,
        "left: their page cannot be rated under it": tally.unrated,
        "left: their page could not be judged": tally.failed,
    }
    return [f"{count:>7}  {what}" for what, count in counts.items() if count] or ["There are no reports with a result."]
