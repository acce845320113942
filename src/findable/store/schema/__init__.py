"""Current tables by subject. Older databases are migrated by migrations/."""
