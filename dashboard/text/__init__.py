"""The sentences on the screen, chosen by numbers and codes."""
