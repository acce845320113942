"""Previews of shared links."""
