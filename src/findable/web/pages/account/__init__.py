"""Pages of an account: sign-in, people, keys."""
