"""Record and compare the results of two revisions for the same pages."""
