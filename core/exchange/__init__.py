"""To and from text, files, frameworks and code."""
