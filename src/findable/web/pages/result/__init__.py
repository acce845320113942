"""Pages that show and share a result, whether of a page, a site or a project."""
