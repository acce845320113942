"""Titles, headings and text, and information about common myths."""
