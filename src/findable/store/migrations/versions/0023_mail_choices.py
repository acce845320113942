"""E-mail preferences.

Revision ID: 0023 Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _belongs(table: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([f"{to}_id"], [f"{to}.id"], name=op.f(f"fk_{table}_{to}_id"), ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "subscription",
        sa.Column("person_id", NUMBER, nullable=False),
        sa.Column("project_id", NUMBER, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        _belongs("subscription", "person"),
        _belongs("subscription", "project"),
        sa.PrimaryKeyConstraint("person_id", "project_id", name=op.f("pk_subscription")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_subscription_project_id"), "subscription", ["project_id"])
    op.create_table(
        "mail_choice",
        sa.Column("person_id", NUMBER, autoincrement=False, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("digest_at", sa.BigInteger(), nullable=True),
        _belongs("mail_choice", "person"),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_mail_choice")),
    )
