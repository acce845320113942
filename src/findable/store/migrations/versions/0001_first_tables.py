"""The first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _only(condition: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("reports", sa.Integer(), server_default="0", nullable=False),
        sa.Column("good", sa.Integer(), server_default="0", nullable=False),
        sa.Column("decent", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bad", sa.Integer(), server_default="0", nullable=False),
        sa.Column("projects", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("email", name=op.f("uq_account_email")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "blob",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_blob")),
    )
    op.create_table(
        "check_name",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_check_name")),
        sa.UniqueConstraint("name", name=op.f("uq_check_name_name")),
    )
    op.create_table(
        "check_set",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("not_asked", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_check_set")),
        sa.UniqueConstraint("digest", name=op.f("uq_check_set_digest")),
    )
    op.create_table(
        "idempotency",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("payload_hash", sa.Text(), nullable=False),
        sa.Column("report_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.Column("reply", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_created", "idempotency", ["created_at"], unique=False)
    op.create_table(
        "rate_bucket",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("blocked_until", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_rate_bucket")),
    )
    op.create_index("ix_rate_bucket_expires", "rate_bucket", ["expires_at"], unique=False)
    op.create_table(
        "check_set_member",
        sa.Column("check_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("set_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["check_id"], ["check_name.id"], name=op.f("fk_check_set_member_check_id")),
        sa.ForeignKeyConstraint(["set_id"], ["check_set.id"], name=op.f("fk_check_set_member_set_id")),
        sa.PrimaryKeyConstraint("check_id", "set_id", name=op.f("pk_check_set_member")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_person_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("email", name=op.f("uq_person_email")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_person_account_id"), "person", ["account_id"], unique=False)
    op.create_table(
        "project",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("reports", sa.Integer(), server_default="0", nullable=False),
        sa.Column("good", sa.Integer(), server_default="0", nullable=False),
        sa.Column("decent", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bad", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_project_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_project_created", "project", ["account_id", "created_at", "id"], unique=False)
    op.create_index("ix_project_deleted", "project", ["account_id", "deleted_at"], unique=False, **_only("deleted_at IS NOT NULL"))
    op.create_index("uq_project_alive_name", "project", ["account_id", "name"], unique=True, **_only("deleted_at IS NULL"))
    op.create_table(
        "turn",
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("active", sa.Integer(), nullable=False),
        sa.Column("served", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_turn_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_turn")),
    )
    op.create_index("ix_turn_served", "turn", ["served"], unique=False)
    op.create_table(
        "api_key",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("prefix", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_api_key_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_api_key_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("prefix", name=op.f("uq_api_key_prefix")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_api_key_token_hash")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_api_key_account_id"), "api_key", ["account_id"], unique=False)
    op.create_index(op.f("ix_api_key_person_id"), "api_key", ["person_id"], unique=False)
    op.create_table(
        "one_time_link",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_one_time_link_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_one_time_link")),
    )
    op.create_index(op.f("ix_one_time_link_person_id"), "one_time_link", ["person_id"], unique=False)
    op.create_table(
        "report",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("public_id", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("project_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("url", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("scheme_guessed", sa.SmallInteger(), nullable=False),
        sa.Column("privacy", sa.SmallInteger(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("password_version", sa.Integer(), server_default="0", nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("runs", sa.Integer(), server_default="0", nullable=False),
        sa.Column("run", sa.Integer(), nullable=True),
        sa.Column("generated_at", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("score", sa.SmallInteger(), nullable=True),
        sa.Column("coverage", sa.SmallInteger(), nullable=True),
        sa.Column("check_set", sa.Integer(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("previous_report", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True),
        sa.Column("previous_run", sa.Integer(), nullable=True),
        sa.Column("previous_result", sa.Text(), nullable=True),
        sa.Column("previous_score", sa.SmallInteger(), nullable=True),
        sa.Column("generated_up", sa.BigInteger(), nullable=False),
        sa.Column("generated_down", sa.BigInteger(), nullable=False),
        sa.Column("result_up", sa.SmallInteger(), nullable=False),
        sa.Column("result_down", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_report_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_report_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("public_id", name=op.f("uq_report_public_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_report_account", "report", ["account_id", "id"], unique=False)
    op.create_index("ix_report_generated_down", "report", ["account_id", "generated_down", "id"], unique=False)
    op.create_index("ix_report_generated_up", "report", ["account_id", "generated_up", "id"], unique=False)
    op.create_index("ix_report_project", "report", ["project_id", "id"], unique=False)
    op.create_index("ix_report_project_generated", "report", ["project_id", "generated_down", "id"], unique=False)
    op.create_index("ix_report_result_down", "report", ["account_id", "result_down", "id"], unique=False)
    op.create_index("ix_report_result_up", "report", ["account_id", "result_up", "id"], unique=False)
    op.create_index("ix_report_unfinished", "report", ["account_id", "status", "id"], unique=False, **_only("status != 'done'"))
    op.create_index("ix_report_updated", "report", ["account_id", "updated_at"], unique=False)
    op.create_index("ix_report_url", "report", ["account_id", "url", "id"], unique=False)
    op.create_table(
        "session",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_session_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_person_id"), "session", ["person_id"], unique=False)
    op.create_table(
        "finding",
        sa.Column("report_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("check_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("verdict", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_finding_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("report_id", "check_id", name=op.f("pk_finding")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_finding_verdict", "finding", ["account_id", "check_id", "verdict", "report_id"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("report_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("host", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("priority", sa.SmallInteger(), nullable=False),
        sa.Column("fresh_site", sa.SmallInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("run_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("progress", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_job_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("report_id", name=op.f("uq_job_report_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_job_host", "job", ["state", "priority", "account_id", "host", "id"], unique=False)
    op.create_index("ix_job_turn", "job", ["state", "priority", "account_id", "id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("report_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("url", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("profile", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("score", sa.SmallInteger(), nullable=True),
        sa.Column("coverage", sa.SmallInteger(), nullable=True),
        sa.Column("engine", sa.Text(), nullable=True),
        sa.Column("analysis", sa.LargeBinary(), nullable=True),
        sa.Column("saved_hash", sa.LargeBinary(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_run_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("report_id", "number", name=op.f("uq_run_report_id_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_run_history", "run", ["account_id", "url", "profile", "id"], unique=False)
    op.create_index("ix_run_saved", "run", ["saved_hash"], unique=False, **_only("saved_hash IS NOT NULL"))
    op.create_index("ix_run_saved_age", "run", ["finished_at"], unique=False, **_only("saved_hash IS NOT NULL"))
