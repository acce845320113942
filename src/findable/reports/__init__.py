"""Build reports from findings: score, rating, facts, texts."""
