"""Limits of the size of a page; requests for other resources have their own."""

WIRE_CAP_BYTES = 10_000_000
"""Maximum number of bytes transferred."""
DECODED_CAP_BYTES = 20_000_000
"""Maximum number of bytes after decompression."""
STORED_BYTES = 5_000_000
"""Bytes of the decoded body of a page that are stored. The rest is not checked, so only its size is recorded."""
