"""The sentences of the pages, one module per page."""
