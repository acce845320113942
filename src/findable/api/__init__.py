"""Findable in Python."""
