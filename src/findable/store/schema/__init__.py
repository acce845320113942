"""Definitions of the current tables, by subject. The migrations in `findable.store.migrations` update older databases."""
