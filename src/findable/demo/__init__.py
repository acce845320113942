"""Demonstration site on loopback, for trying reports without a site: ``python -m findable.demo``."""
