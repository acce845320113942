"""Roles of people in single projects, and invitations to one project.

Revision ID: 0019
Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "project_role",
        sa.Column("person_id", NUMBER, nullable=False, autoincrement=False),
        sa.Column("project_id", NUMBER, nullable=False, autoincrement=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_project_role_person_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_project_role_project_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person_id", "project_id", name=op.f("pk_project_role")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_project_role_project_id"), "project_role", ["project_id"])
    with op.batch_alter_table("invitation") as invitation:
        invitation.add_column(sa.Column("project_id", NUMBER, nullable=True))
        invitation.create_foreign_key(op.f("fk_invitation_project_id"), "project", ["project_id"], ["id"], ondelete="CASCADE")
        invitation.create_index(op.f("ix_invitation_project_id"), ["project_id"])
