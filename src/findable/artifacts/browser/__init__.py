"""Facts from a visit with a browser."""
