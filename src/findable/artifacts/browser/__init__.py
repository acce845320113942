"""Facts from a browser visit."""
