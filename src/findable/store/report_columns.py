"""Columns for `ReportRow`, and statements for one report."""

from sqlalchemy import select

from findable.store.rows import VERDICTS, ReportRow
from findable.store.schema.job_tables import job
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.store.statements import columns
from findable.vocabulary import Verdict

VERDICT_PLACE = {verdict: place for place, verdict in enumerate(VERDICTS)}
AGAINST = (Verdict.FAILED, Verdict.WARNED)
"""Verdicts whose findings also store the report's result, because lists filter reports by both."""

COLUMNS = columns(
    ReportRow, report, project=project.c.name, queued_at=job.c.created_at, job_state=job.c.state, job_progress_json=job.c.progress
)
"""Columns in the order of ReportRow."""
JOINED = report.join(project, project.c.id == report.c.project_id).outerjoin(job, job.c.report_id == report.c.id)
ONE = select(*COLUMNS).select_from(JOINED)
