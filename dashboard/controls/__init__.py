"""What you change on a page: widgets, the sidebar, the editor, the save panel, and the picture that follows them."""
