"""Dated data: languages, crawlers, advisories, rich results."""
