"""The one state of a page: what its URL says, as values. Only `session` knows Streamlit."""
