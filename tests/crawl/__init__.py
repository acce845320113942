"""Tests of the pure parts of a crawl."""
