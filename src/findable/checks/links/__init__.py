"""Checks of links: whether crawlers and people can follow them."""
