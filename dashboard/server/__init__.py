"""The server: scheduling, the drag socket, prepared trainings, headers and uploads, and all private parts of Streamlit and asyncio."""
