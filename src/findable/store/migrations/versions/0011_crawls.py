"""Crawls and their jobs, and the segments and extractors of projects."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("project", sa.Column("segments", sa.Text(), nullable=True))
    op.add_column("project", sa.Column("extractors", sa.Text(), nullable=True))
    op.create_table(
        "crawl",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("public_id", BYTEWISE, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("url", BYTEWISE, nullable=False),
        sa.Column("scheme_guessed", sa.SmallInteger(), nullable=False),
        sa.Column("privacy", sa.SmallInteger(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("password_version", sa.Integer(), server_default="0", nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("is_stopping", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("listed", sa.LargeBinary(), nullable=True),
        sa.Column("ended_by", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("score", sa.SmallInteger(), nullable=True),
        sa.Column("provisional", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("coverage", sa.SmallInteger(), nullable=True),
        sa.Column("requests", sa.Integer(), server_default="0", nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("counts", sa.Text(), nullable=True),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("previous_crawl", NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_crawl_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_crawl_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_crawl")),
        sa.UniqueConstraint("public_id", name=op.f("uq_crawl_public_id")),
        sqlite_autoincrement=True,
    )
    stored, gone = sa.text("deleted_at IS NULL"), sa.text("deleted_at IS NOT NULL")
    op.create_index("ix_crawl_account", "crawl", ["account_id", "id"], sqlite_where=stored, postgresql_where=stored)
    op.create_index("ix_crawl_project", "crawl", ["project_id", "id"])
    op.create_index("ix_crawl_deleted", "crawl", ["deleted_at"], sqlite_where=gone, postgresql_where=gone)
    with op.batch_alter_table("job", table_kwargs={"sqlite_autoincrement": True}) as job:
        job.alter_column("report_id", existing_type=NUMBER, nullable=True)
        job.add_column(sa.Column("crawl_id", NUMBER, nullable=True))
        job.create_foreign_key(op.f("fk_job_crawl_id"), "crawl", ["crawl_id"], ["id"], ondelete="CASCADE")
        job.create_unique_constraint(op.f("uq_job_crawl_id"), ["crawl_id"])
