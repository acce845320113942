"""Checks of pages and sites. One file is one check; the folder is its category, the file name its id."""
