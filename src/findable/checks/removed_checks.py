"""Checks that no longer exist."""

REMOVED_CHECKS = frozenset(
    {
        "geo-meta",
        "meta-keywords",
        "site-auth-walls",
        "site-canonical-unlinked",
        "site-dead-ends",
        "site-duplicate-slash",
        "site-hreflang-partial",
        "site-nofollow-only",
        "site-noindex-share",
        "site-one-inlink",
        "site-only-from-noindex",
        "site-pagination-deep",
        "site-redirect-meta",
        "site-slow-template",
        "text-html-ratio",
    }
)
"""Ids of checks that no longer exist. A configuration, filter or acceptance that names one is warned about, not refused."""
