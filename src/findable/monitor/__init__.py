"""Watching of sites: schedules, changes between two runs, and states of alerts. Pure functions of immutable values."""
