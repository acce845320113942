"""Readers of access logs: text by a format string, JSON lines, and columns named in the file; gzip, Zstandard or plain.

A reader has `agent`, which finds only the user agent of a line, and `read`, which reads all of it. Nearly all lines are of visitors, so
that importers call `read` for the others only. Both are pure: no name is resolved and no file is opened here.
"""
