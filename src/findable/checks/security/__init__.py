"""Checks of security. HTTPS matters for search; the others are good practice with little weight."""
