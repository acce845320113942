"""The parsed document and what every other artifact asks of it."""
