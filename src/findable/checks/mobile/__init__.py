"""Google indexes the phone version."""
