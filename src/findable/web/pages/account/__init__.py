"""The pages of an account: sign-in, people, keys."""
