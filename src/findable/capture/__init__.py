"""What was seen of a page and its site: raw, storable values."""
