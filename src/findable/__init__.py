"""Findable: self-hosted SEO reports."""

__version__ = "0.2.0"  # pyproject.toml reads the version from here; importlib.metadata would take 30 ms
