"""The tables of the first release."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

WORSE = (
    "(score < previous_score OR (result = 'bad' AND previous_result IN ('decent', 'good')) "
    "OR (result = 'decent' AND previous_result = 'good'))"
)


def _only(condition: str) -> dict[str, Any]:
    return {"sqlite_where": sa.text(condition), "postgresql_where": sa.text(condition)}


def upgrade() -> None:  # noqa: PLR0915 - one statement for each table and index
    op.create_table(
        "account",
        sa.Column("id", NUMBER, nullable=False),
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
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_check_name")),
        sa.UniqueConstraint("name", name=op.f("uq_check_name_name")),
    )
    op.create_table(
        "check_set",
        sa.Column("id", NUMBER, nullable=False),
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
        sa.Column("report_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("held_until", sa.BigInteger(), nullable=False),
        sa.Column("reply", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("owner", "key", name=op.f("pk_idempotency")),
    )
    op.create_index("ix_idempotency_created", "idempotency", ["created_at"], unique=False)
    op.create_table(
        "pause",
        sa.Column("origin", BYTEWISE, nullable=False),
        sa.Column("host", BYTEWISE, nullable=False),
        sa.Column("until_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_pause")),
    )
    op.create_table(
        "picture",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("width_px", sa.Integer(), nullable=False),
        sa.Column("height_px", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_picture")),
    )
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
        "site_answer",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("site", BYTEWISE, nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_answer")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_site_answer_made", "site_answer", ["made_at"], unique=False)
    op.create_index("ix_site_answer_site", "site_answer", ["site", "id"], unique=False)
    op.create_table(
        "batch",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("duplicates", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fed", sa.Integer(), server_default="0", nullable=False),
        sa.Column("privacy", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_batch_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_batch_account", "batch", ["account_id", "id"], unique=False)
    op.create_index("ix_batch_waiting", "batch", ["account_id", "id"], unique=False, **_only("fed < members"))
    op.create_table(
        "check_set_member",
        sa.Column("check_id", NUMBER, nullable=False),
        sa.Column("set_id", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["check_id"], ["check_name.id"], name=op.f("fk_check_set_member_check_id")),
        sa.ForeignKeyConstraint(["set_id"], ["check_set.id"], name=op.f("fk_check_set_member_set_id")),
        sa.PrimaryKeyConstraint("check_id", "set_id", name=op.f("pk_check_set_member")),
    )
    op.create_table(
        "person",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("role", sa.Text(), server_default="owner", nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("time_zone", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_person_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("email", name=op.f("uq_person_email")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_person_account_id"), "person", ["account_id"], unique=False)
    op.create_table(
        "project",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("name", BYTEWISE, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.Column("reports", sa.Integer(), server_default="0", nullable=False),
        sa.Column("good", sa.Integer(), server_default="0", nullable=False),
        sa.Column("decent", sa.Integer(), server_default="0", nullable=False),
        sa.Column("bad", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_for_search", sa.Text(), nullable=True),
        sa.Column("brand_name", sa.Text(), nullable=True),
        sa.Column("brand_color", sa.Text(), nullable=True),
        sa.Column("brand_logo", sa.LargeBinary(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("identity", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_project_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_project_created", "project", ["account_id", "created_at", "id"], unique=False)
    op.create_index("ix_project_deleted", "project", ["account_id", "deleted_at"], unique=False, **_only("deleted_at IS NOT NULL"))
    op.create_index("uq_project_alive_name", "project", ["account_id", "name"], unique=True, **_only("deleted_at IS NULL"))
    op.create_table(
        "turn",
        sa.Column("account_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("active", sa.Integer(), nullable=False),
        sa.Column("served", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_turn_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_turn")),
    )
    op.create_index("ix_turn_served", "turn", ["served"], unique=False)
    op.create_table(
        "api_key",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("person_id", NUMBER, nullable=False),
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
        "invitation",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("invited_by", NUMBER, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_invitation_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["invited_by"], ["person.id"], name=op.f("fk_invitation_invited_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_invitation")),
    )
    op.create_index(op.f("ix_invitation_account_id"), "invitation", ["account_id"], unique=False)
    op.create_table(
        "one_time_link",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_one_time_link_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_one_time_link")),
    )
    op.create_index(op.f("ix_one_time_link_person_id"), "one_time_link", ["person_id"], unique=False)
    op.create_table(
        "report",
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
        sa.Column("previous_report", NUMBER, nullable=True),
        sa.Column("previous_run", sa.Integer(), nullable=True),
        sa.Column("previous_result", sa.Text(), nullable=True),
        sa.Column("previous_score", sa.SmallInteger(), nullable=True),
        sa.Column("generated_up", sa.BigInteger(), nullable=False),
        sa.Column("generated_down", sa.BigInteger(), nullable=False),
        sa.Column("result_up", sa.SmallInteger(), nullable=False),
        sa.Column("result_down", sa.SmallInteger(), nullable=False),
        sa.Column("accepted_end", sa.BigInteger(), nullable=True),
        sa.Column("listed", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("link_expires_at", sa.BigInteger(), nullable=True),
        sa.Column("client", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_report_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_report_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
        sa.UniqueConstraint("public_id", name=op.f("uq_report_public_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_report_accepted_end", "report", ["accepted_end"], unique=False, **_only("accepted_end IS NOT NULL"))
    op.create_index("ix_report_account", "report", ["account_id", "id", "check_set"], unique=False)
    op.create_index("ix_report_generated_down", "report", ["account_id", "generated_down", "id"], unique=False)
    op.create_index("ix_report_generated_up", "report", ["account_id", "generated_up", "id"], unique=False)
    op.create_index("ix_report_project", "report", ["project_id", "id", "check_set"], unique=False)
    op.create_index("ix_report_project_generated", "report", ["project_id", "generated_down", "id"], unique=False)
    op.create_index("ix_report_project_result_down", "report", ["project_id", "result_down", "id"], unique=False)
    op.create_index("ix_report_project_result_up", "report", ["project_id", "result_up", "id"], unique=False)
    op.create_index("ix_report_project_url", "report", ["project_id", "url", "id"], unique=False)
    op.create_index("ix_report_result_down", "report", ["account_id", "result_down", "id"], unique=False)
    op.create_index("ix_report_result_up", "report", ["account_id", "result_up", "id"], unique=False)
    op.create_index("ix_report_unfinished", "report", ["account_id", "status", "id"], unique=False, **_only("status != 'done'"))
    op.create_index("ix_report_unfinished_url", "report", ["account_id", "status", "url", "id"], unique=False, **_only("status != 'done'"))
    op.create_index("ix_report_updated", "report", ["account_id", "updated_at"], unique=False)
    op.create_index("ix_report_url", "report", ["account_id", "url", "id"], unique=False)
    op.create_index(
        "ix_report_worse",
        "report",
        ["account_id", "generated_down", "id"],
        unique=False,
        **_only(WORSE),
    )
    op.create_table(
        "session",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=True),
        sa.Column("user_agent", sa.Text(), nullable=True),
        sa.Column("network", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_session_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_person_id"), "session", ["person_id"], unique=False)
    op.create_table(
        "acceptance",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("report_id", NUMBER, nullable=True),
        sa.Column("check_name", sa.Text(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("finding_key", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("until", sa.Text(), nullable=False),
        sa.Column("accepted_by", sa.Text(), nullable=False),
        sa.Column("person_id", NUMBER, nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_acceptance_person_id"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_acceptance_project_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_acceptance_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_acceptance")),
    )
    op.create_index(op.f("ix_acceptance_project_id"), "acceptance", ["project_id"], unique=False)
    op.create_index(op.f("ix_acceptance_report_id"), "acceptance", ["report_id"], unique=False)
    op.create_table(
        "batch_member",
        sa.Column("batch_id", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("url", BYTEWISE, nullable=False),
        sa.Column("report_id", NUMBER, nullable=True),
        sa.Column("refused", sa.Text(), nullable=True),
        sa.Column("scheme_guessed", sa.SmallInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_batch_member_batch_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_batch_member_report_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("batch_id", "place", name=op.f("pk_batch_member")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_batch_member_report_id"), "batch_member", ["report_id"], unique=False)
    op.create_table(
        "finding",
        sa.Column("report_id", NUMBER, nullable=False),
        sa.Column("check_id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("verdict", sa.SmallInteger(), nullable=False),
        sa.Column("result", sa.SmallInteger(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_finding_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("report_id", "check_id", name=op.f("pk_finding")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_finding_result",
        "finding",
        ["account_id", "check_id", "verdict", "result", "report_id"],
        unique=False,
        **_only("result IS NOT NULL"),
    )
    op.create_index("ix_finding_verdict", "finding", ["account_id", "check_id", "verdict", "report_id"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("report_id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("host", BYTEWISE, nullable=False),
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
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_job_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
        sa.UniqueConstraint("report_id", name=op.f("uq_job_report_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_job_host", "job", ["state", "priority", "account_id", "host", "id"], unique=False)
    op.create_index("ix_job_turn", "job", ["state", "priority", "account_id", "id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("report_id", NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("url", BYTEWISE, nullable=False),
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
        sa.Column("rescored_from", sa.Integer(), nullable=True),
        sa.Column("icon", sa.LargeBinary(), nullable=True),
        sa.Column("card", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_run_report_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
        sa.UniqueConstraint("report_id", "number", name=op.f("uq_run_report_id_number")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_run_card", "run", ["card"], unique=False, **_only("card IS NOT NULL"))
    op.create_index("ix_run_finished", "run", ["finished_at"], unique=False)
    op.create_index("ix_run_history", "run", ["account_id", "url", "profile", "id"], unique=False)
    op.create_index("ix_run_icon", "run", ["icon"], unique=False, **_only("icon IS NOT NULL"))
    op.create_index("ix_run_saved", "run", ["saved_hash"], unique=False, **_only("saved_hash IS NOT NULL"))
    op.create_index("ix_run_saved_age", "run", ["finished_at"], unique=False, **_only("saved_hash IS NOT NULL"))
