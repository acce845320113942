"""Parsed document, and elements that artifacts share."""
