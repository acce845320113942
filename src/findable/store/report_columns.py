"""Columns for `ReportRow`, and statements for one report."""

from sqlalchemy import bindparam, select

from findable.store.rows import VERDICTS
from findable.store.schema.job_tables import job
from findable.store.schema.project_tables import project
from findable.store.schema.report_tables import report
from findable.vocabulary import Verdict

VERDICT_PLACE = {verdict: place for place, verdict in enumerate(VERDICTS)}
AGAINST = (Verdict.FAILED, Verdict.WARNED)
"""Verdicts whose findings also store the report's result, because lists filter reports by both."""

COLUMNS = (
    report.c.id,
    report.c.public_id,
    report.c.account_id,
    report.c.project_id,
    project.c.name,
    report.c.url,
    report.c.scheme_guessed,
    report.c.privacy,
    report.c.password_hash,
    report.c.password_version,
    report.c.status,
    report.c.version,
    report.c.created_at,
    report.c.updated_at,
    report.c.run,
    report.c.generated_at,
    report.c.result,
    report.c.score,
    report.c.coverage,
    report.c.check_set,
    report.c.summary,
    report.c.error,
    report.c.last_error,
    report.c.previous_report,
    report.c.previous_run,
    report.c.previous_result,
    report.c.previous_score,
    report.c.generated_up,
    report.c.generated_down,
    report.c.result_down,
    report.c.worst_down,
    report.c.merged_into,
    report.c.browser,
    job.c.state,
    job.c.progress,
)
"""Columns in the order of ReportRow."""
JOINED = report.join(project, project.c.id == report.c.project_id).outerjoin(job, job.c.report_id == report.c.id)
ONE = select(*COLUMNS).select_from(JOINED)
BY_ID = ONE.where(report.c.id == bindparam("id"), project.c.deleted_at.is_(None))
BY_PUBLIC_ID = ONE.where(report.c.public_id == bindparam("public_id"), project.c.deleted_at.is_(None))
