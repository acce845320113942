"""Parsed document, and facts about elements that other artifacts share."""
