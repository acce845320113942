"""Events for people and other programs, and their message formats. The store keeps the outbox in SQL tables."""
