"""Process queued jobs."""
