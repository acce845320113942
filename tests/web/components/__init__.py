"""One page with every component in every state, drawn by the macros of the pages themselves: ``python -m tests.web.components``."""
