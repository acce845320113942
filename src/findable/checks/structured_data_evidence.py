"""What checks of structured data have in common."""

PART_READ = "not known: there is more structured data, or nested deeper, than is read"
"""Where something was not met in a part."""
