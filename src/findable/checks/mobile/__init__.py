"""Checks of the page on phones, whose version Google indexes."""
