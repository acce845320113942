"""Metadata with every table; importing the other modules registers their tables."""

from findable.store.schema import (
    account_tables,
    job_tables,
    log_tables,
    message_tables,
    project_tables,
    report_tables,
    site_tables,
    table_parts,
)

__all__ = ["account_tables", "job_tables", "log_tables", "message_tables", "metadata", "project_tables", "report_tables", "site_tables"]

metadata = table_parts.metadata
