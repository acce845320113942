"""Facts from the responses to the extra requests of a report."""
