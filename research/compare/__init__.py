"""Recorder and comparer of what two revisions say about the same pages."""
