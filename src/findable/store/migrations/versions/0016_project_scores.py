"""Daily scores of projects, and regressions.

Revision ID: 0016 Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
COMPLETE = "(score IS NOT NULL AND provisional = 0 AND ended_by IN ('complete', 'trap') AND listed IS NULL AND deleted_at IS NULL)"
# The newest score of each page. A report has no limit (`cap`) before its next run.
PAGES = """
SELECT project_id, score FROM (
    SELECT project_id, score, row_number() OVER (PARTITION BY project_id, url ORDER BY generated_down DESC, id DESC) AS place
    FROM report WHERE result IS NOT NULL AND score IS NOT NULL
) AS newest WHERE place = 1
"""


def upgrade() -> None:
    op.add_column("project", sa.Column("page_scores", sa.Integer(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("scored_pages", sa.Integer(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("start_cap", sa.SmallInteger(), nullable=True))
    op.add_column("report", sa.Column("cap", sa.SmallInteger(), nullable=True))
    op.drop_index("ix_report_worse", "report")
    complete = sa.text(COMPLETE)
    op.create_index("ix_crawl_site_score", "crawl", ["project_id", "id"], sqlite_where=complete, postgresql_where=complete)
    op.create_table(
        "project_day",
        sa.Column("project_id", NUMBER, nullable=False, autoincrement=False),
        sa.Column("day", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("score", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_project_day_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("project_id", "day", name=op.f("pk_project_day")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "setback",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("report_id", NUMBER, nullable=True),
        sa.Column("crawl_id", NUMBER, nullable=True),
        sa.Column("url", BYTEWISE, nullable=False),
        sa.Column("is_site", sa.SmallInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("score_before", sa.SmallInteger(), nullable=False),
        sa.Column("score", sa.SmallInteger(), nullable=False),
        sa.Column("findings", sa.Text(), nullable=False),
        *(
            sa.ForeignKeyConstraint([f"{name}_id"], [f"{name}.id"], name=op.f(f"fk_setback_{name}_id"), ondelete="CASCADE")
            for name in ("account", "project", "report", "crawl")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_setback")),
        sa.UniqueConstraint("project_id", "is_site", "url", name=op.f("uq_setback_project_id_is_site_url")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_setback_account", "setback", ["account_id", "at", "id"])
    op.create_index(op.f("ix_setback_report_id"), "setback", ["report_id"])
    op.create_index(op.f("ix_setback_crawl_id"), "setback", ["crawl_id"])
    op.execute(
        f"UPDATE project SET page_scores = pages.total, scored_pages = pages.amount FROM "  # noqa: S608 - the inserted text is a constant
        f"(SELECT project_id, sum(score) AS total, count(*) AS amount FROM ({PAGES}) AS page GROUP BY project_id) AS pages "
        "WHERE pages.project_id = project.id"
    )
    op.execute(
        "INSERT INTO project_day (project_id, day, score) SELECT project.id, max(report.generated_at) / 86400, page_scores / scored_pages "
        "FROM project JOIN report ON report.project_id = project.id WHERE scored_pages > 0 AND report.generated_at IS NOT NULL "
        "GROUP BY project.id"
    )
