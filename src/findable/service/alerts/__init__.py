"""Use cases of alerts: follow them with runs and crawls, and write their messages."""
