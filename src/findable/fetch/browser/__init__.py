"""Chromium behind the guard: its process, its way out, and visits of pages."""
