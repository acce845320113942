"""Readers of small formats: robots.txt, Link headers, JSON-LD, srcset, CSS. Pure functions."""
