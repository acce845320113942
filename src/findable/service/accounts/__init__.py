"""Use cases of accounts, people, sessions and API keys."""
