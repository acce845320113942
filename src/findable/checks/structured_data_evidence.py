"""Message of checks of structured data that was only partly read."""

PART_READ = "Not known: there is more structured data, or nested deeper, than is read"
"""Message for missing data if not all data was read."""
