"""Watching sites: schedules, what changed between two runs, and the states of alerts. Pure functions of frozen values."""
