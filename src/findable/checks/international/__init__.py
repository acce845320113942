"""Language and region."""
