"""Facts that need a browser."""
