"""Titles, headings, text – and the folklore rows, without their teeth."""
