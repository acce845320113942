"""Checks of the previews of shared links."""
