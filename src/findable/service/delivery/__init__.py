"""Use cases of webhooks and of what is delivered."""
