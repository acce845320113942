"""Recent changes of pages and sites with their times, and the last visit of a person.

Revision ID: 0031 Revises: 0030
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

_SETBACK = sa.table("setback", *(sa.column(name) for name in ("id", "at", "better_at", "score_before", "score", "findings")))


def upgrade() -> None:
    for name in ("seen_at", "visited_at"):
        op.add_column("person", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("setback", sa.Column("better_at", sa.BigInteger(), server_default="0", nullable=False))
    connection = op.get_bind()
    for row in connection.execute(sa.select(_SETBACK)).all():
        keys = json.loads(row.findings)
        changes = {
            "scores": [[0, row.score_before], [row.at, row.score]] if row.score != row.score_before else [[0, row.score]],
            "findings": {key: [True, [row.at]] for key in keys},
            "failed_count": len(keys),
        }
        connection.execute(sa.update(_SETBACK).where(_SETBACK.c.id == row.id).values(findings=json.dumps(changes)))
    with op.batch_alter_table("setback", table_kwargs={"sqlite_autoincrement": True}) as setback:
        setback.drop_column("score_before")
        setback.drop_column("score")
        setback.create_index(op.f("ix_setback_better"), ["account_id", "better_at", "id"])
        setback.create_index(op.f("ix_setback_project"), ["project_id", "at", "id"])
        setback.create_index(op.f("ix_setback_project_better"), ["project_id", "better_at", "id"])
