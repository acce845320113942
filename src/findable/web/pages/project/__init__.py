"""Pages of projects and batches, and the home page."""
