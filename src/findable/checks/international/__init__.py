"""Checks of language and region."""
