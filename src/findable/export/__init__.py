"""Formats of a report for people and other programs. Their only input is the report."""
