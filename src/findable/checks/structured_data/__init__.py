"""Checks of structured data, which makes pages eligible for rich results but does not improve ranking."""
