"""HTTPS matters to search; the rest is hygiene and weighs little."""
