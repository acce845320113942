"""Facts that only a browser can tell."""
