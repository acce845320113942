"""HTTPS matters to search; the rest is good practice with little weight."""
