"""Checks for AI and answer engines. They mostly report settings; few results are faults."""
