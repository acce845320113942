"""Eligibility for rich results, never a ranking promise."""
