"""Scheduling, the websocket of drags, the cache of trainings, security, and the private parts of Streamlit."""
