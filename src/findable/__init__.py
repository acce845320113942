"""Findable: self-hosted SEO reports."""

__version__ = "0.2.0"  # pyproject.toml reads it here: asking for the installed version takes 30 ms
