"""Streamlit pages over the engine's snapshots and commands."""
