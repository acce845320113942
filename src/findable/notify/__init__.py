"""Events for people and other programs, and their message formats. The outbox is stored in SQL tables of the store."""
