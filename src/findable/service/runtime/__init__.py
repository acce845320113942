"""Shared state of all use cases: the service itself, limits, events, secrets."""
