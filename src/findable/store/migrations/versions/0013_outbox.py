"""Webhooks, and the outbox of events and their deliveries.

Revision ID: 0013
Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    _make_webhook()
    _make_event()
    _make_delivery()


def _make_webhook() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("target", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("disabled_at", sa.BigInteger(), nullable=True),
        sa.Column("disabled_why", sa.Text(), nullable=True),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_webhook_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_webhook_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_webhook_account_id"), "webhook", ["account_id"])
    op.create_index(op.f("ix_webhook_project_id"), "webhook", ["project_id"])


def _make_event() -> None:
    op.create_table(
        "event",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("uid", BYTEWISE, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=True),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("cause", BYTEWISE, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_event_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_event_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("uid", name=op.f("uq_event_uid")),
        sa.UniqueConstraint("account_id", "type", "cause", name=op.f("uq_event_account_id_type_cause")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_event_project_id"), "event", ["project_id"])
    op.create_index("ix_event_at", "event", ["at"])


def _make_delivery() -> None:
    op.create_table(
        "delivery",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("event_id", NUMBER, nullable=True),
        sa.Column("webhook_id", NUMBER, nullable=True),
        sa.Column("person_id", NUMBER, nullable=True),
        sa.Column("mail", sa.LargeBinary(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("run_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.BigInteger(), nullable=True),
        sa.Column("tried_at", sa.BigInteger(), nullable=True),
        sa.Column("took_ms", sa.Integer(), nullable=True),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("response", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_delivery_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["event_id"], ["event.id"], name=op.f("fk_delivery_event_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhook.id"], name=op.f("fk_delivery_webhook_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_delivery_person_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_delivery")),
        sqlite_autoincrement=True,
    )
    for column in ("account_id", "event_id", "person_id"):
        op.create_index(op.f(f"ix_delivery_{column}"), "delivery", [column])
    queued, at_work = sa.text("state = 'ready'"), sa.text("state = 'running'")
    op.create_index("ix_delivery_queued", "delivery", ["run_at", "id"], sqlite_where=queued, postgresql_where=queued)
    op.create_index("ix_delivery_running", "delivery", ["lease_until"], sqlite_where=at_work, postgresql_where=at_work)
    op.create_index("ix_delivery_webhook", "delivery", ["webhook_id", "id"])
    op.create_index("ix_delivery_ended", "delivery", ["ended_at"])
