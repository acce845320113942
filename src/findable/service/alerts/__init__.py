"""Use cases of alerts: update them with runs and crawls, and write their messages."""
