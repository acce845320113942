"""What all use cases share while a service runs: the service itself, limits, events, secrets."""
