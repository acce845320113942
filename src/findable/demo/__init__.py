"""A small made-up bakery on loopback, to look at reports before there is a site of one's own: ``python -m findable.demo``."""
