"""Rules of a site, over rows that the store read: one file for each family."""
