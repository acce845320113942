"""Does the work that was accepted."""
