"""Parts that results of pages, sites and projects have in common: access by links, acceptances, recent changes."""
