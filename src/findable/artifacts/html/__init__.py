"""The parsed document, and elements that other artifacts share."""
