"""Chromium behind the guard: its process, its proxy, and visits to pages."""
