"""Widgets, the sidebar, the editor, the save panel, and the picture that follows them."""
