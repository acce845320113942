"""Findings of a project on all its pages, and the link of a project for its client.

Revision ID: 0022 Revises: 0021
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
PUBLIC_ID_BYTES = 16


def upgrade() -> None:
    op.add_column("report", sa.Column("new_findings", sa.Text(), nullable=True))
    op.add_column("report", sa.Column("fixed_findings", sa.Text(), nullable=True))
    op.add_column("run", sa.Column("failed", sa.SmallInteger(), nullable=True))
    op.add_column("run", sa.Column("warned", sa.SmallInteger(), nullable=True))
    op.add_column("finding", sa.Column("is_accepted", sa.SmallInteger(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("public_id", BYTEWISE, nullable=True))
    op.add_column("project", sa.Column("privacy", sa.SmallInteger(), server_default="1", nullable=False))
    op.add_column("project", sa.Column("password_hash", sa.Text(), nullable=True))
    op.add_column("project", sa.Column("password_version", sa.Integer(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("link_expires_at", sa.BigInteger(), nullable=True))
    op.add_column("project", sa.Column("is_listed", sa.SmallInteger(), server_default="0", nullable=False))
    op.add_column("project", sa.Column("client", sa.Text(), nullable=True))
    connection = op.get_bind()
    for number in connection.execute(sa.text("SELECT id FROM project")).scalars().all():
        values = {"id": number, "public_id": secrets.token_urlsafe(PUBLIC_ID_BYTES)}
        connection.execute(sa.text("UPDATE project SET public_id = :public_id WHERE id = :id"), values)
    op.create_index("uq_project_public_id", "project", ["public_id"], unique=True)
