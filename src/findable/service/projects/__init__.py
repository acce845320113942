"""Use cases of projects, and the overview of all of them."""
