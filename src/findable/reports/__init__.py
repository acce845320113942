"""Findings to a report: score, rating, facts, words."""
