"""People with names and roles, how their sessions look, invitations; branding, client's words and links of reports; pictures; batches."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "picture",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("width_px", sa.Integer(), nullable=False),
        sa.Column("height_px", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_picture")),
    )
    op.add_column("person", sa.Column("name", sa.Text(), nullable=False, server_default=""))
    op.add_column("person", sa.Column("role", sa.Text(), nullable=False, server_default="owner"))
    op.add_column("person", sa.Column("language", sa.Text()))
    op.add_column("person", sa.Column("time_zone", sa.Text()))
    op.add_column("session", sa.Column("last_seen_at", sa.BigInteger()))
    op.add_column("session", sa.Column("user_agent", sa.Text()))
    op.add_column("session", sa.Column("network", sa.Text()))
    op.add_column("project", sa.Column("brand_name", sa.Text()))
    op.add_column("project", sa.Column("brand_color", sa.Text()))
    op.add_column("project", sa.Column("brand_logo", sa.LargeBinary()))
    op.add_column("project", sa.Column("language", sa.Text()))
    op.add_column("project", sa.Column("identity", sa.LargeBinary()))
    op.add_column("report", sa.Column("listed", sa.SmallInteger(), nullable=False, server_default="0"))
    op.add_column("report", sa.Column("link_expires_at", sa.BigInteger()))
    op.add_column("report", sa.Column("client", sa.Text()))
    op.add_column("run", sa.Column("icon", sa.LargeBinary()))
    op.add_column("run", sa.Column("card", sa.LargeBinary()))
    op.create_table(
        "invitation",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("email", sa.Text()),
        sa.Column("invited_by", NUMBER),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_invitation_account_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["invited_by"], ["person.id"], name=op.f("fk_invitation_invited_by"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_invitation")),
    )
    op.create_index("ix_invitation_account_id", "invitation", ["account_id"])
    op.create_table(
        "batch",
        sa.Column("id", NUMBER, nullable=False),
        sa.Column("account_id", NUMBER, nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("members", sa.Integer(), nullable=False),
        sa.Column("left_out", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_batch_account_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batch")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_batch_account", "batch", ["account_id", "id"])
    op.create_table(
        "batch_member",
        sa.Column("batch_id", NUMBER, nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("url", BYTEWISE, nullable=False),
        sa.Column("report_id", NUMBER),
        sa.Column("refused", sa.Text()),
        sa.ForeignKeyConstraint(["batch_id"], ["batch.id"], name=op.f("fk_batch_member_batch_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_batch_member_report_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("batch_id", "place", name=op.f("pk_batch_member")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_batch_member_report_id", "batch_member", ["report_id"])
