"""Peers side by side on equal data with equal parameters: `python -m bench.compare exact`."""
