"""Demonstration site on loopback, to try reports without a site: ``python -m findable.demo``."""
