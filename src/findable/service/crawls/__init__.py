"""Crawls of sites."""
