"""Google indexes the mobile version."""
