"""Use cases of webhooks and deliveries."""
