"""Pages and files of the report of one page."""
