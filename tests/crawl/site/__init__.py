"""Tests of the rules of a site, without a store."""
