"""Checks of performance: how quickly the page is delivered and rendered."""
