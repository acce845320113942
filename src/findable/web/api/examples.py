"""Example objects of responses in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

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
_PAGE = "https://seo.example.com/r/Zq3xkT0pV9uWn2LrYb8sMA"
EXAMPLES: Mapping[str, Any] = {
    "Summary": {
        "id": 7,
        "object": "report",
        "public_id": "Zq3xkT0pV9uWn2LrYb8sMA",
        "url": "https://example.com/",
        "final_url": "https://example.com/",
        "project": "example.com",
        "status": "done",
        "result": "good",
        "verdict": {
            "code": "indexable",
            "cause": "",
            "since": "2026-11-21T10:00:04Z",
            "sentence": "Google can index this page.",
            "next_step": "",
        },
        "score": 93,
        "coverage": 1.0,
        "privacy": 2,
        "has_password": True,
        "created_at": "2026-11-21T10:00:00Z",
        "generated_at": "2026-11-21T10:00:04Z",
        "updated_at": "2026-11-21T10:00:04Z",
        "error": None,
        "engine": {"version": "0.2.0", "ruleset": "2026-12c", "profile": "static", "sources": ["page", "site"]},
        "judged_as": None,
        "last_error": None,
        "previous": {"report": 5, "run": 1, "result": "decent", "score": 84, "change": 9},
        "not_asked": ["lcp"],
        "merged_into": None,
        "browser": None,
        "counts": {"failed": 1, "warned": 6, "passed": 88, "inapplicable": 20, "unknown": 3, "info": 12},
        "categories": [{"id": "indexability", "title": "Indexability & crawling", "score": 100}],
        "links": {
            "self": "https://seo.example.com/api/v1/reports/7",
            "html": _PAGE,
            "project": "https://seo.example.com/api/v1/projects/example.com",
            "json": f"{_PAGE}/report.json",
            "csv": f"{_PAGE}/report.csv",
            "markdown": f"{_PAGE}/report.md",
            "pdf": f"{_PAGE}/report.pdf",
        },
    }
}
"""Examples by name of the schema."""
