"""Example objects of responses in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from findable.values import read_data

PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "reports": ("Number of the report.", 7),
    "crawls": ("Number of the crawl.", 4),
    "batches": ("Number of the batch.", 3),
    "alerts": ("Number of the alert.", 5),
    "schedules": ("Number of the schedule.", 2),
    "webhooks": ("Number of the webhook.", 2),
    "views": ("Number of the saved view.", 3),
    "feeds": ("Number of the feed.", 1),
    "delivery": ("Number of the delivery.", 9),
    "page": ("Number of the page in its crawl.", 17),
    "person": ("Number of the person.", 5),
    "recipient": ("Number of the recipient.", 1),
    "source": ("Name of the source of uploaded numbers.", "search-console"),
    "folder": ("Name of the folder in the setting `log_folders`.", "nginx"),
    "import_id": ("Number of the import.", 7),
    "key": ("Key of the finding.", "site-links-broken:9f2c4a71d0be"),
    "run": ("Number of the run.", 1),
    "check": ("Id of the check.", "title-present"),
    "project": ("Name of the project (its host, in upper or lower case, IDN or punycode) or its number.", "example.com"),
}
"""Description and example of each path parameter."""
PATTERNS: Mapping[str, Mapping[str, str]] = {"source": {"pattern": "^[a-z0-9-]{1,40}$"}}
"""Patterns of path parameters that do not accept any text."""
EXAMPLES: Mapping[str, Any] = read_data(__package__, "examples", dict[str, Any])
"""Examples by name of the schema."""
