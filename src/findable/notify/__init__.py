"""Events for people and other programs, and the forms in which they are sent. The outbox is SQL and lives in the store."""
