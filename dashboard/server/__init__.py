"""What a server does for all readers, and all that leans on the insides of Streamlit and asyncio, each thing in one place."""
